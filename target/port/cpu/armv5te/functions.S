/* SPDX-License-Identifier: MIT
 *
 * What -finstrument-functions calls, for code that the compiler's plugin did not see: the name is the function's address. In with it
 * comes nitro_names_are_addresses, by which a dump knows. r1 is where the function was called; its registers are not known any more. */
	.arch	armv5te
	.arm
	.text

	.global	__cyg_profile_func_enter
	.type	__cyg_profile_func_enter, %function
__cyg_profile_func_enter:
	stmfd	sp!, {r0, r1, ip, lr}		@ [sp, #4] is lr, as __PROFILE_ENTRY has it
	bl	__PROFILE_ENTRY
	ldmfd	sp!, {r0, r1, ip, pc}
	.size	__cyg_profile_func_enter, . - __cyg_profile_func_enter

	.global	__cyg_profile_func_exit
	.type	__cyg_profile_func_exit, %function
__cyg_profile_func_exit:
	b	__PROFILE_EXIT
	.size	__cyg_profile_func_exit, . - __cyg_profile_func_exit

	.section .rodata
	.global	nitro_names_are_addresses
	.type	nitro_names_are_addresses, %object
nitro_names_are_addresses:
	.byte	1
	.size	nitro_names_are_addresses, 1
