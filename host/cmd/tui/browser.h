/* browser: the pages of a file on a terminal, and what keys do there: dwell tui. */
#ifndef DWELL_HOST_CMD_TUI_BROWSER_H
#define DWELL_HOST_CMD_TUI_BROWSER_H

#include "cmd/tui/pages.h"
#include "util/diag.h"

/* On a terminal that has begun, until the user leaves. What could not be shown has been said there. */
void browser_run(const struct pages *pages);

#endif
