#!/bin/bash
# Where functions begin in the source, from the program, from its separate debug file, and not from that of another build.
. "$(dirname "$0")/../lib.sh"

compile told basic.c -g
cp told told.whole
record told ./told

# A function begins on the line that has its name and a bracket, or where its body's brace is, at most three further down.
lines_are_right()
{
	dwell report --lines --csv told.dwell > report
	[ "$(columns report line | grep -c "basic.c:")" -ge 3 ] || fail "no lines" "$(cat report)"
	columns report function line | while IFS=$(printf '\t') read -r name line; do
		number=${line##*:}
		[ "${line%:*}" -ef "$prog/calls/basic.c" ] || fail "$name is in ${line%:*}"
		sed -n "$((number > 3 ? number - 3 : 1)),${number}p" "$prog/calls/basic.c" | grep -q "\\b$name(" ||
			fail "$name does not begin at line $number" "$(sed -n "${number}p" "$prog/calls/basic.c")"
	done
}

# The same from every command that has them.
everywhere()
{
	main=$(columns report function line | awk -F '\t' '$1 == "main" { print $2 }')
	[ "$main" ] || fail "main has no line"
	for command in "tree" "calls --limit 1" "slowest main" "callees main" "symbols"; do
		file=told.dwell
		[ "$command" = symbols ] && file=told
		[ "$command" = "callees main" ] && main=basic.c:
		dwell $command --lines --csv $file | grep -q "$main" || fail "dwell $command has no lines"
	done
	(cd "$prog/calls" && dwell report --lines "$work/told.dwell") | grep -q " basic.c:[0-9]* *main" || fail "a short line"
}

# Stripped, with the debug file beside it: names and lines are as before; names also of a recording that had none to take along.
separate()
{
	dwell report --lines --csv told.dwell > whole
	objcopy --only-keep-debug told.whole told.debug
	strip told.whole -o told
	record bare ./told
	dwell report --csv bare.dwell | grep -q '^main,' && fail "told has names still"
	objcopy --add-gnu-debuglink=told.debug told
	dwell report --lines --csv told.dwell | diff whole - || fail "with a debug file (< before)"
	columns whole function calls line | sort > whole.rows
	dwell report --lines --csv bare.dwell > bare
	columns bare function calls line | sort | diff whole.rows - || fail "names by a debug file (< before)"
	mkdir -p .build/debug
	mv told.debug .build/debug/
	! dwell report --csv bare.dwell | grep -q '^main,' || fail "there are names without a debug file"
	dwell report --lines told.dwell | grep -q 'basic.c' && fail "there are lines without a debug file"
	dwell report --csv told.dwell | grep -q '^main,' || fail "the recording took no names along"
}

another_build()
{
	compile other recursion.c -g
	objcopy --only-keep-debug other told.debug
	dwell report --lines --csv told.dwell > report 2> err && fail "exit status 0"
	grep -q "told.debug: is the debug file of another build of .*/told: not used" err || fail "$(cat err)"
	! grep -q "recursion.c" report || fail "lines of another program" "$(cat report)"
}

# What is not even an ELF file is said, once, however often it is looked at.
no_debug_file()
{
	echo "no debug file" > told.debug
	# A recording takes the names of its functions along, so only who asks for lines looks for that file.
	for command in "report --lines" "tree --lines" "calls --lines"; do
		# shellcheck disable=SC2086
		dwell $command --csv told.dwell > /dev/null 2> err && fail "$command: exit status 0"
		[ "$(grep -c "told.debug: is no ELF file, but has the name of the debug file of .*/told: not used" err)" = 1 ] || fail "$command:" "$(cat err)"
	done
}

no_lines()
{
	compile bare basic.c -g0
	record bare ./bare
	dwell report --lines bare.dwell > out 2> err || fail "exit status $?"
	grep -q "bare: has no source lines" err || fail "$(cat err)"
}

# Each function of a C++ program, whose first instruction may be of an inlined function, and whose line table has rows without
# instructions: the line that addr2line finds.
as_addr2line()
{
	cat > words.cc <<'END'
#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>
static std::map<std::string, std::vector<int>> all;
__attribute__((noinline)) void check(const std::string &s, size_t n)
{
	if (s.size() < n)
		throw std::out_of_range("short: " + s);
}
__attribute__((noinline)) std::string turned(const std::string &s, int i)
{
	std::string t = s.substr(i);
	t.append(s, 0, i);
	std::reverse(t.begin(), t.end());
	return t;
}
__attribute__((noinline)) size_t count(const std::string &s) { return s.size(); }
int main(int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		std::string s = turned(argv[i], 1);
		all[s].push_back(i);
		check(s, 0);
		std::sort(all[s].begin(), all[s].end(), [](int a, int b) { return a > b; });
		argc += count(s) == 0;
	}
	return all.size() == 0;
}
END
	for flags in "" "-ffunction-sections" "-ffunction-sections -Wl,--sort-section=name" "-gdwarf-4"; do
		# shellcheck disable=SC2086
		g++ -O2 -g $flags words.cc -o words || fail "no compiler"
		dwell symbols --lines --csv words > symbols
		columns symbols address | addr2line -e words | sed 's/ (disc.*//; s/.*[:?][?0]$//; s/.*://' > want
		columns symbols line | sed 's/.*://' > got
		[ "$(grep -c "words.cc:" symbols)" -ge 4 ] && [ "$(grep -c "/include/.*:" symbols)" -ge 4 ] || fail "$flags: few lines" "$(cat symbols)"
		columns symbols address name | paste - got > rows
		columns symbols address name | paste - want | diff rows - || fail "g++ $flags (> addr2line)"
	done
}

rust_names()
{
	# what rustc would have written; the hooks do not mind
	cat > rust.c <<'END'
int inner(int n) __asm__("_ZN3app5shape4area17h0123456789abcdefE");
int outer(int n) __asm__("_RNvNtCs1234_3app5shape5paint");
__attribute__((noinline)) int inner(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline)) int outer(int n) { return inner(n) + inner(n + 1); }
int main(void) { return outer(1) == 0; }
END
	gcc -O1 -finstrument-functions rust.c -o rust
	record rust ./rust
	dwell report --csv rust.dwell > report
	columns report function calls | sort | diff - <(printf 'app::shape::area\t2\napp::shape::paint\t1\nmain\t1\n') || fail "names (< reported)"
	dwell callers app::shape::area rust.dwell | grep -q "app::shape::paint" || fail "asked for by its name"
}

test_that "lines of a program" lines_are_right
test_that "in every command" everywhere
test_that "a separate debug file" separate
test_that "a debug file of another build" another_build
test_that "what should be a debug file, and is none" no_debug_file
test_that "no lines" no_lines
test_that "what addr2line says" as_addr2line
test_that "Rust names" rust_names
done_testing
