/* inlined: a hint for messages about functions without calls, because the compiler inlined the calls. */
#ifndef DWELL_HOST_UTIL_INLINED_H
#define DWELL_HOST_UTIL_INLINED_H

/* --every is no good advice for C++: it makes a program of many small functions a hundred times slower. */
#define INLINED_HINT "`__attribute__((noinline))` keeps one function a call; `dwell cflags --every` does so with all, for C: in C++ it is slow"

#endif
