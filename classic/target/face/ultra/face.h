/* SPDX-License-Identifier: MIT
 *
 * Definitions that the files of the ultra face share. */
#ifndef DWELL_CLASSIC_FACE_ULTRA_FACE_H
#define DWELL_CLASSIC_FACE_ULTRA_FACE_H

#include "classic/target/port/ultra/port.h"
#include "ultra64.h"

/* Calls the handler in the debug library; does nothing in the other library. The
 * macro is a call, so that each argument keeps the type of the caller's value. */
extern OSErrorHandler ultra_error_handler;
#ifdef ULTRA_DEBUG
#define ULTRA_ERROR(...) ultra_error_handler(__VA_ARGS__)
#else
#define ULTRA_ERROR(...) ((void)0)
#endif

#endif
