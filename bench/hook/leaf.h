/* The function that is called, three times over: as compiled with hooks, the same with its hooks sent to an empty library, and
 * without. */
#ifndef DWELL_BENCH_LEAF_H
#define DWELL_BENCH_LEAF_H

int leaf_hooked(int x);
int leaf_empty(int x);
int leaf_bare(int x);

#endif
