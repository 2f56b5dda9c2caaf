#!/bin/bash
# attach --trace to a server that answers meanwhile, again and again: no request fails, no answer changes, and nothing of it stays behind.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
ROUNDS=${ROUNDS:-12}
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/answers.c" -o answers || exit

# Pages of code, as they are in memory: of the program, the loader and the C library.
code()
{
	local range rest
	grep -E ' r-xp .*/(answers|redis-[a-z-]*|ld-linux[^/]*|libc\.so\.6)$' "/proc/$1/maps" | while read -r range rest; do
		dd if="/proc/$1/mem" bs=4096 skip=$((0x${range%-*} / 4096)) count=$(((0x${range#*-} - 0x${range%-*}) / 4096)) 2> /dev/null
	done | sha256sum
}
mappings()
{
	wc -l < "/proc/$1/maps"
}
open_files()
{
	find "/proc/$1/fd" -type l 2> /dev/null | wc -l
}
resident()
{
	sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status"
}
# rounds PID [OPTIONS]: what it has when the third round is over it has at the end, but for what the allocator makes of new threads.
rounds()
{
	local pid=$1 before maps files kilobytes round
	shift
	before=$(code "$pid")
	for round in $(seq "$ROUNDS"); do
		"$DWELL" attach --trace --for 300ms "$@" -o round.dwell "$pid" 2> round.err || fail "round $round" "$(cat round.err)"
		[ "$(code "$pid")" = "$before" ] || fail "round $round: its code is not as it was"
		! grep -q 'memfd:dwell' "/proc/$pid/maps" || fail "round $round: memory of the session stays" "$(cat "/proc/$pid/maps")"
		[ "$round" != 3 ] || { maps=$(mappings "$pid") files=$(open_files "$pid") kilobytes=$(resident "$pid"); }
	done
	echo "$maps mappings, $files files, $kilobytes kB; now $(mappings "$pid"), $(open_files "$pid"), $(resident "$pid")"
	# Those of threads that are there now and were not: a stack and a heap each.
	[ "$(mappings "$pid")" -le $((maps + 12)) ] && [ "$(open_files "$pid")" -le $((files + 4)) ] &&
		[ "$(resident "$pid")" -le $((kilobytes + 1000)) ]
}

own_server()
{
	./answers serve > port &
	local server=$! asker
	comes '^[0-9]' port
	./answers ask "$(cat port)" > asked 2> asked.count &
	asker=$!
	rounds $server "$@"
	[ -s round.dwell ] || fail "the last round recorded nothing"
	kill $asker
	wait $asker
	kill $server
	wait $server || fail "the server ended with status $?"
	[ "$(cat asked)" = "right some wrong 0 failed 0" ] || fail "$(cat asked)"
}
test_that "a server whose threads come and go" own_server
ROUNDS=5
test_that "the same with a filter" own_server --only 'work'

redis()
{
	local server asker
	# redis-tools has the server by another name
	(exec -a redis-server redis-check-rdb --port 0 --unixsocket "$work/redis" --save "" --io-threads 3 --io-threads-do-reads yes) > redis.log 2>&1 &
	server=$!
	comes 'eady to accept' redis.log
	redis-benchmark -s "$work/redis" -c 8 -n 100000000 -t set,get -q > bench.log 2>&1 &
	asker=$!
	rounds $server
	kill $asker
	wait $asker || true
	[ "$(redis-cli -s "$work/redis" ping)" = PONG ] || fail "it does not answer"
	! grep -iE 'error|refused|closed' bench.log || fail "$(tail -3 bench.log)"
	kill $server
	wait $server || fail "status $?"
}
if command -v redis-check-rdb > /dev/null && command -v redis-benchmark > /dev/null; then
	test_that "redis" redis
else
	skip "redis" "not installed"
fi
done_testing
