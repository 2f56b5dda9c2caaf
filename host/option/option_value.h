/* option_value: converts the texts of options to values, by the kinds of their rows. */
#ifndef DWELL_HOST_OPTION_OPTION_VALUE_H
#define DWELL_HOST_OPTION_OPTION_VALUE_H

#include <sys/types.h>

#include "option/option_row.h"

#define OPTION_EXPECTED_BYTES 96u

/* Writes the text's value to the row's member of options, the command's struct. text null: the value was left out. Returns null;
 * for a wrong value, what the option expects, as a text that may be in expected. */
const char *option_read_value(
	const struct option_row *row, void *options, const char *text, char expected[static OPTION_EXPECTED_BYTES]);

/* The words that a value may be, or words to suggest, for shells: "a, b or c"; null: any text. */
const char *option_choices(const struct option_row *row);
/* Finds the next word of a list such as "a, b or c". *at starts as the list. Returns the word, *bytes long; null: no more words. */
const char *option_next_choice(const char **at, size_t *bytes);

/* Reads a process id, for rows of kind OPTION_OWN. pid: a pid_t. Returns null, or what the option expects. */
const char *option_take_pid(void *pid, const char *text);

#endif
