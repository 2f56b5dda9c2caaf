/* module: which file is mapped where, in which process, and when. For function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_MODULE_H
#define DWELL_HOST_MODEL_FUNCTION_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "symbol/symbol.h"
#include "util/diag.h"

#define MODULE_FILE_NONE UINT32_MAX
/* Processes have some hundred, and a recording of a large build has thousands of processes. A trace that claims more is hostile. */
#define MODULES_MAX (1u << 18)

struct modules;

/* Null when there is no memory. */
struct modules *make_modules(struct diag *diag);
void free_modules(struct modules *modules);

/* Which names of their files are wanted: before the first file is opened. */
void modules_choose_names(struct modules *modules, const struct symbol_choice *choice);

/* A module was mapped or unmapped, says the file at offset. False when that changes nothing: known already, nonsense, too many (which
 * is a diag). */
bool modules_add(struct modules *modules, const struct message_module *message, uint64_t offset);

/* Names that the recording has of a file's functions. */
void modules_add_names(struct modules *modules, const struct message_names *message);

struct module_match {
	uint64_t address; /* the whole run-time address */
	uint64_t bias;    /* 0 in no module */
	uint32_t file;    /* MODULE_FILE_NONE: in no module */
	bool ambiguous;   /* another module holds the same place at another time */
	bool told_later;  /* one does that is told of behind as_of */
};
/* Which module holds the place, by what the file said before the offset as_of. LOW32 places are looked for among the modules with hooks
 * first, then among the others. One that was mapped at that time is preferred, else another one is taken: the map may be late by a
 * moment. */
struct module_match modules_find(
	struct modules *modules, uint32_t process, struct place place, uint64_t ticks, uint64_t as_of);

/* Files count from 0: one for each path and build-id, however often it was mapped. */
uint32_t modules_file_count(const struct modules *modules);
const char *modules_get_path(const struct modules *modules, uint32_t file);
const uint8_t *modules_get_build_id(const struct modules *modules, uint32_t file, uint32_t *bytes);
/* Of files that are opened from here on, what is wrong is kept back until modules_say: it comes in the order that modules_note_order
 * told then. Those that were opened with no order told are closed again. */
void modules_defer_diags(struct modules *modules);
void modules_note_order(struct modules *modules, uint32_t file, uint64_t order);
void modules_say(struct modules *modules);
/* What the recording has of a file's functions; null: nothing, or it does not say which of them are global, which the file does. */
const struct symbol_table *modules_get_recorded_names(struct modules *modules, uint32_t file);
/* The same without a look into the file: also where it does not say which are global. */
const struct symbol_table *modules_get_told_only(const struct modules *modules, uint32_t file);
/* The text at a link-time address in a file's memory, as it is at the start: zero-terminated and not empty. False: there is none, or it
 * has more than size bytes. */
bool modules_read_text(struct modules *modules, uint32_t file, uint64_t address, char *text, size_t size);
/* The variable that holds a link-time address: its name, and how far behind its beginning that is. Null: none that is known. */
const char *modules_find_object(struct modules *modules, uint32_t file, uint64_t address, uint64_t *offset);
/* The file of the operating system's own code, by run-time addresses; MODULE_FILE_NONE: nothing is told of it. */
uint32_t modules_get_kernel(const struct modules *modules);
/* Opens the file at the first call; never null. */
const struct symbol_table *modules_get_symbols(struct modules *modules, uint32_t file);
/* Null when not opened yet: no place in it was ever asked for. */
const struct symbol_table *modules_get_opened(const struct modules *modules, uint32_t file);

#endif
