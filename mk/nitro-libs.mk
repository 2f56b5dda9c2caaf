# The NITRO profiler's libraries, for Linux (build/lib/) and for ARMv5TE (build/lib/arm946e-s/). Included by the Makefile.

NITRO_CPPFLAGS := -Iinclude -I. -Itarget
NITRO_CFLAGS := -std=c11 $(WARN) $(AGENT_CFLAGS) -ffreestanding -fPIC -ftls-model=initial-exec -fno-stack-protector -fno-tree-loop-distribute-patterns
NITRO_COMMON_SRC := $(patsubst %,target/face/nitro/%.c,printf tick init)
NITRO_TRACE_SRC := target/face/nitro/call_trace.c target/recorder/lines/trace.c
NITRO_COST_SRC := $(patsubst %,target/face/nitro/%.c,function_cost statistics) target/recorder/lines/cost.c core/cost.c core/pair.c
NITRO_LINUX_SRC := $(NITRO_COMMON_SRC) $(patsubst %,target/port/nitro/linux/%.c,console thread tick main)
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
$(BUILD)/nitro/linux/vectors/%.o: target/port/nitro/linux/%.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DVECTORS $(NITRO_CPPFLAGS) $(NITRO_CFLAGS) $(DEPENDS) -c $< -o $@

$(BUILD)/lib/libos.a: $(call nitro_objects,$(NITRO_LINUX_SRC) target/face/nitro/no_profile.c)
$(BUILD)/lib/libos.CALLTRACE.a: $(call nitro_objects,$(NITRO_LINUX_SRC) $(NITRO_TRACE_SRC) \
	target/port/nitro/linux/entry_x86_64.S target/port/nitro/linux/entry_plain.c)
$(BUILD)/lib/libos.FUNCTIONCOST.a: $(call nitro_objects,$(NITRO_LINUX_SRC) $(NITRO_COST_SRC) \
	target/face/nitro/switch_cost.c target/port/nitro/linux/entry_plain.c) $(BUILD)/nitro/linux/vectors/entry_x86_64.o
$(NITRO_LIBS): mk/nitro-libs.mk
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)

-include $(patsubst %.o,%.d,$(wildcard $(BUILD)/nitro/*/*/*.o $(BUILD)/nitro/*/*/*/*.o $(BUILD)/nitro/*/*/*/*/*.o))
