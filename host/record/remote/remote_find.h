/* remote_find: where things are in another process, by what it has mapped. */
#ifndef DWELL_HOST_RECORD_REMOTE_FIND_H
#define DWELL_HOST_RECORD_REMOTE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The address of an exported function in a library that the process has mapped, by the last part of its path up to a dot ("libc"); 0: there
 * is none. */
uint64_t remote_find_function(pid_t pid, const char *library, const char *function);
/* The same of bytes in the library's code. */
uint64_t remote_find_code(pid_t pid, const char *library, const void *code, size_t bytes);
/* Whether the place is in code that holds no lock which loading a library needs: the program's own, or that of a library other than a C
 * library, what unwinds, and what has a malloc of its own. */
bool remote_is_outside_of_locks(pid_t pid, uint64_t place);
/* The end of the mapping in which the place is; 0: there is none. */
uint64_t remote_find_end(pid_t pid, uint64_t place);
/* How many bytes are below the place, where it is in a stack: the first thread's, or one with the thread's own data above it, where C
 * libraries put that. 0: it is in none, as that of a coroutine. */
uint64_t remote_find_stack_room(pid_t pid, uint64_t place, uint64_t thread_pointer);
/* Code that is mapped from the file that is mapped at place: up to max places [low, high), in pairs. Returns how many. */
size_t remote_find_code_of(pid_t pid, uint64_t place, uint64_t (*ranges)[2], size_t max);

#endif
