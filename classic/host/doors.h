/* doors: rows in the host's tables for the older profilers. Only the files with the tables, and
 * the files that define a row, include doors.h; tools/check-includes.sh lists the files of
 * the tables, and the rooms of the rows. */
#ifndef DWELL_CLASSIC_HOST_DOORS_H
#define DWELL_CLASSIC_HOST_DOORS_H

/* host/reader/probe.c: formats that a file's first bytes identify, and formats at any place in an image of memory. */
struct reader_format;
extern const struct reader_format reader_ccs, reader_c6000, reader_lines, reader_histogram;

/* host/symbol/formats.c */
struct symbol_format;
extern const struct symbol_format symbol_format_gemdos, symbol_format_coff, symbol_format_ti_map;

/* host/symbol/object.c: the variables in a file of Texas Instruments' tools that
 * is no ELF: COFF, or a linker's map. These files contain no sizes of variables. */
struct object_table;
struct symbol_input;
void object_table_read_ti(struct object_table *table, const struct symbol_input *input);

/* host/cmd/commands.c */
struct command;
extern const struct command command_fetch, command_gperf, command_c6000, command_profile;

#endif
