/* mapped_file: the file behind a mapping of a process, wherever its path leads now.
 *
 * A path is valid in the process that mapped the file. In another root or mount namespace it names another file here, or none. A
 * mapped file may also have been replaced or removed, or never had a path (memfd). Device and inode decide whether the path leads
 * to the file. If not, the kernel gives access: by /proc/PID/map_files (for root), /proc/PID/exe, or /proc/PID/root. */
#ifndef DWELL_HOST_UTIL_MAPPED_FILE_H
#define DWELL_HOST_UTIL_MAPPED_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

/* A line of /proc/PID/maps. */
struct mapped {
	uint64_t low, high, offset;
	unsigned major, minor;
	uint64_t inode;  /* 0: not a mapping of a file */
	bool removed;    /* the file no longer has this path */
	char access[5];  /* "r-xp" */
	char path[4096]; /* empty: no path */
};

/* Read a process's mappings, one after the other. mapped_open returns null if the process has ended or is inaccessible;
 * the other functions treat null as an empty list. mapped_next returns false at the end of the list. */
FILE *mapped_open(pid_t pid);
bool mapped_next(FILE *maps, struct mapped *mapped);
void mapped_close(FILE *maps);
/* Finds the mapping around an address. Returns false if the address is not mapped. */
bool mapped_find(pid_t pid, uint64_t address, struct mapped *mapped);

struct stat;
/* mapped_is_file returns whether a file is the mapped file, mapped_is_at_path
 * whether the mapping's path leads to the mapped file, from here. */
bool mapped_is_file(const struct mapped *mapped, const struct stat *file);
bool mapped_is_at_path(const struct mapped *mapped);
/* Opens the mapped file for reading; the caller closes it. Returns −1 if the file is inaccessible, or the mapping has no file. */
int mapped_open_file(pid_t pid, const struct mapped *mapped);

/* Makes a path that reads the file of an open descriptor: "/proc/self/fd/N". */
#define MAPPED_NAME_BYTES 32
void mapped_name_descriptor(char name[static MAPPED_NAME_BYTES], int descriptor);

#endif
