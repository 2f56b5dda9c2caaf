#!/bin/bash
# What report --write-exclude says of a recording, as compilers take it: built so, what is listed has no hooks, and all else is recorded
# as before.
#
# Measures time: what is listed is what was short and called often. Which functions that are does not matter, but leaf and inner must be.
. "$(dirname "$0")/lib.sh"

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
	cp "$prog/throttled.c" annotated.c
	while read -r place name _; do
		line=${place#*:} line=${line%:} place=${place%%:*}
		[ "${place##*/}" = throttled.c ] || fail "$place is no source of this program"
		sed -n "${line}p" annotated.c | grep -q "$name(" || line=$((line - 1))
		sed -n "${line}p" annotated.c | grep -q "$name(" || fail "$name is not in line $line, nor below"
		sed -i "${line}s/^/__attribute__((no_instrument_function)) /" annotated.c
	done < list
	# shellcheck disable=SC2086
	gcc -D_GNU_SOURCE -O2 $HOOKS -pthread -I"$prog" annotated.c -o sites-without || fail "it does not compile:" "$(cat list)"
	without sites-without
}

as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf"
HOOKS="-g $as_written -finstrument-functions"
test_that "gcc: an option for functions by name" by_gcc
if command -v clang > /dev/null; then
	test_that "clang: a list of functions by name" by_clang
else
	skip "clang: a list of functions by name" "there is no clang"
fi
test_that "attributes: places in the source" by_attribute
done_testing
