#!/bin/bash
# Ring and linear recordings: what they keep, and what is left of them whoever is killed.
# Takes long, each kind of end in each mode.
. "$(dirname "$0")/../lib.sh"

compile kept kept.c
compile many many_threads.c

# record_mode NAME OPTION COMMAND ...
record_mode()
{
	local name=$1 option=$2 status=0
	shift 2
	rm -f "$name.ended"
	# A recorder that was killed does not wait for the program: what both have open is closed when both have ended.
	# shellcheck disable=SC2086
	timeout -k 5 120 ${under-} "$DWELL" record "$option" -o "$name.dwell" -- "$@" > "$name.out" 2> "$name.err" 9> >(cat > /dev/null; echo > "$name.ended") || status=$?
	comes '^$' "$name.ended"
	echo $status > "$name.status"
}
magic()
{
	head -c 7 "$1.dwell" | tail -c 6
}
# What the report says about a session that nobody ended is a warning.
report_any()
{
	local status=0
	"$DWELL" report --csv "$1.dwell" > "$1.csv" 2> "$1.report.err" || status=$?
	[ $status -le 1 ] || fail "dwell report: status $status" "$(cat "$1.report.err")"
}
all_counts()
{
	report_any "$1"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" | LC_ALL=C sort > "$1.want"
	columns "$1.csv" function calls | LC_ALL=C sort > "$1.got"
	[ -s "$1.want" ] || fail "the program counted nothing" "$(cat "$1.err")"
	diff "$1.want" "$1.got" || fail "(< counted by the program, > reported)"
}
nothing_left_behind()
{
	local left
	left=$(ls -d "$1".dwell?* 2> /dev/null) || true
	[ -z "$left" ] || fail "left behind: $left"
}

# Room for everything: nothing may be missing, whoever was killed. A trace file where record ended, a session where it was killed.
keeps_all()
{
	local mode=$1 how=$2 name=$1-$2
	record_mode "$name" "--$mode=1M" ./kept "$how"
	all_counts "$name"
	case $how in
	return) exits "$name" 0; [ "$(magic "$name")" = dwell$'\r' ] ;;
	kill) exits "$name" 137; [ "$(magic "$name")" = dwell$'\r' ] ;;
	*) exits "$name" 137; [ "$(magic "$name")" = dwses$'\r' ] || fail "no session: $(head -c 8 "$name.dwell" | xxd)" ;;
	esac
	nothing_left_behind "$name"
}
for mode in ring linear; do
	test_that "$mode: a program that returns" keeps_all $mode return
	test_that "$mode: SIGKILL of the program" keeps_all $mode kill
	test_that "$mode: SIGKILL of dwell record, the program goes on" keeps_all $mode record
	test_that "$mode: SIGKILL of both" keeps_all $mode both
done
test_that "stream: SIGKILL of the program" eval 'record_mode stream-kill --stream ./kept kill; exits stream-kill 137; all_counts stream-kill; whole stream-kill'
# What a stream loses with its recorder: of a thread that calls something every 10 ms the last 100 ms, and then some where the recorder has to wait
# for a processor, so it is kept from that.
last_moments()
{
	local under=$alone
	record_mode moments --stream ./kept quiet
	report_any moments
	between 75 "$(value moments early calls)" 100 "calls of early"
	# What recording cost was told while it ran, and how long all took is not known.
	dwell info moments.dwell > moments.info 2> /dev/null || true
	grep -q '^overhead-.* measured ' moments.info || fail "what recording cost is not in it" "$(cat moments.info)"
	! grep -q '^lasted' moments.info || fail "$(cat moments.info)"
	grep -q 'the recording was cut off' moments.report.err || grep -q 'did not end' moments.report.err || cat moments.report.err
}
test_that "stream: SIGKILL of dwell record takes the last moments of a quiet thread" last_moments

# Killed at any moment while it makes a trace file of its session: under its name there is one or the other, and nothing beside it.
killed_converting()
{
	local turn recorder sessions=0 files=0
	for turn in $(seq 8); do
		rm -f ./conv*
		"$DWELL" record --ring=64M -o conv.dwell ./kept return 1500000 > conv.out 2> conv.err &
		recorder=$!
		until grep -q '^count' conv.out 2> /dev/null; do
			sleep 0.01
		done
		sleep "0.$(printf %03d $((turn * 36 - 12)))"
		kill -KILL $recorder 2> /dev/null || true
		wait $recorder 2> /dev/null || true
		# Its heir may be at it.
		for _ in $(seq 500); do
			[ -s conv.dwell ] && break
			sleep 0.02
		done
		case $(magic conv) in
		dwses*) sessions=$((sessions + 1)) ;;
		*) files=$((files + 1)) ;;
		esac
		nothing_left_behind conv
		all_counts conv
	done
	echo "$sessions sessions, $files files"
	[ $sessions -gt 0 ] || fail "it was never killed early enough"
}
test_that "ring: SIGKILL of dwell record while it converts leaves nothing beside the file" killed_converting

# Too much for it: the last, or the first.
keeps_last()
{
	local name=last-$1
	record_mode "$name" --ring=64K ./kept "$1" 200000
	report_any "$name"
	[ "$(value "$name" late calls)" = 100 ] || fail "late: $(value "$name" late calls) calls"
	between 3000 "$(value "$name" middle calls)" 4096 "calls of middle"
	[ -z "$(value "$name" early calls)" ] || fail "early is there"
	# That is whole for what a ring promises; a session that nobody ended is not.
	local status=0 whole=0
	"$DWELL" report "$name.dwell" > "$name.report" 2> "$name.report.err" || status=$?
	[ "$(magic "$name")" = dwell$'\r' ] || whole=1
	[ $status = $whole ] || fail "dwell report: status $status, expected $whole:" "$(cat "$name.report.err")"
	grep -q "1 thread's ring was full and keeps the last events; dwell does not know how many came before" "$name.report" || fail "not said:" "$(cat "$name.report")"
}
keeps_first()
{
	local name=first-$1
	record_mode "$name" --linear=64K ./kept "$1" 200000
	report_any "$name"
	[ "$(value "$name" early calls)" = 100 ] || fail "early: $(value "$name" early calls) calls"
	between 3900 "$(value "$name" middle calls)" 4096 "calls of middle"
	[ -z "$(value "$name" late calls)" ] || fail "late is there"
	grep -q '1 thread stopped recording when its memory was full' "$name.report.err" || fail "not said:" "$(cat "$name.report.err")"
	# what was not recorded is known to the event: two of each call, and main's exit where there was one
	"$DWELL" info --json "$name.dwell" > "$name.info.json" 2> /dev/null || true
	lost=$(sed -n 's/^ *"left_out_events": \([0-9]*\).*/\1/p' "$name.info.json")
	recorded=$(sed -n 's/^ *"events": \([0-9]*\).*/\1/p' "$name.info.json" | head -1)
	called=$(awk '/^count / { n += $3 } END { print n }' "$name.out")
	between $((2 * called - 1)) $((lost + recorded)) $((2 * called)) "lost $lost + recorded $recorded, of $called calls"
}
for how in return kill record both; do
	test_that "ring: the last is kept ($how)" keeps_last $how
	test_that "linear: the first is kept ($how)" keeps_first $how
done
accounts()
{
	"$DWELL" info --json "$1.dwell" > "$1.json" 2> "$1.info.err" || [ $? = 1 ]
	grep -q '"unbalanced_threads": 0' "$1.json" || fail "the times do not add up"
	"$DWELL" calls --csv "$1.dwell" 2> /dev/null | wc -l > "$1.calls"
	"$DWELL" calls --order exit --csv "$1.dwell" 2> /dev/null | wc -l > "$1.exits"
	cmp "$1.calls" "$1.exits"
	[ "$(cat "$1.calls")" -gt 100 ]
}
test_that "the sum holds in a ring that wrapped" accounts last-return
test_that "the sum holds in a session that was left" accounts last-both
# Whoever takes the ring of a thread that has ended goes by the slot's state, and threads of a process come and go: the state is no other thread's.
slot_is_the_threads()
{
	local table words
	table=$(od -An -tu4 -j 12 -N 4 last-both.dwell)
	read -ra words < <(od -An -v -w64 -tu4 -j "$((table))" -N 64 last-both.dwell)
	echo "state ${words[*]:0:2}, thread ${words[4]}"
	[ "${words[1]}" = "${words[4]}" ] && [ "${words[4]}" -gt 0 ]
}
test_that "a slot's state says which thread has it" slot_is_the_threads

# Twelve threads at a time, three hundred in all, and room for sixteen: each of the last ones is there, the others are told.
reuses()
{
	record_mode "reuse-$1" "--$1=64K" true > /dev/null 2>&1 || true
	timeout 100 "$DWELL" record "--$1=64K" --memory=1100K -o "reuse-$1.dwell" ./many 300 12 5 > "reuse-$1.out" 2> "reuse-$1.err" || fail "status $?"
	grep -q 'the data of 28[0-9] threads that had ended was given up' "reuse-$1.err" || fail "not said:" "$(cat "reuse-$1.err")"
	"$DWELL" info "reuse-$1.dwell" > "reuse-$1.info" 2>&1 || true
	given=$(grep -c 'given up for a later one' "reuse-$1.info")
	report_any "reuse-$1"
	between 12 "$(value "reuse-$1" run calls)" 16 "calls of run"
	[ $((given + $(value "reuse-$1" run calls))) = 300 ] || fail "$given are told to be given up, $(value "reuse-$1" run calls) are there"
	[ "$(value "reuse-$1" leaf calls)" = $((5 * $(value "reuse-$1" run calls))) ] || fail "$(cat "reuse-$1.csv")"
}
test_that "ring: rings of ended threads are used again" reuses ring
test_that "linear: rings of ended threads are used again" reuses linear
no_room()
{
	timeout 100 "$DWELL" record --ring=64K --memory=700K -o few.dwell ./many 30 30 5 > few.out 2> few.err || fail "status $?"
	grep -q '21 threads were not recorded: all 10 rings were in use, by running threads or by ended ones that dwell had not read yet; --memory=SIZE makes room for more' few.err || fail "$(cat few.err)"
	report_any few
	grep -q '21 threads were not recorded: there was no memory for them' few.report.err || fail "$(cat few.report.err)"
}
test_that "more living threads than rings: said" no_room

# 800 processes, and a journal that has room for some 400: each one's calls count, and what is not known of the others is said.
full_journal()
{
	gcc -O1 -finstrument-functions -x c - -o processes <<-'END'
		#include <stdio.h>
		#include <sys/wait.h>
		#include <unistd.h>
		static volatile int calls;
		static void child(void)
		{
			calls++;
		}
		int main(void)
		{
			for (int i = 0; i < 800; i++) {
				if (!fork()) {
					child();
					_exit(0);
				}
				wait(0);
			}
			puts("count all 1");
			return 0;
		}
	END
	timeout 100 "$DWELL" record --ring=8K --memory=48K -o full.dwell ./processes > full.out 2> full.err || fail "status $?" "$(cat full.err)"
	said=$(sed -n 's/^dwell: full.dwell: \([0-9]*\) modules or processes did not fit into the trace: names of their functions are missing$/\1/p' full.err)
	between 400 "$said" 100000 "what is said to be missing" || fail "$(cat full.err)"
	report_any full
	grep -q "[0-9,]* modules are not in the trace: their functions have no names" full.report.err || fail "the report does not say it:" "$(cat full.report.err)"
	grep -qx "health,,modules_unrecorded,$said" <("$DWELL" info --csv full.dwell 2> full.info.err) || fail "info does not say it:" "$(cat full.info.err)"
	grep -q '^count all 1' full.out
	[ "$(value full main calls)" = 1 ] || fail "main: $(value full main calls) calls" "$(cat full.csv)"
}
test_that "a full journal: more processes than it has room for" full_journal
# On a disk of 256 KiB: a trace file is small, and one that is too large is said, after the program has ended as it would.
small_file()
{
	mkdir -p small
	unshare -m bash -c 'mount -t tmpfs -o size=256k none small && cd small &&
		"$DWELL" record --ring=64K -o s.dwell ../kept > ../small.out 2> ../small.err; echo $? > ../small.status; cp s.dwell ../small.dwell
		head -c 250000 /dev/urandom > fill 2> /dev/null
		"$DWELL" record --ring=4M -o t.dwell ../kept return 200000 > ../large.out 2> ../large.err; echo $? > ../large.status; ls > ../small.ls'
	exits small 0
	all_counts small
	grep -q '^count middle 200000' large.out
	grep -q 't.dwell: could not be written (No space left on device): what the rings held is lost' large.err || fail "$(cat large.err)"
	[ "$(cat small.ls)" = "$(printf 'fill\ns.dwell')" ] || fail "left behind: $(cat small.ls)"
}
if unshare -m mount -t tmpfs none "$work" 2> /dev/null; then
	test_that "ring: a small file on a small disk" small_file
else
	skip "ring: a small file on a small disk" "may not mount one"
fi

# Into a stream everything goes, however many threads.
thousands()
{
	record "$1" ./many "$2" "$3" 10 "${4-0}"
	exits "$1" 0
	counts_agree "$1"
	whole "$1"
}
# More than twice as many as there are rings (8,192), which are given again as threads end. In half a second record would read some too late.
test_that "20,000 short threads" thousands short 20000 500 50
test_that "2,000 threads at a time" thousands wide 4000 2000
little_memory()
{
	timeout 100 "$DWELL" record --memory=48M -o little.dwell ./many 24 8 100000 > little.out 2> little.err || fail "status $?" "$(cat little.err)"
	report_any little
	recorded=$(columns little.csv calls | awk '{ n += $1 } END { print n }')
	called=$(awk '/^count / { n += $3 } END { print n }' little.out)
	lost=$(sed -n 's/.*: \([0-9]*\) of [0-9]* events were lost.*/\1/p' little.err)
	echo "called $called, reported $recorded, lost ${lost:=0} events"
	[ "$lost" = 0 ] || return 0
	[ "$recorded" = "$called" ]
}
test_that "little memory: what was drained is given back, and nothing is read wrong" little_memory
# What was run is in the file, and loses its end where it is very long; nothing else is missing for that.
long_command()
{
	local option argument
	argument=$(head -c 90000 /dev/zero | tr '\0' a)
	for option in --ring --linear=1M --stream; do
		"$DWELL" record $option -o long.dwell ./kept return 1000 "$argument" > long.out 2> long.err || fail "$option: status $?" "$(cut -c 1-200 long.err)"
		"$DWELL" info --csv long.dwell > long.info || fail "$option: info: status $?"
		grep -qx 'health,,all_is_well,true' long.info || fail "$option" "$(grep '^health' long.info)"
		sed -n 's/^facts,,command,//p' long.info | awk -v want=60000 '{ exit !(length($0) > want) }' || fail "$option: the command"
	done
}
test_that "a command line of 90,000 bytes" long_command
done_testing
