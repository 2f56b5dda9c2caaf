/* recording_inner: what recording.c and recording_rings.c know of a recording that goes on. */
#ifndef DWELL_HOST_RECORD_SESSION_RECORDING_INNER_H
#define DWELL_HOST_RECORD_SESSION_RECORDING_INNER_H

#include "record/drain/streams.h"
#include "record/program/followed.h"
#include "record/program/plans.h"
#include "record/program/privileged.h"
#include "record/session/attach.h"
#include "record/session/journal.h"
#include "record/session/keeper.h"
#include "record/session/orders.h"
#include "record/session/recording.h"
#include "record/session/session.h"
#include "record/session/switches.h"
#include "record/sink/called.h"
#include "record/sink/capture.h"
#include "record/sink/kept_switches.h"
#include "record/stage/stage.h"
#include "record/stage/trigger.h"
#include "writer/trace/dwell.h"

struct recording {
	struct session *session;
	struct journal journal;
	struct orders orders;
	struct trace_writer *writer;
	struct streams streams;   /* stream only */
	struct switches switches;
	struct keeper keeper;     /* ring, linear only … */
	struct kept_switches kept;
	struct capture capture;   /* … when it has ended */
	struct followed followed;
	struct called called;
	struct privileged privileged;
	struct plans plans;
	struct stage_list stages;
	struct stage_recording told; /* to these */
	struct trigger *trigger; /* one of these; null: nobody waits for slow calls */
	struct stage_end ended; /* what they did in the end */
	bool held;               /* a thread waited to be looked at */
	struct journal_listener listener;
	struct message_header header;
	struct diag *diag;
	const struct launch *launch;
	struct attach *attach; /* null: the program is our child */
	bool joined;           /* it is in the session */
	bool gone;             /* it has ended, or is another program */
	bool live;
	const char *output;
	uint32_t snapshots, snapshots_seen; /* files of them; what was asked for so far */
	struct message_process main_process; /* as it told itself last: told again when it has ended */
	char *main_path;
	uint64_t next_clock_ns, clock_step_ns;
	bool told_overhead; /* once, while it runs */
	uint64_t next_left_ns, alone_ns; /* since then nobody is left who records, as far as it is known */
	bool told_left;
	bool knows_machine;               /* the program's, once a thread of it recorded */
	bool own_clock;                   /* record reads the clock that the agents use. Valid with knows_machine */
};

/* What agents tell is heard by whom it is for. */
void recording_listen(struct recording *recording);
/* Hears what was told so far, before there is a first sweep: for attach_begin. */
void recording_hear(void *context);
/* Into the file that is being written: what its header says, facts, a clock point. */
void recording_learn_machine(struct recording *recording);
void recording_tell_facts(struct recording *recording, const struct recording_options *options);
void recording_tell_clock(struct recording *recording);
/* At growing intervals, up to a second; and what recording costs, when that was measured. */
void recording_tell_clock_sometimes(struct recording *recording, uint64_t now_ns);
void recording_read_switches(struct recording *recording);
/* The end of it. False: something of it is missing. */
bool recording_finish_file(struct recording *recording, const char *output);

/* recording_tails.c. Of programs whose code was changed: how many of the functions in the file may end in a tail call, and
 * how many of the recorded files can jump out of their callers. */
void recording_tell_tails(struct recording *recording, const struct workers *workers);

/* recording_rings.c. The session file becomes a trace file, in one step: whoever is killed meanwhile, there is one of them under the name,
 * and nothing beside it. False: it could not be written, and the session file stays, which holds the same. */
bool recording_convert(struct recording *recording, const char *output, const struct recording_options *options);
/* What the rings hold now, to a file of its own, where somebody asked for it, or a call took too long. Those that ask at the same time
 * share it. */
void recording_take_snapshot(struct recording *recording, const struct recording_options *options);

/* recording_facts.c: what is said about a recording for people, as a chunk INFO of the trace or of the session. */
struct facts {
	char kernel[256], ring[24], left_out[300];
	struct message_info list[7]; /* points into this, and into the options */
	uint32_t count;
};
void facts_make(struct facts *facts, const struct recording_options *options);

#endif
