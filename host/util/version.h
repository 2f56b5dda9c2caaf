/* The version, said once: `dwell --version`, the pkg-config file and the INFO chunk of a recording take it from here. */
#ifndef DWELL_HOST_UTIL_VERSION_H
#define DWELL_HOST_UTIL_VERSION_H

#define DWELL_VERSION "0.1.0"

#endif
