# PROFILE.PRG for the Atari ST: what it is made of, and how. Included by the Makefile. Without libgcc, which is made for a 68020; without
# merged stores, which GCC 12 puts at odd addresses.
ATARI_CC ?= m68k-linux-gnu-gcc
ATARI_AT ?= 0
ATARI_SRC := $(wildcard classic/target/atari/*.S classic/target/atari/*.c classic/core/prg/*.c) \
	$(patsubst %,classic/core/%.c,tally sort put box summary profile_options) core/ratio.c
ATARI_CFLAGS := -std=c11 $(WARN) -O2 -fomit-frame-pointer -m68000 -mstrict-align -fno-store-merging -ffreestanding -fno-pic -fno-pie -fno-tree-loop-distribute-patterns \
	--param=min-pagesize=0 -Iinclude -I.
ATARI_LDFLAGS := -nostdlib -static -no-pie -Wl,--emit-relocs,--build-id=none,--no-warn-rwx-segments,-z,noexecstack,--defsym,BASE=$(ATARI_AT),-T,classic/target/atari/link.ld
# What runs it in an emulator without TOS, and what it profiles there.
ATARI_SHIM_SRC := $(wildcard test/e2e/machines/atari/shim.*) $(patsubst %,classic/target/atari/%,start.S tos.c runtime.c)

atari: $(BUILD)/atari/PROFILE.PRG $(BUILD)/atari/PROFILE.TTP#             the sampling profiler for the Atari ST, build/atari/PROFILE.PRG and .TTP (gcc-m68k-linux-gnu)
atari-tests: $(addprefix $(BUILD)/atari/,PROFILE.TTP SHIM.PRG DWARFS.PRG BEAT.PRG)

# For the Atari ST: linked at 0, then made a program of its own format. Few files, and headers of few rooms: all at once.
$(BUILD)/elf2prg: classic/tools/elf2prg.c $(BUILD)/BUILD_FLAGS
	$(call say,LD)$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) $(LDFLAGS) $< -lelf -o $@
ATARI_DEPENDS := $(BUILD)/BUILD_FLAGS classic/target/atari/link.ld $(wildcard classic/target/atari/*.h classic/core/*.h classic/core/*/*.h core/*.h)
$(BUILD)/atari/PROFILE.elf: $(ATARI_SRC) $(ATARI_DEPENDS)
	@mkdir -p $(@D)
	$(call say,LD)$(ATARI_CC) $(ATARI_CFLAGS) $(ATARI_SRC) $(ATARI_LDFLAGS) -o $@
$(BUILD)/atari/SHIM.elf: $(ATARI_SHIM_SRC) $(ATARI_DEPENDS)
	@mkdir -p $(@D)
	$(call say,LD)$(ATARI_CC) $(ATARI_CFLAGS) $(ATARI_SHIM_SRC) $(ATARI_LDFLAGS) -o $@
$(BUILD)/atari/DWARFS.elf: test/e2e/machines/atari/dwarfs.c
$(BUILD)/atari/BEAT.elf: test/e2e/machines/atari/beat.c
$(BUILD)/atari/DWARFS.elf $(BUILD)/atari/BEAT.elf: test/e2e/machines/atari/start.h $(ATARI_DEPENDS)
	@mkdir -p $(@D)
	$(call say,LD)$(ATARI_CC) $(ATARI_CFLAGS) -fleading-underscore $(filter %.c,$^) $(ATARI_LDFLAGS) -o $@
$(BUILD)/atari/%.PRG: $(BUILD)/atari/%.elf $(BUILD)/elf2prg
	$(call say,PRG)$(BUILD)/elf2prg $< $@
$(BUILD)/atari/%.TTP: $(BUILD)/atari/%.PRG
	@cp $< $@
.SECONDARY: $(BUILD)/atari/PROFILE.elf $(BUILD)/atari/PROFILE.PRG

# What test/unit/target/atari_rate is linked with, and what makes programs for tests.
$(BUILD)/unit/target/atari_rate: $(BUILD)/obj/classic/target/atari/rate.o
tests: $(BUILD)/elf2prg

-include $(BUILD)/obj/classic/target/atari/rate.d
