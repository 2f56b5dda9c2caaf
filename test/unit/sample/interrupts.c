/* Which samples of the kernel are of an interrupt, by tables as kernels have them. */
#include "sample/perf/interrupts.h"

#include <stdio.h>
#include <string.h>

#include "check.h"
#include "zoo.h"

static bool has(const struct cpu *cpu, const char *lines, const uint64_t *addresses, uint64_t count)
{
	struct interrupts interrupts = {0};
	char path[256];
	FILE *file = fopen(zoo_scratch(path, "kallsyms"), "w");
	bool answer;

	CHECK(file && fputs(lines, file) >= 0 && fclose(file) == 0);
	interrupts_read(&interrupts, cpu, path);
	remove(path);
	answer = interrupts_has(&interrupts, &(const struct perf_chain){(const uint8_t *)addresses, count});
	interrupts_clear(&interrupts);
	return answer;
}
#define HAS_ON(cpu, lines, ...) has(cpu, lines, (const uint64_t[]){__VA_ARGS__}, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)
#define HAS(lines, ...) HAS_ON(&cpu_x86_64, lines, __VA_ARGS__)

static const char x86_64[] = "ffffffff81000000 T _stext\n"
			     "ffffffff81001000 T finish_task_switch.isra.0\n"
			     "ffffffff81002000 T irqentry_exit_to_user_mode\n"
			     "ffffffff81003000 T handle_mm_fault\n"
			     "ffffffff82000000 T asm_exc_page_fault\n"
			     "ffffffff82000020 T asm_sysvec_reschedule_ipi\n"
			     "ffffffff82000040 T entry_SYSCALL_64_after_hwframe\n"
			     "ffffffff82000100 T asm_common_interrupt\n"
			     "ffffffff82000120 d data\n"
			     "ffffffffc0000000 t asm_sysvec_of_a_module\t[module]\n"
			     "ffffffffc0000100 t end\t[module]\n";

/* As the kernel tells them: innermost first. */
TEST(as_the_system_shows_them)
{
	/* Switched away from, and back. */
	CHECK(HAS(x86_64, 0xffffffff81001010, 0xffffffff81002040, 0xffffffff82000026));
	CHECK(HAS(x86_64, 0xffffffff81002010, 0xffffffff8200011f));
	/* In a system call, within which an interrupt came. */
	CHECK(HAS(x86_64, 0xffffffff81001010, 0xffffffff82000026, 0xffffffff81003010, 0xffffffff82000048));
	/* Of the thread itself: it waits in a system call, or its page is made. */
	CHECK(!HAS(x86_64, 0xffffffff81001010, 0xffffffff82000048));
	CHECK(!HAS(x86_64, 0xffffffff81003010, 0xffffffff82000010));
	/* An entry ends where the next symbol begins, whatever it is. */
	CHECK(!HAS(x86_64, 0xffffffff82000040));
	CHECK(!HAS(x86_64, 0xffffffff82000120));
	CHECK(!HAS(x86_64, 0xffffffffc0000010));
}

/* Behind them nothing is looked at; some kernels have them in front of all else. */
TEST(where_the_entries_end)
{
	static const char lines[] = "ffffffff81000000 T __entry_text_end\nffffffff81000010 T asm_common_interrupt\n"
				    "ffffffff81000020 T __entry_text_end\nffffffff81000030 T asm_sysvec_call_function\n";

	CHECK(HAS(lines, 0xffffffff81000018));
	CHECK(!HAS(lines, 0xffffffff81000020));
	CHECK(!HAS(lines, 0xffffffff81000038));
}

TEST(other_kernels)
{
	CHECK(HAS_ON(&cpu_aarch64, "ffff800000010000 t el0t_64_irq\nffff800000010100 t el0t_64_sync\n", 0xffff800000010010));
	CHECK(!HAS_ON(&cpu_aarch64, "ffff800000010000 t el0t_64_irq\nffff800000010100 t el0t_64_sync\n", 0xffff800000010110));
	CHECK(HAS("ffffffff82000000 T apic_timer_interrupt\n", 0xffffffff82000010));
}

/* Addresses that are not shown, lines that are none, nothing at all: then nobody knows. */
TEST(nothing_known)
{
	CHECK(!HAS("0000000000000000 T asm_common_interrupt\n0000000000000000 T end\n", 0xffffffff82000100, 0));
	CHECK(!HAS("", 0xffffffff82000100));
	CHECK(!HAS("asm_common_interrupt\nffffffff8200010 asm_common_interrupt\n", 0xffffffff82000100));
	CHECK(!has(&cpu_x86_64, x86_64, NULL, 0));
}

int main(void)
{
	RUN(as_the_system_shows_them);
	RUN(where_the_entries_end);
	RUN(other_kernels);
	RUN(nothing_known);
	return tap_done();
}
