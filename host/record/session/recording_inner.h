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
	struct trace_writer *writer; /* ring, linear: null, except while the trace file or a snapshot is written */
	struct streams streams;   /* stream only, except .workers */
	struct switches switches;
	struct cpu_places cpu_places; /* stream only; else empty */
	struct keeper keeper;     /* ring, linear only */
	struct kept_switches kept; /* ring, linear only */
	struct capture capture;   /* ring, linear only: used at the end */
	struct followed followed;
	struct kept_files files;
	struct called called;
	struct privileged privileged, unreached, unloaded;
	uint64_t confined; /* processes that forbade themselves what recording needs */
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
	bool live;             /* as in the options */
	const char *output;    /* path of the trace file; borrowed */
	uint32_t snapshots, snapshots_seen; /* number of the last snapshot file; number of the last request that was answered */
	struct message_process main_process; /* the last announcement of the program; written again at its end */
	char *main_path;
	uint64_t next_clock_ns, clock_step_ns; /* stream: when the next clock point is due; the interval after that */
	bool overhead_is_written; /* the cost of recording was written, which happens once, while the program runs */
	/* When is_over next counts the recording processes; since when there is none (0: the program itself still runs). */
	uint64_t next_left_ns, none_left_since_ns;
	bool left_is_reported; /* on_processes_left was called */
	bool knows_machine;               /* a thread has recorded, and the header of the writer's file has the program's machine */
	bool own_clock;                   /* record can read the agents' clock. Valid with knows_machine */
};

/* recording_listener.c. Sets up the listener, which passes the agents' messages to the parts of the recording. */
void recording_set_listener(struct recording *recording);
/* Reads the journal before the first sweep; attach_begin calls this through a pointer. context: the struct recording. */
void recording_read_journal(void *context);
/* Makes the plans for the files that the attached process has mapped, before attach_begin stops threads of the process. Does
 * nothing if the recording uses no plans. */
void recording_make_plans(struct recording *recording);
/* Attach: writes how often dwell stopped threads of the process, and for how long. */
void recording_write_stops(struct recording *recording);
/* recording_file.c. Does nothing before a thread has recorded. Then, once for each file: writes the header with the program's
 * machine, the first clock point, and whether CPU times are known. Turns the switches off if the program has the clock of
 * another machine. */
void recording_update_header(struct recording *recording);
void recording_write_facts(struct recording *recording, const struct recording_options *options);
/* Takes the switches up to now into the tracks, which streams or kept_switches write later. */
void recording_read_switches(struct recording *recording);
/* The number of recorded events of a stream recording: written to the file, counted by stages, or read by stages. */
uint64_t recording_count_events(const struct recording *recording);
/* Writes the end of the file, and adds losses as diags. False: part of the file is missing. */
bool recording_finish_file(struct recording *recording, const char *output);

/* recording_clock.c. Writes a clock point, unless record cannot read the agents' clock, or the program's machine is unknown. */
void recording_write_clock(struct recording *recording);
/* Writes clock points at growing intervals of up to a second, and once the cost of recording, when an agent has measured it. */
void recording_write_clock_if_due(struct recording *recording, uint64_t now_ns);

/* recording_plan_facts.c: writes up to three facts from the plans, for programs whose code dwell changed. How many called functions
 * may end in a tail call; how many functions of the files can jump out of their callers; and how much of the files' code is timed.
 * Writes none while the thread of the plans still answers requests. */
void recording_write_plan_facts(struct recording *recording, const struct workers *workers);

/* recording_rings.c: writes the trace file of a ring or linear recording at the end. The file gets the name output when it is
 * complete: if record is killed before, the heir writes the session file under that name. False: no trace file was written.
 * True without events (capture.events is 0): there is nothing to write, and no file. */
bool recording_convert(struct recording *recording, const char *output, const struct recording_options *options);
/* Ring, linear: saves what the rings hold now to a file of its own (output.1, output.2 …), if a snapshot was requested
 * or a call took too long. Requests at the same time share the file. */
void recording_take_snapshot(struct recording *recording, const struct recording_options *options);

/* recording_stages.c: makes the stages before any file exists: if the stages would leave nothing to record, dwell touches no
 * file. False, and a diag: a stage cannot be made. */
bool recording_prepare(struct recording *recording, const char *path, const struct recording_options *options);
/* Stream: the memory for the rings and for data that stages keep, in bytes: the user's choice, or the default. */
uint64_t recording_memory_bytes(const struct recording_options *options);

/* recording_facts.c: facts about a recording for people, as a chunk INFO of the trace or of the session. Do not copy the struct:
 * list points into it. */
struct facts {
	char kernel[256], ring[24], left_out[300];
	struct message_info list[7]; /* points into this struct, and into the options; one member is left for the caller */
	uint32_t count;
};
void facts_make(struct facts *facts, const struct recording_options *options);

#endif
