/* SPDX-License-Identifier: MIT */
#include "classic/target/atari/child.h"

#include "classic/target/atari/tos.h"
#include "classic/core/prg/prg.h"

/* Stores symbols and names; a first pass counts the symbols and the bytes of the names. */
struct keeper {
	struct dwell_tally *tally;
	uint32_t symbols, name_bytes, name_bytes_max;
	char *names;
};

static struct dwell_prg prg; /* 1.6 KiB: too large for the stack */
static long handle;

static bool read_at(void *context, uint32_t offset, uint8_t *into, uint32_t bytes)
{
	(void)context;
	return tos_seek(handle, offset, 0) == (long)offset && tos_read(handle, into, bytes) == (long)bytes;
}

static uint32_t length(const char *name)
{
	uint32_t bytes = 0;

	while (name[bytes++])
		;
	return bytes;
}

static bool count_symbol(void *context, const struct dwell_prg_symbol *symbol)
{
	struct keeper *keeper = context;

	keeper->symbols++;
	keeper->name_bytes_max += length(symbol->name);
	return true;
}

static bool keep_symbol(void *context, const struct dwell_prg_symbol *symbol)
{
	struct keeper *keeper = context;
	char *name = keeper->names + keeper->name_bytes;
	uint32_t bytes = length(symbol->name);

	if (bytes > keeper->name_bytes_max - keeper->name_bytes || !dwell_tally_add(keeper->tally, symbol->value, name))
		return false;
	keeper->name_bytes += bytes;
	for (uint32_t i = 0; i < bytes; i++)
		name[i] = symbol->name[i];
	return true;
}

static void say(const struct dwell_put *problem, const char *path, const char *what)
{
	dwell_put_text(problem, path);
	dwell_put_text(problem, ": ");
	dwell_put_text(problem, what);
}

/* Reports the worst problem of the symbol table, if any. */
static enum child_state judge(const char *path, const struct dwell_put *problem)
{
	if (prg.kind == DWELL_PRG_NO_TABLE)
		say(problem, path, "no symbol table: all of it is one row");
	else if (prg.cut || prg.unreadable)
		say(problem, path, "its symbol table is cut; what is there is used");
	else if (!prg.taken)
		say(problem, path, "its symbol table has no text symbols");
	else if (prg.outside)
		say(problem, path, "some text symbols lie outside of the text; they are not used");
	else
		return CHILD_READY;
	return CHILD_UNSURE;
}

static enum child_state read_open(const char *path, struct keeper *keeper, size_t intervals, const struct dwell_put *problem)
{
	long bytes = tos_seek(handle, 0, 1);
	void *memory;

	if (bytes < 0) {
		say(problem, path, "cannot be read");
		return CHILD_NONE;
	}
	dwell_prg_open(&prg, read_at, 0, (uint32_t)bytes);
	if (!dwell_prg_header(&prg)) {
		say(problem, path, prg.cut ? "is cut: not all of the program is there" : "is no program");
		return CHILD_NONE;
	}
	dwell_prg_symbols(&prg, count_symbol, keeper);
	memory = tos_allocate((uint32_t)dwell_tally_bytes(keeper->symbols, intervals));
	keeper->names = memory ? tos_allocate(keeper->name_bytes_max + 1) : 0;
	if (!keeper->names) {
		say(problem, path, "not enough memory for its symbols");
		return CHILD_NONE;
	}
	dwell_tally_init(keeper->tally, memory, keeper->symbols, intervals, prg.text_bytes);
	dwell_prg_symbols(&prg, keep_symbol, keeper);
	keeper->tally->name_bytes_max = dwell_prg_name_bytes_max(prg.kind);
	dwell_tally_finish(keeper->tally);
	return judge(path, problem);
}

enum child_state child_read(const char *path, struct dwell_tally *tally, size_t intervals, const struct dwell_put *problem)
{
	struct keeper keeper = {.tally = tally};
	enum child_state state = CHILD_NONE;

	handle = tos_open(path);
	if (handle < 0) {
		say(problem, path, "there is no such file");
		return state;
	}
	state = read_open(path, &keeper, intervals, problem);
	tos_close(handle);
	return state;
}
