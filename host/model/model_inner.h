/* model_inner: what a model is made of. For model.c, part.c and remarks.c. */
#ifndef DWELL_HOST_MODEL_MODEL_INNER_H
#define DWELL_HOST_MODEL_MODEL_INNER_H

#include "model/clock.h"
#include "model/index.h"
#include "model/model.h"
#include "model/profile/chosen.h"
#include "model/profile/counted.h"
#include "model/profile/overhead.h"
#include "model/profile/samples.h"
#include "model/profile/throttled.h"
#include "model/profile/weights.h"
#include "model/thread/thread.h"
#include "util/numbers.h"

#define LOSS_REASONS 16u

struct model {
	struct thread_context context;
	struct functions *own_functions;
	struct functions *share; /* while parts are read, else null: the context's functions */
	struct clock_map clock;
	struct message_header header;
	bool has_header;
	struct thread **threads;
	size_t thread_count, thread_capacity;
	struct index stream_index; /* stream → position in threads */
	struct numbers tids, names; /* how many threads have one; of a name its hash */
	struct model_process *processes;
	size_t process_count, process_capacity;
	struct index process_index;
	struct numbers pids; /* index + 1 of the last process that had one */
	uint64_t losses[LOSS_REASONS];
	struct throttled throttled;
	char cpu_problem[192];
	char left_out[300];
	uint64_t tail_calls, unseen_jumps; /* functions */
	struct model_interrupted interrupted;
	char snapshot_reason[1200];
	struct chosen chosen;
	struct weights weights;
	struct sample_paths paths;
	struct counted counted;
	struct message_sampling sampling;
	bool has_sampling;
	struct overhead overhead;
};

/* processes.c. */
void processes_feed(struct model *model, const struct message_process *message);
/* remarks.c. A line of what the recorder says of itself. */
void remarks_feed(struct model *model, const struct message_info *message);

#endif
