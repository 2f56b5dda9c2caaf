/* inline_name: see inline_name.h. Compilers write mangled names of what other files can see only; what is around the others has to
 * be looked for from the unit inwards, as no entry knows its parent. */
#include "symbol/debug/inline_name.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbol/symbol.h"

#define CHAIN_MAX 16u  /* from a copy to what it is a copy of, as in libdw */
#define SCOPES_MAX 64u /* around a function */
#define PATH_BYTES_MAX 4096 /* of a file's name; a longer one is hostile */

bool inline_go_on(struct inline_work *work, Dwarf_Die *die)
{
	Dwarf_Off from = dwarf_dieoffset(die), to;

	if (dwarf_siblingof(die, die))
		return false;
	to = dwarf_dieoffset(die);
	return to > from && inline_spend(work, to - from);
}

/* As much of a text as may be shown. Null: there is none. */
static char *make_copy(struct inline_work *work, const char *text)
{
	size_t bytes = text ? strnlen(text, SYMBOL_DISPLAY_BYTES_MAX) : 0;

	return bytes && inline_spend(work, bytes) ? strndup(text, bytes) : NULL;
}

/* The entry that has the name: of the copy, that which it was made of. */
static bool find_named(Dwarf_Die *die)
{
	for (unsigned i = 0; i < CHAIN_MAX; i++) {
		Dwarf_Attribute attribute;
		Dwarf_Die next;

		if (dwarf_hasattr(die, DW_AT_name))
			return true;
		if (!dwarf_formref_die(dwarf_attr(die, DW_AT_abstract_origin, &attribute), &next) &&
			!dwarf_formref_die(dwarf_attr(die, DW_AT_specification, &attribute), &next))
			return false;
		*die = next;
	}
	return false;
}

static bool is_c(Dwarf_Die *unit)
{
	int language = dwarf_srclang(unit);

	return language == DW_LANG_C || language == DW_LANG_C89 || language == DW_LANG_C99 || language == DW_LANG_C11;
}

/* What is around the entry, from its unit inwards, without either. An entry is in the last one that begins before it. */
static uint32_t find_scopes(struct inline_work *work, Dwarf_Die *die, Dwarf_Die scopes[static SCOPES_MAX])
{
	Dwarf_Off target = dwarf_dieoffset(die);
	Dwarf_Die unit, at;
	uint32_t count = 0;

	if (!dwarf_diecu(die, &unit, NULL, NULL) || is_c(&unit) || dwarf_child(&unit, &at))
		return 0;
	for (;;) {
		Dwarf_Die next = at;

		while (dwarf_dieoffset(&at) != target && inline_go_on(work, &next) && dwarf_dieoffset(&next) <= target)
			at = next;
		if (dwarf_dieoffset(&at) == target)
			return count;
		if (count == SCOPES_MAX || dwarf_child(&at, &next))
			return 0;
		scopes[count++] = at;
		at = next;
	}
}

/* Null: it gives what is in it no name. own: the function's. */
static const char *scope_name(Dwarf_Die *scope, const char *own)
{
	const char *name = dwarf_diename(scope);

	switch (dwarf_tag(scope)) {
	case DW_TAG_namespace:
	case DW_TAG_module:
		return name ? name : "(anonymous namespace)";
	case DW_TAG_class_type:
	case DW_TAG_structure_type:
	case DW_TAG_union_type:
	case DW_TAG_enumeration_type:
		return name ? name : strncmp(own, "operator()", 10) ? "{unnamed type}" : "{lambda}";
	case DW_TAG_subprogram:
		return name;
	default:
		return NULL;
	}
}

static char *make_scoped_name(struct inline_work *work, Dwarf_Die *scopes, uint32_t count, const char *own)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *out = own && *own ? open_memstream(&text, &bytes) : NULL;

	if (!out)
		return NULL;
	for (uint32_t i = 0; i <= count; i++) {
		const char *name = i < count ? scope_name(&scopes[i], own) : own;
		size_t length = name ? strnlen(name, SYMBOL_DISPLAY_BYTES_MAX) : 0;

		if (length && !inline_spend(work, length))
			break;
		fprintf(out, "%.*s%s", (int)length, name ? name : "", name && i < count ? "::" : "");
	}
	if (!fclose(out) && work->left)
		return text;
	free(text);
	return NULL;
}

/* libdw takes 0 for no file, which since DWARF 5 is the first one. */
static const char *declared_file(Dwarf_Die *die, Dwarf_Die *unit)
{
	const char *file = dwarf_decl_file(die);
	Dwarf_Attribute attribute;
	Dwarf_Files *files;
	Dwarf_Word index;
	size_t count;

	if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) ||
		!dwarf_cu_die(attribute.cu, unit, NULL, NULL, NULL, NULL, NULL, NULL))
		return NULL;
	if (!file && !dwarf_formudata(&attribute, &index) && !index && !dwarf_getsrcfiles(unit, &files, &count))
		file = dwarf_filesrc(files, 0, NULL, NULL);
	return file;
}

/* A relative name is meant from where the compiler ran. */
static char *make_declared(struct inline_work *work, Dwarf_Die *die)
{
	const char *file, *folder = NULL;
	Dwarf_Attribute attribute;
	Dwarf_Die unit;
	char *text;
	int line;

	file = declared_file(die, &unit);
	if (!file || dwarf_decl_line(die, &line) || line <= 0)
		return NULL;
	if (file[0] != '/')
		folder = dwarf_formstring(dwarf_attr(&unit, DW_AT_comp_dir, &attribute));
	if (!inline_spend(work, strnlen(file, PATH_BYTES_MAX) + (folder ? strnlen(folder, PATH_BYTES_MAX) : 0)))
		return NULL;
	return asprintf(&text, "%.*s%s%.*s:%d", PATH_BYTES_MAX, folder ? folder : "", folder ? "/" : "", PATH_BYTES_MAX, file, line) < 0
		? NULL
		: text;
}

void inline_make_names(struct inline_work *work, Dwarf_Die *die, char **name, char **declared)
{
	Dwarf_Die scopes[SCOPES_MAX], named = *die;
	Dwarf_Attribute attribute;
	uint32_t count = 0;

	*name = make_copy(work, dwarf_formstring(dwarf_attr_integrate(die, DW_AT_linkage_name, &attribute)));
	if (!*name)
		*name = make_copy(work, dwarf_formstring(dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attribute)));
	if (!*name && find_named(&named)) {
		count = find_scopes(work, &named, scopes);
		*name = make_scoped_name(work, scopes, count, dwarf_diename(&named));
	}
	*declared = *name ? make_declared(work, die) : NULL;
	/* A lambda is where its type is. */
	if (*name && !*declared && count && dwarf_hasattr(&scopes[count - 1], DW_AT_decl_line))
		*declared = make_declared(work, &scopes[count - 1]);
}
