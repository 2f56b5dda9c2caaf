#!/bin/bash
# A name that is spelled out and has a * of its own, as C++ has them: the function of that name alone is meant, whichever command is asked,
# however many threads read, and before that function was seen. Any other text with a * is a pattern.
. "$(dirname "$0")/../lib.sh"

one="pair_of::pair_of(char const*)" two="pair_of::pair_of(char const*, int)"

is() { [ "$1" = "$2" ] || fail "$3: $1 calls, expected $2"; }
rows() { "$DWELL" calls --csv "$@" starred.dwell | tail -n +2 | wc -l; }
sum() { "$DWELL" histogram --csv "$@" starred.dwell > sum.csv; columns sum.csv calls | awk '{ sum += $1 } END { print sum }'; }
trees() { "$DWELL" slowest --csv --limit 100 --depth 0 "$@" starred.dwell > trees.csv; columns trees.csv rank | sort -u | wc -l; }
calls_of() { "$DWELL" callers --csv "$1" starred.dwell > callers.csv; columns callers.csv calls | awk '{ sum += $1 } END { print sum }'; }

asked()
{
	compile starred starred.cc -O1
	record starred ./starred
	exits starred 0
	for jobs in 1 2; do
		is "$(rows --jobs $jobs --function "$one")" 14 "calls, $jobs jobs"
		is "$(rows --jobs $jobs --order exit --function "$one")" 14 "calls by exit, $jobs jobs"
		is "$(rows --jobs $jobs --function "pair_of::pair_of")" 74 "calls of the plain name"
		is "$(rows --jobs $jobs --function "pair_of::pair_of(char*)")" 74 "calls of a pattern"
		is "$(rows --jobs $jobs --function "pair_of::operator*")" 30 "calls of an operator"
		is "$(trees --jobs $jobs "$one")" 14 "slowest, $jobs jobs"
		is "$(trees --jobs $jobs "$two")" 60 "slowest, $jobs jobs, the other one"
		is "$(sum --jobs $jobs "$one")" 14 "histogram, $jobs jobs"
	done
	is "$("$DWELL" calls --csv --order exit --function "$one" - < <(cat starred.dwell) | tail -n +2 | wc -l)" 14 "calls from a pipe"
	is "$(calls_of "$one")" 14 callers
	is "$(calls_of "pair_of::operator*")" 30 "callers of an operator"
	"$DWELL" callees --csv "pair_of::operator*(int)" starred.dwell > callees.csv
	is "$(columns callees.csv function calls | grep '^pair')" "$two	30" callees
}

# wanted OPTION PATTERN FUNCTIONS: what is left of the program's functions.
wanted()
{
	"$DWELL" record "$1" "$2" -o wanted.dwell ./starred > wanted.out 2> wanted.err || fail "record $1 '$2':" "$(cat wanted.err)"
	report_csv wanted
	columns wanted.csv function calls | grep -v '^[^p]' | LC_ALL=C sort > wanted.got
	printf '%s\n' "${@:3}" | LC_ALL=C sort | diff - wanted.got || fail "record $1 '$2' (< expected, > recorded)"
}
recorded()
{
	[ -x starred ] || compile starred starred.cc -O1
	wanted --only "$one" "$one	14"
	wanted --only "pair_of::pair_of(char*)" "$one	14" "$two	60"
	wanted --not "$one" "$two	60" "pair_of::operator*(int)	30" "pair_of::operator*=(int)	7"
	wanted --not "pair_of::operator*" "$one	14" "$two	60" "pair_of::operator*=(int)	7"
}

# Functions of one name are told apart, by the same words in every table, and may be asked for by them; through a pipe as soon as the second
# one is called.
twins()
{
	local name
	HOOKS="-g -finstrument-functions -fno-tree-ter"
	gcc -O1 $HOOKS -DOTHER -c "$prog/calls/twins.c" -o other.o
	compile twins twins.c -O1 other.o
	record twins ./twins
	exits twins 0
	report_csv twins
	columns twins.csv function calls | grep ^twin | LC_ALL=C sort > want
	[ "$(wc -l < want)" = 2 ] || fail "report:" "$(cat want)"
	for jobs in 1 2; do
		"$DWELL" calls --csv --jobs $jobs twins.dwell > calls.csv
		columns calls.csv function | grep ^twin | LC_ALL=C sort | uniq -c | awk '{ n = $1; sub(/^ *[0-9]* /, ""); print $0 "\t" n }' | diff want - ||
			fail "calls, $jobs jobs (< reported)"
	done
	"$DWELL" calls --csv --order exit - < <(cat twins.dwell) > calls.csv
	columns calls.csv function | grep ^twin | uniq | head -2 | tail -1 | grep -q '^twin (twins+0x' || fail "through a pipe"
	cut -f 1 want | while read -r name; do
		"$DWELL" slowest --csv -n 1 "$name" twins.dwell > slowest.csv
		[ "$(columns slowest.csv function)" = "$name" ] || fail "slowest '$name':" "$(cat slowest.csv)"
		[ "$("$DWELL" calls --csv --function "$name" twins.dwell | tail -n +2 | wc -l)" = "$(grep -F "$name" want | cut -f 2)" ] || fail "calls of '$name'"
	done
}

for kind in hooks sites; do
	[ $kind = hooks ] && HOOKS="-g -finstrument-functions -fno-tree-ter" || HOOKS="-g $("$DWELL" cflags)"
	test_that "$kind: what is asked of a recording" asked
	test_that "$kind: what is recorded" recorded
done
test_that "two functions of one name" twins
done_testing
