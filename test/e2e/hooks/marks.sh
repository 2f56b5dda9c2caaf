#!/bin/bash
# dwell_mark: what a program says stands among its calls.
. "$(dirname "$0")/../lib.sh"

compile marks marks.c -I"$ROOT/include" -L"$BUILD" -ldwell -Wl,-rpath,"$BUILD"
compile marks.static marks.c -I"$ROOT/include" -static $("$DWELL" cflags --link)
marked()
{
	local name=$1
	exits "$name" 0
	counts_agree "$name"
	whole "$name"
}
record marks ./marks
test_that "each text as often as it was said, in threads, handlers, behind a longjmp" marked marks
cp marks.out plain.out
each_mode()
{
	local mode
	for mode in --ring=1M --linear=1M --no-pack; do
		timeout 60 "$DWELL" record "$mode" -o mode.dwell -- ./marks > mode.out 2> mode.err || fail "$mode: status $?" "$(cat mode.err)"
		counts_agree mode
	done
}
test_that "in each mode" each_mode
record static ./marks.static
# It cannot see longjmp.
static()
{
	exits static 0
	report_csv static
	[ "$(value static 'mark: thread' calls)" = 3000 ] || fail "mark: thread: $(value static 'mark: thread' calls)"
}
test_that "in a static program" static
in_order()
{
	calls_csv marks --function 'mark: round 1'
	[ "$(columns marks.calls function | sort | uniq -c | tr -s ' ')" = ' 100 mark: round 1' ] || fail "$(head marks.calls)"
	calls_csv marks
	columns marks.calls depth function | awk -F '\t' '
		$2 ~ /^mark: round/ { if ($2 != "mark: round " (n++ % 3) || last !~ /^(leaf|rounds)$/) { print "after " last ": " $2; bad = 1 } }
		{ last = $2 }
		END { exit bad || n != 300 }'
	only_called_by marks 'mark: landed' jumps
	only_called_by marks 'mark: in a handler' on_signal
}
test_that "each in its place among the calls" in_order
# main ran when the program turned recording on: its entry is nowhere, and nobody says that it is there.
late()
{
	timeout 60 "$DWELL" record --off -o late.dwell ./marks > late.out 2> late.err || fail "status $?" "$(cat late.err)"
	"$DWELL" report late.dwell > late.report 2> late.report.err
	grep -q '^complete.* nothing .*was lost; [0-9]* calls* had begun before the recording' late.report || fail "$(cat late.report)"
}
test_that "turned on late" late
alone()
{
	./marks > alone.out || fail "status $?"
	diff alone.out plain.out
}
test_that "without dwell record they do nothing" alone
done_testing
