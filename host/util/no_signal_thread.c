/* no_signal_thread: starts a thread with all signals blocked (no_signal_thread.h). */
#include "util/no_signal_thread.h"

#include <signal.h>

bool no_signal_thread_begin(pthread_t *thread, void *(*run)(void *context), void *context)
{
	sigset_t all, before;
	bool begun;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	begun = pthread_create(thread, NULL, run, context) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return begun;
}
