/* usage: runs a program and writes what it took, children included, into FILE: wall, user and system seconds, peak memory in KiB of
 * the largest process.
 *
 *   usage FILE PROGRAM ARGUMENTS */
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double seconds(struct timeval time)
{
	return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static double wall_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
	double begin = wall_now();
	struct rusage usage;
	int status;
	pid_t pid;
	FILE *out;

	if (argc < 3)
		return 2;
	pid = fork();
	if (pid == 0) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(127);
	}
	if (pid < 0 || wait4(pid, &status, 0, &usage) < 0 || !(out = fopen(argv[1], "w")))
		return 2;
	fprintf(out, "%.6f %.6f %.6f %ld\n", wall_now() - begin, seconds(usage.ru_utime), seconds(usage.ru_stime), usage.ru_maxrss);
	return fclose(out) ? 2 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
