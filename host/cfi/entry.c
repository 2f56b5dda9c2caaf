/* entry: parses CIEs and FDEs (entry.h). */
#include "cfi/entry.h"

/* Encodings of pointers: DW_EH_PE_… of the Linux Standard Base. */
enum {
	PE_ABSPTR = 0x00,
	PE_ULEB = 0x01,
	PE_U2 = 0x02,
	PE_U4 = 0x03,
	PE_U8 = 0x04,
	PE_SLEB = 0x09,
	PE_S2 = 0x0a,
	PE_S4 = 0x0b,
	PE_S8 = 0x0c,
	PE_PCREL = 0x10,
	PE_OMIT = 0xff,
};

/* Reads the length of a CIE or FDE and moves the cursor behind it. *wide: the record has the 64-bit form. False: no more entries,
 * or the section is too short for this one. */
static bool take_length(struct cursor *cursor, uint64_t *length, bool *wide)
{
	*length = cursor_take(cursor, 4);
	*wide = *length == 0xffffffff;
	if (*wide)
		*length = cursor_take(cursor, 8);
	return !cursor->bad && *length && bytes_have(cursor->bytes, cursor->at, *length);
}

uint64_t cfi_take_pointer(struct cursor *cursor, const struct cfi_section *section, uint8_t encoding)
{
	uint64_t place = section->address + cursor->at, value;

	switch (encoding & 0x0f) {
	case PE_ABSPTR:
		value = cursor_take(cursor, section->pointer_bytes);
		break;
	case PE_ULEB:
		value = cursor_take_uleb(cursor);
		break;
	case PE_U2:
		value = cursor_take(cursor, 2);
		break;
	case PE_U4:
		value = cursor_take(cursor, 4);
		break;
	case PE_U8:
		value = cursor_take(cursor, 8);
		break;
	case PE_SLEB:
		value = (uint64_t)cursor_take_sleb(cursor);
		break;
	case PE_S2:
		value = (uint64_t)cursor_take_signed(cursor, 2);
		break;
	case PE_S4:
		value = (uint64_t)cursor_take_signed(cursor, 4);
		break;
	case PE_S8:
		value = (uint64_t)cursor_take_signed(cursor, 8);
		break;
	default:
		cursor->bad = true;
		return 0;
	}
	if ((encoding & 0x70) == PE_PCREL)
		value += place;
	else if (encoding & 0x70)
		cursor->bad = true; /* relative to a base that compilers do not use here */
	return section->pointer_bytes == 4 ? (uint32_t)value : value;
}

/* Reads the CIE at offset. False: there is none, it is damaged, or it has a version or augmentation that compilers do not write. */
static bool read_cie(const struct cfi_section *section, uint64_t offset, struct cfi_cie *cie)
{
	struct cursor cursor = {.bytes = section->bytes, .at = (size_t)offset};
	uint64_t length, end, id;
	const char *augmentation;
	uint8_t version;
	bool wide;

	*cie = (struct cfi_cie){.encoding = PE_ABSPTR, .lsda_encoding = PE_OMIT};
	if (offset > section->bytes.size || !take_length(&cursor, &length, &wide))
		return false;
	end = cursor.at + length;
	cursor.bytes.size = (size_t)end;
	id = cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	if (section->is_debug_frame ? id != (wide ? UINT64_MAX : 0xffffffff) : id != 0)
		return false;
	version = (uint8_t)cursor_take(&cursor, 1);
	if (version != 1 && version != 3 && version != 4)
		return false;
	augmentation = (const char *)cursor.bytes.data + cursor.at;
	while (!cursor.bad && cursor_take(&cursor, 1))
		;
	if (cursor.bad)
		return false;
	if (version == 4 && (cursor_take(&cursor, 1) != section->pointer_bytes || cursor_take(&cursor, 1)))
		return false;
	cie->code_align = cursor_take_uleb(&cursor);
	cie->data_align = cursor_take_sleb(&cursor);
	cie->ra = (uint8_t)(version == 1 ? cursor_take(&cursor, 1) : cursor_take_uleb(&cursor));
	if (*augmentation == 'z') {
		uint64_t bytes = cursor_take_uleb(&cursor);
		struct cursor data = {.bytes = cursor.bytes, .at = cursor.at};

		cie->has_data = true;
		for (augmentation++; *augmentation; augmentation++) {
			if (*augmentation == 'R')
				cie->encoding = (uint8_t)cursor_take(&data, 1);
			else if (*augmentation == 'P')
				cfi_take_pointer(&data, section, (uint8_t)(cursor_take(&data, 1) & 0x7f));
			else if (*augmentation == 'L')
				cie->lsda_encoding = (uint8_t)cursor_take(&data, 1);
			else if (*augmentation == 'S')
				cie->is_signal = true;
			else if (*augmentation != 'B') /* B: return addresses are signed */
				break;
		}
		if (data.bad)
			return false;
		cursor_take_block(&cursor, bytes);
	} else if (*augmentation) {
		return false;
	}
	cie->program = cursor_take_block(&cursor, cursor.bad ? 0 : end - cursor.at);
	return !cursor.bad;
}

/* Reads the code range and the program of an FDE. pre: the cursor is behind the FDE's CIE pointer. */
static bool read_fde(struct cursor *cursor, const struct cfi_section *section, const struct cfi_cie *cie, struct cfi_entry *entry,
	struct bytes *program)
{
	uint64_t bytes;

	entry->low = cfi_take_pointer(cursor, section, cie->encoding);
	entry->high = entry->low + cfi_take_pointer(cursor, section, cie->encoding & 0x0f);
	if (cie->has_data) {
		bytes = cursor_take_uleb(cursor);
		cursor_take_block(cursor, bytes);
	}
	*program = cursor_take_block(cursor, cursor->bad ? 0 : cursor->bytes.size - cursor->at);
	return !cursor->bad && entry->high >= entry->low;
}

bool cfi_next(const struct cfi_section *section, uint64_t *offset, struct cfi_entry *entry)
{
	struct cursor cursor = {.bytes = section->bytes, .at = (size_t)*offset};
	uint64_t length, end, id, at;
	struct bytes program;
	struct cfi_cie cie;
	bool wide;

	*entry = (struct cfi_entry){.fde = (uint32_t)*offset};
	if (*offset >= section->bytes.size || section->bytes.size > UINT32_MAX || !take_length(&cursor, &length, &wide))
		return false;
	end = cursor.at + length;
	*offset = end;
	cursor.bytes.size = (size_t)end;
	at = cursor.at;
	id = cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	if (section->is_debug_frame ? id == (wide ? UINT64_MAX : 0xffffffff) : !id)
		return true; /* a CIE */
	if (!section->is_debug_frame && id > at)
		return true;
	id = section->is_debug_frame ? id : at - id;
	entry->cie = (uint32_t)id;
	if (id > UINT32_MAX || !read_cie(section, id, &cie) || !read_fde(&cursor, section, &cie, entry, &program))
		entry->high = entry->low = 0;
	return true;
}

bool cfi_read_entry(const struct cfi_section *section, const struct cfi_entry *entry, struct cfi_cie *cie, struct bytes *program)
{
	struct cursor cursor = {.bytes = section->bytes, .at = entry->fde};
	struct cfi_entry unused_range;
	uint64_t length;
	bool wide;

	if (!read_cie(section, entry->cie, cie) || !take_length(&cursor, &length, &wide))
		return false;
	cursor.bytes.size = cursor.at + (size_t)length;
	cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	return read_fde(&cursor, section, cie, &unused_range, program);
}

bool cfi_get_lsda(const struct cfi_section *section, const struct cfi_entry *entry, uint64_t *address)
{
	struct cursor cursor = {.bytes = section->bytes, .at = entry->fde};
	uint64_t length, place;
	struct cfi_cie cie;
	bool wide;

	if (!read_cie(section, entry->cie, &cie) || cie.lsda_encoding == PE_OMIT || !cie.has_data ||
		!take_length(&cursor, &length, &wide))
		return false;
	cursor.bytes.size = cursor.at + (size_t)length;
	cursor_take(&cursor, wide && section->is_debug_frame ? 8 : 4);
	cfi_take_pointer(&cursor, section, cie.encoding);
	cfi_take_pointer(&cursor, section, cie.encoding & 0x0f);
	if (!cursor_take_uleb(&cursor))
		return false;
	place = (cie.lsda_encoding & 0x70) == PE_PCREL ? section->address + cursor.at : 0;
	*address = cfi_take_pointer(&cursor, section, cie.lsda_encoding & 0x7f);
	return !cursor.bad && *address != place;
}
