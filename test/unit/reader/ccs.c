/* Memory that Code Composer Studio saved as text, in the ways it and others write it; and what is no such text. */
#include "unit/reader/hook_seen.h"

static const struct reader_options found, as_ccs = {.format = "ccs"};

/* The document's records in some form, one value a line. */
static char *write_values(const char *header, const char *form, const char *end_of_line, size_t count)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	fputs(header, out);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, form, document[i]);
		fputs(end_of_line, out);
	}
	fclose(out);
	return text;
}

static void check_document(char *take_text, const struct reader_options *options, const char *said)
{
	struct seen *seen = begin(take_text, strlen(take_text), options);
	char want[4096];

	snprintf(want, sizeof want, "C6000 records, CCS text of words, 0 Hz, bare\n%s", document_text);
	CHECK_STR(seen->text, want);
	CHECK_EQ(seen->health.bytes_total, strlen(take_text));
	end(seen, 0, said);
	free(take_text);
}

TEST(as_the_document_prints_it)
{
	check_document(write_values("1651 1 90000000 0 60000\n", "0x%08X", "\n", DOCUMENT_WORDS), &found,
		"the header speaks of 393216 values, 36 are there");
	check_document(write_values("1651 1 90000000 0 24\n", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
}

TEST(as_others_write_it)
{
	check_document(write_values("1651 1 0 0 0\r\n", "0x%08x", "\r\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 1 80000000 0 3\n", "%08x", "\n", DOCUMENT_WORDS), &found, NULL); /* longer than it says */
	check_document(write_values("1651 9 88675cac 0 24 c\n", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 9 88675cac 0 24 c\n", "%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "0x%X", "\r\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "%#x", "\n", DOCUMENT_WORDS), &found, NULL); /* a bare 0 */
	check_document(write_values("\n\n", "0x%08X", "  \n\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("\xef\xbb\xbf" "1651 1 80000000 0 24\r\n", "0x%08x", "\r\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("\xef\xbb\xbf", "%08X", "\n", DOCUMENT_WORDS), &found, NULL);
}

/* What is not hex is refused, and told how to be saved. */
TEST(other_formats)
{
	static const char *const heads[] = {"1651 2 0 0 0\n", "1651 3 0 0 0\n", "1651 4 0 0 0\n", "1651 6 0 0 0\n"};

	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		char *text = write_values(heads[i], "%u", "\n", DOCUMENT_WORDS);

		end(begin(text, strlen(text), &found), 2, "save the memory as 32-bit hex, C style, which is format 1");
		free(text);
	}
}

/* A value that is none takes its record, and no other. */
TEST(damaged_values)
{
	static const char *const bad[] = {"0x0C00G024", "0x10C000E24", "-", "0x", "12g", "-2147483649", "4294967296", "'''"};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		size_t length;
		char *text;
		FILE *out = open_memstream(&text, &length);
		struct seen *seen;

		fputs("1651 9 90000000 0 0\n", out);
		for (size_t k = 0; k < DOCUMENT_WORDS; k++)
			if (k == 5)
				fprintf(out, "%s\n", bad[i]);
			else
				fprintf(out, "0x%08X\n", document[k]);
		fclose(out);
		seen = begin(text, length, &found);
		CHECK(!strstr(seen->text, "enter 0:c000e24"));
		CHECK(strstr(seen->text, "enter 0:c000e8c@64aaa8\nexit 0:c000e24@64abea\n"));
		CHECK(seen->health.bytes_skipped > 0);
		end(seen, 1, "is no number of 32 bits");
		free(text);
	}
}

TEST(what_is_no_text_of_memory)
{
	static const char wide[] = "\xff\xfe" "1\0006\0005\0001\0 \0001\0";

	end(begin(wide, sizeof wide - 1, &(struct reader_options){.otherwise = "c6000"}), 2, "this is text in UTF-16: save it as UTF-8 first");
	static const char odd[] = "0x10000\n0x2\n0x3\n0x4\n", decimals[] = "12\n13\n14\n", unlike[] = "0x1 0x2\n0x3\n0x4\n0x5\n", zeros[] = "0\n0\n0\n0\n";

	end(begin(odd, strlen(odd), &found), 1, "1 values at the end are no whole record");
	end(begin(decimals, strlen(decimals), &found), 2, "is no recording that dwell knows");
	end(begin(unlike, strlen(unlike), &found), 2, "is no recording that dwell knows");
	end(begin(zeros, strlen(zeros), &found), 2, "is no recording that dwell knows");
	end(begin("1651 1 0 0 0\n", 13, &found), 1, "holds no record");
	end(begin("1651 1 0 0 0", 12, &found), 1, "holds no record");
	end(begin("", 0, &as_ccs), 1, "holds no record");
	end(begin("1651\n", 5, &as_ccs), 1, "1 values at the end are no whole record");
}

/* Lines that lie across the border between two reads, and a long one. */
TEST(a_long_text)
{
	enum { RECORDS = 30000 };
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	struct seen *seen;

	fputs("1651 1 90000000 0 0\n", out);
	for (uint32_t i = 0; i < RECORDS; i++)
		fprintf(out, "0x0C000E2%d\n0x%x\n0\n", i & 1 ? 5 : 4, i + 1);
	for (uint32_t i = 0; i < 100000; i++)
		fputc('7', out);
	fclose(out);
	seen = begin(text, length, &found);
	CHECK_EQ(seen->health.events, RECORDS);
	CHECK(seen->health.bytes_skipped > 0);
	end(seen, 1, "'77777777777777777777777777777777' is no number of 32 bits");
	free(text);
}

int main(void)
{
	RUN(as_the_document_prints_it);
	RUN(as_others_write_it);
	RUN(other_formats);
	RUN(damaged_values);
	RUN(what_is_no_text_of_memory);
	RUN(a_long_text);
	return tap_done();
}
