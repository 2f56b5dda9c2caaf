/* module: the program files and libraries of a recording, and where and when each was mapped. Opens their symbol tables. For
 * function.c. */
#ifndef DWELL_HOST_MODEL_FUNCTION_MODULE_H
#define DWELL_HOST_MODEL_FUNCTION_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "reader/message.h"
#include "symbol/symbol.h"
#include "util/diag.h"

#define MODULE_FILE_NONE UINT32_MAX
/* A process has some hundred modules, and a recording of a large build has thousands of processes. A trace with more is hostile. */
#define MODULES_MAX (1u << 18)

struct modules;

/* Null: no memory. */
struct modules *make_modules(struct diag *diag);
void free_modules(struct modules *modules);

/* Sets which names in symbol tables count. pre: no file was opened yet. */
void modules_choose_names(struct modules *modules, const struct symbol_choice *choice);

/* The message at this offset of the trace maps or unmaps a module. False: nothing changed, as the module is mapped already, the
 * message is malformed, memory ran out, or there are too many modules (a diag). */
bool modules_add(struct modules *modules, const struct message_module *message, uint64_t offset);

/* Adds the recording's names for functions of a file. */
void modules_add_names(struct modules *modules, const struct message_names *message);

struct module_match {
	uint64_t address; /* the whole run-time address */
	uint64_t bias;    /* run-time address − link-time address; 0 in no module */
	uint32_t file;    /* MODULE_FILE_NONE: in no module */
	bool ambiguous;   /* another module contains the same place at another time */
	bool mapped_later;  /* such a module is mapped in the trace only after as_of */
};
/* The module that contains the place, by the messages before offset as_of of the trace. For LOW32 places, modules with hooks come
 * first. Prefers a module mapped at ticks, but takes any other, since the trace may map a module a moment too late. */
struct module_match modules_find(
	struct modules *modules, uint32_t process, struct place place, uint64_t ticks, uint64_t as_of);

/* Files count from 0. Each pair of path and build-id is one file, however often it is mapped. */
uint32_t modules_file_count(const struct modules *modules);
const char *modules_get_path(const struct modules *modules, uint32_t file);
/* Sets the path of a process's program; "" changes nothing. */
void modules_set_program(struct modules *modules, uint32_t process, const char *path);
/* Sets *program to a number for the program that generated the file's code. The number is the same for all processes of a program;
 * if the program is unknown, the file's own. False: the file is not generated code. */
bool modules_find_program(const struct modules *modules, uint32_t file, uint64_t *program);
const uint8_t *modules_get_build_id(const struct modules *modules, uint32_t file, uint32_t *bytes);
/* Delays the diags of files opened from here on until modules_write_diags, which writes them in the order of modules_note_order.
 * Files without an order are closed again, without diags. */
void modules_defer_diags(struct modules *modules);
void modules_note_order(struct modules *modules, uint32_t file, uint64_t order);
void modules_write_diags(struct modules *modules);
/* The recording's names for functions of a file. Null: none; or only global names count, and the file shows which are global. */
const struct symbol_table *modules_get_recorded_names(struct modules *modules, uint32_t file);
/* The same, but also if only global names count. Does not open the file. */
const struct symbol_table *modules_get_all_recorded(const struct modules *modules, uint32_t file);
/* Copies the text at a link-time address of a file's initial memory: not empty, with its terminating
 * zero. False: no text, or more than size bytes. */
bool modules_read_text(struct modules *modules, uint32_t file, uint64_t address, char *text, size_t size);
/* The variable at a link-time address: the name, and the offset of the address. Null: no known variable. */
const char *modules_find_object(struct modules *modules, uint32_t file, uint64_t address, uint64_t *offset);
/* The file of the kernel's code, by run-time addresses; MODULE_FILE_NONE: the recording has no kernel names. */
uint32_t modules_get_kernel(const struct modules *modules);
/* Opens the file at the first call. Never null. */
const struct symbol_table *modules_get_symbols(struct modules *modules, uint32_t file);
/* Null: not opened yet, as no place in the file was looked up. */
const struct symbol_table *modules_get_opened(const struct modules *modules, uint32_t file);
/* Whether the file was opened for names that the recording has not, and cannot be read. */
bool modules_is_unreadable(struct modules *modules, uint32_t file);
/* The number of files without a build-id that were opened for names, but written to after that
 * time, and so may have changed since the recording. */
uint32_t modules_count_changed(const struct modules *modules, uint64_t unix_ns);

#endif
