# The N64 profiler's libraries, for Linux: build/lib/libultra.PROF.a and the debug form, libultra.PROF_d.a. Included by the Makefile.

ULTRA_CPPFLAGS := -Iinclude -I. -Itarget
ULTRA_CFLAGS := -std=c11 $(WARN) $(AGENT_CFLAGS) -ffreestanding -fPIC -fno-stack-protector $(NO_LOOP_CALLS)
ULTRA_COMMON_SRC := $(wildcard classic/target/recorder/histogram/*.c classic/target/face/ultra/*.c) classic/core/wire.c
ULTRA_DEBUG_SRC := classic/core/put.c
ULTRA_LINUX_SRC := $(ULTRA_COMMON_SRC) $(wildcard classic/target/port/ultra/linux/*.c)
ULTRA_LIBS := $(patsubst %,$(BUILD)/lib/libultra.%.a,PROF PROF_d)

ultra_objects = $(patsubst %,$(BUILD)/ultra/$1/%.o,$(basename $2))

ultra: $(ULTRA_LIBS)#             the N64's profiler for Linux: build/lib/libultra.PROF.a, libultra.PROF_d.a

$(BUILD)/ultra/linux/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(ULTRA_CPPFLAGS) -Iclassic/target/port/ultra/linux -Itarget/port/cpu/$(CPU) $(ULTRA_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/ultra/linux_d/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DULTRA_DEBUG $(ULTRA_CPPFLAGS) -Iclassic/target/port/ultra/linux -Itarget/port/cpu/$(CPU) $(ULTRA_CFLAGS) $(DEPENDS) -c $< -o $@

$(BUILD)/lib/libultra.PROF.a: $(call ultra_objects,linux,$(ULTRA_LINUX_SRC))
$(BUILD)/lib/libultra.PROF_d.a: $(call ultra_objects,linux_d,$(ULTRA_LINUX_SRC) $(ULTRA_DEBUG_SRC))
$(ULTRA_LIBS): classic/mk/ultra-libs.mk
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)

# Without an operating system, for processors whose compilers are not what `all` takes: a library each, and a board. Of each: compiler, flags,
# what the processor has of its own, board.
ULTRA_MACHINES := mips3 cortex-m3 rv32imac
ultra_mips3 = mips-linux-gnu-gcc -mabi=32 -march=vr4300 -mno-abicalls -fno-pic -G0 -msoft-float
ultra_cortex-m3 = arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb
ultra_rv32imac = riscv64-unknown-elf-gcc -march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany
ULTRA_CPU_mips3 := mips.S count_compare.c
ULTRA_CPU_cortex-m3 := cortex_m.c
ULTRA_CPU_rv32imac := riscv.S
ULTRA_BOARD_mips3 := malta
ULTRA_BOARD_cortex-m3 := mps2
ULTRA_BOARD_rv32imac := virt
ULTRA_BARE_CFLAGS := -std=gnu11 $(WARN) -O2 -g -ffreestanding -fno-common -fno-tree-loop-distribute-patterns -ffunction-sections -fomit-frame-pointer
ULTRA_BARE := $(foreach machine,$(ULTRA_MACHINES),$(patsubst %,$(BUILD)/lib/$(machine)/%,libultra.PROF.a libultra.PROF_d.a $(ULTRA_BOARD_$(machine)).o))

ultra-bare: $(ULTRA_BARE)#         the same for MIPS III, Cortex-M3 and RISC-V, build/lib/mips3/, cortex-m3/, rv32imac/, and a board each (cross compilers)

define ultra_machine_rules
$(BUILD)/ultra/$1$2/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $$(@D)
	$$(call say,CC)$(ultra_$1) $(if $2,-DULTRA_DEBUG) $(ULTRA_CPPFLAGS) -Iclassic/target/port/ultra/bare $(ULTRA_BARE_CFLAGS) $(DEPENDS) -c $$< -o $$@
$(BUILD)/ultra/$1$2/%.o: %.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $$(@D)
	$$(call say,CC)$(ultra_$1) $(ULTRA_CPPFLAGS) -g $(DEPENDS) -c $$< -o $$@
$(BUILD)/lib/$1/libultra.PROF$2.a: $(call ultra_objects,$1$2,$(ULTRA_COMMON_SRC) $(if $2,$(ULTRA_DEBUG_SRC)) classic/target/port/ultra/bare/port.c \
	$(addprefix classic/target/port/ultra/bare/,$(ULTRA_CPU_$1))) classic/mk/ultra-libs.mk
	@mkdir -p $$(@D)
	@rm -f $$@
	$$(call say,AR)$(patsubst %gcc,%ar,$(firstword $(ultra_$1))) rcs $$@ $$(filter %.o,$$^)
endef
$(foreach machine,$(ULTRA_MACHINES),$(eval $(call ultra_machine_rules,$(machine),)) $(eval $(call ultra_machine_rules,$(machine),_d)))
$(foreach machine,$(ULTRA_MACHINES),$(eval $(BUILD)/lib/$(machine)/$(ULTRA_BOARD_$(machine)).o: \
	$(BUILD)/ultra/$(machine)/classic/target/port/ultra/bare/$(ULTRA_BOARD_$(machine)).o ; @mkdir -p $$(@D) && cp $$< $$@))
-include $(shell find $(patsubst %,$(BUILD)/ultra/%,$(ULTRA_MACHINES) $(addsuffix _d,$(ULTRA_MACHINES))) -name '*.d' 2> /dev/null)

# What test/unit/ultra and the wire server's fuzz program are linked with: the debug form for one processor, built as the tests are; the
# machine is theirs.
ULTRA_TEST_OBJ := $(patsubst %,$(BUILD)/ultra/one/%.o,$(basename $(filter-out classic/core/%,$(ULTRA_COMMON_SRC) $(ULTRA_DEBUG_SRC))))
$(BUILD)/ultra/one/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DULTRA_DEBUG $(ULTRA_CPPFLAGS) -Iclassic/target/port/ultra/bare $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/obj/test/fuzz/wire_server.o $(BUILD)/obj/test/unit/ultra/%.o: HOST_CPPFLAGS += -Itarget -Iclassic/target/port/ultra/bare
$(BUILD)/ultra/one.a: $(ULTRA_TEST_OBJ) classic/mk/ultra-libs.mk
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)
$(BUILD)/fuzz/wire_server $(filter $(BUILD)/unit/ultra/%,$(UNIT_BIN)): $(BUILD)/ultra/one.a
$(BUILD)/unit/ultra/wake: $(BUILD)/ultra/linux/classic/target/port/ultra/linux/wake.o

-include $(ULTRA_TEST_OBJ:.o=.d) $(patsubst %.o,%.d,$(call ultra_objects,linux,$(ULTRA_LINUX_SRC)) $(call ultra_objects,linux_d,$(ULTRA_LINUX_SRC) $(ULTRA_DEBUG_SRC)))
