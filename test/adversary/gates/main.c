/* A program as compilers and assemblers make it, recorded by a plan, and interrupted before each instruction of its functions, of
 * the moved instructions, of the gates and of their thunks. test/sites.s has its functions: one for each way in which dwell finds
 * room.
 *
 * The handler is recorded itself. What it does besides, the action says. The stubs are left out: with a signal before each
 * instruction a restartable sequence would begin again for ever, and test/adversary/ goes through them on its own.
 *
 *     gates [fork]
 *
 * Prints what the recording has to agree with: "count FUNCTION CALLS". */
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>
#include <unwind.h>
#include <pthread.h>

#define PLAIN __attribute__((noinline, noclone))
#define FRAMES_MAX 256u
#define PAGE 4096u
#define ARRAY_COUNT(list) (sizeof(list) / sizeof *(list))

enum action {
	SURVEY, /* counts the places, and looks at the stack at each */
	PREEMPT, /* another thread runs the same functions, at each place */
	FORK, /* a child goes on from there, at each place */
	JUMP, /* out of the handler, at one of the places; likewise: */
	THROW,
	ACTIONS,
};
static const char *const action_names[] = {"a signal and a stack", "a preemption", "a fork", "a jump", "an exception"};

/* test/sites.s */
void plain(void), getter(void), loop(void), inner(void), calls_first(void), tails(void), switch_(void) __asm__("switch"), shared_return(void),
	behind(void), two_ways(void), into_middle(void);
/* step.s, catch.cc */
long call_stepping(const void *function, long first, long second);
extern const uint8_t call_stepping_return[], call_stepping_end[];
void throw_it(int number);
int catch_it(const void *function, long first, long second, long *result);

/* Functions that are counted, here and by dwell. */
enum { F_PLAIN, F_GETTER, F_LOOP, F_INNER, F_CALLS_FIRST, F_TAILS, F_SWITCH, F_SHARED_RETURN, F_BEHIND,
	F_TWO_WAYS, F_INTO_MIDDLE, F_FACTORIAL,
	F_APPLY, F_NOTED, F_AFTER, FUNCTIONS };
PLAIN long factorial(long n);
PLAIN long apply(long (*function)(long), long n);
PLAIN void noted(long n);
PLAIN void after(long n);
static const struct {
	const char *name;
	const void *start;
} functions[FUNCTIONS] = {{"plain", plain}, {"getter", getter}, {"loop", loop}, {"inner", inner}, {"calls_first", calls_first},
	{"tails", tails}, {"switch", switch_}, {"shared_return", shared_return}, {"behind", behind}, {"two_ways", two_ways},
	{"into_middle", into_middle}, {"factorial", factorial}, {"apply", apply}, {"noted", noted}, {"after", after}};

/* Each call that is stepped through, and what it calls. */
static const long words[2] = {1, 77};
static const struct shape {
	unsigned function;
	long first, second, result; /* result −1: whatever */
	struct {
		unsigned function, calls;
	} calls[3];
} shapes[] = {
	{F_PLAIN, 41, 0, 42, {{F_PLAIN, 1}}},
	{F_GETTER, (long)words, 0, 77, {{F_GETTER, 1}}},
	{F_LOOP, 3, 0, 0, {{F_LOOP, 1}}},
	{F_INNER, 3, 0, -1, {{F_INNER, 1}}},
	{F_CALLS_FIRST, 41, 0, 42, {{F_CALLS_FIRST, 1}, {F_PLAIN, 1}}},
	{F_TAILS, 0, 0, 1, {{F_TAILS, 1}, {F_PLAIN, 1}}},
	{F_TAILS, 1, 0, 2, {{F_TAILS, 1}, {F_PLAIN, 1}}},
	{F_TAILS, 2, 0, -1, {{F_TAILS, 1}}},
	{F_SWITCH, 2, 0, 33, {{F_SWITCH, 1}}},
	{F_SWITCH, 9, 0, 0, {{F_SWITCH, 1}}},
	{F_SHARED_RETURN, 9, 0, -1, {{F_SHARED_RETURN, 1}}},
	{F_SHARED_RETURN, 1, 0, 5, {{F_SHARED_RETURN, 1}}},
	{F_BEHIND, 5, 0, 6, {{F_BEHIND, 1}}},
	{F_BEHIND, -5, 0, 6, {{F_BEHIND, 1}}},
	{F_TWO_WAYS, 0, 0, 1, {{F_TWO_WAYS, 1}}},
	{F_INTO_MIDDLE, 3, 0, 3, {{F_INTO_MIDDLE, 1}}},
	{F_FACTORIAL, 3, 0, 6, {{F_FACTORIAL, 4}}},
	{F_APPLY, (long)factorial, 2, 2, {{F_APPLY, 1}, {F_FACTORIAL, 3}}},
};

static struct {
	uint64_t calls[FUNCTIONS]; /* by children, too */
} *truth;

static struct {
	enum action action;
	unsigned at, wanted; /* places so far; the one to act at */
	bool is_child;
	uint8_t *planted, under; /* a breakpoint behind a stub, and what is there */
	unsigned entered[FUNCTIONS]; /* by their gates */
	sigjmp_buf out;
} now;
static uint64_t plan_low, plan_high, text_low, text_high;
static _Unwind_Ptr outer[FRAMES_MAX];
static unsigned outer_count;
static unsigned long places, failures;
static volatile bool is_over;
static sem_t turn, done;

long factorial(long n)
{
	long below = n > 0 ? factorial(n - 1) : 1;

	__asm__ volatile("" : "+r"(below)); /* or it would become a loop */
	return n > 0 ? n * below : below;
}

long apply(long (*function)(long), long n)
{
	return function(n) + (n & 0);
}

void noted(long n)
{
	__asm__ volatile("nop" ::"r"(n) : "memory");
}

void after(long n)
{
	__asm__ volatile("nop" ::"r"(n) : "memory");
}

static void count_call(unsigned function, uint64_t calls)
{
	__atomic_fetch_add(&truth->calls[function], calls, __ATOMIC_RELAXED);
}

static void fail(const char *what, uint64_t pc)
{
	if (failures++ < 10)
		printf("# %s: at 0x%llx, place %u: %s\n", action_names[now.action],
			(unsigned long long)(pc - (pc >= plan_low && pc < plan_high ? plan_low : text_low)), now.at, what);
}

/* ---- stacks ---- */

struct walk {
	_Unwind_Ptr frames[FRAMES_MAX];
	unsigned count;
};

static _Unwind_Reason_Code take_frame(struct _Unwind_Context *context, void *argument)
{
	struct walk *walk = argument;

	if (walk->count < FRAMES_MAX)
		walk->frames[walk->count++] = _Unwind_GetIP(context);
	return _URC_NO_REASON;
}

/* From the first frame in: those that were there before the call. The ones of whoever calls this are left out. */
static PLAIN void remember_outer(void)
{
	struct walk walk = {.count = 0};

	_Unwind_Backtrace(take_frame, &walk);
	outer_count = walk.count - 2;
	memcpy(outer, walk.frames + 2, outer_count * sizeof *outer);
}

static PLAIN void check_stack(uint64_t pc)
{
	struct walk walk = {.count = 0};
	unsigned stepping = 0;
	bool has_pc = false;

	_Unwind_Backtrace(take_frame, &walk);
	for (unsigned i = 0; i < walk.count; i++) {
		stepping += walk.frames[i] == (uintptr_t)call_stepping_return;
		has_pc |= walk.frames[i] == pc;
	}
	if (!has_pc)
		fail("the stack does not have what was interrupted", pc);
	if (stepping != 1 && !(pc >= (uintptr_t)call_stepping && pc <= (uintptr_t)call_stepping_end))
		fail("the stack does not have who called the function", pc);
	if (walk.count < outer_count || memcmp(walk.frames + walk.count - outer_count, outer, outer_count * sizeof *outer))
		fail("the stack does not come to the first frame", pc);
}

/* ---- actions ---- */

/* On a thread of its own: all functions, whenever it is asked. */
static void *run_others(void *unused)
{
	(void)unused;
	while (!sem_wait(&turn) && !is_over) {
		for (unsigned i = 0; i < ARRAY_COUNT(shapes); i++) {
			((long (*)(long, long))functions[shapes[i].function].start)(shapes[i].first, shapes[i].second);
			for (unsigned k = 0; k < ARRAY_COUNT(shapes[i].calls); k++)
				count_call(shapes[i].calls[k].function, shapes[i].calls[k].calls);
		}
		sem_post(&done);
	}
	return NULL;
}

static void move_elsewhere(void)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET((unsigned)(sched_getcpu() + 1) % (unsigned)sysconf(_SC_NPROCESSORS_ONLN), &set);
	sched_setaffinity(0, sizeof set, &set);
	sched_yield();
}

/* The child goes on from here, and is done when the call is. */
static bool fork_here(uint64_t pc)
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		now.is_child = true;
		return true;
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || status)
		fail("the child did not end as it should", pc);
	return false;
}

/* At a place. False: no more signals. */
static bool act(uint64_t pc)
{
	noted((long)now.at);
	count_call(F_NOTED, 1);
	places++;
	switch (now.action) {
	case SURVEY:
		check_stack(pc);
		return true;
	case PREEMPT:
		sem_post(&turn);
		sem_wait(&done);
		move_elsewhere();
		return true;
	case FORK:
		return !fork_here(pc);
	case JUMP:
		if (now.at == now.wanted)
			siglongjmp(now.out, 1);
		return true;
	default:
		if (now.at == now.wanted)
			throw_it(1);
		return true;
	}
}

/* A thunk wrote which function's gate it is right below the stack pointer; bit 0: that of an exit. */
static void see_gate(uint64_t sp)
{
	uint32_t place = *(const uint32_t *)(sp - 24);

	for (unsigned i = 0; i < FUNCTIONS; i++)
		now.entered[i] += place == ((uint32_t)(uintptr_t)functions[i].start & ~1u);
}

static PLAIN void on_trap(int number, siginfo_t *info, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	uint64_t pc = (uint64_t)registers[REG_RIP], flag = 0x100;

	(void)number;
	(void)info;
	if (now.planted && pc == (uintptr_t)now.planted + 1) {
		*(volatile uint8_t *)now.planted = now.under;
		now.planted = NULL;
		registers[REG_RIP]--;
		pc--;
	}
	if ((pc < plan_low + PAGE || pc >= plan_high) && (pc < text_low || pc >= text_high)) {
		see_gate((uint64_t)registers[REG_RSP]);
		now.planted = *(uint8_t **)(uintptr_t)registers[REG_RSP]; /* it was called from the gate */
		now.under = *now.planted;
		*(volatile uint8_t *)now.planted = 0xcc;
		registers[REG_EFL] &= (greg_t)~flag;
		return;
	}
	if (pc == (uintptr_t)call_stepping_end) { /* the flag is taken away before this one; its last signal comes all the same */
		registers[REG_EFL] &= (greg_t)~flag;
		return;
	}
	registers[REG_EFL] |= (greg_t)flag;
	now.at++;
	if (!act(pc))
		registers[REG_EFL] &= (greg_t)~flag;
}

/* ---- trials ---- */

static void check_result(const struct shape *shape, long result)
{
	if (shape->result != -1 && (int)result != (int)shape->result)
		fail("the function returned something else", (uintptr_t)functions[shape->function].start);
}

static PLAIN void call_shape(const struct shape *shape)
{
	check_result(shape, call_stepping(functions[shape->function].start, shape->first, shape->second));
}

static PLAIN bool throws(const struct shape *shape)
{
	long result;
	int thrown = catch_it(functions[shape->function].start, shape->first, shape->second, &result);

	if (!thrown)
		check_result(shape, result);
	else if (thrown < 0)
		fail("registers that functions keep are not what they were", (uintptr_t)functions[shape->function].start);
	return thrown != 0;
}

/* Whether the call was left. */
static PLAIN bool leave_shape(const struct shape *shape)
{
	if (now.action == THROW)
		return throws(shape);
	if (sigsetjmp(now.out, 0))
		return true;
	call_shape(shape);
	return false;
}

static PLAIN bool try_shape(enum action action, const struct shape *shape, unsigned wanted)
{
	bool left;

	now.action = action;
	now.wanted = wanted;
	now.at = 0;
	memset(now.entered, 0, sizeof now.entered);
	remember_outer();
	left = leave_shape(shape);
	after((long)wanted);
	count_call(F_AFTER, 1);
	for (unsigned i = 0; left && i < FUNCTIONS; i++)
		count_call(i, now.entered[i]);
	for (unsigned k = 0; !left && k < ARRAY_COUNT(shape->calls); k++) {
		if (shape->calls[k].calls) /* its parent's are not a child's */
			count_call(shape->calls[k].function,
				shape->calls[k].calls - (now.is_child ? now.entered[shape->calls[k].function] : 0));
		if (shape->calls[k].calls && action != FORK && now.entered[shape->calls[k].function] != shape->calls[k].calls)
			fail("a call went by no gate, or by two", (uintptr_t)functions[shape->function].start);
	}
	if (now.is_child)
		exit(failures != 0);
	return left;
}

static void try_all(const struct shape *shape, bool forks)
{
	unsigned count;

	try_shape(SURVEY, shape, 0);
	count = now.at;
	if (forks) {
		try_shape(FORK, shape, 0);
		return;
	}
	try_shape(PREEMPT, shape, 0);
	for (enum action action = JUMP; action <= THROW; action++)
		for (unsigned i = 1; i <= count; i++)
			if (!try_shape(action, shape, i))
				fail("it was not left", (uintptr_t)functions[shape->function].start);
}

/* Where the program's own code is, and that of its plan: where a function's first instruction leads now. */
static bool find_code(void)
{
	const uint8_t *jump = (const uint8_t *)functions[F_PLAIN].start;
	uint64_t to =
		(uint64_t)jump + 5 + (uint64_t)(int64_t)(int32_t)(jump[1] | jump[2] << 8 | jump[3] << 16 | (uint32_t)jump[4] << 24);
	FILE *maps = fopen("/proc/self/maps", "r");
	unsigned long long low, high;
	char line[512];

	while (maps && fgets(line, sizeof line, maps))
		if (sscanf(line, "%llx-%llx", &low, &high) == 2) {
			if (*jump == 0xe9 && to >= low && to < high) {
				plan_low = low;
				plan_high = high;
			}
			if ((uint64_t)jump >= low && (uint64_t)jump < high) {
				text_low = low;
				text_high = high;
			}
		}
	if (maps)
		fclose(maps);
	return plan_low && !mprotect((void *)(uintptr_t)plan_low, plan_high - plan_low, PROT_READ | PROT_WRITE | PROT_EXEC);
}

int main(int argc, char **argv)
{
	bool forks = argc > 1 && !strcmp(argv[1], "fork");
	struct sigaction action = {.sa_sigaction = on_trap, .sa_flags = SA_SIGINFO | SA_NODEFER};
	pthread_t other;

	setvbuf(stdout, NULL, _IOLBF, 0);
	truth = mmap(NULL, sizeof *truth, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (truth == MAP_FAILED || !find_code()) {
		printf("# the program is not recorded, or its code cannot be written to\n");
		return 2;
	}
	sem_init(&turn, 0, 0);
	sem_init(&done, 0, 0);
	sigaction(SIGTRAP, &action, NULL);
	pthread_create(&other, NULL, run_others, NULL);
	for (unsigned i = 0; i < ARRAY_COUNT(shapes); i++)
		try_all(&shapes[i], forks);
	is_over = true;
	sem_post(&turn);
	pthread_join(other, NULL);
	printf("places %lu\n", places);
	for (unsigned i = 0; i < FUNCTIONS; i++)
		printf("count %s %llu\n", functions[i].name, (unsigned long long)truth->calls[i]);
	return failures != 0;
}
