#!/bin/bash
# Takes long, so test/run begins with it.
# Another CPU, in an emulator: the agent for AArch64, where the claim comes before the store (no restartable sequences). record
# itself stays what it is: the rings look the same from both sides.
. "$(dirname "$0")/../lib.sh"

CC=aarch64-linux-gnu-gcc
if ! command -v $CC > /dev/null || ! command -v qemu-aarch64 > /dev/null; then
	echo "1..0 # SKIP no compiler or no emulator for AArch64"
	exit
fi
agent=$BUILD/aarch64
# Forks of an emulator copy all that it knows of its pages.
RECORD_SECONDS=900
if ! make -s -C "$ROOT" agent CC=$CC BUILD="$agent" AGENT_CFLAGS='-O2 -g' > make.log 2>&1; then
	echo "not ok 1 - the agent builds"
	sed 's/^/# /' make.log
	echo 1..1
	exit 1
fi

# emulate NAME PROGRAM ARGUMENTS: with the agent of that CPU instead of the one that record gives it
emulate()
{
	local name=$1
	shift
	record "$name" qemu-aarch64 -L /usr/aarch64-linux-gnu -U LD_PRELOAD -E LD_PRELOAD="$agent/libdwell.so" "$@"
}
# agrees NAME STATUS SOURCE ARGUMENTS
agrees()
{
	local name=$1 status=$2 source=$3
	shift 3
	compile "$name" "$source"
	emulate "$name" "./$name" "$@"
	exits "$name" "$status"
	counts_agree "$name"
	whole "$name"
}
# The emulator loads other programs at a multiple of 4 GiB, where places of the first page look like tags.
fixed()
{
	compile fixed basic.c
	emulate fixed ./fixed 3
	exits fixed 0
	counts_agree fixed
	whole fixed
}
threads()
{
	agrees threads 0 threads.c
	thread_counts_agree threads
}
jumps()
{
	agrees jump 0 jump.c longjmp 3000
	only_called_by jump after "catcher main"
	deepest jump 4
	agrees same 0 jump.c same 3000
	only_called_by same after "catch_many main"
	agrees signal 0 jump.c signal 1000
	only_called_by signal after "catcher main"
}
libraries()
{
	compile alpha.so plugin.c -shared -fPIC -DNAME=alpha
	compile beta.so plugin.c -shared -fPIC -DNAME=beta
	compile opens opens.c -ldl
	emulate opens ./opens ./alpha.so ./beta.so 1000
	exits opens 0
	report_csv opens
	for step in alpha:3000 beta:6000; do
		columns opens.csv function calls | grep -q "^step (${step%:*}\.so+0x[0-9a-f]*)	${step#*:}$" || fail "step of $step" "$(cat opens.csv)"
	done
	whole opens
}
clock()
{
	local within without
	agrees sleeps 0 sleeps.c
	within=$(sed -n 's/^ns within //p' sleeps.out) without=$(sed -n 's/^ns without //p' sleeps.out)
	between $((within - within / 50)) "$(value sleeps outer total_ns)" $((without + without / 50)) "total of outer"
}
killed()
{
	compile ends ends.c
	emulate kill ./ends kill
	exits kill 137
	counts_agree kill
	emulate exit ./ends _exit
	exits exit 8
	counts_agree exit
}
# Calls that were recorded and calls that were counted are all that there were, here and in a child. What is found, and when, depends on
# time: of a program that runs for longer and longer, something is.
throttled()
{
	local turns
	compile throttled throttled.c
	for turns in 30 300 3000; do
		RECORD_OPTIONS=--throttle=0.01 emulate throttled ./throttled $turns 1 1
		exits throttled 0
		report_csv throttled
		"$DWELL" info --csv throttled.dwell | awk -F , '
			$1 == "throttled" { value[$3] = $4 }
			$1 == "throttled" && $3 == "saved_ns" { print value["function"] "\t" value["calls"] }' > counted
		sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' throttled.out |
			awk -F '\t' '{ calls[$1] += $2 } END { for (name in calls) print name "\t" calls[name] }' | LC_ALL=C sort > want
		columns throttled.csv function calls | awk -F '\t' '
			FILENAME != "-" { all[$1] = $2; print; next }
			!($1 in all)' counted - | LC_ALL=C sort > got
		diff want got || fail "(< counted by the program, > recorded or counted)"
		whole throttled
		! grep -q "^leaf	" counted || return 0
	done
	fail "leaf was never found:" "$("$DWELL" report throttled.dwell)" "$("$DWELL" info throttled.dwell | grep overhead)"
}
recorded_there()
{
	"$DWELL" info --json basic.dwell | grep -q '"machine": "AArch64"' || fail "$("$DWELL" info basic.dwell | head -20)"
}

test_that "plain calls" agrees basic 0 basic.c 3
test_that "at fixed addresses" fixed
test_that "the trace says where it is from" recorded_there
test_that "threads" threads
# As the agent asks where each one's stack is, the emulator makes up a list of all mappings, page by page: 0.2 s for each thread.
test_that "short threads" agrees short 0 short_threads.c 40
test_that "longjmp" jumps
test_that "a storm of signals" agrees storm 0 storm.c 500 1000
test_that "libraries that are opened and closed" libraries
test_that "known durations" clock
test_that "SIGKILL, _exit" killed
test_that "what is short and called often is counted" throttled
test_that "fork" agrees forks 0 forks.c fork
done_testing
