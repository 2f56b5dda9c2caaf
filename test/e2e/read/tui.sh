#!/bin/bash
# dwell tui, driven in a terminal. What it shows is compared with what the other commands print, and with the screens in tui/, which
# UPDATE=1 writes anew: look at them.
# Takes long, a terminal that waits for keys.
. "$(dirname "$0")/../lib.sh"
if ! command -v tmux > /dev/null; then
	skip "dwell tui" "no tmux"
	done_testing
	exit 0
fi
"$BUILD/tracegen" -o zoo.dwell --zoo
"$BUILD/tracegen" -o some.dwell --program "$DWELL" --events 20000 --threads 3 --functions 60 --switches 200 --truth truth
"$BUILD/tracegen" -o samples.dwell --program "$DWELL" --samples 2000

# begins COLUMNS ROWS ARGUMENTS [VARIABLE=VALUE ...]: dwell tui, with its first page
begins()
{
	local columns=$1 rows=$2 arguments=$3
	shift 3
	on_terminal "$columns" "$rows" "$@"
	types "clear; stty -a > stty.before; $DWELL tui $arguments" Enter
	shows '^q quit'
}
# ended STATUS: the shell is there again, with a terminal as it was
ended()
{
	shows '^prompt>'
	[ "$($tmux display -p '#{alternate_on} #{cursor_flag}')" = "0 1" ] || fail "not on its first screen, or without a cursor"
	types "echo status \$?; stty -a > stty.after" Enter
	shows "^status $1"
	sed -i 's/rows [0-9]*; columns [0-9]*;//' stty.before stty.after
	diff stty.before stty.after || fail "stty"
}
# page KEY REGEX
page()
{
	types "$1"
	shows "$2"
}
# as_before NAME: the screen is the one in tui/
as_before()
{
	[ -z "${UPDATE-}" ] || cp screen.out "$ROOT/test/e2e/read/tui/$1.txt"
	diff "$ROOT/test/e2e/read/tui/$1.txt" screen.out || fail "screen $1 (< as it was, > as it is)"
}

zoo()
{
	begins 80 24 zoo.dwell
	shows '1 of 7'
	as_before functions-80x24
	page 2 '2 tree 3'
	types '*'
	shows '1 of 11'
	as_before tree-80x24
	types Left
	shows '1 of 5'
	types Down Down 5
	shows '█'
	as_before durations-80x24
	page 6 'its slowest calls'
	as_before slowest-80x24
	page 7 ': 1 call, all there are'
	page 8 'zoo.dwell: 15 events were lost'
	types '?'
	shows 'Backspace, Esc'
	types x q
	ended 1
}
test_that "80 by 24: all pages of a file with one of everything" zoo

small()
{
	begins 40 10 zoo.dwell
	shows '1 of 7'
	as_before functions-40x10
	types Down Down 3
	shows '3 callers'
	as_before callers-40x10
	$tmux resize-window -x 8 -y 2 # no room for anything, and no crash
	sleep 0.5
	$tmux resize-window -x 200 -y 60
	shows '7 calls 8 health'
	types 1
	shows '3 of 7'
	as_before functions-200x60
	types q
	ended 1
}
test_that "40 by 10, and 200 by 60 after it was resized" small

# The rows of the page of functions, as the report has them: calls and self time, with their units.
agrees()
{
	local function
	begins 200 100 some.dwell
	dwell report some.dwell > report.txt
	sed -n 's/ *$//; / functions 2 tree/d; /^ *[0-9][0-9,]* /p' screen.out > shown
	sed -n 's/ *$//; /^ *[0-9][0-9,]* /p' report.txt | awk '!/ = /' | sed 's/^ *//; s/  */ /g' > want
	sed 's/^ *//; s/  */ /g' shown | grep -v 'threads' > got
	[ "$(wc -l < want)" -gt 40 ] || fail "the report is empty"
	diff <(grep -v threads want) got || fail "(< reported, > shown)"
	# Sorted by calls: what the generator counted.
	types s
	shows 'by calls'
	sed '/ functions 2 tree/d' screen.out | grep -oE '^ *[0-9,]+ ' | tr -d ', ' | grep -v '^0' > calls
	sort -rn calls | diff - calls || fail "not sorted"
	[ "$(head -1 calls)" = "$(grep -v '^function,' truth | cut -d, -f2 | sort -rn | head -1)" ] || fail "the most calls"
	# A function that is searched for; its callees and callers.
	function=$(grep -v '^function,' truth | sort -t, -k2,2n | cut -d, -f1 | sed -n 20p)
	types / "$function" Enter
	sleep 0.5
	types e
	shows "^$function.*: [0-9,]* calls, total"
	grep -q '(itself)' screen.out || fail "callees"
	dwell callees "$function" some.dwell | grep -E '^ *[0-9,-]+ .*%' | sed 's/^ *//; s/  */ /g' > want
	grep -E '^ *[0-9,-]+ .*%' screen.out | sed 's/^ *//; s/  */ /g; s/ *$//' | diff want - || fail "callees (< printed, > shown)"
	types c
	shows '3 callers'
	types BSpace
	shows '\(itself\)'
	types BSpace
	shows '^calls.*p99'
	types q
	ended 0
}
# The same times by the other clock, and back.
by_time()
{
	begins 160 30 some.dwell
	types t
	shows '^by wall-clock time'
	"$DWELL" report --wall --csv some.dwell | columns /dev/stdin function | head -5 > want
	sed -n '/^calls /,$ { /^ *[0-9][0-9,]*  /p }' screen.out | awk '{ print $NF }' | head -5 | diff want - || fail "not by wall-clock time" "$(cat screen.out)"
	types 2
	shows '^calls.* wall %'
	types t
	shows '^by CPU time'
	shows '^calls.* cpu %'
	types q
	ended 0
}
test_that "its numbers are those of report and callees; sorting, searching, going back" agrees
test_that "by CPU time and by wall-clock time" by_time

# A program that waits: by CPU time the pages of all functions say so, as the report does.
waits()
{
	local said
	printf '#include <unistd.h>\n__attribute__((noinline)) void sleeps(void) { usleep(200000); }\nint main(void) { sleeps(); return 0; }\n' > sleeps.c
	gcc -g -finstrument-functions sleeps.c -o sleeps
	record sleeps ./sleeps
	said=$("$DWELL" report --cpu sleeps.dwell | sed -n 's/.*; \([0-9]* % of all time is waiting\), .*/\1/p')
	if [ -z "$said" ]; then
		echo "the CPU time is not known here"
		return
	fi
	begins 120 30 "--cpu sleeps.dwell"
	shows "^$said: t shows wall-clock time"
	page 2 "^$said: t shows wall-clock time"
	types t
	shows '^by wall-clock time'
	! grep -q 'is waiting' screen.out || fail "by the clock" "$(cat screen.out)"
	types q
	ended 0
}
test_that "how much a program waits" waits

# More calls than are listed: the longest ones are, found by what the profile knows of durations.
many()
{
	local calls
	"$BUILD/tracegen" -o many.dwell --pack --program "$DWELL" --events 1000000 --threads 2 --functions 4 --depth 30
	begins 120 30 many.dwell
	types 7
	shows 'the longest 5[0-9],[0-9]* calls; [0-9,]* shorter ones are not listed'
	calls=$(sed -n 's/.*the longest \([0-9,]*\) calls; \([0-9,]*\) shorter.*/\1 \2/p' screen.out | tr -d , | awk '{ print $1 + $2 }')
	[ "$calls" = "$(columns <(dwell report --csv many.dwell) calls | head -1)" ] || fail "all and the others are not all: $calls"
	# By total, falling: first the slowest of all.
	types s s s s
	shows 'by total'
	dwell slowest --csv -n 1 "$(columns <(dwell report --csv many.dwell) function | head -1)" many.dwell > slowest
	types 6
	shows 'its slowest calls .25.'
	types q
	ended 0
}
test_that "a function with more calls than are listed" many

samples()
{
	begins 100 24 samples.dwell
	shows '^samples +self %'
	page 2 '2 tree'
	page 3 '3 callers'
	page 6 'holds samples, which have no single calls'
	page 8 'health'
	types q
	ended 0
}
test_that "samples" samples

# Names of C++ in the line above a table: short, so that the figures are in sight.
long_names()
{
	local name='std::map<std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >, int, std::less<int>, std::allocator<int> >::find(int const&)'
	printf '%s\n' "main;$name 3" 'main 1' > long.folded
	begins 80 24 long.folded
	types Enter
	shows '^std::map<.*>::find[(]int const&[)]: total 3 samples, self 3 samples$'
	types q
	ended 0
}
test_that "names of C++ are short above a table, too" long_names

# A file of somebody who would like to have the terminal.
hostile()
{
	printf 'main;\033]0;evil\007name 50\nmain;a\\\xff\xfeb 40\nmain;\346\227\245\346\234\254\350\252\236 30\nmain;x\r\n\ty 20\nmain;\342\200\256rtl 10\nmain;e\314\201 5\nmain;\302\233m 3\n' > hostile.folded
	begins 80 24 hostile.folded
	shows 'evil'
	page 2 '2 tree'
	as_before hostile-80x24
	types q
	ended 1
	begins_again='cat hostile.folded | '"$DWELL"' tui -'
	$tmux pipe-pane "cat > raw"
	types "clear; $begins_again" Enter
	shows '^q quit'
	types 2 7
	shows 'which a pipe cannot'
	types q
	shows 'prompt> *$'
	$tmux pipe-pane
	grep -qa 'q quit' raw || fail "nothing was written down"
	! LC_ALL=C grep -qaP '\x1b\]|\x07|\x9b(?![\x80-\xbf])m|\xe2\x80\xae|[\xff\xfe]' raw || fail "it got to the terminal" "$(od -c raw | head -50)"
}
test_that "hostile names; a pipe, with keys from the terminal" hostile

# With what it is told to be as it was, and by what it was killed. A shell that somebody types into puts the terminal's modes back
# by itself when a signal killed a program: what was left of them is seen by one that does not.
killed()
{
	local signal
	printf '%s\n' 'trap : INT QUIT' 'stty -g > modes.before' "$DWELL tui some.dwell" 'status=$?' 'stty -g > modes.after' 'exit $status' > run.sh
	on_terminal 80 24
	types "stty -a > stty.before" Enter
	for signal in INT TERM HUP QUIT SEGV C-c; do
		types "clear; sh run.sh" Enter
		shows '^q quit'
		rm -f modes.after
		if [ $signal = C-c ]; then
			types C-c
			signal=INT
		else
			kill -s $signal "$(pgrep -n -x dwell -s "$($tmux display -p '#{pane_pid}')")"
		fi
		ended $((128 + $(kill -l $signal)))
		diff modes.before modes.after || fail "$signal: the terminal's modes (< as they were, > as they are)"
	done
}
test_that "a signal gives the terminal back" killed
stopped()
{
	begins 80 24 some.dwell
	types 2
	shows '2 tree'
	cp screen.out before.out
	types C-z
	shows 'Stopped'
	[ "$($tmux display -p '#{alternate_on}')" = 0 ] || fail "it has the screen while it is stopped"
	types "stty -a > stty.after; clear; fg" Enter
	shows '^q quit'
	diff before.out screen.out || fail "it is not as it was"
	diff stty.before stty.after || fail "stty"
	# Stopped without being asked.
	kill -STOP "$(pgrep -n -x dwell -s "$($tmux display -p '#{pane_pid}')")"
	shows 'Stopped'
	types "clear; fg" Enter
	shows '^q quit'
	diff before.out screen.out || fail "it is not as it was"
	types q
	ended 0
}
test_that "it is stopped, and goes on" stopped

# colours NAME=VALUE: of the bytes that are written, how many times a colour is chosen
colours()
{
	rm -f raw
	on_terminal 80 24
	$tmux pipe-pane "cat > raw"
	types "clear; $1 $DWELL tui zoo.dwell" Enter
	shows '1 functions'
	grep -q 'zoo+0x402000' screen.out || fail "no table" "$(cat screen.out)"
	types q
	shows '^prompt> *$|events were lost while'
	$tmux pipe-pane
	sleep 0.3
	goes
	LC_ALL=C grep -caP '\x1b\[[0-9;]*3[1-7]m' raw > colours.out || true
	cat colours.out
}
kinds()
{
	tic -x -o terminfo - <<< 'sixteen|of 16 colours,colors#16,pairs#256,use=xterm-256color,'
	[ "$(colours "TERMINFO=$PWD/terminfo TERM=sixteen" | tail -1)" -gt 0 ] || fail "16 colours: none"
	[ "$(colours TERM=screen | tail -1)" -gt 0 ] || fail "8 colours: none"
	[ "$(colours 'NO_COLOR=1 TERM=xterm-256color' | tail -1)" = 0 ] || fail "NO_COLOR"
	[ "$(colours TERM=vt100 | tail -1)" = 0 ] || fail "vt100"
	colours 'LC_ALL=C TERM=linux' || fail "linux"
}
test_that "terminals with 16 colours, 8 and none" kinds
refused()
{
	on_terminal 100 10
	types "clear; TERM=nobody-has-this $DWELL tui some.dwell" Enter
	shows "this terminal is not known: TERM is 'nobody-has-this'"
	types "clear; TERM=dumb $DWELL tui some.dwell" Enter
	shows "this terminal cannot place its cursor: TERM is 'dumb'"
	types "clear; TERM= $DWELL tui some.dwell" Enter
	shows "this terminal is not known"
	types "clear; echo still he''re" Enter
	shows '^still here'
}
test_that "terminals that it cannot draw on" refused
done_testing
