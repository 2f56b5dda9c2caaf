#!/bin/bash
# Whatever the number of threads that read a trace, they say the same; and they need no more memory than one does, but for a few chunks.
# Takes long, 16 threads read millions of events, many times.
. "$(dirname "$0")/../lib.sh"
export PATH=$BUILD:$PATH

# same FILE OPTIONS OF DWELL: with one thread, and two of two, three and eight in turn; status and what goes to both outputs.
# Of a small file each chunk is a segment of its own, with any number of threads: three do.
turns=("2 3" "3 8" "8 2") turn=0
same()
{
	local file=$1 jobs some=${small:-${turns[turn++ % 3]}} status said first
	shift
	dwell "$@" --jobs 1 "$file" > out.1 2> err.1
	status=$?
	read -rd '' first < err.1
	for jobs in $some; do
		dwell "$@" --jobs $jobs "$file" > out.$jobs 2> err.$jobs
		[ $? = $status ] || fail "dwell $* --jobs $jobs $file: status, not $status"
		read -rd '' said < err.$jobs
		[ "$said" = "$first" ] || fail "dwell $* --jobs $jobs $file: diagnostics:" "$said" "and of one thread:" "$first"
		cmp out.1 out.$jobs || fail "dwell $* --jobs $jobs $file: output"
	done
	[ -s out.1 ] || [ $status -gt 0 ] || fail "dwell $* $file said nothing"
}

all_the_same()
{
	set +e # a damaged file has status 1
	local file small
	for file in "$@"; do
		small=
		[ "$(stat -c %s "$file")" -gt $((64 << 10)) ] || small=3
		same "$file" report
		same "$file" report --csv --sort function
		same "$file" report --json
		same "$file" report --folded
		same "$file" tree
		same "$file" tree --csv
		same "$file" report --thread main
		same "$file" calls --csv
		same "$file" calls --csv --limit 1500
		same "$file" calls
		same "$file" calls --json --order exit
		same "$file" calls --order exit --thread main --limit 2500
		same "$file" calls --csv --args
		same "$file" calls --csv --longer 20us
		same "$file" calls --json --function '*1*' --longer 1us --limit 900
		same "$file" calls --depth 2
	done
	[ ! -e failed ]
}
fail() { printf '%s\n' "$@"; touch failed; }

# In less memory than the file has bytes, with 3 threads and all that a process needs. The limit is one of addresses: what malloc sets
# aside for threads that ask at the same moment, 64 MiB of them, would fill it on a busy machine without being used.
in_little_memory()
{
	local file=$1 command
	shift
	[ "$(stat -c %s "$file")" -gt $((160 << 20)) ] || { echo "$file is too small to prove anything"; return 1; }
	for command in "$@"; do
		(ulimit -v $((100 << 10)) && MALLOC_ARENA_MAX=1 dwell $command --csv --jobs 3 "$file") > out 2> err || [ $? = 1 ]
		grep -v 'cannot open: No such file' err && return 1
		[ "$(wc -l < out)" -gt 50 ]
	done
}

# In too little memory: less comes out, which is said, and nothing else happens.
in_too_little()
{
	local file=$1 size status command starved=0
	shift
	for command in "$@"; do
		for size in 14 16 18 20; do
			status=0
			(ulimit -v $((size << 10)) && MALLOC_ARENA_MAX=1 exec dwell $command --csv --jobs 3 "$file") > out 2> err || status=$?
			[ $status -le 2 ] || { echo "$command in $size MiB: status $status"; return 1; }
			if grep -q 'out of memory' err; then
				starved=$((starved + 1))
				[ $status = 2 ] || { echo "$command in $size MiB: status $status"; cat err; return 1; }
			fi
		done
	done
	[ $starved -gt 0 ] || { echo "there was memory enough"; return 1; }
}

compile threads threads.c -DTURNS=2000
record threads ./threads
# 140,000 calls: more than are picked out at a time (SELECTION_CALLS_MAX). The others need only be of many chunks.
tracegen --program "$DWELL" --threads 3 --functions 40 --events 280000 --seed 3 -o some.dwell
tracegen --program "$DWELL" --threads 3 --functions 40 --events 100000 --seed 3 --pack -o packed.dwell
tracegen --program "$DWELL" --threads 1 --functions 9 --depth 5 --events 120000 --seed 4 --pack -o one.dwell
tracegen --threads 2 --functions 5 --depth 4 --events 100000 --switches 3 -o off.dwell
tracegen --zoo -o zoo.dwell
tracegen --program "$DWELL" --threads 3 --functions 40 --events 100000 --seed 3 -o few.dwell
head -c 600000 few.dwell > cut.dwell
{ head -c 400000 few.dwell; printf 'damage'; tail -c +400007 few.dwell; } > damaged.dwell
tracegen --threads 4 --functions 80 --depth 6 --events 24000000 -o large.dwell

test_that "generated traces" all_the_same some.dwell packed.dwell one.dwell off.dwell
test_that "real threads" all_the_same threads.dwell
test_that "one of everything" all_the_same zoo.dwell "$ROOT"/test/trace/good/*.dwell
test_that "damaged files" all_the_same cut.dwell damaged.dwell "$ROOT"/test/trace/bad/*.dwell
test_that "a trace larger than memory" in_little_memory large.dwell report tree "calls --longer 3ms" "calls --longer 1us --limit 100" \
	"calls --limit 1000000" "calls --order exit --limit 1000000"
test_that "a trace and too little memory" in_too_little large.dwell "calls --limit 200000"
done_testing
