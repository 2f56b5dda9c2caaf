/* thread: one stream's pairing, and its part of the profile. For model.c. */
#ifndef DWELL_HOST_MODEL_THREAD_H
#define DWELL_HOST_MODEL_THREAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/pair.h"
#include "model/function.h"
#include "model/model.h"
#include "model/profile.h"
#include "model/tree.h"
#include "reader/message.h"

/* What all threads of a model share. */
struct thread_context {
	struct model_options options;
	struct functions *functions;
	struct profile *profile;
	struct diag *diag;
	uint32_t unknown_id;  /* the function of calls that no exit gave a name; FUNCTION_NONE: none so far */
	uint64_t search_left; /* frames that searches without result may still look at, as in core/pair.c */
	uint64_t walk_left;   /* likewise nodes, for calls without entry */
	bool starved;         /* there was no memory, and it was said */
};

struct thread {
	struct profile_thread row; /* what is known before the end: numbers, name, flags */
	bool selected;
	bool unsure;               /* lost records or a lost unwind since the last checkpoint */
	bool unnamed;              /* frames may be open that a checkpoint knows the names of */
	bool pushes_wait;          /* frames of unknown functions appear with the next event */
	bool has_site;             /* the call site of the enter that follows */
	uint64_t site;
	enum dwell_place_kind place_kind;
	struct dwell_pair pair;
	struct dwell_frame *frames; /* null: no event yet */
	uint64_t *active;           /* a bit for each function that has a frame on this stack */
	size_t active_words;
	struct tree tree;           /* of the calls since its stack was last empty at a gap */
};

/* Says once that there is no memory. Always false. */
bool thread_starve(struct thread_context *context);

/* Null when there is no memory. */
struct thread *make_thread(uint32_t stream);
void free_thread(struct thread *thread);

void thread_feed_events(struct thread *thread, struct thread_context *context, const struct message_events *message);
void thread_feed_checkpoint(struct thread *thread, struct thread_context *context, const struct message_checkpoint *message);
/* The data ends. Adds the row and the tree to the profile. */
void thread_finish(struct thread *thread, struct thread_context *context);
/* Gives back what can be made again, when no frame is open: for threads that ended. */
void thread_shrink(struct thread *thread, struct thread_context *context);

struct call thread_get_open(const struct thread *thread, const struct thread_context *context, uint32_t index);
void thread_tag_open(struct thread *thread, uint32_t index, uint32_t tag);

#endif
