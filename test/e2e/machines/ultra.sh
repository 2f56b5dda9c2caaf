#!/bin/bash
# The Nintendo 64's osProfile… as a Linux program uses it: a timer of the system, its own text and that of its libraries, a thread that
# answers hosts. How often it takes samples is looked at by ultra_rate.sh.
# Takes long, a program that is asked again and again.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/ultra/lib.sh"
. "$ROOT/test/e2e/machines/ultra/linux.sh"

# counted FETCHED: interrupts
counted()
{
	awk '$1 == "count" { n += $3 } $1 == "overflow" || $1 == "beyond" { n += $2 } END { print n }' "$1"
}

while_it_runs()
{
	run PROF 100
	./fetch until=1000 for=60 bye "$port" > copied
	./fetch bye "$port" > again
	ends
	function_counts copied PROF nm "$(bias copied PROF)" > counts
	three_to_one counts 100
	[ "$(grep -cE '^(state 1|period 1000|order 1)$' copied)" = 3 ] || fail "$(grep -E '^(state|period|order)' copied)"
	# Copied, not taken: all is still there, and more.
	[ "$(counted again)" -ge "$(counted copied)" ]
	[ "$(awk '$1 == "left" { print $2 }' out)" -ge "$(awk '$1 == "count" { n += $3 } END { print n }' again)" ]
	# Libraries are segments, too, by the names of their files.
	grep -q '^segment .*/libc[.-].*so' copied
}
test_that "a host asks while the program runs: 3 to 1" while_it_runs

# Longer than 32 bits of nanoseconds: none comes within a second.
long_period()
{
	run PROF 100 10000000
	./fetch bye "$port" > told
	ends
	grep -qx 'period 10000000' told || fail "$(grep period told)"
	awk '{ exit !($2 <= $4 / 1000) }' out || fail "$(cat out)"
}
test_that "a period of ten seconds" long_period

text_is_known()
{
	local text offset sum want
	run PROF 100
	./fetch bye "$port" > copied
	ends
	read -r _ text counters sum name < <(grep " $PWD/PROF$" copied)
	read -r offset size < <(readelf -lW ./PROF | awk '$1 == "LOAD" && /R E/ { print $2, $6; exit }')
	[ $((size / 4)) = "$counters" ]
	want=$(perl -e 'use strict; my ($file, $offset, $words) = @ARGV; open my $f, "<:raw", $file or die; my $crc = 0xffffffff;
		for my $i (0 .. 63) {
			seek $f, hex($offset) + 4 * (int($words / 64) * $i + int($words % 64 * $i / 64)), 0; read $f, my $bytes, 4;
			for my $b (unpack "C*", $bytes) { $crc ^= $b; $crc = $crc & 1 ? $crc >> 1 ^ 0xedb88320 : $crc >> 1 for 1 .. 8 }
		}
		printf "%08x\n", ~$crc & 0xffffffff' ./PROF "$offset" "$counters")
	[ "$sum" = "$want" ] || fail "the sum is $sum, of the file $want"
}
test_that "the program's file is known by its text's sum" text_is_known

taken_for_long()
{
	run PROF_d 100 200
	./fetch take until=5000 for=60 bye "$port" > taken
	ends
	function_counts taken PROF_d nm "$(bias taken PROF_d)" > counts
	three_to_one counts 100
	grep -q '^beyond 0$' taken
}
test_that "counts are taken away, again and again" taken_for_long

stopped()
{
	run PROF 100
	./fetch until=100 for=60 bye "$port" > before
	./fetch stop bye "$port" > stopped
	sleep 0.5
	./fetch bye "$port" > later
	# The program is stopped already; the release form says nothing of it.
	ends
	grep -q '^state 0$' stopped
	diff stopped later
}
test_that "stopped from afar: the counts stay" stopped

flushes()
{
	link=tcp:127.0.0.1:
	run PROF 0.5 1000 100
	./fetch flushes=3 "listen:$port" > flushed
	ends
	[ "$(grep -c '^period' flushed)" = 3 ]
	# Each flush has more than the one before.
	awk '$1 == "count" { n += $3 } $1 == "period" { if (n <= before) bad = 1; before = n; n = 0 } END { exit bad }' flushed
}
test_that "a host that waits for flushes gets each" flushes

no_host()
{
	link=tcp:127.0.0.1:
	run PROF 0.2 1000 3
	wait $program || fail "status $?"
	[ ! -s err ] || fail "$(cat err)"
}
test_that "a flush without a host returns at once" no_host

noise_and_more()
{
	local first
	run PROF_d 100
	./fetch noise "$port"
	./fetch noise "$port"
	./fetch for=5 bye "$port" > first &
	first=$!
	is_connected $port
	if ./fetch "$port" > second 2>&1; then
		fail "two hosts were served" "$(cat second)"
	fi
	grep -q '^busy 1$' second
	wait $first
	grep -q '^busy 0$' first
	./fetch until=1000 for=60 "$port" > third
	ends
	function_counts third PROF_d nm "$(bias third PROF_d)" > counts
	three_to_one counts 100
}
test_that "noise, then two hosts at once: the second is told" noise_and_more

taken_port()
{
	run PROF 100
	OSPROF_LINK=tcp-listen:$port ./PROF 0.1 > out2 2> err2
	grep -q "the link's port is taken" err2
	OSPROF_LINK=nonsense ./PROF 0.1 2>&1 > out2 | grep -q 'OSPROF_LINK is none of'
	OSPROF_LINK=none ./PROF 0.1 > out2 2> err2
	[ ! -s err2 ]
	ends
}
test_that "a link that cannot be is said" taken_port

gperf_asks()
{
	run PROF 100 200
	./fetch until=3000 for=60 bye "$port" > copied
	dwell gperf --link "tcp:localhost:$port" --csv -o kept.dwell ./PROF > once.csv
	shares_hold once.csv 100
	# What was kept says the same, and goes on.
	dwell report --csv kept.dwell > kept.csv
	cmp once.csv kept.csv
	# (1: what was in the libraries is not in it, which is said.)
	dwell export --to gmon kept.dwell -o gmon.out 2> /dev/null || [ $? = 1 ]
	gprof -b -p ./PROF gmon.out > gprof.txt
	awk -F, 'FNR == NR { if ($1 == "hot") ms = $21; next } { split($0, w, " ") } $0 ~ / hot$/ { s = w[3] } END { exit !(s > ms / 5000 - 0.006 && s < ms / 5000 + 0.006) }' once.csv gprof.txt ||
		fail "$(cat once.csv gprof.txt)"
	dwell report --split hot --intervals 2 --csv kept.dwell > split.csv
	[ "$(awk -F, 'NR > 1 { n += $4 } END { print n }' split.csv)" = "$(awk -F, '$1 == "hot" { print $21 }' once.csv)" ] || fail "$(cat split.csv)"
	# Again and again, taken away: each report has all since the program began, and the file each count once.
	dwell gperf --link "tcp:localhost:$port" --csv --every 500ms --times 4 --take -o taken.dwell ./PROF > taken.csv
	[ "$(grep -c '^function,' taken.csv)" = 4 ]
	awk -F, '/^function,/ { if (n < before) bad = 1; before = n; n = 0; next } { n += $21 } END { exit bad }' taken.csv
	tac taken.csv | sed '/^function,/q' | tac > last.csv
	shares_hold last.csv 200
	dwell report --csv taken.dwell > kept.csv
	cmp last.csv kept.csv
	ends
	# The program itself has what was not taken.
	[ "$(awk '$1 == "left" { print $2 }' out)" -lt "$(awk -F, '{ n += $21 } END { print n }' last.csv)" ] || fail "$(cat out)"
}
test_that "dwell gperf: once, and again and again; what is kept goes on" gperf_asks

gperf_knows_the_program()
{
	run PROF 100
	if dwell gperf --link "tcp:localhost:$port" ./PROF_d > other 2> other.err; then
		fail "another program was taken for it" "$(cat other)"
	fi
	grep -q 'is not what runs there' other.err
	[ ! -s other ]
	ends
}
test_that "dwell gperf: another program is not taken for it" gperf_knows_the_program

gperf_serves()
{
	local server
	port=$(free_port)
	dwell gperf --server --times 3 --csv --link "tcp-listen:$port" -o flushed.dwell ./PROF > flushed.csv 2> server.err &
	server=$!
	# It comes back to whoever serves, until it is told to end.
	OSPROF_LINK=tcp:127.0.0.1:$port ./PROF 0.6 200 100 > out 2> err &
	program=$!
	wait $server || fail "status $?" "$(cat server.err)"
	ends
	[ "$(grep -c '^function,' flushed.csv)" = 3 ]
	tac flushed.csv | sed '/^function,/q' | tac > last.csv
	shares_hold last.csv 100
	# A flush is of one moment: what was counted until then is all there.
	[ "$(awk -F, '$1 != "[outside of all segments]" { n += $21 } END { print n }' last.csv)" -le "$(awk '{ print $2 }' out)" ]
	dwell report --csv flushed.dwell > kept.csv
	cmp last.csv kept.csv
}
test_that "dwell gperf --server: a report of each flush" gperf_serves

# What speaks without end, and is no link: a console at this port, a line at another rate.
spoken_at()
{
	local flood status=0
	port=$(free_port)
	perl -MIO::Socket::INET -e 'my $server = IO::Socket::INET->new(Listen => 5, LocalAddr => "127.0.0.1", LocalPort => $ARGV[0], ReuseAddr => 1) or die;
		while (my $host = $server->accept) { next if fork; local $SIG{PIPE} = "DEFAULT"; 1 while syswrite $host, "console\n~~" x 10000; exit }' "$port" 2> flood.err &
	flood=$!
	listens "$port"
	timeout -k 5 60 "$DWELL" gperf --link "tcp:localhost:$port" --wait 1s ./PROF > said 2> said.err || status=$?
	[ $status = 2 ] && grep -q 'no answer that makes sense came' said.err || fail "status $status" "$(cat said.err)"
	kill $flood
	[ ! -s flood.err ]
}
test_that "dwell gperf: something that speaks without end" spoken_at

# Samples in a report
samples()
{
	columns "$1" samples | awk '{ n += $1 } END { print n + 0 }'
}

# A program that begins anew, and lies where it lay, as on a machine that was reset: what is kept is of both, and so is what is reported.
begun_anew()
{
	local server turn
	port=$(free_port)
	gcc -O2 -no-pie -DSEGMENTS=1 -I"$ROOT/include" "$ultra/linux.c" "$ultra/ratio.c" "$BUILD/lib/libultra.PROF.a" -pthread -o same
	: > anew.csv
	dwell gperf --server --times 2 --csv --link "tcp-listen:$port" -o anew.dwell ./same >> anew.csv 2> server.err &
	server=$!
	for turn in 1 2; do
		# It is gone behind the first flush that somebody heard.
		OSPROF_LINK=tcp:127.0.0.1:$port ./same 4 1000 100 > out &
		program=$!
		for _ in {1..600}; do
			[ "$(grep -c '^function,' anew.csv)" -lt $turn ] || break
			sleep 0.1
		done
		kill -KILL $program
		wait $program 2> killed || true
	done
	wait $server || [ $? = 1 ] || fail "$(cat server.err)"
	cat anew.csv server.err
	grep -q 'another one has begun' server.err
	tac anew.csv | sed '/^function,/q' | tac > last.csv
	dwell report --csv anew.dwell > kept.csv
	cmp last.csv kept.csv
	# Of both: as many again, and what the first one had.
	sed '2,$ { /^function,/,$ d }' anew.csv > first.csv
	[ "$(samples first.csv)" -gt 0 ] && [ "$(samples last.csv)" -gt "$(($(samples first.csv) * 3 / 2))" ] || fail "$(cat anew.csv)"
}
test_that "dwell gperf --server: a program that begins anew" begun_anew

# At an address that the loader chose.
to_etext()
{
	local server
	port=$(free_port)
	gcc -O2 -pie -fPIE -I"$ROOT/include" "$ultra/to_etext.c" "$ultra/ratio.c" "$BUILD/lib/libultra.PROF.a" -pthread -o to_etext
	dwell gperf --server --times 1 --csv --link "tcp-listen:$port" ./to_etext > to_etext.csv 2> server.err &
	server=$!
	OSPROF_LINK=tcp:127.0.0.1:$port timeout -k 5 60 ./to_etext
	wait $server || [ $? = 1 ] || fail "$(cat server.err)"
	grep -q '^cold,' to_etext.csv || fail "$(cat to_etext.csv server.err)"
}
test_that "dwell gperf: a segment that ends where the linker's text does" to_etext

shared_buffers()
{
	gcc -O2 -g -no-pie -Wall -Wextra -Werror -I"$ROOT/include" "$ultra/shares.c" "$ultra/ratio.c" "$BUILD/lib/libultra.PROF.a" "$BUILD/lib/libos.CALLTRACE.a" \
		-pthread -o shares
	run shares
	dwell fetch "tcp:localhost:$port" --program shares -o shared.core > said
	grep -q '^shared at 0x[0-9a-f]*: 16384 bytes$' said
	if dwell fetch "tcp:localhost:$port" --program PROF -o other.core 2> other; then
		fail "another program was taken for it"
	fi
	grep -q 'is not what runs there' other
	[ ! -e other.core ]
	kill $program
	wait $program 2> wait.err || true
	dwell calls --program shares shared.core > calls
	[ "$(grep -c ' inner$' calls)" = 3 ] && [ "$(grep -c ' outer$' calls)" = 1 ] || fail "$(cat calls)"
	run PROF 100
	if dwell fetch "tcp:localhost:$port" -o none.core 2> none; then
		fail "nothing was shared"
	fi
	grep -q 'shares no memory' none
	ends
}
test_that "dwell fetch: other recorders' buffers over the same link" shared_buffers

# relays BYTES gone|ghost: to the program on $port, at $relay, until so many bytes came from there
relays()
{
	gcc -O1 -Wall -Wextra -Werror "$ultra/relay.c" -o relay
	relay=$(free_port)
	./relay "$relay" "$port" "$@" &
	listens "$relay"
}

# Who gives up has what it took: with what the program still has, that is all.
gperf_gives_up()
{
	local bytes status some=0
	for bytes in 300 500 700 900 1100; do
		run PROF 100 100
		sleep 0.5
		relays $bytes gone
		status=0
		dwell gperf --link "tcp:localhost:$relay" --take --csv -o some.dwell ./PROF > some.csv 2> some.err || status=$?
		cat some.err
		if [ $status = 2 ] && [ -s some.csv ]; then
			some=$((some + 1))
			grep -q "not all was fetched: the report has the $(samples some.csv) interrupts that came until then" some.err
			dwell report --csv some.dwell > kept.csv 2> kept.err || [ $? = 1 ]
			cmp some.csv kept.csv
		fi
		ends
	done
	[ $some -gt 0 ]
}
test_that "dwell gperf: who gives up reports what it took" gperf_gives_up

# A line that breaks all the time, after so many bytes, and is opened again each time: the job goes on, and nothing is lost.
gperf_advances()
{
	run PROF 100 200
	./fetch until=1000 for=60 bye "$port" > copied
	relays 400 each
	local relays=$!
	dwell gperf --link "tcp:localhost:$relay" --take --csv ./PROF > advanced.csv
	shares_hold advanced.csv 200
	kill $relays
	ends
}
test_that "dwell gperf: a line that is cut again and again" gperf_advances

# The kernel's own code has names where this machine's kernel runs.
vdso_names()
{
	cat > clock.c <<-'END'
	#include <signal.h>
	#include <time.h>
	#include <ultra64.h>
	static OSProf segments[OSPROF_SEGMENTS_MAX];
	static volatile sig_atomic_t ended;
	static void end(int number) { (void)number; ended = 1; }
	int main(void)
	{
		struct timespec now;
		signal(SIGUSR1, end);
		osProfileInit(segments, osProfileSegments(segments, OSPROF_SEGMENTS_MAX));
		osProfileStart(1000);
		while (!ended)
			clock_gettime(CLOCK_MONOTONIC, &now);
	}
	END
	gcc -O2 -I"$ROOT/include" clock.c "$BUILD/lib/libultra.PROF.a" -pthread -o clock
	run clock
	./fetch until=300 for=60 bye "$port" > copied
	dwell gperf --link "tcp:localhost:$port" -o clock.dwell ./clock > said
	ends
	cat said
	! grep -q 'could not be read' said
	dwell report clock.dwell > kept
	! grep -q 'could not be read' kept
}
test_that "dwell gperf: names in the vdso" vdso_names

# Behind a relay the target does not see that a line was cut: gperf waits for it to let go of its own ghost, and nothing is lost.
gperf_meets_its_ghost()
{
	run PROF 100 200
	sleep 0.5
	relays 2500 ghost
	local cut=$!
	dwell gperf --link "tcp:localhost:$relay" --take --every 500ms --times 2 --csv ./PROF > all.csv
	[ "$(grep -c '^function,' all.csv)" = 2 ]
	kill $cut
	ends
}
test_that "dwell gperf --every: a line that is cut behind a relay" gperf_meets_its_ghost

# A program that is moved by the loader, with a segment that it chose itself.
own_segment()
{
	cat > own.c <<-'END'
	#include <stdio.h>
	#include <unistd.h>
	#include <ultra64.h>
	__attribute__((section("chosen"), noinline, aligned(64))) void busy(void) { for (volatile int i = 0; i < 1000000; i++) {} }
	extern char __start_chosen[], __stop_chosen[];
	static u16 counters[1024];
	int main(void)
	{
		OSProf own = {counters, 1024, (u32 *)__start_chosen, (u32 *)((unsigned long)(__stop_chosen - 4) & ~3ul)};
		osSetErrorHandler(0);
		osProfileInit(&own, 1);
		osProfileStart(500);
		for (;;)
			busy();
	}
	END
	for form in PROF PROF_d; do
		gcc -O1 -g -pie -fPIE -I"$ROOT/include" own.c "$BUILD/lib/libultra.$form.a" -pthread -o own
		run own
		sleep 1
		dwell gperf --link "tcp:localhost:$port" --csv ./own > own.csv 2> own.err || [ $? = 1 ] || fail "$(cat own.err)"
		kill $program
		grep -q '^busy,' own.csv || fail "$(cat own.csv own.err)"
	done
}
test_that "a moved program with a segment of its own; both libraries have osSetErrorHandler" own_segment

gperf_two_hosts()
{
	local first
	run PROF_d 100
	dwell gperf --link "tcp:localhost:$port" --every 500ms --times 12 --csv ./PROF_d > first.csv &
	first=$!
	is_connected $port
	if dwell gperf --link "tcp:localhost:$port" ./PROF_d > second 2> second.err; then
		fail "two hosts were served" "$(cat second)"
	fi
	grep -q 'another host is being served' second.err
	wait $first
	[ "$(grep -c '^function,' first.csv)" = 12 ]
	ends
}
test_that "dwell gperf: the second of two is told" gperf_two_hosts

# One who connects and says nothing is given up when another one comes; one who waits, and is there, is not.
silent_hosts()
{
	local waits quiet tries
	run PROF 100
	quiet=$port
	exec 3<> /dev/tcp/127.0.0.1/$quiet
	run PROF 100
	dwell gperf --link "tcp:localhost:$port" --every 100s ./PROF > first 2> first.err &
	waits=$!
	is_connected $port
	for tries in {1..40}; do
		! dwell gperf --link "tcp:localhost:$quiet" ./PROF > second 2> second.err || break
		grep -q 'another host is being served' second.err
		sleep 1
	done
	grep -q ' hot$' second || fail "$tries tries" "$(cat second second.err)"
	# By now the other one was silent as long, but for what it says so that it is known to be there.
	if dwell gperf --link "tcp:localhost:$port" ./PROF > second 2> second.err; then
		fail "who waits was given up"
	fi
	grep -q 'another host is being served' second.err
	kill -INT $waits
	wait $waits || fail "status $?" "$(cat first.err)"
	exec 3>&-
}
test_that "a silent host is given up for another one, a waiting one is not" silent_hosts

# The line of plain bytes is for this host alone, and afterwards what it was; how fast it is does not matter, and when it is pulled out it is gone.
over_a_serial_line()
{
	local before status
	run PROF 100
	serial_line baud=115200
	before=$(stty -F "$device" -g)
	dwell gperf --link "serial:$device:115200" --csv --take --every 3s --times 3 ./PROF > taken.csv &
	for _ in {1..300}; do
		[ "$(stty -F "$device" -g)" = "$before" ] || break
		sleep 0.02
	done
	[ "$(stty -F "$device" speed)" = 115200 ]
	if dwell gperf --link "serial:$device:115200" ./PROF > second 2> second.err; then
		fail "two hosts on one line"
	fi
	grep -q 'another program has this serial line' second.err
	wait $! || fail "status $?"
	[ "$(grep -c '^function,' taken.csv)" = 3 ]
	tac taken.csv | sed '/^function,/q' | tac > last.csv
	shares_hold last.csv 100
	[ "$(stty -F "$device" -g)" = "$before" ] || fail "it is not as it was: $(stty -F "$device" -a)"
	kill $line_pid
	for pull in 1 60 200 400; do
		serial_line baud=1000000 pull=$pull
		status=0
		timeout 60 "$DWELL" gperf --link "serial:$device" --take --wait 20s ./PROF > pulled 2> pulled.err || status=$?
		[ $status = 2 ] || fail "status $status" "$(cat pulled.err)"
		[ ! -s pulled ] || grep -q 'not all was fetched' pulled.err || fail "$(cat pulled pulled.err)"
	done
	# Nobody is there who could say that it may go on: it does.
	./fetch until=500 for=60 bye "$port" > rest
	dwell gperf --link "tcp:localhost:$port" --csv ./PROF > rest.csv
	shares_hold rest.csv 400
	ends
}
test_that "dwell gperf: over a serial line, which may be pulled out" over_a_serial_line

# What a program may do beside: close a library that is profiled, fork, mend errors in its handler.
odd_programs()
{
	gcc -O2 -shared -fPIC "$ultra/ratio.c" -o libratio.so
	gcc -O2 -Wall -Wextra -Werror -I"$ROOT/include" "$ultra/odd.c" "$BUILD/lib/libultra.PROF_d.a" -pthread -ldl -o odd
	run odd closes
	dwell gperf --link "tcp:localhost:$port" ./odd > closed 2> closed.err || [ $? = 1 ] || fail "$(cat closed.err)"
	grep -q 'libratio.so.*is not there, or has not the text' closed.err || grep -q 'has not the text of 1 of' closed.err || fail "$(cat closed.err)"
	ends
	OSPROF_LINK=none timeout 60 ./odd forks > said || fail "status $?" "$(cat said)"
	[ "$(awk '$1 == "child" { print $2 }' said)" -ge 100 ] || fail "$(cat said)"
	OSPROF_LINK=none timeout 60 ./odd mends > said || fail "status $?" "$(cat said)"
	grep -qx 'mended 61' said || fail "$(cat said)"
}
test_that "a library that is closed, a fork, a handler that calls osProfileStop" odd_programs

done_testing
