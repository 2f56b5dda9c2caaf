#!/bin/bash
# Programs that nobody compiled with hooks, recorded as they are: --trace.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
# Without hooks, and with all functions that the program counts as functions of their own.
HOOKS="-fno-inline -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-partial-inlining"
RECORD_OPTIONS=--trace
# What counts is compiled like all else.
uncounted='^(count_(link|print|line)(\(.*\))?|now_us|make|.*\.(cold|part\.[0-9]+))	'

basic()
{
	local name=$1
	shift
	compile "$name" basic.c "$@"
	record "$name" "./$name" 3
	exits "$name" 0
	counts_agree "$name" "$uncounted"
	whole "$name"
}
for CC in gcc clang; do
	command -v $CC > /dev/null || { skip "$CC" "not installed"; continue; }
	[ $CC = gcc ] || HOOKS=-fno-inline
	test_that "$CC" basic $CC
	test_that "$CC -O0" basic $CC-O0 -O0
	test_that "$CC -O3" basic $CC-O3 -O3
	test_that "$CC -Os" basic $CC-Os -Os
	test_that "$CC, not position-independent" basic $CC-no-pie -fno-pie -no-pie
	test_that "$CC -fcf-protection" basic $CC-cet -fcf-protection
	test_that "$CC, frame pointers" basic $CC-fp -fno-omit-frame-pointer
done
CC=gcc HOOKS="-fno-inline -fno-ipa-cp -fno-ipa-sra -fno-ipa-icf -fno-partial-inlining"

stripped()
{
	compile full basic.c
	record full ./full 3
	strip -s full -o stripped
	record stripped ./stripped 3
	exits stripped 0
	report_csv full
	report_csv stripped
	columns full.csv calls | sort > full.calls
	columns stripped.csv calls | sort > stripped.calls
	diff full.calls stripped.calls
	whole stripped
}
test_that "stripped: the same calls" stripped
# Functions without a name are in a module, too, and are called what reports call them.
stripped_filters()
{
	local name
	[ -s stripped.csv ] || return 1
	name=$(columns stripped.csv calls function | sort -n | tail -1 | cut -f2)
	RECORD_OPTIONS="--trace --only module:stripped" record chosen ./stripped 3
	exits chosen 0
	report_csv chosen
	columns chosen.csv calls | sort > chosen.calls
	diff stripped.calls chosen.calls
	RECORD_OPTIONS="--trace --not $name" record others ./stripped 3
	exits others 0
	report_csv others
	columns stripped.csv function calls | grep -v "^${name//+/[+]}	" | sort > others.want
	columns others.csv function calls | sort | diff others.want -
}
test_that "stripped: --only and --not" stripped_filters

same()
{
	local name=$1
	shift
	record "$name" "$@"
	exits "$name" "${status:-0}"
	counts_agree "$name" "$uncounted"
	whole "$name"
}
threads()
{
	compile threads threads.c
	same threads ./threads
}
test_that "threads" threads
forks()
{
	compile forks forks.c
	same forks ./forks fork
}
test_that "forked children" forks
tails()
{
	compile tail tail.c
	same tail ./tail
	# The report counts those that can end so, as far as they were called; the list of sites has them by name.
	report_csv tail
	"$DWELL" symbols --sites --csv tail > tail.sites
	columns tail.sites name tail_calls | awk -F '\t' '$2 > 0 { print $1 }' | sort > can
	columns tail.csv function calls | cut -f1 | sort | comm -12 - can > did
	grep -qx pong did || fail "pong makes no tail call:" "$(cat can)"
	grep -q "\"tail_call_functions\": $(wc -l < did)[,}]" tail.json || fail "$(cat did tail.json)"
	"$DWELL" report tail.dwell | grep -q "^  $(wc -l < did) functions* may end by jumping to another one" || fail "$("$DWELL" report tail.dwell)"
	"$DWELL" slowest -n 1 tail.dwell | grep -q "^$(wc -l < did) functions* may end by jumping to another one" || fail "$("$DWELL" slowest -n 1 tail.dwell)"
	compile straight tail.c -fno-optimize-sibling-calls
	same straight ./straight
	grep -q '"tail_call_functions": 0[,}]' straight.json || fail "$(cat straight.json)"
	"$DWELL" report straight.dwell | grep -q 'each call has its entry and its exit' || fail "$("$DWELL" report straight.dwell)"
}
test_that "tail calls end one function and begin another" tails
throws()
{
	compile throw throw.cc
	same throw ./throw
}
test_that "C++ exceptions" throws
# The program's own unwinder, asked in a handler that interrupted a gate: LINKED-WITH [ARGUMENTS]
from_gates()
{
	# shellcheck disable=SC2086
	compile from_gates from_gates.c -Wl,--no-as-needed $1 -ldl
	record from_gates ./from_gates "${@:2}"
	[ "$(cat from_gates.status)" = 0 ] || fail "$(cat from_gates.err)"
	[ "$(cat from_gates.out)" = "100 of 100" ] || fail "stacks that came to main: $(cat from_gates.out)"
}
test_that "a stack from a gate, by glibc, which loads libgcc late" from_gates "" backtrace
test_that "a stack from a gate, by a libgcc that is linked in" from_gates -static-libgcc
# Debian has GNU's and LLVM's under these names.
for library in libunwind.so.8 libunwind.so.1; do
	if [ "$(gcc -print-file-name=$library)" != $library ]; then
		test_that "a stack from a gate, by $library" from_gates -l:$library
	else
		skip "a stack from a gate, by $library" "not installed"
	fi
done
# Somebody else who samples the program meanwhile has whole stacks, too, and one name for what recording it takes.
sampled_from_outside()
{
	local record
	compile from_outside throttled.c
	"$DWELL" record --trace --ring=1M -o recorded.dwell ./from_outside 100000000 2> record.err > out &
	record=$!
	for _ in $(seq 100); do
		sampled=$(pgrep -P $record -x from_outside) && break
		sleep 0.05
	done
	sleep 0.3
	timeout -s INT 2 "$DWELL" attach --sample -o outside.dwell "$sampled" > attach.out 2>&1 || true
	kill "$sampled"
	wait $record || true
	"$DWELL" report outside.dwell > outside.text || fail "$(cat attach.out outside.text)"
	sed -n 's/^callers: \([0-9]*\)[0-9.]* % complete.*/\1/p' outside.text > complete
	[ "$(cat complete)" -ge 98 ] || fail "$(cat outside.text)"
	"$DWELL" report --csv outside.dwell > outside.csv
	columns outside.csv function self_percent | awk -F '\t' '$1 == "[dwell]" && $2 > 5 { found = 1 } $1 ~ /jit/ { bad = 1 } END { exit bad || !found }' || fail "$(cat outside.csv)"
}
test_that "sampled from outside meanwhile: whole stacks" sampled_from_outside
opens_thrower()
{
	compile thrower.so thrower.cc -shared -fPIC
	compile opens_thrower opens_thrower.c -ldl -fexceptions
	record thrower ./opens_thrower ./thrower.so
	exits thrower 0
	[ "$(cat thrower.out)" = 5 ] || fail "$(cat thrower.out)"
	report_csv thrower
	[ "$(value thrower outer calls) $(value thrower inner calls)" = "10 10" ] || fail "$(cat thrower.csv)"
	only_called_by thrower inner outer
	only_called_by thrower outer main
	whole thrower
}
test_that "C++ that is loaded late throws through C" opens_thrower
faults()
{
	compile faults faults.cc -fnon-call-exceptions
	./faults > faults.want
	record faults ./faults
	exits faults 0
	diff faults.want faults.out
	report_csv faults
	[ "$(value faults 'load(int const*)' calls)" = 4 ] || fail "load" "$(cat faults.csv)"
	whole faults
}
test_that "what faults throws lands where it did (-fnon-call-exceptions)" faults
restartable()
{
	compile sequence sequence.c
	"$DWELL" symbols --sites sequence > sequence.sites
	grep -q ' increment .*left alone .*restartable' sequence.sites || fail "$(cat sequence.sites)"
	record sequence ./sequence
	exits sequence 0
	[ "$(cat sequence.out)" = 5 ] || fail "$(cat sequence.out)"
	report_csv sequence
	[ "$(value sequence twice calls)" = 1 ] || fail "twice" "$(cat sequence.csv)"
}
test_that "a restartable sequence stays where it is" restartable
jumps()
{
	compile jump jump.c
	same jump ./jump
}
test_that "longjmp" jumps
# Where such a jump lands is not seen: then the recording is not called complete, and the list of sites names the function.
unseen_jumps()
{
	! "$DWELL" symbols --sites "$(ldd "$DWELL" | sed -n 's/.*libc.so.6 => \([^ ]*\).*/\1/p')" | grep 'jump out of' || fail "libc's ways are seen"
	compile builtin_jump builtin_jump.c
	record builtin_jump ./builtin_jump
	exits builtin_jump 0
	"$DWELL" symbols --sites --csv builtin_jump > builtin_jump.sites
	[ "$(columns builtin_jump.sites name reason | sed -n 's/\t.*can jump out of its callers$//p')" = leave ] || fail "$(cat builtin_jump.sites)"
	"$DWELL" report builtin_jump.dwell > builtin_jump.report
	grep -q '^  1 function can jump out of its callers unseen: ' builtin_jump.report || fail "$(cat builtin_jump.report)"
	! grep -q '^complete' builtin_jump.report || fail "$(cat builtin_jump.report)"
	"$DWELL" info --json builtin_jump.dwell | grep -q '"unseen_jump_functions": 1[,}]' || fail "$("$DWELL" info --json builtin_jump.dwell)"
}
test_that "__builtin_longjmp: the recording is not called complete" unseen_jumps
signals()
{
	compile storm storm.c
	same storm ./storm 500
}
test_that "a storm of signals" signals
coroutines()
{
	compile coroutines coroutines.c
	same coroutines ./coroutines
}
test_that "coroutines" coroutines

execs()
{
	compile inner basic.c
	record execs sh -c './inner 3; ./inner 2'
	exits execs 0
	report_csv execs
	[ "$(value execs main calls)" -ge 2 ] || fail "main" "$(cat execs.csv)"
}
test_that "programs that a shell starts" execs

library()
{
	compile libalpha.so plugin.c -shared -fPIC -DNAME=alpha
	compile libbeta.so plugin.c -shared -fPIC -DNAME=beta
	compile opens opens.c -ldl
	RECORD_OPTIONS="--trace --only module:libalpha*" record library ./opens ./libalpha.so ./libbeta.so 10
	[ "$(cat library.status)" = 0 ] || fail "$(cat library.err)"
	report_csv library
	[ "$(value library step calls)" = 30 ] || fail "step of libalpha" "$(cat library.csv)"
	! columns library.csv function | grep -qx main || fail "main was not asked for" "$(cat library.csv)"
}
test_that "libraries that --only names" library

# What is short and called often is turned off, and on again now and then, while two threads run it.
turned_off()
{
	local ms
	gcc -O2 -Wall -Wextra -fno-ipa-ra -pthread "$prog/calls/turned_off.c" -o turned_off
	for ms in 1500 6000 24000; do # when it is found depends on how busy the machine is
		RECORD_OPTIONS="--trace --throttle" record turned_off ./turned_off $ms
		exits turned_off 0
		whole turned_off
		[ "$(cat turned_off.out)" = right ] || fail "$(cat turned_off.out)"
		"$DWELL" info --csv turned_off.dwell > turned_off.info
		! grep -q '^throttled,.*,leaf$' turned_off.info || break
	done
	"$DWELL" report turned_off.dwell > turned_off.report
	grep -q '^throttled: 1 function cost more to record than it took' turned_off.report || fail "$(cat turned_off.report)"
}
test_that "--throttle: a short function is turned off and on while it runs" turned_off

counted()
{
	compile count basic.c
	RECORD_OPTIONS="--trace --count" record count ./count 3
	exits count 0
	counts_agree count "$uncounted"
}
test_that "--count" counted

hint()
{
	compile hint basic.c
	RECORD_OPTIONS="" record hint ./hint 1
	grep -q 'with --trace, each of its calls is recorded' hint.err || fail "$(cat hint.err)"
}
test_that "without --trace it is sampled, and a line says that there is --trace" hint
static()
{
	compile static basic.c -static
	record static ./static 1
	grep -q '^dwell: .*static' static.err || fail "$(cat static.err)"
}
test_that "a static program is refused, with the reason" static

# What records a library's calls has to lie near it, and stays when it goes: 300 times there is room.
comes_and_goes()
{
	echo 'int plugged(int n) { return n < 2 ? n : plugged(n - 1) + plugged(n - 2); }' > plug.c
	gcc -O2 -shared -fPIC plug.c -o plug.so
	cat > plugs.c <<-'END'
		#include <dlfcn.h>
		int main(void)
		{
			int sum = 0;
			for (int i = 0; i < 300; i++) {
				void *library = dlopen("./plug.so", RTLD_NOW);
				sum += ((int (*)(int))dlsym(library, "plugged"))(1);
				dlclose(library);
			}
			return sum != 300;
		}
	END
	gcc -O2 plugs.c -o plugs
	RECORD_OPTIONS="--trace --only module:plug.so" record plugs ./plugs
	exits plugs 0
	report_csv plugs
	[ "$(value plugs plugged calls)" = 300 ] || fail "$(value plugs plugged calls) of 300 calls" "$(cat plugs.err)"
	whole plugs
}
test_that "a library that comes and goes" comes_and_goes
done_testing
