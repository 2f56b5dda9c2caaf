#!/bin/bash
# The freestanding link test: what core/ and the recorder need from outside is what test/link/allowed lists, nothing else. A compiler
# may emit calls of memcpy and its like, or of its own run time, for any C text; anything more is a libc that crept in.
#
# core/, and the recorder on the port that is there to be copied (target/port/template), are compiled for this, for the machines that are at
# hand, small ones too; and the recorder is taken as it was built for the agent.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
work=$BUILD/test/link
rm -rf "$work"
mkdir -p "$work"
bad=0

# needs NAME OBJECTS: the objects together
needs()
{
	local name=$1
	shift
	gcc-nm -A "$@" | awk '
		{ kind = $(NF - 1); symbol = $NF }
		kind ~ /^[TtDdBbRrVWC]$/ { defined[symbol] = 1 }
		kind == "U" { object = $1; sub(/:.*/, "", object); wanted[symbol] = object }
		END { for (symbol in wanted) if (!(symbol in defined)) print symbol, wanted[symbol] }' > "$work/wanted"
	cat "$work/wanted" >> "$work/all"
	awk -v name="$name" '
		NR == FNR { sub(/#.*/, ""); if ($1 != "") allowed[$1] = 1; next }
		!($1 in allowed) { print name ": " $2 " needs " $1 ", which test/link/allowed does not list"; bad = 1 }
		END { exit bad }' test/link/allowed "$work/wanted" || bad=1
}

sources=(core/*.c classic/core/*.c target/recorder/*.c target/hook/*.c target/port/template/*.c)
# compile_as OBJECT SOURCE COMPILER ...
compile_as()
{
	"${@:3}" -std=c11 -Os -Wall -Wextra -Werror -ffreestanding -fno-stack-protector -Iinclude -I. -Itarget -Itarget/port \
		-Itarget/port/template -c "$2" -o "$1"
}
# core_for NAME COMPILER ...: each file by itself
core_for()
{
	local name=$1 source objects=()
	shift
	command -v "$1" > /dev/null || return
	for source in "${sources[@]}"; do
		objects+=("$work/$name-${source//\//.}.o")
		compile_as "${objects[-1]}" "$source" "$@" || bad=1
	done
	needs "core and recorder for $name" "${objects[@]}"
}
# few_for NAME COMPILER ...: likewise, all files in three runs of the compiler, as its start takes longer than a file; where that cannot be, as two
# have a static function of one name, each by itself.
few_for()
{
	local name=$1 part objects=()
	shift
	command -v "$1" > /dev/null || return
	for part in 0 1 2; do
		objects+=("$work/$name-$part.o")
		compile_as "${objects[-1]}" "$work/part-$part.c" "$@" 2> /dev/null || { core_for "$name" "$@"; return; }
	done
	needs "core and recorder for $name" "${objects[@]}"
}
for ((i = 0; i < ${#sources[@]}; i++)); do
	printf '#include "%s"\n' "${sources[i]}" >> "$work/part-$((i % 3)).c"
done

core_for x86-64 gcc
few_for x86-64-O3 gcc -O3
few_for aarch64 aarch64-linux-gnu-gcc -mno-outline-atomics
few_for i386 clang --target=i386-none-elf
few_for cortex-m0 clang --target=thumbv6m-none-eabi
few_for cortex-m3 clang --target=thumbv7m-none-eabi
few_for mips clang --target=mips-none-elf
few_for riscv32 clang --target=riscv32-none-elf
[ -d "$BUILD/agent/target/recorder" ] && needs recorder "$BUILD"/agent/target/recorder/*.o

# The agents link nothing: what they ask of libc is optional (weak), no library is named, no text is relocated, and a program that closes one
# does not take it away from under its threads.
# links_nothing NAME PATTERN: what it may ask for
links_nothing()
{
	[ -f "$BUILD/$1" ] || return
	gcc-nm -D --undefined-only "$BUILD/$1" | awk -v name="$1" -v may="^($2)\$" '
		$1 != "w" || $2 !~ may {
			print name ": needs " $2 (tolower($1) == "w" ? "" : ", and cannot be without")
			bad = 1
		}
		END { exit bad }' || bad=1
	readelf -dW "$BUILD/$1" | awk -v name="$1" '
		/\((NEEDED|TEXTREL|RPATH|RUNPATH)\)/ { print name ": " $0; bad = 1 }
		/FLAGS_1/ { flags = $0 }
		END {
			if (flags !~ /NODELETE/ || flags !~ /INITFIRST/) { print name ": flags are" flags; bad = 1 }
			exit bad
		}' || bad=1
}
links_nothing libdwell.so '__register_atfork|__register_frame|__rseq_offset|__rseq_size|__libc_dlopen_mode|__libc_dlsym|_r_debug|dlsym|environ|gnu_get_libc_version'
links_nothing libdwell-timer.so '__register_atfork|_dl_find_object|_r_debug|dlsym|gnu_get_libc_version|pthread_key_create|pthread_setspecific'

# What nobody needs any more is no part of the contract.
awk '
	NR == FNR { sub(/#.*/, ""); if ($1 != "" && $2 != "?") needed[$1] = 1; next }
	{ delete needed[$1] }
	END { for (name in needed) { print "test/link/allowed: nobody needs " name; bad = 1 } exit bad }' test/link/allowed "$work/all" || bad=1
exit $bad
