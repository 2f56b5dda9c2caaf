/* relocate: applies the relocations of an image, and finds the pointers from data into code. Internal to plan/. */
#ifndef DWELL_HOST_PLAN_RELOCATE_H
#define DWELL_HOST_PLAN_RELOCATE_H

#include "plan/image.h"

/* Fills image->data_pointers. Returns false if out of memory. */
bool plan_image_relocate(struct plan_image *image, Elf *elf);

#endif
