/* images: the mapped files of each sampled process, with the addresses. The unwinder finds callers with the images (intake.h); the
 * trace gets the images as processes and modules. */
#ifndef DWELL_HOST_SAMPLE_CODE_IMAGES_H
#define DWELL_HOST_SAMPLE_CODE_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/sink/names.h"
#include "sample/code/jit.h"
#include "sample/perf/perf_set.h"
#include "unwind/unwind.h"
#include "util/diag.h"
#include "writer/trace/dwell.h"

/* The program that runs in a process. exec begins another image. */
struct image {
	uint32_t pid, parent_pid;
	uint32_t process; /* index in the trace */
	struct unwind_space *space;
	struct image_map {
		uint64_t low, high, bias; /* run-time addresses [low, high); bias: run-time address − address in the file */
		struct image_file *file;
	} *maps; /* kept for child processes, which begin with the same mappings */
	size_t map_count, map_capacity;
	struct jit jit; /* code that the process generated */
	char *path;     /* of the program, owned; null: unknown yet */
	uint64_t begin_ns; /* when dwell noticed the image, CLOCK_MONOTONIC; 0: not set yet */
	uint32_t threads; /* running threads; 0: the process has ended, or has shown nothing yet */
	bool is_declared;    /* the trace has the PROCESS chunk of the image */
	bool ended;
	uint64_t changes; /* how often the process has mapped or unmapped code; a batch of samples ends at a change */
};

struct images {
	struct image **images; /* of all processes so far; the last image of a pid counts */
	size_t count, capacity;
	struct image_file **files; /* each mapped file once, for all processes */
	size_t file_count, file_capacity;
	const struct image_file *agent_code; /* the file for the first code made by an agent; null: none yet */
	uint32_t agent_codes; /* how many pieces of such code were found */
	struct names names; /* of the sampled functions in the files */
	struct trace_writer *writer;
	struct diag *diag;
	uint64_t starved; /* how often memory was missing */
};

/* Zero images, and set writer and diag before the first use. */
void images_clear(struct images *images);
/* The image that runs in a process; a new one if needed. Null: no memory. */
struct image *images_find(struct images *images, uint32_t pid, uint64_t ns);
/* A process forked: the child has its parent's mappings. */
void images_fork(struct images *images, uint32_t pid, uint32_t parent_pid, uint64_t ns);
/* Another program begins in a process. */
void images_exec(struct images *images, uint32_t pid, uint64_t ns);
/* Adds the mapping of a PERF_MAP record. Ignores a mapping that has neither a file nor generated code. */
void images_map(struct images *images, const struct perf_record *record);
/* Reads the mappings of a running process from /proc. */
void images_map_running(struct images *images, uint32_t pid);
/* Writes the image to the trace as a process; call the function again for new facts. path, argv: null where unknown. ns: when
 * the image began; 0: unknown, or written already. ended, status: whether and how the process ended. */
void images_declare(
	struct images *images, struct image *image, const char *path, char *const *argv, uint64_t ns, bool ended, int status);
/* The file at an address. *begin: an address in the file: where the function at the address begins, by the unwind tables; without
 * an entry in them, where the page of the address begins. Null: code without a file. */
const struct image_file *images_place(const struct image *image, uint64_t address, uint64_t *begin);
/* The path of a file; borrowed. */
const char *images_path(const struct image_file *file);
/* Notes an address with a sample: the trace will contain the name of the function. */
void images_note(struct images *images, struct image *image, uint64_t address);
/* The number of sampled processes that still exist; lists the pids of the first max processes. */
size_t images_list_alive(const struct images *images, uint32_t *pids, size_t max);

#endif
