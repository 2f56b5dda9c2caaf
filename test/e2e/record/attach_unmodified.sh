#!/bin/bash
# attach --trace: a process that runs already and has neither hooks nor an agent. Both come, and go.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache

cat > works.c <<'END'
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static volatile int over;
static void end(int number) { (void)number; over = 1; }
__attribute__((noinline)) unsigned long leaf(unsigned long x) { __asm__ volatile("" : "+r"(x)); return x * 6364136223846793005u + 1442695040888963407u; }
__attribute__((noinline)) unsigned long branch(unsigned long x, int depth)
{
	if (!depth)
		return leaf(x);
	return branch(leaf(x), depth - 1) ^ leaf(depth);
}
/* Whatever happens meanwhile, the same has to come out of it. */
static void *work(void *wrong)
{
	unsigned long first = branch(1, 20);

	while (!over) {
		for (int i = 0; i < 200; i++)
			if (branch(1, 20) != first)
				++*(volatile unsigned long *)wrong;
		usleep(200);
	}
	return 0;
}
int main(void)
{
	unsigned long wrong[3] = {0};
	pthread_t threads[3];

	signal(SIGTERM, end);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, work, &wrong[i]);
	for (int i = 0; i < 3; i++)
		pthread_join(threads[i], 0);
	printf("wrong %lu\n", wrong[0] + wrong[1] + wrong[2]);
	return 0;
}
END
gcc -O2 -fno-optimize-sibling-calls -pthread works.c -o works || exit

begin()
{
	./works > works.out &
	pid=$!
	has_begun $pid works 4
}
code()
{
	local range
	range=$(sed -n 's/ r-xp .*\/works$//p' "/proc/$pid/maps")
	dd if="/proc/$pid/mem" bs=4096 skip=$((0x${range%-*} / 4096)) count=$(((0x${range#*-} - 0x${range%-*}) / 4096)) 2> /dev/null | sha256sum
}
ends_well()
{
	kill $pid
	wait $pid || fail "status $?"
	[ "$(cat works.out)" = "wrong 0" ] || fail "$(cat works.out)"
}

once()
{
	local before calls
	begin
	before=$(code)
	"$DWELL" attach --trace --for 300ms -o once.dwell $pid 2> once.err || fail "$(cat once.err)"
	[ "$(code)" = "$before" ] || fail "its code is not as it was"
	report_csv once
	# Of each branch with 20 others in it, all of them, and 41 leaves; what was cut off at the beginning and the end apart.
	calls=$(value once branch calls)
	[ "$calls" -gt 10000 ] || fail "branch: $calls calls" "$(cat once.csv)"
	awk -v branches="$calls" -v leaves="$(value once leaf calls)" 'BEGIN { ratio = leaves / branches; exit !(ratio > 1.94 && ratio < 1.97) }' ||
		fail "leaf: $(value once leaf calls), branch: $calls"
	whole once
	ends_well
}
test_that "the agent comes, calls are recorded, and the code is as it was" once

rounds()
{
	local before maps
	begin
	before=$(code)
	for round in $(seq 8); do
		"$DWELL" attach --trace --for 200ms -o round.dwell $pid 2> round.err || fail "round $round" "$(cat round.err)"
		[ "$(code)" = "$before" ] || fail "round $round: its code is not as it was"
		[ "$round" != 2 ] || maps=$(wc -l < "/proc/$pid/maps")
	done
	[ "$(wc -l < "/proc/$pid/maps")" -le "$maps" ] || fail "$maps mappings after 2 rounds, now $(wc -l < "/proc/$pid/maps")"
	ends_well
}
test_that "again and again" rounds

# The agent could not stand in front of longjmp and its like when the program began.
unwinds()
{
	g++ -O2 -Wall -Wextra -fno-inline -fno-ipa-cp -fno-ipa-sra "$prog/unwinds/unwinds_on.cc" -o unwinds_on
	./unwinds_on > unwinds.out &
	pid=$!
	has_begun $pid unwinds_on
	for round in 1 2; do
		"$DWELL" attach --trace --for 200ms -o unwinds.dwell $pid 2> unwinds.err || fail "round $round" "$(cat unwinds.err)"
	done
	kill $pid
	wait $pid || fail "status $?"
	[ "$(cat unwinds.out)" = good ] || fail "$(cat unwinds.out)"
	"$DWELL" tree unwinds.dwell > unwinds.tree
	# Who caught calls leaf, not who was left: catcher, setter and after do, and the innermost of what was left.
	[ "$(grep -cE '[^ ] {6}leaf\(int\)$' unwinds.tree)" = 3 ] && [ "$(grep -cE ' leaf\(int\)$' unwinds.tree)" = 5 ] || fail "$(cat unwinds.tree)"
	whole unwinds
}
test_that "exceptions and longjmp in a process that ran before" unwinds

waits_in_poll()
{
	sleep 1000 &
	pid=$!
	has_begun $pid sleep
	is_asleep $pid
	! "$DWELL" attach --trace --for 100ms -o sleep.dwell $pid 2> sleep.err || fail "nothing was called, and status 0"
	grep -q 'nothing was recorded: the process called no function' sleep.err || fail "$(cat sleep.err)"
	kill -0 $pid || fail "it is gone"
	kill $pid
}
test_that "a process that only waits goes on waiting" waits_in_poll

# Its own code only calls the library's once: threads are called from there.
in_a_library()
{
	cat > busy.c <<-'END'
		static volatile unsigned count;
		__attribute__((noinline)) static unsigned step(unsigned n) { return n + count; }
		__attribute__((noinline)) static unsigned turn(unsigned n) { return step(n) + step(n + 1); }
		void work(void)
		{
			for (unsigned i = 0; ; i++) {
				count = turn(i) & 3;
				for (unsigned k = 0; k < 500; k++) /* else it is faster than a busy machine writes */
					count = k & 3;
			}
		}
	END
	gcc -O2 -shared -fPIC busy.c -o libbusy.so
	echo 'void work(void); int main(void) { work(); return 0; }' > busy_main.c
	gcc -O2 busy_main.c -L. -lbusy -Wl,-rpath,"$work" -o busy
	./busy &
	pid=$!
	has_begun $pid busy
	for round in 1 2; do
		"$DWELL" attach --trace --only 'module:libbusy*' --for 200ms -o busy.dwell $pid 2> busy.err || fail "round $round" "$(cat busy.err)"
		report_csv busy
		# Two are missing in a turn that had begun before, and two in one that was open at the end.
		between -4 $(($(value busy step calls) - 2 * $(value busy turn calls))) 2 "calls of step that are not two of each turn"
	done
	kill $pid
}
test_that "a process that works in a library" in_a_library
done_testing
