#!/bin/bash
# The agent looks for patched sites when a program starts and when a library is loaded, with or without a dwell: it finds those that
# objdump shows, in one walk through the code.
set -eu
[ "$(uname -m)" = x86_64 ] || { echo "not on this processor"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-sites.XXXXXX")
trap 'rm -rf "$work"' EXIT
port=$ROOT/target/port
sources=("$port"/cpu/x86_64/{sites_find,code}.c "$port"/os/linux/{extents,image}.c)

# What is found is the program itself, all of it compiled so.
find_in()
{
	local compiler=$1 flags=$2
	# shellcheck disable=SC2086
	(cd "$work" && "$compiler" -O2 -D_GNU_SOURCE $flags -I"$ROOT/include" -I"$ROOT" -I"$ROOT/target" -I"$port" -I"$port/cpu/x86_64" \
		-I"$port/os/linux" -c "$ROOT/test/check/sites.c" "${sources[@]}")
	gcc -Wl,--wrap=code_decode "$work"/*.o -o "$work/sites"
	"$work/sites" > "$work/$compiler.found"
	objdump -d -j .text --no-show-raw-insn "$work/sites" > "$work/code"
	awk "$3" "$work/code" > "$work/want"
	cat "$work/$compiler.found"
	grep -E '^(entries|returns|tails) ' "$work/$compiler.found" | awk "$4" | diff "$work/want" -
	awk '{ count[$1] = $2 }
	END { exit !(count["functions"] >= 20 && !count["skipped"] && !count["counted"] && count["decoded"] <= 1.25 * count["instructions"]) }' \
		"$work/$compiler.found"
}

flags=$("$BUILD/dwell" cflags gcc)
# A nop before a jump may fill a gap: objdump cannot tell. Where specs files do not work, entries are calls.
# shellcheck disable=SC2016
case $flags in
*-specs=*)
	find_in gcc "$flags" '/nopl *0xd\(%rax,%rax,1\)/ { entries++ }
		is_nop && /\tret/ { returns++ }
		{ is_nop = /nopl *0x0\(%rax,%rax,1\)/ }
		END { print "entries", entries + 0; print "returns", returns + 0 }' '!/tails/'
	;;
esac
command -v clang > /dev/null || exit 0
# A sled at an entry looks like one before a jump.
# shellcheck disable=SC2016
find_in clang "$("$BUILD/dwell" cflags clang)" 'is_jump && /nopw *0x200\(/ { jumps++ }
	is_return && /nopw *0x200\(/ { returns++ }
	{ is_jump = /\tjmp/; is_return = /\tret/ }
	END { print "entries and tails", jumps + 0; print "returns", returns + 0 }' \
	'{ count[$1] = $2 } END { print "entries and tails", count["entries"] + count["tails"]; print "returns", count["returns"] }'
