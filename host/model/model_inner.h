/* model_inner: struct model, the state of the model between messages. For model.c, part.c, processes.c and recording_info.c. */
#ifndef DWELL_HOST_MODEL_MODEL_INNER_H
#define DWELL_HOST_MODEL_MODEL_INNER_H

#include "model/clock.h"
#include "model/model.h"
#include "model/profile/kept_slowest.h"
#include "model/profile/overhead.h"
#include "model/profile/throttled.h"
#include "model/profile/weights.h"
#include "model/sums/call_sums.h"
#include "model/sums/samples.h"
#include "model/thread/thread.h"
#include "util/code_share.h"
#include "util/lookup.h"
#include "util/numbers.h"


struct model {
	struct thread_context context;
	struct functions *own_functions; /* null: options.functions belongs to another model */
	struct functions *share; /* while parts are read, context.functions is this share; else null */
	struct clock_map clock;
	struct message_header header;
	bool has_header;
	struct thread **threads;
	size_t thread_count, thread_capacity;
	struct lookup stream_index; /* stream → position in threads */
	struct numbers tids, names; /* number of threads with each tid, and with each name's hash */
	struct model_process *processes;
	size_t process_count, process_capacity;
	struct lookup process_index;
	struct numbers pids; /* index + 1 of the last process with the pid */
	uint64_t losses[DWELL_LOSS_REASONS];
	struct throttled throttled;
	struct message_cpu_places cpu_places; /* its .places is the list in the next field */
	struct message_cpu_place *places;
	size_t place_capacity;
	bool has_faults, faults_miss_kernel;
	uint64_t faults_elsewhere;
	char cpu_problem[192];
	char left_out[300];
	uint64_t tail_calls, unseen_jumps; /* number of functions */
	struct code_share timed_code, hooked_code;
	struct model_interrupted interrupted;
	uint64_t unsampled_kernel_ns;
	char snapshot_reason[1200];
	struct kept_slowest kept_slowest;
	struct weights weights;
	struct sample_paths paths;
	struct call_sums call_sums;
	struct message_sampling sampling;
	bool has_sampling;
	struct overhead overhead;
};

/* In processes.c. */
void processes_feed(struct model *model, const struct message_process *message);
/* In recording_info.c. Reads a line (key and value) in which the recorder describes the recording. */
void recording_info_feed(struct model *model, const struct message_info *message);
void recording_info_feed_cpu_places(struct model *model, const struct message_cpu_places *message);

#endif
