#!/bin/bash
# What share of the CPU time the recorded functions have: of a program whose work is in a library that is not recorded, on another thread.
. "$(dirname "$0")/../lib.sh"

make_program()
{
	cat > burn.h <<'END'
#include <time.h>
static inline __attribute__((always_inline, no_instrument_function)) unsigned burn(unsigned cpu_us)
{
	struct timespec begin, now;
	volatile unsigned sum = 0;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &begin);
	do {
		for (unsigned i = 0; i < 100000; i++)
			sum += i * i;
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1e6 + (now.tv_nsec - begin.tv_nsec) / 1e3 < cpu_us);
	return sum;
}
END
	cat > work.c <<'END'
#include "burn.h"
unsigned spin(unsigned cpu_us)
{
	return burn(cpu_us);
}
END
	cat > thin.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include "burn.h"
unsigned spin(unsigned cpu_us);
static unsigned cpu_us;
static __attribute__((noinline)) unsigned own(void)
{
	return burn(cpu_us / 4);
}
static void *elsewhere(void *none)
{
	spin(cpu_us);
	return none;
}
int main(int argc, char **argv)
{
	pthread_t thread;
	cpu_us = argc > 1 ? (unsigned)atoi(argv[1]) : 0;
	unsigned sum = own();
	pthread_create(&thread, NULL, elsewhere, NULL);
	pthread_join(thread, NULL);
	return sum == 1;
}
END
	"${CC:-gcc}" -O2 -shared -fPIC work.c -o libwork.so && "${CC:-gcc}" -O2 -finstrument-functions thin.c -o thin -pthread -L. -lwork -Wl,-rpath,. ||
		fail "cannot be compiled"
}

# A fifth of the work is in own(), the rest in the library.
thin()
{
	make_program
	record thin ./thin 800000
	exits thin 0
	! grep -q "CPU time is not known" <("$DWELL" report thin.dwell) || return 0 # nor is this
	"$DWELL" report thin.dwell > thin.report
	grep -q 'recorded functions hold about [12][0-9] % of the CPU time outside of the kernel; about [78][0-9] % is in libwork.so' thin.report ||
		fail "$(cat thin.report)"
	! grep -q '^complete' thin.report || fail "four fifths are missing:" "$(cat thin.report)"
	"$DWELL" info --json thin.dwell | grep -q '"unrecorded_percent": [78][0-9],' || fail "not in info"
	whole thin
}

# With next to no work elsewhere nothing is said. For two seconds: of half of one, chance may put three of the samples elsewhere.
all_of_it()
{
	sed -i 's/spin(cpu_us)/spin(cpu_us \/ 1000)/' thin.c
	"${CC:-gcc}" -O2 -finstrument-functions thin.c -o all -pthread -L. -lwork -Wl,-rpath,. || fail "cannot be compiled"
	record all ./all 8000000
	"$DWELL" report all.dwell > all.report
	! grep -q 'recorded functions hold' all.report || fail "$(cat all.report)"
	grep -q '^complete: nothing was lost' all.report || fail "$(cat all.report)"
}

test_that "the work is in a library, on another thread" thin
# main ends by a jump into the library: what follows is in no recorded function, and in no share of main's.
jumped()
{
	make_program
	cat > jumps.c <<'END'
#include <stdlib.h>
unsigned spin(unsigned cpu_us);
__attribute__((destructor)) static void last(void)
{
	spin(0);
}
int main(int argc, char **argv)
{
	return (int)spin((unsigned)atoi(argv[1]));
}
END
	"${CC:-gcc}" -O2 -fno-plt jumps.c -o jumps -L. -lwork -Wl,-rpath,. || fail "cannot be compiled"
	objdump -d jumps | awk '/<main>:/ { in_main = 1 } in_main && /jmp/ { jumps = 1 } /^$/ { in_main = 0 } END { exit !jumps }' || fail "main does not jump"
	RECORD_OPTIONS=--trace record jumps ./jumps 200000
	"$DWELL" report --csv jumps.dwell > jumps.csv || fail "report"
	between 90 "$(awk -F , '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "self_percent") at = i }
		$1 == "(outside)" { print $at }' jumps.csv)" 100 "outside of main"
	between 0 "$(value jumps main self_percent)" 10 "main"
}

test_that "all of it is recorded" all_of_it
case "$(uname -m)" in
x86_64) test_that "main ends by a jump to what is not recorded" jumped ;;
esac
done_testing
