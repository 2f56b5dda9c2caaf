/* inlined: what to do about a function that is no call because the compiler inlined it, as a sentence for messages. */
#ifndef DWELL_HOST_UTIL_INLINED_H
#define DWELL_HOST_UTIL_INLINED_H

/* --every is no advice for C++: a program of many small functions takes a hundred times as long with it. */
#define INLINED_HINT "`__attribute__((noinline))` keeps one function a call; `dwell cflags --every` does so with all, for C: in C++ it is slow"

#endif
