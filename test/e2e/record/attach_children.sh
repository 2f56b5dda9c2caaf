#!/bin/bash
# attach --trace to a server that forks workers meanwhile: they are left as they would be without, too.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
[ -e /proc/self/task/self/children ] || [ -e "/proc/$$/task/$$/children" ] || { echo "1..0 # SKIP no children in /proc"; exit; }
export XDG_CACHE_HOME=$work/cache
gcc -O2 -Wall -Wextra "$prog/processes/workers.c" -o workers || exit

# code PID: pages of code of the program, as they are in memory.
code()
{
	local range rest
	grep -E ' r-xp .*/workers$' "/proc/$1/maps" | while read -r range rest; do
		dd if="/proc/$1/mem" bs=4096 skip=$((0x${range%-*} / 4096)) count=$(((0x${range#*-} - 0x${range%-*}) / 4096)) 2> /dev/null
	done | sha256sum
}
left_alone()
{
	local pid child before now recorded=0
	./workers > workers.out &
	pid=$!
	has_begun $pid workers
	before=$(code $pid)
	"$DWELL" attach --trace --for 400ms -o workers.dwell $pid 2> workers.err || fail "$(cat workers.err)"
	kill -USR1 $pid
	for child in $(cat "/proc/$pid/task/$pid/children"); do
		now=$(code "$child")
		[ "$now" = "$before" ] || fail "worker $child: its code is not as it was"
		! grep -q memfd:dwell "/proc/$child/maps" || fail "worker $child: memory of the session stays" "$(cat "/proc/$child/maps")"
		recorded=$((recorded + 1))
	done
	echo "$recorded workers"
	[ $recorded -gt 3 ] || fail "there were $recorded workers"
	kill $pid
	wait $pid || fail "status $?"
	[ "$(cat workers.out)" = fine ] || fail "$(cat workers.out)"
	whole workers
	report_csv workers
	[ "$(value workers step calls)" -gt 500 ] || fail "$(cat workers.csv)"
}
test_that "workers that were forked meanwhile are as they were" left_alone
done_testing
