/* number: writes numbers for machines (form.h). */
#include <math.h>

#include "util/real.h"
#include "util/units.h"
#include "writer/form.h"

void writer_put_decimal(struct output *output, uint64_t value)
{
	char *out = output_reserve(output);

	output->used += units_write_decimal(out, value);
}

void writer_put_signed(struct output *output, int64_t value)
{
	if (value < 0)
		output_put_char(output, '-');
	writer_put_decimal(output, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

void writer_put_address(struct output *output, uint64_t value)
{
	char digits[16], *out = output_reserve(output);
	size_t count = 0;

	do
		digits[count++] = "0123456789abcdef"[value & 15];
	while (value >>= 4);
	*out++ = '0';
	*out++ = 'x';
	output->used += 2 + count;
	while (count)
		*out++ = digits[--count];
}

void writer_put_real(struct output *output, double value)
{
	uint64_t scaled;
	char *out;

	if (fabs(value) >= 1e12) { /* no sensible percentage, but the output must be valid */
		output->used += (size_t)snprintf(output_reserve(output), OUTPUT_PIECE_BYTES, "%.17e", value);
		return;
	}
	scaled = real_to_u64(fabs(value) * 1e4 + 0.5);
	if (value < 0 && scaled)
		output_put_char(output, '-');
	writer_put_decimal(output, scaled / 10000);
	scaled %= 10000;
	out = output_reserve(output);
	*out++ = '.';
	for (uint64_t one = 1000; one; one /= 10)
		*out++ = (char)('0' + scaled / one % 10);
	output->used += 5;
}
