#!/bin/bash
# attach --trace changes a process in several stops, and the process runs between two: the changes of a function that jump to each other are
# made in the same one, and given back in the same one.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
gcc -O2 -Wall -Wextra -pthread -DROOMS=10000 "$prog/processes/rooms.c" "$prog/processes/rooms.S" -o rooms || exit

begin()
{
	./rooms > rooms.out &
	pid=$!
	has_begun $pid rooms 3
}
ends_well()
{
	kill $pid || fail "it has ended"
	wait $pid || fail "status $?"
	[ "$(cat rooms.out)" = "wrong 0" ] || fail "$(cat rooms.out)"
}
changed()
{
	local stops
	begin
	for round in 1 2 3; do
		"$DWELL" attach --trace --for 300ms -o rooms.dwell $pid 2> rooms.err || fail "round $round" "$(cat rooms.err)"
	done
	ends_well
	stops=$("$DWELL" info rooms.dwell | sed -n 's/^stops *\([0-9]*\),.*/\1/p')
	[ "$stops" -gt 5 ] || fail "$stops stops: all was changed in one"
	whole rooms
	report_csv rooms
	[ "$(columns rooms.csv function calls | grep -c '^room_')" -gt 1000 ] || fail "$(head rooms.csv)"
}
test_that "threads run while half of the functions are changed" changed

killed()
{
	local attach
	begin
	for round in $(seq 8); do
		"$DWELL" attach --trace --for 10s -o killed.dwell $pid 2> killed.err &
		attach=$!
		sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
		kill -9 $attach
		wait $attach || true
	done
	"$DWELL" attach --trace --for 300ms -o rooms.dwell $pid 2> rooms.err || fail "$(cat rooms.err)"
	ends_well
}
test_that "dwell is killed in between" killed
done_testing
