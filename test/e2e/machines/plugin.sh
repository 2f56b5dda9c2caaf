#!/bin/bash
# GCC's plugin, natively: programs that know their own calls (plugin/saw.h), at each level of optimisation, with both forms of entry.
# Takes long, compilers for three machines.
. "$(dirname "$0")/../lib.sh"

if ! makes plugin PLUGIN_CC=gcc > make.log 2>&1; then
	if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
		echo "not ok 1 - the plugin builds"
		sed 's/^/# /' make.log
		echo 1..1
		exit 1
	fi
	echo "1..0 # SKIP gcc's plugin headers are not installed"
	exit
fi
from=$ROOT/test/e2e/machines/plugin
plugin=$BUILD/plugin/$(gcc -dumpmachine)-$(gcc -dumpfullversion)/profile.so
on="-fplugin=$plugin -fplugin-arg-profile-on"
plain="$on -fplugin-arg-profile-plain"
forms="sequence plain"
if [ "$(gcc -dumpmachine | cut -d- -f1)" != x86_64 ]; then
	echo "1..0 # SKIP the PROFILE functions of this test are for x86-64"
	exit
fi
gcc -O2 -c "$from/saw.c" -o saw_sequence.o && gcc -O2 -c "$from/entry_x86_64.S" -o entry.o && ld -r saw_sequence.o entry.o -o sequence.o
gcc -O2 -DPLAIN -c "$from/saw.c" -o plain.o

# knows FORM SOURCE FLAGS: the program is compiled, and finds nothing that is not as it must be
knows()
{
	local form=$1 source=$from/$2 compiler=gcc
	shift 2
	[[ $source == *.c ]] || compiler=g++
	local options=$on
	[ "$form" = sequence ] || options=$plain
	# shellcheck disable=SC2086
	$compiler -Wall -Wextra -Werror -DCONSTRUCTORS=1 "$@" $options -c "$source" -o program.o
	# Trampolines of nested functions are on the stack.
	# shellcheck disable=SC2086
	$compiler "$@" ${LINK--fplugin=$plugin} -z execstack program.o "$form.o" -o program
	./program
}

each_kind()
{
	local form
	for form in $forms; do
		knows "$form" kinds.c "$@"
		knows "$form" pragmas.c "$@"
		knows "$form" kinds.cc "$@"
		knows "$form" effects.c "$@"
		knows "$form" arguments.c "$@"
	done
}

# Link-time optimisation does what was asked when the objects were made, whatever else the link says.
at_link_time()
{
	each_kind -O2 -flto
	LINK=$plain each_kind -O0 -flto
	# shellcheck disable=SC2086
	gcc -O2 -flto $plain "$from/same_file.c" -o same && ./same
}

# two_files FLAGS: functions in one file whose effects the compiler finds, or is told in the other
two_files()
{
	# shellcheck disable=SC2086
	gcc -Wall -Wextra -Werror "$@" $on -DOTHER -c "$from/effects_other.c" -o other.o
	# shellcheck disable=SC2086
	gcc -Wall -Wextra -Werror "$@" $on -c "$from/effects_other.c" -o one.o
	gcc "$@" "-fplugin=$plugin" one.o other.o sequence.o -o program
	./program
}
effects()
{
	two_files -O2
	two_files -O2 -flto
	two_files -O2 -flto=2
}

same_file()
{
	local level
	for level in -O0 -O1 -O2 -O3 -Os; do
		# shellcheck disable=SC2086
		gcc $level -Wall -Wextra $plain "$from/same_file.c" -o same
		./same || fail "$level"
	done
}

# Without the option nothing is called, whatever the pragmas say; and the objects go together with those that call.
mixed()
{
	local level
	gcc -O2 -Wall -Wextra -Werror -fplugin="$plugin" -c "$from/pragmas.c" -o pragmas.o
	nm pragmas.o | grep PROFILE && fail "calls without -fplugin-arg-profile-on"
	for level in -O0 -O2; do
		# shellcheck disable=SC2086
		gcc $level $on -DBOTH=1 -c "$from/mixed.c" -o one.o
		# shellcheck disable=SC2086
		gcc $level $on -DOTHER -c "$from/mixed.c" -o other.o
		gcc one.o other.o sequence.o -o program && ./program
		# shellcheck disable=SC2086
		gcc $level $on -DBOTH=0 -c "$from/mixed.c" -o one.o
		gcc $level -DOTHER -c "$from/mixed.c" -o other.o
		gcc one.o other.o sequence.o -o program && ./program
	done
}

# A loop at the very beginning of a function, without a prologue: the entry stands before it.
loop()
{
	printf 'void spins(int *n)\n{\n\tfor (;;)\n\t\t__asm__ volatile("incl %%0" : "+m"(*n));\n}\n' > loop.c
	# shellcheck disable=SC2086
	gcc -O2 $on -S loop.c
	grep -o '^\.L[0-9]*:\|__PROFILE_ENTRY\|jmp' loop.s | sed 's/[0-9]//g' | tr '\n' ' ' > got
	[ "$(cat got)" = "__PROFILE_ENTRY .L: jmp " ] || fail "$(cat loop.s)"
}

# A processor without a sequence of its own: entries are ordinary calls, whatever was asked.
elsewhere()
{
	local cc=aarch64-linux-gnu-gcc level source options
	options="-fplugin=$BUILD/plugin/$($cc -dumpmachine)-$($cc -dumpfullversion)/profile.so -fplugin-arg-profile-on"
	makes plugin PLUGIN_CC=$cc
	$cc -O2 -DPLAIN -c "$from/saw.c" -o saw_elsewhere.o
	for level in -O0 -O2; do
		for source in kinds.c pragmas.c; do
			# shellcheck disable=SC2086
			$cc -g -Wall -Wextra -Werror -DCONSTRUCTORS=1 $level $options -c "$from/$source" -o program.o
			$cc -z execstack program.o saw_elsewhere.o -o program
			qemu-aarch64 -L /usr/aarch64-linux-gnu ./program
		done
	done
}

# refuses TEXT COMMAND: it fails, or with -Werror would, and says so
refuses()
{
	local text=$1 status=0
	shift
	LC_ALL=C "$@" > said 2>&1 || status=$?
	[ $status != 0 ] || fail "no error: $*"
	grep -qF -- "$text" said || fail "expected: $text" "$(cat said)"
}
wrong_use()
{
	printf '#pragma profile maybe\n' > word.c
	printf '#pragma profile on\n#pragma profile reset\n#pragma profile reset\n' > reset.c
	printf '#pragma profile on off\n' > junk.c
	# shellcheck disable=SC2086
	{
		refuses "word.c:1:17: error: '#pragma profile' must say 'on', 'off' or 'reset': ignored" gcc -Wall -Werror $on -c word.c
		refuses "reset.c:3:17: error: '#pragma profile reset' without an 'on' or 'off' before it" gcc -Wall -Werror $on -c reset.c
		refuses "junk.c:1:20: error: junk at the end of '#pragma profile'" gcc -Wall -Werror $on -c junk.c
		refuses "'-fplugin-arg-profile-onn': there are 'on' and 'plain'" gcc -fplugin="$plugin" -fplugin-arg-profile-onn -c word.c
		refuses "there are 'on' and 'plain', without a value" gcc -fplugin="$plugin" -fplugin-arg-profile-on=1 -c word.c
		refuses "profile calls with '-mcmodel=large'" gcc $on -mcmodel=large -c "$from/same_file.c"
	}
}

# Debug information, which takes a quarter of a compilation, with what the optimiser moves and with what it does not.
for level in -O0 -O1 "-O2 -g" -O3 -Os "-Og -g"; do
	# shellcheck disable=SC2086
	test_that "C and C++ at $level: each call and exit, arguments and results undisturbed, pragmas" each_kind $level
done
test_that "code that is not position-independent" each_kind -O2 -fno-pie -no-pie
test_that "code for shared libraries" each_kind -O2 -fPIC -fno-plt
test_that "Intel's syntax, and marks for indirect jumps" each_kind -O2 -masm=intel -fcf-protection=full
test_that "where every instruction may throw, and C may be thrown through" each_kind -O2 -fexceptions -fnon-call-exceptions
test_that "under the address and undefined-behaviour sanitizers" each_kind -O1 -fsanitize=address,undefined
test_that "link-time optimisation" at_link_time
test_that "functions of another file that change nothing are called as often as the program says, with -flto too" effects
test_that "PROFILE functions in the same file have no calls, and what they change is seen" same_file
test_that "objects with and without calls in one program; without the option no calls; equal names are one string" mixed
test_that "an entry in front of a loop that begins the function" loop
if command -v qemu-aarch64 > /dev/null && [ -e "$(aarch64-linux-gnu-gcc -print-file-name=plugin 2> /dev/null)/include/gcc-plugin.h" ]; then
	test_that "AArch64, by ordinary calls" elsewhere
else
	skip "AArch64, by ordinary calls" "no emulator, or not the compiler's plugin headers (tools/deps.sh plugin)"
fi
test_that "a wrong word, a reset too many, an option that is none: said, with its place" wrong_use
done_testing
