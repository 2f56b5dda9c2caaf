/* What `#pragma profile` says where a function ends decides for it; reset takes back the last on or off that was not taken back. */
#include "saw.h"

ALONE static void by_option(void)
{
}

#pragma profile off
ALONE static void off(void)
{
}

#pragma profile on
ALONE static void on_within_off(void)
{
}

#pragma profile off
ALONE static void off_again(void)
{
}
#pragma profile reset
ALONE static void back_on(void)
{
}
#pragma profile reset
ALONE static void back_off(void)
{
}
#pragma profile reset
ALONE static void back_to_option(void)
{
}

#pragma profile off
/* The documents' own example. */
ALONE static void on_at_its_end(void)
{
	by_option();
#pragma profile on
}

ALONE static void off_at_its_end(void)
{
	by_option();
#pragma profile off
}

ALONE static void reset_at_its_end(void)
{
#pragma profile reset
}
#pragma profile reset
#pragma profile reset

/* Where a macro brings both a pragma and a function. */
#define WITHOUT(function)                                                                                                          \
	_Pragma("profile off") ALONE static void function(void)                                                                    \
	{                                                                                                                          \
	}                                                                                                                          \
	_Pragma("profile reset")
WITHOUT(by_macro)

ALONE static void at_last(void)
{
}

/* Off, and inlined where it is on; on, and inlined where it is off. */
#pragma profile off
__attribute__((always_inline)) static inline void off_inlined(void)
{
	by_option();
}
#pragma profile reset
__attribute__((always_inline)) static inline void on_inlined(void)
{
	by_option();
}
ALONE static void on_around(void)
{
	off_inlined();
	on_inlined();
}
#pragma profile off
ALONE static void off_around(void)
{
	off_inlined();
	on_inlined();
}
#pragma profile reset

int main(void)
{
	by_option();
	off();
	on_within_off();
	off_again();
	back_on();
	back_off();
	back_to_option();
	SAW("+main +by_option - +on_within_off - +back_on - +back_to_option - ");
	on_at_its_end();
	off_at_its_end();
	reset_at_its_end();
	SAW("+on_at_its_end +by_option - - +by_option - +reset_at_its_end - ");
	by_macro();
	at_last();
	SAW("+at_last - ");
	on_around();
	off_around();
	SAW("+on_around +by_option - +by_option - - +by_option - +by_option - ");
	return finish();
}
