#!/bin/bash
# The line that ends a recording on a terminal: what is in which file, how long it took, and what to type next, which works as it is printed.
. "$(dirname "$0")/../lib.sh"

if ! compile calls shares.c || ! HOOKS=-fno-instrument-functions compile plain shares.c; then
	echo "Bail out! no compiler"
	exit 1
fi

# Four calls a round, work and main.
in_words='^dwell: it.s here\.dwell: 404 entries and exits of functions in [0-9.]+ m?s; to see them: dwell report .*$'
traced()
{
	on_terminal 160 12
	types "dwell record -o \"it's here.dwell\" ./calls 50" Enter
	shows "$in_words"
	# What it says is typed, as it is.
	types "clear" Enter
	# A pipe is read, too; a file for problems has none.
	next=$("$DWELL" record -o "it's here.dwell" ./calls 50 2>&1 > /dev/null | cat)
	grep -qE "$in_words" <<< "$next" || fail "in a pipe:" "$next"
	"$DWELL" record -o "it's here.dwell" ./calls 50 > /dev/null 2> file.err
	[ ! -s file.err ] || fail "in a file:" "$(cat file.err)"
	types "dwell record -o \"it's here.dwell\" ./calls 50" Enter
	shows "$in_words"
	types -l "$(sed -n 's/.*; to see them: \(dwell report .*\)$/\1/p' screen.out) | head -3"
	types Enter
	shows '^.*404 events, 202 calls of 6 functions'
}

# After warnings, whatever they are; --count keeps no event, and counts them.
last_of_all()
{
	on_terminal 160 20
	types "dwell record --count --not nothing_like_that ./calls 50; echo END" Enter
	shows '^END'
	sed -n '/^dwell: /h; /^END$/{x;p;}' screen.out | grep -q "^dwell: calls.dwell: 404 entries and exits" || fail "$(cat screen.out)"
	grep -q "nothing_like_that" screen.out || fail "no warning" "$(cat screen.out)"
	types "dwell record -o /dev/null ./calls 50; dwell record -o none.dwell --for 1s --trace false; echo END2" Enter
	shows '^END2'
	! grep -q "dev/null: 404" screen.out || fail "a file that cannot be read" "$(cat screen.out)"
	! grep -q "none.dwell: .* to see them" screen.out || fail "a file that is not there" "$(cat screen.out)"
}

sampled()
{
	on_terminal 160 12
	types "dwell record -o plain.dwell ./plain 20000" Enter
	shows '^(dwell: plain.dwell: [0-9,]+ samples in [0-9.]+ m?s; to see them: dwell report plain.dwell|.*cannot be sampled.*)$'
	./plain 100000000 &
	types "dwell attach --for 500ms -o attached.dwell $!" Enter
	shows '^(dwell: attached.dwell: [0-9,]+ samples? in [0-9.]+ m?s; to see them: dwell report attached.dwell|.*process [0-9]+: cannot be sampled.*)$'
}

# Who waited for a slow call wants to see that one.
slow_call()
{
	on_terminal 160 20
	types "dwell record --snapshot-when 'work > 1ns' --snapshots 1 ./calls 50; echo END" Enter
	shows '^END'
	grep -q '; to see the first slow call: dwell slowest -n 1 work calls.dwell.1$' screen.out || fail "$(cat screen.out)"
	types -l "$(sed -n 's/.*; to see the first slow call: \(dwell slowest .*\)$/\1/p' screen.out)"
	types Enter
	shows '^.*thread.*calls'
	"$DWELL" slowest -n 1 work calls.dwell.1 | grep -q ' work$' || fail "$("$DWELL" slowest -n 1 work calls.dwell.1)"
}

if command -v tmux > /dev/null; then
	test_that "of calls, with a command that can be typed" traced
	test_that "behind all warnings; none without a file" last_of_all
	test_that "of samples" sampled
	test_that "of a slow call with a snapshot" slow_call
else
	skip "the closing line" "no tmux"
fi
done_testing
