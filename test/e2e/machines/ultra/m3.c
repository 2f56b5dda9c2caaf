/* A Cortex-M3 from reset to main. */
#include <stdint.h>

#include <ultra64.h>

extern uint32_t data_from[], data_begin[], data_end[], bss_begin[], bss_end[], main_stack[];
int main(void);
void begin(void);

static void wrong(void)
{
	for (;;)
		;
}

void begin(void)
{
	for (uint32_t *from = data_from, *to = data_begin; to < data_end;)
		*to++ = *from++;
	for (uint32_t *to = bss_begin; to < bss_end;)
		*to++ = 0;
	main();
}

__attribute__((section(".vectors"), used)) static const void *const vectors[16] = {main_stack, (void *)begin, (void *)wrong,
	(void *)wrong, (void *)wrong, (void *)wrong, (void *)wrong, 0, 0, 0, 0, (void *)wrong, (void *)wrong, 0, (void *)wrong,
	(void *)osProfileInterrupt};
