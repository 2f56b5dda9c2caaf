#include "cli/help.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cli/agent.h"
#include "option/option_row.h"
#include "util/name_match.h"

#define HELP_COLUMNS 80u
#define TEXT_COLUMN 17u /* first column of the text about an option, which begins after the option or on the next line */

void help_print_all(FILE *out)
{
	/* The title of a task, in front of its first lines. */
	static const char *const names[][2] = {
		[TASK_RECORD] = {"Record", ""},
		[TASK_LOOK] = {"Look", ""},
		[TASK_COMPARE] = {"Compare,", "export"},
		[TASK_TARGETS] = {"Targets", ""},
		[TASK_OLDER] = {"Older", "profilers"},
		[TASK_TOOLS] = {"Tools", ""},
	};
	char *documentation = make_documentation_folder();
	unsigned line = 0; /* number of the line within its task */

	fputs("dwell shows where a program spends its time, function by function.\n"
	      "\n"
	      "Usage: dwell COMMAND [OPTIONS] ...\n"
	      "\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		const struct command *command = *row;

		line = row > commands && row[-1]->task == command->task ? line + 1 : 0;
		fprintf(out, "%-10s %-10s %s\n", line < 2 ? names[command->task][line] : "", command->name, command->summary);
	}
	fputs("\n"
	      "dwell COMMAND --help explains one; dwell help COMMAND lists all of its options.\n"
	      "Exit status: 0 complete; 1 done, but something was lost or skipped; 2 failed.\n",
		out);
	if (documentation)
		fprintf(out, "Documentation and examples: %s\n", documentation);
	free(documentation);
}

/* The number of bytes of the next piece of the usage line, which is never broken: a word, an option with its value, or a
 * bracket without brackets inside. */
static size_t piece_bytes(const char *text)
{
	bool is_open = false;
	size_t bytes = 0;

	for (; text[bytes] && (text[bytes] != ' ' || is_open); bytes++)
		if (text[bytes] == '[' || text[bytes] == ']')
			is_open = text[bytes] == '[';
	if (*text == '-' && text[bytes] == ' ' && isupper((unsigned char)text[bytes + 1]))
		bytes += 1 + strcspn(text + bytes + 1, " ");
	return bytes;
}

static void put_option(const struct option_row *row, FILE *out)
{
	fputs(row->name, out);
	if (row->value)
		fprintf(out, "%s%s", *row->value == '=' || *row->value == '[' ? "" : " ", row->value);
}

size_t help_count_shared_rows(const struct option_row *rows, size_t count)
{
	size_t together = 1;

	while (together < count && !rows[together - 1].help)
		together++;
	return together;
}

/* Adjacent options that exclude each other are printed as alternatives. */
static void put_usage(const struct command *command, FILE *out)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command->options, rows);
	size_t first = 0; /* first row of the current alternatives */

	for (size_t i = 0; i < count; i++) {
		const char *next = i + 1 < count && !rows[i + 1].in_operands ? rows[i + 1].name : "";
		bool goes_on = option_excludes(command->options, rows[i].name, next) &&
			       option_excludes(command->options, rows[first].name, next);

		if (rows[i].in_operands) {
			first = i + 1;
			continue;
		}
		fputs(first < i || rows[i].missing ? "" : " [", out);
		fputs(first < i ? " | " : rows[i].missing ? " " : "", out);
		put_option(&rows[i], out);
		fputs(goes_on || rows[i].missing ? "" : "]", out);
		first = goes_on ? first : i + 1;
	}
	fprintf(out, "%s%s", *command->operands ? " " : "", command->operands);
}

char *help_make_usage(const struct command *command)
{
	char *text = NULL;
	size_t bytes;
	FILE *out = open_memstream(&text, &bytes);

	if (!out)
		return NULL;
	put_usage(command, out);
	fclose(out);
	return text;
}

/* For help with a list of options: only the options that must be given. */
static void print_short_usage(const struct command *command, FILE *out)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command->options, rows);

	fprintf(out, "Usage: dwell %s [OPTIONS]", command->name);
	for (size_t i = 0; i < count; i++)
		if (rows[i].missing) {
			putc(' ', out);
			put_option(&rows[i], out);
		}
	fprintf(out, "%s%s\n", *command->operands ? " " : "", command->operands);
}

static void print_usage(const struct command *command, FILE *out)
{
	size_t indent = (size_t)fprintf(out, "Usage: dwell %s", command->name), column = indent, bytes;
	char *usage = help_make_usage(command);

	for (const char *at = usage ? usage : ""; *at; at += bytes) {
		at += *at == ' ';
		bytes = piece_bytes(at);
		if (indent + 1 + bytes > HELP_COLUMNS) /* many alternatives: break them anywhere */
			bytes = strcspn(at, " ");
		if (column + 1 + bytes > HELP_COLUMNS && column > indent)
			column = (size_t)fprintf(out, "\n%*s", (int)indent, "") - 1;
		column += (size_t)fprintf(out, " %.*s", (int)bytes, at);
	}
	putc('\n', out);
	free(usage);
}

/* The number of bytes of the next word, with the blanks before the word. A list of names may be longer than a line: then up to the
 * next comma. goes_on: the text continues such a list. */
static size_t word_bytes(const char *text, size_t blanks, bool goes_on)
{
	size_t bytes = strcspn(text + blanks, " \n"), comma = strcspn(text + blanks, ",");

	return blanks + (comma < bytes && (goes_on || bytes > HELP_COLUMNS - TEXT_COLUMN) ? comma + 1 : bytes);
}

/* Prints a text from TEXT_COLUMN on, broken between words, and at each end of a line in the text. */
static void print_text(const char *text, FILE *out)
{
	size_t column = TEXT_COLUMN, blanks, bytes = 0;

	for (; *text; text += bytes) {
		if (*text == '\n') {
			fprintf(out, "\n%*s", (int)TEXT_COLUMN, "");
			column = TEXT_COLUMN;
			text++;
		}
		blanks = strspn(text, " ");
		bytes = word_bytes(text, blanks, bytes && !blanks && text[-1] == ',');
		if (column + bytes > HELP_COLUMNS && column > TEXT_COLUMN) {
			fprintf(out, "\n%*s", (int)TEXT_COLUMN, "");
			column = TEXT_COLUMN;
			text += blanks;
			bytes -= blanks;
		}
		fwrite(text, 1, bytes, out);
		column += bytes;
	}
	putc('\n', out);
}

char *help_make_option_names(const struct option_row *rows, size_t count)
{
	char *head = NULL;
	size_t bytes;
	FILE *out = open_memstream(&head, &bytes);

	if (!out)
		return NULL;
	for (size_t i = 0; i < count; i++) {
		const char *other = rows[i].other;

		fputs(i ? ", " : "", out);
		if (other && other[1] != '-') /* the short name first */
			fprintf(out, "%s, ", other);
		else if (other)
			fprintf(out, "%s, ", rows[i].name);
		put_option(other && other[1] == '-' ? &(struct option_row){.name = other, .value = rows[i].value} : &rows[i], out);
	}
	fclose(out);
	return head;
}

static void print_options(const struct option_row *rows, size_t count, FILE *out)
{
	char *head = help_make_option_names(rows, count);
	int columns = fprintf(out, "  %s", head ? head : "");

	if (columns < (int)TEXT_COLUMN)
		fprintf(out, "%*s", (int)TEXT_COLUMN - columns, "");
	else
		fprintf(out, "\n%*s", (int)TEXT_COLUMN, "");
	print_text(rows[count - 1].help, out);
	free(head);
}

void help_print(const struct command *command, bool is_short, FILE *out)
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command->options, rows), together, left_out = 0;

	(is_short && count ? print_short_usage : print_usage)(command, out);
	fprintf(out, "\n%s.\n\n%s\n", command->summary, command->examples);
	for (size_t i = 0; i < count; i += together) {
		together = help_count_shared_rows(rows + i, count - i);
		if (is_short && rows[i + together - 1].rare)
			left_out += together;
		else
			print_options(rows + i, together, out);
	}
	if (left_out)
		fprintf(out, "\n%zu more option%s: dwell help %s\n", left_out, left_out == 1 ? "" : "s", command->name);
	fprintf(out, "%s%s", count ? "\n" : "", command->about);
}

const struct command *help_nearest(const char *typed)
{
	const struct command *nearest = NULL;
	size_t letters = strlen(typed), best = letters < 3 ? letters : 3; /* at most two letters wrong, at least one right */

	for (const struct command *const *row = commands; *row; row++) {
		size_t far = name_match_distance(typed, (*row)->name);

		if (*typed && !strncmp((*row)->name, typed, letters))
			far = 1; /* an abbreviation */
		if (far < best) {
			best = far;
			nearest = *row;
		}
	}
	return nearest;
}
