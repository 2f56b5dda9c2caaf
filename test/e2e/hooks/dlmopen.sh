#!/bin/bash
# Plug-ins in namespaces of their own (dlmopen), where another C library's hooks are found: each kind of hooks records their calls; what
# cannot be recorded is counted; samples have names.
. "$(dirname "$0")/../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "dlmopen" "the agent is not called when a file is loaded on this processor"
	done_testing
	exit
fi

# plugin NAME [FLAGS]: $HOOKS tells the kind
plugin()
{
	compile "$1.o" namespaces_plugin.c -c -fPIC "${@:2}"
	gcc -shared "$1.o" -o "$1.so" -Wl,-z,now
	gcc -shared "$1.o" -o "$1-lazy.so" -Wl,-z,lazy
}
compile host namespaces.c -ldl

recorded()
{
	local name=$1 bound
	plugin "$@"
	for bound in "$name" "$name-lazy"; do
		record "$bound" ./host "./$bound.so"
		exits "$bound" 0
		counts_agree "$bound"
		whole "$bound"
		"$DWELL" report "$bound.dwell" | grep -q '^complete: ' || fail "not complete" "$("$DWELL" report "$bound.dwell")"
	done
	# Two at the same time, each in a namespace with a C library of its own: there is room for no more in every C library.
	record "$name-threads" ./host "./$name.so" 2
	exits "$name-threads" 0
	counts_agree "$name-threads"
}
HOOKS='' test_that "-finstrument-functions" recorded cyg
HOOKS='-finstrument-functions -fno-plt' test_that "-finstrument-functions without a PLT" recorded cyg-no-plt
HOOKS=$("$DWELL" cflags gcc) test_that "gcc, what dwell cflags prints" recorded sites
HOOKS='-pg -mfentry -minstrument-return=nop5' test_that "-pg -mfentry -minstrument-return" recorded calls
if command -v clang > /dev/null; then
	CC=clang HOOKS='-fxray-instrument -fxray-instruction-threshold=1' test_that "clang -fxray-instrument" recorded xray
else
	skip "clang -fxray-instrument" "no clang"
fi

linked()
{
	compile linked.o namespaces.c -c
	# shellcheck disable=SC2046
	gcc linked.o -o linked $("$DWELL" cflags --link)
	plugin cyg
	record linked ./linked ./cyg.so
	exits linked 0
	counts_agree linked
}
test_that "an agent that is linked into the program" linked

# A longjmp finds the C library of the namespace, so dwell does not see it, and says so.
leaves()
{
	plugin leaves -DLEAVES
	record leaves ./host ./leaves.so
	grep -q '^dwell: .*: dwell cannot see [1-9][0-9]* calls of longjmp, .* behind dlmopen' leaves.err || fail "not a word" "$(cat leaves.err)"
	"$DWELL" info --json leaves.dwell | grep -q '"unseen_unwinds": [1-9]' || fail "not counted" "$("$DWELL" info leaves.dwell)"
}
test_that "a longjmp there is counted" leaves

# What --trace cannot record there: the files that were to be recorded, not their libraries.
unplanned()
{
	HOOKS=-fno-instrument-functions plugin plain
	RECORD_OPTIONS='--trace --only module:plain.so --only module:host' record plain ./host ./plain.so 1
	grep -q '^dwell: .* files were not recorded: the program opened them with dlmopen' plain.err || fail "not a word" "$(cat plain.err)"
	"$DWELL" info --json plain.dwell > plain.json || true
	grep -q '"unpatched_modules": 3$' <(tr -d , < plain.json) || fail "not counted" "$(cat plain.json)"
	! "$DWELL" report plain.dwell | grep '^complete: ' || fail "complete"
}
test_that "--trace counts what it does not record" unplanned

sampled()
{
	HOOKS=-fno-instrument-functions plugin hot -DTURNS=100000
	RECORD_OPTIONS="--sample --engine=$1" record "hot-$1" ./host ./hot.so
	! grep -q perf "hot-$1.err" || { echo "$(head -1 "hot-$1.err")"; return; }
	of_samples report --csv "hot-$1.dwell" | columns /dev/stdin function samples > "hot-$1.got"
	grep -q '^leaf	[1-9]' "hot-$1.got" && [ "$(grep -c '^leaf	' "hot-$1.got")" = 1 ] || fail "$(cat "hot-$1.got")"
	! grep -E 'hot\.so\+|^0x' "hot-$1.got" || fail "without a name:" "$(cat "hot-$1.got")"
}
test_that "samples have names: perf events" sampled perf
test_that "samples have names: timers" sampled timer
done_testing
