/* dwell completion: what a shell needs to complete dwell's command lines: from the command table, its usage lines and its help. */
#include <stdio.h>
#include <string.h>

#include "cli/command.h"
#include "cli/help.h"
#include "cli/help_options.h"
#include "cli/option.h"

#define TEXT_COLUMNS 60u /* of what is said about an option, up to the word that ends there */

static const char help[] =
	"Prints a script that makes the shell complete commands, options, values of\n"
	"options and files:\n"
	"\n"
	"  bash  dwell completion bash > ~/.local/share/bash-completion/completions/dwell\n"
	"  zsh   dwell completion zsh > FOLDER/_dwell, where FOLDER is in $fpath before\n"
	"        compinit is called\n"
	"  fish  dwell completion fish > ~/.config/fish/completions/dwell.fish\n"
	"\n"
	"make install puts all three where the shells look for them. For this shell\n"
	"alone: source <(dwell completion bash).\n";

/* Commands whose operands are a program to run. */
static bool runs_program(const struct command *command)
{
	return strstr(command->arguments, "PROGRAM [ARGUMENTS]");
}

static bool takes_files(const struct command *command)
{
	const char *operands = help_operands(command);

	return runs_program(command) || strstr(operands, "FILE") || strstr(operands, "DUMP") || strstr(operands, "OLD") || strstr(operands, "PROGRAM") ||
	       strstr(operands, "COMPILER");
}

/* Operands that are one of a few words. */
static const char *operand_words(const struct command *command)
{
	return command->get_values ? command->get_values("") : NULL;
}

/* Words with blanks between, for all shells. */
static void put_words(const char *words, FILE *out)
{
	for (; *words; words += strcspn(words, ", "), words += strspn(words, ", "))
		if (strncmp(words, "or ", 3))
			fprintf(out, " %.*s", (int)strcspn(words, ", "), words);
}

/* Text within a pair of quotes of a shell, in one line: what is special there is left out, which about an option costs nothing. */
static void put_text(const char *text, size_t bytes, const char *special, FILE *out)
{
	size_t columns = 0;

	/* The first of its parts. */
	for (size_t i = 0; i < bytes && text[i] != ':' && text[i] != ';'; i++) {
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
	struct help_option option;
	const char *at = NULL;

	fprintf(out, "\t%s)\n\t\toptions=\"--help", command->name);
	while (help_option_next(command, &at, &option))
		fprintf(out, " %s%s", option.name, option.is_attached && !option.is_optional ? "=" : "");
	fputs("\"\n", out);
	if (operand_words(command)) {
		fputs("\t\twords=\"", out);
		put_words(operand_words(command), out);
		fputs("\"\n", out);
	} else if (!takes_files(command)) {
		fputs("\t\twords=\" \"\n", out);
	}
	fputs("\t\tcase $previous in\n", out);
	for (at = NULL; help_option_next(command, &at, &option);) {
		const char *values = help_option_values(command, &option);

		if (!*option.value || option.is_optional)
			continue;
		fprintf(out, "\t\t%s) ", option.name);
		if (values && !strcmp(values, "FILE")) {
			fputs("files=1", out);
		} else {
			fputs("values=\"", out);
			put_words(values ? values : "", out);
			fputs(" \"", out);
		}
		fputs(" ;;\n", out);
	}
	fputs("\t\tesac ;;\n", out);
}

static void put_bash(const struct command *const *commands, FILE *out)
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

static void put_zsh_option(const struct command *command, const struct help_option *option, FILE *out)
{
	static const char special[] = "'[]:\\`$\"";
	const char *values = help_option_values(command, option);

	fprintf(out, "\t\t\t'%s%s[", option->name, !*option->value ? "" : option->name[1] != '-' ? "+" : option->is_attached ? "=-" : "=");
	put_text(option->text ? option->text : "", option->text_bytes, special, out);
	putc(']', out);
	if (*option->value) {
		fprintf(out, "%s%s:", option->is_optional ? "::" : ":", option->value);
		if (values && !strcmp(values, "FILE")) {
			fputs("_files", out);
		} else if (values) {
			putc('(', out);
			put_words(values, out);
			fputs(" )", out);
		}
	}
	fputs("' \\\n", out);
}

static void put_zsh(const struct command *const *commands, FILE *out)
{
	fputs("#compdef dwell\n"
	      "# zsh completion for dwell; made by 'dwell completion zsh'.\n"
	      "_dwell()\n{\n\tlocal -a commands\n\tcommands=(\n\t\t'help:Tells more about a command'\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		fprintf(out, "\t\t'%s:", (*row)->name);
		put_text((*row)->summary, strlen((*row)->summary), "'\\`$\"", out);
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
		struct help_option option;
		const char *at = NULL;

		fprintf(out, "\t%s)\n\t\t_arguments \\\n\t\t\t'--help[this command]' \\\n", (*row)->name);
		while (help_option_next(*row, &at, &option))
			put_zsh_option(*row, &option, out);
		if (operand_words(*row)) {
			fputs("\t\t\t'*:word:(", out);
			put_words(operand_words(*row), out);
			fputs(" )' ;;\n", out);
		} else {
			fprintf(out, "\t\t\t%s ;;\n", runs_program(*row)  ? "'1:program: _alternative \"commands:command:_command_names -e\" \"files:file:_files\"' '*:argument:_files'"
						      : takes_files(*row) ? "'*:file:_files'"
									  : "'*: :'");
		}
	}
	fputs("\tesac\n}\n"
	      "if [[ $funcstack[1] == _dwell ]]; then _dwell \"$@\"; else compdef _dwell dwell; fi\n",
		out);
}

/* ---- fish ---- */

static void put_fish_option(const struct command *command, const struct help_option *option, FILE *out)
{
	const char *values = help_option_values(command, option);

	fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from %s' -%s %s", command->name, option->name[1] == '-' ? "l" : "s",
		option->name + strspn(option->name, "-"));
	if (*option->value && values && !strcmp(values, "FILE")) {
		fputs(" -r -F", out);
	} else if (*option->value && !option->is_optional) {
		fputs(" -x", out);
		if (values) {
			fputs(" -a '", out);
			put_words(values, out);
			putc('\'', out);
		}
	}
	fputs(" -d '", out);
	put_text(option->text ? option->text : "", option->text_bytes, "'\\", out);
	fputs("'\n", out);
}

static void put_fish(const struct command *const *commands, FILE *out)
{
	fputs("# fish completion for dwell; made by 'dwell completion fish'.\n"
	      "complete -c dwell -n __fish_use_subcommand -f -l version -d 'Names this one'\n"
	      "complete -c dwell -f -l help -d 'Tells more about a command'\n"
	      "complete -c dwell -n __fish_use_subcommand -f -a help -d 'Tells more about a command'\n",
		out);
	for (const struct command *const *row = commands; *row; row++) {
		struct help_option option;
		const char *at = NULL;

		fprintf(out, "complete -c dwell -n __fish_use_subcommand -f -a %s -d '", (*row)->name);
		put_text((*row)->summary, strlen((*row)->summary), "'\\", out);
		fputs("'\n", out);
		fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from help' -f -a %s\n", (*row)->name);
		while (help_option_next(*row, &at, &option))
			put_fish_option(*row, &option, out);
		if (operand_words(*row)) {
			fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from %s' -f -a '", (*row)->name);
			put_words(operand_words(*row), out);
			fputs("'\n", out);
		} else if (!takes_files(*row)) {
			fprintf(out, "complete -c dwell -n '__fish_seen_subcommand_from %s' -f\n", (*row)->name);
		}
	}
}

static const struct {
	const char *name;
	void (*put)(const struct command *const *commands, FILE *out);
} shells[] = {{"bash", put_bash}, {"zsh", put_zsh}, {"fish", put_fish}};

static int run(int argc, char **argv, struct diag *diag)
{
	const char *shell;

	if (!option_read(&command_completion, NULL, 0, "shell", argc, argv, &shell, diag))
		return COMMAND_BY_DIAG;
	for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
		if (strcmp(shells[i].name, shell))
			continue;
		shells[i].put(help_commands(), stdout);
		return COMMAND_BY_DIAG;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "completion: '%s': expected bash, zsh or fish", shell);
	return COMMAND_BY_DIAG;
}

static const char *get_values(const char *option)
{
	return *option ? NULL : "bash zsh fish";
}

const struct command command_completion = {
	"completion", "SHELL", "Prints completions of dwell's commands for bash, zsh and fish", help, run, get_values};
