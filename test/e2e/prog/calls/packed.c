/* A program whose code is made when it starts: the file has other bytes there. packed [MS]; prints "good" if that went well. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int over;

static void end(int number)
{
	(void)number;
	over = 1;
}

/* Becomes: return 7. In the file it has another number. */
__attribute__((noinline, noclone, aligned(64))) int made(void)
{
	int x;

	__asm__ volatile("movl $5, %0" : "=r"(x));
	return x;
}

int main(int argc, char **argv)
{
	uint8_t *code = (uint8_t *)made, *page = (uint8_t *)((uintptr_t)code & ~(uintptr_t)4095);
	struct sigaction ends = {.sa_handler = end};
	int good = 1;

	(void)argv;
	sigaction(SIGTERM, &ends, 0);
	if (mprotect(page, 8192, PROT_READ | PROT_WRITE | PROT_EXEC))
		return 1;
	for (int i = 0; i < 32; i++)
		if (code[i] == 5 && !code[i + 1] && !code[i + 2] && !code[i + 3])
			code[i] = 7;
	mprotect(page, 8192, PROT_READ | PROT_EXEC);
	do {
		good &= made() == 7;
		usleep(500);
	} while (argc > 1 && !over);
	puts(good ? "good" : "bad");
	return 0;
}
