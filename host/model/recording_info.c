/* recording_info: reads the INFO messages (key and value) in which the recorder describes the recording, as far as reports show
 * them. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/model_inner.h"
#include "util/array.h"
#include "util/code_share.h"
#include "util/saturate.h"
#include "util/utf8.h"

#define CPU_PLACES_MAX (1u << 20) /* recorders write less than a tenth of this */

/* Appends a reason after "; ". Leaves out a reason that does not fit whole. */
static void add_reason(char *reason, size_t bytes, const char *more)
{
	size_t used = strlen(reason);

	if (used + strlen(more) + 3 < bytes)
		snprintf(reason + used, bytes - used, "%s%s", used ? "; " : "", more);
}

/* Reads "12 samples, 12036108 ns": number and weight of the samples. Ignores a text of another form. */
static void add_interrupted(struct model_interrupted *interrupted, const char *text)
{
	uint64_t samples, weight;

	/* A minus sign would become a huge number. */
	if (strchr(text, '-') || sscanf(text, "%15" SCNu64 " samples, %18" SCNu64, &samples, &weight) != 2)
		return;
	saturate_add(&interrupted->samples, samples);
	saturate_add(&interrupted->weight, weight);
}

bool model_says_faults(const struct message_info *message)
{
	return !strcmp(message->key, "page-faults") && !strncmp(message->value, "known", 5);
}

void recording_info_feed(struct model *model, const struct message_info *message)
{
	static const char not_known[] = "not known: ";

	if (!strcmp(message->key, "cpu-time") && !strncmp(message->value, not_known, sizeof not_known - 1))
		utf8_copy(model->cpu_problem, sizeof model->cpu_problem, message->value + sizeof not_known - 1);
	model->has_faults |= model_says_faults(message);
	model->faults_miss_kernel |= model_says_faults(message) && !strncmp(message->value, "known, but not", 14);
	if (!strcmp(message->key, "page-faults-elsewhere") && *message->value >= '0' && *message->value <= '9')
		saturate_add(&model->faults_elsewhere, strtoul(message->value, NULL, 10));
	if (!strcmp(message->key, "left-out"))
		utf8_copy(model->left_out, sizeof model->left_out, message->value);
	if (!strcmp(message->key, "tail-calls") && *message->value >= '0' && *message->value <= '9')
		saturate_add(&model->tail_calls, strtoul(message->value, NULL, 10));
	if (!strcmp(message->key, "timed-code"))
		code_share_add(&model->timed_code, message->value);
	if (!strcmp(message->key, "hooked-code"))
		code_share_add(&model->hooked_code, message->value);
	if (!strcmp(message->key, "unseen-jumps") && *message->value >= '0' && *message->value <= '9')
		saturate_add(&model->unseen_jumps, strtoul(message->value, NULL, 10));
	if (!strcmp(message->key, "interrupted"))
		add_interrupted(&model->interrupted, message->value);
	if (!strcmp(message->key, "unsampled-kernel") && *message->value >= '0' && *message->value <= '9')
		sscanf(message->value, "%18" SCNu64 " ns", &model->unsampled_kernel_ns);
	if (!strcmp(message->key, "snapshot-when"))
		add_reason(model->snapshot_reason, sizeof model->snapshot_reason, message->value);
	if (!strcmp(message->key, "kept-slowest"))
		kept_slowest_add(&model->kept_slowest, message->value);
	if (!strcmp(message->key, "clock-step") && *message->value >= '0' && *message->value <= '9')
		sscanf(message->value, "%9" SCNu32 " ticks", &model->clock.step_ticks);
	overhead_add(&model->overhead, message->key, message->value);
}

/* Without memory, the places are dropped. */
void recording_info_feed_cpu_places(struct model *model, const struct message_cpu_places *message)
{
	struct message_cpu_places *all = &model->cpu_places;

	all->period_ns = message->period_ns;
	all->beyond += message->beyond;
	if (!message->count || message->count > CPU_PLACES_MAX - all->count ||
		!array_reserve(&model->places, &model->place_capacity, all->count + (size_t)message->count, sizeof *model->places))
		return;
	memcpy(model->places + all->count, message->places, message->count * sizeof *model->places);
	all->count += message->count;
	all->places = model->places;
}

const struct message_cpu_places *model_get_cpu_places(const struct model *model)
{
	return &model->cpu_places;
}

const char *model_get_snapshot_reason(const struct model *model)
{
	return model->snapshot_reason;
}

const char *model_get_left_out(const struct model *model)
{
	return model->left_out;
}

uint64_t model_get_tail_calls(const struct model *model)
{
	return model->tail_calls;
}

uint64_t model_get_unseen_jumps(const struct model *model)
{
	return model->unseen_jumps;
}

struct code_share model_get_timed_code(const struct model *model)
{
	return model->timed_code;
}

struct code_share model_get_hooked_code(const struct model *model)
{
	return model->hooked_code;
}

const struct kept_slowest *model_get_kept_slowest(const struct model *model)
{
	return &model->kept_slowest;
}

const struct model_interrupted *model_get_interrupted(const struct model *model)
{
	return &model->interrupted;
}

uint64_t model_get_unsampled_kernel_ns(const struct model *model)
{
	return model->unsampled_kernel_ns;
}

const char *model_get_cpu_problem(const struct model *model)
{
	return model->cpu_problem;
}
