/* Arguments and what is returned: they come with the right call, whatever else happens, and only where somebody wants them. */
#include "check.h"
#include "model/model.h"

static char text[1024];

static void note(void *context, const struct call *call)
{
	size_t used = strlen(text);

	(void)context;
	if (used > sizeof text - 100)
		return;
	used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:", used ? " " : "", call->depth);
	if (!call->values) {
		snprintf(text + used, sizeof text - used, "-");
		return;
	}
	for (uint32_t i = 0; i < call->values->arg_count; i++) {
		used += (size_t)snprintf(text + used, sizeof text - used, "%s", i ? "," : "");
		used += call->values->unknown_args >> i & 1 ? (size_t)snprintf(text + used, sizeof text - used, "?")
							    : (size_t)snprintf(text + used, sizeof text - used, "%d",
								      (int)call->values->args[i]);
	}
	if (call->values->has_ret)
		used += (size_t)snprintf(text + used, sizeof text - used, "=%d", (int)call->values->ret);
	if (call->values->has_return_address)
		snprintf(text + used, sizeof text - used, "@%x", (unsigned)call->values->return_address);
}

#define ENTER(ticks, function) {ticks, function, EVENT_ENTER}
#define EXIT(ticks, function) {ticks, function, EVENT_EXIT}
#define ARG(value) {0, value, EVENT_ARG}
#define NO_ARG {0, 0, EVENT_NO_ARG}
#define RETURNS_TO(address) {0, address, EVENT_RETURNS_TO}
#define RET(value) {0, value, EVENT_RET}

static void model(const struct event *events, uint32_t count, bool want)
{
	struct diag *diag = make_diag();
	struct model *model = make_model(&(struct model_options){.on_call = note, .want_values = want}, diag);
	struct message header = {.kind = MESSAGE_HEADER, .header = {.format = "test", .has_events = true, .clock_bits = 64}};
	struct message thread = {.kind = MESSAGE_THREAD, .thread = {.place_kind = DWELL_PLACE_ADDRESS, .name = "main"}};
	struct message message = {
		.kind = MESSAGE_EVENTS, .events = {.place_kind = DWELL_PLACE_ADDRESS, .events = events, .count = count}};

	*text = 0;
	model_feed(model, &header);
	model_feed(model, &thread);
	model_feed(model, &message);
	model_finish(model);
	free_model(model);
	free_diag(diag);
}

#define MODEL(list) model(list, sizeof list / sizeof *list, true)

TEST(nested)
{
	const struct event list[] = {ENTER(1, 0xa00), ARG(1), ARG(2), ENTER(2, 0xb00), ENTER(3, 0xc00), ARG(3), EXIT(4, 0xc00),
		RET(4), EXIT(5, 0xb00), ENTER(6, 0xb00), ARG(5), EXIT(7, 0xb00), EXIT(8, 0xa00), RET(6)};

	MODEL(list);
	CHECK_STR(text, "2:3=4 1:- 1:5 0:1,2=6");
	model(list, sizeof list / sizeof *list, false);
	CHECK_STR(text, "2:- 1:- 1:- 0:-");
}

/* The exit of the outer one ends the inner one, too, which returned nothing. */
TEST(unwound)
{
	const struct event list[] = {ENTER(1, 0xa00), ARG(1), ENTER(2, 0xb00), ARG(2), EXIT(3, 0xa00), RET(3)};
	const struct event jump[] = {
		ENTER(1, 0xa00), ARG(1), ENTER(2, 0xb00), ARG(2), {3, 0, EVENT_UNWIND_JUMP}, EXIT(4, 0xa00), RET(4)};

	MODEL(list);
	CHECK_STR(text, "1:2 0:1=3");
	MODEL(jump);
	CHECK_STR(text, "1:2 0:1=4");
}

/* What came before the data is not known; neither is what has not returned. */
TEST(without_entry_or_exit)
{
	const struct event list[] = {EXIT(1, 0xa00), RET(1), ENTER(2, 0xb00), ARG(2), ENTER(3, 0xc00), ARG(3)};

	MODEL(list);
	CHECK_STR(text, "0:- 1:3 0:2");
}

/* Some are not known, and all at the end that there is no room for; the call behind one with such has its own. */
TEST(not_all_known)
{
	const struct event list[] = {ENTER(1, 0xa00), NO_ARG, ARG(7), NO_ARG, RETURNS_TO(0x1234), ENTER(2, 0xb00),
		RETURNS_TO(0xa08), ENTER(3, 0xc00), EXIT(4, 0xc00), EXIT(5, 0xb00), RET(5), ENTER(6, 0xb00), ARG(1), EXIT(7, 0xb00),
		EXIT(8, 0xa00)};
	const struct event many[] = {ENTER(1, 0xa00), NO_ARG, NO_ARG, NO_ARG, NO_ARG, NO_ARG, NO_ARG, NO_ARG, ARG(8),
		EXIT(2, 0xa00), NO_ARG, RETURNS_TO(1), ENTER(3, 0xb00), ARG(1), EXIT(4, 0xb00)};

	MODEL(list);
	CHECK_STR(text, "2:- 1:=5@a08 1:1 0:?,7,?@1234");
	MODEL(many);
	CHECK_STR(text, "0:?,?,?,?,?,? 0:1");
}

/* Deeper than the frames that there was room for at first. */
TEST(deep)
{
	static struct event list[600];
	uint32_t count = 0;

	for (uint32_t i = 0; i < 150; i++) {
		list[count++] = (struct event)ENTER(i, 0xa00);
		list[count++] = (struct event)ARG(i);
	}
	for (uint32_t i = 0; i < 150; i++) {
		list[count++] = (struct event)EXIT(200 + i, 0xa00);
		list[count++] = (struct event)RET(i);
	}
	model(list, count, true);
	CHECK(!strncmp(text, "149:149=0 148:148=1 147:147=2 ", 30));
}

int main(void)
{
	RUN(nested);
	RUN(unwound);
	RUN(without_entry_or_exit);
	RUN(not_all_known);
	RUN(deep);
	return tap_done();
}
