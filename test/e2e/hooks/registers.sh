#!/bin/bash
# What functions hand each other beside what the ABI says, in registers and flags: recorded programs compute what they compute alone.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP x86-64's registers"; exit; }
export XDG_CACHE_HOME=$work/cache

cat > flags.c <<'END'
/* Flags as arguments and results, as assembler has them: in, out, through a function that sets none, and on to another one. */
#include <stdio.h>
#define FUNCTION(name, body) \
	__asm__(".text\n.p2align 4\n.globl " #name "\n.type " #name ",@function\n" #name ":\n.cfi_startproc\n" body \
		"\n.cfi_endproc\n.size " #name ",.-" #name)
FUNCTION(equals_5, "cmp $5,%edi\nmov $0,%eax\nret");
FUNCTION(carry_in, "setc %al\nmovzx %al,%eax\nnop\nret");
FUNCTION(keeps, "nop\nnop\nnop\nnop\nnop\nret");
FUNCTION(calls_in, "lea 1(%rdi),%rdi\ncall carry_in\nadd $0,%eax\nret"); /* among its first bytes */
FUNCTION(hands_on, "cmp $5,%edi\njmp carry_in");
FUNCTION(hands_on_if, "cmp $5,%edi\njne carry_in\nmov $7,%eax\nret");
FUNCTION(result_of_other, "push %rbx\ncall equals_5\npop %rbx\nret");
FUNCTION(after_inc, "inc %edi\nsetc %al\nmovzx %al,%eax\nret"); /* which leaves the carry alone */
FUNCTION(adds_carry, "mov %edi,%eax\nadc $0,%eax\nret");
FUNCTION(plain, "add $1,%edi\nmov %edi,%eax\nnop\nret");
#define CALL(before, name, after, from) \
	({ unsigned result_; __asm__ volatile(before "call " #name "\n" after "mov %%eax,%0" : "=r"(result_) : "D"(from) \
		: "rax", "rbx", "rcx", "rdx", "cc", "memory"); result_; })
#define OUT "setc %%al\nsete %%ah\nmovzwl %%ax,%%eax\n"
int main(void)
{
	unsigned long sum[12] = {0};
	for (unsigned i = 0; i < 1000; i++) {
		sum[0] += CALL("", equals_5, OUT, i % 10);
		sum[1] += CALL("stc\n", carry_in, "", i) + 1000 * CALL("clc\n", carry_in, "", i);
		sum[2] += CALL("stc\n", keeps, OUT, i) + 3 * CALL("clc\n", keeps, OUT, i);
		sum[3] += CALL("stc\n", calls_in, "", i) + 1000 * CALL("clc\n", calls_in, "", i);
		sum[4] += CALL("", hands_on, "", i % 10);
		sum[5] += CALL("", hands_on_if, "", i % 10);
		sum[6] += CALL("", result_of_other, OUT, i % 10);
		sum[7] += CALL("stc\n", after_inc, "", i) + 1000 * CALL("clc\n", after_inc, "", i);
		sum[8] += CALL("stc\n", adds_carry, "", i);
		sum[9] += CALL("", plain, "", i);
	}
	for (unsigned i = 0; i < 10; i++)
		printf("%lu\n", sum[i]);
}
END
flags()
{
	gcc -O2 -mno-red-zone flags.c -o flags
	./flags > alone.out
	"$DWELL" symbols --sites flags > flags.sites
	grep -q 'plain *timed' flags.sites && grep -q 'main *timed' flags.sites || fail "$(cat flags.sites)"
	grep -q "  [0-9]* left alone: gets or gives a value in the processor's flags" flags.sites || fail "$(cat flags.sites)"
	RECORD_OPTIONS=--trace record flags ./flags
	exits flags 0
	diff alone.out flags.out
	report_csv flags
	[ "$(value flags plain calls)" = 1000 ]
}
test_that "flags across calls: functions that pass some are left alone" flags

cat > backward.c <<'END'
/* Calls with the direction flag set, and with values in the FPU, its control words, and in registers that calls may destroy. */
#include <stdio.h>
#include <string.h>
#define FUNCTION(name, body) \
	__asm__(".text\n.p2align 4\n.type " #name ",@function\n" #name ":\n.cfi_startproc\n" body "\n.cfi_endproc\n.size " #name ",.-" #name)
FUNCTION(copies_back, "mov %rdx,%rcx\nlea -1(%rsi,%rcx),%rsi\nlea -1(%rdi,%rcx),%rdi\nrep movsb\nxor %eax,%eax\nret");
FUNCTION(does_nothing, "xor %eax,%eax\nnop\nnop\nnop\nret");
__attribute__((noinline)) static long in_fpu(void)
{
	unsigned short control, changed, wanted = 0x77f;
	unsigned sse, left, wanted_sse = 0x7f80;
	double value = 3.25, got = 0;
	__asm__ volatile("fnstcw %2\nfldcw %6\nstmxcsr %3\nldmxcsr %7\nfldl %5\ncall does_nothing\nfstpl %0\nfnstcw %1\nfldcw %2\n"
		"stmxcsr %4\nldmxcsr %3"
		: "=m"(got), "=m"(changed), "=m"(control), "=m"(sse), "=m"(left) : "m"(value), "m"(wanted), "m"(wanted_sse)
		: "rax", "cc", "memory");
	return got == value && changed == wanted && left == wanted_sse;
}
__attribute__((noinline)) static long in_registers(void)
{
	long lost;
	__asm__ volatile("mov $1,%%rcx\nmov $2,%%rdx\nmov $3,%%rsi\nmov $4,%%rdi\nmov $5,%%r8\nmov $6,%%r9\nmov $7,%%r10\nmov $8,%%r11\n"
		"call does_nothing\nlea -36(%%rcx,%%rdx),%%rcx\nadd %%rsi,%%rcx\nadd %%rdi,%%rcx\nadd %%r8,%%rcx\nadd %%r9,%%rcx\n"
		"add %%r10,%%rcx\nadd %%r11,%%rcx\nmov %%rcx,%0"
		: "=r"(lost) : : "rax", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "cc", "memory");
	return !lost;
}
int main(void)
{
	char text[64] = "abcdefghijklmnopqrstuvwxyz";
	long good = 0;
	for (int i = 0; i < 2000; i++) {
		long count = 26;
		char *from = text, *to = text + 1;
		memcpy(text, "abcdefghijklmnopqrstuvwxyz", 27);
		__asm__ volatile("std\ncall copies_back\ncld" : "+S"(from), "+D"(to), "+d"(count) : : "rax", "rcx", "cc", "memory");
		good += !strncmp(text, "aabcdefghijklmnopqrstuvwxyz", 27) + in_fpu() + in_registers();
	}
	printf("%ld\n", good);
}
END
backward()
{
	local options
	gcc -O2 -mno-red-zone backward.c -o backward
	[ "$(./backward)" = 6000 ]
	# With arguments each call takes the slow path, which is compiled code; alone, the first event of all is one that counts down.
	for options in --trace '--trace --args' '--trace --ring=1M' '--trace --only copies_back'; do
		RECORD_OPTIONS=$options record backward ./backward
		exits backward 0
		[ "$(cat backward.out)" = 6000 ] || fail "$options: $(cat backward.out)"
		report_csv backward
		[ "$(value backward copies_back calls)" = 2000 ]
	done
}
test_that "direction flag, FPU, control words, and registers that calls may destroy" backward

# GCC knows which registers a function of the same file leaves alone, and callers keep values there (-fipa-ra).
cat > kept.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define KEPT __attribute__((noinline))
static KEPT long add(long a, long b) { __asm__ volatile(""); return a + b; }
static KEPT long twice(long a) { __asm__ volatile(""); return a * 2; }
static KEPT double half(double a) { __asm__ volatile(""); return a / 2; }
static KEPT long mixes(long a, long b, long c, long d, double x, double y)
{
	long p = add(a, b), q = add(c, d), r = twice(b);
	double z = half(x) * y + half(y) * x;
	return p * 3 + q * 5 + r * 7 + add(p, q) * a + (long)z + twice(d);
}
int main(int argc, char **argv)
{
	long sum = 0;
	for (long i = 0; i < atol(argv[argc - 1]); i++)
		sum = sum * 31 + mixes(i, sum, i + 3, sum >> 5, (double)i, (double)(sum % 1000));
	printf("%ld\n", sum);
}
END
ipa_ra()
{
	gcc -O2 kept.c -o kept
	gcc -O2 -fno-ipa-ra kept.c -o plain
	! cmp -s kept plain || fail "the compiler makes no use of it"
	RECORD_OPTIONS=$1 record kept ./kept 20000
	exits kept 0
	[ "$(cat kept.out)" = "$(./kept 20000)" ]
	report_csv kept
	[ "$(value kept add calls)" = 60000 ] || fail "$(cat kept.csv)"
}
test_that "values that callers keep in registers (-fipa-ra)" ipa_ra --trace
test_that "the same on the slow path" ipa_ra '--trace --args'

# A call of a patched site carries out what attach wants, and asks libc about files meanwhile.
cat > doubles.c <<'END'
#include <stdio.h>
#include <time.h>
__attribute__((noinline)) double mix(double a, double b, double c, double d)
{
	__asm__ volatile("");
	return a * 1000 + b * 100 + c * 10 + d;
}
int main(void)
{
	long wrong = 0, end = time(NULL) + 6;
	for (long i = 0; i % 1000 || time(NULL) < end; i++)
		wrong += mix((double)(i % 7), 2, 3, 4) != (double)(i % 7) * 1000 + 234;
	printf("%ld wrong\n", wrong);
}
END
attached()
{
	# shellcheck disable=SC2046
	gcc -O2 $("$DWELL" cflags gcc) doubles.c -o doubles
	LD_PRELOAD=$BUILD/libdwell.so ./doubles > doubles.out &
	has_begun $! doubles
	for _ in 1 2 3 4; do
		"$DWELL" attach --for 0.2s -o doubles.dwell $! > attach.err 2>&1 || true
	done
	wait $!
	[ "$(cat doubles.out)" = "0 wrong" ] || fail "$(cat doubles.out)"
	report_csv doubles
	[ "$(value doubles mix calls)" -gt 1000 ]
}
test_that "arguments in vector registers while a process joins" attached
done_testing
