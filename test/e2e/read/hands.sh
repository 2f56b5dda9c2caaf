#!/bin/bash
# Pages of dwell html under hands, in Chromium: what a pointer, fingers and keys do, and what is where then.
# Takes long, a browser.
. "$(dirname "$0")/../lib.sh"

if ! command -v chromium > /dev/null || ! command -v node > /dev/null; then
	skip "pages under hands" "chromium and node are not installed"
	done_testing
	exit 0
fi
. "$ROOT/test/e2e/read/html/browser.sh"

program=$work/program
for name in _start walk_1 walk_2 parse_1 parse_2 sort_1 sort_2 sum_1; do
	printf '\t.globl %s\n\t.type %s, @function\n%s:\t.skip 48, 0x90\n\t.size %s, 48\n' $name $name $name $name
done | gcc -nostdlib -static -Wl,--build-id=none -x assembler - -o program || { echo "Bail out! no compiler"; exit 1; }
"$BUILD/tracegen" --program "$program" --functions 8 --depth 12 --events 20000 --threads 3 --switches 20 --seed 5 -o traced.dwell > /dev/null
"$BUILD/tracegen" --program "$program" --functions 6 --samples 5000 --threads 2 --seed 6 -o sampled.dwell > /dev/null
"$BUILD/tracegen" --program "$program" --functions 5 --depth 6 --events 9000 --threads 2 --seed 8 -o fewer.dwell > /dev/null
dwell html -o traced.html traced.dwell
dwell html -o sampled.html sampled.dwell
dwell html -o traces.html traced.dwell fewer.dwell

# Names of templates are longer than a line.
steady()
{
	local name
	name=std::map\<$(printf 'std::basic_string<char, std::char_traits<char>, std::allocator<char> >, %.0s' 1 2 3 4)int\>::operator[]
	printf 'main;%s;a 30\nmain;b;%s;c 20\nmain;d 10\n' "$name" "$name" > long.folded
	dwell html -o long.html long.folded
	look steady "$work/long.html" 2 flame 25
	look steady "$work/long.html" 2 flame 25 --narrow
	look steady "$work/traced.html" 2 flame 25
	look steady "$work/traced.html" 3 timeline 60 --screenshot "$shots/status.png"
	look steady "$work/traced.html" 3 timeline 60 --narrow
	look steady "$work/traces.html" 3 timeline-old 60 timeline-new
	look steady "$work/traces.html" 3 timeline-new 60 timeline-old
	look steady_range "$work/traced.html"
}

layers()
{
	look layers "$work/traced.html" .bar
	look layers "$work/sampled.html" .range
	look layers "$work/traces.html" .balance
	look layers "$work/traced.html" td.number --narrow
}

# 2310 paths of 1 of 4810: none is as wide as half a pixel.
narrow_boxes()
{
	{ echo 'main;wide 2500'; seq -f 'main;narrow_%g 1' 2310; } > narrow.folded
	dwell html -o narrow.html narrow.folded
	look narrow_boxes "$work/narrow.html" 28 total '2,310 narrow ones, 48.02 %' --screenshot "$shots/narrow-boxes.png"
	look narrow_boxes "$work/narrow.html" 9 self '2,310 narrow ones, 48.02 %'
	dwell html -o narrow-both.html narrow.folded narrow.folded
	look narrow_boxes "$work/narrow-both.html" 28 total '2,310 narrow ones, 48.02 %' --dark
}

# A tree that was cut has less self time than the table.
found()
{
	local edit="$ROOT/test/e2e/read/html/edit.mjs"
	look found "$work/traced.html" sort_
	look found "$work/sampled.html" walk_
	node "$edit" traced.html some.html 'data.tree.rows.splice(20)'
	look found "$work/some.html" sort_
}

cut_tree()
{
	node "$ROOT/test/e2e/read/html/edit.mjs" traced.html cut-tree.html 'data.folded_calls = Math.round(0.61 * data.calls.count); data.health.push({ key: "folded_calls", what: "calls are on paths that the tree has no room for", is_loss: true })'
	look cut_tree "$work/cut-tree.html" 'the tree has paths for 39 % of the calls' --narrow --screenshot "$shots/cut-tree.png"
	head -c -300 traced.dwell > end.dwell
	dwell html -o end.html end.dwell || [ $? = 1 ]
	node "$ROOT/test/e2e/read/html/edit.mjs" end.html same.html 'if (!data.health.some(({ key, is_loss }) => is_loss && /^(cut|no_end)$/.test(key))) throw new Error("health has keys"); data.x = 1'
}

# A histogram knows no callers, so there is nothing between which their shares are.
histogram()
{
	printf 'volatile unsigned s;\n__attribute__((noinline)) void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) s += i; }\nint main(void) { leaf(200000000); }\n' > leaf.c
	gcc -pg -no-pie leaf.c -o leaf
	./leaf
	dwell html --program leaf -o leaf.html gmon.out
	look callers_have "$work/leaf.html" 'function,total %'
	look callers_have "$work/sampled.html" 'function,total %,from,to'
}

# Wherever it is cut off: in the data, in the program behind them.
cut_off()
{
	local percent
	for percent in 60 99 20; do
		head -c $(($(stat -c %s traced.html) * percent / 100)) traced.html > part.html
		! look nothing "$work/part.html" 2> err || fail "$percent % of it is a page"
		grep -q 'This page is cut off: the end of its file is missing' err || fail "$percent %: $(cat err)"
	done
}

touch()
{
	"$BUILD/tracegen" --program "$program" --functions 8 --depth 40 --events 20000 --threads 2 --seed 5 -o deep.dwell > /dev/null
	dwell html -o deep.html deep.dwell
	look touch "$work/deep.html"
}

sort_keys()
{
	look sort_keys "$work/traced.html"
}

# The first thread has a second event after 20 minutes.
axis()
{
	node "$ROOT/test/e2e/read/html/edit.mjs" traced.html minutes.html 'data.threads[0].last_ns = 1.2e12'
	look axis "$work/minutes.html"
	node "$ROOT/test/e2e/read/html/edit.mjs" traced.html days.html 'data.threads[0].last_ns = 4e15'
	look axis "$work/days.html"
	look axis "$work/traced.html"
}

frames()
{
	look frames "$work/traced.html" parse_1 --screenshot "$shots/frames.png"
}

paper()
{
	local edit="$ROOT/test/e2e/read/html/edit.mjs"
	printf 'main;work 30\nmain;rest 5\n' > few.folded
	dwell html -o few.html few.folded
	look paper "$work/few.html" all
	node "$edit" traced.html names.html 'data.names = data.names.map((name, id) => `std::map<${"std::basic_string<char, std::char_traits<char>>, ".repeat(8)}int>::operator_${id}`)'
	look paper "$work/names.html" more --screenshot "$shots/paper-columns.png"
}

scroll_steps()
{
	seq -f 'main;function_%g 1' 10000 > functions.folded
	dwell html -o functions.html functions.folded
	look scroll_steps "$work/functions.html"
}

# The second recording began at another moment.
one_axis()
{
	look one_axis "$work/traces.html" --screenshot "$shots/one-axis.png"
}

# Few paths, many calls.
measured_all()
{
	"$BUILD/tracegen" --program "$program" --functions 4 --depth 4 --events 300000 --threads 3 --switches 50 --seed 7 --pack -o many.dwell > /dev/null
	dwell html -o many.html many.dwell
	look measured_all "$work/many.html" "$(dwell report --csv many.dwell | columns /dev/stdin calls | awk '{ n += $1 } END { print n }')"
}

list_names()
{
	local functions
	functions=$(dwell report traced.dwell | sed -n 's/.* calls of \([0-9,]*\) functions$/\1/p')
	node "$ROOT/test/e2e/read/html/edit.mjs" traced.html panel.html 'data.names = data.names.map((name, id) => `std::map<${"std::basic_string<char>, ".repeat(5)}int>::operator_${id}`)'
	look list_names "$work/panel.html" --screenshot "$shots/list-names.png"
	node "$ROOT/test/e2e/read/html/edit.mjs" traced.html waits.html 'data.waiting_percent = 94.6'
	look waits "$work/waits.html" 95 "$functions"
	node "$ROOT/test/e2e/read/html/edit.mjs" traces.html waits-both.html 'data.waiting_percent = 94.6'
	look waits "$work/waits-both.html" 95 "$functions" ''
}

test_that "canvases stay under the pointer" steady
test_that "names and heads of a table are above what is scrolled" layers
test_that "paths too narrow for boxes have one together" narrow_boxes
test_that "a search adds up the rows it finds" found
test_that "a tree that was cut: one line" cut_tree
test_that "a histogram has no intervals of callers" histogram
test_that "a page that is cut off says so" cut_off
test_that "fingers pan, scroll and zoom" touch
test_that "sorted by keys, and in the link" sort_keys
test_that "an axis has one unit, and what is shown two ends" axis
test_that "frames leave underscores in sight" frames
test_that "on paper: columns that fit, names of two lines" paper
test_that "a scroll step makes the cells of few rows" scroll_steps
test_that "two timelines have one axis" one_axis
test_that "measuring all takes no look at each call" measured_all
test_that "names in lists of the panel; how much a program waits" list_names
done_testing
