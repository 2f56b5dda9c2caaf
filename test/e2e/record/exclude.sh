#!/bin/bash
# What report --write-exclude says of a recording, as compilers take it: built so, what is listed has no hooks, and all else is recorded
# as before.
#
# Measures time: what is listed is what was short and called often. Which functions that are does not matter, but leaf and inner must be.
. "$(dirname "$0")/../lib.sh"

# listed FORM OPTIONS: makes list of a recording of the program, and listed, their names.
listed()
{
	RECORD_OPTIONS=$2 record "$kind" "./$kind" 300
	exits "$kind" 0
	"$DWELL" report --write-exclude names "$kind.dwell" > report 2> names.err || fail "$(cat names.err)"
	"$DWELL" report --write-exclude list --exclude-form "$1" "$kind.dwell" > report 2> list.err || fail "$(cat list.err)"
	sed -n 's/^not //p' names | LC_ALL=C sort > listed
	grep -qx leaf listed && grep -qx inner listed || fail "leaf and inner are not listed:" "$(cat names)"
}

# without NAME: the program that was built with the list calls as often, and what is listed is not recorded.
without()
{
	record "$1" "./$1" 300
	exits "$1" 0
	report_csv "$1"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" | LC_ALL=C sort | LC_ALL=C join -t "$(printf '\t')" -v 1 - listed > "$1.want"
	columns "$1.csv" function calls | LC_ALL=C sort > "$1.got"
	diff "$1.want" "$1.got" || fail "(< counted by the program and not listed, > reported)"
}

by_gcc()
{
	kind=hooks
	compile hooks throttled.c
	listed gcc ""
	compile hooks-without throttled.c @list
	without hooks-without
	# What was throttled is listed, too.
	listed gcc "--throttle=0.01"
	compile hooks-throttled throttled.c @list
	without hooks-throttled
}

by_clang()
{
	kind=xray
	CC=clang HOOKS="-g -fno-optimize-sibling-calls -fno-inline -fxray-instrument -fxray-instruction-threshold=1" compile xray throttled.c
	listed clang ""
	CC=clang HOOKS="-g -fno-optimize-sibling-calls -fno-inline -fxray-instrument -fxray-instruction-threshold=1 -fxray-attr-list=$PWD/list" \
		compile xray-without throttled.c
	without xray-without
}

# The places are where the functions begin: in the line of the name, or that of the brace below.
by_attribute()
{
	local place line name
	kind=sites
	HOOKS="-g $as_written -fno-ipa-cp -fno-ipa-sra $("$DWELL" cflags)"
	compile sites throttled.c
	listed attribute ""
	[ "$(wc -l < list)" = "$(wc -l < listed)" ] || fail "$(cat list)"
	cp "$prog/calls/throttled.c" annotated.c
	while read -r place name _; do
		line=${place#*:} line=${line%:} place=${place%%:*}
		[ "${place##*/}" = throttled.c ] || fail "$place is no source of this program"
		sed -n "${line}p" annotated.c | grep -q "$name(" || line=$((line - 1))
		sed -n "${line}p" annotated.c | grep -q "$name(" || fail "$name is not in line $line, nor below"
		sed -i "${line}s/^/__attribute__((no_instrument_function)) /" annotated.c
	done < list
	# shellcheck disable=SC2086
	gcc -D_GNU_SOURCE -O2 $HOOKS -pthread -I"$prog/calls" annotated.c -o sites-without || fail "it does not compile:" "$(cat list)"
	without sites-without
}

# names NAME FORM: makes list of a recording of it, and list.err.
names()
{
	record "$1" "./$1"
	exits "$1" 0
	"$DWELL" report --write-exclude list --exclude-form "$2" "$1.dwell" > report 2> list.err || fail "$(cat list.err)"
}

# calls NAME: a function and its calls in each line, by name, without what the standard library has.
calls()
{
	record "$1" "./$1"
	exits "$1" 0
	report_csv "$1"
	columns "$1.csv" function calls | grep -v 'std::' | LC_ALL=C sort
}

# Names of C++ as GCC prints them have no arguments; what they cannot tell stays.
cxx_by_gcc()
{
	compile cxx namesakes.cc
	names cxx gcc
	[ "$(cat list)" = "-finstrument-functions-exclude-function-list=space::box::get" ] || fail "$(cat list)" "$(cat list.err)"
	grep -q 'has 2 of 5 functions, .* is 40 %' list.err || fail "$(cat list.err)"
	compile cxx-without namesakes.cc @list
	calls cxx-without > got
	[ "$(cut -f 1 < got)" = "$(printf '%s\n' '(anonymous namespace)::hidden(unsigned int)' 'int space::twice<int>(int)' main \
		'other::hidden(unsigned int)' 'space::box::operator,(int) const')" ] || fail "$(cat got)"
}

# Symbols tell all of them apart.
cxx_by_clang()
{
	local hooks="-fxray-instrument -fxray-instruction-threshold=1"
	CXX=clang++ HOOKS=$hooks compile xray-cxx namesakes.cc
	names xray-cxx clang
	[ "$(grep -c '^fun:_Z' list)" = 5 ] || fail "$(cat list)" "$(cat list.err)"
	CXX=clang++ HOOKS="$hooks -fxray-attr-list=$PWD/list" compile xray-cxx-without namesakes.cc
	calls xray-cxx-without > got
	[ "$(cat got)" = "$(printf 'main\t1\nother::hidden(unsigned int)\t10')" ] || fail "$(cat got)"
}

# Copies that the optimiser made are called what the source calls them.
copies()
{
	HOOKS=$("$DWELL" cflags) compile copies copied.c
	names copies record
	grep -q '^not scale.*[.]' list || fail "no copy of scale:" "$(cat list)" "$(cat list.err)"
	! grep -q 'leaves out every' list.err || fail "$(cat list.err)"
	names copies gcc
	[ "$(cat list)" = "-finstrument-functions-exclude-function-list=scale" ] || fail "$(cat list)" "$(cat list.err)"
}

# What else is called so would be left out as well, and is said.
twins()
{
	gcc -O2 -finstrument-functions -DOTHER -c "$prog/calls/twins.c" -o other.o
	compile twins twins.c other.o
	names twins record
	grep -qx 'not twin' list || fail "$(cat list)"
	grep -q 'dwell record leaves out every function whose name is in the list: 1 more of this trace, such as twin (twins+0x.*), with twin' list.err ||
		fail "$(cat list.err)"
	names twins clang
	grep -q 'Clang leaves out every function whose symbol is in the list: 1 more' list.err || fail "$(cat list.err)"
	names twins gcc
	grep -q 'GCC leaves out every function that has, anywhere in its name, one that is in the list: 1 more' list.err || fail "$(cat list.err)"
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
HOOKS="-g $as_written -finstrument-functions -fno-tree-ter"
test_that "gcc: an option for functions by name" by_gcc
if command -v clang > /dev/null; then
	test_that "clang: a list of functions by name" by_clang
else
	skip "clang: a list of functions by name" "there is no clang"
fi
test_that "attributes: places in the source" by_attribute
HOOKS=-finstrument-functions
test_that "g++: names without arguments" cxx_by_gcc
if command -v clang++ > /dev/null; then
	test_that "clang++: symbols" cxx_by_clang
else
	skip "clang++: symbols" "there is no clang++"
fi
test_that "copies of a function" copies
test_that "two functions of one name" twins
done_testing
