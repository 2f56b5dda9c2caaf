/* The verdict of dwell selftest: what is found is made up here, good and bad. */
#include "check.h"
#include "cmd/selftest/print.h"

/* The error of each share in percentage points, with intervals of 2 to each side. */
static struct trial_result made_up(double off, double hz)
{
	struct trial_result result = {.samples = 1000, .delivered_hz = hz};

	for (int i = 0; i < 5; i++)
		truth_add(&result.truth, "share", 0.2e9);
	result.truth.total_ns = 1e9;
	for (int i = 0; i < 5; i++)
		result.found[i] = (struct trial_found){.percent = 20 + off,
			.low = 18 + off,
			.high = 22 + off,
			.held = off <= 2 && off >= -2,
			.near = off <= 4 && off >= -4};
	return result;
}

/* held: of 20 short runs, in so many all intervals hold the truth. */
static bool verdict(double off, double hz, int held, double off_in_step)
{
	struct selftest_print print = {.form = WRITER_CSV, .hz = 997};
	struct trial trial = {.workload = "shares", .hz = 997};
	struct trial_result result = made_up(off, hz);

	selftest_print_trial(&print, &trial, &result, 0);
	for (int i = 0; i < 20; i++) {
		result = made_up(i < held ? 1 : 3, hz);
		selftest_print_trial(&print, &trial, &result, (uint32_t)i + 1);
	}
	trial.workload = "periodic";
	result = made_up(off_in_step, hz);
	selftest_print_trial(&print, &trial, &result, 0);
	trial.fixed = true;
	result = made_up(20, hz); /* that it is misjudged then is why there is jitter */
	selftest_print_trial(&print, &trial, &result, 0);
	return selftest_print_end(&print);
}

TEST(verdicts)
{
	CHECK(verdict(1, 995, 19, 1));
	CHECK(verdict(3, 995, 19, 1)); /* one interval in 20 may miss */
	CHECK(!verdict(5, 995, 19, 1));
	CHECK(!verdict(-5, 995, 19, 1));
	CHECK(!verdict(1, 250, 19, 1));
	CHECK(!verdict(1, 995, 14, 1));
	CHECK(!verdict(1, 995, 19, -10));
}

/* All of five or 45 intervals hold the truth: that is too little to say so. */
TEST(too_few_for_a_verdict)
{
	for (uint32_t runs = 0; runs < 12; runs++) {
		struct selftest_print print = {.form = WRITER_CSV, .hz = 997};
		struct trial trial = {.workload = "shares", .hz = 997};
		struct trial_result result = made_up(1, 995);

		for (uint32_t run = 0; run <= runs; run++)
			selftest_print_trial(&print, &trial, &result, run);
		CHECK(selftest_print_end(&print) == (runs >= 9));
	}
}

TEST(nothing_found)
{
	struct selftest_print print = {.form = WRITER_CSV, .hz = 997};
	struct trial trial = {.workload = "shares", .hz = 997};
	struct trial_result result = made_up(0, 997);

	for (int i = 0; i < 5; i++)
		result.found[i].percent = 0;
	selftest_print_trial(&print, &trial, &result, 0);
	CHECK(!selftest_print_end(&print));
}

TEST(truth_survives_a_file)
{
	struct truth truth = {0}, again;
	FILE *file = tmpfile();

	truth_add(&truth, "a", 25);
	truth_add(&truth, "b", 50);
	truth.total_ns = 100;
	truth_write(&truth, file);
	rewind(file);
	CHECK(truth_read(&again, file) && again.count == 2 && truth_percent(&again, 0) == 25 && truth_percent(&again, 1) == 50);
	fclose(file);
	file = tmpfile();
	fputs("a 25\nb", file); /* whoever wrote it was killed */
	rewind(file);
	CHECK(!truth_read(&again, file));
	fclose(file);
}

int main(void)
{
	RUN(verdicts);
	RUN(too_few_for_a_verdict);
	RUN(nothing_found);
	RUN(truth_survives_a_file);
	return tap_done();
}
