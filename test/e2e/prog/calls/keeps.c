/* Functions whose registers must come through the stubs of patched sites as they were: arguments of every kind on the way in,
 * results of every kind on the way out, and both at a tail jump. Each result is compared with what it must be, at every turn, so
 * that the slow path (a new block every 500 events) is met in all of them, too. Prints "registers ok", or what was changed.
 *
 *     keeps TURNS */
#include <complex.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "../count.h"

#define NOINLINE __attribute__((noinline, noclone))
#define CHECK(condition)                                      \
	do {                                                  \
		if (!(condition)) {                           \
			count_line("changed", #condition, 1); \
			exit(1);                              \
		}                                             \
	} while (0)

typedef float vector __attribute__((vector_size(32)));
struct two_words { long a, b; };
struct mixed { long a; double b; };
struct large { long a[5]; };

/* All general registers and vector registers, through a function that is nothing but its sites. */
struct registers {
	unsigned long general[14]; /* rax rbx rcx rdx rsi rdi rbp r8 r9 r10 r12 r13 r14 r15 */
	unsigned char vectors[16][32];
};
void through_sites(struct registers *before, struct registers *after, int wide, void (*function)(void));
void bare_return(void);
void bare_tail(void);
void bare_far_tail(void);
void bare_filler(void);
#define NOP5 ".byte 0x0f, 0x1f, 0x44, 0, 0\n"
#define BARE(name, way_out)                                                   \
	".globl " name "\n.type " name ", @function\n.balign 16\n" name ":\n" \
	".cfi_startproc\n" NOP5 way_out "\n.cfi_endproc\n.size " name ", . - " name "\n"
__asm__(".text\n" BARE("bare_return", NOP5 "ret") BARE("bare_tail", NOP5 "jmp bare_return")
	BARE("bare_far_tail", "lea away(%rip), %r11\n" NOP5 "jmp *%r11")
	/* Five bytes of nop that fill the gap before an aligned jump, which is no tail jump. */
	BARE("bare_filler", "push %rcx; mov $3, %ecx; lea 2f(%rip), %r11\n.balign 8\nnop; nop; nop\n" NOP5
			    "1: jmp *%r11\n2: dec %ecx; jnz 1b; pop %rcx\n" NOP5 "ret")
	"away: ret\n"
	".globl through_sites\n"
	"through_sites:\n"
	"	push %rbx; push %rbp; push %r12; push %r13; push %r14; push %r15\n"
	"	push %rdi; push %rsi; push %rdx; push %rcx\n"
	"	test %edx, %edx; jz 1f\n"
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n vmovups 112+32*\\n(%rdi), %ymm\\n\n .endr\n jmp 2f\n"
	"1:\n.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n movups 112+32*\\n(%rdi), %xmm\\n\n .endr\n"
	"2:	mov 0(%rdi), %rax; mov 8(%rdi), %rbx; mov 16(%rdi), %rcx; mov 24(%rdi), %rdx; mov 32(%rdi), %rsi\n"
	"	mov 48(%rdi), %rbp; mov 56(%rdi), %r8; mov 64(%rdi), %r9; mov 72(%rdi), %r10; mov 80(%rdi), %r12\n"
	"	mov 88(%rdi), %r13; mov 96(%rdi), %r14; mov 104(%rdi), %r15; mov 40(%rdi), %rdi\n"
	"	call *(%rsp)\n"
	"	push %rdi; mov 24(%rsp), %rdi\n"
	"	mov %rax, 0(%rdi); mov %rbx, 8(%rdi); mov %rcx, 16(%rdi); mov %rdx, 24(%rdi); mov %rsi, 32(%rdi)\n"
	"	pop %rax; mov %rax, 40(%rdi)\n"
	"	mov %rbp, 48(%rdi); mov %r8, 56(%rdi); mov %r9, 64(%rdi); mov %r10, 72(%rdi); mov %r12, 80(%rdi)\n"
	"	mov %r13, 88(%rdi); mov %r14, 96(%rdi); mov %r15, 104(%rdi)\n"
	"	cmpl $0, 8(%rsp); je 3f\n"
	".irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n vmovups %ymm\\n, 112+32*\\n(%rdi)\n .endr\n vzeroupper; jmp 4f\n"
	"3:\n.irp n, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n movups %xmm\\n, 112+32*\\n(%rdi)\n .endr\n"
	"4:	add $32, %rsp\n"
	"	pop %r15; pop %r14; pop %r13; pop %r12; pop %rbp; pop %rbx\n"
	"	ret\n");

UNHOOKED static void check_registers(unsigned turn)
{
	static void (*const functions[])(void) = {bare_return, bare_tail, bare_far_tail, bare_filler};
	static struct registers before, after;
	int wide = __builtin_cpu_supports("avx");

	for (unsigned f = 0; f < 4; f++) {
		for (size_t i = 0; i < sizeof before; i++)
			((unsigned char *)&before)[i] = (unsigned char)(i * 37 + turn * 11 + f);
		memset(&after, 0, sizeof after);
		through_sites(&before, &after, wide, functions[f]);
		for (int v = 0; v < 16 && !wide; v++)
			memset(before.vectors[v] + 16, 0, 16);
		CHECK(!memcmp(&before, &after, sizeof before));
	}
}

NOINLINE static long six(long a, long b, long c, long d, long e, long f, long g, long h)
{
	CALLED();
	return a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + 7 * g + 8 * h;
}

NOINLINE static long tail_six(long a, long b, long c, long d, long e, long f, long g, long h)
{
	CALLED();
	return six(a, b, c, d, e, f, g, h);
}

static long (*volatile through)(long, long, long, long, long, long, long, long) = six;

NOINLINE static long tail_through(long a, long b, long c, long d, long e, long f, long g, long h)
{
	CALLED();
	return through(a, b, c, d, e, f, g, h);
}

NOINLINE __attribute__((target("avx"))) static vector add_vectors(vector a, vector b, vector c, vector d)
{
	CALLED();
	return a + b * c - d;
}

NOINLINE __attribute__((target("avx"))) static vector tail_vectors(vector a, vector b, vector c, vector d)
{
	CALLED();
	return add_vectors(b, a, d, c);
}

__attribute__((target("avx"))) UNHOOKED static void check_vectors(int turn)
{
	vector a, b, sum, swapped;

	for (int i = 0; i < 8; i++)
		a[i] = (float)(turn % 1000 + i), b[i] = (float)(i * 3);
	sum = add_vectors(a, b, b, a);
	swapped = tail_vectors(a, b, b, a);
	for (int i = 0; i < 8; i++) {
		CHECK(sum[i] == a[i] + b[i] * b[i] - a[i]);
		CHECK(swapped[i] == b[i] + a[i] * a[i] - b[i]);
	}
}

NOINLINE static double sum_of(int count, ...)
{
	va_list list;
	double sum = 0;

	CALLED();
	va_start(list, count);
	for (int i = 0; i < count; i++)
		sum += i % 2 ? va_arg(list, double) : (double)va_arg(list, long);
	va_end(list);
	return sum;
}

NOINLINE static struct two_words give_two(long a)
{
	CALLED();
	return (struct two_words){a, ~a};
}

NOINLINE static struct mixed give_mixed(long a, double b)
{
	CALLED();
	return (struct mixed){a + 1, b * 2};
}

NOINLINE static struct large give_large(long a)
{
	struct large large;

	CALLED();
	for (int i = 0; i < 5; i++)
		large.a[i] = a * i;
	return large;
}

NOINLINE static long double give_long_double(long double a)
{
	CALLED();
	return a * 3;
}

NOINLINE static double complex give_complex(double complex a)
{
	CALLED();
	return a * a;
}

NOINLINE static __int128 give_wide(__int128 a)
{
	CALLED();
	return a * 5 + 1;
}

static jmp_buf landing;

NOINLINE __attribute__((noreturn)) static void never_returns(int value)
{
	CALLED();
	longjmp(landing, value);
}

NOINLINE static int comes_back(int value)
{
	int got;

	CALLED();
	got = setjmp(landing);
	if (!got)
		never_returns(value);
	return got;
}

__attribute__((cold, noinline)) static void complain(long value)
{
	CALLED();
	if (value == -1)
		abort();
}

/* The unlikely half is moved away, with a return of its own. */
NOINLINE static long splits(long value)
{
	CALLED();
	if (__builtin_expect(value % 7 == 3, 0)) {
		complain(value);
		if (value % 2)
			return value * 31;
		complain(value + 1);
		return value ^ 0x55;
	}
	return value + 1;
}

#ifndef __clang__
NOINLINE static long calls_back(long (*back)(long), long value)
{
	CALLED();
	return back(value) + 1;
}

/* A nested function finds the variables of the one around it by r10. */
NOINLINE static long nests(long value)
{
	long seen = 0;

	NOINLINE long inner(long x)
	{
		CALLED_AS("inner.0");
		seen += x;
		return seen * 2;
	}
	CALLED();
	return calls_back(inner, value) + inner(1) + seen;
}
#endif

int main(int argc, char **argv)
{
	int turns = argc > 1 ? atoi(argv[1]) : 1000;

	CALLED();
	for (int turn = 0; turn < turns; turn++) {
		long v = turn;

		check_registers((unsigned)turn);
		CHECK(six(v, 2, 3, 4, 5, 6, 7, 8) == v + 4 + 9 + 16 + 25 + 36 + 49 + 64);
		CHECK(tail_six(1, v, 3, 4, 5, 6, 7, 8) == 1 + 2 * v + 9 + 16 + 25 + 36 + 49 + 64);
		CHECK(tail_through(1, 2, 3, 4, 5, v, 7, 8) == 1 + 4 + 9 + 16 + 25 + 6 * v + 49 + 64);
		if (__builtin_cpu_supports("avx"))
			check_vectors(turn);
		CHECK(sum_of(6, v, 0.5, 2l, 1.5, 3l, 2.5) == (double)v + 9.5);
		CHECK(give_two(v).a == v && give_two(v).b == ~v);
		CHECK(give_mixed(v, 1.5).a == v + 1 && give_mixed(v, 1.5).b == 3.0);
		CHECK(give_large(v).a[4] == 4 * v);
		CHECK(give_long_double((long double)v) == (long double)v * 3);
		CHECK(creal(give_complex(v + 2.0 * I)) == (double)v * (double)v - 4.0);
		CHECK(give_wide((__int128)v << 70) == ((__int128)v << 70) * 5 + 1);
		CHECK(comes_back(turn + 1) == turn + 1);
		CHECK(splits(v) == (v % 7 != 3 ? v + 1 : v % 2 ? v * 31 : (v ^ 0x55)));
#ifndef __clang__
		CHECK(nests(v) == 2 * v + 1 + 2 * (v + 1) + v + 1);
#endif
	}
	count_line("registers", "ok", 0);
	count_print();
	return 0;
}
