/* in_memory PROGRAM ...: becomes the program by a copy of it in memory, which has no path. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

int main(int argc, char **argv)
{
	int from = argc > 1 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1, to = memfd_create("program", MFD_CLOEXEC);
	char buffer[65536];
	ssize_t got;

	while ((got = read(from, buffer, sizeof buffer)) > 0)
		if (write(to, buffer, (size_t)got) != got)
			return 1;
	fexecve(to, argv + 1, environ);
	perror("fexecve");
	return 1;
}
