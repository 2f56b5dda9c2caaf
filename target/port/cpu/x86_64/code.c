/* SPDX-License-Identifier: MIT
 *
 * Decodes x86-64 instructions by tables, with almost no branches: the kind of the next instruction is unpredictable, and each
 * mispredicted branch takes as long as the rest of the decoding.
 */
#include "port/cpu/x86_64/code.h"

/* An opcode's entry: the bytes that follow the opcode, and the kind of instruction. The numbers below M are sizes of an
 * operand in the code, in bytes. */
enum {
	Z = 4,    /* 4 bytes, 2 behind an operand size prefix */
	V = 5,    /* 8 bytes behind REX.W, else as Z: mov of a constant */
	A = 6,    /* an address: 8 bytes, 4 behind an address size prefix */
	J = 7,    /* 4 bytes, with any prefix */
	M = 8,    /* ModRM, SIB and displacement */
	T = 16,   /* group 3: only its test has the operand */
	X = 32,   /* invalid in 64-bit mode */
	P = 64,   /* a prefix */
	W = 128,  /* the first byte of a vector prefix (or of XOP) */
	E = 256,  /* one more byte of opcode */
	KIND = 512,
	R = CODE_RETURN * KIND,
	G = CODE_JUMP * KIND,
	B = CODE_BRANCH * KIND,
	C = CODE_CALL * KIND,
	I = CODE_JUMP_INDIRECT * KIND, /* only two opcodes of the group */
};

static const uint16_t one_byte[256] = {
	/* 00 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 10 */ M, M, M, M, 1, Z, X, X, M, M, M, M, 1, Z, X, X,
	/* 20 */ M, M, M, M, 1, Z, P, X, M, M, M, M, 1, Z, P, X,
	/* 30 */ M, M, M, M, 1, Z, P, X, M, M, M, M, 1, Z, P, X,
	/* 40 */ X, X, X, X, X, X, X, X, X, X, X, X, X, X, X, X,
	/* 50 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
	/* 60 */ X, X, W, M, P, P, P, P, Z, M | Z, 1, M | 1, 0, 0, 0, 0,
	/* 70 */ B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1, B | 1,
	/* 80 */ M | 1, M | Z, X, M | 1, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 90 */ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, X, 0, 0, 0, 0, 0,
	/* a0 */ A, A, A, A, 0, 0, 0, 0, 1, Z, 0, 0, 0, 0, 0, 0,
	/* b0 */ 1, 1, 1, 1, 1, 1, 1, 1, V, V, V, V, V, V, V, V,
	/* c0 */ M | 1, M | 1, R | 2, R, W, W, M | 1, M | Z, 3, 0, 2, 0, 0, 1, X, 0,
	/* d0 */ M, M, M, M, X, X, X, 0, M, M, M, M, M, M, M, M,
	/* e0 */ B | 1, B | 1, B | 1, B | 1, 1, 1, 1, 1, C | J, G | J, X, G | 1, 0, 0, 0, 0,
	/* f0 */ P, 0, P, P, 0, 0, M | T | 1, M | T | Z, 0, 0, 0, 0, 0, 0, M, M | I,
};

/* Opcodes behind 0f. */
static const uint16_t two_bytes[256] = {
	/* 00 */ M, M, M, M, X, 0, 0, 0, 0, 0, X, 0, X, M, 0, M | 1,
	/* 10 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 20 */ M, M, M, M, X, X, X, X, M, M, M, M, M, M, M, M,
	/* 30 */ 0, 0, 0, 0, 0, 0, X, 0, M | E, X, M | 1 | E, X, X, X, X, X,
	/* 40 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 50 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 60 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* 70 */ M | 1, M | 1, M | 1, M | 1, M, M, M, 0, M, M, M, M, M, M, M, M,
	/* 80 */ B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J, B | J,
	/* 90 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* a0 */ 0, 0, 0, M, M | 1, M, M, M, 0, 0, 0, M, M | 1, M, M, M,
	/* b0 */ M, M, M, M, M, M, M, M, M, M, M | 1, M, M, M, M, M,
	/* c0 */ M, M, M | 1, M, M | 1, M | 1, M | 1, M, 0, 0, 0, 0, 0, 0, 0, 0,
	/* d0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* e0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
	/* f0 */ M, M, M, M, M, M, M, M, M, M, M, M, M, M, M, M,
};

#define INSN_BYTES_MAX 15u
#define READ_BYTES_MAX 24u /* more prefixes than an instruction may have, and the rest of the instruction */

/* Returns the size of ModRM, SIB and displacement. */
static unsigned modrm_bytes(const uint8_t *at)
{
	static const uint8_t bytes[32] = {
		1, 1, 1, 1, 2, 5, 1, 1, /* 5: relative to the instruction pointer */
		2, 2, 2, 2, 3, 2, 2, 2,
		5, 5, 5, 5, 6, 5, 5, 5,
		1, 1, 1, 1, 1, 1, 1, 1,
	};
	bool is_bare = (at[0] & 0xc7) == 4 && (at[1] & 7) == 5; /* SIB without a base */

	return bytes[(at[0] >> 3 & 24) | (at[0] & 7)] + is_bare * 4u;
}

/* at is behind the first byte of a vector instruction's prefix. Returns the instruction's end; null: unknown. */
static const uint8_t *skip_vector(const uint8_t *at, uint8_t prefix)
{
	unsigned map = prefix == 0xc5 ? 1 : prefix == 0x62 ? at[0] & 7 : at[0] & 31;
	uint8_t opcode;

	at += prefix == 0xc5 ? 1 : prefix == 0x62 ? 3 : 2;
	opcode = *at++;
	if (prefix == 0x8f) /* XOP */
		return map < 8 || map > 10 ? 0 : at + modrm_bytes(at) + (map == 8 ? 1 : map == 10 ? 4 : 0);
	if (map == 1 && opcode == 0x77)
		return at;
	if (map == 0 || map == 4 || map > 6)
		return 0;
	/* An immediate operand follows exactly those opcodes that had one before vector prefixes. */
	return at + modrm_bytes(at) + (map == 3 || (map == 1 && two_bytes[opcode] == (M | 1)));
}

/* Decodes the instruction at begin; READ_BYTES_MAX bytes must be readable. */
static struct code decode(const uint8_t *begin)
{
	/* Without prefix; behind an operand size prefix; behind REX.W */
	static const uint8_t operand_bytes[3][8] = {{0, 1, 2, 3, 4, 4, 8, 4}, {0, 1, 2, 3, 2, 2, 8, 4}, {0, 1, 2, 3, 4, 8, 8, 4}};
	struct code code = {0, CODE_OTHER, 0};
	const uint8_t *at = begin;
	bool has_operand = false, has_address = false, is_wide;
	unsigned form, kind, operand;
	uint8_t modrm;

	for (; one_byte[*at] & P && at < begin + INSN_BYTES_MAX - 1; at++) {
		has_operand |= *at == 0x66;
		has_address |= *at == 0x67;
	}
	is_wide = (*at & 0xf8) == 0x48;
	at += (*at & 0xf0) == 0x40;
	form = one_byte[*at];
	if (form & W || (*at == 0x8f && (at[1] & 31) >= 8)) {
		at = skip_vector(at + 1, *at);
		code.bytes = at ? (uint8_t)(at - begin) : 0;
		return code;
	}
	if (*at == 0x0f)
		form = two_bytes[*++at];
	if (form & (X | P))
		return code;
	at += form & E ? 2 : 1;
	modrm = *at;
	at += form & M ? modrm_bytes(at) : 0;
	operand = operand_bytes[is_wide ? 2 : has_operand][form & 7];
	operand = form & T && modrm & 0x30 ? 0 : (form & 7) == A && has_address ? 4 : operand;
	kind = form / KIND;
	code.kind = kind == CODE_JUMP_INDIRECT && (modrm >> 3 & 6) != 4 ? CODE_OTHER : (enum code_kind)kind;
	at += operand;
	code.bytes = (uint8_t)(at - begin);
	if (kind == CODE_JUMP || kind == CODE_BRANCH || kind == CODE_CALL) {
		int32_t distance = (int8_t)at[-1];

		if (operand == 4)
			__builtin_memcpy(&distance, at - 4, sizeof distance);
		code.target = (uint64_t)at + (uint64_t)(int64_t)distance;
	}
	return code;
}

struct code code_decode(uint64_t address, uint64_t end)
{
	uint8_t copy[READ_BYTES_MAX] = {0};
	struct code code;

	if (end - address >= READ_BYTES_MAX) {
		code = decode((const uint8_t *)address);
		return code.bytes <= INSN_BYTES_MAX ? code : (struct code){0, CODE_OTHER, 0};
	}
	for (unsigned i = 0; i < end - address; i++)
		copy[i] = ((const uint8_t *)address)[i];
	code = decode(copy);
	if (code.bytes > INSN_BYTES_MAX || code.bytes > end - address)
		return (struct code){0, CODE_OTHER, 0};
	code.target += code.target ? address - (uint64_t)copy : 0;
	return code;
}
