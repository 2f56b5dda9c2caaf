#!/bin/bash
# What the agent does in the program's threads is recording, and no function's own. The CPU time that the program takes alone
# and what the report calls recording are what it takes while it is recorded.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP --trace is for x86-64 alone"; exit; }

took() { sed -n 's/^took //p' "$1"; }
inside() { sed -n 's/^inside //p' "$1"; }
# adds_up NAME FUNCTION OPTIONS HOW ARGUMENTS: five times alone and recorded, in turn. In the middle one the CPU time of all functions is, by
# the report, that inside of the program's functions alone, and with what the report calls recording that of the recorded program. Recording is by the clock: who is
# preempted in it has more of it, so a single thread is not (single).
adds_up()
{
	local name=$1 function=$2 options=$3 under=${single-} functions n
	shift 3
	rm -f rounds
	for n in 1 2 3 4 5; do
		$under ./own_time "$@" > alone.out
		RECORD_OPTIONS=$options record "$name" ./own_time "$@"
		exits "$name" 0
		whole "$name"
		report_csv "$name"
		functions=$(columns "$name.csv" self_cpu_ns | awk '{ sum += $1 } END { printf "%d", sum }')
		echo "$functions $(took alone.out) $(took "$name.out") $(awk -F '[:,]' '/"recording_ns"/ { sum += $2 } END { printf "%d", sum }' "$name.json") $(inside alone.out)" >> rounds
	done
	# shellcheck disable=SC2046
	set -- $(sort -g <(awk '{ print $1 / $5, $0 }' rounds) | sed -n 3p)
	echo "functions $2 ns, alone $3 ns, $6 of these inside, recorded $4 ns, recording $5 ns; in the last $function $(value "$name" "$function" self_cpu_ns) ns"
	between 60 "$((100 * $2 / $6))" 160 "percent of the CPU time inside of functions alone are in functions"
	alone_and_recording=$((100 * ($3 + $5) / $4))
}
# Where nothing but recording is added: the kernel ends a thread's memory, too, when no function runs any more.
with_recording()
{
	between 75 "$alone_and_recording" 130 "percent of what the recorded program took are CPU time alone and recording"
}
jumps()
{
	single=$alone adds_up jump thrower --trace jump 10000
	with_recording
	between 0 "$(value jump thrower self_cpu_ns)" "$(($(value jump worker self_cpu_ns) / 100))" "CPU time of thrower, where worker takes all but all"
}
throws()
{
	single=$alone adds_up throw throws --trace throw 3000
	with_recording
}
threads() { adds_up thread start --trace thread 500; }
opens()
{
	compile library.so plugin.c -shared -fPIC -DNAME=library
	adds_up open open_library "--trace --only module:own_time --only module:library.so" open 200 ./library.so
}
# Functions of libc that the agent itself calls are not the program's.
no_calls_of_the_agent()
{
	RECORD_OPTIONS="--trace --only module:own_time --only module:libc.so*" record libc ./own_time open 5 ./library.so
	exits libc 0
	report_csv libc
	[ "$(value libc open_library calls)" = 5 ] || fail "$(columns libc.csv function calls)"
	# Two for each change that the loader tells of, if they were.
	[ "$(columns libc.csv function | grep -cx -e dl_iterate_phdr -e __register_atfork)" = 0 ] || fail "$(columns libc.csv function calls)"
}
HOOKS='-O2' compile own_time own_time.cc -ldl || exit
test_that "longjmp" jumps
test_that "exceptions" throws
test_that "threads that start" threads
test_that "libraries that are opened" opens
test_that "libc's functions that the agent calls" no_calls_of_the_agent
done_testing
