/* recording_inner: the state of a recording, for recording.c and its parts, the files recording_….c.
 * Each part is a group of functions on struct recording. */
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
#include "record/sink/kept_files.h"
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
	struct cpu_places cpu_places; /* stream only */
	struct keeper keeper;     /* ring, linear only */
	struct kept_switches kept; /* ring, linear only */
	struct capture capture;   /* ring, linear only: used at the end */
	struct followed followed;
	struct kept_files files;
	struct called called;
	struct privileged privileged, unreached;
	struct plans plans; /* zeroed unless the recording uses plans */
	struct stage_list stages;
	struct stage_recording stage_facts; /* data about the recording, which the stages read */
	struct trigger *trigger; /* also in stages; null: no trigger */
	struct stage_end ended; /* results of the stages at the end: events that they wrote, or why nothing was recorded */
	bool held;               /* in the last sweep, a thread waited until the trigger had read its ring */
	struct journal_listener listener;
	struct message_header header;
	struct diag *diag;
	const struct launch *launch;
	struct attach *attach; /* null: the program is record's child */
	bool joined;           /* the process is in the session */
	bool gone;             /* the process has ended, or runs another program */
	bool live;
	const char *output;
	uint32_t snapshots, snapshots_seen; /* snapshot files; requests for snapshots so far */
	struct message_process main_process; /* the last announcement of the program; written again at its end */
	char *main_path;
	uint64_t next_clock_ns, clock_step_ns; /* stream: when the next clock point is due; the interval after that */
	bool overhead_is_written; /* the cost of recording was written, which happens once, while the program runs */
	uint64_t next_left_ns, none_left_since_ns; /* next look for recording processes; time since which there is none */
	bool left_is_reported; /* on_processes_left was called */
	bool knows_machine;               /* the header has the program's machine: a thread has recorded */
	bool own_clock;                   /* record can read the agents' clock. Valid with knows_machine */
};

/* recording_listener.c. Sets up the listener, which passes the agents' messages to the parts of the recording. */
void recording_set_listener(struct recording *recording);
/* Reads the journal before the first sweep; attach_begin calls it through a pointer. */
void recording_read_journal(void *context);
/* Makes the plans for the files that the attached process has mapped, before dwell stops any of its threads. */
void recording_make_plans(struct recording *recording);
/* Writes how often dwell stopped the process, and for how long. */
void recording_write_stops(struct recording *recording);
/* recording_file.c: writes into the file while it grows: the header with the program's machine, facts, switches. */
void recording_update_header(struct recording *recording);
void recording_write_facts(struct recording *recording, const struct recording_options *options);
void recording_read_switches(struct recording *recording);
/* The number of recorded events of a stream: written to the file, counted by stages, or read by stages. */
uint64_t recording_count_events(const struct recording *recording);
/* Writes the end of the file. False: part of the file is missing. */
bool recording_finish_file(struct recording *recording, const char *output);

/* recording_clock.c. */
void recording_write_clock(struct recording *recording);
/* Writes clock points at growing intervals of up to a second, and the cost of recording once it was measured. */
void recording_write_clock_if_due(struct recording *recording, uint64_t now_ns);

/* recording_plan_facts.c: writes three facts from the plans, for programs whose code dwell changed: how many called functions may
 * end in a tail call, how many functions of the files can jump out of their callers, and how much of the files' code is timed. */
void recording_write_plan_facts(struct recording *recording, const struct workers *workers);

/* recording_rings.c: writes the trace file of a ring or linear recording at the end. The file gets the name output when it is
 * complete: if record is killed before, the heir writes the session file under that name. False: no trace file was written. */
bool recording_convert(struct recording *recording, const char *output, const struct recording_options *options);
/* Saves what the rings hold now to a file of its own, if a snapshot was requested
 * or a call took too long. Requests at the same time share the file. */
void recording_take_snapshot(struct recording *recording, const struct recording_options *options);

/* recording_stages.c: makes the stages before any file exists: if they would
 * leave nothing to record, no file is touched. False, and a diag: no stages. */
bool recording_prepare(struct recording *recording, const char *path, const struct recording_options *options);
/* The memory for the rings and for data that stages keep, in bytes: the user's choice, or the default. */
uint64_t recording_memory_bytes(const struct recording_options *options);

/* recording_facts.c: facts about a recording for people, as a chunk INFO of the trace or of the session. */
struct facts {
	char kernel[256], ring[24], left_out[300];
	struct message_info list[7]; /* points into this struct, and into the options */
	uint32_t count;
};
void facts_make(struct facts *facts, const struct recording_options *options);

#endif
