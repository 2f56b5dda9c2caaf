# dwell: GNU make, no configure. `make help` lists the targets and the variables.
#
# Every folder is a room and every file in it is built: adding a file to a room needs no line here.
.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules

VERSION := 1.0.0
VERSION_DATE := 2026-11-29

## Variables
BUILD ?= build#            where everything is put; another folder for each set of flags
CFLAGS ?= -O2 -g#          of the host tool and the tests
AGENT_CFLAGS ?= -O2 -g#    of the agent, which is never built with sanitizers or hooks
LDFLAGS ?=#                for linking
PREFIX ?= /usr/local#      where install puts everything else
LIBDIR ?= $(PREFIX)/lib#   where libraries go; Debian has them in PREFIX/lib/x86_64-linux-gnu
DESTDIR ?=#                put in front of both, for packagers
FUZZ_SECONDS ?= 60#        how long fuzz runs each of its programs
JOBS ?= $(shell nproc)#    how many tests run at a time
V ?=#                      1: show the commands
PLUGIN_CC ?= gcc arm-none-eabi-gcc#  the compilers that plugin is for
# One folder has one name, however it was spelled: the dependency files hold it.
override BUILD := $(patsubst $(CURDIR)/%,%,$(abspath $(BUILD)))
# Tests call make, too: what is in this folder counts what runs, whoever built it. Without optimisation, which merges lines.
ifeq ($(notdir $(BUILD)),coverage)
override CFLAGS := -O0 -g --coverage -fprofile-update=atomic
endif
override PREFIX := $(abspath $(PREFIX))
override LIBDIR := $(abspath $(if $(filter /%,$(LIBDIR)),,$(PREFIX)/)$(LIBDIR))
override DESTDIR := $(if $(DESTDIR),$(abspath $(DESTDIR)))
ifeq ($(origin CC),default)
CC := gcc
endif
ifeq ($(origin CXX),default)
CXX := g++
endif

# The tools that belong to the compiler, for another machine too.
OBJCOPY := $(patsubst %gcc,%objcopy,$(firstword $(filter %gcc,$(CC)) gcc))
AR := $(patsubst %gcc,%ar,$(firstword $(filter %gcc,$(CC)) gcc))
# GCC makes calls of memset and memcpy of loops also where there is no C library; Clang does not, and does not know the option.
NO_LOOP_CALLS := $(if $(findstring clang,$(shell $(CC) --version 2> /dev/null)),,-fno-tree-loop-distribute-patterns)

WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers
DEPENDS := -MMD -MP
comma := ,
HOST_CPPFLAGS := -D_GNU_SOURCE -DDWELL_VERSION='"$(VERSION)"' -DDWELL_DATE='"$(VERSION_DATE)"' -Iinclude -I. -Ihost -I$(BUILD)/made $(CPPFLAGS)
# The host tool reads what others wrote: built as Debian's hardening asks. Sanitizers see more than fortified functions do.
HARDEN_FLAGS := -fstack-protector-strong -fstack-clash-protection -Werror=format-security \
	$(if $(filter -O1 -O2 -O3 -Os -Ofast,$(CFLAGS)),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
HARDEN_LDFLAGS := -pie -Wl,-z,relro,-z,now
HARDEN ?= $(if $(findstring -fsanitize,$(CFLAGS)),,yes)#  empty: the host tool is built without protection of its stack, and so on
# Also a library is made of it, which shows nothing but its header.
HOST_CFLAGS := -std=c11 $(WARN) -fPIC -fvisibility=hidden $(CFLAGS) $(if $(HARDEN),$(HARDEN_FLAGS))
HOST_LIBS := -ldw -lelf -lZydis -ljansson -lncursesw -ltinfo -lprotobuf-c -liberty -lz -llzma -lzstd -lm -pthread

# The agent runs inside other people's programs: no libc, no vector register (hooked functions hold live ones), nothing visible but
# what it means to export; and it is on their stacks, which others unwind.
CPU := $(firstword $(subst -, ,$(shell $(CC) -dumpmachine)))
# AGENT_CPU_CFLAGS, and CPU_CFLAGS for all that runs inside programs.
-include target/port/cpu/$(CPU)/cpu.mk
TARGET_CFLAGS := -std=c11 $(WARN) $(AGENT_CFLAGS) -ffreestanding -fPIC -fvisibility=hidden -fno-stack-protector \
	-fasynchronous-unwind-tables $(AGENT_CPU_CFLAGS) $(CPU_CFLAGS)
TARGET_CPPFLAGS := -D_GNU_SOURCE -Iinclude -I. -Itarget -Itarget/port -Itarget/port/cpu/$(CPU) -Itarget/port/os/linux

# What is below classic/ is for the older profilers: rooms of the same names.
HOST_SRC := $(wildcard core/*.c host/*/*.c host/*/*/*.c classic/core/*.c classic/core/*/*.c classic/host/*/*.c classic/host/*/*/*.c)
AGENT_CPU_SRC := $(wildcard target/port/cpu/$(CPU)/*.c target/port/cpu/$(CPU)/*.S)
AGENT_SRC := $(wildcard target/recorder/*.c target/port/os/linux/*.c target/port/os/linux/linked/*.c) $(AGENT_CPU_SRC)
# A processor with hooks of its own does not need the plain ones.
AGENT_SRC := $(filter-out $(if $(findstring hooks.c,$(AGENT_CPU_SRC)),%/hooks_plain.c),$(AGENT_SRC))
# What is linked into a program has other ways to interpose there. One of its files is a member of the archive that is taken on demand.
LINKED_MEMBERS := $(wildcard target/port/os/linux/linked/linked_real.c)
LINKED_SRC := $(filter-out $(LINKED_MEMBERS) %/execs.c,$(AGENT_SRC))
AGENT_SRC := $(filter-out %/linked_real.c %/linked_slots.c %/linked_unseen.c,$(AGENT_SRC))
# What samples a program from within is a library of its own: who traces has no use for it.
SAMPLER_SRC := $(wildcard target/sampler/*.c) $(patsubst %,target/port/os/linux/%.c,environment image next memory)
TRACEGEN_SRC := $(wildcard test/tracegen/*.c)
SHAPES_SRC := $(wildcard test/shapes/*.c)
# The agent and what interrupts it in one program: only where there are stubs whose instructions it knows.
ADVERSARY_SRC := $(if $(filter x86_64,$(CPU)),$(wildcard test/adversary/*.c))
UNIT_SRC := $(wildcard test/unit/*/*.c)
FUZZ_SRC := $(wildcard test/fuzz/*.c)
BENCH_SRC := $(wildcard bench/*.c)
# What is missing is said before anything is built. (Those that install it themselves are not asked.)
ifneq ($(filter all install unit cli e2e checks,$(or $(MAKECMDGOALS),all)),)
ifeq ($(wildcard $(BUILD)/dwell),)
NOT_HERE := $(shell CC='$(CC)' CPPFLAGS='$(CPPFLAGS)' tools/deps.sh --tell)
$(if $(NOT_HERE),$(error $(NOT_HERE)))
endif
endif

# A short line for each command; the command itself with V=1, nothing with -s.
silent = $(findstring s,$(firstword -$(MAKEFLAGS)))
quiet := $(if $(V),,@)
say = $(if $(V),,@$(if $(silent),,echo "  $1 $@" && ))
differs = $(if $(subst x$(strip $1)x,,x$(strip $2)x)$(subst x$(strip $2)x,,x$(strip $1)x),yes)
objects = $(patsubst %,$(BUILD)/obj/%.o,$(basename $1))
HOST_OBJ := $(call objects,$(HOST_SRC))
# Messages of protobuf, as C: made anew with each build, never kept.
PROTO_SRC := $(wildcard host/proto/*.proto)
PROTO_C := $(PROTO_SRC:host/%.proto=$(BUILD)/made/%.pb-c.c)
PROTO_OBJ := $(PROTO_C:.c=.o)
# The page of dwell html: its body, style and program as constants. The program's files are in order of their names, but
# for the last; one script is apart, in front of the data.
PAGE_VIEW := host/page/view/page.html host/page/view/page.css host/page/view/cut_off.js $(filter-out %/main.js %/cut_off.js,$(sort $(wildcard host/page/view/*.js))) host/page/view/main.js
PAGE_C := $(BUILD)/made/page/assets.c
PAGE_OBJ := $(PAGE_C:.c=.o)
MAIN_OBJ := $(call objects,host/main.c)
TRACEGEN_OBJ := $(call objects,$(TRACEGEN_SRC))
SHAPES_OBJ := $(call objects,$(SHAPES_SRC))
UNIT_OBJ := $(call objects,$(UNIT_SRC))
ADVERSARY_OBJ := $(call objects,$(ADVERSARY_SRC))
FUZZ_OBJ := $(call objects,$(FUZZ_SRC))
BENCH_OBJ := $(call objects,$(BENCH_SRC))
AGENT_OBJ := $(patsubst %,$(BUILD)/agent/%.o,$(basename $(AGENT_SRC)))
SAMPLER_OBJ := $(patsubst %,$(BUILD)/agent/%.o,$(basename $(SAMPLER_SRC)))
LINKED_OBJ := $(patsubst %,$(BUILD)/linked/%.o,$(basename $(LINKED_SRC)))
LINKED_MEMBER_OBJ := $(patsubst %,$(BUILD)/linked/%.o,$(basename $(LINKED_MEMBERS)))
# The recorder on the simulated machine: what test/unit/target is linked with.
SIM_SRC := $(wildcard target/recorder/*.c target/port/sim/*.c)
SIM_OBJ := $(patsubst %,$(BUILD)/sim/%.o,$(basename $(SIM_SRC)))
SIM_CPPFLAGS := -Iinclude -I. -Itarget -Itarget/port -Itarget/port/sim
UNIT_BIN := $(UNIT_SRC:test/unit/%.c=$(BUILD)/unit/%)
FUZZ_BIN := $(FUZZ_SRC:test/fuzz/%.c=$(BUILD)/fuzz/%)
BENCH_BIN := $(BENCH_SRC:bench/%.c=$(BUILD)/bench/%)
ASSEMBLED := $(patsubst %.asm,$(BUILD)/assembled/%,$(wildcard test/fuzz/corpus/*/*.asm test/trace/*/*.asm))
# What `dwell cflags` has GCC read.
SPECS := $(BUILD)/gcc.specs $(BUILD)/gcc-sites.s
# libdwell.so and libdwell-read.so are links to files that end in the number of their interface.
AGENT_SONAME := libdwell.so.1
# Each appears as soon as it has a source.
DWELL := $(if $(wildcard host/main.c),$(BUILD)/dwell)
AGENT := $(if $(wildcard target/port/os/linux/*.c),$(addprefix $(BUILD)/,$(AGENT_SONAME) libdwell.so libdwell.a libdwell-timer.so))
TRACEGEN := $(if $(TRACEGEN_SRC),$(BUILD)/tracegen)
SHAPES := $(if $(SHAPES_SRC),$(BUILD)/shapes)
ADVERSARY := $(if $(ADVERSARY_SRC),$(BUILD)/adversary)

.PHONY: all agent nitro nitro-arm hook ultra ultra-bare plugin atari atari-tests tests deps check check-all check-compilers unit cli e2e checks unit-programs fuzz fuzz-programs compdb coverage ran-unit ran-cli-e2e asan tsan bench bench-peers \
	install install-nitro install-nitro-arm uninstall help clean

## Targets
all: $(DWELL) $(SPECS) agent nitro hook ultra read# the host tool, build/dwell; the agent, build/libdwell.so, .a and libdwell-timer.so; and the libraries of `make nitro hook ultra`
agent: $(AGENT)#             the agent alone (CC=aarch64-linux-gnu-gcc BUILD=build/aarch64 for another machine)

include classic/mk/nitro-libs.mk
include classic/mk/hook-libs.mk
include classic/mk/ultra-libs.mk
include classic/mk/plugin.mk
include classic/mk/atari.mk
include mk/read.mk
include mk/install.mk

deps:#                       install what is missing to build, check and bench
	@tools/deps.sh build
	@tools/deps.sh --try check plugin language browser emulate release package bench

check: TESTS := --quick
check:#                      install what is missing, build, run most tests, in some minutes; ends with "N passed, N failed"
check-all:#                  all of them, fifty minutes on two processors: also emulated machines, browsers, sanitizers and fuzzers
check check-all:
	@tools/deps.sh build
	@tools/deps.sh --try check plugin $(if $(TESTS),,language browser emulate release package)
	@echo "make $@: builds, then runs the tests; test/run says how far it is$(if $(TESTS),; make check-all runs all)"
	@+$(MAKE) --no-print-directory all tests
	@test/run --jobs $(JOBS) --build $(BUILD) $(TESTS)

check-compilers:#            programs of each version of GCC and Clang that can be had
	@tools/deps.sh build
	@tools/deps.sh --try release
	@+$(MAKE) --no-print-directory all
	@test/run --jobs $(JOBS) --build $(BUILD) --only hooks/compilers e2e

unit: tests#                 the unit tests only
	@test/run --jobs $(JOBS) --build $(BUILD) unit
cli: all tests#              the golden command lines only (test/run --update refreshes them)
	@test/run --jobs $(JOBS) --build $(BUILD) cli
e2e: all tests#              the real programs only
	@test/run --jobs $(JOBS) --build $(BUILD) e2e
checks: all tests#           what scripts can say about the tree: includes, links, format, documentation
	@test/run --jobs $(JOBS) --build $(BUILD) checks
tests: $(UNIT_BIN) $(TRACEGEN) $(SHAPES) $(ADVERSARY) $(ASSEMBLED)

fuzz:#                       clang's libFuzzer on every reader of foreign bytes, FUZZ_SECONDS each
	@tools/deps.sh build check
	@FUZZ_SECONDS=$(FUZZ_SECONDS) test/run --jobs $(JOBS) --build $(BUILD) fuzz
asan:#                       host tool, unit tests and fuzz programs under Clang's sanitizers, which see more than GCC's, in build/asan
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/asan CC=clang CFLAGS='$(SANITIZE)' LDFLAGS='$(if $(shell command -v ld.lld),-fuse-ld=lld)' $(BUILD)/asan/dwell agent unit-programs fuzz-programs
SANITIZE := -O1 -g1 -fsanitize=address,undefined,float-cast-overflow,fuzzer-no-link -fno-sanitize-recover=undefined,float-cast-overflow -fno-omit-frame-pointer
tsan:#                       reading by several threads under the thread sanitizer, in build/tsan
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/tsan CFLAGS='-O1 -g -fsanitize=thread' $(BUILD)/tsan/unit/cmd/parallel
	@setarch -R $(BUILD)/tsan/unit/cmd/parallel
# A test that fails counts, too. TESTS=--quick is for the tests of make check: minutes.
coverage:#                   a table of how much of each room the unit tests run, and how much only cli and e2e tests do; takes an hour
	@tools/deps.sh build
	@tools/deps.sh --try check
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage all tests
	@+$(MAKE) --no-print-directory BUILD=$(BUILD)/coverage ran-unit ran-cli-e2e
	@tools/coverage.py $(BUILD)/coverage $(addprefix $(BUILD)/coverage/,ran-unit ran-cli-e2e)
ran-cli-e2e: | ran-unit
ran-unit ran-cli-e2e:
	@rm -rf $(BUILD)/$@
	-@export GCOV_PREFIX=$(abspath $(BUILD)/$@) GCOV_PREFIX_STRIP=$(words $(subst /, ,$(abspath $(BUILD)))); \
		test/run --jobs $(JOBS) --build $(BUILD) $(TESTS) $(filter unit cli e2e,$(subst -, ,$@))
unit-programs: $(UNIT_BIN)
fuzz-programs: $(FUZZ_BIN) $(ASSEMBLED)

# The commands are those that make itself would run, without what only a build needs or Clang does not know. Headers and sources that the build makes must be there.
compdb: $(BUILD)/compile_commands.json#  compile_commands.json, for clangd, clang-tidy and editors: the command that compiles each C file
	@ln -sf $< .
.PHONY: $(BUILD)/compile_commands.json
$(BUILD)/compile_commands.json: $(PROTO_C) $(PAGE_C)
	@$(MAKE) --no-print-directory -Bn V=1 DEPENDS= all tests fuzz-programs $(BENCH_BIN) > $(BUILD)/compdb
	@awk -v FOLDER='$(CURDIR)' -v LEAVE_OUT='$(NO_LOOP_CALLS)' -f tools/compdb.awk $(BUILD)/compdb > $@

bench:#                      what dwell costs, as ratios taken in one run; prints a table
	@tools/deps.sh build bench
	@+$(MAKE) --no-print-directory all $(TRACEGEN) $(BENCH_BIN)
	@CC='$(CC)' bench/run $(BUILD)
bench-peers:#                dwell beside uftrace, LTTng, XRay, gprof and gperftools, in one run
	@tools/deps.sh build bench peers
	@+$(MAKE) --no-print-directory all $(BENCH_BIN)
	@CC='$(CC)' bench/peers/run $(BUILD)

## Objects. Everything depends on the compiler and its flags too: $(BUILD)/BUILD_FLAGS changes when they do, and
# $(BUILD)/BUILD_SOURCES when a file comes or goes. Compared while this is read, so that `make -n` and `make -q` tell the truth.
define BUILD_FLAGS
$(CC) $(shell $(CC) -dumpversion) $(HOST_CPPFLAGS) $(HOST_CFLAGS) $(LDFLAGS) $(HOST_LIBS)
$(TARGET_CPPFLAGS) $(TARGET_CFLAGS)
$(ATARI_CC) $(ATARI_CFLAGS) $(ATARI_LDFLAGS)
$(NITRO_CFLAGS)
$(HOOK_CFLAGS)
$(ULTRA_CFLAGS)
$(ARM_CC) $(ARM_CFLAGS)
endef
define BUILD_SOURCES
$(HOST_SRC)
$(AGENT_SRC)
$(SAMPLER_SRC)
$(TRACEGEN_SRC)
$(SHAPES_SRC)
endef
export BUILD_FLAGS BUILD_SOURCES
$(BUILD)/BUILD_FLAGS $(BUILD)/BUILD_SOURCES:
	@mkdir -p $(@D) && test -w $(@D) || { echo "make: $(BUILD) cannot be written to; name another folder: make BUILD=FOLDER" >&2; exit 1; }
	@printenv $(@F) > $@
$(foreach stamp,BUILD_FLAGS BUILD_SOURCES,$(if $(wildcard $(BUILD)/$(stamp)),$(if \
	$(call differs,$(file < $(BUILD)/$(stamp)),$($(stamp))),$(file > $(BUILD)/$(stamp),$($(stamp))))))

$(BUILD)/obj/test/adversary/%.o: test/adversary/%.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HOST_CPPFLAGS) $(TARGET_CPPFLAGS) -Itest -Itest/adversary $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/sim/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(SIM_CPPFLAGS) $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/obj/test/unit/target/%.o: HOST_CPPFLAGS += $(SIM_CPPFLAGS)
$(filter $(BUILD)/unit/target/%,$(UNIT_BIN)): $(SIM_OBJ)
# At -O1: most of what takes long in a test is the library, and there are 170 of them to compile.
$(BUILD)/obj/test/%.o: test/%.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HOST_CPPFLAGS) -Itest $(subst -O2,-O1,$(HOST_CFLAGS)) $(DEPENDS) -c $< -o $@
$(BUILD)/made/%.pb-c.c: host/%.proto
	@mkdir -p $(@D)
	$(call say,PROTO)protoc-c -Ihost --c_out=$(BUILD)/made $<
$(PROTO_OBJ): $(BUILD)/made/%.o: $(BUILD)/made/%.c $(BUILD)/BUILD_FLAGS
	$(call say,CC)$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
$(PAGE_C): tools/embed.sh $(PAGE_VIEW)
	@mkdir -p $(@D)
	$(call say,EMBED)tools/embed.sh $(PAGE_VIEW) > $@
$(PAGE_OBJ): $(PAGE_C) $(BUILD)/BUILD_FLAGS
	$(call say,CC)$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
# Who includes what is made needs it to be there; which these are, the dependency files know from then on.
$(HOST_OBJ) $(UNIT_OBJ) $(FUZZ_OBJ): | $(PROTO_C)
$(BUILD)/obj/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/agent/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TARGET_CPPFLAGS) $(TARGET_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/agent/%.o: %.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(TARGET_CPPFLAGS) $(TARGET_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/linked/%.o: %.c $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DDWELL_LINKED_AGENT $(TARGET_CPPFLAGS) $(TARGET_CFLAGS) $(DEPENDS) -c $< -o $@
$(BUILD)/linked/%.o: %.S $(BUILD)/BUILD_FLAGS
	@mkdir -p $(@D)
	$(call say,CC)$(CC) -DDWELL_LINKED_AGENT $(TARGET_CPPFLAGS) $(TARGET_CFLAGS) $(DEPENDS) -c $< -o $@

# Programs and libraries
$(BUILD)/libhost.a: $(HOST_OBJ) $(PROTO_OBJ) $(PAGE_OBJ) $(BUILD)/BUILD_SOURCES
	@rm -f $@
	$(call say,AR)$(AR) rcs $@ $(filter %.o,$^)
$(BUILD)/dwell: $(MAIN_OBJ) $(BUILD)/libhost.a
	$(call say,LD)$(CC) $(CFLAGS) $(if $(HARDEN),$(HARDEN_LDFLAGS)) $(LDFLAGS) $^ $(HOST_LIBS) -o $@
$(BUILD)/tracegen: $(TRACEGEN_OBJ) $(BUILD)/libhost.a $(BUILD)/BUILD_SOURCES
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out %_SOURCES,$^) $(HOST_LIBS) -o $@
$(BUILD)/shapes: $(SHAPES_OBJ) $(BUILD)/libhost.a $(BUILD)/BUILD_SOURCES
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out %_SOURCES,$^) $(HOST_LIBS) -o $@
$(BUILD)/adversary: $(ADVERSARY_OBJ) $(LINKED_OBJ) $(BUILD)/libhost.a $(BUILD)/BUILD_SOURCES
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out %_SOURCES,$^) $(HOST_LIBS) -o $@
$(UNIT_BIN): $(BUILD)/unit/%: $(BUILD)/obj/test/unit/%.o $(BUILD)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $(filter-out %/libhost.a,$^) $(BUILD)/libhost.a $(HOST_LIBS) -o $@
# A GDB stub for the command lines of `dwell fetch`.
tests: $(BUILD)/gdbstub
$(BUILD)/gdbstub: $(BUILD)/obj/test/gdbstub.o $(BUILD)/libhost.a
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(HOST_LIBS) -o $@
$(BENCH_BIN): $(BUILD)/bench/%: $(BUILD)/obj/bench/%.o $(BUILD)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) $(LDFLAGS) $^ $(HOST_LIBS) -o $@
$(FUZZ_BIN): $(BUILD)/fuzz/%: $(BUILD)/obj/test/fuzz/%.o $(BUILD)/libhost.a
	@mkdir -p $(@D)
	$(call say,LD)$(CC) $(CFLAGS) -fsanitize=fuzzer $(LDFLAGS) $(filter-out %/libhost.a,$^) $(BUILD)/libhost.a $(HOST_LIBS) -o $@
# Files of TI's tools, which nobody here has, dumps, and what is wrong with such: written as text.
$(BUILD)/text2bin: test/text2bin.c $(wildcard test/*_text.h) test/unit/symbol/tiny_elf.h $(BUILD)/BUILD_FLAGS
	$(call say,LD)$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) -Itest $(LDFLAGS) $< -o $@
$(ASSEMBLED): $(BUILD)/assembled/%: %.asm $(BUILD)/text2bin
	@mkdir -p $(@D)
	@$(BUILD)/text2bin < $< > $@ || { rm -f $@; echo "$<: see above" >&2; exit 1; }
# initfirst: its start must come before any constructor that has hooks. nodelete: the kernel keeps looking at a thread's restartable
# sequence, and stubs jump into it. No library is linked: what it asks of libc is optional.
$(BUILD)/$(AGENT_SONAME): $(AGENT_OBJ) $(BUILD)/BUILD_SOURCES
	$(call say,LD)$(CC) $(AGENT_CFLAGS) $(LDFLAGS) -nostdlib -shared -Wl,-soname,$(AGENT_SONAME) -Wl,-z,defs -Wl,-z,initfirst -Wl,-z,nodelete $(filter %.o,$^) -o $@
$(BUILD)/libdwell.so: $(BUILD)/$(AGENT_SONAME)
	@ln -sf $(AGENT_SONAME) $@
$(BUILD)/libdwell-timer.so: $(SAMPLER_OBJ) $(BUILD)/BUILD_SOURCES
	$(call say,LD)$(CC) $(AGENT_CFLAGS) $(LDFLAGS) -nostdlib -shared -Wl,-soname,libdwell-timer.so -Wl,-z,defs -Wl,-z,initfirst -Wl,-z,nodelete $(filter %.o,$^) -o $@
# One object, whose inner names the program cannot see, and those that it may do without.
$(BUILD)/libdwell.a: $(LINKED_OBJ) $(LINKED_MEMBER_OBJ) $(BUILD)/BUILD_SOURCES
	@rm -f $@
	@$(CC) -nostdlib -r $(LINKED_OBJ) -o $(BUILD)/linked/dwell.o
	@$(OBJCOPY) --localize-hidden $(BUILD)/linked/dwell.o
	$(call say,AR)$(AR) rcs $@ $(BUILD)/linked/dwell.o $(LINKED_MEMBER_OBJ)
.SECONDARY: $(PROTO_C) $(PAGE_C) $(UNIT_OBJ) $(FUZZ_OBJ) $(BENCH_OBJ)

-include $(patsubst %.o,%.d,$(HOST_OBJ) $(PROTO_OBJ) $(PAGE_OBJ) $(MAIN_OBJ) $(TRACEGEN_OBJ) $(SHAPES_OBJ) $(UNIT_OBJ) $(ADVERSARY_OBJ) $(FUZZ_OBJ) $(BENCH_OBJ) $(AGENT_OBJ) $(SAMPLER_OBJ) $(LINKED_OBJ) $(LINKED_MEMBER_OBJ) $(SIM_OBJ))

$(SPECS): $(BUILD)/%: mk/%
	@mkdir -p $(@D)
	@cp $< $@

# What dwell prints of itself: manual pages, and completions for shells, in folders as they are installed.
SHARE := $(BUILD)/share
MADE_BY_DWELL := $(patsubst %,$(SHARE)/%,bash-completion/completions/dwell zsh/site-functions/_dwell fish/vendor_completions.d/dwell.fish)
man: $(SHARE)/man/man1/dwell.1 $(MADE_BY_DWELL)#  manual pages, and completions for bash, zsh and fish, in build/share
$(SHARE)/man/man1/dwell.1: $(DWELL)
	@rm -rf $(@D) && mkdir -p $(@D)
	$(call say,MAN)for name in $$($(DWELL) help | sed -n 's/^.\{10\} \([a-z0-9]\{1,\}\) .*/\1/p'); do \
		$(DWELL) help --man $$name > $(@D)/dwell-$$name.1 || exit 1; done && $(DWELL) help --man > $@
$(MADE_BY_DWELL): $(DWELL)
	@mkdir -p $(@D)
	$(call say,MADE)$(DWELL) completion $(firstword $(subst -, ,$(subst /, ,$(patsubst $(SHARE)/%,%,$@)))) > $@

help:#                       this list
	@awk -f tools/help.awk $(filter-out %.d,$(MAKEFILE_LIST))

clean:#                      removes the build folder
	rm -rf $(BUILD)
