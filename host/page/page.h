/* page: what analyses say of a recording, as one file for a browser, which needs nothing else.
 *
 *     page = make_page();
 *     page_put_text(page, "file", path); …              members of one object
 *     sink = page_begin_table(page, "functions"); …     a table of any analysis is a member, too
 *     page_add(page, PAGE_CALLS, number); …             numbers of what there are a million of
 *     pages_write(&page, 1, out, …); free_page(page);
 *
 * A file may hold several: what one recording says is one, and what they say together is another.
 *
 * What it shows, and how, is in view/: the page's own program, which has these data and no others. Data are packed and stand in the page as
 * letters and digits alone, so no name in them can be anything else there; and names become text of elements, never markup. */
#ifndef DWELL_HOST_PAGE_PAGE_H
#define DWELL_HOST_PAGE_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "analysis/table.h"
#include "util/diag.h"

#define PAGE_VERSION 1 /* of the data: a page and its program are of one dwell always */
/* A name is shown that far; a browser draws no more. */
#define PAGE_NAME_BYTES_MAX 4096u

struct page;
/* Null when there is no memory. */
struct page *make_page(void);
void free_page(struct page *page);

/* ---- members, in whatever order; key null: an element of the array that is open ---- */

void page_put_text(struct page *page, const char *key, const char *text);
void page_put_count(struct page *page, const char *key, uint64_t count);
void page_put_signed(struct page *page, const char *key, int64_t number);
void page_put_real(struct page *page, const char *key, double number);
void page_put_flag(struct page *page, const char *key, bool flag);
void page_put_null(struct page *page, const char *key);
/* What is JSON already. */
void page_put_json(struct page *page, const char *key, const char *json, size_t bytes);
void page_open_object(struct page *page, const char *key);
void page_open_array(struct page *page, const char *key);
void page_close(struct page *page);

/* The next table that the sink is given becomes that member: {"columns": [{key, title, unit}], "rows": [[…]]}. A function's name is its id
 * there; names are told once, by their ids. A value that is unsure is in an array of its own. Valid until the next call. */
struct table_sink page_begin_table(struct page *page, const char *key);
/* What a function is called, when no table says so. C++ names are shortened, as in reports (util/short_name.h). */
void page_name(struct page *page, uint32_t function, const char *name);
bool page_has_name(const struct page *page, uint32_t function);

/* ---- columns of numbers, for what there is much of ---- */

enum page_numbers { PAGE_CALLS, PAGE_DENSITY, PAGE_STATES, PAGE_NUMBERS_COUNT };
void page_add(struct page *page, enum page_numbers which, uint64_t number);
/* Small ones of either sign are short. */
void page_add_signed(struct page *page, enum page_numbers which, int64_t number);

/* Nothing was left out for want of memory, so far. */
bool page_is_whole(const struct page *page);

/* Ends all pages and writes one file. The program finds the data of page k as "data-k", and its numbers as "calls-k" and so on. name is of out, for
 * messages. False and a diag when it could not be. */
bool pages_write(struct page *const *pages, size_t count, FILE *out, const char *name, struct diag *diag);

#endif
