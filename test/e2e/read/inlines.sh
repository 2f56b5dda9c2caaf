#!/bin/bash
# Measures time: run once more, alone, if it fails beside others (test/run).
# Functions that the compiler put into others, in samples: with shares that are known, and by another reader of the same debug information.
# Takes long, debug information of each compiler.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS="--sample -F 2000"

# Half of the time in hot, a quarter in warm, the rest in cold, by the rounds that each makes; all below work, in it or called.
cat > parts.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#ifndef HOW
#define HOW static inline __attribute__((always_inline))
#endif
HOW unsigned spin(unsigned x, int rounds) { for (int i = 0; i < rounds; i++) { x = x * 1664525u + 1013904223u; __asm__ volatile("" : "+r"(x)); } return x; }
HOW unsigned hot(unsigned x) { return spin(x, 4000); }
HOW unsigned warm(unsigned x) { return spin(x, 2000); }
__attribute__((noinline)) unsigned cold(unsigned x) { return spin(x, 2000); }
HOW unsigned calls_cold(unsigned x) { return cold(x) + 1; }
__attribute__((noinline)) unsigned work(unsigned n) { unsigned s = 0; while (n--) { s += hot(s); s ^= warm(s); s ^= calls_cold(s); } return s; }
int main(int argc, char **argv) { printf("%u\n", work(argc > 1 ? (unsigned)atoi(argv[1]) : 100000)); return 0; }
END
mkdir old
if ! gcc -O2 -g parts.c -o parts || ! gcc -O2 -g -fno-optimize-sibling-calls '-DHOW=static __attribute__((noipa))' parts.c -o old/parts; then
	echo "Bail out! no compiler"
	exit 1
fi
record parts ./parts 60000
if grep -q "perf" parts.err; then
	skip "samples" "$(head -1 parts.err)"
	done_testing
	exit 0
fi

# total of spin is all; of what is around it, what its rounds are.
known_shares()
{
	dwell report --csv --inlines parts.dwell > inlines.csv || fail "status $?"
	cat inlines.csv
	for pair in "hot (inlined):50" "warm (inlined):25" "calls_cold (inlined):25" "cold:25" "work:100" "spin (inlined):100"; do
		read -r _ _ _ _ total <<< "$(share parts.dwell "${pair%:*}" --inlines)"
		if [ "${pair#*:}" = 100 ]; then
			between 90 "${total:-0}" 100 "total of ${pair%:*}"
		else
			near "${pair#*:}" "$total" "$(samples parts.dwell)" "total of ${pair%:*}"
		fi
	done
	read -r _ self _ <<< "$(share parts.dwell "spin (inlined)" --inlines)"
	between 90 "$self" 101 "self of spin"
	# The sum of all self times is the same with and without.
	for options in "" --inlines; do
		dwell report --csv $options parts.dwell | awk -F , 'NR > 1 { samples += $21; self += $22 } END { printf "%d %.1f\n", samples, self }'
	done > sums
	[ "$(sort -u sums | wc -l)" = 1 ] && grep -q " 100.0$" sums || fail "sums" "$(cat sums)"
	[ "$(share parts.dwell work)" ] && [ "$(share parts.dwell "hot (inlined)")" = "" ] || fail "without being asked for"
}

# The same program with real calls says the same of each path, and the interval of either holds the other.
as_if_called()
{
	record apart ./old/parts 60000
	for name in hot warm calls_cold; do
		read -r _ _ _ _ inlined <<< "$(share parts.dwell "$name (inlined)" --inlines)"
		read -r _ _ _ _ called <<< "$(share apart.dwell "$name")"
		echo "$name: $inlined % inlined, $called % called"
		# Both are of chance: their difference is as that of a share of half as many.
		near "$called" "$inlined" $((($(samples parts.dwell) < $(samples apart.dwell) ? $(samples parts.dwell) : $(samples apart.dwell)) / 2)) "$name"
	done
	dwell diff --inlines apart.dwell parts.dwell > diff.txt || fail "diff: $?" "$(cat diff.txt)"
	! grep -q 'spin (inlined)' diff.txt && grep -q ' spin$' diff.txt || fail "diff: a function that is inlined in one of the builds is one function" "$(cat diff.txt)"
}

paths()
{
	dwell tree --inlines parts.dwell > tree.txt || fail "status $?"
	cat tree.txt
	for path in "work>hot (inlined)" "hot (inlined)>spin (inlined)" "calls_cold (inlined)>cold" "cold>spin (inlined)"; do
		dwell tree --csv --inlines parts.dwell | columns /dev/stdin depth function | awk -F '\t' -v above="${path%>*}" -v below="${path#*>}" '
			{ at[$1] = $2; if ($2 == below && at[$1 - 1] == above) found = 1 }
			END { exit !found }' || fail "no $path"
	done
	dwell report --folded --inlines parts.dwell | grep -q ';work;hot (inlined);spin (inlined) [0-9]' || fail "folded"
	dwell callers cold --inlines parts.dwell | grep -q 'calls_cold (inlined)' || fail "callers"
	dwell callees hot --inlines parts.dwell | grep -q 'spin (inlined)' || fail "callees, by its own name"
	dwell callees "hot (inlined)" --inlines --csv parts.dwell | grep -q '^spin (inlined),' || fail "callees"
	dwell report --inlines --lines --csv parts.dwell > lines.csv
	grep -q "^spin (inlined),.*parts.c:6" lines.csv || fail "lines" "$(cat lines.csv)"
}

# Every instruction of a C++ program, against LLVM's reader.
another_reader()
{
	if ! command -v llvm-symbolizer > /dev/null || ! command -v g++ > /dev/null; then
		echo "# no llvm-symbolizer, or no g++"
		return 0
	fi
	cat > sorts.cc <<'END'
#include <algorithm>
#include <map>
#include <string>
#include <vector>
#include <cstdio>
#include <cstdlib>
int main(int argc, char **argv)
{
	std::vector<unsigned> v;
	std::map<std::string, int> m;
	unsigned n = argc > 1 ? atoi(argv[1]) : 1000, x = 1;
	for (unsigned i = 0; i < n; i++) v.push_back(x = x * 1664525u + 1013904223u);
	std::sort(v.begin(), v.end(), [](unsigned a, unsigned b) { return a % 1000 < b % 1000; });
	for (unsigned i = 0; i < n; i++) m[std::to_string(v[i] % 5000)]++;
	printf("%zu\n", m.size());
	return 0;
}
END
	g++ -O2 -g sorts.cc -o sorts
	RECORD_OPTIONS="--sample -F 10000" record sorts ./sorts 400000
	dwell report --full-names --csv --inlines sorts.dwell > sorts.csv || fail "status $?" "$(cat sorts.err)"
	grep -q "std::map<.*>::operator\[\]" sorts.csv || fail "no map" "$(cut -c1-200 sorts.csv)"
	grep -q "lambda.*operator()" sorts.csv || fail "no lambda" "$(cut -c1-200 sorts.csv)"
	[ "$(grep -c "(inlined)" sorts.csv)" -ge 10 ] || fail "few" "$(cut -c1-200 sorts.csv)"
	# All names of functions that are said to be inlined are among those that LLVM finds in the program.
	objdump -d -j .text sorts | awk '/^ +[0-9a-f]+:/ { sub(":", "", $1); print "0x" $1 }' |
		llvm-symbolizer --obj=sorts --inlining --functions=linkage -a | awk '/^0x/ { n = 0; next } NF && n++ % 2 == 0' | c++filt -i | sort -u > llvm
	csv_names sorts.csv | sed -n '/::/s/ (inlined).*//p' | sort -u > ours
	[ "$(wc -l < ours)" -ge 10 ] || fail "names" "$(cat ours)"
	while IFS= read -r name; do
		grep -qxF -- "$name" llvm || grep -qF -- "${name##*::}" llvm || fail "LLVM does not know $name"
	done < ours
}

# The first column, without the quotes that commas make necessary.
csv_names()
{
	awk 'NR > 1 { if (sub(/^"/, "")) sub(/",[0-9].*$/, ""); else sub(/,.*/, ""); gsub(/""/, "\""); print }' "$1"
}

# Stripped, with a debug file; then without; and of calls, which have no addresses.
debug_information()
{
	cp parts parts.whole
	dwell report --csv --inlines parts.dwell > before
	objcopy --only-keep-debug parts parts.debug
	strip parts
	objcopy --add-gnu-debuglink=parts.debug parts
	dwell report --csv --inlines parts.dwell | diff before - || fail "with a debug file (< before)"
	rm parts.debug
	cp parts.whole parts
	objcopy --strip-debug parts
	dwell report --csv --inlines parts.dwell > out 2> err || [ $? = 1 ] || fail "status"
	[ "$(wc -l < err)" = 1 ] && grep -q "without debug information\|no debug information" err && grep -q "/parts" err || fail "message: $(cat err)"
	dwell report --csv parts.dwell > plain
	diff plain <(grep -v inlined out) > /dev/null || grep -q inlined out || fail "not as without --inlines"
	cp parts.whole parts
	RECORD_OPTIONS=--trace HOOKS="-finstrument-functions -fno-tree-ter" compile traced basic.c -g
	RECORD_OPTIONS=--trace record traced ./traced
	dwell report --inlines traced.dwell > out 2> err && fail "a trace of calls"
	grep -q -- "--inlines is of samples" err || fail "$(cat err)"
	dwell report --inlines --split work parts.dwell 2> err && fail "--split"
	grep -q -- "--split shows one function" err || fail "$(cat err)"
}

test_that "known shares" known_shares
test_that "as if they had been called, and in diff" as_if_called
test_that "tree, callers, callees, folded, lines" paths
test_that "C++, and what LLVM says" another_reader
test_that "debug files, none, traces" debug_information
done_testing
