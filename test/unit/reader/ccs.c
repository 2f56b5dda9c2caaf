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
	check_document(write_values("1651 2 80000000 0 24\n", "%d", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 3 80000000 0 24\n", "%u", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 9 88675cac 0 24 c\n", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 9 88675cac 0 24 c\n", "%u", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("1651 9 88675cac 0 24 c\n", "%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "0x%X", "\r\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "%08X", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "%#x", "\n", DOCUMENT_WORDS), &found, NULL); /* a bare 0 */
	check_document(write_values("\n\n", "0x%08X", "  \n\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", " %u", "", DOCUMENT_WORDS), &as_ccs, NULL); /* no line at all */
}

/* What editors make of it. */
TEST(as_it_is_saved_again)
{
	check_document(write_values("1651 1 0 0 0\r", "0x%08X", "\r", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("", "0x%08X", "\r", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("\xef\xbb\xbf" "1651 1 0 0 0\r\n", "0x%08X", "\r\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("\xef\xbb\xbf", "%08x", "\n", DOCUMENT_WORDS), &found, NULL);
	check_document(write_values("\n \n1651 1 0 0 0\n", "0x%08X", "\n", DOCUMENT_WORDS), &found, NULL);
}

/* Decimals may be negative: words with the highest bit. */
TEST(signed_decimals)
{
	static const char text[] = "1651 2 0 0 0\n-2147483648\n-1\n0\n-2147483647\n1\n1\n";
	struct seen *seen = begin(text, strlen(text), &found);

	CHECK(strstr(seen->text, "enter 0:80000000@ffffffff\nexit 0:80000000@100000001\n"));
	end(seen, 0, NULL);
}

static void check_numbers(const char *header, const char *values, const char *want, const char *said)
{
	char text[1024];
	struct seen *seen;

	snprintf(text, sizeof text, "%s%s", header, values);
	seen = begin(text, strlen(text), &as_ccs);
	CHECK(want ? strstr(seen->text, want) != NULL : !*seen->text);
	end(seen, want ? 0 : 2, said);
}

/* Headers say hex and mean decimal. */
TEST(decimals_told_by_themselves)
{
	static const char hex[] = "1651 1 0 0 0\n", other[] = "1651 9 0 0 0 c\n", want[] = "enter 0:c000e8c@100\nexit 0:c000e8c@200\n";
	static const char few[] = "12586636\n256\n0\n12586637\n512\n0\n";

	check_numbers(hex, "201330316\n256\n0\n201330317\n512\n0\n", want, NULL);
	check_numbers(hex, "16\n128\n0\n-2147483648\n200\n0\n", "enter 0:10@80\nenter 0:80000000@c8\n", NULL);
	check_numbers(hex, "16\n128\n0\n201330316\n200\n0\n", "enter 0:10@80\nenter 0:c000e8c@c8\n", NULL);
	check_numbers(hex, few, NULL, "x.bin:0xd: may be hexadecimal, as the header says, or decimal");
	check_numbers("1651 2 0 0 0\n", few, "enter 0:c00e8c@100\nexit 0:c00e8c@200\n", NULL);
	check_numbers(other, few, "enter 0:c00e8c@100\nexit 0:c00e8c@200\n", NULL);
	check_numbers("", few, "enter 0:c00e8c@100\nexit 0:c00e8c@200\n", NULL);
	/* Hex without an a to f: by a 0 in front, by a 0x in front of another. */
	check_numbers(hex, "12586634\n00000256\n0\n12586634\n512\n0\n", "enter 0:12586634@256\n", NULL);
	check_numbers(hex, "12586634\n0x256\n0\n12586634\n512\n0\n", "enter 0:12586634@256\n", NULL);
	check_numbers(hex, "8\n0\n0\n0\n1\n0\n0\n0\n0\n0\n0\n0\n9\n0\n0\n0\n2\n0\n0\n0\n0\n0\n0\n0\n", "enter 0:8@1\nexit 0:8@2\n", NULL); /* bytes, the same in both */
	/* Both. */
	check_numbers(hex, "c000e8c\n256\n0\n201330317\n512\n0\n", NULL, "x.bin:0x1b: is decimal, as 1 of 6 values are, and others are hexadecimal");
	check_numbers("1651 2 0 0 0\n", "0C000E8C\n00000256\n0\n0C000E8D\n00000512\n0\n", NULL,
		"x.bin:0xd: is hexadecimal, as 2 of 6 values are, and others are decimal");
}

static void check_parts(uint32_t bytes, bool is_big, const char *form, const char *kind)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);
	struct seen *seen;

	fputs("1651 6 80000000 0 0\n", out);
	for (size_t i = 0; i < DOCUMENT_WORDS; i++)
		for (uint32_t at = 0; at < 4; at += bytes)
			fprintf(out, form, document[i] >> 8 * (is_big ? 4 - bytes - at : at) & (bytes == 1 ? 0xff : 0xffff));
	fclose(out);
	seen = begin(text, length, &found);
	CHECK(strstr(seen->text, kind) && strstr(seen->text, document_text));
	end(seen, 0, NULL);
	free(text);
}

TEST(bytes_and_half_words)
{
	for (int is_big = 0; is_big < 2; is_big++) {
		check_parts(1, is_big, "%u\n", "CCS text of bytes");
		check_parts(1, is_big, "0x%02X\n", "CCS text of bytes");
		check_parts(2, is_big, "0x%04X\n", "CCS text of half words");
		check_parts(2, is_big, "%u\n", "CCS text of half words");
	}
}

/* ---- floating point ---- */

static float float_of(uint32_t word)
{
	float value;

	memcpy(&value, &word, sizeof value);
	return value;
}

/* As few digits as tell the number from all others, as some do. */
static void put_shortest(FILE *out, uint32_t word)
{
	char text[64];

	for (int digits = 1; digits <= 9; digits++) {
		snprintf(text, sizeof text, "%.*e", digits - 1, float_of(word));
		if (strtof(text, NULL) == float_of(word))
			break;
	}
	fprintf(out, "%s\n", text);
}

/* form: null: the shortest. */
static char *write_floats(const char *header, const char *form, const uint32_t *words, size_t count)
{
	size_t length;
	char *text;
	FILE *out = open_memstream(&text, &length);

	fputs(header, out);
	for (size_t i = 0; i < count; i++) {
		if (!form)
			put_shortest(out, words[i]);
		else
			fprintf(out, form, float_of(words[i]));
	}
	fclose(out);
	return text;
}

static void check_floats(char *take_text, const char *want, int status, const char *said)
{
	struct seen *seen = begin(take_text, strlen(take_text), &found);

	if (want)
		CHECK(strstr(seen->text, "CCS text of floating point") && strstr(seen->text, want));
	else
		CHECK(!*seen->text);
	end(seen, status, said);
	free(take_text);
}

TEST(floating_point)
{
	static const uint32_t none[] = {0x0c000e8c, 1, 0, UINT32_MAX, UINT32_MAX, UINT32_MAX, 0x0c000e8d, 0x7f800000, 0, /* and */
		0x80000000, 2, 1, 0x0c000e8d, 0x7fc12345, 1};
	static const uint32_t small[] = {0x3fc00000, 0x40200000, 0x41280000}; /* 1.5, 2.5, 10.5 */
	static uint32_t many[3000];
	struct seen *seen;
	char *text;

	check_floats(write_floats("1651 4 90000000 0 24\n", "%.8e\n", document, DOCUMENT_WORDS), document_text, 0, NULL);
	check_floats(write_floats("1651 4 90000000 0 24\r\n", "%.9g\r\n", document, DOCUMENT_WORDS), document_text, 0, NULL);
	check_floats(write_floats("1651 9 90000000 0 24 c\n", "%.12e\n", document, DOCUMENT_WORDS), document_text, 0, NULL);
	for (uint32_t i = 0; i < sizeof many / sizeof *many; i++)
		many[i] = i % 3 == 0 ? 0x0c000000 + i * 52 : i % 3 == 1 ? 1000 + i * 77777 : 0;
	check_floats(write_floats("1651 4 90000000 0 0\n", NULL, many, 30), NULL, 2, "could be several words"); /* nobody can tell that it is those */
	check_floats(write_floats("1651 4 90000000 0 0\n", NULL, many, sizeof many / sizeof *many), "enter 0:c000000@133b9\n", 0, NULL);
	/* With seven digits some are another word, with six all, and with none it is nothing. */
	check_floats(write_floats("1651 4 90000000 0 24\n", "%e\n", document, DOCUMENT_WORDS), NULL, 2, "x.bin:0x126: is saved as floating point");
	check_floats(write_floats("1651 4 90000000 0 24\n", "%.5e\n", document, DOCUMENT_WORDS), NULL, 2, "x.bin:0x15: is saved as floating point");
	check_floats(write_floats("1651 4 90000000 0 24\n", "%f\n", document, DOCUMENT_WORDS), NULL, 2, "could be several words");
	check_floats(write_floats("1651 4 90000000 0 3\n", "%.2f\n", small, 3), NULL, 2, "could be several words");
	check_floats(write_floats("1651 4 90000000 0 3\n", "%.7f\n", small, 3), "enter 0:3fc00000@4128000040200000\n", 0, NULL);
	/* What was never written, infinity, minus 0, and what has lost its bits. */
	text = write_floats("1651 4 90000000 0 f\n", "%.8e\n", none, sizeof none / sizeof *none);
	seen = begin(text, strlen(text), &found);
	CHECK(strstr(seen->text, "enter 0:c000e8c@1\nexit 0:c000e8c@7f800000\nenter 0:80000000@100000002\n"));
	CHECK_EQ(seen->health.events, 3);
	CHECK_EQ(seen->health.holes, 2);
	CHECK_EQ(seen->health.bytes_skipped, 12);
	end(seen, 1, "1 records are left out: a word of them is no number as floating point");
	free(text);
	text = strdup("1651 4 90000000 0 3\n1.00000000e0\n-1.#IND\n1e\n");
	end(begin(text, strlen(text), &found), 1, "'1e' is no number of 32 bits (expected: floating point)");
	free(text);
}

/* A value that is none takes its record, and no other. */
TEST(damaged_values)
{
	static const char *const bad[] = {"0x0C00G024", "0x10C000E24", "-", "0x", "12a", "-2147483649", "4294967296", "'''"};

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
		if (!strcmp(bad[i], "12a")) { /* hex, and no time */
			CHECK(strstr(seen->text, "enter 0:c000e8c@64aaa8\nexit 0:c000e24@64abea\n"));
			end(seen, 1, "x.bin: ProfileData[1], of 0xc000e24, has the time 0x12a0064ab16, which does not fit");
		} else {
			CHECK(!strstr(seen->text, "enter 0:c000e24"));
			CHECK(strstr(seen->text, "enter 0:c000e8c@64aaa8\nexit 0:c000e24@64abea\n"));
			CHECK(seen->health.bytes_skipped > 0);
			end(seen, 1, "is no number of 32 bits");
		}
		free(text);
	}
}

TEST(what_is_no_text_of_memory)
{
	static const char wide[] = "\xff\xfe" "1\0006\0005\0001\0 \0001\0";

	end(begin(wide, sizeof wide - 1, &(struct reader_options){.otherwise = "c6000"}), 2, "this is text in UTF-16: save it as UTF-8 first");
	static const char odd[] = "0x10000\n0x2\n0x3\n0x4\n", decimals[] = "12\n13\n14\n", unlike[] = "0x1 0x2\n0x3\n0x4\n0x5\n", zeros[] = "0\n0\n0\n0\n";

	end(begin(odd, strlen(odd), &found), 1, "1 values at the end are no whole record");
	end(begin(decimals, strlen(decimals), &found), 2, "of no format known here");
	end(begin(unlike, strlen(unlike), &found), 2, "of no format known here");
	end(begin(zeros, strlen(zeros), &found), 2, "of no format known here");
	end(begin("1651 1 0 0 0\n", 13, &found), 1, "holds no record");
	end(begin("1651 1 0 0 0", 12, &found), 1, "holds no record");
	end(begin("", 0, &as_ccs), 1, "holds no record");
	end(begin("1651\n", 5, &as_ccs), 1, "1 values at the end are no whole record");
}

/* Words that lie across the border between two reads, and one that is longer than what is read at a time. */
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
	RUN(as_it_is_saved_again);
	RUN(signed_decimals);
	RUN(decimals_told_by_themselves);
	RUN(bytes_and_half_words);
	RUN(floating_point);
	RUN(damaged_values);
	RUN(what_is_no_text_of_memory);
	RUN(a_long_text);
	return tap_done();
}
