#!/bin/bash
# Measures time: shares of a trace beside those of samples of the same program, without recording.
# Net times on programs that nobody made for dwell, and of functions that work in few of their calls.
. "$(dirname "$0")/../lib.sh"

# traced NAME PROGRAM …: twice, since the first time makes the plan. NAME.dwell, NAME.csv, as recorded NAME.raw.csv
traced()
{
	local name=$1
	shift
	for _ in 1 2; do
		$alone "$DWELL" record --trace -o "$name.dwell" -- "$@" > "$name.out" 2> "$name.err" || fail "$(cat "$name.err")"
	done
	"$DWELL" report --csv "$name.dwell" > "$name.csv"
	"$DWELL" report --raw --csv "$name.dwell" > "$name.raw.csv"
}
# share NAME FUNCTION: whole percent.
share() { columns "$1.csv" function self_percent | awk -F '\t' -v of="$2" '$1 == of { printf "%d\n", $2 }'; }
# sum NAME COLUMN: of all functions, in whole µs.
sum() { columns "$1.csv" "$2" | awk '{ all += $1 } END { printf "%d\n", all / 1000 }'; }

seldom()
{
	for what in many few; do
		traced $what ./seldom $what
		between 75 "$(share $what many)" 97 "percent of many ($what)"
		between 2 "$(share $what other)" 22 "percent of other ($what)"
		[ "$(columns $what.csv function | head -1)" = many ] || fail "many does not lead:" "$(cat $what.csv)"
	done
}
# cpu_us COMMAND ...: µs of CPU time in the program, the middle one of three times
cpu_us()
{
	local TIMEFORMAT=%3U
	for _ in 1 2 3; do { time "$@" > /dev/null 2>&1; } 2>&1; done | sort -n | awk 'NR == 2 { printf "%d\n", 1e6 * $1 }'
}
# 120,000 calls cost some 2.4 ms, whatever the functions do: not the work, nor the time that they sleep. The middle one of three recordings.
cost()
{
	local what
	for what in slow sleep; do
		rm -f recording
		for _ in 1 2 3; do
			traced $what ./seldom $what
			sum $what self_recording_ns >> recording
		done
		between 200 "$(sort -n recording | sed -n 2p)" 20000 "µs of recording ($what)"
	done
	between 40 "$((100 * $(sum slow self_ns) / ($(cpu_us $alone ./seldom slow) + 1)))" 200 "percent of the CPU time alone are in functions"
	[ "$(sum sleep self_ns)" -gt 240000 ] || fail "$(cat sleep.csv)"
}
# Which of the ten functions with most samples have their share between from and to, by two sigma of the sampling; all programs together.
real()
{
	local name held=0 tried=0 said
	for name in perl awk xz; do
		case $name in
		perl) set -- perl -e 'my %h; for my $i (1..100000) { $h{$i % 1013} .= chr(65+$i%26) if $i =~ /[13579]$/ } print length join "", sort values %h' ;;
		awk) set -- awk 'BEGIN { for (i = 0; i < 150000; i++) a[i % 997] = a[i % 997] substr(i "", 1, 2); print length(a[1]) }' ;;
		xz) set -- xz -T1 -1 -c "$BUILD/dwell" ;;
		esac
		command -v "$1" > /dev/null || continue
		traced $name "$@"
		printf 'i=0; while [ $i -lt 4 ]; do "$@" > /dev/null; i=$((i+1)); done\n' > again.sh
		$alone "$DWELL" record --sample -F 3000 -o $name.s.dwell -- sh again.sh "$@" > /dev/null 2>&1
		# On a busy machine samples may be lost, which is said: the rest are as good.
		"$DWELL" export --to folded $name.s.dwell > $name.folded || [ $? = 1 ] || fail "export: status $?"
		said=$(python3 "$ROOT/test/e2e/read/real_shares.py" $name.csv $name.folded) || fail "$said"
		echo "$name: $said"
		held=$((held + ${said%% *})) tried=$((tried + ${said##* }))
	done
	[ $tried -ge 8 ] || fail "only $tried functions could be compared"
	[ $((100 * held)) -ge $((70 * tried)) ] || fail "$held of $tried shares are between from and to"
}

gcc -O2 -g "$prog/calls/seldom.c" -o seldom || exit 2
test_that "who works in few calls keeps the time" seldom
test_that "recording is what so many calls cost" cost
if "$DWELL" record --sample -o try.dwell -- ./seldom many > try.err 2>&1 && ! grep -q perf try.err; then
	test_that "shares are those of the program alone" real
else
	skip "shares are those of the program alone" "no perf events"
fi
done_testing
