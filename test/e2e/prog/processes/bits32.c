/* A program of 32 bits without a library: sleeps for a second, then says that all is good. */
#define CALL_EXIT 1
#define CALL_WRITE 4
#define CALL_NANOSLEEP 162

static int call(int number, long a, const void *b, long c)
{
	int result;

	__asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
	return result;
}

void _start(void);
void _start(void)
{
	struct {
		long seconds, nanoseconds;
	} second = {1, 0};

	call(CALL_NANOSLEEP, (long)&second, 0, 0);
	call(CALL_WRITE, 1, "good\n", 5);
	call(CALL_EXIT, 0, 0, 0);
}
