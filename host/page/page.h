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
 * view/ contains the page's program, which uses only these data. The data are compressed and written as base64, so no name in them
 * can be markup. The program puts names into the page as text, never as markup. */
#ifndef DWELL_HOST_PAGE_PAGE_H
#define DWELL_HOST_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

#define PAGE_VERSION 1 /* version of the data; a page and its program always come from the same dwell */
/* The most bytes of a name. page_set_name cuts longer names and appends "…": a browser shows no more. */
#define PAGE_NAME_BYTES_MAX 4096u

struct page;
/* Returns null if out of memory. free_page frees the page; null is fine. */
struct page *make_page(void);
void free_page(struct page *page);

/* ---- members, in any order; key null: an element of the open array. The page copies keys and texts, which are never null ---- */

void page_put_text(struct page *page, const char *key, const char *text);
void page_put_count(struct page *page, const char *key, uint64_t count);
void page_put_signed(struct page *page, const char *key, int64_t number);
/* Writes nine digits. A number that is not finite becomes null. */
void page_put_real(struct page *page, const char *key, double number);
void page_put_flag(struct page *page, const char *key, bool flag);
void page_put_null(struct page *page, const char *key);
/* Adds a value that is JSON already. bytes: the length of json. */
void page_put_json(struct page *page, const char *key, const char *json, size_t bytes);
void page_open_object(struct page *page, const char *key);
void page_open_array(struct page *page, const char *key);
/* Ends the innermost open object or array. */
void page_close(struct page *page);

/* Returns a sink whose next table becomes the member: {"columns": [{key, title, unit}], "rows": [[…]]}. The page leaves out columns
 * that are text_only, empty or without a key. A function's id replaces the name; each name is written once, by id. An absent value
 * is null. An unsure value is in an array of one. The sink is valid until the next call of page_begin_table; until then the page
 * borrows key. */
struct table_sink page_begin_table(struct page *page, const char *key);
/* Sets the name of a function, if it has none yet. function: the function's id. name: copied; C++ names are shortened, as in
 * reports (util/short_name.h). */
void page_set_name(struct page *page, uint32_t function, const char *name);
bool page_has_name(const struct page *page, uint32_t function);

/* ---- columns of numbers, for long lists ---- */

enum page_numbers { PAGE_CALLS, PAGE_DENSITY, PAGE_STATES, PAGE_NUMBERS_COUNT };
/* Appends a number to a column. The view reads doubles: of numbers from 2^53 on, the last digits are lost. */
void page_add(struct page *page, enum page_numbers which, uint64_t number);
/* The same for a number that may be negative; the view decodes the sign. */
void page_add_signed(struct page *page, enum page_numbers which, int64_t number);

/* Returns whether nothing is missing so far. Without memory, or with objects and arrays nested too deep, something is. */
bool page_is_whole(const struct page *page);

/* Ends all pages and writes one file; afterwards no page takes members. The program in view/ finds the data of page k as "data-k",
 * and its numbers as "calls-k" and so on. out stays open. name: the name of out, for messages. Returns false on failure. Adds a
 * diag then, but none if the reader of out went away (EPIPE). */
bool pages_write(struct page *const *pages, size_t count, FILE *out, const char *name, struct diag *diag);

#endif
