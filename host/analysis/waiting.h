/* waiting: how much of all time threads waited. CPU time explains little about a program that waits most of its time. */
#ifndef DWELL_HOST_ANALYSIS_WAITING_H
#define DWELL_HOST_ANALYSIS_WAITING_H

#include "model/profile/profile.h"

/* Returns the part of all time, in percent, that threads spent off the CPU, unable to run, if it is half or more; else 0. */
double waiting_find_most(const struct profile *profile);

#endif
