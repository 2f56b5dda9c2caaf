/* Linker commands for C66x, beside those of the project: hooks and their count in internal memory, the buffer in DDR that is not cached. */
MEMORY
{
	DDR3_NONCACHED : origin = 0x90000000, length = 0x01000000
}
SECTIONS
{
	.text:hook_funcs > L2SRAM
	.text:hook_funcs_circular > L2SRAM
	.far:External_NonCache_Data > DDR3_NONCACHED, type = NOINIT
}
