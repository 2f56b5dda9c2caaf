#!/bin/bash
# fork, vfork, exec: every process has its own calls, and nobody disturbs the first one.
. "$(dirname "$0")/../lib.sh"

compile forks forks.c
all_of_them()
{
	record "$1" ./forks "$1"
	exits "$1" "$2"
	counts_agree "$1"
	whole "$1"
}
test_that "fork without exec, children that exit, _exit and are killed" all_of_them fork 0
# A child that ended in order is shown as such, although only its parent learned the status; a program started by a link is named by both.
ended_and_called()
{
	ln -s forks link
	record called ./link fork
	dwell info called.dwell > called.txt
	grep -qE '^[0-9]+ +[0-9]+ +ended  ' called.txt || fail "$(cat called.txt)"
	dwell report called.dwell | head -1 | grep -qE 'recording of .*/forks, called as link and ' || fail "$(dwell report called.dwell)"
	! dwell report fork.dwell | grep -q 'called as' || fail "$(dwell report fork.dwell)"
}
test_that "how children ended, and the name that was called" ended_and_called
test_that "posix_spawn and system" all_of_them vfork 0
test_that "fork while another thread makes calls" all_of_them threads 0
# A child that goes on with the calls that its parent had open, and so do its own children: each of them is one call.
cat > returns.c << 'C'
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_INLINE __attribute__((noinline))
static volatile unsigned sink;

NO_INLINE static void leaf(void) { sink++; }
NO_INLINE static void both(void)
{
	leaf();
	if (fork())
		wait(NULL);
	leaf();
}
NO_INLINE static void inner(void) { both(); leaf(); }
NO_INLINE static void outer(void) { inner(); both(); }
int main(void)
{
	outer();
	leaf();
	return 0;
}
C
gcc -O1 -fno-tree-ter -finstrument-functions returns.c -o returns || exit 2
returned()
{
	local name=returns-$1
	shift
	RECORD_OPTIONS="$*" record "$name" ./returns
	whole "$name"
	report_csv "$name"
	# leaf: 1 before the first fork, then 2 processes with 3 each up to the second, and 4 with 2 each
	columns "$name.csv" function calls | LC_ALL=C sort > got
	printf '%s\t%s\n' both 3 inner 1 leaf 15 main 1 outer 1 | diff - got || fail "(< called, > reported)"
	"$DWELL" report "$name.dwell" 2> /dev/null | grep "begun before" && fail "all of it was recorded"
	"$DWELL" report --csv --jobs 1 "$name.dwell" 2> /dev/null | cmp - "$name.csv" || fail "--jobs 1"
}
test_that "children that return through their parents' calls" returned stream
test_that "likewise with sums" returned count --count
test_that "likewise with the long ones" returned longer --longer=1s
test_that "likewise in a ring" returned ring --ring=1M

became_another()
{
	record exec ./forks exec
	exits exec 5
	grep -qx 'became another program' exec.out || fail "$(cat exec.out)"
	counts_agree exec
	"$DWELL" report exec.dwell > exec.report 2>&1
	head -1 exec.report | grep -qE "recording of .*forks, which became .*\(exec\) \(format 1.1\)$" || fail "the first line" "$(cat exec.report)"
	grep -q "ended by exec" exec.report || fail "its open calls" "$(cat exec.report)"
}
test_that "exec: what was called before it is kept" became_another

# Forks by libc that run no handlers: the child is a process of its own from its first call on.
compile raw_fork raw_fork.c
own_process()
{
	record "own-$1-$2" ./raw_fork "$1" "$2" 100
	exits "own-$1-$2" 3
	report_csv "own-$1-$2"
	calls_csv "own-$1-$2"
	columns "own-$1-$2.calls" thread function | sort | uniq -c | awk '$NF ~ /_leaf$/ { print $1, $NF }' | sort > own.got
	printf '%s\n' "100 child_leaf" "3100 parent_leaf" | diff - own.got || fail "(< called, > recorded)"
	[ "$(columns "own-$1-$2.calls" thread function | sed -n 's/\t[a-z]*_leaf$//p' | sort -u | wc -l)" = 2 ] || fail "in one thread"
	whole "own-$1-$2"
}
hows="clone SYS_clone SYS_clone3"
[ "$(uname -m)" != x86_64 ] || hows+=" SYS_fork"
for how in $hows; do
	test_that "$how" own_process "$how" _exit
done
test_that "clone, and the child ends by exec" own_process SYS_clone exec

# A fork that libc does not know of: the child records into its parent's ring up to the end of a block, and then into its own.
raw_fork()
{
	record raw ./raw_fork instruction _exit 5000
	grep -q "forks by the program's own system calls: 1; up to 511 events" raw.err || fail "not said:" "$(cat raw.err)"
	report_csv raw || true
	[ "$(value raw parent_leaf calls)" = 3100 ] || fail "parent_leaf: $(value raw parent_leaf calls) calls"
	between 4700 "$(value raw child_leaf calls)" 5000 "calls of child_leaf"
	"$DWELL" info --json raw.dwell | grep -q '"unbalanced_threads": 0'
	calls_csv raw || true
	own=$(columns raw.calls thread function | sort | uniq -c | awk '$NF == "child_leaf" && $1 > most { most = $1 } END { print most }')
	between 4200 "$own" 5000 "calls of child_leaf in a thread of its own"
}
test_that "a fork by an instruction of the program's own" raw_fork
# One whose child makes few calls says so when it ends.
few_calls()
{
	local end
	for end in exit _exit _Exit exec; do
		record few ./raw_fork instruction "$end" 10
		[ "$(cat few.status)" = 3 ] || fail "status $(cat few.status)" "$(cat few.err)"
		"$DWELL" info --json few.dwell | grep -q '"unseen_forks": 1' || fail "$end: not counted" "$("$DWELL" info few.dwell)"
		! "$DWELL" report few.dwell 2>&1 | grep ^complete || fail "$end: complete"
	done
}
test_that "likewise, of a child that makes few calls" few_calls

# Processes that the program leaves behind: recorded to their end, with the program's exit status.
compile left left.c
left_behind()
{
	local name=left-$1
	shift
	record "$name" "$@"
	[ "$(cat "$name.status")" = 4 ] || fail "status $(cat "$name.status")" "$(cat "$name.err")"
	[ "$(grep -c 'left 1 process behind, still recorded' "$name.err")" = 1 ] || fail "not said once:" "$(cat "$name.err")"
	sed -i '/still recorded/d' "$name.err"
	exits "$name" 4
	counts_agree "$name"
}
test_that "a daemon is recorded to its end" left_behind daemon ./left daemon
test_that "what a shell leaves in the background, too" left_behind shell sh -c './left late & exit 4'
test_that "and when its first thread ends before" left_behind headless ./left headless
# A forked child that goes back by longjmp to a frame that its parent had open: the calls that it leaves are its parent's, and no exit fits nothing.
jumps_back()
{
	cat > jumps.c <<-'END'
	#include <setjmp.h>
	#include <sys/wait.h>
	#include <unistd.h>
	static jmp_buf back;
	__attribute__((noinline)) void leaf(void) { if (fork() == 0) longjmp(back, 1); }
	__attribute__((noinline)) void middle(void) { leaf(); __asm__(""); }
	__attribute__((noinline)) int outer(void) { if (setjmp(back) == 0) { middle(); return 0; } return 1; }
	__attribute__((noinline)) void after(void) { __asm__(""); }
	int main(void) { int child = outer(); after(); if (child) _exit(0); return wait(NULL) < 0; }
	END
	gcc -O1 -finstrument-functions -fno-tree-ter jumps.c -o jumps
	for RECORD_OPTIONS in "" --count; do
		record jumps ./jumps
		exits jumps 0
		report_csv jumps
		columns jumps.csv function calls | LC_ALL=C sort | tr '\n\t' ' :' > jumps.calls
		[ "$(cat jumps.calls)" = "after:2 leaf:1 main:1 middle:1 outer:1 " ] || fail "$RECORD_OPTIONS $(cat jumps.calls)"
		! grep -q 'matches no open call' jumps.err || fail "$(cat jumps.err)"
		"$DWELL" info jumps.dwell | grep -q '^complete' || fail "$("$DWELL" info jumps.dwell)"
	done
}
test_that "a child that jumps back to a frame of its parent's" jumps_back
helper()
{
	record helper sh -c './left now; sleep 600 & echo $! > helper.pid; exit 5'
	exits helper 5
	counts_agree helper
	kill "$(cat helper.pid)" || fail "it was waited for"
}
test_that "a helper that records nothing is not waited for" helper
interrupted()
{
	"$DWELL" record -o int.dwell sh -c './left forever & exit 6' > int.out 2> int.err &
	recorder=$!
	comes 'still recorded' int.err
	kill -INT $recorder
	wait $recorder && status=0 || status=$?
	forever=$(sed -n 's/^pid //p' int.out)
	kill "$forever" || fail "it did not go on"
	[ $status = 6 ] || fail "status $status" "$(cat int.err)"
	whole int
	"$DWELL" report int.dwell 2> /dev/null | grep -q ' leaf$' || fail "$("$DWELL" report int.dwell)"
}
test_that "Ctrl-C ends the recording, not the process" interrupted
done_testing
