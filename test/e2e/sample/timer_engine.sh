#!/bin/bash
# Takes long, so test/run begins with it.
# Programs that are sampled by timers from within, as where perf events are refused.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--engine=timer

if ! compile shares shares.c -g -DROUND_NS_MIN=40000 || ! compile bursts bursts.c -g || ! compile refuse refuse.c || ! compile workload workload.c; then
	echo "Bail out! no compiler"
	exit 1
fi
if [ ! -e "$BUILD/libdwell-timer.so" ]; then
	skip "timers" "no libdwell-timer.so was built"
	done_testing
	exit 0
fi

# says_nothing NAME: nothing was lost, nothing is unsure
says_nothing()
{
	[ ! -s "$1.err" ] || fail "$(cat "$1.err")"
}

# half FILE: so many of its samples count (near)
half()
{
	echo $(($(samples "$1") / 2))
}

# The workload knows its truth, to a tenth of a point.
known_shares()
{
	record known ./workload shares 1.5
	mv known.out known.truth
	says_nothing known
	of_samples report known.dwell > known.txt
	cat known.truth
	head -20 known.txt
	grep -q 'taken by timers from within the program, at random distances' known.txt || fail "which engine?"
	total=$(awk '$1 == "total" { print $2 }' known.truth)
	for name in share_74 share_20 share_5 share_1; do
		true=$(awk -v name=$name -v all="$total" '$1 == name { print 100 * $2 / all }' known.truth)
		read -r _ found from to _ <<< "$(share known.dwell $name)"
		near "$true" "$found" "$(half known.dwell)" $name
		fits "$found" "$from" "$to" "$(samples known.dwell)" $name
	done
	fit_together
	between 90 "$(sed -n 's/.*the samples cover \([0-9.]*\) %.*/\1/p' known.txt)" 110 "what the samples stand for"
	between 800 "$(sed -n 's/.*got \([0-9.]*\).*/\1/p' known.txt)" 1200 "rate"
}

# What runs right behind a wait has its share, and no more: 600 samples of rounds of 3 ms know it to 2 points. And waits are no samples: what these
# stand for would be more than there was.
behind_waits()
{
	for how in "200 3 4000 sleep" "200 3 4000 pipe" "600 1 500 pipe"; do
		# shellcheck disable=SC2086
		record bursts ./bursts $how
		true=$(sed -n 's/^early //p' bursts.out)
		read -r _ early _ <<< "$(share bursts.dwell early)"
		read -r _ late _ <<< "$(share bursts.dwell late)"
		found=$(awk -v e="$early" -v l="$late" 'BEGIN { print 100 * e / (e + l) }')
		echo "$how: true $true, found $found"
		near "$true" "$found" "$(half bursts.dwell)" "early, $how"
		between 90 "$(dwell report bursts.dwell | sed -n 's/.*the samples cover \([0-9.]*\) %.*/\1/p')" 110 "what the samples stand for, $how,"
	done
}

waits_are_long()
{
	compile patient patient.c
	record patient ./patient
	cat patient.out
	grep -qx '16 of 16' patient.out || fail "waits that ended too early, of a program that looked for that"
	dwell report --csv patient.dwell | grep -q '^work,' || fail "no samples"
}

threads()
{
	record many ./shares 8000 4
	says_nothing many
	[ "$(dwell dump --layout many.dwell | awk '$3 == "SAMPLES" { print $4 }' | sort -u | wc -l)" -ge 4 ] || fail "$(dwell info many.dwell)"
	# The first thread waits for the four, and is there with no sample or with a few.
	[ "$(dwell info many.dwell | sed -n '/^threads/,/^$/p' | grep -c 'shares.*ended')" -ge 4 ] || fail "$(dwell info many.dwell)"
	near 74 "$(share many.dwell share_74 | cut -d " " -f 2)" "$(half many.dwell)" "share_74"
	dwell report many.dwell | grep "^callers:" > callers
	awk '{ exit !($2 >= 98) }' callers || fail "$(cat callers)"
	dwell tree many.dwell | grep -q "work" || fail "$(dwell tree many.dwell)"
	# Distances are random: a thread of 5 ms has no sample in one case of 150.
	record storm ./workload storm
	count=$(dwell dump --layout storm.dwell | awk '$3 == "SAMPLES" { print $4 }' | sort -u | wc -l)
	[ "$count" -ge 185 ] || fail "$count threads with samples, of 200"
	[ "$(dwell info storm.dwell | sed -n '/^threads/,/^$/p' | grep -c ended)" -ge 200 ] || fail "threads: $(dwell info storm.dwell)"
	compile ends_of_threads thread_ends.c
	record ends ./ends_of_threads
	[ "$(cat ends.status)" = 0 ] || fail "status $(cat ends.status)" "$(cat ends.err)"
	for name in returns exits cancelled; do
		dwell info ends.dwell | grep -q " $name .*ended" || fail "$name" "$(dwell info ends.dwell)"
	done
}

stacks()
{
	record sorted ./shares 2000 0 sort
	dwell report sorted.dwell | grep "^callers:" > callers
	awk '{ exit !($2 >= 98) }' callers || fail "$(cat callers)"
	dwell tree sorted.dwell | grep -q "by_number" || fail "nothing behind qsort" "$(dwell tree sorted.dwell)"
	RECORD_OPTIONS="--engine=timer --no-stacks" record leaf ./shares 2000
	dwell report leaf.dwell | grep -q "callers were not looked for" || fail "--no-stacks"
}

# fork, exec, vfork, SIGKILL, what is left behind; a library that is opened late. The processes live long enough that their start, which this
# engine does not see, is next to nothing on slow machines, too.
processes()
{
	cat > forks.c <<-'END'
	#include <signal.h>
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <unistd.h>
	#define SPIN(name) __attribute__((noipa)) static void name(void) { for (volatile long i = 0; i < 150000000; i++) ; }
	SPIN(in_parent)
	SPIN(in_child)
	SPIN(in_killed)
	int main(void)
	{
		if (fork() == 0) { in_child(); _exit(0); }
		if (fork() == 0) { in_killed(); raise(SIGKILL); }
		if (fork() == 0) { execl("./shares", "shares", "5000", (char *)0); _exit(1); }
		in_parent();
		while (wait(NULL) > 0) ;
		return system("./shares 5000; exit 5") == 0x500 ? 0 : 1;
	}
	END
	gcc -O2 -g forks.c -o forks
	record forks ./forks
	[ "$(cat forks.status)" = 0 ] || fail "status $(cat forks.status)" "$(cat forks.err)"
	says_nothing forks
	of_samples report --csv forks.dwell > forks.csv
	for name in in_parent in_child in_killed share_74; do
		columns forks.csv function samples | grep -q "^$name	[1-9]" || fail "$name" "$(cat forks.csv)"
	done
	dwell info forks.dwell > forks.info
	[ "$(sed -n '/^processes/,/^$/p' forks.info | grep -cE '/shares( |$)')" = 2 ] || fail "$(cat forks.info)"
	cat > leaves.c <<-'END'
	#include <unistd.h>
	__attribute__((noinline)) static void left_behind(void) { for (volatile long i = 0; i < 100000000; i++) ; }
	int main(void) { if (fork() == 0) { usleep(50000); left_behind(); } return 0; }
	END
	gcc -O2 -g leaves.c -o leaves
	record left ./leaves
	grep -q 'left 1 process behind, still sampled' left.err || fail "$(cat left.err)"
	dwell report --csv left.dwell | columns /dev/stdin function samples | grep -q '^left_behind	[1-9]' || fail "$(dwell report left.dwell)"
	echo 'void in_library(void); void in_library(void) { for (volatile long i = 0; i < 300000000; i++) ; }' > late.c
	cat > opens.c <<-'END'
	#include <dlfcn.h>
	int main(void) { void *library = dlopen("./late.so", RTLD_NOW); ((void (*)(void))dlsym(library, "in_library"))(); return dlclose(library); }
	END
	gcc -O2 -g -shared -fPIC late.c -o late.so
	gcc -O2 -g opens.c -o opens -ldl
	record opens ./opens
	dwell report --csv opens.dwell | columns /dev/stdin function samples | grep -q '^in_library	[1-9]' || fail "$(dwell report opens.dwell)"
}

# Libraries that are put where another one was, and that one again: each has its own samples. By perf events, too.
by_turns()
{
	for name in a b; do
		compile lib$name.so turns.c -g -shared -fPIC -DLIBRARY=in_$name
	done
	compile turns turns.c -ldl
	for engine in timer perf; do
		RECORD_OPTIONS="--sample --engine=$engine" record turns ./turns 20
		cat turns.out
		! grep -q 'cannot be sampled' turns.err || continue
		[ "$(cat turns.status)" = 0 ] || fail "status $(cat turns.status)" "$(cat turns.err)"
		for name in in_a in_b; do
			between 30 "$(share turns.dwell $name | cut -d " " -f 2)" 70 "$engine: share of $name"
		done
	done
}

ends()
{
	RECORD_OPTIONS="--engine=timer -F 1" record nothing true
	[ "$(cat nothing.status)" = 0 ] && grep -q 'no sample was taken: the program used less than 1 s of CPU time' nothing.err ||
		fail "$(cat nothing.err)"
	record status sh -c 'exit 7'
	[ "$(cat status.status)" = 7 ] || fail "status $(cat status.status)"
	record killed sh -c './shares 2000; kill -9 $$'
	[ "$(cat killed.status)" = 137 ] && dwell report --csv killed.dwell | grep -q '^share_74,' || fail "killed: $(cat killed.status)"
	RECORD_OPTIONS="--engine=timer --for 300ms" record part sh -c './shares 3000; sleep 0.5; ./shares 3000; echo done; exit 9'
	grep -q done part.out && [ "$(cat part.status)" = 9 ] || fail "--for: $(cat part.status)"
	grep -q "the recording has ended, and the program goes on" part.err || fail "$(cat part.err)"
	# Who samples is killed: the program goes on, to its end.
	"$DWELL" record --engine=timer -o gone.dwell sh -c './shares 20000; echo $? > gone.end' &
	pid=$!
	for _ in $(seq 1000); do
		[ -s gone.dwell ] && pgrep -P $pid > /dev/null && break
		sleep 0.05
	done
	sleep 0.3
	kill -9 $pid
	for _ in $(seq 600); do
		[ -s gone.end ] && break
		sleep 0.1
	done
	[ "$(cat gone.end)" = 0 ] || fail "the program after record: $(cat gone.end)"
}

rates()
{
	for how in "100 40000" "4000 20000"; do
		read -r hz rounds <<< "$how"
		RECORD_OPTIONS="--engine=timer -F $hz" record rate ./shares "$rounds"
		rate=$(dwell report rate.dwell | sed -n 's/.*got \([0-9]*\).*/\1/p')
		echo "asked for $hz, got $rate"
		# Taking a sample comes on top of the distance to the next one: up to 100 us where system calls are slow.
		awk -v asked="$hz" -v got="$rate" -v n="$(samples rate.dwell)" 'BEGIN { off = 0.15 + 5 / sqrt(n); exit !(got > asked / (1 + asked * 100e-6) * (1 - off) && got < asked * (1 + off)) }' ||
			fail "rate"
		near 74 "$(share rate.dwell share_74 | cut -d " " -f 2)" "$(half rate.dwell)" "share_74"
	done
	dwell record --engine=eyes true 2> err && fail "--engine=eyes"
	grep -q -- "--engine 'eyes': expected perf or timer" err || fail "$(cat err)"
}

signals()
{
	compile own own_signal.c -g
	for how in handles default ignores blocks waits timer; do
		record $how ./own $how
		dwell report --csv $how.dwell | columns /dev/stdin function samples | grep -q '^work	[1-9]' || fail "$how: no samples" "$(cat $how.err)"
		echo "$how: $(cat $how.status), $(tr '\n' ';' < $how.out)"
	done > found
	diff - found <<-'END'
	handles: 0, timers 0;mine 1, got 1, by raise 1;
	default: 189, works;
	ignores: 0, works;goes on;
	blocks: 0, done;
	waits: 0, sigwait SIGUSR1;
	timer: 0, SIGPROF 1;
	END
	between 12 "$(share blocks.dwell work | cut -d " " -f 1)" 10000 "samples of a thread that blocks all signals"
}

# A container's filter; what cannot be given a library.
refused()
{
	RECORD_OPTIONS=--engine=timer
	./refuse 13 "$DWELL" record -o auto.dwell ./shares 10000 2> auto.err || fail "status $?" "$(cat auto.err)"
	grep -q 'sampled by timers from within the program, as perf events are refused: perf_event_open is refused' auto.err || fail "$(cat auto.err)"
	dwell report auto.dwell | grep -q 'timers from within the program' || fail "$(dwell report auto.dwell)"
	near 74 "$(share auto.dwell share_74 | cut -d " " -f 2)" "$(half auto.dwell)" "share_74"
	./refuse 13 "$DWELL" record --engine=perf -o perf.dwell ./shares 10 2> perf.err && fail "perf, and status 0"
	grep -q 'cannot be sampled: perf_event_open is refused' perf.err && ! grep -q timers perf.err || fail "$(cat perf.err)"
	[ ! -e perf.dwell ] || fail "a file of nothing"
	./refuse 13 "$DWELL" attach --sample $$ 2> attach.err && fail "attach, and status 0"
	grep -q 'cannot be sampled: perf_event_open is refused' attach.err || fail "$(cat attach.err)"
	"$DWELL" attach --engine=timer $$ 2> attach.err && fail "attach by timers, and status 0"
	grep -q 'timers are only in programs that dwell record starts' attach.err || fail "$(cat attach.err)"
	compile static shares.c -static -DROUND_NS_MIN=40000 || return 0
	./refuse 13 "$DWELL" record -o static.dwell ./static 100 2> static.err && fail "static, and status 0"
	grep -q 'nor by timers from within: it is linked statically' static.err || fail "$(cat static.err)"
	record static_timer ./static 100
	grep -q 'cannot be sampled: it is linked statically' static_timer.err || fail "$(cat static_timer.err)"
	record unseen sh -c './static 3000'
	dwell report unseen.dwell > unseen.txt 2>&1 || true
	! grep -q share_74 unseen.txt || fail "a static program in samples"
	if [ "$(id -u)" = 0 ]; then
		cp shares other
		chown 1 other
		chmod 4755 other
		record setuid ./other 100
		grep -q 'cannot be sampled: it runs as another user (set-uid)' setuid.err || fail "$(cat setuid.err)"
	fi
}

# Its own numbers and its own clock are not record's.
in_namespaces()
{
	for namespaces in "--time --monotonic 1000000" "--time --monotonic -100 --pid --fork" "--pid --fork"; do
		rm -f inside.dwell
		# shellcheck disable=SC2086
		record inside unshare $namespaces ./shares 4000
		of_samples report inside.dwell > inside.txt || fail "$namespaces: report" "$(cat inside.txt inside.err)"
		head -8 inside.txt
		grep -Eq '^begun .*, [0-9.]+ (ms|s) by the clock' inside.txt || fail "$namespaces: by the clock"
		near 74 "$(share inside.dwell share_74 | cut -d " " -f 2)" "$(samples inside.dwell)" "$namespaces: share_74"
	done
}

test_that "known shares are in their intervals" known_shares
test_that "what runs behind a wait has its share" behind_waits
test_that "waits take their time" waits_are_long
test_that "threads, short ones, and how they end" threads
test_that "callers" stacks
test_that "fork, exec, what is left behind, a library opened late" processes
test_that "libraries by turns in one place" by_turns
test_that "ends: at once, by a signal, --for, without record" ends
test_that "rates" rates
test_that "the program's own use of the signal" signals
if unshare --time --pid --fork true 2> /dev/null; then
	test_that "in namespaces" in_namespaces
else
	skip "in namespaces" "none can be made here"
fi
test_that "perf events refused; programs that take no library" refused
done_testing
