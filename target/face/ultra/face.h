/* SPDX-License-Identifier: MIT
 *
 * What the parts of the ultra face share. */
#ifndef DWELL_FACE_ULTRA_FACE_H
#define DWELL_FACE_ULTRA_FACE_H

#include "port/ultra/port.h"
#include "ultra64.h"

/* In the debug library, the handler is called; in the other one nothing happens. Written as a call, so that arguments keep their types. */
extern OSErrorHandler ultra_error_handler;
#ifdef ULTRA_DEBUG
#define ULTRA_ERROR(...) ultra_error_handler(__VA_ARGS__)
#else
#define ULTRA_ERROR(...) ((void)0)
#endif

#endif
