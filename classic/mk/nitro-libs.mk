# The NITRO profiler's libraries, for Linux (build/lib/) and for ARMv5TE (build/lib/arm946e-s/). Included by the Makefile.

NITRO_CPPFLAGS := -Iinclude -I.
NITRO_CFLAGS := -std=c11 $(WARN) $(AGENT_CFLAGS) -ffreestanding -fPIC -ftls-model=initial-exec -fno-stack-protector $(NO_LOOP_CALLS)
# What an SDK has, a function each: of it the linker takes what nobody else in front has.
NITRO_COMMON_SRC := $(wildcard classic/target/face/nitro/os/*.c)
NITRO_TRACE_SRC := classic/target/face/nitro/call_trace.c classic/target/recorder/lines/trace.c classic/target/recorder/lines/owned.c
NITRO_COST_SRC := $(patsubst %,classic/target/face/nitro/%.c,function_cost statistics) $(patsubst %,classic/target/recorder/lines/%.c,cost owned made) classic/core/cost.c
NITRO_LINUX_SRC := $(NITRO_COMMON_SRC) $(patsubst %,classic/target/port/nitro/linux/%.c,console thread tick) classic/target/port/nitro/main.c
# What a program may ask for without the type's library.
NITRO_NO_TRACE_SRC := classic/target/face/nitro/no_call_trace.c
NITRO_NO_COST_SRC := classic/target/face/nitro/no_function_cost.c
NITRO_NOTHING_SRC := $(NITRO_NO_TRACE_SRC) $(NITRO_NO_COST_SRC) $(patsubst %,classic/target/face/nitro/%.c,no_profile no_hooks)
NITRO_LIBS := $(patsubst %,$(BUILD)/lib/%.a,libos libos.CALLTRACE libos.FUNCTIONCOST)

nitro_objects = $(patsubst %,$(BUILD)/nitro/linux/%.o,$(basename $1))

nitro: $(NITRO_LIBS)#             the NITRO-SDK profiler for Linux: build/lib/libos.a, libos.CALLTRACE.a, libos.FUNCTIONCOST.a

$(BUILD)/nitro/linux/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(NITRO_CPPFLAGS) $(NITRO_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/nitro/linux/%.o: %.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(NITRO_CPPFLAGS) $(NITRO_CFLAGS) $(DEPENDS) -c $< -o $@
# Reading clocks may take vector registers, in which arguments and results may be.
$(BUILD)/nitro/vectors/%.o: classic/target/port/nitro/linux/%.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DVECTORS $(NITRO_CPPFLAGS) $(NITRO_CFLAGS) $(DEPENDS) -c $< -o $@

$(BUILD)/lib/libos.a: $(call nitro_objects,$(NITRO_LINUX_SRC) $(NITRO_NOTHING_SRC))
$(BUILD)/lib/libos.CALLTRACE.a: $(call nitro_objects,$(NITRO_LINUX_SRC) $(NITRO_TRACE_SRC) $(NITRO_NO_COST_SRC) \
	classic/target/port/nitro/linux/entry_x86_64.S classic/target/port/nitro/linux/entry_plain.c classic/target/port/nitro/linux/functions.c)
$(BUILD)/lib/libos.FUNCTIONCOST.a: $(call nitro_objects,$(NITRO_LINUX_SRC) $(NITRO_COST_SRC) $(NITRO_NO_TRACE_SRC) \
	classic/target/face/nitro/switch_cost.c classic/target/port/nitro/linux/entry_plain.c classic/target/port/nitro/linux/functions.c) $(BUILD)/nitro/vectors/entry_x86_64.o
$(NITRO_LIBS): classic/mk/nitro-libs.mk
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)

# A part of them, which each test/unit/nitro program is linked with.
NITRO_TEST_LIB = $(BUILD)/lib/libos.$(if $(findstring trace,$(notdir $1)),CALLTRACE,FUNCTIONCOST).a
$(foreach program,$(filter $(BUILD)/unit/nitro/%,$(UNIT_BIN)),$(eval $(program): $(call NITRO_TEST_LIB,$(program))))

# For ARMv5TE, in both states; what the compiler calls is in ARM state always. Not among what `all` makes: it takes a compiler for it.
ARM_CC ?= arm-none-eabi-gcc
ARM_AR = $(patsubst %gcc,%ar,$(ARM_CC))
ARM_CFLAGS := -std=c11 $(WARN) -mcpu=arm946e-s -O2 -g -ffreestanding -fno-common -fno-tree-loop-distribute-patterns -ffunction-sections \
	-fomit-frame-pointer
ARM_CPU := $(BUILD)/lib/arm946e-s
ARM_LIBS := $(foreach state,.a .thumb.a,$(patsubst %,$(ARM_CPU)/%$(state),libos libos.CALLTRACE libos.FUNCTIONCOST))
ARM_BOARDS := $(patsubst %,$(ARM_CPU)/%.o,versatilepb nds nds.FUNCTIONCOST)
ARM_COMMON_SRC := $(NITRO_COMMON_SRC) $(patsubst %,classic/target/port/nitro/bare/%.c,console tick line_tick) classic/target/port/nitro/main.c \
	classic/target/port/cpu/armv5te/interrupts.S
ARM_TRACE_SRC := $(NITRO_TRACE_SRC) classic/target/port/nitro/bare/now_trace.c $(patsubst %,classic/target/port/cpu/armv5te/%.S,trace functions)
ARM_COST_SRC := $(NITRO_COST_SRC) classic/target/port/nitro/bare/now_cost.c $(patsubst %,classic/target/port/cpu/armv5te/%.S,cost functions)

arm_objects = $(patsubst %,$(BUILD)/nitro/$1/%.o,$(basename $2))

nitro-arm: $(ARM_LIBS) $(ARM_BOARDS)#         the same for ARMv5TE, build/lib/arm946e-s/libos*.a and .thumb.a, and two boards (gcc-arm-none-eabi)

define arm_rules
$(BUILD)/nitro/$1/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $$(@D)
	$$(call say,CC)$(ARM_CC) $(NITRO_CPPFLAGS) $(ARM_CFLAGS) -m$1 $(DEPENDS) -c $$< -o $$@
$(BUILD)/nitro/$1/%.o: %.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $$(@D)
	$$(call say,CC)$(ARM_CC) $(NITRO_CPPFLAGS) $(ARM_CFLAGS) $(DEPENDS) -c $$< -o $$@
$(ARM_CPU)/libos$2: $(call arm_objects,$1,$(ARM_COMMON_SRC) $(NITRO_NOTHING_SRC))
$(ARM_CPU)/libos.CALLTRACE$2: $(call arm_objects,$1,$(ARM_COMMON_SRC) $(ARM_TRACE_SRC) $(NITRO_NO_COST_SRC))
$(ARM_CPU)/libos.FUNCTIONCOST$2: $(call arm_objects,$1,$(ARM_COMMON_SRC) $(ARM_COST_SRC) $(NITRO_NO_TRACE_SRC))
endef
$(eval $(call arm_rules,arm,.a))
$(eval $(call arm_rules,thumb,.thumb.a))
$(ARM_LIBS): classic/mk/nitro-libs.mk
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)$(ARM_AR) rcs $@ $(filter %.o,$^)
$(ARM_BOARDS): $(ARM_CPU)/%.o: $(BUILD)/nitro/arm/classic/target/port/nitro/bare/%.o
	@mkdir -p $(@D)
	@cp $< $@
# Its counter is two halves: function cost that reads both.
$(BUILD)/nitro/arm/classic/target/port/nitro/bare/nds.FUNCTIONCOST.o: classic/target/port/cpu/armv5te/cost.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(ARM_CC) -DHALVES $(NITRO_CPPFLAGS) $(ARM_CFLAGS) $(DEPENDS) -c $< -o $@
.SECONDARY: $(call arm_objects,arm,$(patsubst %,classic/target/port/nitro/bare/%.c,versatilepb nds)) $(BUILD)/nitro/arm/classic/target/port/nitro/bare/nds.FUNCTIONCOST.o

# What they need of everything else is the plugin, profile.mk, and two headers. $1: libraries and boards
define nitro_install
$(quiet)for file in $1 $(wildcard $(BUILD)/plugin/*/profile.so); do case $$file in \
	*/profile.so) install -D -m 644 $$file $(DESTDIR)$(LIBDIR)/dwell/$${file#$(BUILD)/} ;; \
	*) install -D -m 644 $$file $(DESTDIR)$(LIBDIR)/$${file#$(BUILD)/lib/} ;; esac || exit 1; done
$(quiet)install -D -m 644 classic/mk/profile.mk $(DESTDIR)$(PREFIX)/share/dwell/profile.mk
$(quiet)$(install_lib_link)
$(quiet)for header in nitro twl; do install -D -m 644 include/$$header.h $(DESTDIR)$(PREFIX)/include/$$header.h || exit 1; done
endef
install-nitro: nitro#             nothing but the NITRO-SDK profiler for Linux, its headers, profile.mk, and the plugins that were built
	$(call nitro_install,$(NITRO_LIBS))
install-nitro-arm: nitro-arm#         the same for ARMv5TE, into LIBDIR/arm946e-s
	$(call nitro_install,$(ARM_LIBS) $(ARM_BOARDS))

-include $(shell find $(BUILD)/nitro -name '*.d' 2> /dev/null)
