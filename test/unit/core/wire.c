/* Frames between a target and the host: what is sent comes out, and nothing else does, whatever happens on the way. */
#include <stdlib.h>
#include <zlib.h>

#include "check.h"
#include "classic/core/wire.h"
#include "format_md.h"

static uint32_t state = 1;

static uint32_t pick(uint32_t count)
{
	state = state * 1664525 + 1013904223;
	return (state >> 8) % count;
}

TEST(crc_is_that_of_zip)
{
	uint8_t bytes[300];

	for (size_t i = 0; i < sizeof bytes; i++)
		bytes[i] = (uint8_t)pick(256);
	for (size_t size = 0; size < sizeof bytes; size++) {
		uint32_t pieces = dwell_wire_crc(dwell_wire_crc(0, bytes, size / 3), bytes + size / 3, size - size / 3);

		CHECK_EQ(dwell_wire_crc(0, bytes, size), crc32(0, bytes, (uInt)size));
		CHECK_EQ(pieces, crc32(0, bytes, (uInt)size));
	}
}

TEST(numbers)
{
	uint8_t at[4];

	dwell_wire_put32(at, 0x89abcdef);
	CHECK(!memcmp(at, "\xef\xcd\xab\x89", 4));
	CHECK_EQ(dwell_wire_get32(at), 0x89abcdef);
	CHECK_EQ(dwell_wire_get16(at), 0xcdef);
}

/* A frame as bytes; many bytes of it are flags and escapes. */
static size_t make(uint8_t *content, size_t size, uint8_t *frame)
{
	struct wire_sender sender = {.count = 0};
	size_t count = 0;

	for (size_t i = 0; i < size; i++)
		content[i] = (uint8_t)(pick(3) ? pick(256) : WIRE_ESCAPE + pick(2));
	memcpy(sender.bytes, content, size);
	dwell_wire_begin(&sender, size);
	while (dwell_wire_next(&sender, &frame[count]))
		count++;
	CHECK(!dwell_wire_sends(&sender));
	return count;
}

TEST(whole_frames)
{
	static struct wire_receiver receiver;
	uint8_t content[WIRE_CONTENT_MAX], frame[2 * WIRE_CONTENT_MAX + 20];

	for (size_t size = WIRE_HEAD_BYTES; size <= WIRE_CONTENT_MAX; size++)
		for (int round = 0; round < 20; round++) {
			size_t count = make(content, size, frame), got = 0;

			CHECK(memchr(frame + 1, WIRE_FLAG, count - 2) == NULL);
			for (size_t i = 0; i < count; i++) {
				got = dwell_wire_receive(&receiver, frame[i]);
				CHECK_EQ(got, i + 1 == count ? size : 0);
			}
			CHECK(!memcmp(receiver.bytes, content, size));
		}
	CHECK_EQ(receiver.damaged, 0);
}

/* Whether the byte ends a frame; which is then the one that was sent. */
static size_t is_frame(struct wire_receiver *receiver, uint8_t byte, const uint8_t *content, size_t size)
{
	size_t got = dwell_wire_receive(receiver, byte);

	CHECK(!got || (got == size && !memcmp(receiver->bytes, content, size)));
	return got != 0;
}

/* With a byte changed, left out, or one too many, it is no frame; the one behind it is. */
TEST(damaged_frames)
{
	uint8_t content[WIRE_CONTENT_MAX], frame[2 * WIRE_CONTENT_MAX + 20], good[WIRE_CONTENT_MAX], behind[100];
	size_t behind_count = make(good, 20, behind);

	for (int round = 0; round < 3000; round++) {
		struct wire_receiver receiver = {.count = 0};
		size_t size = WIRE_HEAD_BYTES + pick(WIRE_CONTENT_MAX - WIRE_HEAD_BYTES + 1), count = make(content, size, frame);
		size_t at = pick((uint32_t)count), frames = 0;
		uint32_t what = pick(3);

		for (size_t i = 0; i < count; i++) {
			if (i == at && what == 0)
				continue;
			if (i == at && what == 1)
				frame[i] ^= (uint8_t)(1 << pick(8));
			if (i == at && what == 2)
				frames += is_frame(&receiver, (uint8_t)pick(256), content, size);
			frames += is_frame(&receiver, frame[i], content, size);
		}
		/* Its flags may be damaged without harm, or another one may stand before them. */
		CHECK(frames <= 1);
		CHECK(!frames || at == 0 || at + 1 >= count);
		frames = 0;
		for (size_t i = 0; i < behind_count; i++) {
			size_t got = dwell_wire_receive(&receiver, behind[i]);

			/* The first flag may end the one before. */
			CHECK(!got || (i == 0 && got == size) || got == 20);
			frames += i && got == 20 && !memcmp(receiver.bytes, good, 20);
		}
		CHECK_EQ(frames, 1);
	}
}

TEST(too_long)
{
	struct wire_receiver receiver = {.count = 0};

	dwell_wire_receive(&receiver, WIRE_FLAG);
	for (int i = 0; i < 100000; i++)
		CHECK_EQ(dwell_wire_receive(&receiver, 1), 0);
	CHECK_EQ(dwell_wire_receive(&receiver, WIRE_FLAG), 0);
	CHECK_EQ(receiver.damaged, 1);
}

/* Where a text's sum looks: inside of it, in order, spread over all of it. */
TEST(pieces_of_a_text)
{
	for (uint32_t bytes = 4; bytes < 0xfffffff0 - bytes / 3; bytes += bytes / 3 / 4 * 4 + 4) {
		uint32_t before = 0;

		for (uint32_t i = 0; i < WIRE_SUM_PIECES; i++) {
			uint32_t at = dwell_wire_sum_at(bytes, i);

			CHECK(at % 4 == 0 && at + WIRE_SUM_BYTES <= bytes && at >= before);
			CHECK(at - before <= bytes / WIRE_SUM_PIECES + 8);
			before = at;
		}
		CHECK(bytes - before <= bytes / WIRE_SUM_PIECES * 2 + 8);
	}
}

/* FORMAT.md's, frame by frame. */
TEST(example)
{
	static const uint8_t types[] = {
		WIRE_HELLO, WIRE_WELCOME, WIRE_SEGMENT, WIRE_EXTENT, WIRE_GET, WIRE_DATA, WIRE_TAKE, WIRE_TAKEN};
	static const uint8_t sizes[] = {5, WIRE_WELCOME_BYTES, 2, WIRE_EXTENT_BYTES, 6, WIRE_DATA_HEAD_BYTES + 2 * WIRE_ENTRY_BYTES,
		4 + WIRE_DATA_HEAD_BYTES + 2 * WIRE_ENTRY_BYTES, 4};
	static uint8_t bytes[1024];
	struct wire_receiver receiver = {.count = 0};
	struct wire_sender sender = {.count = 0};
	size_t frames = 0, at = 0;

	CHECK_EQ(load_format_example("wire", bytes, sizeof bytes), 1);
	for (size_t i = 0; i < sizeof bytes && frames < sizeof types; i++) {
		size_t size = dwell_wire_receive(&receiver, bytes[i]);
		uint8_t byte;

		if (!size)
			continue;
		CHECK_EQ(receiver.bytes[0], types[frames]);
		CHECK_EQ(size, WIRE_HEAD_BYTES + sizes[frames]);
		/* And made again, it is the same bytes. */
		memcpy(sender.bytes, receiver.bytes, size);
		dwell_wire_begin(&sender, size);
		while (dwell_wire_next(&sender, &byte))
			CHECK_EQ(bytes[at++], byte);
		CHECK_EQ(at, i + 1);
		frames++;
	}
	CHECK_EQ(frames, sizeof types);
	CHECK_EQ(receiver.damaged, 0);
}

int main(void)
{
	RUN(crc_is_that_of_zip);
	RUN(numbers);
	RUN(whole_frames);
	RUN(damaged_frames);
	RUN(too_long);
	RUN(pieces_of_a_text);
	RUN(example);
	return tap_done();
}
