/* SPDX-License-Identifier: MIT */
#include "port/cpu/x86_64/code.h"

/* What follows an opcode. The numbers below M are bytes of an operand in the code. */
enum {
	Z = 4,    /* 4 bytes, 2 behind an operand size prefix */
	V = 5,    /* 8 bytes behind REX.W, else as Z: mov of a constant */
	A = 6,    /* an address: 8 bytes, 4 behind an address size prefix */
	T = 7,    /* group 3: an operand for its test alone. With M */
	J = 8,    /* 4 bytes, whatever the prefixes */
	M = 16,   /* ModRM and what that brings */
	X = 32,   /* does not exist in 64-bit mode, or is a prefix that was dealt with */
};

static const uint8_t one_byte[256] = {
	/* 00 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 10 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 20 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 30 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 40 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, X, M, X, X, X, X, Z, M | Z, 1, M | 1, 0, 0, 0, 0,
	/* 70 */ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	/* 80 */ M | 1, M | Z, X, M | 1, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ A, A, A, A, 0, 0, 0, 0, 1, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */ 1, 1, 1, 1, 1, 1, 1, 1, V, V, V, V, V, V, V, V,
	/* c0 */ M | 1, M | 1, 2, 0, X, X, M | 1, M | Z, 3, 0, 2, 0, 0, 1, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ 1, 1, 1, 1, 1, 1, 1, 1, J, J, X, 1, 0, 0, 0, 0,
	/* f0 */ X, 0, X, X, 0, 0, M | T, M | T, 0, 0, 0, 0, 0, 0, M, M,
};

/* Behind 0f. */
static uint8_t two_bytes(uint8_t opcode)
{
	switch (opcode) {
	case 0x05: case 0x06: case 0x07: case 0x08: case 0x09: case 0x0b: case 0x0e:
	case 0x30: case 0x31: case 0x32: case 0x33: case 0x34: case 0x35: case 0x37: case 0x77:
	case 0xa0: case 0xa1: case 0xa2: case 0xa8: case 0xa9: case 0xaa:
	case 0xc8: case 0xc9: case 0xca: case 0xcb: case 0xcc: case 0xcd: case 0xce: case 0xcf:
		return 0;
	case 0x70: case 0x71: case 0x72: case 0x73: case 0xa4: case 0xac: case 0xba:
	case 0xc2: case 0xc4: case 0xc5: case 0xc6: case 0x0f:
		return M | 1;
	case 0x04: case 0x0a: case 0x0c: case 0x24: case 0x25: case 0x26: case 0x27: case 0x36: case 0x38: case 0x39: case 0x3a:
	case 0x3b: case 0x3c: case 0x3d: case 0x3e: case 0x3f:
		return X;
	default:
		return opcode >= 0x80 && opcode <= 0x8f ? J : M;
	}
}

/* The opcodes that came with VEX and EVEX have 1 byte in these places, as their elders have. */
static uint8_t vector(unsigned map, uint8_t opcode)
{
	if (map == 3)
		return M | 1;
	if (map == 1)
		return opcode == 0x77 ? 0 : two_bytes(opcode) == (M | 1) ? M | 1 : M;
	return map == 2 || map == 5 || map == 6 ? M : X;
}

struct walk {
	const uint8_t *at, *end;
	bool failed;
};

static uint8_t next(struct walk *walk)
{
	if (walk->at < walk->end)
		return *walk->at++;
	walk->failed = true;
	return 0;
}

static int64_t take_signed(struct walk *walk, unsigned bytes)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < bytes; i++)
		value |= (uint64_t)next(walk) << 8 * i;
	return bytes == 1 ? (int8_t)value : bytes == 2 ? (int16_t)value : bytes == 4 ? (int32_t)value : (int64_t)value;
}

/* ModRM, SIB and displacement; returns ModRM. */
static uint8_t take_modrm(struct walk *walk)
{
	uint8_t modrm = next(walk), base = modrm & 7, mod = modrm >> 6;

	if (mod == 3)
		return modrm;
	if (base == 4)
		base = next(walk) & 7;
	else if (base == 5 && mod == 0)
		mod = 2; /* from the instruction pointer: 4 bytes */
	if (base == 5 && mod == 0)
		mod = 2; /* no base at all */
	take_signed(walk, mod == 1 ? 1 : mod == 2 ? 4 : 0);
	return modrm;
}

struct prefixes {
	bool operand, address, wide;
};

static uint8_t take_prefixes(struct walk *walk, struct prefixes *prefixes)
{
	for (;;) {
		uint8_t byte = next(walk);

		switch (byte) {
		case 0x66:
			prefixes->operand = true;
			continue;
		case 0x67:
			prefixes->address = true;
			continue;
		case 0x26: case 0x2e: case 0x36: case 0x3e: case 0x64: case 0x65: case 0xf0: case 0xf2: case 0xf3:
			if (!walk->failed)
				continue;
		}
		if ((byte & 0xf0) == 0x40) {
			prefixes->wide = byte & 8;
			byte = next(walk);
		}
		return byte;
	}
}

static unsigned operand_bytes(uint8_t form, const struct prefixes *prefixes, uint8_t opcode, uint8_t modrm)
{
	unsigned z = prefixes->operand && !prefixes->wide ? 2 : 4;

	switch (form & 15) {
	case Z:
		return z;
	case V:
		return prefixes->wide ? 8 : z;
	case A:
		return prefixes->address ? 4 : 8;
	case J:
		return 4;
	case T:
		return modrm >> 3 & 6 ? 0 : opcode == 0xf6 ? 1 : z;
	default:
		return form & 3;
	}
}

/* The prefix of a vector instruction was read: the rest of it. False: it is none that is known. */
static bool take_vector(struct walk *walk, uint8_t prefix)
{
	uint8_t first = next(walk), form;
	unsigned map;

	if (prefix == 0xc5) {
		map = 1;
	} else if (prefix == 0x62) {
		map = first & 7;
		next(walk);
		next(walk);
	} else {
		map = first & 31;
		next(walk);
	}
	if (prefix == 0x8f) { /* XOP */
		next(walk);
		take_modrm(walk);
		take_signed(walk, map == 8 ? 1 : map == 10 ? 4 : 0);
		return map >= 8 && map <= 10;
	}
	form = vector(map, next(walk));
	if (form & M)
		take_modrm(walk);
	take_signed(walk, form & 1);
	return form != X;
}

static enum code_kind kind_of(bool escaped, uint8_t opcode, uint8_t modrm)
{
	if (escaped)
		return (opcode & 0xf0) == 0x80 ? CODE_BRANCH : CODE_OTHER;
	if ((opcode & 0xf0) == 0x70 || (opcode >= 0xe0 && opcode <= 0xe3))
		return CODE_BRANCH;
	if (opcode == 0xc3 || opcode == 0xc2)
		return CODE_RETURN;
	if (opcode == 0xe9 || opcode == 0xeb)
		return CODE_JUMP;
	if (opcode == 0xe8)
		return CODE_CALL;
	return opcode == 0xff && (modrm >> 3 & 7) >= 4 && (modrm >> 3 & 7) <= 5 ? CODE_JUMP_AWAY : CODE_OTHER;
}

struct code code_decode(uint64_t address, uint64_t end)
{
	const uint8_t *begin = (const uint8_t *)address;
	struct walk walk = {begin, (const uint8_t *)(end - address > 15 ? address + 15 : end), false};
	struct prefixes prefixes = {false, false, false};
	uint8_t opcode = take_prefixes(&walk, &prefixes), form, modrm = 0;
	struct code code = {0, CODE_OTHER, 0};
	bool escaped = opcode == 0x0f;
	int64_t operand;

	if (opcode == 0xc4 || opcode == 0xc5 || opcode == 0x62 || (opcode == 0x8f && walk.at < walk.end && (*walk.at & 31) >= 8)) {
		if (take_vector(&walk, opcode) && !walk.failed)
			code.bytes = (uint8_t)(walk.at - begin);
		return code;
	}
	form = one_byte[opcode];
	if (escaped) {
		opcode = next(&walk);
		form = two_bytes(opcode);
		if (opcode == 0x38 || opcode == 0x3a) {
			form = opcode == 0x38 ? M : M | 1;
			next(&walk);
			opcode = 0;
		}
	}
	if (form == X)
		return code;
	if (form & M)
		modrm = take_modrm(&walk);
	operand = take_signed(&walk, operand_bytes(form, &prefixes, opcode, modrm));
	if (walk.failed)
		return code;
	code.bytes = (uint8_t)(walk.at - begin);
	code.kind = kind_of(escaped, opcode, modrm);
	if (code.kind == CODE_JUMP || code.kind == CODE_BRANCH || code.kind == CODE_CALL)
		code.target = (uint64_t)walk.at + (uint64_t)operand;
	return code;
}
