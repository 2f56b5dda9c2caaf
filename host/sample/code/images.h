/* images: which files are mapped where, in each of the processes that are sampled: for unwinding, and for the trace. */
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

/* What runs in a process: exec begins another one. */
struct image {
	uint32_t pid, parent_pid;
	uint32_t process; /* index in the trace */
	struct unwind_space *space;
	struct image_map {
		uint64_t low, high, bias;
		struct image_file *file;
	} *maps; /* for children, which have the same */
	size_t map_count, map_capacity;
	struct jit jit;
	char *path;
	char **argv;  /* null: not known */
	uint64_t begin_ns;
	uint32_t threads; /* that run; 0: it has ended, or nothing was seen of it yet */
	bool told;    /* its PROCESS chunk is written */
	bool ended;
	uint64_t changes; /* so often something was mapped */
};

struct images {
	struct image **images; /* of all processes that there ever were; the last one of a pid counts */
	size_t count, capacity;
	struct image_file **files;
	size_t file_count, file_capacity;
	const struct image_file *agent_code; /* the first of the code that agents made */
	uint32_t agent_codes;
	struct names names; /* of what was sampled in them */
	struct trace_writer *writer;
	struct diag *diag;
	uint64_t starved; /* something could not be kept, for want of memory */
};

/* Zero images, and set writer and diag before the first use. */
void images_clear(struct images *images);
/* The image that runs in a process; made when it is new. Null: no memory. */
struct image *images_find(struct images *images, uint32_t pid, uint64_t ns);
/* A process was made by another one: it has what that has. */
void images_fork(struct images *images, uint32_t pid, uint32_t parent_pid, uint64_t ns);
/* Another program begins in a process. */
void images_exec(struct images *images, uint32_t pid, uint64_t ns);
void images_map(struct images *images, const struct perf_record *record);
/* What a process that runs has mapped, by /proc. */
void images_map_running(struct images *images, uint32_t pid);
/* Declares it in the trace, or again, when more is known. path, argv: null where they are not. */
void images_tell(struct images *images, struct image *image, const char *path, char *const *argv, uint64_t ns, bool ended, int status);
/* The function (by the unwind tables) or else the page that is at an address: its file, and where in that it begins. Null: code of no
 * file. */
const struct image_file *images_place(const struct image *image, uint64_t address, uint64_t *begin);
const char *images_path(const struct image_file *file);
/* The function at an address was sampled: what it is called is to be in the trace. */
void images_note(struct images *images, struct image *image, uint64_t address);
/* How many processes there still are. */
uint64_t images_count_alive(const struct images *images);

#endif
