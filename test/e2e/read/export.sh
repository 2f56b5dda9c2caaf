#!/bin/bash
# Exported files, read by readers that are not ours: what these say of each function is what whoever made the trace counted. And files of
# other tools, read by dwell.
# Takes long, readers of other tools, and npm.
. "$(dirname "$0")/../lib.sh"

# Assembled, so that all its functions are known to gprof, too: stubs of a linker's are not.
program=$work/program
for name in _start walk_1 walk_2 parse_1 parse_2 sort_1 sort_2 sum_1; do
	printf '\t.globl %s\n\t.type %s, @function\n%s:\t.skip 48, 0x90\n\t.size %s, 48\n' $name $name $name $name
done | gcc -nostdlib -static -Wl,--build-id=none -x assembler - -o program || { echo "Bail out! no compiler"; exit 1; }
"$BUILD/tracegen" --program "$program" --functions 8 --depth 12 --events 20000 --threads 3 --seed 5 --truth traced.truth -o traced.dwell > /dev/null
"$BUILD/tracegen" --program "$program" --functions 6 --samples 5000 --threads 2 --seed 6 -o sampled.dwell > /dev/null
# Names as they come: of a hostile program, or of templates.
long=$(head -c 1000000 /dev/zero | tr '\0' x)
printf 'main;a"b\\c<d>&;e\tf 7\nmain;\xff\xfe\x01;g 5\nmain;%s 3\n(2) main;fn=(1) x 4\n' "$long" > odd.folded

# in_file FORMAT FILE: sorted lines of function, calls and self.
in_file()
{
	case $1 in
	callgrind)
		# The calls of a function are on its callers' lines, which callgrind_annotate shows as costs only.
		callgrind_annotate --threshold=100 --show-percs=no --auto=no --include=/nowhere "$2" 2> /dev/null |
			LC_ALL=C sed -nE 's/^ *([0-9,]+) +\?\?\?:(.*)$/\1\t\2/p' | sed 's/ \[[^][]*\]$//' |
			awk -F '\t' '{ gsub(",", "", $1); print $2 "\t0\t" $1 }' ;;
	folded) awk '{ value = $NF; sub(/ [0-9]*$/, ""); sub(/^.*;/, ""); self[$0] += value } END { for (name in self) print name "\t0\t" self[name] }' "$2" ;;
	gmon)
		dwell tree --csv --program "$program" "$2" > gmon.csv
		columns gmon.csv function self | sed 's/\t/\t0\t/' ;;
	json)
		node -e 'for (const row of JSON.parse(require("fs").readFileSync(process.argv[1])).report.rows)
			console.log(`${row.function}\t${row.calls}\t${row.self_ns}`)' "$2" ;;
	perfetto) perfetto_calls "$2" ;;
	*) node "$ROOT/test/e2e/read/npm/check.mjs" "$1" "$2" ;;
	esac | LC_ALL=C sort
}

# agrees FORMAT CALLS [OPTION]: with the truth; CALLS: whether it tells calls.
agrees()
{
	dwell export --to "$1" ${3-} -o "traced.$1" traced.dwell
	columns traced.truth function calls self_ns | awk -F '\t' -v calls="$2" '{ print $1 "\t" (calls ? $2 : 0) "\t" $3 }' |
		LC_ALL=C sort > want
	in_file "$1" "traced.$1" > got
	[ -s want ] || fail "no truth"
	diff want got || fail "(< counted, > in the file)"
}

# agrees_with_tree FORMAT [OPTION]: of samples, whose weights are those of tree.
agrees_with_tree()
{
	dwell export --to "$1" ${2-} -o "sampled.$1" sampled.dwell
	dwell tree --csv sampled.dwell > tree.csv
	columns tree.csv function self | awk -F '\t' '{ sum[$1] += $2 } END { for (name in sum) printf "%s\t0\t%.0f\n", name, sum[name] }' |
		awk -F '\t' '$3' | LC_ALL=C sort > want
	in_file "$1" "sampled.$1" | awk -F '\t' '$3' > got
	[ -s want ] || fail "no samples"
	diff want got || fail "(< in the tree, > in the file)"
}

# Likewise, of spans: how many there are is nobody's count.
samples_in_time()
{
	dwell record --sample -F 1000 -o busy.dwell -- "$BUILD/dwell" tree sampled.dwell > /dev/null 2> err || fail "$(cat err)"
	of_samples tree --csv busy.dwell > tree.csv
	of_samples export --to "$1" -o "busy.$1" busy.dwell
	columns tree.csv function self | awk -F '\t' '{ sum[$1] += $2 } END { for (name in sum) printf "%s\t%.0f\n", name, sum[name] }' |
		awk -F '\t' '$2' | LC_ALL=C sort > want
	in_file "$1" "busy.$1" | cut -f1,3 | awk -F '\t' '$2' | LC_ALL=C sort > got
	[ -s want ] || fail "no samples"
	diff want got || fail "(< in the tree, > in the file)"
}

# Nothing breaks out of a name: four functions have weights, and all is there.
odd_names()
{
	dwell export --to "$1" -o "odd.$1" odd.folded
	in_file "$1" "odd.$1" | awk -F '\t' '{ print $NF }' | awk '$1' | LC_ALL=C sort > got
	printf '3\n4\n5\n7\n' > want
	diff want got || fail "(< weights, > in the file)"
}

# Names of a hostile program, of calls and of samples: each format still has every number, and what reads it finds nothing amiss.
hostile_names()
{
	cp "$program" hostile
	printf 'walk_1 a"b\\c</script><d>&e;f\nwalk_2 \001\002\033[31m\377\376\303\nparse_1 %s\nparse_2 (1)\n' "$long" > renamed
	objcopy --redefine-syms=renamed hostile "$program.new" && cp "$program" kept && mv "$program.new" "$program"
	for format in "$@"; do
		dwell export --to "$format" -o "hostile.$format" traced.dwell || fail "$format: exit status $?"
		in_file "$format" "hostile.$format" | awk -F '\t' '{ print $NF }' | sort > got
		columns traced.truth self_ns | sort | diff - got || fail "$format: (< counted, > in the file)"
	done
	for format in json; do
		[ -e hostile.$format ] || continue
		grep -q 'a\\"b\\\\c<' hostile.$format && grep -q xxxxxxxxxx hostile.$format || fail "the names are others"
	done
	[ ! -e hostile.folded ] || ! grep -q '&e;f' hostile.folded || fail "folded: a name became two"
	cp kept "$program"
}

# Nothing stands under the name but what is whole: what was there stays.
full_disk()
{
	for format in callgrind folded gmon json perfetto pprof speedscope; do
		echo before > there
		! (trap '' XFSZ; ulimit -f 1; dwell export --to $format -o there traced.dwell) 2> err || fail "$format: no error"
		grep -q "File too large\|cannot be written" err || fail "$format: $(cat err)"
		[ "$(cat there)" = before ] || fail "$format: half a file"
		rm -f there
		! (trap '' XFSZ; ulimit -f 1; dwell export --to $format -o there traced.dwell) 2> err || fail "$format: no error"
		[ ! -e there ] || fail "$format: half a new file"
	done
	[ "$(ls -A | grep -c 'there')" = 0 ] || fail "$(ls -A)"
}

# all FORMAT CALLS [OPTION]
all()
{
	test_that "$1: what was counted, to the nanosecond" agrees "$1" "$2" "${3-}"
	test_that "$1: of samples what tree says" agrees_with_tree "$1" "${3-}"
	test_that "$1: odd names" odd_names "$1"
}

# Two threads that compute and wait, recorded once.
threads()
{
	[ ! -s threads.dwell ] || return 0
	cat > threads.c <<-'END'
	#define _GNU_SOURCE
	#include <pthread.h>
	#include <unistd.h>
	volatile unsigned sink;
	__attribute__((noinline)) void works(void) { for (unsigned i = 0; i < 10000000; i++) sink += i; }
	__attribute__((noinline)) void sleeps(void) { usleep(20000); }
	static void *both(void *none) { works(); sleeps(); works(); return none; }
	int main(void)
	{
		pthread_t helper;
		pthread_create(&helper, 0, both, 0);
		pthread_setname_np(helper, "helper");
		both(0);
		sleeps();
		return pthread_join(helper, 0);
	}
	END
	gcc -O1 -finstrument-functions -fno-tree-ter -pthread threads.c -o threads
	record threads ./threads
}

perfetto_calls()
{
	protoc -I "$ROOT/test/e2e/read" --decode=trace perfetto.proto < "$1" > raw
	awk '
	/^packet {/ { time = type = name = track = 0; depth = 0 }
	{ if (/{$/) path[++depth] = $1; else if (/}/) depth--; }
	depth == 1 && $1 == "time:" { time = $2 }
	depth == 2 && path[2] == "event" && $1 == "type:" { type = $2 }
	depth == 2 && path[2] == "event" && $1 == "name:" { name = $2 }
	depth == 2 && path[2] == "event" && $1 == "track:" { track = $2 }
	depth == 3 && path[3] == "name" && $1 == "id:" { id = $2 }
	depth == 3 && path[3] == "name" && $1 == "text:" { text = $0; sub(/^[^"]*"/, "", text); sub(/"$/, "", text); names[id] = text }
	depth == 0 && type == 1 {
		if (time < last[track])
			print "time goes back on a track"
		charge(track, time)
		open[track, ++count[track]] = name
		calls[name]++
	}
	depth == 0 && type == 2 {
		charge(track, time)
		if (count[track]-- < 1)
			print "an end without a begin"
	}
	function charge(track, now) {
		if (count[track])
			self[open[track, count[track]]] += now - last[track]
		last[track] = now
	}
	END {
		for (track in count)
			if (count[track])
				print "a begin without an end"
		for (name in calls)
			print names[name] "\t" calls[name] "\t" sprintf("%.0f", self[name])
	}' raw
}
perfetto()
{
	dwell export --to perfetto -o traced.perfetto traced.dwell
	in_file perfetto traced.perfetto > got
	columns traced.truth function calls self_ns | LC_ALL=C sort > want
	diff want got || fail "(< counted, > in the file)"
	dwell export --to perfetto --longer 1us --depth 9 -o long.perfetto traced.dwell
	dwell calls --csv --longer 1us --depth 9 traced.dwell > long.csv
	in_file perfetto long.perfetto | awk -F '\t' '{ calls += $2 } END { print calls }' > got
	columns long.csv function | wc -l | diff - got || fail "(< dwell calls, > in the file)"
	[ "$(cat got)" -gt 10 ] || fail "no calls"
}

# What each thread did off the CPU, on a track below its own: as long as dwell info says, but for what rounding makes of each interval.
perfetto_states()
{
	threads
	"$DWELL" info --csv threads.dwell | awk -F , '$3 == "tid" { tid = $4 } $3 == "waiting_ns" || $3 == "preempted_ns" { sub("_ns", "", $3); if ($4) print tid, $3, $4 }' > want
	[ -s want ] || { echo "times off the CPU are not known here"; return 0; }
	dwell export --to perfetto -o threads.perfetto threads.dwell
	protoc -I "$ROOT/test/e2e/read" --decode=trace perfetto.proto < threads.perfetto > raw
	awk '
	/^packet {/ { time = type = state = track = uuid = parent = tid = 0; part = ""; depth = 0 }
	{ if (/{$/) path[++depth] = $1; else if (/}/) depth--; }
	depth == 1 && $1 == "time:" { time = $2 }
	depth == 2 && path[2] == "event" { if ($1 == "type:") type = $2; if ($1 == "track:") track = $2; if ($1 == "state:") state = $2 }
	depth == 2 && path[2] == "track" { if ($1 == "uuid:") uuid = $2; if ($1 == "parent:") parent = $2; if ($1 == "part:") part = $0 }
	depth == 3 && path[3] == "thread" && $1 == "tid:" { tid = $2 }
	depth == 0 && uuid { if (tid) tids[uuid] = tid; if (part ~ /off the CPU/) below[uuid] = parent }
	depth == 0 && type == 1 && track in below {
		if (open[track] || time < last[track])
			print "intervals of a thread overlap"
		open[track] = state
		last[track] = time
	}
	depth == 0 && type == 2 && track in below {
		gsub("\"", "", open[track])
		sum[tids[below[track]] " " open[track]] += time - last[track]
		open[track] = 0
		last[track] = time
	}
	END { for (name in sum) printf "%s %.0f\n", name, sum[name] }' raw > got
	awk 'NR == FNR { want[$1, $2] = $3; n++; next } !(($1, $2) in want) || $3 - want[$1, $2] > 200 || want[$1, $2] - $3 > 200 { print; bad = 1 } { found++ }
		END { exit bad || found != n }' want got || fail "states" "$(cat want)" "in the file:" "$(cat got)"
	dwell export --to perfetto --longer 10ms -o long.perfetto threads.dwell
	protoc -I "$ROOT/test/e2e/read" --decode=trace perfetto.proto < long.perfetto | grep -c 'state: "waiting"' > got
	[ "$(cat got)" -ge 3 ] && [ "$(cat got)" -le 5 ] || fail "--longer leaves $(cat got) waits of 20 ms"
}

# gprof has times by call, rounded to a hundredth of a nanosecond; calls from others and from itself; and no calls from nowhere.
gmon()
{
	dwell export --to gmon -o gmon.out traced.dwell
	columns traced.truth function calls self_ns | LC_ALL=C sort > want
	dwell calls --csv --depth 1 traced.dwell > outermost.csv
	gprof -b -p "$program" gmon.out > flat
	gprof -b -q "$program" gmon.out > graph
	columns outermost.csv function > outermost
	awk -F '\t' '
	FILENAME == "outermost" { outermost[$1]++; next }
	FILENAME == "flat" && split($0, part, " ") == 7 && part[7] ~ /^[a-z_]/ && part[1] ~ /^[0-9]/ { self[part[7]] = part[4] * part[5] }
	FILENAME == "graph" && /^\[[0-9]/ {
		split($0, part, " ")
		split(part[5], counts, "+")
		if (part[6] !~ /^</)
			calls[part[6]] = counts[1] + counts[2]
	}
	FILENAME == "want" {
		found++
		if (calls[$1] + outermost[$1] != $2)
			print $1 ": " calls[$1] " calls and " outermost[$1] " outermost ones, expected " $2
		if (self[$1] < $3 - 10 || self[$1] > $3 + 10)
			print $1 ": " self[$1] " ns, expected " $3
	}
	END { if (found != 8) print found " functions" }' outermost flat graph want > wrong
	[ ! -s wrong ] || fail "$(cat wrong)"
	! dwell export --to gmon -o none odd.folded 2> err || fail "folded stacks have no addresses"
	grep -q "nothing but addresses" err && [ ! -e none ] || fail "$(cat err)"
}

# What a compiled program wrote itself, as gprof reads it, too; and what was exported for gprof.
gmon_out()
{
	compile shares shares.c -g -pg -fno-instrument-functions
	./shares 500 > /dev/null
	gprof -b -p shares gmon.out > flat
	# Names may end in a blank and a number of gprof's own.
	awk '$1 ~ /^[0-9.]+$/ && $NF ~ /^share_/ { printf "%s\t%d\t%.2f\n", $NF, NF == 7 ? $4 : 0, $3 }' flat | LC_ALL=C sort > want
	dwell report --csv --program shares gmon.out > report.csv
	columns report.csv function calls samples | awk -F '\t' '$1 ~ /^share_/ { printf "%s\t%d\t%.2f\n", $1, $2, $3 / 100 }' | LC_ALL=C sort > got
	[ "$(wc -l < want)" -ge 3 ] || fail "gprof saw nothing" "$(cat flat)"
	diff want got || fail "(< gprof, > reported)"
	dwell export --to gmon -o back.gmon traced.dwell
	dwell tree --csv --program "$program" back.gmon > tree.csv
	columns tree.csv function self | LC_ALL=C sort > got
	columns traced.truth function self_ns | LC_ALL=C sort > want
	diff want got || fail "(< counted, > exported and read)"
}

json()
{
	dwell export --to json -o traced.json traced.dwell
	dwell export --to json -o odd.json odd.folded
	in_file json traced.json > got
	columns traced.truth function calls self_ns | LC_ALL=C sort > want
	diff want got || fail "(< counted, > in the file)"
	node -e '
		const odd = JSON.parse(require("fs").readFileSync("odd.json"))
		process.exitCode = odd.tree.rows.length == 8 && odd.dwell_export == 1 ? 0 : 1' || fail "odd names"
}

# doc/json.md names each key, and no other.
json_keys()
{
	"$BUILD/tracegen" -o zoo.dwell --zoo
	dwell export --to json -o zoo.json zoo.dwell || true # something is missing in it, which is a warning
	dwell export --to json -o sampled.json sampled.dwell
	"$BUILD/tracegen" --program "$program" --functions 8 --events 2000 --throttled 5 -o throttled.dwell > /dev/null
	dwell export --to json -o throttled.json throttled.dwell || true
	node "$ROOT/test/e2e/read/npm/json_keys.mjs" "$ROOT/doc/json.md" zoo.json sampled.json throttled.json traced.json odd.json
}

# fold_script < TEXT OF PERF SCRIPT > STACKS. A frame is a tab, an address, a name, a place in it; the innermost comes first.
fold_script()
{
	awk '
	/^[^\t]/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) period = $(i + 1); path = ""; next }
	NF { name = $2; sub(/\+0x[0-9a-f]+$/, "", name); path = path == "" ? name : name ";" path; next }
	path != "" { print path, period; path = "" }'
}

# What perf prints of a program that counts for itself, and what dwell reads: the same sums.
perf_script()
{
	compile shares shares.c -g -fno-omit-frame-pointer -fno-instrument-functions
	perf record -q -g -F 2000 -o perf.data ./shares 10000 > /dev/null 2> perf.err
	perf script -i perf.data > app.perf.txt 2> /dev/null
	# Periods of samples by their first frame. A frame is a tab, an address, a name, a place in it.
	awk '
	/^[^\t]/ { for (i = 1; i <= NF; i++) if ($i ~ /^[0-9]+\.[0-9]+:$/) period = $(i + 1); first = 1; next }
	first && NF { name = $2; sub(/\+0x[0-9a-f]+$/, "", name); if (name ~ /^share_/) sum[name] += period; first = 0 }
	END { for (name in sum) printf "%s\t%.0f\n", name, sum[name] }' app.perf.txt | LC_ALL=C sort > want
	[ "$(wc -l < want)" -ge 3 ] || fail "perf saw nothing" "$(cat perf.err; head -20 app.perf.txt)"
	# The file itself: packed or not, from a pipe, and as perf writes it into one.
	dwell tree --csv perf.data > direct.csv
	columns direct.csv function self | awk -F '\t' '$1 ~ /^share_/ { sum[$1] += $2 } END { for (name in sum) if (sum[name]) printf "%s\t%.0f\n", name, sum[name] }' |
		LC_ALL=C sort > got
	diff want got || fail "(< in the text, > in the file)"
	dwell tree --csv - < perf.data | cmp - direct.csv && cat perf.data | dwell tree --csv - | cmp - direct.csv || fail "a pipe"
	dwell diff perf.data perf.data > same.txt || fail "diff"
	for way in "-z -o other.data" "-o -"; do
		perf record -q -g -F 2000 $way sh -c 'exec ./shares 10000 > /dev/null' > streamed.data 2> perf.err
		[ -e other.data ] && mv other.data streamed.data
		perf script -i streamed.data 2> /dev/null | fold_script | dwell report --csv - > text.csv 2> err || fail "$(cat err)"
		dwell tree --csv streamed.data > direct.csv
		columns text.csv function self | awk -F '\t' '$1 ~ /^share_/ && $2' | LC_ALL=C sort > want
		columns direct.csv function self | awk -F '\t' '$1 ~ /^share_/ { sum[$1] += $2 } END { for (name in sum) if (sum[name]) printf "%s\t%.0f\n", name, sum[name] }' |
			LC_ALL=C sort > got
		[ "$(wc -l < want)" -ge 3 ] || fail "$way: perf saw nothing" "$(cat perf.err err; head -20 text.csv)"
		diff want got || fail "$way: (< in the text, > in the file)"
	done
}

# perf script prints the samples of all events; dwell shows one, the first that has any.
perf_events()
{
	perf record -q -g -F 499 -e alignment-faults,cpu-clock,task-clock -o events.data ./shares 10000 > /dev/null 2> perf.err
	perf record -q -g -F 499 -e alignment-faults,cpu-clock,task-clock -o - ./shares 10000 > events.pipe 2> perf.err
	for file in events.data events.pipe; do
		for event in cpu-clock task-clock; do
			perf script -i "$file" -F event,period 2> /dev/null | awk -v event="$event" '$2 ~ "^" event { sum += $1 } END { printf "%.0f\n", sum }' > want
			dwell tree --csv --event "$event" "$file" | columns /dev/stdin self | awk '{ sum += $1 } END { printf "%.0f\n", sum }' > got
			[ "$(cat want)" != 0 ] && cmp want got || fail "$file, $event" "$(cat perf.err want got)"
		done
		dwell report "$file" > report.txt
		grep -q '(cpu-clock; also in the file: task-clock)$' report.txt || fail "$file" "$(head -3 report.txt)"
		dwell report - < "$file" > piped.txt
		sed 1d report.txt > want
		sed 1d piped.txt | diff want - || fail "$file through standard input"
		cat "$file" | dwell report - 2> err | sed 1d | diff want - || fail "$file through a pipe" "$(cat err)"
	done
}

speedscope_viewer()
{
	export BROWSER_MODULE=$ROOT/test/e2e/read/html/browser.mjs
	dwell export --to speedscope -o sums.speedscope odd.folded
	timeout 60 node "$ROOT/test/e2e/read/npm/viewer.mjs" sums.speedscope odd.folded 2> err || fail "$(cat err)"
}

# A profile for each clock, which is that of dwell report, and these of each thread, which add up to it but for what rounding each path makes.
speedscope_profiles()
{
	local time
	threads
	report_csv threads
	dwell export --to speedscope -o threads.speedscope threads.dwell
	node "$ROOT/test/e2e/read/npm/check.mjs" speedscope threads.speedscope profiles > profiles
	for time in "wall-clock time:self_ns" "CPU time:self_cpu_ns"; do
		columns threads.csv function "${time#*:}" | awk -F '\t' '$1 != "(outside)" && $2 > 0' | LC_ALL=C sort > want
		[ -s want ] || [ "${time#*:}" = self_cpu_ns ] || fail "no times" "$(cat threads.csv)"
		awk -F '\t' -v profile="threads.dwell, ${time%:*}" '$1 == profile { print $2 "\t" $3 }' profiles | LC_ALL=C sort > got
		diff want got || fail "${time%:*}: (< reported, > in the file)"
		awk -F '\t' -v time=", ${time%:*}" '
			$1 == "threads.dwell" time { left[$2] += $3; next }
			substr($1, length($1) - length(time) + 1) == time { left[$2] -= $3; threads += !seen[$1]++ }
			END { for (name in left) { bad += left[name] < -4 || left[name] > 4; n++ } exit bad || (n && threads != 2) }' profiles ||
			fail "${time%:*} of the threads" "$(cat profiles)"
	done
	grep -q '^threads.dwell, helper, ' profiles || fail "helper has no profile" "$(cat profiles)"
}

# A profile that a library of others wrote.
pprof_of_others()
{
	node "$ROOT/test/e2e/read/npm/make.mjs" > theirs.pprof
	dwell report --csv theirs.pprof > theirs.csv
	columns theirs.csv function total self > got
	printf 'main\t4000000\t1000000\nwork\t3000000\t3000000\n' | sort -k 3nr > want
	diff want got || fail "(< written, > reported)"
}

if ! command -v perf > /dev/null; then
	skip "perf.data" "perf is not installed"
elif ! perf record -q -o /dev/null true > /dev/null 2>&1; then
	skip "perf.data" "perf is not permitted to record"
else
	test_that "perf.data: what perf script prints of it is what is reported" perf_script
	test_that "perf.data: one of several events is reported, and the others are named" perf_events
fi
if command -v callgrind_annotate > /dev/null; then
	all callgrind ""
else
	skip callgrind "callgrind_annotate is not installed"
fi
if command -v gprof > /dev/null; then
	test_that "gmon: calls, and times to gprof's last digit" gmon
	test_that "gmon.out of a program with -pg is what gprof says" gmon_out
else
	skip gmon "gprof is not installed"
fi
if command -v protoc > /dev/null; then
	test_that "perfetto: what was counted, on each thread" perfetto
	test_that "perfetto: what threads did off the CPU" perfetto_states
	test_that "perfetto: samples in time, as long as tree says" samples_in_time perfetto
else
	skip perfetto "protoc is not installed"
fi
if ! command -v node > /dev/null || ! command -v npm > /dev/null; then
	skip "pprof, speedscope" "node and npm are not installed"
	done_testing
	exit 0
fi
test_that "json: one object with all of the report" json
test_that "json: its keys are those of its document" json_keys
formats="$(command -v protoc > /dev/null && echo perfetto) $(command -v callgrind_annotate > /dev/null && echo callgrind)"
# shellcheck disable=SC2086
test_that "names of a hostile program: folded, gmon, json $formats" hostile_names folded gmon json $formats
test_that "a full disk leaves no half file, in any format" full_disk
cp "$ROOT"/test/e2e/read/npm/package*.json .
if timeout 90 npm ci --ignore-scripts --no-audit --no-fund > npm.log 2>&1; then
	all pprof yes
	test_that "pprof: a profile that others wrote" pprof_of_others
	test_that "names of a hostile program, in all formats that node reads" hostile_names pprof speedscope
	all speedscope ""
	test_that "speedscope: by both clocks, and by thread" speedscope_profiles
	if command -v chromium > /dev/null; then
		test_that "speedscope: its own viewer takes it" speedscope_viewer
	else
		skip "speedscope's viewer" "chromium is not installed"
	fi
else
	skip "pprof, speedscope" "what reads and writes them cannot be fetched"
fi
done_testing
