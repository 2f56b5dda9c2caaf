/* SPDX-License-Identifier: MIT
 *
 * Errors, as the debug library reports them. The other library has
 * the handler, too, which a program may set, but never calls it. */
#ifdef ULTRA_DEBUG
#include <stdarg.h>
#endif

#include "classic/core/put.h"
#include "classic/target/face/ultra/face.h"

#ifdef ULTRA_DEBUG
static void put(void *context, const char *text, size_t bytes)
{
	(void)context;
	ultra_port_put(text, (uint32_t)bytes);
}

/* Texts with a placeholder for each argument: % a number, @ a pointer. */
static const char *const texts[] = {
	"osProfileInit: the profiler is running, osProfileStop() comes first\n",
	"osProfileInit: % segments: from 1 to 64 there may be, and osProfileInit() comes before osProfileStart()\n",
	"osProfileInit: histo_base @ is null, or not a multiple of 4\n",
	"osProfileInit: text_start @ is not below text_end @\n",
	"osProfileInit: histo_size %: there must be a counter for each word from text_start to text_end\n",
	"osProfileStart: % microseconds: 50 is the least\n",
	"osProfileStart: started already\n",
	"osProfileStop: stopped already\n",
	"osProfileStop: not started since osProfileInit()\n",
};
_Static_assert(OSPROF_SEGMENTS_MAX == 64 && PROF_MIN_INTERVAL == 50, "as the texts say");

static void print(s16 code, s16 arguments, ...)
{
	static const struct dwell_put to = {put, 0};
	va_list list;
	int index = code - ERR_OSPROFILEINIT_STR;

	if (index < 0 || index >= (int)(sizeof texts / sizeof *texts))
		return;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvarargs" /* an s16 in front of ..., as in the SDK's documentation */
	va_start(list, arguments);
#pragma GCC diagnostic pop
	for (const char *at = texts[index]; *at;) {
		const char *from = at;

		while (*at && *at != '%' && *at != '@')
			at++;
		put(0, from, (size_t)(at - from));
		if (*at == '%') {
			dwell_put_number(&to, va_arg(list, u32), 0);
		} else if (*at == '@') {
			dwell_put_text(&to, "0x");
			dwell_put_hex(&to, (uintptr_t)va_arg(list, void *), 2 * sizeof(void *));
		}
		at += *at != 0;
	}
	va_end(list);
}

#else
static void print(s16 code, s16 arguments, ...)
{
	(void)code;
	(void)arguments;
}
#endif

OSErrorHandler ultra_error_handler = print;

OSErrorHandler osSetErrorHandler(OSErrorHandler handler)
{
	OSErrorHandler before = ultra_error_handler;

	ultra_error_handler = handler ? handler : print;
	return before;
}
