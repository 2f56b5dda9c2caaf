/* priority: quick scheduling for threads that must empty buffers in time, however busy the processors are. */
#ifndef DWELL_HOST_UTIL_PRIORITY_H
#define DWELL_HOST_UTIL_PRIORITY_H

/* Lowers the nice value of the calling thread, and of threads created later by the calling thread, by so
 * many steps, if the system permits that (mostly only to root). Also requests short slices, without need for a permission:
 * since Linux 6.12 the system favours threads with short slices. */
void priority_raise(int steps);
/* Raises the nice value of the calling thread by so many steps, permanently: only root may lower it again. */
void priority_lower(int steps);

#endif
