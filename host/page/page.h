/* page: collects the results of analyses of a recording, and writes them as one self-contained HTML file. For `dwell html`.
 *
 *     page = make_page();
 *     page_put_text(page, "file", path); …              members of one object
 *     sink = page_begin_table(page, "functions"); …     the table of an analysis, as a member
 *     page_add(page, PAGE_CALLS, number); …             columns of up to millions of numbers
 *     pages_write(&page, 1, out, …); free_page(page);
 *
 * A file may contain several pages: one for each recording, and one for the comparison.
 *
 * view/ contains the page's program, which uses only these data. The data are packed and written as letters and digits, so no name
 * can be markup; the program puts names into the page as text, never as markup. */
#ifndef DWELL_HOST_PAGE_PAGE_H
#define DWELL_HOST_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

#define PAGE_VERSION 1 /* version of the data; a page and its program always come from the same dwell */
/* Longer names are cut; a browser shows no more. */
#define PAGE_NAME_BYTES_MAX 4096u

struct page;
/* Returns null if out of memory. */
struct page *make_page(void);
void free_page(struct page *page);

/* ---- members, in any order; key null: an element of the open array ---- */

void page_put_text(struct page *page, const char *key, const char *text);
void page_put_count(struct page *page, const char *key, uint64_t count);
void page_put_signed(struct page *page, const char *key, int64_t number);
void page_put_real(struct page *page, const char *key, double number);
void page_put_flag(struct page *page, const char *key, bool flag);
void page_put_null(struct page *page, const char *key);
/* Adds a value that is JSON already. */
void page_put_json(struct page *page, const char *key, const char *json, size_t bytes);
void page_open_object(struct page *page, const char *key);
void page_open_array(struct page *page, const char *key);
/* Ends the innermost open object or array. */
void page_close(struct page *page);

/* Returns a sink whose next table becomes the member: {"columns": [{key, title, unit}], "rows": [[…]]}. A function's name is
 * replaced by an id; each name is written once, by id. An uncertain value is in an array of one. Valid until the next call of
 * page_begin_table. */
struct table_sink page_begin_table(struct page *page, const char *key);
/* Sets the name of a function, if it has none yet. function: the function's id. C++ names are shortened, as in reports
 * (util/short_name.h). */
void page_set_name(struct page *page, uint32_t function, const char *name);
bool page_has_name(const struct page *page, uint32_t function);

/* ---- columns of numbers, for long lists ---- */

enum page_numbers { PAGE_CALLS, PAGE_DENSITY, PAGE_STATES, PAGE_NUMBERS_COUNT };
/* Appends a number to a column. */
void page_add(struct page *page, enum page_numbers which, uint64_t number);
/* The same for a number that may be negative; the view decodes the sign. */
void page_add_signed(struct page *page, enum page_numbers which, int64_t number);

/* Returns whether nothing has been left out for lack of memory so far. */
bool page_is_whole(const struct page *page);

/* Ends all pages and writes one file. The program in view/ finds the data of page k as "data-k", and its numbers as "calls-k" and
 * so on. name: the name of out, for messages. Returns false and adds a diag on failure. */
bool pages_write(struct page *const *pages, size_t count, FILE *out, const char *name, struct diag *diag);

#endif
