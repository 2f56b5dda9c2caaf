/* dwell completion: prints scripts with which shells complete dwell's command lines, from the commands' rows of options. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/option.h"
#include "option/option_value.h"

#define TEXT_COLUMNS 60u /* columns of the text about an option; the last word may end beyond */

static const char about[] =
	"The script makes the shell complete commands, options, values of options and\n"
	"files:\n"
	"\n"
	"  bash  dwell completion bash > ~/.local/share/bash-completion/completions/dwell\n"
	"  zsh   dwell completion zsh > FOLDER/_dwell, where FOLDER is in $fpath before\n"
	"        compinit is called\n"
	"  fish  dwell completion fish > ~/.config/fish/completions/dwell.fish\n"
	"\n"
	"make install puts all three where the shells look for them. For this shell only:\n"
	"source <(dwell completion bash).\n";

/* An option as a shell completes it. */
struct offered {
	struct option_row row; /* always with a help text */
	const char *choices; /* the words that the value may be; null: any value */
	/* The option has a value; the value may be missing; the value comes after "="; the value is the name of a file. */
	bool takes_value, is_optional, is_attached, is_file;
};

static size_t list_offered(const struct command *command, struct offered list[static OPTION_ROWS_MAX])
{
	struct option_row rows[OPTION_ROWS_MAX];
	size_t count = option_list(command->options, rows), offered = 0;

	for (size_t i = count; i--;) /* from the last row on, because a row without help has the help of the next row */
		if (!rows[i].help && i + 1 < count)
			rows[i].help = rows[i + 1].help;
	for (size_t i = 0; i < count; i++) {
		const char *value = rows[i].value;

		list[offered++] = (struct offered){rows[i], option_choices(&rows[i]), value, value && *value == '[',
			value && (*value == '[' || *value == '='), rows[i].kind == OPTION_FILE};
	}
	return offered;
}

/* Writes the words of a list such as "a, b or c", each after a blank. Null: nothing. */
static void put_words(const char *choices, FILE *out)
{
	const char *word;
	size_t bytes;

	while (choices && (word = option_next_choice(&choices, &bytes)))
		fprintf(out, " %.*s", (int)bytes, word);
}

/* Writes a text for use within quotes of a shell, in one line. Special characters are left out, since a short
 * description can do without them. */
static void put_text(const char *text, const char *special, FILE *out)
{
	size_t columns = 0;

	/* Only the first part, up to a colon or semicolon. */
	for (size_t i = 0; text[i] && text[i] != ':' && text[i] != ';'; i++) {
		bool is_blank = text[i] == ' ' || text[i] == '\n';

		if (is_blank && columns >= TEXT_COLUMNS)
			return;
		if (is_blank)
			i += strspn(text + i, " \n") - 1;
		columns++;
		if (is_blank || !strchr(special, text[i]))
			putc(is_blank ? ' ' : text[i], out);
	}
}

/* ---- bash ---- */

static void put_bash_command(const struct command *command, FILE *out)
{
	struct offered list[OPTION_ROWS_MAX];
	size_t count = list_offered(command, list);

	fprintf(out, "\t%s)\n\t\toptions=\"--help", command->name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, " %s%s", list[i].row.name, list[i].is_attached && !list[i].is_optional ? "=" : "");
	fputs("\"\n", out);
	if (command->operand_kind == OPERANDS_OTHER) {
		fputs("\t\twords=\"", out);
		put_words(command->operand_choices, out);
		fputs(" \"\n", out);
	}
	fputs("\t\tcase $previous in\n", out);
	for (size_t i = 0; i < count; i++) {
		if (!list[i].takes_value || list[i].is_optional)
			continue;
		fprintf(out, "\t\t%s) %s", list[i].row.name, list[i].is_file ? "files=1" : "values=\"");
		put_words(list[i].choices, out);
		fputs(list[i].is_file ? " ;;\n" : " \" ;;\n", out);
	}
	fputs("\t\tesac ;;\n", out);
}

static void put_bash(FILE *out)
{
	fputs("# bash completion for dwell; made by 'dwell completion bash'.\n"
	      "_dwell()\n{\n"
	      "\tlocal current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} options= values= words= files=\n"
	      "\tlocal IFS=$' \\t\\n'\n"
	      "\tif [[ $current == = ]]; then current=; # bash splits --to=perf at its =\n"
	      "\telif [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
	      "\tCOMPREPLY=()\n"
	      "\tif [[ $COMP_CWORD == 1 ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"help --help --version",
		out);
	for (const struct command *const *row = commands; *row; row++)
		fprintf(out, " %s", (*row)->name);
	fputs("\" -- \"$current\")\n\t\treturn\n\tfi\n\tcase ${COMP_WORDS[1]} in\n\thelp)\n\t\twords=\"", out);
	for (const struct command *const *row = commands; *row; row++)
		fprintf(out, " %s", (*row)->name);
	fputs("\" ;;\n", out);
	for (const struct command *const *row = commands; *row; row++)
		put_bash_command(*row, out);
	fputs("\tesac\n"
	      "\tif [[ $values ]]; then mapfile -t COMPREPLY < <(compgen -W \"$values\" -- \"$current\")\n"
	      "\telif [[ ! $files && $current == -* ]]; then\n"
	      "\t\tmapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$current\")\n"
	      "\t\t[[ ${#COMPREPLY[@]} != 1 || $COMPREPLY != *= ]] || compopt -o nospace\n"
	      "\telif [[ ! $files && $words ]]; then mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n"
	      "\telse compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$current\"); fi\n"
	      "}\n"
	      "complete -F _dwell dwell\n",
		out);
}

/* ---- zsh ---- */

static void put_zsh_option(const struct offered *option, FILE *out)
{
	const char *name = option->row.name, *value = option->row.value;

	fprintf(out, "\t\t\t'%s%s%s[", option->row.repeats ? "*" : "", name,
		!value ? "" : name[1] != '-' ? "+" : option->is_attached ? "=-" : "=");
	put_text(option->row.help, "'[]:\\`$\"", out);
	putc(']', out);
	if (value) {
		value += strspn(value, "[=");
		fprintf(out, "%s%.*s:%s", option->is_optional ? "::" : ":", (int)strcspn(value, "]:"), value,
			option->is_file ? "_files" : option->choices ? "(" : "");
		put_words(option->choices, out);
		fputs(option->choices ? " )" : "", out);
	}
	fputs("' \\\n", out);
}

static void put_zsh(FILE *out)
{
	static const char *const operands[] = {
		[OPERANDS_FILES] = "'*:file:_files'",
		[OPERANDS_PROGRAM] = "'1:program: _alternative \"commands:command:_command_names -e\" \"files:file:_files\"' '*:argument:_files'",
		[OPERANDS_OTHER] = "'*: :'",
	};

	fputs("#compdef dwell\n"
	      "# zsh completion for dwell; made by 'dwell completion zsh'.\n"
	      "_dwell()\n{\n\tlocal -a commands\n\tcommands=(\n\t\t'help:Tells more about a command'\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		fprintf(out, "\t\t'%s:", (*row)->name);
		put_text((*row)->summary, "'\\`$\"", out);
		fputs("'\n", out);
	}
	fputs("\t)\n"
	      "\tif (( CURRENT == 2 )); then\n"
	      "\t\t_describe -t commands command commands\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tshift words\n"
	      "\t(( CURRENT-- ))\n"
	      "\tcase $words[1] in\n"
	      "\thelp) _describe -t commands command commands ;;\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		struct offered list[OPTION_ROWS_MAX];
		size_t count = list_offered(*row, list);

		fprintf(out, "\t%s)\n\t\t_arguments \\\n\t\t\t'--help[this command]' \\\n", (*row)->name);
		for (size_t i = 0; i < count; i++)
			put_zsh_option(&list[i], out);
		if ((*row)->operand_choices) {
			fputs("\t\t\t'*:word:(", out);
			put_words((*row)->operand_choices, out);
			fputs(" )' ;;\n", out);
		} else {
			fprintf(out, "\t\t\t%s ;;\n", operands[(*row)->operand_kind]);
		}
	}
	fputs("\tesac\n}\n"
	      "if [[ $funcstack[1] == _dwell ]]; then _dwell \"$@\"; else compdef _dwell dwell; fi\n",
		out);
}

/* ---- fish ---- */

static void put_fish_option(const struct command *command, const struct offered *option, FILE *out)
{
	const char *name = option->row.name;

	fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from %s' -%s %s", command->name, name[1] == '-' ? "l" : "s",
		name + strspn(name, "-"));
	if (option->takes_value && !option->is_optional)
		fputs(option->is_file ? " -r -F" : " -x", out);
	if (option->choices && !option->is_optional) {
		fputs(" -a '", out);
		put_words(option->choices, out);
		putc('\'', out);
	}
	fputs(" -d '", out);
	put_text(option->row.help, "'\\", out);
	fputs("'\n", out);
}

static void put_fish(FILE *out)
{
	fputs("# fish completion for dwell; made by 'dwell completion fish'.\n"
	      "complete -c dwell -n __fish_use_subcommand -f -l version -d 'Names this one'\n"
	      "complete -c dwell -f -l help -d 'Tells more about a command'\n"
	      "complete -c dwell -n __fish_use_subcommand -f -a help -d 'Tells more about a command'\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		struct offered list[OPTION_ROWS_MAX];
		size_t count = list_offered(*row, list);

		fprintf(out, "complete -c dwell -n __fish_use_subcommand -f -a %s -d '", (*row)->name);
		put_text((*row)->summary, "'\\", out);
		fputs("'\n", out);
		fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from help' -f -a %s\n", (*row)->name);
		for (size_t i = 0; i < count; i++)
			put_fish_option(*row, &list[i], out);
		if ((*row)->operand_kind == OPERANDS_OTHER) {
			fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from %s' -f -a '", (*row)->name);
			put_words((*row)->operand_choices, out);
			fputs("'\n", out);
		}
	}
}

static const struct {
	const char *name;
	void (*put)(FILE *out);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int run(int argc, char **argv, struct diag *diag)
{
	const char *shell;

	if (!option_read(&command_completion, NULL, "shell", argc, argv, &shell, diag))
		return COMMAND_BY_DIAG;
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shells[i].name, shell))
			continue;
		shells[i].put(stdout);
		return COMMAND_BY_DIAG;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "completion: '%s': expected %s", shell, command_completion.operand_choices);
	return COMMAND_BY_DIAG;
}

const struct command command_completion = {"completion", "SHELL", "Prints shell completions for bash, zsh and fish", NULL, about, run, OPERANDS_OTHER, "bash, zsh or fish",
	.task = TASK_TOOLS,
	.examples = "  source <(dwell completion bash)                                for this shell\n"
		    "  dwell completion fish > ~/.config/fish/completions/dwell.fish  for all\n"};
