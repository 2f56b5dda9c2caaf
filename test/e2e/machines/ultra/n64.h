#ifndef TEST_ULTRA_N64_H
#define TEST_ULTRA_N64_H

/* All that is in .bss, on the console, in hexadecimal digits; then "end", for ever. */
void n64_shows_memory(void);

#endif
