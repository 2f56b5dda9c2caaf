#!/bin/bash
# Measures time: run once more, alone, if it fails beside others (test/run).
# Pages of dwell html, in Chromium: their numbers are those of the other commands, what is asked for is found and shown, and no name of a
# recording becomes anything but text.
# Takes long, a browser.
. "$(dirname "$0")/../lib.sh"

if ! command -v chromium > /dev/null || ! command -v node > /dev/null; then
	skip "pages" "chromium and node are not installed"
	done_testing
	exit 0
fi
shots=$BUILD/screenshots
mkdir -p "$shots"

look() { timeout 60 node "$ROOT/test/e2e/read/html/look.mjs" "$@"; }

program=$work/program
for name in _start walk_1 walk_2 parse_1 parse_2 sort_1 sort_2 sum_1; do
	printf '\t.globl %s\n\t.type %s, @function\n%s:\t.skip 48, 0x90\n\t.size %s, 48\n' $name $name $name $name
done | gcc -nostdlib -static -Wl,--build-id=none -x assembler - -o program || { echo "Bail out! no compiler"; exit 1; }
"$BUILD/tracegen" --program "$program" --functions 8 --depth 12 --events 20000 --threads 3 --seed 5 -o traced.dwell > /dev/null
"$BUILD/tracegen" --program "$program" --functions 6 --samples 5000 --threads 2 --seed 6 -o sampled.dwell > /dev/null
# Few paths, many calls: threads read it together.
"$BUILD/tracegen" --program "$program" --functions 4 --depth 5 --events 1500000 --threads 3 --seed 7 --pack -o many.dwell > /dev/null
long=$(head -c 1000000 /dev/zero | tr '\0' x)
printf 'main;</script><script>window.ran=1</script>;e"v%%27 9\nmain;<img src=x onerror=window.ran=2> 8\nmain;\xff\xfe\x01\x1b[31m;g 5\nmain;%s 3\nmain;\xe2\x80\xaegnp.exe 2\nmain;${window.ran=3}`+alert(1)+` 1\n' "$long" > hostile.folded

numbers()
{
	dwell html -o traced.html traced.dwell
	dwell report --csv traced.dwell > traced.csv
	columns traced.csv function calls total_ns self_ns | LC_ALL=C sort > want
	look table "$work/traced.html" --screenshot "$shots/functions.png" | LC_ALL=C sort > got
	[ "$(wc -l < want)" = 8 ] || fail "no report"
	diff want got || fail "(< reported, > in the page)"
}

relatives()
{
	local side
	for side in callers callees; do
		dwell $side --csv parse_1 traced.dwell > $side.csv
		columns $side.csv function calls total_ns | sed "s/^/$side\t/"
	done | LC_ALL=C sort > want
	look relatives "$work/traced.html" parse_1 | LC_ALL=C sort > got
	[ "$(wc -l < want)" -gt 8 ] || fail "no callers"
	diff want got || fail "(< dwell callers and callees, > in the page)"
	dwell histogram --csv sort_1 traced.dwell > histogram.csv
	columns histogram.csv calls > want
	look durations "$work/traced.html" sort_1 > got
	diff want got || fail "(< dwell histogram, > in the page)"
}

# exact TEXT: "…: total 1.2 ms (…), self …, N calls": the calls.
flame()
{
	look flame "$work/traced.html" worker-1 --screenshot "$shots/time-order.png" > said || fail "$(cat said)"
	dwell tree --csv traced.dwell | columns /dev/stdin function calls | head -1 > whole
	dwell tree --csv --thread worker-1 traced.dwell | columns /dev/stdin function calls | head -1 > thread
	printf '%s: total\n%s: total\n' "$(cut -f 1 whole)" "$(cut -f 1 thread)" > want
	sed -n '1,2s/ total .*/ total/p' said > got
	diff want got || fail "(< dwell tree, > in the flame graph)" "$(cat said)"
	printf '%s\n%s\n' "$(cut -f 2 whole)" "$(cut -f 2 thread)" > want
	sed -n '1,2s/.*, \([0-9,]*\) calls\{0,1\}$/\1/p' said | tr -d , > got
	diff want got || fail "calls of the outermost path (< dwell tree, > in the flame graph)" "$(cat said)"
	dwell report --csv --thread worker-1 --sort self traced.dwell > thread.csv
	[ "$(sed -n '3s/:.*//p' said)" = "$(columns thread.csv function | head -1)" ] || fail "upside down: $(sed -n 3p said)"
}

timeline()
{
	look timeline "$work/traced.html" --screenshot "$shots/timeline.png" > said || fail "$(cat said)"
	dwell calls --csv --thread main traced.dwell > calls.csv
	[ "$(sed 's/:.*//' said)" = "$(columns calls.csv function | head -1)" ] || fail "the first call: $(cat said)" "$(head -2 calls.csv)"
}

# More calls than may be single: the longest, those of a window, sums elsewhere; the same from one thread and from two, and from a pipe.
many()
{
	dwell html --calls 20000 --jobs 1 -o one.html many.dwell
	dwell html --calls 20000 --jobs 2 -o two.html many.dwell
	cmp one.html two.html
	[ "$(stat -c %s two.html)" -lt 1500000 ] || fail "$(stat -c %s two.html) bytes"
	dwell html -o all.html many.dwell
	[ "$(stat -c %s all.html)" -gt "$(stat -c %s two.html)" ] || fail "it is as large as all"
	dwell html --calls 20000 - < many.dwell > piped.html
	look table "$work/piped.html" > piped
	look table "$work/two.html" > got
	diff got piped
}

# A program whose time is in short calls, one behind the other.
real()
{
	local from to
	cat > calls.c <<-'END'
	volatile unsigned sink;
	__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
	__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; i++) leaf(1000); }
	int main(void) { for (unsigned i = 0; i < 500; i++) work(100); }
	END
	gcc -g -O1 -finstrument-functions -fno-tree-ter calls.c -o calls
	record calls ./calls
	exits calls 0
	dwell calls --csv calls.dwell > calls.csv
	from=$(columns calls.csv enter_ns | sed -n 30000p) to=$(columns calls.csv enter_ns | sed -n 30300p)
	dwell html --calls 1200 --window "${from}ns,${to}ns" -o calls.html calls.dwell
	dwell calls --csv --from "${from}ns" --to "${to}ns" calls.dwell > window.csv
	look sums "$work/calls.html" calls.c:2 --screenshot "$shots/sums.png" > said || fail "$(cat said)"
	[ "$(sed -n '1s/.* and the \([0-9]*\) in chosen windows.*/\1/p' said)" = "$(columns window.csv function | wc -l)" ] ||
		fail "$(wc -l < window.csv) calls in the window" "$(cat said)"
}

# What recording cost is what dwell report says, between what was measured; and more threads than have flame graphs of their own.
overhead()
{
	local want
	look overhead "$work/calls.html" > said || fail "$(cat said)"
	want=$(dwell report calls.dwell | sed -n 's/^Recording cost \([0-9]*\) ns in each call and \([0-9]*\) ns in its caller.*/\1 \2/p')
	[ -n "$want" ] || fail "dwell report does not know it"
	sed -nE '1s/^recording cost ([0-9]+) ns \(([0-9]+) to ([0-9]+)\) in each call and ([0-9]+) ns \(([0-9]+) to ([0-9]+)\) in its caller, measured [1-9].*/\1 \2 \3 \4 \5 \6/p' said > got
	awk -v want="$want" '{ exit !($1 " " $4 == want && $2 <= $1 && $1 <= $3 && $5 <= $4 && $4 <= $6) } END { exit !NR }' got || fail "reported: $want" "$(cat said)"
	[ "$(sed -n 2p said)" = "all threads can be chosen" ] || fail "$(cat said)"
	"$BUILD/tracegen" --program "$program" --functions 6 --events 6000 --threads 70 --seed 9 -o threads.dwell > /dev/null
	dwell html -o threads.html threads.dwell
	look overhead "$work/threads.html" > said || fail "$(cat said)"
	grep -q '^not measured in this recording$' said && grep -q '^64 of 70 threads, the busiest' said || fail "$(cat said)"
}

samples()
{
	dwell html -o sampled.html sampled.dwell
	dwell report --csv sampled.dwell > sampled.csv
	columns sampled.csv function self_percent self_low self_high | LC_ALL=C sort | awk -F '\t' '{ printf "%s\t%.2f\t%.2f\t%.2f\n", $1, $2, $3, $4 }' > want
	look samples "$work/sampled.html" --dark --screenshot "$shots/samples-dark.png" | LC_ALL=C sort > got
	[ -s want ] || fail "no samples"
	diff want got || fail "(< dwell report, > in the page)"
}

# What samples have in common, in time: box by box that of dwell export, which others read. More of them than are wanted: sums.
stretches()
{
	dwell export --to chrome -o sampled.json sampled.dwell
	node -e '
		for (const { name, ph, ts, dur, tid } of JSON.parse(require("fs").readFileSync("sampled.json")).traceEvents)
			if (ph === "X")
				console.log([name, tid, Math.round(ts * 1000), Math.round(dur * 1000)].join("\t"))' | LC_ALL=C sort > want
	node "$ROOT/test/e2e/read/html/boxes.mjs" sampled.html > boxes
	cut -f 1-4 boxes | LC_ALL=C sort > got
	[ "$(wc -l < want)" -gt 1000 ] || fail "$(wc -l < want) spans in $(head -3 sampled.json)"
	diff want got || fail "(< exported, > in the page)"
	look stretches "$work/sampled.html" --screenshot "$shots/stretches.png" > said || fail "$(cat said)"
	[ "$(sed 's/: .*//' said)" = "$(head -1 boxes | cut -f 1)" ] && grep -q ' s by samples, from \| [mµn]s by samples, from ' said || fail "$(cat said)" "$(head -1 boxes)"
	dwell html --calls 400 -o few.html sampled.dwell
	look legend "$work/few.html" > said || fail "$(cat said)"
	grep -q "^Hatched: sums of $(($(wc -l < want) - 200)) shorter stretches" said || fail "$(cat said)"
	dwell html --calls 100 --window 500ms,510ms -o window.html sampled.dwell
	look legend "$work/window.html" > said || fail "$(cat said)"
	wanted=$(awk -F '\t' '$3 <= 510000000 && $3 + $4 >= 500000000' want | wc -l)
	[ "$wanted" -gt 5 ] && grep -q "the $wanted in chosen windows" said || fail "$wanted in the window" "$(cat said)"
	cat sampled.dwell | dwell html - > piped.html
	look timeless "$work/piped.html" "from a pipe"
	printf 'a;b 3\n' > sums.folded
	dwell html -o sums.html sums.folded
	look timeless "$work/sums.html" "sums has no moments"
}

hostile()
{
	dwell html -o hostile.html hostile.folded
	! grep -aq 'window.ran' hostile.html || fail "a name is in the page as it is"
	look hostile "$work/hostile.html" > names || fail "$(cat names)"
	[ "$(grep -c . names)" = 9 ] || fail "names:" "$(cat names)"
	grep -qF '</script><script>window.ran=1</script>' names || fail "names:" "$(cat names)"
}

narrow()
{
	look nothing "$work/traced.html" --narrow --screenshot "$shots/narrow.png"
	look nothing "$work/traced.html" --narrow --dark --screenshot "$shots/narrow-dark.png"
	[ "$(stat -c %s "$shots/narrow.png")" -gt 10000 ] || fail "an empty picture"
}

test_that "functions: the numbers of dwell report" numbers
test_that "found by its name: callers, callees and durations as dwell has them" relatives
test_that "search and order" look search "$work/traced.html" sort_ 2
test_that "flame graph: zoom, by thread, upside down, in time order" flame
test_that "timeline: from call to call, in and out, the slowest" timeline
test_that "many calls: the same by one thread, by two and from a pipe" many
test_that "a program: slices of short calls, a window, source lines" real
test_that "what recording cost, and 70 threads" overhead
test_that "samples: shares with their errors" samples
test_that "samples: what they have in common, in time" stretches
test_that "hostile names: text, and no program runs" hostile
test_that "a narrow window, dark and light" narrow
done_testing
