/* each_thread: lists the threads of a process (each_thread.h). */
#include "util/each_thread.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

void each_thread(pid_t pid, void (*visit)(void *context, pid_t tid), void *context)
{
	char path[64];
	struct dirent *entry;
	DIR *folder;

	snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
	folder = opendir(path);
	while (folder && (entry = readdir(folder))) {
		pid_t tid = (pid_t)strtol(entry->d_name, NULL, 10);

		if (tid > 0)
			visit(context, tid);
	}
	if (folder)
		closedir(folder);
}
