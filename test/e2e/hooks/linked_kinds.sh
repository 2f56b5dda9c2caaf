#!/bin/bash
# What is interposed where the agent is preloaded, and has to be seen where it is linked, too: longjmp, catches, coroutines, vfork; with
# each kind of hooks, in a static program, a static one that is position-independent, and a dynamic one.
# Takes long, each kind of program is linked in each way.
. "$(dirname "$0")/../lib.sh"

as_written="-fno-inline -fno-optimize-sibling-calls"
as_named="-fno-ipa-cp -fno-ipa-sra"
x86_64=$([ "$(uname -m)" = x86_64 ] && echo yes)

# build PROGRAM SOURCE HOW: HOW is static, static-pie or dynamic; dynamic goes without what the linker is told. PROGRAM ends in -HOW: the
# source is compiled once for all three, as none of them is another flag for the compiler.
build()
{
	local object=${1%-"$3"}.o
	[ -e "$object" ] || compile "$object" "$2" $as_written -c
	case $3 in
	dynamic) link "$1" "$object" "$BUILD/libdwell.a" -Wl,-u,dwell_start ;;
	*) link "$1" "$object" $cflags_link "-$3" ;;
	esac
}
# link PROGRAM OBJECT FLAGS: with the hooks' flags, as all of it is compiled and linked by one command else
link()
{
	local program=$1 compiler=$CC
	[[ $2 != *-throw.o ]] || compiler=$CXX
	shift
	$compiler -O2 $HOOKS -pthread "$@" -o "$program" > link.log 2>&1 || fail "$(cat link.log)"
}
# No other agent is in it than its own.
alone="env -u LD_PRELOAD"
turns=30

jumps()
{
	local name=$1-jump-$2
	build "$name" jump.c "$2"
	unwinds "$name.few" "catcher main" 4 $alone "./$name" longjmp $turns
	only_called_by "$name.few" middle catcher
	unwinds "$name.signal" "catcher main" 5 $alone "./$name" signal $turns
	only_called_by "$name.signal" catcher main
	unwinds "$name.same" "catch_many main" 4 $alone "./$name" same $turns
	only_called_by "$name.same" middle catch_many
}
# more: frames of a destructor that runs while an exception is on its way, which is seen as called by who threw where compilers call hooks in
# cleanups, if at all, and Clang's have none there. Where they do not, the cleanup is a landing.
throws()
{
	local name=$1-throw-$2 more=$3
	build "$name" throw.cc "$2"
	unwinds "$name.few" "catcher main" $((4 + more)) $alone "./$name" $turns
	only_called_by "$name.few" middle catcher
	unwinds "$name.same" "catch_many main" $((4 + more)) $alone "./$name" $turns same
	unwinds "$name.rethrow" "passer catcher main" $((5 + more)) $alone "./$name" $turns rethrow
}
# Counts, and that no coroutine's call is another's: those that are left open begin anew.
coroutines()
{
	local name=$1-coroutines-$2 how
	build "$name" coroutines.c "$2"
	for how in contexts ended jumps; do
		record "$name.$how" $alone "./$name" $how 20
		exits "$name.$how" 0
		counts_agree "$name.$how"
		only_called_by "$name.$how" suspended inner
		only_called_by "$name.$how" inner work
		whole "$name.$how"
	done
}
vforks()
{
	local name=$1-kinds-$2
	build "$name" kinds.c "$2"
	record "$name.vfork" $alone "./$name" vfork
	exits "$name.vfork" 0
	counts_agree "$name.vfork"
	only_called_by "$name.vfork" after one_vfork
	deepest "$name.vfork" 3
	whole "$name.vfork"
	record "$name.jumps" $alone "./$name" jumps
	exits "$name.jumps" 0
	only_called_by "$name.jumps" after land
	deepest "$name.jumps" 4
}
renames()
{
	local name=$1-kinds-$2
	record "$name.named" $alone "./$name" named
	exits "$name.named" 0
	"$DWELL" report --csv --thread "late name" "$name.named.dwell" > "$name.named.csv"
	[ "$(value "$name.named" leaf calls)" = 2 ] || fail "$(cat "$name.named.csv")"
}
# Preloaded besides: the linked one alone joins, and sees as much.
besides()
{
	local name=$1-besides options
	compile "$name" jump.c $as_written $cflags_link
	for options in "" --ring=1M; do
		RECORD_OPTIONS=$options unwinds "$name.run" "catcher main" 4 "./$name" longjmp $turns
		only_called_by "$name.run" middle catcher
		"$DWELL" info --json "$name.run.dwell" > "$name.json"
		[ "$(grep -c '"pid":' "$name.json")" = 1 ] || fail "$(cat "$name.json")"
		"$DWELL" report "$name.run.dwell" | head -1 | grep -q "(exec)" && fail "became another program: $("$DWELL" info "$name.run.dwell")"
		"$DWELL" info "$name.run.dwell" | grep -q "^hooks  *$2\$" || fail "hooks: $("$DWELL" info "$name.run.dwell")"
	done
}
# Hooks at entries alone: counted, wherever an unwind lands.
counted()
{
	local name=$1-counted-$2
	build "$name" jump.c "$2"
	record "$name" $alone "./$name" signal $turns
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
}

# It does not know of what it cannot see, but that it is there.
unseen()
{
	HOOKS=-finstrument-functions compile unseen jump.c "$BUILD/libdwell.a" -static
	record unseen ./unseen longjmp 3
	[ "$(cat unseen.status)" = 0 ] || fail "status $(cat unseen.status)"
	grep -q 'dwell cannot see .* calls of longjmp, catches or vfork.*dwell cflags --link' unseen.err || fail "record said nothing:" "$(cat unseen.err)"
	"$DWELL" report unseen.dwell > unseen.report 2> unseen.report.err && fail "report finds nothing wrong"
	grep -q '^  2 places in the program leave functions unseen (longjmp, catch, vfork)' unseen.report || fail "$(cat unseen.report)"
	grep -q '2 places in the program leave functions unseen (longjmp, catch, vfork)' unseen.report.err || fail "$(cat unseen.report.err)"
	"$DWELL" info --json unseen.dwell 2> /dev/null | grep -q '"unseen_unwinds": 2' || fail "$("$DWELL" info --json unseen.dwell)"
	RECORD_OPTIONS=--ring=64K record unseen ./unseen longjmp 3
	"$DWELL" info --json unseen.dwell 2> /dev/null | grep -q '"unseen_unwinds": 2' || fail "$("$DWELL" info --json unseen.dwell)"
	# Nor says so of a program that has none of it.
	HOOKS=-finstrument-functions compile none basic.c "$BUILD/libdwell.a" -static
	record none ./none 3
	exits none 0
}

lto()
{
	build lto-static jump.c static
	unwinds lto.few "catcher main" 4 ./lto-static longjmp $turns
}

each()
{
	local how
	for how in static $([ $CC = clang ] || echo static-pie) dynamic; do
		test_that "$1, $how: longjmp" jumps "$1" $how
		test_that "$1, $how: exceptions" throws "$1" $how $2
		[ -n "$x86_64" ] || continue
		test_that "$1, $how: coroutines" coroutines "$1" $how
		test_that "$1, $how: vfork, and every kind of longjmp" vforks "$1" $how
		test_that "$1, $how: a thread that renames itself" renames "$1" $how
	done
}
for CC in gcc clang; do
	command -v $CC > /dev/null || { skip "$CC" "not installed"; continue; }
	[ $CC = gcc ] && CXX=g++ || CXX=clang++
	cflags_link=$("$DWELL" cflags --link $CC)
	# Clang has no exit hooks in the cleanup of an exception.
	HOOKS="-finstrument-functions" each $CC-cyg $([ $CC = clang ] && echo 1 || echo 0)
	[ -n "$x86_64" ] || continue
	[ $CC = gcc ] || as_named=
	if [ $CC = gcc ]; then
		HOOKS="-pg -mfentry -minstrument-return=nop5 $as_named" each gcc-sites 0
	else
		HOOKS="$("$DWELL" cflags clang) -Wno-unused-command-line-argument" each clang-xray 0
	fi
	for how in static static-pie dynamic; do
		HOOKS="-fpatchable-function-entry=5 $as_named" test_that "$CC entries alone, $how" counted $CC-5 $how
	done
done
CC=gcc CXX=g++ cflags_link=$("$DWELL" cflags --link gcc)
HOOKS=-finstrument-functions test_that "preloaded besides, gcc" besides cyg -finstrument-functions
[ -z "$x86_64" ] || HOOKS="-pg -mfentry -minstrument-return=nop5" test_that "preloaded besides, gcc, patched sites" \
	besides sites "-mfentry -minstrument-return"
HOOKS="-D_FORTIFY_SOURCE=2 -finstrument-functions" test_that "fortified, static" vforks fortified static
HOOKS="-flto -finstrument-functions" test_that "gcc -flto, static" lto
test_that "what is not seen is said" unseen
done_testing
