#!/bin/bash
# Recording that begins and ends in a running process: dwell attach, dwell record --off.
# Takes long, processes that are attached to again and again.
. "$(dirname "$0")/../lib.sh"
preload=$BUILD/libdwell.so

# start NAME COMMAND ...: the program of prog/calls/told.c, which tell and answer talk to.
start()
{
	local name=$1
	shift
	rm -f "$name.in" "$name.answers"
	mkfifo "$name.in" "$name.answers"
	env "$@" < "$name.in" > "$name.answers" 2> "$name.err" &
	started=$!
	exec {to}> "$name.in" {from}< "$name.answers"
	local line
	read -r -t 20 -u "$from" line
	[ "$line" = ready ] || fail "the program says '$line'"
}
tell()
{
	local line
	echo "$*" >&"$to"
	read -r -t 60 -u "$from" line || fail "the program does not answer '$*'; $(cat ./*.err)"
	[ "$line" = done ] || fail "the program answers '$line' to '$*'"
}
# finish NAME: its counts to NAME.out; it ends with 0.
finish()
{
	local status=0
	counts "$1"
	echo end >&"$to"
	exec {to}>&- {from}<&-
	wait "$started" || status=$?
	[ "$status" = 0 ] || fail "the program ended with status $status" "$(cat "$1.err")"
}
counts()
{
	local line
	echo counts >&"$to"
	: > "$1.out"
	while read -r -t 20 -u "$from" line && [ "$line" != . ]; do
		echo "$line" >> "$1.out"
	done
}
# attach NAME [OPTIONS]: begins, and waits until the program is in it: pokes it until it has joined.
attach()
{
	local name=$1
	shift
	"$DWELL" attach "$@" -o "$name.dwell" "$started" 2> "$name.attach" &
	attached=$!
	local tries line
	for ((tries = 0; tries < 2000; tries++)); do
		tell poke
		joined && return
		kill -0 "$attached" 2> /dev/null || fail "attach ended: $(cat "$name.attach")"
		read -r -t 0.005 -u "$from" line || true # the program says nothing: without a process that sleeps
	done
	fail "it never joined"
}
# The session that it is in is of this attach: sessions before it may be mapped, too. Only sessions are mapped to be written and shared.
joined()
{
	local inode maps
	mapfile -t maps < "/proc/$started/maps"
	[[ ${maps[*]} = *" rw-s "*dwell* ]] || return 1
	inode=$(stat -Lc %i/ /proc/"$attached"/fd/* 2> /dev/null)
	awk -v inodes="/${inode//[[:space:]]/}/" '$2 == "rw-s" && /dwell/ && index(inodes, "/" $5 "/") { found = 1 } END { exit !found }' "/proc/$started/maps"
}
detach()
{
	local status=0
	kill -INT "$attached"
	wait "$attached" || status=$?
	[ "$status" = 0 ] || fail "attach: status $status" "$(cat "$1.attach")"
	[ ! -s "$1.attach" ] || fail "attach says:" "$(cat "$1.attach")"
}

compile told told.c -ldl -I"$ROOT/include"
compile told.linked told.c -ldl "$BUILD/libdwell.a"
compile told.static told.c -static "$BUILD/libdwell.a" 2> /dev/null
cp told.static told.stripped 2> /dev/null && strip told.stripped
compile plugin.so plugin.c -DNAME=plugin -fPIC -shared

# One round: what is called before and after is not in the trace, what is called meanwhile is, to the call.
once()
{
	local name=once.$1
	shift
	start "$name" "$@"
	tell go 1000
	attach "$name"
	tell forget
	tell go 2345
	counts "$name"
	detach "$name"
	tell go 500
	counts_agree "$name" '^poke'
	whole "$name"
	finish "$name.end"
}
test_that "an agent that was preloaded is attached to, and records what is called until the end" once preloaded LD_PRELOAD="$preload" ./told
test_that "an agent that was linked" once linked ./told.linked
[ -x told.static ] && test_that "a static program with the agent in it" once static ./told.static
# Patched sites are found and made when the program begins: there is no dwell then that could be asked.
patched()
{
	local flags link
	flags="$("$DWELL" cflags gcc) -fno-inline -fno-optimize-sibling-calls"
	link=$("$DWELL" cflags --link)
	HOOKS=$flags compile told.patched told.c -ldl
	once patched LD_PRELOAD="$preload" ./told.patched
	# shellcheck disable=SC2086
	HOOKS=$flags compile told.patched-linked told.c -ldl $link
	once patched-linked ./told.patched-linked
	[ -x told.static ] || return 0
	# shellcheck disable=SC2086
	HOOKS=$flags compile told.patched-static told.c -static $link 2> /dev/null
	once patched-static ./told.patched-static
}
[ "$(uname -m)" != x86_64 ] || test_that "patched sites: an agent that was preloaded, that was linked, in a static program" patched
# Its functions have no names.
nameless()
{
	start nameless ./told.stripped
	attach nameless
	tell forget
	tell go 321
	detach nameless
	report_csv nameless
	columns nameless.csv calls | sort -n | tr '\n' ' ' > nameless.got
	[ "$(cat nameless.got)" = '1 321 3210 ' ] || fail "calls of its functions: $(cat nameless.got)"
	finish nameless.end
}
[ -x told.stripped ] && test_that "a static program without symbols" nameless

# each_thread_has NAME EVENTS: or two more, of a poke. If not: what each has, and what its first calls are.
each_thread_has()
{
	"$DWELL" info --json "$1.dwell" > "$1.json" || fail "dwell info: status $?"
	sed -n '/"threads":/,$ s/^ *"events": \([0-9]*\),$/\1/p' "$1.json" |
		awk -v wanted="$2" '$1 < wanted || $1 > wanted + 2 { wrong = 1 } END { exit wrong || !NR }' ||
		fail "$(wc -c < "$1.dwell") bytes, $1: a thread has other than $2 events" "$("$DWELL" info "$1.dwell" | grep -A9 '^tid')" \
			"$("$DWELL" calls --csv "$1.dwell" | awk -F, 'calls[$1]++ < 2')"
}

# again ROUNDS THREADS
again()
{
	local round
	local -a modes=(--stream --ring=1M --linear=2M --ring=256K)
	start again LD_PRELOAD="$preload" ./told
	tell threads "$2"
	for round in $(seq "$1"); do
		tell go 50
		attach again "${modes[round % 4]}"
		tell forget
		tell go $((round * 7))
		counts again
		detach again
		tell go 20
		each_thread_has again $((round * 7 * 22))
		counts_agree again '^poke'
		whole again
		rm -f again.dwell
	done
	# What was left a second ago is unmapped when the next one is.
	sleep 1.2
	attach again
	detach again
	rm -f again.dwell
	[ "$(grep -c ' rw-s 00000000 .*memfd:dwell' "/proc/$started/maps")" -le 3 ] || fail "sessions stay mapped:" "$(grep dwell "/proc/$started/maps")"
	finish again
}
test_that "attached to 16 times with 4 threads, in each mode, each to the call, and nothing piles up" again 16 4

# attach_for TIME FILE PID: events may be lost where this machine has no time, and that is said.
attach_for()
{
	local status=0
	"$DWELL" attach --for "$1" ${2:+-o "$2"} "$3" 2> for.attach || status=$?
	[ $status = 0 ] || { [ $status = 1 ] && grep -q 'events were lost' for.attach; } || fail "attach: status $status" "$(cat for.attach)"
}
# Threads that never pause: each trace is whole in itself, and the program is what it would be.
loaded()
{
	local round
	start loaded LD_PRELOAD="$preload" ./told
	tell threads 4
	tell busy
	for round in 1 2 3 4 5 6; do
		attach_for 20ms loaded.dwell "$started"
		"$DWELL" info --json loaded.dwell > loaded.json 2> /dev/null || [ $? = 1 ] || fail "info: status $?"
		"$DWELL" report --csv loaded.dwell > loaded.csv 2> /dev/null || [ $? = 1 ] || fail "report: status $?"
		! columns loaded.csv function calls | grep -vE '^(work|leaf)' || fail "round $round: functions that it does not have"
	done
	tell rest
	finish loaded
	[ "$(awk '{ calls[$2] = $3 } END { print (calls["work"] > 0), calls["leaf"] - 10 * calls["work"] }' loaded.out)" = '1 0' ] ||
		fail "the program counts" "$(cat loaded.out)"
}
test_that "attached to again and again while 4 threads work without a pause" loaded

# The same where each step of the agent takes long: whatever other threads can do between two of them, they do.
stretched()
{
	local turn status=0
	[ "$(cat stretched.status)" = 0 ] || fail "status $(cat stretched.status)"
	LD_PRELOAD=$preload ./stretched 3000 &
	local pid=$!
	has_begun $pid stretched 6
	for turn in 1 2 3; do
		kill -0 $pid 2> /dev/null || break
		attach_for 300ms stretched.dwell $pid
		"$DWELL" report --csv stretched.dwell > stretched.csv 2> stretched.err || [ $? = 1 ] || fail "report: $?" "$(cat stretched.err)"
		# What makes its steps long is a filter of its system calls: it might be killed for one of ours, and so it is sampled.
		grep -q 'it restricts its own system calls (seccomp): sampled' for.attach || fail "turn $turn:" "$(cat for.attach)"
	done
	wait $pid || status=$?
	[ $status = 0 ] || fail "turn $turn: the program ended with status $status"
}
# In a program that turns it on and off on all of its threads at a time.
switched()
{
	record switched ./stretched 1000 switch
	[ "$(cat switched.status)" = 0 ] || fail "status $(cat switched.status)" "$(cat switched.err)"
	# Events that fall between two turns may be lost, and that is said.
	"$DWELL" report --csv switched.dwell > switched.csv 2> switched.err || [ $? = 1 ] || fail "report: $?" "$(cat switched.err)"
	! columns switched.csv function calls | grep -vE '^(work|leaf)	' || fail "functions that it does not have"
	between 10 "$(value switched work calls)" 1e12 "calls of work"
}
compile stretched stretched.c -ldl
(
	status=0
	./stretched 0 || status=$?
	echo $status > stretched.status
)
if [ "$(cat stretched.status)" = 77 ]; then
	skip "steps that take long" "the system does not let system calls be held up (seccomp)"
else
	test_that "a process with a filter that makes each step long is sampled" stretched
	test_that "turned on and off by all threads while each step takes long" switched
fi

waits()
{
	local status=0
	LD_PRELOAD=$preload ./waits 8000 > waits.out &
	local pid=$!
	comes '^waiting' waits.out
	for i in 1 2 3 4 5; do
		attach_for 200ms "waits.$i.dwell" $pid
		"$DWELL" info --json "waits.$i.dwell" > waits.json 2> /dev/null || [ $? = 1 ] || fail "info: status $?"
	done
	wait $pid || status=$?
	[ $status = 0 ] || fail "status $status" "$(cat waits.out)"
	! grep bad waits.out || fail "a call was interrupted, or came back early"
	grep -q '^waiting threads 52' waits.out
	grep -q '^count woke 52' waits.out || fail "some never woke:" "$(cat waits.out)"
}
compile waits waits.c
test_that "52 threads in 13 kinds of system calls notice nothing" waits

busy()
{
	LD_PRELOAD=$preload ./waits 60000 > busy.out &
	local pid=$!
	comes '^waiting' busy.out
	attach_for 1s '' $pid
	"$DWELL" report --csv waits.dwell > busy.csv 2> busy.err || grep -q 'events were lost' busy.err || fail "report: $?" "$(cat busy.err)"
	between 1000 "$(value busy leaf calls)" 1e12 "calls of leaf"
	kill -9 $pid || fail "--for 1s ended with the program"
}
test_that "--for ends it, in a file of the program's name" busy

killed()
{
	start killed LD_PRELOAD="$preload" ./told
	attach killed
	tell forget
	tell go 3000
	counts killed
	kill -KILL "$started"
	wait "$attached" || fail "attach: status $?" "$(cat killed.attach)"
	counts_agree killed '^poke'
	whole killed
}
test_that "a process that is killed meanwhile leaves all that it called" killed

# Whoever records dies; the program does not, and is recorded again.
orphaned()
{
	start orphaned LD_PRELOAD="$preload" ./told
	tell threads 2
	attach orphaned
	tell go 1000
	kill -KILL "$attached"
	wait "$attached" || true
	tell go 20000
	attach orphaned
	tell forget
	tell go 4321
	counts orphaned
	detach orphaned
	counts_agree orphaned '^poke'
	whole orphaned
	finish orphaned.end
}
test_that "a process survives that its recorder is killed, and is attached to again" orphaned
# At any moment, in each mode, into the same file, while all of its threads work: each recording is another session.
orphaned_often()
{
	local status=0 modes=('' --ring=64K --linear=64K)
	LD_PRELOAD="$preload" ./goes_on 2000 > often.out 2> often.err &
	started=$!
	for turn in $(seq 300); do
		kill -0 "$started" 2> /dev/null || break
		# shellcheck disable=SC2086
		timeout -s KILL "0.0$((turn % 8 + 2))" "$DWELL" attach ${modes[turn % 3]} -o often.dwell "$started" > /dev/null 2>&1 || true
	done
	wait "$started" || status=$?
	[ "$status" = 0 ] || fail "the program ended with status $status" "$(cat often.err)"
	rm -f often.dwell*
}
compile goes_on goes_on.c
test_that "recorders are killed at any moment, one after another" orphaned_often

plugins()
{
	start plugins LD_PRELOAD="$preload" ./told
	tell open ./plugin.so
	attach plugins
	tell open ./plugin.so
	tell go 10
	detach plugins
	report_csv plugins
	[ "$(value plugins step calls)" = 7 ] || fail "step: $(value plugins step calls) calls, expected 7"
	whole plugins
	# By a filter, too, which no list of the program's libraries leads to it.
	attach plugins --ring=1M --only step
	tell open ./plugin.so
	tell go 10
	detach plugins
	report_csv plugins
	[ "$(columns plugins.csv function calls)" = "step	7" ] || fail "$(cat plugins.csv)"
	finish plugins.end
}
test_that "a library that was loaded before it was attached to" plugins

children()
{
	start children LD_PRELOAD="$preload" ./told
	attach children
	tell forget
	tell go 10
	tell fork 321
	detach children
	report_csv children
	[ "$(value children work calls)" = 331 ] || fail "work: $(value children work calls) calls, expected 331"
	finish children.end
}
test_that "children that are forked meanwhile are recorded, too" children

execs()
{
	local status=0
	start execs LD_PRELOAD="$preload" ./told
	attach execs
	tell forget
	tell go 55
	counts execs
	echo exec >&"$to"
	wait "$attached" || status=$?
	[ $status = 0 ] || fail "status $status" "$(cat execs.attach)"
	kill -0 "$started" || fail "the other program is gone"
	counts_agree execs '^poke'
}
test_that "a process that becomes another program ends the recording" execs

# --off: by the program, and from outside
quiet()
{
	local status=0
	mkfifo off.in off.answers
	"$DWELL" record --off -o off.dwell ./told < off.in > off.answers 2> off.err &
	local recorder=$!
	exec {to}> off.in {from}< off.answers
	read -r -t 20 -u "$from" line
	started=$(pgrep -P $recorder -x told)
	tell go 1000
	"$@"
	tell go 200
	echo end >&"$to"
	exec {to}>&- {from}<&-
	wait $recorder || status=$?
	[ $status = 0 ] || fail "record: status $status" "$(cat off.err)"
	counts_agree off '^poke'
	whole off
}
by_program()
{
	tell on
	tell forget
	tell go 77
	counts off
	tell off
	tell go 50
}
by_attach()
{
	"$DWELL" attach "$started" 2> off.attach &
	attached=$!
	# What is called from then on is in the file soon.
	until "$DWELL" report --csv off.dwell 2> /dev/null | grep -q '^poke'; do
		kill -0 $attached || fail "attach ended: $(cat off.attach)"
		tell poke
		sleep 0.02
	done
	tell forget
	tell go 78
	counts off
	kill -INT $attached
	wait $attached || fail "attach: status $?" "$(cat off.attach)"
	grep -q 'in the file of the dwell record' off.attach || fail "attach says" "$(cat off.attach)"
	tell poke
}
quiet_by()
{
	rm -f off.*
	quiet "$1"
}
compile told told.c -ldl -I"$ROOT/include" -L"$BUILD" -ldwell -Wl,-rpath,"$BUILD"
test_that "record --off: dwell_start and dwell_stop in the program" quiet_by by_program
test_that "record --off: attach turns it on, and off again" quiet_by by_attach

# Snapshots of a ring while the program goes on: each has what was called up to it.
snapshots()
{
	start snapshots LD_LIBRARY_PATH="$BUILD" ./told
	attach snapshots --ring=1M
	tell forget
	for i in 1 2 3; do
		tell go 100
		tell snapshot
		for _ in $(seq 600); do
			[ -e snapshots.dwell.$i ] && "$DWELL" info --json snapshots.dwell.$i > snapshots.json 2> /dev/null && break
			sleep 0.05
		done
		"$DWELL" report --csv snapshots.dwell.$i > snapshots.csv || fail "snapshot $i: report: $?" "$(ls)"
		[ "$(value snapshots work calls)" = $((100 * i)) ] || fail "snapshot $i: work: $(value snapshots work calls) calls" "$(cat snapshots.csv)"
		[ "$(value snapshots leaf calls)" = $((1000 * i)) ] || fail "snapshot $i: leaf: $(value snapshots leaf calls) calls"
	done
	tell go 11
	counts snapshots
	kill -INT "$attached"
	wait "$attached" || fail "attach: status $?" "$(cat snapshots.attach)"
	[ "$(grep -c 'is a snapshot' snapshots.attach)" = 3 ] || fail "it says" "$(cat snapshots.attach)"
	counts_agree snapshots '^poke'
	[ ! -e snapshots.dwell.4 ] || fail "more snapshots than were asked for"
	finish snapshots.end
}
test_that "dwell_snapshot: what the rings hold, each in a file of its own" snapshots

# The same, asked for from outside, of the process and of the dwell that records it: in another folder, with a name that is not absolute.
asked()
{
	local i file mode of
	for mode in ring linear; do
		rm -f asked.*
		start asked LD_PRELOAD="$preload" ./told
		attach asked --$mode=1M --no-pack
		tell forget
		for i in 1 2 3 4; do
			of=$((i % 2 ? started : attached))
			tell go 100
			file=$(cd / && "$DWELL" snapshot $of) || fail "snapshot of $of: status $?"
			[ "$file" = "$PWD/asked.dwell.$i" ] || fail "its name is '$file'"
			"$DWELL" report --csv "$file" > asked.csv || fail "report: $?"
			[ "$(value asked work calls)" = $((100 * i)) ] || fail "snapshot $i: work: $(value asked work calls) calls" "$(cat asked.csv)"
			! "$DWELL" dump --layout "$file" | grep -q packed || fail "packed"
		done
		tell go 11
		counts asked
		kill -INT "$attached"
		wait "$attached" || fail "attach: status $?" "$(cat asked.attach)"
		counts_agree asked '^poke'
		finish asked.end
	done
}
test_that "dwell snapshot: the same, asked for from outside" asked
# refuses_snapshot EXPECTED PID
refuses_snapshot()
{
	local status=0
	timeout 20 "$DWELL" snapshot "$2" > refused.out 2>&1 || status=$?
	[ $status = 2 ] && grep -qE -- "$1" refused.out && [ "$(wc -l < refused.out)" = 1 ] || fail "status $status" "$(cat refused.out)" "expected $1"
}
unasked()
{
	start unasked LD_PRELOAD="$preload" ./told
	refuses_snapshot 'is not being recorded; begin' "$started"
	attach unasked
	refuses_snapshot 'recorded as a stream: its file has everything already' "$started"
	refuses_snapshot 'recorded as a stream: its file has everything already' "$attached"
	detach unasked
	refuses_snapshot 'is not being recorded; begin' "$started"
	attach unasked --ring=64K
	kill -KILL "$attached"
	wait "$attached" || true
	refuses_snapshot 'is not being recorded; begin' "$started"
	finish unasked.end
}
test_that "dwell snapshot: of what there is none" unasked
unwritten()
{
	start unwritten LD_PRELOAD="$preload" ./told
	mkdir unwritten.dwell.1
	attach unwritten --ring=64K
	tell go 10
	refuses_snapshot 'unwritten.dwell: no snapshot could be written beside it; dwell record, process [0-9]*, prints the reason' "$started"
	"$DWELL" snapshot "$started" > unwritten.out && [ "$(cat unwritten.out)" = "$PWD/unwritten.dwell.2" ] || fail "$(cat unwritten.out)"
	kill -INT "$attached"
	wait "$attached" || true
	grep -q 'unwritten.dwell.1: cannot be created: Is a directory' unwritten.attach || fail "$(cat unwritten.attach)"
	[ "$(ls -d unwritten.dwell?* | wc -l)" = 2 ] || fail "$(ls -d unwritten.dwell*)"
	finish unwritten.end
}
test_that "dwell snapshot: one that cannot be written" unwritten

# What cannot be attached to.
refuses()
{
	local expected=$1 status=0
	shift
	timeout 20 "$DWELL" attach ${ATTACH_OPTIONS-} --for 100ms -o refused.dwell "$@" > refused.out 2>&1 || status=$?
	[ $status = 2 ] || fail "status $status, expected 2" "$(cat refused.out)"
	grep -qE -- "$expected" refused.out || fail "it says" "$(cat refused.out)" "expected $expected"
	[ "$(wc -l < refused.out)" = 1 ] || fail "more than one line:" "$(cat refused.out)"
	[ ! -e refused.dwell ] || fail "a file is left"
}
refuse_running()
{
	local expected=$1 program=${*: -1}
	shift
	env "$@" < /dev/zero > /dev/null 2>&1 &
	local pid=$!
	has_begun $pid "${program##*/}"
	[ "$program" != pauses ] || is_asleep $pid
	refuses "$expected" $pid
	kill -9 $pid
}
compile plain told.c -ldl
gcc -D_GNU_SOURCE -O2 -pthread "$prog/calls/told.c" -o unhooked -ldl 2> /dev/null
gcc -D_GNU_SOURCE -O2 -pthread "$prog/calls/told.c" -static -o static 2> /dev/null
printf '#include <unistd.h>\nint main(void) { return pause(); }\n' > pauses.c
gcc pauses.c -o pauses
export ATTACH_OPTIONS=--stream PATH=$PATH:$PWD
test_that "no agent: says how" refuse_running "no agent is in it: start the program with LD_PRELOAD=$BUILD/libdwell.so.1" ./plain
test_that "no agent and no hooks: says what to compile with" refuse_running 'no hooks: .*compile it with what .dwell cflags. prints' ./unhooked
test_that "static, without an agent: says what to link" refuse_running 'linked statically.*dwell cflags --link' ./static
test_that "an agent and no hooks" refuse_running 'has no hooks; compile it with what .dwell cflags. prints' LD_PRELOAD="$preload" pauses
unset ATTACH_OPTIONS
zombie()
{
	# It ends when its parent is one that does not ask for its exit status.
	bash -c 'until [ "$(cat /proc/$$/comm)" = sleep ]; do sleep 0.02; done & echo $! > zombie.pid; exec sleep 100' &
	local parent=$!
	has_begun $parent sleep
	comes '^State:.Z' "/proc/$(cat zombie.pid)/status"
	refuses 'has ended already' "$(cat zombie.pid)"
	kill $parent
}
test_that "a zombie" zombie
thread()
{
	local tid
	start thread LD_PRELOAD="$preload" ./told
	tell threads 1
	tid=$(ls "/proc/$started/task" | grep -v "^$started\$")
	refuses "is a thread of process $started" "$tid"
	finish thread
}
test_that "a thread" thread
quietly()
{
	start quietly LD_PRELOAD="$preload" ./told
	refuses 'the process called no function with hooks meanwhile' "$started"
	tell go 10
	attach quietly
	refuses "is being recorded already, by process $attached" "$started"
	detach quietly
	finish quietly
}
test_that "nothing was called; recorded already" quietly
recorded()
{
	"$DWELL" record -o recorded.dwell ./waits 100000 > recorded.out 2>&1 &
	local recorder=$!
	comes '^waiting' recorded.out
	refuses "is being recorded already, by process $recorder" "$(pgrep -P $recorder -x waits)"
	kill -TERM $recorder
}
test_that "a program of dwell record" recorded
test_that "a thread of the system" refuses 'is a thread of the kernel' 2
other_user()
{
	LD_PRELOAD=$preload ./waits 20000 > other.out &
	local pid=$! status=0
	comes '^waiting' other.out
	setpriv --reuid 65534 --clear-groups "$DWELL" attach "$pid" -o /tmp/refused.$$ 2> other.err || status=$?
	kill -9 $pid
	[ $status = 2 ] && grep -q 'belongs to another user' other.err || fail "status $status" "$(cat other.err)"
}
# forbidden NAME EXPECTED SETUP: a process that does not let itself be looked into, where /proc/sys is as SETUP makes it.
forbidden()
{
	local name=$1 status=0
	as_nobody=(setpriv --reuid 65534 --clear-groups)
	gcc -finstrument-functions -x c - -o shy <<-'END'
		#include <sys/prctl.h>
		#include <unistd.h>
		int main(void)
		{
			prctl(PR_SET_DUMPABLE, 0);
			return sleep(100);
		}
	END
	chmod 711 . && chmod 755 shy
	LD_PRELOAD=$preload "${as_nobody[@]}" ./shy &
	local pid=$!
	has_begun $pid shy
	is_asleep $pid
	unshare -m bash -c "$3
		exec ${as_nobody[*]} \"$DWELL\" attach $pid -o /tmp/refused.$$" 2> "$name.err" || status=$?
	kill -9 $pid
	[ $status = 2 ] && grep -q "$2" "$name.err" && [ "$(wc -l < "$name.err")" = 1 ] || fail "status $status" "$(cat "$name.err")"
}
# filtered MODE OPTIONS WANT: of what is called meanwhile only that is recorded: "FUNCTION CALLS, …".
filtered()
{
	local mode=$1 options=$2 want=$3
	# shellcheck disable=SC2086
	attach filtered --$mode $options
	tell go 100
	detach filtered
	report_csv filtered
	columns filtered.csv function calls | grep -v '^poke' | LC_ALL=C sort | tr '\t\n' ' ,' > filtered.got
	[ "$(cat filtered.got)" = "$want" ] || fail "--$mode $options: $(cat filtered.got)"
	whole filtered
	rm -f filtered.dwell
}
filters()
{
	local mode
	start filters LD_PRELOAD="$preload" "$1"
	tell threads 2
	for mode in stream ring=1M linear=1M; do
		filtered $mode "--not leaf" "work 300,"
		filtered $mode "--only l?af" "leaf 3000,"
		filtered $mode "" "leaf 3000,work 300,"
	done
	for mode in stream linear=1M; do
		filtered $mode "--depth 1 --not poke" "work 300,"
		filtered $mode "--depth 1 --not work --not poke" "leaf 3000,"
	done
	filtered ring=1M "--not leaf --not poke" "work 300,"
}
nothing_of_it()
{
	local status=0
	timeout 20 "$DWELL" attach --for 1s -o nothing.dwell "$@" "$started" 2> nothing.err &
	attached=$!
	while kill -0 $attached 2> /dev/null; do
		tell poke
		sleep 0.05
	done
	wait $attached || status=$?
	[ $status = 2 ] && [ ! -e nothing.dwell ] || fail "$*: status $status" "$(cat nothing.err)"
}
# What an agent that is joined late is told is not even recorded where sites are patched: a session that is left shows it.
not_even_recorded()
{
	HOOKS=$("$DWELL" cflags) compile told.sites told.c -fno-inline -ldl -I"$ROOT/include"
	start unrecorded LD_PRELOAD="$preload" ./told.sites
	tell go 5
	attach unrecorded --ring=1M --not leaf
	tell go 100
	detach unrecorded
	tell go 1
	# And the next one is told nothing.
	filtered stream "" "leaf 1000,work 100,"
	rm -f unrecorded.dwell
	attach unrecorded --ring=1M --not leaf
	tell go 100
	kill -KILL "$attached"
	wait "$attached" || true
	finish unrecorded
	for _ in $(seq 100); do
		[ -s unrecorded.dwell ] && break
		sleep 0.1
	done
	"$DWELL" report --csv unrecorded.dwell > unrecorded.csv 2> unrecorded.report || [ $? = 1 ]
	[ "$(value unrecorded work calls) $(value unrecorded leaf calls)" = "100 " ] || fail "$(cat unrecorded.csv unrecorded.report)"
}
late_filters()
{
	filters_of ./told
	filters_of ./told.linked
}
filters_of()
{
	filters "$1"
	nothing_of_it --only "nobody"
	grep -q -- "--only: no function of it and its libraries is left to record; dwell looks at what it loads or runs later" nothing.err ||
		fail "$(cat nothing.err)"
	grep -q "'nobody': it matches none of the [0-9]* functions of the loaded files" nothing.err || fail "$(cat nothing.err)"
	nothing_of_it --only "nobody" --not "no*"
	grep -q -- "--only and --not together: no function of it and its libraries is left to record" nothing.err || fail "$(cat nothing.err)"
	nothing_of_it --only main
	grep -q "the program called none of the functions that --only and --not leave" nothing.err || fail "$(cat nothing.err)"
	finish filters
	rm -f filters.out
}
test_that "--only, --not and --depth of a process that runs, in each mode" late_filters
test_that "sites of functions that nobody wants stay off where the filter comes late" not_even_recorded
# An option with a value that is good: its own, else one of its kind, by the word that help has for it.
spelled()
{
	local value
	value=$("$DWELL" help attach | sed -n "s/^  \\($1\\|$1, -[-a-z]*\\)[= ]\\([A-Z:]*\\)\\( .*\\)\\{0,1\\}\$/\\2/p")
	case $1,$value in
	--exclude,*) echo --exclude=short.list ;;
	--snapshot-when,*) echo '--snapshot-when=leaf>1ms' ;;
	--on-full,*) echo --on-full=lose ;;
	--engine,*) echo --engine=perf ;;
	*,) echo "$1" ;;
	*,FILE) echo "$1 other.dwell" ;;
	*,EVENT) echo "$1 page-faults" ;;
	*,HZ) echo "$1 100" ;;
	*,PATTERN) echo "$1=leaf" ;;
	*,N) echo "$1=3" ;;
	*,N:FUNC) echo "$1=3:leaf" ;;
	*,T | *,TIME) echo "$1=1ms" ;;
	*,SIZE) echo "$1=1M" ;;
	*) echo "$1=no-value-of-kind-$value" ;;
	esac
}
# Each option of attach, of a process that another dwell records: obeyed, or refused with a message, and never ignored.
ordered()
{
	local status option count=0 needs
	printf 'dwell exclude 1\nnot leaf\n' > short.list
	start ordered "$DWELL" record --off -o ordered.dwell ./told
	started_by_record=$(pgrep -P "$started")
	for option in $("$DWELL" help attach | sed -n 's/^  \(-[-a-z]*\|-F\)[][ =,].*/\1/p; s/^  \(-[-a-z]*\)$/\1/p'); do
		[ $option != --for ] || continue # of a test above
		count=$((count + 1)) status=0 needs=
		[ $option != --snapshots ] || needs='--snapshot-when=leaf>1ms'
		# shellcheck disable=SC2046 # words
		timeout 60 "$DWELL" attach $needs $(spelled $option) --for 100ms "$started_by_record" 2> ordered.attach || status=$?
		! grep -q 'calls are in the file of the dwell record' ordered.attach || fail "$option is ignored" "$(cat ordered.attach)"
		case $option in
		--sample | -F | --no-stacks | --engine)
			[ $status = 2 ] || grep -q 'no sample was taken' ordered.attach || [ -s told.dwell ] || fail "$option" "$(cat ordered.attach)"
			[ -s ordered.attach ] || [ -s told.dwell ] || fail "$option: nothing came of it"
			;;
		*)
			[ $status = 2 ] || fail "$option: status $status" "$(cat ordered.attach)"
			[ -z "$needs" ] || option=${needs%%=*}
			grep -q "^dwell: process [0-9]*: $option has no effect on it: the dwell record --off that started it .*; give $option to that record$" \
				ordered.attach || fail "$option" "$(cat ordered.attach)"
			;;
		esac
	done
	[ $count -ge 20 ] || fail "only $count options"
	status=0
	timeout 60 "$DWELL" top --for 1s "$started_by_record" > /dev/null 2> ordered.attach || status=$?
	[ $status = 2 ] && grep -q 'the dwell record --off that started it has its calls' ordered.attach || fail "top: $status" "$(cat ordered.attach)"
	echo end >&"$to"
	exec {to}>&- {from}<&-
	wait "$started" || true
}
test_that "each option is obeyed or refused by attach, where another dwell writes the file" ordered

# Calls that are slow, of a process that runs already: work is the slowest there is.
slow_ones()
{
	start slow LD_PRELOAD="$preload" ./told
	tell threads 2
	attach slow --keep-slowest 3:work
	tell go 100
	kill -INT "$attached"
	wait "$attached" || fail "$(cat slow.attach)"
	"$DWELL" report slow.dwell > slow.report || fail "$(cat slow.report)"
	grep -q '^kept: 3 of 300 calls of work, ' slow.report || fail "$(cat slow.report)"
	report_csv slow
	[ "$(columns slow.csv function calls | LC_ALL=C sort | tr '\t\n' ' ,')" = "leaf 30,work 3," ] || fail "$(cat slow.csv)"
	whole slow
	rm -f slow.dwell*
	attach slow --snapshot-when 'work > 1ns'
	tell go 1
	for _ in $(seq 500); do
		[ ! -e slow.dwell.1 ] || break
		sleep 0.02
	done
	kill -INT "$attached"
	wait "$attached" || true
	"$DWELL" report slow.dwell.1 > slow.report || fail "$(cat slow.report slow.attach)"
	grep -q '^too slow: work took .*, more than 1 ns, on thread' slow.report || fail "$(cat slow.report)"
	finish slow
}
test_that "the slowest calls of a process that runs, and a snapshot of one" slow_ones
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$DWELL" && unshare -m mount -t tmpfs none /proc/sys/kernel 2> /dev/null; then
	test_that "a process that forbids it" forbidden shy '(Permission denied): it has forbidden that (prctl PR_SET_DUMPABLE)' ''
	test_that "a system that forbids it" forbidden yama '(Permission denied): as root, sysctl kernel.yama.ptrace_scope=0 allows it' \
		'mount -t tmpfs none /proc/sys/kernel && mkdir /proc/sys/kernel/yama && echo 1 > /proc/sys/kernel/yama/ptrace_scope'
else
	skip "who forbids it" "needs root, and mounts"
fi
# A process that exits at any moment of it: either there is a file, or it is said why not.
exits_meanwhile()
{
	local turn status wait recorded=0 refused=0
	for turn in $(seq 160); do
		# On a machine that is so slow that nothing of one is recorded, or all, by then: later and later.
		[ $turn -le 20 ] || [ $recorded = 0 ] || [ $refused = 0 ] || break
		wait=$((10 * (turn % 10) << (turn - 1) / 20))
		rm -f exits.dwell
		LD_PRELOAD=$preload ./waits 5000 > /dev/null &
		local pid=$!
		status=0
		(sleep "$((wait / 1000)).$(printf %03d $((wait % 1000)))" && kill -9 $pid) &
		sleep "0.0$((turn % 4))"
		timeout 20 "$DWELL" attach --for 1s -o exits.dwell $pid 2> exits.err || status=$?
		wait $pid || true
		if [ $status -le 1 ]; then
			"$DWELL" report --csv exits.dwell > exits.csv 2> exits.report || [ $? = 1 ] || fail "report: $?" "$(cat exits.report)"
			recorded=$((recorded + 1))
			continue
		fi
		[ $status = 2 ] && [ ! -e exits.dwell ] || fail "status $status, and a file is left" "$(cat exits.err)"
		# Before the agent is in it, it is one to be sampled, which is said.
		sed -i '/no agent in it: sampled at/d' exits.err
		[ "$(wc -l < exits.err)" = 1 ] || fail "$(cat exits.err)"
		grep -qE 'ended while|before it called|has ended already|no such process|no agent is in it|cannot be sampled: it has ended|beginning to run' exits.err ||
			fail "it says" "$(cat exits.err)"
		refused=$((refused + 1))
	done
	echo "$recorded recorded, $refused refused"
	[ $recorded -gt 0 ] && [ $refused -gt 0 ]
}
test_that "a process that ends at any moment while it is attached to" exits_meanwhile
if [ "$(id -u)" = 0 ] && setpriv --reuid 65534 --clear-groups test -x "$DWELL"; then
	test_that "a process of another user" other_user
else
	skip "a process of another user" "needs root, and a build that others can read"
fi
done_testing
