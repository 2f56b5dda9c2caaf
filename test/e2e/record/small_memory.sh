#!/bin/bash
# In a container with little memory, which a cgroup is: nobody is killed for want of it, by dwell's defaults, and what is lost is counted.
. "$(dirname "$0")/../lib.sh"

# A cgroup of our own with a limit, of version 2 or 1, where we may make one.
group=/sys/fs/cgroup/dwell-e2e.$$ limit=memory.max
if ! grep -qsw memory /sys/fs/cgroup/cgroup.subtree_control; then
	group=/sys/fs/cgroup/memory/dwell-e2e.$$ limit=memory.limit_in_bytes
fi
if ! mkdir "$group" 2> /dev/null || [ ! -w "$group/$limit" ]; then
	rmdir "$group" 2> /dev/null
	skip "little memory" "no cgroup with a limit of memory can be made here"
	done_testing
	exit
fi
trap 'rmdir "$group"; leave_work' EXIT

# within SIZE COMMAND ...
within()
{
	echo "$1" > "$group/$limit"
	shift
	(
		echo $BASHPID > "$group/cgroup.procs"
		exec timeout 100 "$@"
	)
}

compile many fibs.c -fno-optimize-sibling-calls -fno-ipa-cp
HOOKS=' ' compile plain fibs.c -fno-optimize-sibling-calls -fno-ipa-cp
./plain 28 8 > expected

# survives SIZE PROGRAM OPTIONS ...: the program's result, and what was recorded and lost, make up all calls.
survives()
{
	local size=$1 program=$2
	shift 2
	within "$size" "$DWELL" record "$@" -o many.dwell -- "$program" 28 8 > out 2> err || fail "status $?" "$(cat err)"
	cmp out expected || fail "another result"
	within "$size" "$DWELL" report --csv many.dwell > report.csv 2> report.err || [ $? = 1 ] || fail "report:" "$(cat report.err)"
	within "$size" "$DWELL" tree many.dwell > tree.txt 2>> report.err || [ $? = 1 ] || fail "tree:" "$(cat report.err)"
}
# Eight threads whose rings were 32 MiB each.
whole_in()
{
	survives "$@"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $at["function"] == "fib" { calls = $at["calls"] }
		END { print calls, "calls"; exit calls != 8 * 1028457 }' report.csv
	[ ! -s report.err ] || fail "$(cat report.err)"
}
# What is usual for a machine is too much of memory or of threads here.
rings_in()
{
	survives "$1" ./many --ring
	! grep -E "not recorded|no room" err || fail "too few rings"
}
for size in 48M 64M 128M 256M; do
	test_that "$size" whole_in $size ./many
done
test_that "a program as it is" whole_in 48M ./plain --trace
test_that "rings, one for each thread" rings_in 48M
done_testing
