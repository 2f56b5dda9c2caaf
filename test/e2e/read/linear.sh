#!/bin/bash
# Eight times as much input takes each command some ten times as long, whatever its shape (test/shapes), where something quadratic
# takes 64. CPU time is looked at first. Where it grows more than that, as where others use the machine's caches, valgrind counts the
# instructions, which nobody disturbs. What a shape has not got (single calls of samples) is left out.
# Takes long, inputs of growing size, through each command.
. "$(dirname "$0")/../lib.sh"

MORE=8
TIMES_MAX=24 # between 8, what is linear takes, and 64; caches that are too small for much make it three times as much
INSTRUCTIONS_MAX=16 # no cache disturbs them: between 8, and what sorting adds
# Shorter ones are too short to be compared. Half the input takes what is quadratic a quarter of the time: a smaller limit finds
# as much in less input, as long as a start of dwell is not most of it.
FASTEST_MS=5
# What many commands do for each thread and module is tried with all of these; with LINEAR_ALL=1 every shape is, which takes five minutes.
# perf_forks is not: each process has the modules of those before, so that much of it is whatever modules dwell takes.
one_command=("report --csv")
commands=("${one_command[@]}" "info" "calls --csv" "html -o page.html" "export --to speedscope -o out.json")

makes "$BUILD/shapes" all

# Memory in large pages, where the system has them: a third of the time was for small ones.
export GLIBC_TUNABLES=glibc.malloc.hugetlb=1

# Milliseconds of CPU time, to ms; nothing where the command does not apply.
cpu_ms()
{
	local input=$1 status=0 user system TIMEFORMAT='%3U %3S'
	shift
	# shellcheck disable=SC2086
	{ time "$DWELL" $* "$input" > /dev/null 2> run.err || status=$?; } 2> times
	read -r user system < times
	ms=
	[ $status -gt 1 ] || ms=$((10#${user/./} + 10#${system/./}))
}

# instructions INPUT COMMAND
instructions()
{
	# shellcheck disable=SC2086
	valgrind -q --tool=callgrind --callgrind-out-file=counted "$DWELL" $2 "$1" > /dev/null 2> run.err || [ $? = 1 ]
	sed -n 's/^summary: //p' counted
}

# made SIZE COUNT: that input of $name, unless it is there
made()
{
	[ -e "$1" ] || "$BUILD/shapes" "$name" "$2" "$1"
}

# What even the shortest time allows needs no little input.
grows()
{
	local command=$1 little much
	made much $((MORE * count))
	cpu_ms much $command
	much=$ms
	echo "$command: $MORE times as much: $much ms"
	[ "${much:-0}" -gt $((TIMES_MAX * FASTEST_MS)) ] || return 0
	made little "$count"
	cpu_ms little $command
	[ "$ms" ] || return 0
	little=$((ms > FASTEST_MS ? ms : FASTEST_MS))
	echo "$command: $little ms"
	[ "$much" -gt $((TIMES_MAX * little)) ] || return 0
	command -v valgrind > /dev/null || fail "and no valgrind to count instructions"
	between 1 "$(($(instructions much "$command") / $(instructions little "$command")))" $INSTRUCTIONS_MAX "times as many instructions of $command"
}

all_grow()
{
	local name=$1 count=$2 command run=("${one_command[@]}")
	case $name in
	perf_forks) ;;
	*thread* | *process* | *module* | *task* | *exec* | *fork*) run=("${commands[@]}") ;;
	*) [ "${LINEAR_ALL-}" ] && run=("${commands[@]}") ;;
	esac
	rm -rf little much
	for command in "${run[@]}"; do
		grows "$command"
	done
}

while read -r name count; do
	test_that "$name: time grows with the input" all_grow "$name" "$count"
done < <("$BUILD/shapes" --list)
done_testing
