#include "cmd/net_wanted.h"

#include <string.h>
#include <sys/stat.h>

#include "io/source.h"
#include "reader/overview.h"
#include "util/diag.h"

#define SMALL_BYTES (16 << 20)

static bool says_what_it_cost(const char *path)
{
	struct diag *diag = make_diag();
	struct source *source = make_source(path, diag);
	struct overview overview = {0};
	struct message message;
	bool says = false;

	if (source && source_is_seekable(source) && overview_begin_kind(&overview, source, DWELL_CHUNK_INFO))
		while (!says && overview_next(&overview, &message))
			says = message.kind == MESSAGE_INFO && !strncmp(message.info.key, "overhead-", strlen("overhead-"));
	overview_clear(&overview);
	free_source(source);
	free_diag(diag);
	return says;
}

bool net_is_wanted(const char *path)
{
	struct stat info;

	if (stat(path, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size <= SMALL_BYTES)
		return true;
	return info.st_size <= NET_BYTES_MAX && says_what_it_cost(path);
}
