#!/bin/bash
# Where exceptions land, whatever language throws and catches them: of each the tree, with compiled hooks and with --trace. A compiler that
# is not here is skipped.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP --trace is for x86-64 alone"; exit; }
languages=$prog/unwinds/languages
hooks="-finstrument-functions"

ada() { mkdir -p "$1.ada" && (cd "$1.ada" && gnatmake -q -f -O2 "$languages/catches.adb" -o "../$1" -cargs $2); }
d() { gdc -O2 $2 "$languages/catches.d" -o "$1"; }
objective_c() { gcc -O2 -std=gnu11 -fobjc-exceptions $2 "$languages/catches.m" -lobjc -o "$1"; }
rust() { RUSTC_BOOTSTRAP=1 rustc -O --crate-name catches $2 "$languages/catches.rs" -o "$1"; }
gnu_cxx() { g++ -O2 $2 "$languages/catches.cc" -o "$1"; }
llvm_cxx() { clang++ -O2 $2 "$languages/catches.cc" -o "$1"; }
forced() { gcc -O2 -fexceptions $2 "$languages/forced.c" -o "$1"; }

# lands NAME FRAMES OPTIONS COMMAND ...: each catch goes on in catcher; no call was left open, and no exit was nobody's.
lands()
{
	local name=$1 frames=$2
	RECORD_OPTIONS=$3
	shift 3
	record "$name" "$@"
	exits "$name" 0
	"$DWELL" info "$name.dwell" > "$name.info" || fail "$(cat "$name.info")"
	! grep -E 'match no open call|landed in functions' "$name.info" || fail "$(cat "$name.info")"
	whole "$name"
	places "$name"
	between 1 "$(awk -F '\t' '$2 > most { most = $2 } END { print most + 1 }' "$name.places")" "$frames" "deepest"
}
# Names as the language makes them, without what it adds.
catches()
{
	lands "$@"
	sed -E 's/\t[^\t]*\b(after|inner|middle|catcher)(\.[0-9]+)?(\(.*\))?$/\t\1/; s/\t[^\t]*__(after|inner|middle|catcher)(\.[0-9]+)?$/\t\1/' "$1.places" > "$1.short"
	mv "$1.short" "$1.places"
	only_called_by "$1" inner middle
	only_called_by "$1" middle catcher
	only_called_by "$1" after "${AFTER_BY:-catcher}"
	[ "$(grep -c '	middle$' "$1.places") $(grep -c '	inner$' "$1.places") $(grep -c '	after$' "$1.places")" = "1000 1000 ${AFTER:-500}" ] ||
		fail "calls" "$(cut -f 3 "$1.places" | sort | uniq -c | sort -nr | head)"
}

# both LANGUAGE COMPILER BUILD FLAGS LIBRARY
both()
{
	local language=$1 compiler=$2 build=$3 flags=$4 unwinder="module:libgcc_s*"
	[ -z "${5-}" ] || unwinder="$unwinder --only module:$5*"
	command -v "$compiler" > /dev/null || { skip "$language" "no $compiler"; return; }
	if [ "$compiler" = gcc ] && ! "$build" probe "" > /dev/null 2>&1; then
		skip "$language" "gcc cannot compile it"
		return
	fi
	with_hooks()
	{
		"$build" "$build-hooks" "$flags" > build.log 2>&1 || fail "$(cat build.log)"
		catches "$build-hooks" 12 "" "./$build-hooks"
	}
	as_it_is()
	{
		"$build" "$build-plain" "" > build.log 2>&1 || fail "$(cat build.log)"
		catches "$build-plain" 20 --trace "./$build-plain"
	}
	# The unwinder's own functions, and the language's, are on the way then.
	with_unwinder()
	{
		catches "$build-plain" 40 "--trace --only module:$build-plain* --only $unwinder" "./$build-plain"
	}
	test_that "$language: compiled hooks" with_hooks
	test_that "$language: --trace" as_it_is
	test_that "$language: --trace of the unwinder, too" with_unwinder
}
both "Ada" gnatmake ada "$hooks" libgnat
both "D" gdc d "$hooks" libgphobos
both "Objective-C" gcc objective_c "$hooks" libobjc
both "Rust" rustc rust "$("$DWELL" cflags rustc 2> /dev/null)"
both "C++, GCC" g++ gnu_cxx "$hooks" libstdc++
both "C++, Clang" clang++ llvm_cxx "$hooks" libstdc++
AFTER=1000 AFTER_BY="clean catcher" both "C, by force" gcc forced "$hooks"

# The call that goes on is told from others of the same function, of which some have had an exit on the way.
# recursive NAME OPTIONS COMPILER FLAGS
recursive()
{
	"$3" $4 "$languages/recursive.cc" -o "$1" > build.log 2>&1 || fail "$(cat build.log)"
	lands "$1" 10 "$2" "./$1"
	only_called_by "$1" after recurse
	awk -F '\t' '$3 == "after" { at[$2]++ } END { exit !(at[4] == 1000) }' "$1.places" || fail "after: not by the third call" "$(sort "$1.places" | uniq -c | head -40)"
}
for each in "g++:-O1 $hooks:" "g++:-O2:--trace" "clang++:-O1 $hooks:" "clang++:-O2:--trace"; do
	IFS=: read -r compiler flags options <<< "$each"
	if command -v "$compiler" > /dev/null; then
		test_that "$compiler $flags $options: recursion with cleanups" recursive "recursive-$compiler$options" "$options" "$compiler" "$flags"
	else
		skip "$compiler: recursion with cleanups" "not installed"
	fi
done

# Interpreters: twice as many turns are no deeper.
interpreter()
{
	lands "$1" "$2" --trace "$1" "$languages/catches.lua"
}
for each in luajit:60 lua5.4:60; do
	if command -v "${each%:*}" > /dev/null; then
		test_that "${each%:*}: --trace" interpreter "${each%:*}" "${each#*:}"
	else
		skip "${each%:*}" "not installed"
	fi
done
done_testing
