#include "cmd/export/json.h"

#include "query/ask/profile.h"
#include "query/facts.h"
#include "query/questions.h"
#include "writer/writer.h"

void export_json_write(struct trace *trace, FILE *out, const char *name)
{
	const struct writer_options form = {.form = WRITER_JSON};
	struct table_sink sink;
	struct facts facts = {0};

	facts_read(&facts, trace);
	if (facts.no_memory)
		diag_add(trace->diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory: something is missing here");
	fprintf(out, "{\"dwell_export\": %d,\n\"info\": ", EXPORT_JSON_VERSION);
	facts_write_json(&facts, trace, out, name);
	facts_clear(&facts);
	sink = make_table_writer(&form, out, name, trace->diag);
	fputs(",\n\"report\": ", out);
	profile_answer(&question_functions, false, trace, &sink);
	fputs(",\n\"tree\": ", out);
	profile_answer(&question_tree, true, trace, &sink);
	free_table_writer(&sink);
	fputs("}\n", out);
}
