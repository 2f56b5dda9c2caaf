/* A program of so many functions that an agent has long to prepare them.
 *
 * many loop            works until SIGTERM, and forks a child now and then that works, too
 * many rest            the same, and sleeps nearly all the time
 * many relay SECONDS   each of its threads works for some milliseconds, begins the next one, and ends; the first one has ended
 * many becomes N       becomes itself, N times, after some milliseconds each time */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* clang-format off */
__asm__(".text\n"
	".altmacro\n"
	".macro one number\n"
	"many_\\number:\n"
	"	.cfi_startproc\n"
	"	lea 1(%rdi), %eax\n"
	"	imul $3, %eax, %eax\n"
	"	test %edi, %edi\n"
	"	jle 1f\n"
	"	xor %edi, %eax\n"
	"	ret\n"
	"1:	add $5, %eax\n"
	"	ret\n"
	"	.cfi_endproc\n"
	"	.type many_\\number, @function\n"
	"	.size many_\\number, . - many_\\number\n"
	".endm\n"
	".set i, 0\n"
	".rept 40000\n"
	"	one %i\n"
	"	.set i, i + 1\n"
	".endr\n"
	".noaltmacro\n");
/* clang-format on */
unsigned first(unsigned) __asm__("many_0"), last(unsigned) __asm__("many_39999");

static volatile sig_atomic_t enough;

static void end(int signal)
{
	(void)signal;
	enough = 1;
}

static unsigned calls = 1000, pause_us = 50;

__attribute__((noipa)) static void work(unsigned ms)
{
	struct timespec now, begin;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		for (unsigned i = 0; i < calls; i++)
			if (first(i) != (((i + 1) * 3) ^ i) + (i ? 0 : 5) || last(i) != first(i))
				abort();
		usleep(pause_us);
		clock_gettime(CLOCK_MONOTONIC, &now);
	} while ((now.tv_sec - begin.tv_sec) * 1000 + (now.tv_nsec - begin.tv_nsec) / 1000000 < ms);
}

static void have_a_child(void)
{
	int status;
	pid_t child = fork();

	if (!child) {
		work(3);
		_exit(7);
	}
	if (child < 0 || waitpid(child, &status, 0) != child || status != 7 << 8)
		abort();
}

static time_t until;

static void *relay(void *runs)
{
	pthread_t next;

	work(40);
	if ((size_t)runs % 8 == 0)
		have_a_child();
	if (enough || time(0) >= until) {
		puts("fine");
		exit(0);
	}
	if (pthread_create(&next, 0, relay, (void *)((size_t)runs + 1)) || pthread_detach(next))
		abort();
	return 0;
}

int main(int argc, char **argv)
{
	int number = argc > 2 ? atoi(argv[2]) : 0;

	signal(SIGTERM, end);
	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "relay")) {
		pthread_t thread;

		until = time(0) + number;
		if (pthread_create(&thread, 0, relay, 0) || pthread_detach(thread))
			abort();
		pthread_exit(0);
	}
	if (!strcmp(argv[1], "becomes") && number) {
		char left[16];

		work((unsigned)getpid() * 7u % 30);
		snprintf(left, sizeof left, "%d", number - 1);
		execl("/proc/self/exe", argv[0], argv[1], left, (char *)0);
		abort();
	}
	if (!strcmp(argv[1], "rest")) {
		calls = 10;
		pause_us = 1000;
	}
	for (unsigned i = 0; !enough && strcmp(argv[1], "becomes"); i++) {
		work(1);
		if (i % 100 == 99)
			have_a_child();
	}
	puts("came to its end");
	return 0;
}
