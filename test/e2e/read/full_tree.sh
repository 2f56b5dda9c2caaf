#!/bin/bash
# A program with more paths than memory has room for, against what its generator counted.
# Takes long, a million paths.
. "$(dirname "$0")/../lib.sh"
export PATH=$BUILD:$PATH

# More than a million paths; of so much address space the tree has 400,000.
tracegen --program "$DWELL" --functions 400 --depth 40 --threads 2 --events 3000000 --seed 3 --pack --truth truth --pairs pairs -o full.dwell

# limited COMMAND ...: with that much
limited()
{
	(ulimit -v 300000 && "$@")
}

# What a file lacks is said on standard error and in the file, and is what (other) has in it.
says()
{
	local format said
		for format in folded speedscope pprof; do
		limited dwell export --to $format -o full.$format full.dwell 2> err || [ $? = 1 ]
		said=$(grep -o '[0-9,]* calls are on paths .* (together .*)' err) || fail "$format: $(cat err)"
		{ zcat -f full.$format | grep -qaF "$said"; } || fail "$format does not say: $said"
	done
	awk '/^#/ { next } { n = $NF; sub(/ [0-9]*$/, ""); if (/;\(other\)$/) others += n; all += n } END { printf "%.0f\n%.0f\n", others, all }' \
		full.folded > sums
	set -- $(cat sums)
	awk -v others=$1 -v "said=${said##*together }" 'BEGIN { exit !(said ~ / s\)$/ && said * 1e9 / others > .99 && said * 1e9 / others < 1.01) }' ||
		fail "(other) has $1 ns: $said"
	[ "$2" = "$(awk -F, 'NR > 1 { n += $4 } END { printf "%.0f\n", n }' truth)" ] || fail "all self times: $2"
	# The line is none of its paths.
	dwell report full.folded > back 2> err
	[ ! -s err ] || fail "$(cat err)"
}

# Functions, and who called whom, need no path.
is_exact()
{
	local jobs name side
	for jobs in 1 2; do
		limited dwell report --csv --jobs $jobs full.dwell > report
		columns report function calls total_ns self_ns | tr '\t' , | LC_ALL=C sort | diff <(tail -n +2 truth | LC_ALL=C sort) - ||
			fail "report --jobs $jobs (< generated, > reported)"
		# Some functions: of the first the generator made thousands of calls, of others few.
		tail -n +2 truth | cut -d, -f1 | awk 'NR % 40 == 1' | while read -r name; do
			limited dwell callers --csv --jobs $jobs "$name" full.dwell > rows 2> err
			[ ! -s err ] || fail "$(cat err)"
			columns rows function calls total_ns self_ns | awk -F '\t' -v name="$name" '{ print $1 "," name "," $2 "," $3 "," $4 }'
			limited dwell callees --csv --jobs $jobs "$name" full.dwell > rows 2> err
			[ ! -s err ] || fail "$(cat err)"
			columns rows function calls total_ns self_ns | awk -F '\t' -v name="$name" '$1 != "(itself)" { print name "," $1 "," $2 "," $3 "," $4 }'
		done | LC_ALL=C sort -u > got
		awk -F, 'NR == FNR { if (FNR % 40 == 2) asked[$1]; next } FNR > 1 && ($1 in asked || $2 in asked)' truth pairs | LC_ALL=C sort | diff - got ||
			fail "callers and callees --jobs $jobs (< generated, > reported)"
	done
	[ "$(wc -l < got)" -gt 50 ] || fail "$(cat got)"
}

exports_are_exact()
{
	command -v python3 > /dev/null || { echo "no python3"; return; }
	limited dwell export --to callgrind -o callgrind.out full.dwell 2> err
	limited dwell export --to gmon -o gmon.out full.dwell 2>> err
	[ ! -s err ] || fail "$(cat err)"
	python3 "$ROOT/test/e2e/read/pairs.py" callgrind callgrind.out | LC_ALL=C sort > got
	{ awk -F, 'NR > 1 && $1 != "(outermost)" { print $1 "," $2 "," $3 "," $4 }' pairs; awk -F, 'NR > 1 { print "(self)," $1 ",," $4 }' truth; } |
		LC_ALL=C sort | diff - got || fail "callgrind (< generated, > exported)"
	python3 "$ROOT/test/e2e/read/pairs.py" gmon gmon.out "$DWELL" | LC_ALL=C sort > got
	awk -F, 'NR > 1 && $1 != "(outermost)" { print $1 "," $2 "," $3 }' pairs | LC_ALL=C sort | diff - got ||
		fail "gmon (< generated, > exported)"
	[ "$(wc -l < got)" -gt 2000 ] || fail "$(wc -l got)"
}

# A mark stands beside what depends on paths: of several functions, one may run inside of another.
marks()
{
	local name
	name=$(sed -n 2p truth | cut -d, -f1)
	limited dwell callers "$name" full.dwell > text
	! grep '~' text || fail "$(cat text)"
	limited dwell callers "${name%?}*" full.dwell > text 2> err || [ $? = 1 ]
	grep -q '~.*~.*~' text || fail "$(cat text)"
	grep -q 'on paths that the tree has no room for' err || fail "$(cat err)"
}

# A file that has everything says nothing.
is_silent()
{
	tracegen --program "$DWELL" --events 1000 -o small.dwell
	dwell export --to folded -o small.folded small.dwell
	! grep '^#' small.folded || fail "$(cat small.folded)"
}

test_that "report, callers and callees are exact" is_exact
test_that "callgrind and gmon are exact" exports_are_exact
test_that "marks stand beside what depends on paths" marks
test_that "an export says what it lacks" says
test_that "and nothing where it lacks nothing" is_silent
done_testing
