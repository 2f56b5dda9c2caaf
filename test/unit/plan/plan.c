/* Plans of programs as they are: which functions are timed, that the check finds what is wrong with a plan. */
#include <stdlib.h>

#include "cfi/section.h"
#include "check.h"
#include "cpu/cpu.h"
#include "plan/check.h"
#include "plan/plan.h"
#include "plan/read_file.h"
#include "unwind/cfi.h"

#define CASES "test/fuzz/corpus/plan/cases"

static struct bytes read_tree_file(const char *name)
{
	const char *tree = getenv("ROOT");
	struct bytes file = {0, 0};
	char path[4096];

	snprintf(path, sizeof path, "%s/%s", tree ? tree : ".", name);
	CHECK(plan_read_file(path, &file, NULL));
	return file;
}

/* What test/sites.s says of each. */
TEST(each_case_is_what_it_is)
{
	static const struct {
		uint64_t address;
		enum plan_reason reason;
		bool leaves_callers;
	} cases[] = {{0x401010, PLAN_PROGRAM_ENTRY}, {0x401020, PLAN_TIMED}, {0x401030, PLAN_TIMED}, {0x401040, PLAN_TIMED},
		{0x401050, PLAN_TIMED}, {0x401060, PLAN_TIMED}, {0x401070, PLAN_TIMED}, {0x401080, PLAN_TIMED},
		{0x4010b0, PLAN_TIMED}, {0x4010c3, PLAN_TIMED}, {0x4010d0, PLAN_JUMP_NOT_UNDERSTOOD},
		{0x4010f0, PLAN_SEVERAL_ENTRIES}, {0x401100, PLAN_TIMED}, {0x401110, PLAN_NO_ROOM_AT_ENTRY},
		{0x401111, PLAN_CODE_NOT_UNDERSTOOD}, {0x401120, PLAN_TIMED, true}, {0x401130, PLAN_TIMED, true},
		{0x401140, PLAN_TIMED}, {0x401150, PLAN_TIMED}, {0x401160, PLAN_TIMED}};
	struct bytes file = read_tree_file(CASES);
	struct diag *diag = make_diag();
	struct plan plan;

	CHECK(plan_make_of_bytes(file, "cases", &plan, diag));
	CHECK(plan_is_valid(plan.bytes));
	CHECK(plan_check(file, plan.bytes, "cases", diag));
	CHECK_EQ(plan_head(plan.bytes)->leaving_count, 2);
	CHECK_EQ(plan.decision_count, sizeof cases / sizeof *cases);
	for (size_t i = 0; i < plan.decision_count && i < sizeof cases / sizeof *cases; i++) {
		CHECK_EQ(plan.decisions[i].address, cases[i].address);
		CHECK_EQ(plan.decisions[i].reason, cases[i].reason);
		CHECK_EQ(plan.decisions[i].leaves_callers, cases[i].leaves_callers);
	}
	plan_free(&plan);
	free_diag(diag);
	free((void *)file.data);
}

static size_t count_passed(struct bytes file, uint8_t *bytes, size_t size, size_t from, size_t to)
{
	size_t passed = 0;

	for (size_t at = from; at < to; at++)
		for (unsigned bit = 0; bit < 8; bit++) {
			struct diag *diag = make_diag();

			bytes[at] ^= (uint8_t)(1u << bit);
			if (plan_check(file, (struct bytes){bytes, size}, "cases", diag)) {
				passed++;
				printf("# bit %u of byte %zu\n", bit, at - from);
			}
			bytes[at] ^= (uint8_t)(1u << bit);
			free_diag(diag);
		}
	return passed;
}

/* Any other code, or another place for it, is found. */
TEST(the_check_finds_every_wrong_bit)
{
	struct bytes file = read_tree_file(CASES);
	struct diag *diag = make_diag();
	struct plan plan;

	if (CHECK(plan_make_of_bytes(file, "cases", &plan, diag))) {
		const struct dwell_plan *head = plan_head(plan.bytes);
		uint8_t *bytes = plan.memory;

		CHECK_EQ(count_passed(file, bytes, plan.bytes.size, head->code, head->code + head->code_bytes), 0);
		for (uint32_t i = 0; i < head->fixup_count; i++)
			CHECK_EQ(count_passed(file, bytes, plan.bytes.size, head->fixups + 4 * i, head->fixups + 4 * i + 4), 0);
		for (uint32_t i = 0; i < head->site_count; i++) {
			const struct dwell_plan_site *site = &plan_sites(plan.bytes)[i];
			size_t at = head->sites + i * sizeof *site;

			if (site->changed)
				CHECK_EQ(count_passed(file, bytes, plan.bytes.size, at, at + 8), 0); /* at, code */
			if (site->kind != DWELL_PLAN_ROOM && site->kind != DWELL_PLAN_DETOUR)
				CHECK_EQ(count_passed(file, bytes, plan.bytes.size, at + 8, at + 12), 0); /* gate */
			CHECK_EQ(count_passed(file, bytes, plan.bytes.size, at + 16, at + 18), 0); /* kind, changed */
		}
	}
	plan_free(&plan);
	free_diag(diag);
	free((void *)file.data);
}

/* At every gate the stack is as it is at a function's first instruction; and the index leads to the entry that says so. */
static void check_gate(const struct cfi_section *section, uint64_t index, uint64_t gate)
{
	const uint8_t *table = section->bytes.data + (index - section->address);
	uint64_t at = 0, last = 0, indexed = 0;
	uint32_t found = 0;
	struct cfi_entry entry;
	struct rule rule;

	for (uint32_t i = 0; i < get_u32(table + 8); i++) {
		uint64_t begin = index + (uint64_t)(int32_t)get_u32(table + 12 + 8 * i);

		CHECK(i == 0 || begin > last);
		last = begin;
		if (begin <= gate)
			indexed = get_u32(table + 12 + 8 * i + 4);
	}
	at = get_u32(table + 4) + 4;
	for (uint64_t offset = at, before = at; cfi_next(section, &offset, &entry); before = offset)
		if (gate >= entry.low && gate + 5 <= entry.high) {
			found++;
			CHECK_EQ(indexed, before);
			CHECK(cfi_get_rule(section, &cpu_x86_64, &entry, gate + 4, &rule));
			CHECK_EQ(rule.cfa_register, 7);
			CHECK_EQ(rule.cfa.offset, 8);
		}
	CHECK_EQ(found, 1);
}

TEST(unwind_entries_cover_the_gates)
{
	struct bytes file = read_tree_file(CASES);
	struct diag *diag = make_diag();
	struct plan plan;

	if (CHECK(plan_make_of_bytes(file, "cases", &plan, diag))) {
		const struct dwell_plan *head = plan_head(plan.bytes);
		const uint64_t code = 0x10000000, index = code + ((head->code_bytes + 7u) & ~7u);
		struct cfi_section section = {
			.bytes = {plan.bytes.data + head->frames, head->frames_bytes}, .address = index, .pointer_bytes = 8};

		for (uint32_t i = 0; i < head->site_count; i++) {
			const struct dwell_plan_site *site = &plan_sites(plan.bytes)[i];

			if (site->kind != DWELL_PLAN_ROOM && site->kind != DWELL_PLAN_DETOUR)
				check_gate(&section, index, code + site->gate);
		}
	}
	plan_free(&plan);
	free_diag(diag);
	free((void *)file.data);
}

/* Programs of this machine, where they are there. */
TEST(real_programs_are_timed)
{
	static const char *const paths[] = {"/proc/self/exe", "/bin/bash", "/usr/bin/mawk", "/usr/bin/perl", "/usr/bin/git",
		"/usr/lib/x86_64-linux-gnu/libstdc++.so.6"};

	for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
		struct diag *diag = make_diag();
		struct bytes file;
		struct plan plan;
		size_t timed = 0;

		if (plan_read_file(paths[i], &file, NULL)) {
			if (plan_make_of_bytes(file, paths[i], &plan, diag)) {
				for (size_t k = 0; k < plan.decision_count; k++)
					timed += plan.decisions[k].reason == PLAN_TIMED;
				printf("# %s: %zu of %zu\n", paths[i], timed, plan.decision_count);
				CHECK(plan_check(file, plan.bytes, paths[i], diag));
				CHECK(i == 0 || timed * 100 >= plan.decision_count * 97);
			}
			plan_free(&plan);
			free((void *)file.data);
		}
		free_diag(diag);
	}
}

int main(void)
{
	RUN(each_case_is_what_it_is);
	RUN(the_check_finds_every_wrong_bit);
	RUN(unwind_entries_cover_the_gates);
	RUN(real_programs_are_timed);
	return tap_done();
}
