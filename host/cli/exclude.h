/* exclude: a list of functions that are costly to record because they are short and called often; written by report,
 * read by record and by people.
 *
 *     dwell exclude 1
 *     # …                            for people
 *     not NAME                       a function, as reports show it */
#ifndef DWELL_HOST_CLI_EXCLUDE_H
#define DWELL_HOST_CLI_EXCLUDE_H

#include "query/trace.h"
#include "record/stage/filter.h"

#define EXCLUDE_HEAD "dwell exclude 1\n"

/* Writes the list and reports its contents as a diag; also adds a diag if the file cannot be written, or no function qualifies. */
void exclude_write(const struct trace *trace, const char *path);

/* Adds the listed functions to the exclusions in filter. The names are borrowed from *text, which the caller frees. command: the
 * command's name, for messages. False with a diag: the file cannot be read, or is no list. */
bool exclude_read(const char *command, const char *path, struct filter_options *filter, char **text, struct diag *diag);
/* The same for the contents of the file at path. text is zero-terminated, and is cut into lines in place. */
bool exclude_parse(const char *command, const char *path, char *text, struct filter_options *filter, struct diag *diag);

#endif
