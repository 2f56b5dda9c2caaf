/* The hooks in a Linux program (libhook.a): addresses are those of the program's symbols, one thread is recorded, and its handlers
 * may come at any instruction. */
#include <elf.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "check.h"
#include "classic/core/hook_records.h"
#include "hook.h"

extern const Elf64_Ehdr __ehdr_start;
extern struct {
	uint32_t magic, what;
	uintptr_t word[HOOK_WORDS];
} dwell_hook_control;

/* What compilers call: the same hooks. */
void __cyg_profile_func_enter(void *function, void *site);
void __cyg_profile_func_exit(void *function, void *site);

__attribute__((noinline, aligned(4))) static void some_function(void)
{
	__asm__ volatile("");
}

__attribute__((noinline, aligned(4))) static void a_handler(void)
{
	__asm__ volatile("");
}

static uint64_t time_of(unsigned record)
{
	return (uint64_t)ProfileData[record].TSCH << 32 | ProfileData[record].TSCL;
}

/* As nm has it. */
static unsigned symbol(void (*function)(void))
{
	uintptr_t address = (uintptr_t)function;

	return (unsigned)(__ehdr_start.e_type == ET_DYN ? address - (uintptr_t)&__ehdr_start : address);
}

TEST(addresses_are_those_of_symbols)
{
	__cyg_profile_func_enter((void *)some_function, 0);
	CHECK_EQ(uiProfileDataCnt, 0xffffffff);
	hook_init();
	__cyg_profile_func_enter((void *)some_function, 0);
	__cyg_profile_func_exit((void *)some_function, 0);
	entry_hook((void (*)(void))(uintptr_t)getenv); /* of another file, with sanitizers, too */
	CHECK_EQ(uiProfileDataCnt, 3);
	CHECK_EQ(ProfileData[0].address_type, symbol(some_function));
	CHECK_EQ(ProfileData[1].address_type, symbol(some_function) + 1);
	CHECK_EQ(ProfileData[2].address_type, 0);
	CHECK(time_of(0) <= time_of(1) && time_of(1) <= time_of(2) && time_of(0) > 0);
	CHECK_EQ(dwell_hook_control.magic, HOOK_MAGIC);
	CHECK_EQ(dwell_hook_control.what >> 24, sizeof(uintptr_t));
	CHECK_EQ(*(unsigned *)dwell_hook_control.word[HOOK_WORD_COUNT_AT], 3);
}

TEST(all_of_the_buffer)
{
	hook_init();
	for (unsigned i = 0; i < MAX_PROFILE_RECORD_NUM + 5; i++)
		exit_hook(some_function);
	CHECK_EQ(uiProfileDataCnt, MAX_PROFILE_RECORD_NUM);
	for (unsigned i = 1; i < MAX_PROFILE_RECORD_NUM; i++)
		CHECK(ProfileData[i].address_type == symbol(some_function) + 1 && time_of(i) >= time_of(i - 1));
	hook_init();
	for (unsigned i = 0; i < MAX_PROFILE_RECORD_NUM + 5; i++)
		entry_hook_circular(i < 5 ? a_handler : some_function);
	CHECK_EQ(uiProfileDataCnt, MAX_PROFILE_RECORD_NUM + 5);
	for (unsigned i = 0; i < MAX_PROFILE_RECORD_NUM; i++)
		CHECK_EQ(ProfileData[i].address_type, symbol(some_function));
	CHECK(time_of(5) <= time_of(6) && time_of(4) >= time_of(MAX_PROFILE_RECORD_NUM - 1));
}

static void *another(void *unused)
{
	(void)unused;
	for (int i = 0; i < 1000; i++) {
		entry_hook(some_function);
		exit_hook_circular(some_function);
	}
	return 0;
}

TEST(other_threads_are_counted)
{
	pthread_t thread[2];

	hook_init();
	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], 0, another, 0);
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], 0);
	entry_hook(some_function);
	CHECK_EQ(uiProfileDataCnt, 1);
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_MISSED], 4000);
	hook_init();
	CHECK_EQ(dwell_hook_control.word[HOOK_WORD_MISSED], 0);
}

#if defined(__x86_64__) && !SANITIZED
static unsigned step, step_wanted, handled;
static bool circular, starts_again;

/* At one instruction of all, and again as many further on. (At each one a hook would never come to its end: its claim fails each
 * time.) */
static void between(int signal)
{
	(void)signal;
	if (step++ % 64 != step_wanted)
		return;
	handled++;
	if (starts_again)
		hook_init();
	(circular ? entry_hook_circular : entry_hook)(a_handler);
	(circular ? exit_hook_circular : exit_hook)(a_handler);
}

static void single_step(bool on)
{
	if (on)
		__asm__ volatile("pushf\n orl $0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
	else
		__asm__ volatile("pushf\n andl $~0x100, (%%rsp)\n popf\n" ::: "memory", "cc");
}

static void run_interrupted(unsigned at)
{
	hook_init();
	step = handled = 0;
	step_wanted = at;
	for (unsigned i = 0; i < 5; i++)
		entry_hook(a_handler);
	single_step(true);
	(circular ? entry_hook_circular : entry_hook)(some_function);
	(circular ? task_switch_hook_circular : task_switch_hook)(0x40, 0x80);
	(circular ? exit_hook_circular : exit_hook)(some_function);
	single_step(false);
}

/* How many records of that kind there are; whether all that were claimed are written, in the order of time. */
static unsigned count_records(unsigned first)
{
	unsigned found = 0;

	for (unsigned i = 0; i < uiProfileDataCnt; i++) {
		found += ProfileData[i].address_type == first;
		CHECK(ProfileData[i].address_type != HOOK_RECORD_INVALID && (!i || time_of(i) >= time_of(i - 1)));
	}
	return found;
}

/* A handler with hooks before each instruction of each hook. */
TEST(interrupted_at_every_instruction)
{
	struct sigaction action = {.sa_handler = between};
	unsigned all = 0;

	sigaction(SIGTRAP, &action, 0);
	for (unsigned at = 0; at < 128; at++) {
		circular = at & 64;
		run_interrupted(at % 64);
		all += handled;
		CHECK_EQ(uiProfileDataCnt, 2 * handled + 9);
		CHECK_EQ(count_records(symbol(a_handler)), handled + 5);
		CHECK_EQ(count_records(symbol(a_handler) + 1), handled);
		CHECK_EQ(count_records(symbol(some_function)), 1);
		CHECK_EQ(count_records(symbol(some_function) + 1), 1);
		CHECK_EQ(count_records(0x43), 1);
		CHECK_EQ(count_records(0x82), 1);
		for (unsigned i = 0; i + 1 < uiProfileDataCnt; i++)
			if (ProfileData[i].address_type == 0x43)
				CHECK(ProfileData[i + 1].address_type == 0x82 && time_of(i) == time_of(i + 1));
	}
	CHECK(all > 128);
}

/* A handler that starts again, before each instruction: what comes behind it is whole, and nothing of before is left. */
TEST(started_again_at_every_instruction)
{
	starts_again = true;
	for (unsigned at = 0; at < 64; at++) {
		circular = false;
		run_interrupted(at);
		CHECK(handled >= 1);
		CHECK(count_records(symbol(a_handler)) == 1 && count_records(symbol(a_handler) + 1) == 1);
		CHECK(uiProfileDataCnt >= 2 && uiProfileDataCnt <= 6);
	}
}
#endif

int main(void)
{
	RUN(addresses_are_those_of_symbols);
	RUN(all_of_the_buffer);
	RUN(other_threads_are_counted);
#if defined(__x86_64__) && !SANITIZED
	RUN(interrupted_at_every_instruction);
	RUN(started_again_at_every_instruction);
#endif
	return tap_done();
}
