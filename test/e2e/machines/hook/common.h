/* What all boards have, included by each behind its int semihosting(int operation, const void *arguments). */

/* Of programs that have none of these. */
__attribute__((weak)) void kernel_tick(void)
{
}

__attribute__((weak)) void kernel_nested(void)
{
}

__attribute__((weak)) void *kernel_switch(void *frame)
{
	return frame;
}

__attribute__((weak)) void board_interrupted(uintptr_t at)
{
	(void)at;
}

static uint32_t length_of(const char *text)
{
	uint32_t length = 0;

	while (text[length])
		length++;
	return length;
}

void board_print(const char *text)
{
	semihosting(4, text);
}

void board_print_number(const char *text, uint32_t number)
{
	char digits[12], *at = digits + sizeof digits;

	*--at = 0;
	*--at = '\n';
	do
		*--at = (char)('0' + number % 10);
	while (number /= 10);
	board_print(text);
	board_print(at);
}

void board_write_file(const char *name, const void *bytes, uint32_t size)
{
	uintptr_t open[3] = {(uintptr_t)name, 5, length_of(name)};
	int file = semihosting(1, open);
	uintptr_t write[3] = {(uintptr_t)file, (uintptr_t)bytes, size}, close[1] = {(uintptr_t)file};

	if (file <= 0 || semihosting(5, write) || semihosting(2, close))
		board_exit(98);
}

void board_stand(void)
{
	board_print("stands\n");
	for (;;)
		;
}

void board_exit(int status)
{
	uintptr_t arguments[2] = {0x20026, (uintptr_t)status}; /* an application's exit */

	semihosting(0x20, arguments);
	for (;;)
		;
}
