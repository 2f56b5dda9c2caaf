/* snapshot: raises the request number in the memory of the session, and waits for record's answer there. */
#include "record/sink/snapshot.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "core/extent.h"
#include "record/session/attach.h"
#include "target/port/os/linux/session.h"

/* Waits until record has handled the request, without a time limit: a ring takes milliseconds, and there may be thousands of rings.
 * False: the recording has ended, or record's process is gone. */
static bool wait_for(const struct dwell_session *session, uint32_t wanted)
{
	const struct timespec pause = {0, 1000000};

	while ((int32_t)(__atomic_load_n(&session->snapshots_taken, __ATOMIC_ACQUIRE) - wanted) < 0) {
		if (session->closed || (kill((pid_t)session->owner_pid, 0) < 0 && errno == ESRCH))
			return false;
		nanosleep(&pause, NULL);
	}
	return true;
}

char *snapshot_take(pid_t pid, const char *agent, struct diag *diag)
{
	struct attach attach;
	char *file = NULL;
	uint32_t number;

	if (!attach_find_recorded(&attach, pid, agent, diag))
		goto end;
	if (attach.orders->mode == DWELL_MODE_STREAM || !attach.orders_file) {
		diag_add(diag, DIAG_ERROR, attach.name, DIAG_NO_OFFSET,
			"is recorded as a stream: its file has everything already; only --ring and --linear recordings have snapshots");
		goto end;
	}
	if (!wait_for(attach.orders, __atomic_add_fetch(&attach.orders->snapshots, 1, __ATOMIC_ACQ_REL))) {
		diag_add(diag, DIAG_ERROR, attach.name, DIAG_NO_OFFSET, "the recording ended before the snapshot; its calls are in %s", attach.orders_file);
		goto end;
	}
	number = attach.orders->snapshot_file;
	if (!number)
		diag_add(diag, DIAG_ERROR, attach.orders_file, DIAG_NO_OFFSET, "no snapshot could be written beside it; dwell record, process %u, prints the reason",
			attach.orders->owner_pid);
	else if (asprintf(&file, "%s.%u", attach.orders_file, number) < 0)
		file = NULL;
end:
	attach_end(&attach);
	return file;
}
