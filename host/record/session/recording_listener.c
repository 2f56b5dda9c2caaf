/* recording_listener: the listener of the journal: passes the agents' messages and requests to the parts of the recording. */
#include "record/session/recording_inner.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/program/own_agent.h"
#include "record/remote/remote_thread.h"
#include "util/clock.h"
#include "util/priority.h"

/* Enters a process into the lists of processes. Keeps a copy of the program's own announcement, without its arguments. */
static void keep_process(void *context, const struct message_process *process)
{
	struct recording *recording = context;

	orders_add_process(&recording->orders, process->pid);
	followed_add(&recording->followed, process, clock_now_ns());
	if (process->pid != (uint32_t)recording->launch->pid)
		return;
	free(recording->main_path);
	recording->main_path = strdup(process->path);
	recording->main_process = *process;
	recording->main_process.argc = 0;
	recording->main_process.argv = NULL;
}

static void keep_hooks(void *context, const struct message_module *module)
{
	struct recording *recording = context;
	uint32_t task = tasks_number(recording->session->tasks, module->process);
	struct kept_file *file;

	followed_set_hooks(&recording->followed, module->process);
	file = kept_files_find(
		&recording->files, task, module->path, module->low, module->build_id, module->build_id_bytes);
	called_add_module(&recording->called, module, file);
	stages_add_module(&recording->stages, module);
}

static void answer_plan(void *context, uint32_t process, const char *request)
{
	struct recording *recording = context;
	const struct kept_file *file = NULL;
	const char *path;
	uint64_t low;

	if (!plans_read_request(request, &low, &path))
		return;
	if (*path == '/') /* else the file is the kernel's own page */
		file = kept_files_find(&recording->files, tasks_number(recording->session->tasks, process), path, low, NULL, 0);
	plans_add_request(&recording->plans, request, file);
}

static void keep_privileged(void *context, uint32_t process, const char *path)
{
	(void)process;
	privileged_add(&((struct recording *)context)->privileged, path, path);
}

/* path is valid in the process's root folder, so privileged_add searches the file for hooks through
 * /proc/PID/root. The process runs the program by now, or is about to. By plans a program needs no hooks. */
static void keep_unreached(void *context, uint32_t process, const char *path)
{
	struct recording *recording = context;
	char there[4200];

	snprintf(there, sizeof there, "/proc/%u/root%s", tasks_number(recording->session->tasks, process), path);
	privileged_add(&recording->unreached, path, recording->plans.begun ? NULL : there);
}

/* The process's root folder is gone when the process is; as a rule the root folder is record's own. */
static void keep_unloaded(void *context, uint32_t process, const char *path)
{
	struct recording *recording = context;
	char there[4200];

	snprintf(there, sizeof there, "/proc/%u/root%s", tasks_number(recording->session->tasks, process), path);
	privileged_add(&recording->unloaded, path, recording->plans.begun ? NULL : access(there, F_OK) == 0 ? there : path);
}

static void keep_unpreloaded(void *context, uint32_t process, const char *path)
{
	if (!own_agent_is_in(path))
		keep_unloaded(context, process, path);
}

static void keep_confined(void *context, uint32_t process, const char *how)
{
	(void)process;
	(void)how;
	((struct recording *)context)->confined++;
}

void recording_set_listener(struct recording *recording)
{
	recording->listener =
		(struct journal_listener){keep_process, keep_hooks, keep_privileged, keep_unreached, keep_unloaded,
			keep_unpreloaded, keep_confined, answer_plan, recording};
}

void recording_read_journal(void *context)
{
	struct recording *recording = context;

	followed_read_forks(&recording->followed, recording->session);
	journal_copy(&recording->journal, recording->writer, clock_now_ns(), false, &recording->listener);
}

/* Makes plans for all files with code that the attached process has mapped. */
static void make_plans(struct recording *recording)
{
	const struct attach *attach = recording->attach;
	const struct remote_image *image = &attach->control.image;
	uint32_t task = (uint32_t)remote_live_thread(attach->control.pid);

	for (size_t i = 0; i < image->map_count; i++) {
		const struct remote_mapping *mapping = &image->maps[i];
		const struct kept_file *file;

		if (mapping->access[2] != 'x' || *mapping->path != '/')
			continue;
		file = kept_files_find(&recording->files, task, mapping->path, mapping->low, NULL, 0);
		plans_make(&recording->plans, file, !strcmp(mapping->path, attach->program));
	}
}

static void *make_plans_aside(void *recording)
{
	priority_lower(10);
	make_plans(recording);
	return NULL;
}

/* Plans for a large program take seconds: a thread with low priority
 * makes them, since the process must serve its clients meanwhile. */
void recording_make_plans(struct recording *recording)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, make_plans_aside, recording) == 0)
		pthread_join(thread, NULL);
	else
		make_plans(recording);
}

void recording_write_stops(struct recording *recording)
{
	char text[100];
	struct message_info fact = {"stops", text};

	if (!recording->attach || !remote_stops.count)
		return;
	snprintf(text, sizeof text, "%" PRIu32 ", the longest %.3f ms, together %.3f ms", remote_stops.count,
		(double)remote_stops.longest_ns / 1e6, (double)remote_stops.all_ns / 1e6);
	trace_writer_info(recording->writer, &fact, 1);
}
