#!/bin/bash
# Programs that the agent cannot work in: they run as they do alone, and dwell says in one line why they are not recorded.
. "$(dirname "$0")/../lib.sh"
export RECORD_SECONDS=60

cat > four.c <<'END'
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf back;
__attribute__((noinline)) static int turn(int number) { if (number == 3) longjmp(back, number); return number < 2 ? number : turn(number - 1) + turn(number - 2); }
int main(void) { int number = setjmp(back); if (!number) turn(10); poll(0, 0, 1); printf("%d\n", number); return 4; }
END
gcc -O2 four.c -o four

# refuses WHY OPTION ... PROGRAM: runs, says why in one line, and leaves no file
refuses()
{
	local why=$1
	shift
	RECORD_OPTIONS=${*:1:$#-1} record refused "${@: -1}"
	[ "$(grep -c '^dwell: ' refused.err)" = 1 ] && grep -q "$why" refused.err || fail "status $(cat refused.status)" "$(cat refused.err)"
	[ ! -e refused.dwell ] || fail "refused.dwell was left"
}
runs()
{
	refuses "$@"
	grep -qx 3 refused.out || fail "it printed: $(cat refused.out)" "$(cat refused.err)"
}
as_child()
{
	RECORD_OPTIONS=$1 record child bash -c "./musl; echo \$?; ./musl; echo \$?"
	[ "$(echo $(cat child.out))" = "3 4 3 4" ] || fail "$(cat child.out child.err)"
}

if musl-gcc -O2 four.c -o musl 2> compile.log && ./musl > musl.out; [ -s musl.out ]; then

	test_that "musl, --trace" runs "the C library musl" --trace ./musl
	test_that "musl, as a child of a recorded program" as_child --trace
	if [ -e "$BUILD/libdwell-timer.so" ]; then
		test_that "musl, by timers" refuses "the C library musl" --sample --engine=timer ./musl
		test_that "musl, as a child of one that timers sample" as_child "--sample --engine=timer"
	fi
else
	skip "musl" "no musl-gcc"
fi
if gcc -O1 -fsanitize=address four.c -o asan 2> compile.log && ./asan > asan.out; [ -s asan.out ]; then
	test_that "gcc -fsanitize=address" refuses "needs libasan in front" --trace ./asan
else
	skip "gcc -fsanitize=address" "this gcc has none"
fi

# Killed before any constructor: a library that the loader looks at first ends it.
dies_first()
{
	cat > dies.c <<'END'
#include <signal.h>
#include <unistd.h>
static void *choose(void) { kill(getpid(), SIGSEGV); return 0; }
void never(void) __attribute__((ifunc("choose")));
END
	gcc -fPIC -shared -Wl,-z,now dies.c -o libdies.so
	echo 'void never(void); int main(void) { never(); return 0; }' > calls.c
	gcc -Wl,-z,now calls.c -o calls -L. -ldies -Wl,-rpath,.
	refuses "killed by signal 11 .* before the agent began" --trace ./calls
}
test_that "killed before the agent begins" dies_first
done_testing
