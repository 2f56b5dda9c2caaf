/* perf_folder: knows the folders that `perf record --threads` writes, with a file for each thread of perf. Readers get one file. */
#ifndef DWELL_HOST_QUERY_PERF_FOLDER_H
#define DWELL_HOST_QUERY_PERF_FOLDER_H

#include <stdbool.h>

/* Whether the path is such a folder. */
bool perf_folder_is(const char *path);

#endif
