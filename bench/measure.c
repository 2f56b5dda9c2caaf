/* Runs a command and says what it took: measure COMMAND ... prints "CPU-SECONDS WALL-SECONDS PEAK-KIB" on standard error's last line;
 * the command's output goes where it goes. Processor time is what is compared: the wall clock sees the neighbours too. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
	double began = now();
	struct rusage usage;
	pid_t child;
	int status;

	if (argc < 2) {
		fprintf(stderr, "usage: measure COMMAND [ARGUMENTS]\n");
		return 2;
	}
	child = fork();
	if (!child) {
		execvp(argv[1], argv + 1);
		perror(argv[1]);
		_exit(127);
	}
	if (child < 0 || wait4(child, &status, 0, &usage) != child) {
		perror("measure");
		return 2;
	}
	fprintf(stderr, "%.3f %.3f %ld\n", seconds(usage.ru_utime) + seconds(usage.ru_stime), now() - began, usage.ru_maxrss);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
