/* precision: see precision.h. */
#include "query/precision.h"

#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "io/source.h"
#include "model/model.h"
#include "model/profile/estimate.h"
#include "reader/reader.h"

#define SHARE_MIN 0.01
#define SAMPLES_MIN 200u /* of fewer, intervals are too unsure themselves */
#define FIRST_NS UINT64_C(1000000000)
/* Reading takes time that grows with the file: each look waits a while that grows with it, too. */
#define GROWTH_PERCENT 15u
#define NAP_NS 50000000

struct precision {
	double points;
	char *path;
	pthread_t thread;
	bool started;
	volatile bool stop, over;
};

struct precision *make_precision(double points, struct diag *diag)
{
	struct precision *precision = calloc(1, sizeof *precision);

	if (precision)
		precision->points = points;
	else
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
	return precision;
}

static void end_thread(struct precision *precision)
{
	precision->over = true;
	if (precision->started)
		pthread_join(precision->thread, NULL);
	precision->started = false;
}

void free_precision(struct precision *precision)
{
	if (!precision)
		return;
	end_thread(precision);
	free(precision->path);
	free(precision);
}

const volatile bool *precision_stop(const struct precision *precision)
{
	return &precision->stop;
}

void precision_find_widest(struct model *model, struct precision_known *known)
{
	const struct profile *profile = model_get_profile(model);

	*known = (struct precision_known){.half = 0};
	known->samples = profile->estimates.samples;
	for (size_t i = 0; i < profile->function_count; i++) {
		struct estimate_share share = estimates_get_share(&profile->estimates, (uint32_t)i, (double)profile->functions[i].self);
		double half = 100 * fmax(share.high - share.share, share.share - share.low);

		if (share.share < SHARE_MIN)
			continue;
		known->functions++;
		if (half <= known->half)
			continue;
		known->half = half;
		snprintf(known->name, sizeof known->name, "%s", functions_get_name(model_get_functions(model), (uint32_t)i));
	}
}

/* What the file says so far. False: nothing that could be read. */
static bool read_known(const char *path, struct precision_known *known)
{
	const struct model_options options = {.want_profile = true, .no_tree = true, .no_durations = true};
	struct diag *diag = make_diag(); /* that the end is missing is no news */
	struct source *source = make_source(path, diag);
	struct reader *reader = source ? make_reader(source, diag) : NULL;
	struct model *model = reader ? make_model(&options, diag) : NULL;
	struct message message;

	*known = (struct precision_known){.half = 0};
	if (model) {
		for (reader_next(reader, &message); message.kind != MESSAGE_END; reader_next(reader, &message))
			model_feed(model, &message);
		model_finish(model);
		precision_find_widest(model, known);
	}
	free_model(model);
	free_reader(reader);
	free_diag(diag);
	return model;
}

static bool is_enough(const struct precision *precision, const struct precision_known *known)
{
	return known->samples >= SAMPLES_MIN && known->functions && known->half <= precision->points;
}

static uint64_t now_ns(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static void *look(void *context)
{
	struct precision *precision = context;
	uint64_t begun = now_ns(), next = begun + FIRST_NS;
	struct precision_known known;

	while (!precision->over && !precision->stop) {
		uint64_t now = now_ns();

		if (now < next) {
			nanosleep(&(struct timespec){0, NAP_NS}, NULL);
			continue;
		}
		if (read_known(precision->path, &known) && is_enough(precision, &known))
			precision->stop = true;
		next = now_ns() + (now - begun) * GROWTH_PERCENT / 100 + NAP_NS;
	}
	return NULL;
}

void precision_begin(void *context, const char *path)
{
	struct precision *precision = context;
	struct stat info;
	sigset_t all, before;

	precision->path = strdup(path);
	if (!precision->path || stat(path, &info) < 0 || !S_ISREG(info.st_mode))
		return; /* it cannot be read while it is written; what is known in the end can be said */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	precision->started = pthread_create(&precision->thread, NULL, look, precision) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void precision_end(struct precision *precision, struct diag *diag)
{
	struct precision_known known;
	bool had_thread = precision->started;

	end_thread(precision);
	if (!precision->path || !read_known(precision->path, &known) || !known.samples)
		return; /* whoever recorded has said so */
	if (!had_thread)
		diag_add(diag, DIAG_WARN, precision->path, DIAG_NO_OFFSET,
			"--until: is no file that can be read while it is written");
	else if (precision->stop)
		diag_add(diag, DIAG_NOTE, precision->path, DIAG_NO_OFFSET,
			"enough is known after %" PRIu64 " samples: the shares of all functions above 1 %% to %.2g percentage points", known.samples,
			known.half);
	else if (is_enough(precision, &known))
		diag_add(diag, DIAG_NOTE, precision->path, DIAG_NO_OFFSET,
			"ended by itself after %" PRIu64 " samples; the shares of all functions above 1 %% are known to %.2g percentage points",
			known.samples, known.half);
	else if (!known.functions)
		diag_add(diag, DIAG_WARN, precision->path, DIAG_NO_OFFSET,
			"ended after %" PRIu64 " sample%s: no function has a share above 1 %% that could be known", known.samples,
			known.samples == 1 ? "" : "s");
	else if (known.half <= precision->points)
		diag_add(diag, DIAG_WARN, precision->path, DIAG_NO_OFFSET,
			"ended after %" PRIu64 " sample%s, before enough was known: of fewer than %u it is unsure how sure the shares are",
			known.samples, known.samples == 1 ? "" : "s", SAMPLES_MIN);
	else
		diag_add(diag, DIAG_WARN, precision->path, DIAG_NO_OFFSET,
			"ended after %" PRIu64 " sample%s, before enough was known: the share of %s is known to %.2g percentage points, not %.2g; that takes about "
			"%.0f samples",
			known.samples, known.samples == 1 ? "" : "s", known.name, known.half, precision->points,
			fmax(SAMPLES_MIN,
				(double)known.samples * (known.half / precision->points) * (known.half / precision->points)));
}
