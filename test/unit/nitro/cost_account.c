/* Function cost of random programs, against accounts that they keep themselves. */
#include "cost_clock.h"

/* Random programs, with everything that can be done to them; an account of their own for what is recorded. */
TEST(against_an_account)
{
	enum { FUNCTIONS = 7, DEEP = 60 };
	static const char names[FUNCTIONS][2] = {"a", "b", "c", "d", "e", "f", "g"};

	for (uint64_t seed = 1; seed < 100; seed++) {
		uint64_t calls[FUNCTIONS] = {0}, self[FUNCTIONS] = {0};
		uint32_t stack[DEEP], depth = 0;
		bool enabled = true;
		char want[512], *end = want;

		state = seed;
		begin(2000);
		for (uint32_t i = 0; i < 4000; i++) {
			uint32_t what = pick(100), own = pick(9);

			pass(own, pick(3) ? 0 : pick(50));
			if (depth && enabled)
				self[stack[depth - 1]] += own;
			if (what < 50 && depth < DEEP && enabled) {
				stack[depth] = pick(FUNCTIONS);
				enter(names[stack[depth++]]);
			} else if (what < 90 && depth) {
				calls[stack[--depth]]++;
				leave();
			} else if (what < 95) {
				CHECK_EQ(OS_RestoreFunctionCost(!enabled), enabled);
				enabled = !enabled;
			} else if (what < 96) {
				OS_CalcStatistics(statistics);
			}
		}
		OS_EnableFunctionCost();
		for (; depth; depth--) {
			calls[stack[depth - 1]]++;
			leave();
		}
		OS_CalcStatistics(statistics);
		print_nothing();
		OS_DumpStatistics(statistics);
		for (uint32_t i = 0; i < FUNCTIONS; i++) {
			end = want + sprintf(want, "%s: count %llu, cost %llu\n", names[i], (unsigned long long)calls[i],
					     (unsigned long long)self[i]);
			CHECK(strstr(printed, want) != 0);
			if (tap_bad) {
				printf("# seed %d wants %s%s", (int)seed, want, printed);
				return;
			}
		}
		(void)end;
	}
}

/* A model of what has to be recorded, and of whose time it is: nothing of it looks at the recorder. Of a call it knows whether it
 * has lines (there was room, by what there is in the buffer), was dropped, or was entered while disabled. */
enum { MODEL_FUNCTIONS = 5, MODEL_DEEP = 40 };

enum fate { RECORDED, DROPPED, UNSEEN, HALF, FATES };

struct account {
	uint32_t room, lines; /* of the buffer, in lines; and those that are used */
	struct {
		uint32_t function;
		enum fate fate;
	} stack[MODEL_DEEP];
	uint32_t depth, gaps, deep_gaps;
	bool enabled;
	uint64_t ended[FATES], calls[MODEL_FUNCTIONS], self[MODEL_FUNCTIONS], total[MODEL_FUNCTIONS];
	uint64_t own; /* ticks while enabled with a recorded call open */
};

static uint32_t recorded_calls(const struct account *account)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < account->depth; i++)
		count += account->stack[i].fate == RECORDED;
	return count;
}

/* Whether the innermost call has no line, and something recorded would stand on top of it. */
static bool is_on_gap(const struct account *account)
{
	return account->depth && account->stack[account->depth - 1].fate != RECORDED;
}

static void account_time(struct account *account, uint32_t own)
{
	bool seen[MODEL_FUNCTIONS] = {false}, is_innermost = true;

	for (uint32_t i = account->enabled ? account->depth : 0; i--;) {
		uint32_t which = account->stack[i].function;

		if (account->stack[i].fate != RECORDED)
			continue;
		if (is_innermost)
			account->self[which] += own;
		account->own += is_innermost ? own : 0;
		account->total[which] += seen[which] ? 0 : own;
		is_innermost = false;
		seen[which] = true;
	}
}

static void account_enter(struct account *account, uint32_t which)
{
	bool on_gap = is_on_gap(account);
	enum fate fate = !account->enabled ? UNSEEN
		: account->lines + recorded_calls(account) + account->gaps + on_gap + 2 <= account->room ? RECORDED : DROPPED;

	if (fate == RECORDED) {
		account->lines++;
		account->gaps += on_gap;
		account->deep_gaps += account->gaps > 1;
	}
	account->stack[account->depth].function = which;
	account->stack[account->depth++].fate = fate;
}

static void account_exit(struct account *account)
{
	uint32_t last = --account->depth;

	account->ended[account->stack[last].fate]++;
	if (account->stack[last].fate != RECORDED)
		return;
	account->calls[account->stack[last].function]++;
	account->lines++;
	account->gaps -= is_on_gap(account); /* that the next exit belongs to */
}

static void account_enable(struct account *account, bool enable)
{
	account->enabled = enable;
	for (uint32_t i = 0; enable && i < account->depth; i++)
		if (account->stack[i].fate == UNSEEN)
			account->stack[i].fate = HALF;
}

static void account_summary(struct account *account)
{
	account->lines = recorded_calls(account);
}

static bool agrees(const struct account *account)
{
	static const char names[MODEL_FUNCTIONS][2] = {"a", "b", "c", "d", "e"};
	const struct lines_stats *stats = (struct lines_stats *)statistics;
	unsigned long long own = 0, calls = 0;

	print_nothing();
	OS_DumpStatisticsInclusive(statistics);
	for (uint32_t i = 0; i < MODEL_FUNCTIONS; i++) {
		char want[128];

		snprintf(want, sizeof want, "%s: count %llu, cost %llu, inclusive %llu\n", names[i], (unsigned long long)account->calls[i],
			(unsigned long long)account->self[i], (unsigned long long)account->total[i]);
		if (!strstr(printed, want) && (account->calls[i] || account->self[i])) {
			printf("# wants %s%s", want, printed);
			return CHECK(false);
		}
		own += account->self[i];
		calls += account->calls[i];
	}
	return CHECK_EQ(own, account->own) && CHECK_EQ(calls, account->ended[RECORDED]) &&
	       CHECK_EQ(stats->dropped, account->ended[DROPPED]) && CHECK_EQ(stats->halves, account->ended[HALF]) &&
	       CHECK_EQ(stats->early, 0);
}

/* Random programs that overflow their buffers, are switched off and on, and summarised, at any depth. Each call is in one account
 * exactly once, and each tick of what is open and enabled is somebody's. */
TEST(every_call_is_counted_once)
{
	static const char names[MODEL_FUNCTIONS][2] = {"a", "b", "c", "d", "e"};
	uint64_t ended[FATES] = {0}, deep_gaps = 0;

	for (uint64_t seed = 1; seed < 400; seed++) {
		uint32_t capacity = 1 + (uint32_t)seed % 17, rare = 1 + (uint32_t)seed % 5, entered = 0;
		struct account account = {.room = 2 * capacity, .enabled = true};

		state = seed;
		begin(capacity);
		for (uint32_t i = 0; i < 3000 || account.depth; i++) {
			uint32_t what = i < 3000 ? pick(100) : 45, own = pick(9);

			pass(own, pick(3) ? 0 : pick(50));
			account_time(&account, own);
			if (what < 45 && account.depth < MODEL_DEEP) {
				uint32_t which = pick(MODEL_FUNCTIONS);

				account_enter(&account, which);
				enter(names[which]);
				entered++;
			} else if (what < 90 && account.depth) {
				account_exit(&account);
				leave();
			} else if (what < 90 + rare) {
				CHECK_EQ(OS_RestoreFunctionCost(!account.enabled), account.enabled);
				account_enable(&account, !account.enabled);
			} else {
				account_summary(&account);
				OS_CalcStatistics(statistics);
			}
		}
		OS_CalcStatistics(statistics);
		CHECK_EQ(account.ended[RECORDED] + account.ended[DROPPED] + account.ended[HALF] + account.ended[UNSEEN], entered);
		if (!agrees(&account)) {
			printf("# seed %d\n", (int)seed);
			return;
		}
		for (uint32_t i = 0; i < FATES; i++)
			ended[i] += account.ended[i];
		deep_gaps += account.deep_gaps;
	}
	CHECK(ended[RECORDED] > 50000 && ended[DROPPED] > 50000 && ended[UNSEEN] > 50000 && ended[HALF] > 5000 && deep_gaps > 5000);
}

int main(void)
{
	RUN(against_an_account);
	RUN(every_call_is_counted_once);
	return tap_done();
}
