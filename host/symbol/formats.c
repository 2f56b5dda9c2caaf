/* formats: opens a file and finds its symbol format. */
#include "classic/host/doors.h"
#include "symbol/symbol.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "symbol/build_cache.h"
#include "symbol/format.h"
#include "symbol/vdso.h"
#include "util/foreign_file.h"
#include "util/jit_map.h"

/* In the order of trying. symbol_format_none is last, since it claims every file. */
static const struct symbol_format *const formats[] = {
	&symbol_format_elf,
	&symbol_format_gemdos,
	&symbol_format_coff,
	&symbol_format_ti_map,
	&symbol_format_jit_map,
	&symbol_format_none,
};

/* Opens a map of generated code. Anyone can put a file into /tmp, so the map must belong to the user or to root. */
static int open_map(const char *path, struct stat *status)
{
	int fd = foreign_file_open_unlinked(path, status);

	if (fd < 0 || !status->st_uid || status->st_uid == geteuid())
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/* Returns a descriptor; −1: none. Names of code that is in no file begin with [. Of such code, dwell has the vdso of its own
 * kernel, and those that perf kept. */
static int open_code(const struct symbol_input *input, struct stat *status)
{
	const struct symbol_request *request = input->request;
	bool is_vdso = !strcmp(input->path, VDSO_NAME);
	char kept[PATH_MAX];
	const char *path;
	int fd;

	if (input->path[0] == '[' && !is_vdso)
		return -1;
	if (jit_map_is_path(input->path))
		return open_map(input->path, status);
	fd = is_vdso ? open_vdso_of_build(request->build_id, request->build_id_bytes) : -1;
	path = fd < 0 ? build_cache_find(input->path, request->build_id, request->build_id_bytes, kept) : NULL;
	if (path)
		return path == input->path && is_vdso ? -1 : foreign_file_open(path, status);
	if (!fstat(fd, status))
		return fd;
	close(fd);
	return -1;
}

/* Sets fd and size. Returns false if the file cannot be opened, or is not regular. */
static bool open_input(struct symbol_input *input)
{
	struct stat status;

	input->fd = open_code(input, &status);
	if (input->fd < 0 && input->path[0] == '[')
		return false; /* code that is in no file: nobody can mend that */
	if (input->fd < 0) {
		if (errno)
			diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "cannot open: %s", strerror(errno));
		else
			diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "%s, expected an object file", foreign_file_kind(&status));
		return false;
	}
	input->size = (uint64_t)status.st_size;
	return true;
}

static void read_input(struct symbol_input *input, struct symbol_table *table)
{
	uint8_t head[SYMBOL_HEAD_BYTES];
	ssize_t got = pread(input->fd, head, sizeof head, 0);

	if (got < 0) {
		diag_add(input->diag, input->level, input->path, DIAG_NO_OFFSET, "cannot read: %s", strerror(errno));
		return;
	}
	input->head = (struct bytes){head, (size_t)got};
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
		if (formats[i]->claims(input->head)) {
			table->format = formats[i]->name;
			table->state = formats[i]->read(input, table);
			break;
		}
	}
	if (table->unjoined)
		diag_add(input->diag, DIAG_WARN, input->path, DIAG_NO_OFFSET,
			"names of %zu places are too long to be put together: the preferred one is used", table->unjoined);
}

/* Returned if there is no memory for a table. */
static struct symbol_table no_memory = {.format = "none", .state = SYMBOL_MISSING};

struct symbol_table *make_symbol_table(const char *path, const struct symbol_request *request, struct diag *diag)
{
	static const struct symbol_request any;
	struct symbol_table *table = calloc(1, sizeof *table);
	struct symbol_input input = {.path = path, .fd = -1, .request = request ? request : &any, .diag = diag};

	input.level = input.request->required ? DIAG_ERROR : DIAG_WARN;
	if (!table) {
		diag_add(diag, input.level, path, DIAG_NO_OFFSET, "no memory for its symbols");
		return &no_memory;
	}
	table->format = symbol_format_none.name;
	table->choice = input.request->choice;
	table->state = SYMBOL_MISSING;
	if (open_input(&input))
		read_input(&input, table);
	if (input.fd >= 0)
		close(input.fd);
	return table;
}

void free_symbol_table(struct symbol_table *table)
{
	if (!table || table == &no_memory)
		return;
	free(table->symbols);
	free(table->extents);
	stubs_clear(table);
	free(table->raw);
	for (size_t i = 0; i < table->joined_count; i++)
		free(table->joined[i]);
	free(table->joined);
	for (size_t i = 0; i < table->string_count; i++)
		free(table->strings[i]);
	free(table);
}
