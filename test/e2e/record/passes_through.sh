#!/bin/bash
# What `dwell record` leaves alone, where it writes, and what it says when it cannot.
. "$(dirname "$0")/../lib.sh"

compile through through.c
compile basic basic.c

arguments()
{
	"$DWELL" record -o a.dwell -- ./through args 'a b' '' '*' --help -o x > a.out
	printf '[%s]\n' 'a b' '' '*' --help -o x | diff - a.out
	# without --, options behind the program are the program's
	"$DWELL" record -o a.dwell ./through args -o --version > a.out
	printf '[%s]\n' -o --version | diff - a.out
}
streams()
{
	head -c 100000 /dev/urandom > input
	"$DWELL" record -o s.dwell ./through cat < input > output 2> errors
	cmp input output
	grep -qx 'copied 100000 bytes' errors || fail "$(cat errors)"
	head -c 5000 input | "$DWELL" record -o s.dwell ./through cat 2> errors | cmp - <(head -c 5000 input)
}
statuses()
{
	local status
	for status in 0 1 2 3 42 126 127 128 255; do
		"$DWELL" record -o x.dwell ./through status $status > /dev/null 2>&1 && got=0 || got=$?
		[ $got = $status ] || fail "status $got, expected $status"
	done
}
signals()
{
	local number name
	set -m # else the shell starts jobs with SIGINT ignored, for good
	for name in TERM:15 INT:2 HUP:1 USR1:10; do
		number=${name#*:}
		name=${name%:*}
		rm -f ready
		"$DWELL" record -o w.dwell ./through wait > ready 2> errors &
		pid=$!
		comes ready ready
		kill -$name "$pid"
		wait $pid && got=0 || got=$?
		[ $got = "$number" ] || fail "$name: status $got, expected $number"
		grep -qx "signal $number" ready || fail "$name: $(cat ready errors)"
		"$DWELL" report --csv w.dwell > w.csv || fail "$name: report of it: $?"
		[ "$(columns w.csv function calls | grep -c '^wait_for_signal	1$')" = 1 ] || fail "$(cat w.csv)"
	done
}
default_name()
{
	mkdir here
	cd here
	"$DWELL" record ../basic 1 > out
	[ -f basic.dwell ] || fail "no basic.dwell:" "$(ls)"
	cp basic.dwell first
	"$DWELL" record ../basic 2 > out
	cmp first basic.dwell.old
	! cmp -s first basic.dwell || fail "basic.dwell was not written anew"
	"$DWELL" record ../basic 3 > out
	! cmp -s first basic.dwell.old || fail "basic.dwell.old is not the one before"
	"$DWELL" report basic.dwell.old > /dev/null
}
# A recording is not overwritten because it cannot be put aside, and what was put aside for nothing comes back.
earlier_is_safe()
{
	mkdir safe
	cd safe
	"$DWELL" record ../basic 1 > out
	cp basic.dwell first
	mkdir basic.dwell.old
	refused 'cannot be kept as basic.dwell.old: Is a directory' ../basic 2
	cmp first basic.dwell
	rmdir basic.dwell.old
	compile nothing basic.c -static # no agent can be in it
	ln -s nothing basic
	PATH=$PWD "$DWELL" record --stream basic > out 2> errors && got=0 || got=$?
	[ $got = 2 ] || fail "status $got of a program that cannot be recorded"
	cmp first basic.dwell
	[ ! -e basic.dwell.old ] || fail "$(ls)"
	echo older > basic.dwell.old
	cp basic.dwell.old second
	PATH=$PWD "$DWELL" record --stream basic > out 2> errors || true
	cmp first basic.dwell
	cmp second basic.dwell.old
	[ "$(ls basic.dwell*)" = "$(printf 'basic.dwell\nbasic.dwell.old')" ] || fail "$(ls)"
}
found_in_path()
{
	mkdir -p bin
	cp basic bin/my-basic
	PATH=$PWD/bin:$PATH "$DWELL" record my-basic 1 > out
	[ -f my-basic.dwell ] || fail "$(ls)"
}
# refused WHAT ARGUMENTS...: status 2 and a message that holds WHAT; the program did not run
refused()
{
	local what=$1
	shift
	"$DWELL" record "$@" > refused.out 2> refused.err && got=0 || got=$?
	[ $got = 2 ] || fail "status $got, expected 2" "$(cat refused.err)"
	grep -q "^dwell: .*$what" refused.err || fail "no word about $what:" "$(cat refused.err)"
	[ ! -s refused.out ] || fail "the program ran:" "$(cat refused.out)"
}
unwritable()
{
	refused 'no/such/folder' -o no/such/folder/x.dwell ./basic 1
	mkdir -p folder
	refused 'folder' -o folder ./basic 1
	mkdir -p closed
	chmod 0 closed
	if [ "$(id -u)" = 0 ]; then
		# as nobody, who may not look into root's home, where this tree may be
		chmod 755 .
		mkdir tools
		cp "$DWELL" "$BUILD/libdwell.so.1" tools
		setpriv --reuid 65534 --regid 65534 --clear-groups tools/dwell record -o closed/x.dwell ./basic 1 > refused.out 2> refused.err && got=0 || got=$?
		[ $got = 2 ] || fail "as nobody: status $got, expected 2" "$(cat refused.err)"
		grep -q '^dwell: .*closed/x.dwell' refused.err || fail "$(cat refused.err)"
	else
		refused 'closed/x.dwell' -o closed/x.dwell ./basic 1
	fi
	chmod 755 closed
}
missing_program()
{
	refused 'no-such-program' ./no-such-program
	refused 'no-such-program' no-such-program
	echo text > text
	refused './text' ./text
	chmod +x text
	mkdir -p bin
	refused './bin' ./bin
	refused 'PROGRAM' -o x.dwell
}
full_disk()
{
	# The program runs on, its status passes through; the message names the file; what was written before can be reported.
	"$DWELL" record -o /dev/full ./basic 1 > full.out 2> full.err && got=0 || got=$?
	[ $got != 0 ] || fail "status 0"
	grep -q '^dwell: /dev/full' full.err || fail "$(cat full.err)"
}
small_disk()
{
	mkdir -p disk
	# mounted for this shell and its children only
	unshare -m bash -c 'mount -t tmpfs -o size=1m none disk && cd disk &&
		"$DWELL" record --no-pack -o small.dwell sh -c "sleep 0.005; ../basic 20; exit 3" > ../small.out 2> ../small.err
		echo $? > ../small.status
		cp small.dwell ..'
	grep -q '^dwell: small.dwell.*[Nn]o space' small.err || fail "$(cat small.err)"
	grep -q '^dwell: small.dwell: [0-9]* bytes of it, and the calls in them, could not be written to disk and are lost' small.err || fail "how much?" "$(cat small.err)"
	grep -q '^count main 1$' small.out || fail "the program did not run to its end"
	# It has its end: what came of the program, how much is missing, and that this is all.
	[ "$(cat small.status)" = 3 ] || fail "status $(cat small.status)"
	"$DWELL" dump small.dwell > small.dump 2> /dev/null || true
	grep -q ' END ' small.dump && grep -Eq 'exited with 3' <("$DWELL" info small.dwell 2> /dev/null) || fail "no end:" "$(tail -5 small.dump)"
	said=$(sed -n 's/^dwell: small.dwell: \([0-9]*\) bytes of it, and the calls.*/\1/p' small.err)
	grep -qx "health,,unwritten_bytes,$said" <("$DWELL" info --csv small.dwell 2>&1) || fail "not $said:" "$("$DWELL" info small.dwell 2>&1 | tail -3)"
	"$DWELL" report --csv small.dwell > small.csv 2> small.report.err && got=0 || got=$?
	[ $got = 1 ] || fail "report: status $got, expected 1" "$(cat small.report.err)"
	"$DWELL" report small.dwell > small.report 2> small.report.err || true
	grep -Eq 'bytes (or more )?could not be written to disk: the calls in them are missing' small.report || fail "the report does not say why:" "$(cat small.report)"
	# The rate is known from before the first event, also when record had to wait for it.
	! grep -q 'clock.s rate' small.report || fail "times without a clock:" "$(cat small.report)"
	[ "$("$DWELL" dump --layout small.dwell 2> small.dump.err | awk '$3 == "THREAD" { exit } $3 == "CLOCK" { n++ } END { print n }')" = 2 ] ||
		fail "two clock points in front of the events:" "$("$DWELL" dump --layout small.dwell 2>&1 | head -20)"
	[ "$(columns small.csv calls | awk '{ n += $1 } END { print n }')" -gt 1000 ] || fail "what was written is not reported:" "$(cat small.csv)"
}

# The disk is full, and the program goes on for long: what nobody could write is lost time, not time that never was.
full_to_the_end()
{
	cat > goes_on.c <<-'END'
		#include <stdio.h>
		#include <time.h>
		volatile int sum;
		__attribute__((noinline)) void leaf(int i) { sum += i; }
		static double now(void)
		{
			struct timespec time;
			clock_gettime(CLOCK_MONOTONIC, &time);
			return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
		}
		int main(void)
		{
			double begin = now();
			while (now() < begin + 300)
				for (int i = 0; i < 5000; i++)
					leaf(i);
			for (int i = 0; i < 40000; i++)
				leaf(i);
			printf("took %.0f\n", now() - begin);
			return 0;
		}
	END
	prog=$PWD compile goes_on goes_on.c
	mkdir -p disk
	unshare -m bash -c 'mount -t tmpfs -o size=1m none disk && cd disk &&
		"$DWELL" record --no-pack -o goes.dwell ../goes_on > ../goes.out 2> ../goes.err; cp goes.dwell ..'
	"$DWELL" report goes.dwell > goes.report 2> goes.report.err || true
	# self 1.579 ms + recording 776.4 us + lost 40.42 ms + outside 0 ns = elapsed 42.77 ms
	elapsed=$(sed -n 's/^self .* = elapsed \([0-9.]*\) ms$/\1/p' goes.report)
	took=$(sed -n 's/^took //p' goes.out)
	between $((took * 9 / 10)) "$elapsed" $((took * 11 / 10 + 50)) "ms elapsed" || fail "$(head -4 goes.report)" "$(cat goes.err)"
	grep -Eq 'lost [0-9.]+ ms' goes.report || fail "nothing is lost:" "$(head -4 goes.report)"
}

test_that "arguments" arguments
test_that "standard input, output and error" streams
test_that "exit statuses" statuses
test_that "signals" signals
test_that "the default output, and the one before" default_name
test_that "an earlier recording that cannot be kept" earlier_is_safe
test_that "a program found in PATH" found_in_path
test_that "an output that cannot be written" unwritable
test_that "a program that is not there, or is none" missing_program
test_that "a full disk: /dev/full" full_disk
if unshare -m mount -t tmpfs none "$work" 2> /dev/null; then
	test_that "a full disk: after 1 MiB" small_disk
	test_that "a full disk: the time that nobody could write" full_to_the_end
else
	skip "a full disk: after 1 MiB" "may not mount one"
	skip "a full disk: the time that nobody could write" "may not mount one"
fi
done_testing
