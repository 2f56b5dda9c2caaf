# Read by the assembler in front of each file that GCC compiles with gcc.specs, for x86-64: the call of __fentry__ that GCC puts at each
# entry becomes a nop of the same use. Its last byte is a number that no compiler puts there, so the nop is known for a site.
#
# GCC makes such nops itself (-mnop-mcount), but refuses to where code is position-independent. The C library's __fentry__, which a program
# calls that is not recorded, saves all registers for nothing.
#
# All other calls are as they were: the macro is away while one is assembled.
	.ifndef .Ldwell_sites # link-time optimisation may come by twice
	.set .Ldwell_sites, 1
	.macro dwell_site
	.byte 0x0f, 0x1f, 0x44, 0x00, 0x0d
	.endm
	.macro dwell_sites
	.macro call target:vararg
	.ifc \target,*__fentry__@GOTPCREL(%rip)
	dwell_site
	.else
	.ifc \target,__fentry__
	dwell_site
	.else
	.ifc \target,__fentry__@PLT
	dwell_site
	.else
	.ifc \target,[QWORD PTR __fentry__@GOTPCREL[rip]]
	dwell_site
	.else
	.purgem call
	call \target
	dwell_sites
	.endif
	.endif
	.endif
	.endif
	.endm
	.endm
	dwell_sites
	.endif
