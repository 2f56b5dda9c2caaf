#!/bin/bash
# libdwell-read and its Python package: the examples run, and every answer is what the command's CSV says.
. "$(dirname "$0")/../lib.sh"

"$BUILD/tracegen" -o trace.dwell --program "$DWELL" --events 40000 --functions 12 --args 2 --switches 100
"$BUILD/tracegen" -o samples.dwell --program "$DWELL" --samples 500 --functions 6
"$BUILD/tracegen" -o zoo.dwell --zoo
printf 'main;a,b"c 5\nmain;\377 3\nmain;x y 1\n' > names.folded
export LD_LIBRARY_PATH=$BUILD PYTHONPATH=$ROOT/python PYTHONDONTWRITEBYTECODE=1
"$DWELL" report --csv --limit 5 --sort self --wall trace.dwell | columns /dev/stdin self_ns function |
	awk '{ printf "%10.3f ms  %s\n", $1 / 1e6, $2 }' > want

in_c()
{
	[ "$(wc -l < want)" = 5 ]
	gcc -Wall -Wextra -Werror -O2 -I"$ROOT/include" "$ROOT/examples/read/slowest.c" -L"$BUILD" -ldwell-read -o slowest
	./slowest trace.dwell | diff want -
	! ./slowest /nowhere/at.all 2> err || fail "a file that is not there"
	grep -q '/nowhere/at.all' err
}
test_that "the example in C prints what the report says" in_c

in_python() { python3 "$ROOT/examples/read/slowest.py" trace.dwell | diff want -; }
test_that "and in Python" in_python

static_too()
{
	# shellcheck disable=SC2046
	gcc -O2 -I"$ROOT/include" "$ROOT/examples/read/slowest.c" "$BUILD/libdwell-read.a" $(sed -n 's/^READ_NEEDS := //p' "$ROOT/mk/read.mk") -o slowest-static
	env -u LD_LIBRARY_PATH ./slowest-static trace.dwell | diff want -
}
test_that "a program can have it all inside" static_too

only_its_header()
{
	! nm -D --defined-only "$BUILD/libdwell-read.so" | awk '{ print $3 }' | grep -v '^dwell_read_'
	! nm -g --defined-only "$BUILD/libdwell-read.a" | awk 'NF == 3 { print $3 }' | grep -v '^dwell_read_'
	nm -D --defined-only "$BUILD/libdwell-read.so" | awk '{ print $3 }' | sort > shown
	grep -o "^DWELL_READ_API.*(" "$ROOT/include/dwell/read.h" | grep -o "dwell_read_[a-z]*(" | tr -d '(' | sort -u | diff - shown
}
test_that "the library shows nothing but its header" only_its_header

# What 1.0 promised stays: abi-1.0 has each function, size and parameter of that release. Later ones are not in it.
abi()
{
	gcc -Wall -Wextra -Werror -I"$ROOT/include" "$ROOT/test/e2e/read/abi.c" -L"$BUILD" -ldwell-read -o abi
	{
		nm -D --defined-only "$BUILD/libdwell-read.so" | sed 's/.* /function /'
		./abi
	} | LC_ALL=C sort > abi.now
	LC_ALL=C comm -13 abi.now "$ROOT/test/e2e/read/abi-1.0" > abi.gone
	[ ! -s abi.gone ] || fail "is gone, or is another:" "$(cat abi.gone)"
}
test_that "programs that were built with 1.0 can rely on all that it had" abi

as_csv() { python3 "$ROOT/test/e2e/read/python/same_as_csv.py" "$DWELL" trace.dwell samples.dwell zoo.dwell names.folded; }
test_that "every answer is what the command's CSV says" as_csv

answers() { python3 "$ROOT/test/e2e/read/python/answers.py" trace.dwell; }
test_that "answers stream, end early, and tell errors" answers
done_testing
