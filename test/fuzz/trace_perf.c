/* Any bytes behind the mark of perf.data, in either order of bytes. Copies of stacks are read to their last byte. */
#include "read_trace.h"

struct unwinder {
	uint64_t frames[2];
};

static void *make(uint32_t machine)
{
	return machine ? calloc(1, sizeof(struct unwinder)) : NULL;
}

static bool map(void *unwinder, uint32_t process, const struct reader_mapping *mapping)
{
	(void)unwinder, (void)process;
	must(mapping->low < mapping->high && mapping->build_id_bytes <= 20 && strlen(mapping->path) < 65536, "a mapping");
	return true;
}

static bool unmap(void *unwinder, uint32_t process, uint64_t low, uint64_t high)
{
	(void)unwinder, (void)process;
	must(low < high, "the end of a mapping");
	return true;
}

/* The sums of the registers and of the stack are the frames. */
static struct reader_callers find(void *state, uint32_t process, const struct reader_stack *stack)
{
	struct unwinder *unwinder = state;

	(void)process;
	*unwinder = (struct unwinder){{0}};
	for (int i = 0; i < __builtin_popcountll(stack->mask); i++)
		unwinder->frames[0] += get_u64(stack->registers + 8 * i);
	for (size_t i = 0; i < stack->bytes.size; i++)
		unwinder->frames[1] += stack->bytes.data[i];
	return (struct reader_callers){unwinder->frames, 2, 1, DWELL_STACK_COMPLETE};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char mark[] = "PERFILE2", swapped[] = "2ELIFREP";
	static const struct reader_unwinder unwinder = {make, free, map, unmap, find};

	fuzz_unwinder = &unwinder;
	if (size < 8)
		return 0;
	read_behind(data[0] == '2' ? swapped : mark, 8, data + 8, size - 8);
	return 0;
}
