/* json_list: the items of one list in a text of JSON, as pieces of the text: the list that is all of it, or the one that an
 * object has under a key.
 *
 *     if (json_list_begin(&list, text, size, "traceEvents"))
 *             while (json_list_next(&list, &begin, &bytes))
 *                     …text + begin, bytes…
 *
 * What an item is made of is not looked at beyond its quotes and brackets; the text is, to its end. */
#ifndef DWELL_HOST_READER_JSON_LIST_H
#define DWELL_HOST_READER_JSON_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct json_list {
	const char *text; /* borrowed */
	size_t size, at;
	bool in_object, is_first;
	const char *problem; /* where it stopped, at; null: none */
};

/* False: there is no such list, or the text in front of it is no JSON. */
bool json_list_begin(struct json_list *list, const char *text, size_t size, const char *key);
/* False: there is no other one, and list->problem says if that is not the end. */
bool json_list_next(struct json_list *list, size_t *begin, size_t *bytes);

#endif
