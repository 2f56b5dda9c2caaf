/* browser: the pages of dwell tui on a terminal, and their keys. */
#ifndef DWELL_HOST_CMD_TUI_BROWSER_H
#define DWELL_HOST_CMD_TUI_BROWSER_H

#include "cmd/tui/pages.h"
#include "util/diag.h"

/* Shows pages until the user quits. pre: the terminal is in use (terminal_begin). Problems have been shown on the terminal. */
void browser_run(const struct pages *pages);

#endif
