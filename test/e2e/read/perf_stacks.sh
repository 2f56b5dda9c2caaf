#!/bin/bash
# The callers in the copies of stacks that perf record --call-graph dwarf makes: those that perf script prints of the same file.
. "$(dirname "$0")/../lib.sh"

# Programs without frame pointers: paths are in unwind tables alone.
cat > paths.c <<'C'
volatile unsigned long sink;
__attribute__((noinline)) void burn(unsigned long rounds) { for (unsigned long i = 0; i < rounds; i++) sink += i; }
__attribute__((noinline)) void left(unsigned long rounds) { burn(rounds); sink++; }
__attribute__((noinline)) void right(unsigned long rounds) { burn(2 * rounds); sink++; }
__attribute__((noinline)) int deeper(int depth, unsigned long rounds)
{
	if (depth)
		depth = deeper(depth - 1, rounds) + 1;
	else
		burn(rounds);
	sink++;
	return depth;
}
int main(void)
{
	for (int i = 0; i < 20; i++) {
		left(2000000);
		right(2000000);
		deeper(30, 2000000);
	}
	return (int)sink & 1;
}
C

# stacks_of_perf FILE: folded stacks, by functions without their arguments and versions. Inlined functions are not asked for.
stacks_of_perf()
{
	perf script --no-inline -i "$1" 2> /dev/null | awk '
	/^[^\t ]/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+$/ && $(i + 1) ~ /^cpu-clock/) period = $i; path = ""; next }
	NF { sub(/^[ \t]*[0-9a-f]+ /, ""); sub(/ \([^()]*\)$/, ""); sub(/\+0x[0-9a-f]+$/, ""); path = path == "" ? $0 : $0 ";" path; next }
	path != "" { print path " " period; path = "" }
	END { if (path != "") print path " " period }'
}

# inclusive < STACKS: for each function the share of the weight, in %, in stacks that have it.
inclusive()
{
	sed -E 's/@+[A-Za-z_0-9.]+//g; s/\([^;]*\)( const)?(\[[^];]*\])?//g' | awk '
	{
		weight = $NF
		sub(/ [^ ]*$/, "")
		n = split($0, frames, ";")
		all += weight
		split("", seen)
		for (i = 1; i <= n; i++)
			if (!seen[frames[i]]++)
				sum[frames[i]] += weight
	}
	END { for (name in sum) printf "%s\t%.2f\n", name, 100 * sum[name] / all }' | LC_ALL=C sort
}

# compare FILE FUNCTIONS…: these functions have the share that perf finds, or a larger one, as a path has that perf does not see to its end.
compare()
{
	local file=$1
	shift
	stacks_of_perf "$file" > perf.folded
	dwell export --to folded -o dwell.folded "$file" 2> err || [ $? = 1 ] || fail "$(cat err)"
	inclusive < perf.folded > want
	inclusive < dwell.folded > got
	printf '%s\n' "$@" | awk -F '\t' '
		part == 1 { want[$1] = $2; next }
		part == 2 { got[$1] = $2; next }
		want[$1] > 0 { found++; if (got[$1] < want[$1] - 1) { print $1 ": perf " want[$1] " %, dwell " got[$1] + 0 " %"; bad = 1 } }
		END { exit bad || !found }' part=1 want part=2 got part=3 - > said || fail "$file: shares" "$(cat said; head -40 want got)"
}

known_paths()
{
	gcc -O2 -fomit-frame-pointer -fno-optimize-sibling-calls paths.c -o paths
	perf record -q -e cpu-clock --call-graph dwarf -o paths.data ./paths > /dev/null 2> perf.err
	compare paths.data _start main left right deeper burn
	grep -q '^_start;.*;main;\(deeper;\)\{31\}burn' dwell.folded || fail "a path of 31 calls" "$(cat dwell.folded)"
	! grep -q ';main;burn' dwell.folded || fail "a caller is missing"
	awk -F '\t' '{ share[$1] = $2 } END { exit !(share["right"] > 40 && share["right"] < 60 && share["left"] > 15 && share["main"] > 90) }' got ||
		fail "shares" "$(cat got)"
	dwell report paths.data > report.txt
	grep -Eq '^callers: (9[0-9]|100)\.[0-9] % complete' report.txt || fail "callers" "$(head -6 report.txt)"
	# Packed, and as perf writes into a pipe.
	for way in "-z -o other.data" "-o -"; do
		perf record -q -e cpu-clock --call-graph dwarf $way ./paths > streamed.data 2> perf.err
		[ -e other.data ] && mv other.data streamed.data
		[ -s streamed.data ] || continue
		dwell export --to folded -o other.folded streamed.data 2> err || [ $? = 1 ] || fail "$(cat err)"
		grep -q '^_start;.*;main;\(deeper;\)\{31\}burn' other.folded || fail "$way" "$(cat err perf.err; head -20 other.folded)"
	done
}

# A large program of others: its functions with the largest shares.
compiler()
{
	{
		echo 'int sink;'
		for i in {1..150}; do
			echo "int f$i(int a, int b) { for (int i = 0; i < a; i++) { b = b * a + $i; if (b & 64) b ^= a << 3; } return b; }"
		done
	} > large.c
	perf record -q -e cpu-clock -F 1000 --call-graph dwarf,32768 -o cc1.data "$cc1" -quiet -O2 large.c -o /dev/null > /dev/null 2> perf.err
	# dwell does not name the kernel's functions, and of two names in a library for one function it may take the other.
	perf script --no-inline -i cc1.data 2> /dev/null | grep '/cc1)$' | awk '{ print $2 }' | sed -E 's/\(.*//; s/\+0x.*//' |
		grep '^[a-z_]*$' | LC_ALL=C sort -u > own
	readarray -t functions < own
	[ ${#functions[@]} -ge 20 ] || fail "perf saw nothing" "$(cat perf.err)"
	compare cc1.data _start main "${functions[@]}"
}

# A program that was built again: its stacks end there, unless perf kept the recorded build.
other_build()
{
	export HOME=$PWD/home
	mkdir -p home
	gcc -O2 -fno-optimize-sibling-calls -Wl,--build-id paths.c -o again
	perf record -q -e cpu-clock --call-graph dwarf -o again.data ./again > /dev/null 2> perf.err
	perf buildid-list -i again.data 2> /dev/null | grep -q /again || return 0
	dwell export --to folded -o first.folded again.data 2> err || [ $? = 1 ]
	gcc -O1 -Wl,--build-id paths.c -o again
	dwell export --to folded -o kept.folded again.data 2> err || [ $? = 1 ]
	grep -q ';main;right;burn ' first.folded && cmp first.folded kept.folded || fail "the build that perf kept" "$(cat err)"
	rm -rf home/.debug
	dwell report again.data > report.txt 2> err || [ $? = 1 ]
	grep -Eq '^callers: .* (9[0-9]|100)\.[0-9] % broken' report.txt || fail "stacks that end" "$(head -6 report.txt)"
	grep -q 'again: is another build' err || fail "not said" "$(cat err)"
}

cc1=$(gcc -print-prog-name=cc1 2> /dev/null)
if ! command -v perf > /dev/null; then
	skip "perf.data: copies of stacks" "perf is not installed"
elif ! perf record -q -e cpu-clock --call-graph dwarf -o /dev/null true > /dev/null 2>&1; then
	skip "perf.data: copies of stacks" "perf is not permitted to record, or cannot copy stacks"
else
	test_that "perf.data: callers in copies of stacks are those of perf script" known_paths
	test_that "perf.data: stacks end in a file of another build" other_build
	if [ -x "$cc1" ]; then
		test_that "perf.data: callers of a large program are those of perf script" compiler
	else
		skip "perf.data: callers of a large program" "gcc has no cc1"
	fi
fi
done_testing
