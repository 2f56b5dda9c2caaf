# The C6000 profiler's hooks (hook.h) for Linux programs: build/lib/libhook.a and its forms. Included by the Makefile. For other machines, and
# for another size of the buffer, hook.c is compiled with the program (doc/hooks.md).

HOOK_CPPFLAGS := -Iinclude -I. -Itarget
HOOK_CFLAGS := -std=c11 $(WARN) $(AGENT_CFLAGS) -ffreestanding -fPIC -ftls-model=initial-exec -fno-stack-protector $(CPU_CFLAGS)
HOOK_SRC := classic/target/face/c6000/hook.c
HOOK_DEPENDS := $(BUILD)/BUILD_FLAGS $(HOOK_SRC) include/hook.h classic/core/hook_records.h classic/mk/hook-libs.mk $(wildcard classic/target/recorder/records/*.h \
	target/recorder/ring.h classic/target/port/c6000/*.h target/port/cpu/$(CPU)/cpu.h)
HOOK_LIBS := $(BUILD)/lib/libhook.a $(patsubst %,$(BUILD)/lib/libhook.%.a,circular name none)

hook: $(HOOK_LIBS)#             the C6000 profiler's hooks for Linux: build/lib/libhook.a, and .circular, .name, .none

$(BUILD)/hook/circular/hook.o: HOOK_FORM := -DHOOK_CIRCULAR
$(BUILD)/hook/name/hook.o: HOOK_FORM := -DHOOK_PARM=HOOK_PARM_NAME
$(BUILD)/hook/none/hook.o: HOOK_FORM := -DHOOK_PARM=HOOK_PARM_NONE
$(BUILD)/hook/%/hook.o: $(HOOK_DEPENDS)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HOOK_CPPFLAGS) $(HOOK_CFLAGS) $(HOOK_FORM) -c $(HOOK_SRC) -o $@
$(BUILD)/lib/libhook.a: $(BUILD)/hook/address/hook.o
$(filter-out $(BUILD)/lib/libhook.a,$(HOOK_LIBS)): $(BUILD)/lib/libhook.%.a: $(BUILD)/hook/%/hook.o
$(HOOK_LIBS):
	@mkdir -p $(@D)
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $^

# What test/unit/hook is linked with: the library; the C6000's port, with a header that stands in for TI's compiler.
HOOK_TEST_LIB = $(if $(findstring tms,$(notdir $1)),$(BUILD)/hook/tms320c6000.o,$(BUILD)/lib/libhook.a)
$(BUILD)/hook/tms320c6000.o: $(HOOK_DEPENDS) test/unit/hook/standin/c6x.h
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HOOK_CPPFLAGS) -Itest/unit/hook/standin -std=gnu89 -Wpedantic $(WARN) -Wdeclaration-after-statement -Wno-long-long \
		-Wno-unknown-pragmas $(CFLAGS) -D_TMS320C6X -D__TI_COMPILER_VERSION__=7003000 -DMAX_PROFILE_RECORD_NUM=16 -c $(HOOK_SRC) -o $@
$(foreach program,$(filter $(BUILD)/unit/hook/%,$(UNIT_BIN)),$(eval $(program): $(call HOOK_TEST_LIB,$(program))))
