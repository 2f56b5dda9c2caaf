#include "classic/host/remote/fetch_link.h"

#include <inttypes.h>
#include <stdio.h>

#include "classic/host/remote/gperf_session.h"

static bool take_areas(const struct wire_areas *areas, const char *where, struct fetched *fetched, struct diag *diag)
{
	for (size_t i = 0; i < areas->count; i++) {
		const struct wire_area *area = &areas->list[i];

		printf("shared at 0x%" PRIx64 ": %" PRIu32 " bytes\n", area->address, area->size);
		if (!fetched_add(fetched, area->address, area->bytes, area->count)) {
			diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "out of memory");
			return false;
		}
	}
	if (areas->count)
		return fetched_join(fetched);
	diag_add(diag, DIAG_ERROR, where, DIAG_NO_OFFSET,
		"the program shares no memory (osProfileShare); its histograms are fetched by dwell gperf");
	return false;
}

bool fetch_link(const struct fetch_link *link, struct fetched *fetched, uint64_t *requests, struct diag *diag)
{
	struct gperf_session session = {.where = link->where,
		.program = link->program,
		.image = link->image,
		.wait_ns = link->wait_ns,
		.running = true,
		.diag = diag};
	/* If a program file is given, the texts of the segments are compared with it. */
	bool good = gperf_session_open(&session) && gperf_session_greet(&session) &&
		    (!link->image || gperf_session_fetch(&session, false)) && gperf_session_read_shared(&session) &&
		    take_areas(wire_client_areas(session.line.client), link->where, fetched, diag);

	*requests = session.line.frames;
	gperf_session_close(&session);
	return good;
}
