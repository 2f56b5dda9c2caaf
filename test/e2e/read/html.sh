#!/bin/bash
# Pages of dwell html, in Chromium: their numbers are those of the other commands, what is asked for is found and shown, and no name of a
# recording becomes anything but text.
# Takes long, a browser, and npm.
. "$(dirname "$0")/../lib.sh"

if ! command -v chromium > /dev/null || ! command -v node > /dev/null; then
	skip "pages" "chromium and node are not installed"
	done_testing
	exit 0
fi
. "$ROOT/test/e2e/read/html/browser.sh"

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

cuts()
{
	node "$ROOT/test/e2e/read/html/cuts.mjs" "$ROOT/host/page/view/fit_name.js" "$ROOT/test/unit/util/fit_name_cases.h" > got || fail "$(cat got)"
	[ "$(wc -l < got)" = "$(grep -c '^CASE(' "$ROOT/test/unit/util/fit_name_cases.h")" ] || fail "cases are missing" "$(cat got)"
	awk -F '\t' '$3 != $4 { print $2 ", " $1 " letters: " $4 ", expected " $3 }' got > wrong
	[ ! -s wrong ] || fail "$(cat wrong)"
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

# Which paths a function has that its sums are of.
paths()
{
	look paths "$work/traced.html" parse_1 > got || fail "$(cat got)"
	dwell tree --csv traced.dwell | columns /dev/stdin function | grep -cx parse_1 > want
	cat want want | diff - got || fail "(< dwell tree, > in the panel and in the flame graph)"
}

# exact TEXT: "…: total 1.2 ms (…), self …, N calls": the calls.
flame()
{
	look flame "$work/traced.html" worker-1 --screenshot "$shots/time-order.png" > said || fail "$(cat said)"
	dwell tree --csv traced.dwell | columns /dev/stdin function calls | head -1 > whole
	dwell tree --csv --thread worker-1 traced.dwell | columns /dev/stdin function calls | head -1 > thread
	printf '%s: total\n%s: total\n' "$(cut -f 1 whole)" "$(cut -f 1 thread)" > want
	sed -n '1,2s/:\( on this path, one of [0-9,]*:\)\{0,1\} total .*/: total/p' said > got
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
	look hatched "$work/two.html"
}

# A program whose time is in short calls, one behind the other.
real()
{
	cat > calls.c <<-'END'
	volatile unsigned sink;
	__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) sink += i; }
	__attribute__((noinline)) void work(unsigned n) { for (unsigned i = 0; i < n; i++) leaf(1000); }
	int main(void) { for (unsigned i = 0; i < 500; i++) work(100); }
	END
	gcc -g -O1 -finstrument-functions -fno-tree-ter calls.c -o calls
	record calls ./calls
	exits calls 0
	dwell html --calls 1200 -o calls.html calls.dwell
	look sums "$work/calls.html" calls.c:2 --screenshot "$shots/sums.png" > said || fail "$(cat said)"
	grep -q 'Single calls: the 600 longest' said || fail "$(cat said)"
}

# The lines of a function, from three in front of it to one behind; none without its file, of what is not called like a source, or with --no-source.
source_lines()
{
	cat > long.c <<-'END'
	volatile unsigned sink;

	/* All of it. */
	__attribute__((noinline)) void sums(unsigned n)
	{
		for (unsigned i = 0; i < n; i++) {
			sink += i;
			if (sink > 1000)
				sink = "</script><b>"[i % 10];
		}
		sink++;
	}

	int main(void)
	{
		sums(1000);
	}
	#line 1 "secret.txt"
	__attribute__((constructor)) void hidden(void) { sink++; }
	END
	echo 'a secret' > secret.txt
	gcc -g -O1 -finstrument-functions -fno-tree-ter long.c -o long
	record long ./long
	exits long 0
	dwell html -o long.html long.dwell
	look source "$work/long.html" sums > got || fail "$(cat got)"
	awk 'NR > 1 && NR < 14 { gsub(/\t/, "    "); printf "%s%2d %s\n", NR == 5 ? "▸" : " ", NR, $0 }' long.c | sed 's/ *$//' > want
	sed 's/ *$//' got | diff want - || fail "(< the file, > in the page)"
	look source "$work/long.html" hidden > got || fail "$(cat got)"
	[ "$(cat got)" = none ] || fail "$(cat got)"
	dwell html --no-source -o without.html long.dwell
	look source "$work/without.html" sums > got || fail "$(cat got)"
	[ "$(cat got)" = none ] || fail "$(cat got)"
	touch -d '2 hours' long.c
	dwell html -o changed.html long.dwell
	look source "$work/changed.html" sums > got || fail "$(cat got)"
	tail -1 got | grep -qx 'the file was changed after the recording' || fail "$(cat got)"
	rm long.c
	dwell html -o gone.html long.dwell
	look source "$work/gone.html" sums > got || fail "$(cat got)"
	[ "$(cat got)" = none ] || fail "$(cat got)"
}

# Of samples, lines have shares: all samples of a function are in lines of it, most of them in those of its long loop.
line_shares()
{
	cat > lines.c <<-'END'
	volatile unsigned sink;
	__attribute__((noinline)) void works(unsigned n)
	{
		for (unsigned i = 0; i < 9 * n; i++)
			sink += i;
		for (unsigned i = 0; i < n; i++)
			sink ^= i;
	}
	int main(void) { works(60000000); }
	END
	gcc -g -O1 lines.c -o lines
	RECORD_OPTIONS=--sample record lines ./lines
	report_csv lines
	dwell html -o lines.html lines.dwell
	look lines "$work/lines.html" works > got || fail "$(cat got)"
	[ "$(value lines works samples)" -gt 100 ] || fail "$(value lines works samples) samples"
	awk -v all="$(value lines works samples)" '
		$1 < 3 || $1 > 8 || $4 > $3 || $3 > $5 { print "line " $1; bad = 1 }
		{ samples += $2; share += $3 }
		$1 == 4 || $1 == 5 { most += $3 }
		END { exit bad || samples != all || share < 99.9 || share > 100.1 || most < 70 || most > 99.5 }' got || fail "of $(value lines works samples) samples:" "$(cat got)"
}

# The own times of functions by each clock are those of dwell report; and all of the timeline has its calls and its time.
times()
{
	cat > waits.c <<-'END'
	#include <unistd.h>
	volatile unsigned sink;
	__attribute__((noinline)) void works(void) { for (unsigned i = 0; i < 30000000; i++) sink += i; }
	__attribute__((noinline)) void sleeps(void) { usleep(50000); }
	int main(void) { for (unsigned i = 0; i < 3; i++) { works(); sleeps(); } }
	END
	gcc -g -O1 -finstrument-functions -fno-tree-ter waits.c -o waits
	# On a busy machine the kernel may lose a switch of threads, and the box is open.
	for _ in 1 2 3; do
		record waits ./waits
		! dwell report waits.dwell 2> /dev/null | grep -q '^complete' || break
	done
	report_csv waits
	dwell html -o waits.html waits.dwell
	if [ -z "$(value waits works self_cpu_ns)" ]; then
		echo "the CPU time is not known here"
		return
	fi
	look times "$work/waits.html" sleeps --screenshot "$shots/measured.png" > said || fail "$(cat said)"
	for by in cpu:self_cpu_ns wall:self_ns off:self_off_ns; do
		columns waits.csv function "${by#*:}" | sed "s/^/${by%:*}\t/"
	done > want
	columns waits.csv function self_waiting_ns self_preempted_ns total_waiting_ns total_preempted_ns | sed 's/^/parts\t/' | LC_ALL=C sort - want > want.all
	mv want.all want
	grep -E '^(cpu|wall|off|parts)	' said | grep -v '	(outside)	' | LC_ALL=C sort > got
	diff want got || fail "(< reported, > in the page)"
	tail -1 said | grep -qE ', 7 calls\. Threads: running .*\. Self, by the clock: (works|sleeps) [0-9.]+ %, (works|sleeps) [0-9.]+ %, main' || fail "$(tail -1 said)"
}

# The table and the flame graph of a range: calls count with the part that is in it, as it is cut out of the list of calls. All of the recording,
# as a range, has the times of dwell report by each clock. Of samples, and of a page that has not all calls, it is said what is known.
ranges()
{
	local from=80000 to=200000 name
	dwell html -o few.html few.dwell
	dwell calls --csv few.dwell > calls.csv
	columns calls.csv thread depth function enter_ns total_ns | awk -F '\t' -v from=$from -v to=$to '
		$4 < to && ($4 + $5 > from || $4 >= from) {
			part = ($4 + $5 < to ? $4 + $5 : to) - ($4 > from ? $4 : from)
			around[$1, $2] = $3
			outer = 1
			for (depth = 0; depth < $2; depth++)
				if (around[$1, depth] == $3)
					outer = 0
			calls[$3] += $4 >= from
			total[$3] += outer ? part : 0
			self[$3] += part
			if ($2)
				self[around[$1, $2 - 1]] -= part
		}
		END { for (name in self) printf "%s\t%.0f\t%.0f\t%.0f\n", name, calls[name], total[name], self[name] }' | LC_ALL=C sort > want
	look ranged "$work/few.html" $from $to --screenshot "$shots/range.png" | LC_ALL=C sort > got
	[ "$(wc -l < want)" -gt 4 ] || fail "$(cat want)"
	diff want got || fail "(< cut out of dwell calls, > in the page)"
	dwell report --raw --csv few.dwell > few.csv
	columns few.csv function total_ns self_ns total_cpu_ns self_cpu_ns total_off_ns self_off_ns | LC_ALL=C sort > want
	look ranged_all "$work/few.html" | LC_ALL=C sort > got
	diff want got || fail "(< dwell report, > in the page)"
	look range_keys "$work/few.html"
	look range_note "$work/two.html" 'longest calls one by one'
	look range_note "$work/sampled.html" 'from the boxes of the timeline'
}

# Closed unless something is missing; why a snapshot was taken.
health_box()
{
	RECORD_OPTIONS="--snapshot-when works>1ns --snapshots 1" record slow ./waits
	dwell html -o slow.html slow.dwell.1
	for width in --wide --narrow; do
		look health "$work/slow.html" $width > said || fail "$(cat said)"
		{ echo closed; dwell report slow.dwell.1 | sed -n 's/^too slow: \(works took .*\)/\1/p'; } > want
		{ head -1 said; sed -n 's/^.*\[ok\]Nothing was lost; [1-9] notes\{0,1\}: .* snapshot, too slow: \(works .*\) · each call .*/\1/p' said; } | diff want - || fail "$(cat said)"
	done
	head -c -300 traced.dwell > cut.dwell
	dwell html -o cut.html cut.dwell || [ $? = 1 ]
	look health "$work/cut.html" > said || fail "$(cat said)"
	grep -qx open said && grep -q '^\[!\]Lost or damaged: ' said || fail "$(cat said)"
	look health "$work/cut.html" --narrow > said || fail "$(cat said)"
	grep -qx closed said || fail "$(cat said)"
}

# Single calls below a step of the clock.
clock_steps()
{
	"$BUILD/tracegen" --program "$program" --functions 3 --events 20 --depth 3 --threads 1 --seed 4 --clock-step "90 ticks" -o steps.dwell > /dev/null
	dwell html -o steps.html steps.dwell
	dwell calls --csv steps.dwell > steps.csv
	for name in $(columns steps.csv function | sort -u); do
		columns steps.csv function total_ns | awk -v name="$name" '$1 == name { print $2 }' | sort -rn |
			awk '{ line = $1 < 90 ? "<90 ns" : $1 " ns"; print line } NR == 1 { first = line } END { print first }' > want
		look slowest "$work/steps.html" "$name" > got || fail "$(cat got)"
		diff want got || fail "$name (< dwell calls, > in the page)"
	done
	[ "$(columns steps.csv function | sort -u | wc -l)" = 3 ] || fail "$(cat steps.csv)"
}

# Which states threads were in, and for how long, is what dwell info has: of single times, and of more than are single, which are added up.
states()
{
	local name
	"$BUILD/tracegen" --program "$program" --functions 6 --events 20000 --threads 3 --seed 11 --switches 20 -o few.dwell > /dev/null
	"$BUILD/tracegen" --program "$program" --functions 6 --depth 4 --events 600000 --threads 3 --seed 12 --switches 4 --pack -o switching.dwell > /dev/null
	for name in few switching; do
		dwell html --calls 5000 -o $name.html $name.dwell
		node "$ROOT/test/e2e/read/html/boxes.mjs" $name.html states > got
		# Of more than 65536 times each is a nanosecond off at the most, when it is rounded.
		dwell info --json $name.dwell | node -e '
			const { threads } = JSON.parse(require("fs").readFileSync(0)), bad = []
			for (const [i, line] of require("fs").readFileSync("got", "utf8").trim().split("\n").entries()) {
				const [tid, ...off] = line.split("\t").map(Number), thread = threads[i]
				const want = [thread.waiting_ns, thread.preempted_ns, thread.cpu_unknown_ns]
				if (tid !== thread.tid || want.some((ns, k) => Math.abs(ns - off[k]) > 40000) || !off[0] || !off[1])
					bad.push(`${tid}: ${off}, expected ${want}`)
			}
			console.log(bad.join("\n"))
			process.exit(bad.length || threads.length < 3 ? 1 : 0)' || fail "$name: waiting, preempted, unknown:" "$(cat got)"
	done
	node "$ROOT/test/e2e/read/html/boxes.mjs" few.html states | awk '$5 { exit 1 }' || fail "few: sums of short times"
	node "$ROOT/test/e2e/read/html/boxes.mjs" switching.html states | awk '!$5 { exit 1 }' || fail "switching: no sums"
	dwell html --calls 5000 --jobs 1 -o one.html switching.dwell
	dwell html --calls 5000 --jobs 2 -o two.html switching.dwell
	cmp one.html two.html
	if [ -z "$(value waits works self_cpu_ns)" ]; then
		echo "when threads were off the CPU is not known here"
		return
	fi
	look states "$work/waits.html" works sleeps --dark --screenshot "$shots/states-dark.png" > said || fail "$(cat said)"
	grep -qE 'Threads: running [0-9.]+ ms(, preempted [0-9.]+ [mµn]s)?, waiting|Threads: running [0-9.]+ ms, waiting [0-9.]+ ms' said || fail "$(cat said)"
}

# What recording cost is what dwell report says, between what was measured; and more threads than have flame graphs of their own.
overhead()
{
	local want
	look overhead "$work/calls.html" > said || fail "$(cat said)"
	want=$(dwell report calls.dwell | sed -n 's/^Recording cost \([0-9]*\) ns to \([0-9]*\) ns in each call and \([0-9]*\) ns to \([0-9]*\) ns in its caller.*/\1 \2 \3 \4/p')
	[ -n "$want" ] || fail "dwell report does not know it"
	sed -nE '1s/^recording cost ([0-9]+) ns \(([0-9]+) to ([0-9]+)\) in each call and ([0-9]+) ns \(([0-9]+) to ([0-9]+)\) in its caller, measured (once|[1-9]).*/\1 \2 \3 \4 \5 \6/p' said > got
	awk -v want="$want" '{ exit !($2 " " $3 " " $5 " " $6 == want && $2 <= $1 && $1 <= $3 && $5 <= $4 && $4 <= $6) } END { exit !NR }' got || fail "reported: $want" "$(cat said)"
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

# Callers and callees of samples, with their errors; of a page from a pipe without them.
shares()
{
	local side
	for side in callers callees; do
		dwell $side --csv _start sampled.dwell > $side.csv
		columns $side.csv function samples total_percent total_low total_high | awk -F '\t' -v side=$side '{ printf "%s\t%s\t%s\t%.2f\t%.2f\t%.2f\n", side, $1, $2, $3, $4, $5 }'
	done | LC_ALL=C sort > want
	look shares "$work/sampled.html" _start | LC_ALL=C sort > got
	[ "$(wc -l < want)" -gt 4 ] || fail "no callers"
	diff want got || fail "(< dwell callers and callees, > in the page)"
	cat sampled.dwell | dwell html - > piped.html
	look shares "$work/piped.html" _start | LC_ALL=C sort > got
	cut -f 1,2,4 want | awk -F '\t' '{ print $1 "\t" $2 "\t\t" $3 }' | diff - got || fail "from a pipe (< dwell callers and callees, > in the page)"
}

perfetto_slices()
{
	protoc -I "$ROOT/test/e2e/read" --decode=trace perfetto.proto < "$1" | awk '
	/^packet {/ { time = type = name = track = uuid = clock = 0; depth = 0 }
	{ if (/{$/) path[++depth] = $1; else if (/}/) depth--; }
	depth == 1 && $1 == "time:" { time = $2 }
	depth == 2 && path[2] == "clocks" { clock = 1 }
	depth == 2 && path[2] == "event" && $1 == "type:" { type = $2 }
	depth == 2 && path[2] == "event" && $1 == "name:" { name = $2 }
	depth == 2 && path[2] == "event" && $1 == "track:" { track = $2 }
	depth == 3 && path[3] == "name" && $1 == "id:" { id = $2 }
	depth == 3 && path[3] == "name" && $1 == "text:" { text = $0; sub(/^[^"]*"/, "", text); sub(/"$/, "", text); names[id] = text }
	depth == 2 && path[2] == "track" && $1 == "uuid:" { uuid = $2 }
	depth == 3 && path[3] == "thread" && $1 == "tid:" { tid[uuid] = $2 }
	depth == 0 && clock { origin = time }
	depth == 0 && type == 1 { open[track, ++count[track]] = name; from[track, count[track]] = time }
	depth == 0 && type == 2 {
		i = count[track]--
		printf "%s\t%s\t%.0f\t%.0f\n", names[open[track, i]], tid[track], from[track, i] - origin, time - from[track, i]
	}'
}

# What samples have in common, in time: box by box that of dwell export, which others read. More of them than are wanted: sums.
stretches()
{
	dwell export --to perfetto -o sampled.perfetto sampled.dwell
	perfetto_slices sampled.perfetto | LC_ALL=C sort > want
	node "$ROOT/test/e2e/read/html/boxes.mjs" sampled.html > boxes
	cut -f 1-4 boxes | LC_ALL=C sort > got
	[ "$(wc -l < want)" -gt 1000 ] || fail "$(wc -l < want) spans"
	diff want got || fail "(< exported, > in the page)"
	look stretches "$work/sampled.html" --screenshot "$shots/stretches.png" > said || fail "$(cat said)"
	[ "$(sed 's/: .*//' said)" = "$(head -1 boxes | cut -f 1)" ] && grep -q ' s by samples, from \| [mµn]s by samples, from ' said || fail "$(cat said)" "$(head -1 boxes)"
	dwell html --calls 400 -o few.html sampled.dwell
	look legend "$work/few.html" > said || fail "$(cat said)"
	grep -q "^Hatched: sums of $(($(wc -l < want) - 200)) shorter stretches" said || fail "$(cat said)"
	cat sampled.dwell | dwell html - > piped.html
	look timeless "$work/piped.html" "from a pipe"
	printf 'a;b 3\n' > sums.folded
	dwell html -o sums.html sums.folded
	look timeless "$work/sums.html" "sums has no moments"
}

# Two recordings in one page: the table is dwell diff's, paths are those of dwell tree, both timelines show the same part of time.
both()
{
	local measure keys name side
	"$BUILD/tracegen" --program "$program" --functions 5 --depth 6 --events 9000 --threads 2 --seed 8 -o after.dwell > /dev/null
	dwell html -o both.html traced.dwell after.dwell
	for measure in time:ns calls:calls share:percent; do
		keys=${measure#*:} measure=${measure%:*}
		dwell diff --csv --by $measure traced.dwell after.dwell > diff.csv
		columns diff.csv function old_$keys new_$keys ${keys}_change > want
		[ $measure = time ] || { awk -F '\t' -v OFS='\t' -v form=$([ $measure = calls ] && echo %.0f || echo %.2f) '{ for (i = 2; i <= 4; i++) $i = sprintf(form, $i); print }' want > rounded; mv rounded want; }
		look changes "$work/both.html" $measure $keys --screenshot "$shots/both-functions.png" > got || fail "$(cat got)"
		[ "$(wc -l < want)" = 8 ] || fail "$measure: no diff"
		diff want got || fail "$measure: (< dwell diff, > in the page)"
	done
	# Bottom up, sorted by the side that boxes are as wide as.
	for side in old:2 new:3; do
		dwell diff --csv --by calls traced.dwell after.dwell | columns /dev/stdin function old_calls new_calls calls_change old_ns new_ns |
			sort -t "$(printf '\t')" -k $((${side#*:} + 3)),$((${side#*:} + 3))rn | head -n 5 | awk -F '\t' '{ printf "%s: calls %d → %d\n", $1, $2, $3 }' > want
		look changed_selves "$work/both.html" calls "${side%:*}" 5 > got || fail "$(cat got)"
		sed 's/,//g; s/\(→ [0-9]*\):.*/\1/' got | diff want - || fail "$side: (< dwell diff, > in the page)"
	done
	look gone "$work/both.html" sort_1
	look pair "$work/both.html" sum_1 2 --screenshot "$shots/both-timeline.png"
	for side in old:traced new:after; do
		dwell report --raw --csv "${side#*:}.dwell" > side.csv
		columns side.csv function calls total_ns self_ns | LC_ALL=C sort > want
		look side "$work/both.html" "${side%:*}" sum_1 | LC_ALL=C sort > got
		diff want got || fail "$side: (< dwell report, > in the page)"
	done
	# Paths, with functions whose totals the page cannot have added up.
	printf 'a;b;c 300\na;b 100\na;gone 100\n' > old.folded
	printf 'a;b;c 600\na;b 100\na;fresh 50\n' > new.folded
	dwell html -o sums.html old.folded new.folded
	look changed_paths "$work/sums.html" b c fresh --dark --screenshot "$shots/both-flame-dark.png" > got || fail "$(cat got)"
	diff got - <<-'END' || fail "(< in the page, > expected)"
		b: total 80.00 % → 93.33 %: +13.33 pp; self 20.00 % → 13.33 %: −6.67 pp
		c: total 60.00 % → 80.00 %: +20.00 pp; self 60.00 % → 80.00 %: +20.00 pp
		fresh: total 0.00 % → 6.67 %: +6.67 pp, new; self 0.00 % → 6.67 %: +6.67 pp, new
	END
	! dwell html -o x.html traced.dwell sampled.dwell 2> err || fail "a trace and samples"
	grep -q '^dwell: sampled.dwell: is sampled: cannot be compared with traced.dwell; record both in the same way$' err || fail "$(cat err)"
	[ ! -e x.html ] || fail "a page of what cannot be compared"
}

# Chance is told from change: two recordings of one kind of samples have no box that takes more or less.
both_sampled()
{
	"$BUILD/tracegen" --program "$program" --functions 6 --samples 5000 --threads 2 --seed 66 -o sampled2.dwell > /dev/null
	dwell html -o both-sampled.html sampled.dwell sampled2.dwell
	look changes "$work/both-sampled.html" share percent --narrow --screenshot "$shots/both-narrow.png" > got || fail "$(cat got)"
	dwell diff --csv --by share sampled.dwell sampled2.dwell | columns /dev/stdin function old_percent new_percent percent_change |
		awk -F '\t' -v OFS='\t' '{ for (i = 2; i <= 4; i++) $i = sprintf("%.2f", $i); print }' | diff - got || fail "(< dwell diff, > in the page)"
	look pair "$work/both-sampled.html" walk_1 0
	dwell html -o both-lines.html lines.dwell lines.dwell
	look pair "$work/both-lines.html" works 0
	look opens "$work/both-lines.html" # some ids in it have no name
	look fits "$work/both-sampled.html" function,percent_change,verdict --narrow
	look fits "$work/both-sampled.html" function,percent_change,verdict,old_percent,new_percent,percent_low,percent_high
}

# What axe-core has against a page of calls and one of samples.
accessible()
{
	look accessible "$work/waits.html" "$work/node_modules/axe-core/axe.min.js"
	look accessible "$work/sampled.html" "$work/node_modules/axe-core/axe.min.js"
	look accessible "$work/both.html" "$work/node_modules/axe-core/axe.min.js"
}

overview()
{
	look minimap "$work/traced.html"
	look minimap "$work/sampled.html" --dark --screenshot "$shots/overview.png"
}

hostile()
{
	dwell html -o hostile.html hostile.folded
	! grep -aq 'window.ran' hostile.html || fail "a name is in the page as it is"
	look hostile "$work/hostile.html" > names || fail "$(cat names)"
	[ "$(grep -c . names)" = 9 ] || fail "names:" "$(cat names)"
	grep -qF '</script><script>window.ran=1</script>' names || fail "names:" "$(cat names)"
}

on_paper()
{
	"$BUILD/tracegen" --functions 300 --events 100000 --threads 2 --switches 100 --seed 3 -o long.dwell > /dev/null
	dwell html -o long.html long.dwell || [ $? = 1 ] # its functions have no names
	look print "$work/long.html" 300 "$shots/paper.png" --dark > got || fail "$(cat got)"
	[ "$(cut -d ' ' -f 1 got)" -ge 5 ] || fail "300 functions are on $(cat got) pages"
	{ for i in $(seq 100); do echo "void f$i(void) { }"; done; echo "int main(void) { $(printf 'f%d(); ' $(seq 100)) }"; } > paper.c
	gcc -g -finstrument-functions paper.c -o paper
	record paper ./paper
	dwell html -o paper.html paper.dwell
	look print "$work/paper.html" 102 "$shots/paper-lines.png" --dark > got || fail "$(cat got)"
	grep -q ' lines$' got || fail "$(cat got)"
}

narrow()
{
	look fits "$work/waits.html" function,self_cpu_ns,share --narrow --screenshot "$shots/narrow.png"
	look fits "$work/waits.html" function,self_cpu_ns,share,calls,total_cpu_ns --screenshot "$shots/wide.png"
	look fits "$work/sampled.html" function,self_percent,self_low,self_high --narrow --dark --screenshot "$shots/narrow-dark.png"
	look fits "$work/calls.html" function,self_cpu_ns,share,calls --screenshot "$shots/wide.png"
	printf 'main;work;%s 12345678901234\nmain;work 2345678901234\n' "$(head -c 200 /dev/zero | tr '\0' y)" > large.folded
	dwell html -o large.html large.folded
	look fits "$work/large.html" function,self --narrow
	look fits "$work/large.html" function,self,share,total
	[ "$(stat -c %s "$shots/narrow.png")" -gt 10000 ] || fail "an empty picture"
}

test_that "functions: the numbers of dwell report" numbers
test_that "names are cut as in reports" cuts
test_that "found by its name: callers, callees and durations as dwell has them" relatives
test_that "of how many paths sums are" paths
test_that "search and order" look search "$work/traced.html" sort_ 2
test_that "flame graph: zoom, by thread, upside down, in time order" flame
test_that "timeline: from call to call, in and out, the slowest" timeline
test_that "many calls: the same by one thread, by two and from a pipe" many
test_that "a program: slices of short calls, a window, source lines" real
test_that "source lines of functions" source_lines
test_that "shares of source lines, of samples" line_shares
test_that "CPU, wall and off-CPU time; a link; a range" times
test_that "the health box: closed, open where something is missing; why there is a snapshot" health_box
test_that "states of threads: as dwell info has them, in words and in pictures" states
test_that "times below a step of the clock" clock_steps
test_that "what recording cost, and 70 threads" overhead
test_that "samples: shares with their errors" samples
test_that "samples: callers and callees with their errors" shares
test_that "samples: what they have in common, in time" stretches
test_that "a range of time: the table, the flame graph, a link, and keys" ranges
test_that "the overview above the timeline, by hand and by keys" overview
test_that "two recordings: dwell diff's table, paths, timelines" both
test_that "two recordings of samples" both_sampled
cp "$ROOT"/test/e2e/read/npm/package*.json .
if ! command -v npm > /dev/null; then
	skip "accessible, by axe-core" "npm is not installed"
elif ! timeout 90 npm ci --ignore-scripts --no-audit --no-fund > npm.log 2>&1; then
	skip "accessible, by axe-core" "it cannot be fetched"
else
	test_that "accessible, by axe-core: light and dark, wide and narrow" accessible
fi
test_that "hostile names: text, and no program runs" hostile
test_that "on paper: all rows, light, without buttons" on_paper
test_that "a narrow window, dark and light" narrow
done_testing
