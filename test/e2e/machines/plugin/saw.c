#include "saw.h"

#ifdef __arm__
static void put(const char *text)
{
	register int operation __asm__("r0") = 4;
	register const void *at __asm__("r1") = text;
	__asm__ volatile("svc 0x123456" : "+r"(operation) : "r"(at) : "memory", "lr");
}
#else
#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#define put(text) fputs(text, stdout)
#endif

static char log_text[4096];
static unsigned log_length;
static int failures, checks;
int depth, misaligned, lost;
unsigned long last_registers[4];
void *last_return;
const char *last_name;

static void add(const char *text)
{
	while (*text && log_length < sizeof log_text - 1)
		log_text[log_length++] = *text++;
	log_text[log_length] = 0;
}

static int equal(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return *a == *b;
}

static void say_number(int number)
{
	char digits[12], *at = digits + 11;
	for (*at = 0; number > 0; number /= 10)
		*--at = '0' + number % 10;
	put(at);
}

static void say_place(const char *file, int line)
{
	failures++;
	put(file);
	put(":");
	say_number(line);
	put(": ");
}

void saw(const char *file, int line, const char *expected, const char *other)
{
	checks++;
	if (!equal(log_text, expected) && !equal(log_text, other)) {
		say_place(file, line);
		put("expected ");
		put(expected);
		put(", saw ");
		put(log_text);
		put("\n");
	}
	log_length = 0;
	log_text[0] = 0;
}

void same(const char *file, int line, const char *text, int is_so)
{
	checks++;
	if (is_so)
		return;
	say_place(file, line);
	put(text);
	put("\n");
}

int finish(void)
{
	same(__FILE__, __LINE__, "no entry on a misaligned stack", misaligned == 0);
	same(__FILE__, __LINE__, "each entry can be followed to main", lost == 0);
	say_number(checks);
	put(" checks, ");
	say_number(failures);
	put(failures ? " failures\n" : "no failures\n");
	return failures != 0;
}

#ifdef __arm__
#define DESTROY()                                                                                                                  \
	__asm__ volatile("mvn r0, #0\n mov r1, r0\n mov r2, r0\n mov r3, r0\n mov ip, r0\n cmn r0, #1" ::                          \
				 : "r0", "r1", "r2", "r3", "ip", "cc")
#elif defined __aarch64__
#define DESTROY()                                                                                                                  \
	__asm__ volatile("mov x0, #-1\n mov x1, x0\n mov x2, x0\n mov x3, x0\n mov x4, x0\n mov x5, x0\n mov x6, x0\n mov x7, "    \
			 "x0\n mov x8, x0\n"                                                                                       \
			 "mov x9, x0\n mov x16, x0\n mov x17, x0\n mov x18, x0\n movi v0.16b, #255\n movi v1.16b, #255\n movi "    \
			 "v2.16b, #255\n"                                                                                          \
			 "movi v3.16b, #255\n movi v4.16b, #255\n movi v5.16b, #255\n movi v6.16b, #255\n movi v7.16b, #255\n "    \
			 "cmn x0, #1" ::                                                                                           \
				 : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x16", "x17", "x18", "cc", "v0",    \
			 "v1", "v2", "v3", "v4", "v5", "v6", "v7")
#else
#define DESTROY()                                                                                                                  \
	__asm__ volatile(                                                                                                          \
		"mov $-1, %%rax\n mov %%rax, %%rcx\n mov %%rax, %%rdx\n mov %%rax, %%rsi\n mov %%rax, %%rdi\n mov %%rax, %%r8\n"   \
		"mov %%rax, %%r9\n mov %%rax, %%r10\n mov %%rax, %%r11\n pcmpeqd %%xmm0, %%xmm0\n movaps %%xmm0, %%xmm1\n"         \
		"movaps %%xmm0, %%xmm2\n movaps %%xmm0, %%xmm3\n movaps %%xmm0, %%xmm4\n movaps %%xmm0, %%xmm5\n movaps %%xmm0, "  \
		"%%xmm6\n"                                                                                                         \
		"movaps %%xmm0, %%xmm7" ::                                                                                         \
			: "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "xmm0", "xmm1", "xmm2", "xmm3",       \
		"xmm4", "xmm5", "xmm6", "xmm7")

#endif

#ifdef __arm__
static void follow(void)
{
}
#else
/* The unwinder must get from here to where programs start, through the function that is being entered. */
static void follow(void)
{
	void *frames[64];
	static void *outermost;
	const int n = backtrace(frames, 64);
	if (!outermost)
		outermost = frames[n - 1];
	if (n < 64 && frames[n - 1] != outermost)
		lost++;
}
#endif

/* registers: four, then where the function returns to; null where that is unknown. */
void note_entry(const char *name, const unsigned long *registers)
{
	/* From constructors there is another way down. */
	if (depth > 0)
		follow();
	depth++;
	last_name = name;
	add("+");
	add(name);
	add(" ");
	for (int i = 0; registers && i < 4; i++)
		last_registers[i] = registers[i];
	last_return = registers ? (void *)registers[4] : (void *)0;
}

void __PROFILE_EXIT(void);
void __PROFILE_EXIT(void)
{
	depth--;
	add("- ");
	DESTROY();
}

#ifdef PLAIN
int knows_registers = 0;
void __PROFILE_ENTRY(const char *name);
void __PROFILE_ENTRY(const char *name)
{
	note_entry(name, 0);
	DESTROY();
}
#else
int knows_registers = 1;
#endif
