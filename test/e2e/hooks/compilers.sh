#!/bin/bash
# Each version of GCC and Clang that is here (gcc-11, clang-19 …), with the flags that `dwell cflags` finds it to understand: C and C++, compiled in one
# command and linked in another, as README says, and both with the flags, as build systems do; and hooks of -finstrument-functions.
. "$(dirname "$0")/../lib.sh"

# compiles OBJECT COMPILER SOURCE FLAGS
compiles()
{
	# shellcheck disable=SC2086
	"$2" -D_GNU_SOURCE -Wall -Wextra $strict "${@:4}" -pthread -c "$prog/$3" -o "$1"
}
# recorded NAME COMPILER OBJECT LINKED [FLAGS]: LINKED: with (the flags), or without
recorded()
{
	local name=$1 compiler=$2 object=$3 linked=$4
	shift 4
	case $linked in
	without) "$compiler" -pthread "$object" -o "$name" ;;
	with) "$compiler" -Wno-unused-command-line-argument "$@" -pthread "$object" -o "$name" ;;
	esac
	! nm "$name" | grep -wE 'monstartup|__xray_init' || fail "a run time of the compiler's own was linked"
	record "$name" "./$name" 3
	exits "$name" 0
	[ ! -s "$name.err" ] || fail "$(cat "$name.err")"
	counts_agree "$name"
	[ -n "$(value "$name" main total_ns)" ] || fail "not timed: $(cat "$name.csv")"
	whole "$name"
}

each()
{
	local compiler=$1 source=$2 flags every as_written="-fno-inline -fno-optimize-sibling-calls"
	case $compiler in
	g*) as_written="$as_written -fno-ipa-cp -fno-ipa-sra" ;;
	esac
	strict=-Werror
	"$compiler" $strict -x c -c /dev/null -o /dev/null || strict= # Clang 22 warns of each program where one GCC of several has no libstdc++
	flags=$("$DWELL" cflags "$compiler")
	every=$("$DWELL" cflags --every "$compiler")
	echo "# $compiler: $flags" >&3
	case "$(uname -m) $flags" in
	"x86_64 -B"*" -specs="* | "x86_64 -fxray-instrument"*) ;;
	x86_64*) fail "no patched sites: $flags" ;;
	esac
	# shellcheck disable=SC2086
	for level in -O2 -O0; do
		compiles once.o "$compiler" "$source" $level $as_written $flags
		recorded "$compiler$level" "$compiler" once.o without
		[ $level = -O0 ] || recorded "$compiler$level-linked" "$compiler" once.o with $level $as_written $flags # a linker knows no levels
		compiles every.o "$compiler" "$source" $level $as_written $every
		recorded "$compiler$level-every" "$compiler" every.o with $level $as_written $every
	done
}

exec 3>&1
for compiler in $(compgen -c | grep -xE '(gcc|g\+\+|clang|clang\+\+)-[0-9]+' | sort -uV); do
	case $compiler in
	*++*) test_that "$compiler" each "$compiler" unwinds/throw.cc ;;
	*) test_that "$compiler" each "$compiler" calls/basic.c ;;
	esac
done
[ $tests -gt 0 ] || skip "other versions of compilers" "none is installed"
done_testing
