/* remote_find: finds functions, code and stacks in another process, in the mappings of the last look. */
#ifndef DWELL_HOST_RECORD_REMOTE_FIND_H
#define DWELL_HOST_RECORD_REMOTE_FIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/remote/remote_image.h"

/* The address of an exported function in a library of the process. library: the
 * last part of the library's path, up to a dot or hyphen ("libc"). 0: not found. */
uint64_t remote_find_function(const struct remote_image *image, const char *library, const char *function);
/* The address of a byte sequence in the library's code. 0: not found. */
uint64_t remote_find_code(const struct remote_image *image, const char *library, const void *code, size_t bytes);
/* Whether a mapping is of the library. library: as for remote_find_function. */
bool remote_is_library(const struct remote_mapping *mapping, const char *library);
/* Calls see for each function that the file of a mapping exports: [low, high) in the process. False: the file cannot be read. */
bool remote_each_function(const struct remote_image *image, const struct remote_mapping *mapping,
	void (*see)(void *context, const char *name, uint64_t low, uint64_t high), void *context);
/* Opens the file of a mapping, for reading. −1: impossible. */
int remote_open_file(const struct remote_image *image, const struct remote_mapping *mapping);
/* Sets *bias: an address in the file plus *bias is the address in the process.
 * False: the file cannot be read, or the mapping is of no segment of the file. */
bool remote_find_bias(const struct remote_image *image, const struct remote_mapping *mapping, uint64_t *bias);
/* The number of bytes below a place in a stack: the first thread's stack, or a stack with the thread's own
 * data above, as C libraries arrange. 0: the place is elsewhere, for example in the stack of a coroutine. */
uint64_t remote_find_stack_room(const struct remote_image *image, uint64_t place, uint64_t thread_pointer);
/* Finds all mapped code of the file that has a mapping at place: up to max ranges [low, high). Returns the number of ranges; 0: no
 * file at place, or no code of the file is mapped. */
size_t remote_find_file_code(const struct remote_image *image, uint64_t place, uint64_t (*ranges)[2], size_t max);

#endif
