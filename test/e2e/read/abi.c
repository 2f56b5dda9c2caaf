/* What programs that were built with libdwell-read rely on: names of functions, sizes and places of members. */
#include <dwell/read.h>
#include <stdio.h>

#define SIZE(type) printf("size %s %zu\n", #type, sizeof(struct type))
#define AT(type, member) printf("at %s.%s %zu\n", #type, #member, __builtin_offsetof(struct type, member))

int main(void)
{
	const struct dwell_question *question;

	SIZE(dwell_parameter);
	SIZE(dwell_message);
	SIZE(dwell_column);
	SIZE(dwell_cell);
	SIZE(dwell_parameter_info);
	AT(dwell_read_options, size);
	AT(dwell_read_options, program);
	AT(dwell_read_options, format);
	AT(dwell_read_options, clock_hz);
	AT(dwell_read_options, threads);
	AT(dwell_read_options, progress);
	AT(dwell_read_options, progress_context);
	AT(dwell_read_options, globals_only);
	AT(dwell_question, parameter_count);
	AT(dwell_rows, row_count);
	for (size_t i = 0; (question = dwell_read_question(i)); i++)
		for (size_t k = 0; k < question->parameter_count || !k; k++)
			printf("question %s %s\n", question->name, question->parameter_count ? question->parameters[k].name : "");
	return 0;
}
