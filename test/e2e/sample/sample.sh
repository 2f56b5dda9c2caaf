#!/bin/bash
# Takes long, so test/run begins with it.
# Measures time: its samples are compared with shares that are known.
# Programs without hooks, sampled: shares that are known, callers, threads, and what is said of them.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample

if ! compile shares shares.c -g -DROUND_NS_MIN=40000 || ! compile workload workload.c; then
	echo "Bail out! no compiler"
	exit 1
fi
record one ./shares 60000
if grep -q "perf" one.err; then
	skip "samples" "$(head -1 one.err)"
	done_testing
	exit 0
fi

# Shares are true, and the intervals around them neither wider nor narrower than so many samples make them.
known_shares()
{
	all=$(samples one.dwell)
	for pair in share_74:74 share_20:20 share_5:5 share_1:1; do
		read -r count found from to _ <<< "$(share one.dwell ${pair%:*})"
		echo "${pair%:*}: $found % ($from to $to) of $count samples"
		near "${pair#*:}" "$found" "$all" "${pair%:*}"
		fits "$found" "$from" "$to" "$all" "${pair%:*}"
	done
	fit_together
	dwell report --csv one.dwell | head -1 | grep -q ',samples,self_percent,self_low,self_high,total_percent,' || fail "header"
}

callers()
{
	record sorted ./shares 2000 0 sort
	dwell tree --csv sorted.dwell > tree.csv || fail "tree: $?"
	columns tree.csv depth function > tree
	dwell report sorted.dwell | grep "^callers:" > callers
	cat callers
	awk '{ exit !($2 >= 98) }' callers || fail "stacks are not complete"
	# What is above what, whatever is between them, and nothing else: share_1 is below by_number, which main calls through libc, and below work.
	for pair in "main work" "work share_74" "work share_20" "main by_number" "by_number share_1"; do
		awk -F '\t' -v above="${pair% *}" -v below="${pair#* }" '{ at[$1] = $2; if ($2 == below) for (i = 0; i < $1; i++) if (at[i] == above) found = 1 }
			END { exit !found }' tree || fail "$pair" "$(dwell tree sorted.dwell)"
	done
	awk -F '\t' '{ at[$1] = $2; if ($2 == "share_74" || $2 == "share_20" || $2 == "share_5") { n++; bad += at[$1 - 1] != "work" } }
		END { exit !(n && !bad) }' tree || fail "not called by work" "$(cat tree)"
}

threads()
{
	record many ./shares 15000 4
	[ "$(dwell info many.dwell | sed -n '/^threads/,/^$/p' | grep -c shares)" = 5 ] || fail "threads" "$(dwell info many.dwell)"
	near 74 "$(share many.dwell share_74 | cut -d " " -f 2)" "$(samples many.dwell)" "share_74"
}

# The rate that was asked for, and the status of the program.
rates()
{
	for hz in 100 4000; do
		RECORD_OPTIONS="--sample -F $hz" record rate ./shares 20000
		rate=$(dwell report rate.dwell | sed -n 's/.*got \([0-9]*\).*/\1/p')
		echo "asked for $hz, got $rate"
		[ "$rate" -gt $((hz * 80 / 100)) ] && [ "$rate" -lt $((hz * 120 / 100)) ] || fail "rate"
	done
	for bad in 0 20001 x ''; do
		dwell record -F "$bad" ./shares 2> err && fail "-F $bad"
		grep -q "expected a number from 1 to 20000" err || fail "$(cat err)"
	done
	RECORD_OPTIONS=--sample record status sh -c 'exit 7'
	[ "$(cat status.status)" = 7 ] || fail "status $(cat status.status)"
}

# What is sampled without being asked for, and what is traced.
chosen()
{
	RECORD_OPTIONS="" record bare ./shares 1000
	grep -qx "dwell: ./shares: no hooks: sampled at 997 Hz; with --trace, .*" bare.err || fail "$(cat bare.err)"
	dwell info bare.dwell | grep -q "^mode  *samples" || fail "no samples"
	HOOKS=-finstrument-functions compile hooked basic.c
	for how in "./hooked 1" "env ./hooked 1" "sh -c ./hooked\ 1;true"; do
		IFS=' ' read -r -a words <<< "${how//\\ /_}"
		RECORD_OPTIONS="" record traced "${words[@]//_/ }"
		[ ! -s traced.err ] || fail "$how:" "$(cat traced.err)"
		dwell report --csv traced.dwell | head -1 | grep -q calls || fail "$how is not traced"
	done
	# A hooked library below a main program that has none.
	echo 'int lib(int x); int lib(int x) { return x + 1; }' > lib.c
	echo 'int lib(int x); int main(void) { return lib(0) - 1; }' > main.c
	gcc -O2 -finstrument-functions -shared -fPIC lib.c -o liblib.so
	gcc -O2 main.c -o with_lib -L. -llib -Wl,-rpath,'$ORIGIN'
	RECORD_OPTIONS="" record lib ./with_lib
	dwell report --csv lib.dwell | grep -q "^lib,1" || fail "library: $(cat lib.err)" "$(dwell report lib.dwell)"
	printf '#!/bin/sh\nexit 3\n' > script
	chmod +x script
	RECORD_OPTIONS="" record script ./script
	[ "$(cat script.status)" = 3 ] && grep -q 'script: no hooks' script.err || fail "script: $(cat script.err)"
	for both in "--sample --ring=1M" "--trace -F 100"; do
		# shellcheck disable=SC2086
		dwell record $both true 2> err && fail "$both"
		grep -q 'one or the other' err || fail "$both: $(cat err)"
	done
}

# A process that runs: its threads, what it starts, and until when.
attached()
{
	./shares 400000 3 &
	pid=$!
	has_begun $pid shares 4
	dwell attach --for 700ms -o at.dwell $pid 2> at.err || fail "status $?" "$(cat at.err)"
	grep -qx "dwell: process $pid: no agent in it: sampled at 997 Hz; with --trace, each of its calls is recorded" at.err || fail "$(cat at.err)"
	dwell info at.dwell > at.info
	[ "$(sed -n '/^threads/,/^$/p' at.info | grep -c shares)" = 4 ] || fail "threads" "$(cat at.info)"
	grep -q "$pid .*shares 400000 3" at.info || fail "command line" "$(cat at.info)"
	near 74 "$(share at.dwell share_74 | cut -d " " -f 2)" "$(samples at.dwell)" "share_74" || fail "$(dwell report at.dwell)"
	dwell report at.dwell | grep -q "callers: 100.0 % complete" || fail "callers" "$(dwell report at.dwell)"
	dwell attach --sample $$ --for 10ms -o idle.dwell 2> idle.err && fail "nothing was sampled, and status 0"
	grep -q "no sample was taken" idle.err || fail "$(cat idle.err)"
}

ends_in_time()
{
	# --for: the program goes on, and its status is passed through.
	RECORD_OPTIONS="--for 200ms" record part sh -c 'sleep 0.5; echo done; exit 9'
	grep -q done part.out && [ "$(cat part.status)" = 9 ] || fail "--for: $(cat part.status)"
	grep -q "the recording has ended, and the program goes on" part.err || fail "$(cat part.err)"
}

# 200 threads that live 5 ms each: each of them has samples. The chunk of one is its own.
storm()
{
	record storm ./workload storm
	[ "$(cat storm.status)" = 0 ] || fail "$(cat storm.err)"
	cat > become.c <<-'END'
	#include <stdio.h>
	#include <stdlib.h>
	#include <time.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		struct timespec now, begin;
		char left[16];
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
		do
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
		while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < 3000000);
		snprintf(left, sizeof left, "%d", argc > 1 ? atoi(argv[1]) - 1 : 0);
		return atoi(left) > 0 ? execl(argv[0], argv[0], left, (char *)0) : 0;
	}
	END
	gcc -O2 become.c -o become
	threads=$(dwell dump --layout storm.dwell | awk '$3 == "SAMPLES" { print $4 }' | sort -u | wc -l)
	[ "$threads" -ge 200 ] || fail "$threads threads with samples"
	# What the system counts is what the samples stand for: of one thread, of many whose last sample is long before their end (a fifth of a
	# life of five samples), and of one that becomes another program again and again, while its timers run on.
	record whole ./shares 20000
	record become ./become 100
	for one in whole storm become; do
		found=$(dwell report $one.dwell | sed -n 's/.*the samples stand for \([0-9.]*\) %.*/\1/p')
		echo "$one: $found %"
		between 88 "$found" 112 "what the samples of $one stand for"
	done
}

# Each program of a chain has its own name and functions; what a program leaves behind is sampled to its end.
processes()
{
	cat > chain.c <<-'END'
	#include <unistd.h>
	__attribute__((noinline)) static void in_chain(void) { for (volatile long i = 0; i < 50000000; i++) ; }
	int main(int argc, char **argv) { in_chain(); (void)argc; return execv(argv[1], argv + 1); }
	END
	gcc -O2 -g chain.c -o chain
	record chain ./chain ./shares 4000
	dwell info chain.dwell > chain.info
	sed -n '/^processes/,/^$/p' chain.info | grep -q '/chain ' && sed -n '/^processes/,/^$/p' chain.info | grep -q '/shares ' ||
		fail "$(cat chain.info)"
	dwell report --csv chain.dwell > chain.csv
	grep -q '^in_chain,' chain.csv && grep -q '^share_74,' chain.csv || fail "$(cat chain.csv)"
	cat > leaves.c <<-'END'
	#include <unistd.h>
	__attribute__((noinline)) static void left_behind(void) { for (volatile long i = 0; i < 200000000; i++) ; }
	int main(void) { if (fork() == 0) { usleep(50000); left_behind(); } return 0; }
	END
	gcc -O2 -g leaves.c -o leaves
	record left ./leaves
	grep -q 'left 1 process behind, still sampled' left.err || fail "$(cat left.err)"
	dwell report --csv left.dwell | grep -q '^left_behind,' || fail "$(dwell report left.dwell)"
	! dwell report left.dwell | grep -q 'the system counts' || fail "what nobody waits for is in no count"
}

# A program that is over at once; one that runs as another user; as a user who may not look into the kernel.
little()
{
	RECORD_OPTIONS="-F 1" record nothing true
	[ "$(cat nothing.status)" = 0 ] && grep -q 'no sample was taken: the program used less than 1 s of CPU time; a higher rate' nothing.err ||
		fail "$(cat nothing.err)"
	RECORD_OPTIONS="--sample -F 1 --for 1ns" record short true
	[ "$(cat short.status)" = 0 ] && grep -q 'the recording was too short: 1 ns, and there is a sample every 1 s of CPU time' short.err ||
		fail "$(cat short.err)"
	dwell report nothing.dwell > nothing.txt || [ $? = 1 ] || fail "report: $?"
	# Not that it used little: that nothing is long enough for a sample.
	compile brief brief.c
	RECORD_OPTIONS="--sample -F 50" record briefly ./brief 400 2 thread
	grep -q 'no sample was taken, of [0-9.]* m\?s of CPU time, such as that of threads and processes that live for less than 20 ms each, of which --engine=timer, or a higher rate (-F), has samples' briefly.err ||
		fail "$(cat briefly.err)"
	RECORD_OPTIONS="--engine=timer -F 50" record briefly ./brief 400 2 thread
	dwell report --csv briefly.dwell | grep -q '^brief,' || fail "--engine=timer has none" "$(cat briefly.err)"
	[ "$(id -u)" = 0 ] || return 0
	mkdir tools
	cp "$DWELL" shares tools
	cp shares tools/other
	chmod 755 . tools
	chown 1 tools/other
	chmod 4755 tools/other
	chmod 777 tools
	cd tools
	user="setpriv --reuid 65534 --regid 65534 --clear-groups"
	$user ./dwell record --sample -o user.dwell ./shares 8000 2> user.err || fail "status $?" "$(cat user.err)"
	dwell report user.dwell > user.txt
	grep -q "share_74" user.txt && grep -q "callers: 100.0 % complete" user.txt || fail "as nobody:" "$(cat user.txt user.err)"
	! grep -q '\[kernel\]' user.txt || fail "in the kernel?" "$(cat user.txt)"
	grep -q 'outside of the kernel: the samples stand for' user.txt || fail "$(cat user.txt)"
	$user ./dwell record --sample -o other.dwell ./other 2000 2> other.err && fail "nothing can be sampled, and status 0"
	grep -q 'no sample was taken: the program runs as another user (set-uid)' other.err || fail "$(cat other.err)"
	$user ./dwell record --sample -F 50 -o below.dwell sh -c './other 20000; true' 2> below.err || true
	grep -q 'no sample was taken, of .* programs that change their user (set-uid), at which the system lets nobody look' below.err ||
		fail "$(cat below.err)"
	# Not for root either.
	./dwell record --sample -o root.dwell ./other 2000 2> root.err && fail "as root: nothing can be sampled, and status 0"
	grep -q 'program runs as another user (set-uid), and the system lets nobody look at a program that changes its user' root.err || fail "$(cat root.err)"
	./dwell record --sample -F 50 -o below.dwell sh -c './other 20000; true' 2> below.err || true
	grep -q 'no sample was taken, of .* programs that change their user (set-uid)' below.err || fail "as root:" "$(cat below.err)"
}

# A user who may lock next to no memory, and a recorder that has no time for a while: what found no room is counted, and that is said. What
# was taken and what was lost are together the CPU time that the system counts.
little_room()
{
	local program recorder status=0 user=$((60000 + $$ % 5000)) # of this test alone: what a user may lock is for all that he runs
	mkdir small
	cp "$DWELL" shares small
	chmod 755 .
	chmod 777 small
	cd small
	prlimit --memlock=0:0 setpriv --reuid $user --regid $user --clear-groups ./dwell record --sample -F 16000 -o lost.dwell ./shares 300000 > lost.out 2> lost.err &
	recorder=$!
	until program=$(pgrep -u $user -x shares) && [ "$(ticks "$program")" -ge 50 ]; do
		kill -0 $recorder || fail "it ended" "$(cat lost.err)"
		sleep 0.1
	done
	# There is room for 11,000 samples without callers, which are what is left where others want a processor, too: 0.7 s of CPU time.
	kill -STOP $recorder
	until [ "$(ticks "$program")" -ge 350 ]; do
		sleep 0.1
	done
	kill -CONT $recorder
	wait $recorder || status=$?
	cat lost.err
	[ $status = 0 ] || fail "status $status"
	dwell report lost.dwell > lost.txt && fail "report: status 0"
	head -12 lost.txt
	lost=$(sed -n 's/.*samples lost, there was no room for them: \([0-9]*\) beside \([0-9]*\) taken$/\1 \2/p' lost.err)
	[ "${lost% *}" -gt 0 ] || fail "nothing was lost"
	room=$(sed -n 's/.*this user may lock \([0-9]*\) KiB for the samples of each CPU.*/\1/p' lost.err)
	between 32 "$room" 4096 "KiB of each CPU"
	sed 's/,//g' lost.txt | grep -qx "  ${lost% *} samples* w[a-z]* lost: there was no room for [a-z]*" || fail "report"
	[ "$(dwell info --csv lost.dwell | sed -n 's/^health,,lost_samples,//p')" = "${lost% *}" ] || fail "info"
	dwell info --csv lost.dwell | awk -F , -v lost="${lost% *}" -v taken="${lost#* }" '
		$3 == "cpu_ns" { cpu = $4 } $3 == "samples" && $1 == "sampling" { samples = $4 }
		END { all = (lost + taken) / 16000; print "taken and lost", all, "s; the system counts", cpu / 1e9; exit !(samples == taken && all > 0.75 * cpu / 1e9 && all < 1.25 * cpu / 1e9) }' ||
		fail "they are not all there is"
	# The 11,000 that were kept while nobody changed their distance may be in step with the program.
	between 68 "$(share lost.dwell share_74 | cut -d " " -f 2)" 78 "share_74"
}

# The kernel itself holds samples back when there are more than it allows: that is a setting of the whole machine.
held_back()
{
	local before
	before=$(cat /proc/sys/kernel/perf_event_max_sample_rate)
	trap "echo $before > /proc/sys/kernel/perf_event_max_sample_rate" EXIT
	echo 2500 > /proc/sys/kernel/perf_event_max_sample_rate
	RECORD_OPTIONS="--sample -F 20000" record held ./shares 5000
	echo "$before" > /proc/sys/kernel/perf_event_max_sample_rate
	grep -qE 'held.dwell: the kernel held samples back, [0-9]+ times: they took too much time; a lower rate \(-F\) helps' held.err || fail "$(cat held.err)"
	dwell report held.dwell > held.txt && fail "report: status 0"
	grep -qE '^  [0-9,]+ times the operating system stopped sampling for a while$' held.txt || fail "$(cat held.txt)"
	awk '/the samples stand for/ { exit !($(NF - 3) < 95) }' held.txt || fail "the samples stand for all of it" "$(cat held.txt)"
}

# One function by parts of its code, without debug information: the first part and the last one do all of it.
split()
{
	compile halves halves.c
	record halves ./halves 100000000
	awk '$1 == "took" { took[$2] = $3; all += $3 } END { for (name in took) print name, 100 * took[name] / all }' halves.out > truth
	dwell report --split halves --intervals 3 --csv halves.dwell > split.csv
	cat truth split.csv
	[ "$(head -1 split.csv)" = interval,address,bytes,samples,percent,low,high ] || fail "header"
	awk -F , -v size="$((16#$(nm -S halves | awk '$4 == "halves" { print $2 }')))" -v begin="$(nm halves | awk '$3 == "halves" { print $1 }')" '
		NR == 2 { first = substr("0000000000000000" substr($2, 3), length($2) - 1) }
		NR > 1 { bytes += $3; sum += $5; if ($5 < $6 || $5 > $7) bad = 1 }
		END { exit bad || bytes != size || sum < 99.9 || sum > 100.1 || first != begin }' split.csv || fail "not the function's bytes, or not all of its samples"
	[ "$(awk -F , 'NR > 1 { n += $4 } END { print n }' split.csv)" = "$(share halves.dwell halves | cut -d " " -f 1)" ] || fail "samples"
	for pair in first:2 last:4; do
		true=$(awk -v name=${pair%:*} '$1 == name { print $2 }' truth)
		awk -F , -v line=${pair#*:} -v t="$true" 'NR == line { w = $7 - $6; exit !(t > $6 - w && t < $7 + w) }' split.csv || fail "${pair%:*} part"
	done
	# A hundred samples a second: how far from the truth they may be follows from how many there are.
	"$DWELL" profile o=halves.profile x=halves i=3 ./halves 300000000 > halves.profiled
	sed -n '/^Detail/,/^End/p' halves.profile
	sed -n '/^Detail/,/^End/p' halves.profile | awk -F '|' '$2 + 0 { print $2 + 0, $5, $6; all += $5 } END { print "all", all }' > parts
	all=$(awk '$1 == "all" { print $2 }' parts)
	for pair in first:1 last:3; do
		near "$(awk -v name=${pair%:*} '$1 == "took" { took[$2] = $3; all += $3 } END { print 100 * took[name] / all }' halves.profiled)" \
			"$(awk -v part=${pair#*:} '$1 == part { print $3 }' parts)" "$all" "dwell profile x=halves: ${pair%:*} part"
	done
	awk '$1 == 2 { exit !($3 < 2) }' parts || fail "dwell profile x=halves: the part between"
	dwell report --split halves halves.dwell > text || fail "text"
	grep -q "halves, in .*/halves: .* bytes in 25 intervals" text || fail "$(cat text)"
	dwell report --split main halves.dwell 2> err && fail "main has no samples"
	grep -q "no sample is in it, only in what it calls" err || fail "$(cat err)"
}

# When, how long by the clock, and how much of it on a CPU: of a program that waits, and of one that leaves another behind.
by_the_clock()
{
	local before after begun recorder program
	before=$(date +%s.%N)
	record clock sh -c 'sleep 0.7; ./shares 2000'
	after=$(date +%s.%N)
	dwell report clock.dwell > clock.txt || fail "$(cat clock.txt)"
	cat clock.txt
	dwell info --json clock.dwell > clock.json || fail "info"
	begun=$(($(sed -n 's/.*"duration_ns": \([0-9]*\).*/\1/p' clock.json) / 1000000))
	between 700 "$begun" "$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.0f", 1000 * (b - a) }')" "milliseconds by the clock"
	grep -qE '^begun [-0-9]{10} [0-9:]{8} UTC, ([0-9.]+ s|[0-9.]+ ms) by the clock, 0\.[0-9]* CPUs used on average$' clock.txt || fail "no clock"
	begun=$(date -u -d "$(sed -n 's/^begun \(.*\) UTC, .*/\1/p' clock.txt) UTC" +%s)
	[ "$begun" -ge "${before%.*}" ] && [ "$begun" -le "${after%.*}" ] || fail "begun $begun, and it was $before to $after"
	dwell info clock.dwell > clock.info || fail "info"
	grep -q "^$(sed -n 2p clock.txt)$" clock.info || fail "info has no such line"
	cut -d , -f 1,3,4 <(dwell info --csv clock.dwell) > clock.csv
	for key in samples sampled_ns cpu_ns; do
		grep -qE "^ *\"$key\": $(sed -n "s/^sampling,$key,//p" clock.csv),?$" clock.json || fail "$key" "$(cat clock.csv)"
	done
	# Threads' samples are all of them.
	[ "$(awk -F , '$1 == "threads" && $2 == "samples" { n += $3 } END { print n }' clock.csv)" = "$(sed -n 's/^sampling,samples,//p' clock.csv)" ] ||
		fail "threads"
	# What is left behind counts, by the clock, too; of a recording that was cut off the end is not known.
	record behind sh -c '(sleep 1; ./shares 500) & :'
	begun=$(($(dwell info --json behind.dwell | sed -n 's/.*"duration_ns": \([0-9]*\).*/\1/p') / 1000000))
	[ "$begun" -ge 1000 ] || fail "what was left behind took $begun ms"
	"$DWELL" record --sample -o cut.dwell ./shares 100000000 2> cut.err &
	recorder=$!
	until dwell report cut.dwell 2> /dev/null | grep -q '^begun .*by the clock'; do
		kill -0 $recorder || fail "$(cat cut.err)"
		sleep 0.1
	done
	program=$(pgrep -P $recorder)
	kill -KILL $recorder "$program"
	dwell report cut.dwell > cut.txt 2> cut.err || true
	grep -qE '^begun .* UTC, at least [0-9.]+ +m?s by the clock$' cut.txt || fail "$(cat cut.txt)"
}

# Samples reach the file soon: what a recorder that is killed takes with it is a tenth of a second, where nobody else wants the processors:
# so it is once in three times, at the least.
killed()
{
	local round
	for round in 1 2 3; do
		lose_five > killed.txt
		echo "milliseconds from the last sample to the kill:" $(cat killed.txt)
		! between -20 "$(sed -n 3p killed.txt)" 200 "milliseconds that are lost" || return 0
	done
	fail "a recorder that is killed takes more with it"
}
lose_five()
{
	local recorder program at try
	for try in 1 2 3 4 5; do
		"$DWELL" record --sample --no-stacks -o killed.dwell ./shares 100000000 2> killed.err &
		recorder=$!
		sleep "1.$try"
		program=$(pgrep -P $recorder)
		kill -KILL $recorder
		at=$(cut -d " " -f 1 /proc/uptime)
		kill -KILL "$program"
		dwell dump --csv killed.dwell 2> /dev/null | columns /dev/stdin record ticks |
			awk -v at="$at" '$1 == "sample" { last = $2 } END { printf "%.0f\n", last ? 1000 * (at - last / 1e9) : 99999 }'
	done | sort -n
}

# Stacks deeper than what is copied of them, and without callers.
stacks()
{
	cat > deep.c <<-'END'
	#include <string.h>
	__attribute__((noinline)) static long leaf(long n) { long s = 0; for (long i = 0; i < 200000; i++) { s += i ^ n; __asm__ volatile("" : "+r"(s)); } return s; }
	__attribute__((noinline)) static long deeper(int depth, long n)
	{
		char room[1500];
		memset(room, depth, sizeof room);
		__asm__ volatile("" :: "r"(room) : "memory");
		return (depth ? deeper(depth - 1, n) : leaf(n)) + room[n % 1000];
	}
	int main(void) { long s = 0; for (long i = 0; i < 1500; i++) s += deeper(70, i); return s == 1; }
	END
	gcc -O2 -g deep.c -o deep
	RECORD_OPTIONS="-F 2000" record copied ./deep
	RECORD_OPTIONS="--no-stacks" record leaves ./deep
	# 71 frames of 1.5 KiB are more than may be copied.
	dwell report --csv copied.dwell | awk -F , '$1 == "main" { found = $25 } END { print found + 0 }' > copied.main
	between 0 "$(cat copied.main)" 10 "stacks with main"
	dwell report copied.dwell | grep -q "truncated" || fail "not said" "$(dwell report copied.dwell)"
	dwell report leaves.dwell | grep -q "callers were not looked for" || fail "none" "$(dwell report leaves.dwell)"
}

test_that "known shares are in their intervals" known_shares
test_that "one function by parts" split
test_that "callers, through a library" callers
test_that "deep stacks, no callers" stacks
test_that "threads" threads
test_that "rates, and bad ones" rates
test_that "without hooks: sampled by itself" chosen
test_that "attach to a process without hooks" attached
test_that "--for" ends_in_time
test_that "200 threads of 5 ms, none missing" storm
test_that "exec, and what is left behind" processes
test_that "nothing to sample, set-uid, no permission for the kernel" little
test_that "a recorder that is killed" killed
test_that "when, and how long by the clock" by_the_clock
if [ "$(id -u)" = 0 ]; then
	test_that "little room for samples" little_room
else
	skip "little room for samples" "not root: no other user to be"
fi
if [ -n "${DWELL_TEST_SETTINGS-}" ] && [ -w /proc/sys/kernel/perf_event_max_sample_rate ]; then
	test_that "held back by the kernel" held_back
else
	skip "held back by the kernel" "changes a setting of the machine for a second: DWELL_TEST_SETTINGS=1 does it, as root"
fi
done_testing
