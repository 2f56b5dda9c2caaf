/* relocate: what the loader would write into an image, and where its data point into its code. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_RELOCATE_H
#define DWELL_HOST_PLAN_RELOCATE_H

#include "plan/image.h"

/* Fills image->pointed. False: no memory. */
bool plan_image_relocate(struct plan_image *image, Elf *elf);

#endif
