#include "cli/man_page.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "option/option_row.h"

#define TEXT_COLUMNS 48u /* columns of the source; escapes make lines longer */

/* Writes text with all roff characters escaped. Breaks lines at the first blank after this number of columns; 0: no breaks. */
static void put(const char *text, size_t bytes, size_t columns, FILE *out)
{
	size_t begun = 0;

	for (size_t i = 0; i < bytes; i++) {
		bool ends = columns && text[i] == ' ' && i - begun > columns;

		if (ends)
			begun = i + 1;
		switch (ends ? '\n' : text[i]) {
		case '\\': fputs("\\e", out); break;
		case '-': fputs("\\-", out); break;
		case '\'': fputs("\\(aq", out); break;
		case '`': fputs("\\(ga", out); break;
		case '^': fputs("\\(ha", out); break;
		case '~': fputs("\\(ti", out); break;
		case '"': fputs("\\(dq", out); break;
		case '.': fputs(i > begun ? "." : "\\&.", out); break;
		case ',': /* in a list without blanks, break the source line after a comma; the page does not change */
			fputs(columns && i - begun > columns && i + 1 < bytes && text[i + 1] != ' ' ? ",\\:\\c\n" : ",", out);
			if (columns && i - begun > columns && i + 1 < bytes && text[i + 1] != ' ')
				begun = i + 1;
			break;
		default: putc(ends ? '\n' : text[i], out);
		}
	}
}

static void put_line(const char *text, size_t bytes, FILE *out)
{
	put(text, bytes, TEXT_COLUMNS, out);
	putc('\n', out);
}

static void put_head(const char *name, FILE *out)
{
	fputs(".TH ", out);
	for (; *name; name++)
		putc(toupper((unsigned char)*name), out);
	fprintf(out, " 1 \"%s\" \"dwell %s\" \"dwell\"\n.ad l\n", DWELL_DATE, DWELL_VERSION);
}

static size_t line_bytes(const char *line)
{
	return strcspn(line, "\n");
}

static const char *next_line(const char *line)
{
	line += line_bytes(line);
	return line + (*line == '\n');
}

static size_t indent_of(const char *line)
{
	return strspn(line, " ");
}

static void put_option(const struct option_row *rows, size_t count, FILE *out)
{
	const char *text = rows[count - 1].help, *end;
	char *head = help_make_option_names(rows, count);

	fputs(".TP\n.B ", out);
	put(head ? head : "", head ? strlen(head) : 0, 0, out);
	free(head);
	putc('\n', out);
	for (; *text; text = *end ? end + 1 : end) {
		end = text + line_bytes(text);
		text += indent_of(text);
		put_line(text, (size_t)(end - text), out);
		fputs(*end ? ".br\n" : "", out);
	}
}

static void put_options(const struct command *command, FILE *out)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command->options, rows), together;

	for (size_t i = 0; i < count; i += together) {
		together = help_count_shared_rows(rows + i, count - i);
		fputs(i ? "" : ".SH OPTIONS\n", out);
		put_option(rows + i, together, out);
	}
}

/* Writes a section. text: paragraphs with empty lines between. Indented lines are examples, and keep their line breaks. */
static void put_section(const char *name, const char *text, FILE *out)
{
	bool is_exact = false, any = false, begins = false; /* begins: a new paragraph; right after the heading no mark is needed */

	fprintf(out, ".SH %s\n", name);
	for (const char *line = text; *line; line = next_line(line)) {
		bool is_indented = indent_of(line) > 0;

		if (is_exact && !is_indented)
			fputs(".fi\n.RE\n", out);
		if (!line_bytes(line)) {
			is_exact = false;
			begins = any;
			continue;
		}
		if (is_indented && !is_exact)
			fputs(begins ? ".PP\n.RS 2\n.nf\n" : ".RS 2\n.nf\n", out);
		else if (!is_indented && (begins || is_exact))
			fputs(".PP\n", out);
		is_exact = is_indented;
		begins = false;
		any = true;
		put(line + (is_indented ? 2 : 0), line_bytes(line) - (is_indented ? 2 : 0), is_indented ? 0 : TEXT_COLUMNS, out);
		putc('\n', out);
	}
	if (is_exact)
		fputs(".fi\n.RE\n", out);
}

void man_page_print(const struct command *command, FILE *out)
{
	char name[64], *usage = help_make_usage(command);

	snprintf(name, sizeof name, "dwell-%s", command->name);
	put_head(name, out);
	fputs(".SH NAME\n", out);
	put(name, strlen(name), 0, out);
	fputs(" \\- ", out);
	put_line(command->summary, strlen(command->summary), out);
	fputs(".SH SYNOPSIS\n.B dwell ", out);
	put_line(command->name, strlen(command->name), out);
	if (usage && *usage)
		put_line(usage + 1, strlen(usage + 1), out);
	free(usage);
	put_section("EXAMPLES", command->examples, out);
	put_section("DESCRIPTION", command->about, out);
	put_options(command, out);
	fputs(".SH SEE ALSO\n.BR dwell (1)\n", out);
}

void man_page_print_all(FILE *out)
{
	put_head("dwell", out);
	fputs(".SH NAME\ndwell \\- shows where a program spends its time, function by function\n"
	      ".SH SYNOPSIS\n.B dwell\nCOMMAND [OPTIONS] ...\n"
	      ".SH COMMANDS\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		fprintf(out, ".TP\n.BR dwell\\-%s (1)\n", (*row)->name);
		put_line((*row)->summary, strlen((*row)->summary), out);
	}
	fputs(".SH EXIT STATUS\n0 complete; 1 done, but something was lost or skipped; 2 failed.\n"
	      ".SH SEE ALSO\n"
	      "The README, the description of the trace format and its notes are in\n"
	      ".I share/doc/dwell\nbeside the folder of the program.\n",
		out);
}
