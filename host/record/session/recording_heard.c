/* What agents tell and ask beside events, and who wants to know it. */
#include "record/session/recording_inner.h"

#include <stdlib.h>
#include <string.h>

#include "util/clock.h"

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

	followed_has_hooks(&recording->followed, module->process);
	called_add_module(&recording->called, module);
	stages_add_module(&recording->stages, module);
}

static void answer_plan(void *context, const char *request)
{
	plans_ask_for(&((struct recording *)context)->plans, request);
}

static void keep_privileged(void *context, const char *path)
{
	privileged_add(&((struct recording *)context)->privileged, path);
}

void recording_listen(struct recording *recording)
{
	recording->listener = (struct journal_listener){keep_process, keep_hooks, keep_privileged, answer_plan, recording};
}

void recording_hear(void *context)
{
	struct recording *recording = context;

	followed_begin_look(&recording->followed, recording->session);
	journal_copy(&recording->journal, recording->writer, clock_now_ns(), false, &recording->listener);
}
