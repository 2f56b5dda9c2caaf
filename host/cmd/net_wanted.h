/* net_wanted: whether what recording cost is taken out of a report. That takes paths, which take a third longer to read; and where there
 * are very many, one thread reads them, and it takes three times as long. */
#ifndef DWELL_HOST_CMD_NET_WANTED_H
#define DWELL_HOST_CMD_NET_WANTED_H

#include <stdbool.h>

#define NET_BYTES_MAX (256u << 20)

/* Of commands that show what was recorded. */
#define NET_NOT_HELP "\nTimes are with what recording cost; of functions, dwell report takes it out.\n"

/* Of the file at path: without more ado when it is small, or none that can be read twice; else if it says what recording it cost. */
bool net_is_wanted(const char *path);

#endif
