/* SPDX-License-Identifier: MIT
 *
 * The functions that -finstrument-functions calls, for code compiled without the plugin:
 * the name is the function's address. The object also contains nitro_names_are_addresses,
 * which a dump tests. r1 is the call's return address; the registers at the call are lost. */
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
