#!/bin/bash
# What a recorded program has mapped: little beside its own, so that limits, locks, cores and emulators do not see much of it.
. "$(dirname "$0")/../lib.sh"
export XDG_CACHE_HOME=$work/cache

cat > holds.c <<'END'
/* holds THREADS HOW: threads that call, all there at a time; then what the process has mapped (size), a crash, or locked memory. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static pthread_barrier_t all;
__attribute__((noinline)) int leaf(int i) { __asm__ volatile(""); return i * 3; }
static void *run(void *count)
{
	long sum = 0;
	for (long i = 0; i < (long)count; i++)
		sum += leaf((int)i);
	pthread_barrier_wait(&all);
	pthread_barrier_wait(&all);
	return (void *)sum;
}
static void print(const char *file, const char *name)
{
	FILE *status = fopen(file, "r");
	char line[256];
	while (fgets(line, sizeof line, status))
		if (!strncmp(line, name, strlen(name)))
			printf("is %s", line + strlen(name));
	fclose(status);
	fflush(stdout);
}
int main(int argc, char **argv)
{
	int count = atoi(argv[1]);
	pthread_t *threads = calloc((size_t)count, sizeof *threads);
	pthread_attr_t small;
	long made = 0, calls = argc > 3 ? atol(argv[3]) : 1000;
	if (!strcmp(argv[2], "lock") && mlockall(MCL_CURRENT | MCL_FUTURE))
		perror("mlockall");
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 128 << 10);
	pthread_barrier_init(&all, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		made += !pthread_create(&threads[i], &small, run, (void *)calls);
	if (made < count)
		return 1;
	pthread_barrier_wait(&all);
	print("/proc/self/status", !strcmp(argv[2], "lock") ? "VmLck:" : "VmSize:");
	if (!strcmp(argv[2], "crash"))
		abort();
	pthread_barrier_wait(&all);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	printf("count leaf %ld\n", calls * count);
	return 0;
}
END
gcc -O2 -pthread holds.c -o plain
gcc -O2 -pthread -finstrument-functions -fno-tree-ter holds.c -o hooked
kib()
{
	sed -n 's/^is[ \t]*\([0-9]*\) kB$/\1/p' "$1"
}
size()
{
	./hooked 8 size > alone.out
	record size ./hooked 8 size
	exits size 0
	report_csv size
	[ "$(value size leaf calls)" = 8000 ]
	between 1 "$(($(kib size.out) - $(kib alone.out)))" 524288 "KiB of address space beside the program's"
}
test_that "8 threads: address space" size
many()
{
	RECORD_OPTIONS=$1 record many ./hooked 2000 size 200
	exits many 0
	report_csv many
	[ "$(value many leaf calls)" = 400000 ]
}
test_that "2,000 threads at a time" many --stream
test_that "2,000 threads at a time, rings" many "--ring=8K --memory=64M"

# A limit that is far below what all rings would take.
limited()
{
	(ulimit -v 1500000 && record limited ./hooked 8 size)
	[ "$(cat limited.status)" = 0 ] || fail "status $(cat limited.status)" "$(cat limited.err)"
	report_csv limited
	[ "$(value limited leaf calls)" = 8000 ]
}
test_that "ulimit -v" limited

core_pattern=$(cat /proc/sys/kernel/core_pattern)
crash()
{
	local alone recorded option
	mkdir -p dump
	cd dump
	ulimit -S -c unlimited
	../plain 8 crash 100000 > /dev/null 2>&1 || true
	alone=$(du -k core* | cut -f1)
	rm -f core*
	for option in --stream --ring "--linear=1M"; do
		# shellcheck disable=SC2086
		"$DWELL" record --trace $option -o ../crash.dwell ../plain 8 crash 100000 > /dev/null 2> ../crash.err || true
		recorded=$(du -k core* | cut -f1)
		rm -f core*
		between 0 "$recorded" $((alone + 16384)) "KiB of the core with $option, $alone alone"
		"$DWELL" report --csv ../crash.dwell > ../crash.csv 2> /dev/null || [ $? = 1 ]
		[ "$(value ../crash leaf calls)" -gt 50000 ] || fail "$option: $(cat ../crash.csv)"
	done
}
if [ "${core_pattern#[|/]}" = "$core_pattern" ]; then
	test_that "the core of a program that crashes" crash
else
	skip "the core of a program that crashes" "cores go elsewhere: $core_pattern"
fi

locked()
{
	./hooked 8 lock > alone.out 2> alone.err
	record locked ./hooked 8 lock
	exits locked 0
	! grep -q mlockall locked.err || fail "$(cat locked.err)"
	report_csv locked
	[ "$(value locked leaf calls)" = 8000 ]
	echo "alone $(kib alone.out) KiB locked, recorded $(kib locked.out)"
	between 0 "$(kib locked.out)" $(($(kib alone.out) + 65536)) "KiB that count as locked"
}
if [ "$(id -u)" = 0 ]; then
	test_that "mlockall" locked
else
	skip "mlockall" "needs root"
fi
done_testing
