/* exclude: a list of functions that are so small and called so often that recording them is most of what recording costs; written by
 * report, read by record and by people.
 *
 *     dwell exclude 1
 *     # …                            for people
 *     not NAME                       a function, as reports show it */
#ifndef DWELL_HOST_CLI_EXCLUDE_H
#define DWELL_HOST_CLI_EXCLUDE_H

#include "query/trace.h"
#include "record/stage/filter.h"

#define EXCLUDE_HEAD "dwell exclude 1\n"

/* Writes the list, and says what is in it. A diag where it cannot be written, or nothing is to be left out. */
void exclude_write(const struct trace *trace, const char *path);

/* Adds what it lists to what is not recorded, as names that are borrowed from *text, to be freed. False and a diag: it cannot be read, or
 * is no such list. command: that was given it. */
bool exclude_read(const char *command, const char *path, struct filter_options *filter, char **text, struct diag *diag);
/* The same of what is in the file at path, zero-terminated, cut into lines. */
bool exclude_parse(const char *command, const char *path, char *text, struct filter_options *filter, struct diag *diag);

#endif
