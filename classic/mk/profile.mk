# PROFILE calls and the library that takes them, as NITRO-SDK's and TWL-SDK's makefiles have them. For GNU make and GCC:
#
#	CFLAGS = -O2
#	TWL_PROFILE = TRUE
#	TWL_PROFILE_TYPE = CALLTRACE
#	include /usr/local/share/dwell/profile.mk
#	app: app.o
#
# or without the two in the middle, and then `make TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE`; `make clean` in between, since objects do not
# know how they were made. It appends to CFLAGS, CXXFLAGS, CPPFLAGS, LDFLAGS and LDLIBS, which make's own rules take; rules of your own
# should, too. What is set after the include is not seen.
#
# NITRO_PROFILE, TWL_PROFILE		TRUE: every function calls __PROFILE_ENTRY and __PROFILE_EXIT. FALSE, the default: none does.
# NITRO_PROFILE_TYPE, TWL_PROFILE_TYPE	CALLTRACE or FUNCTIONCOST: libos.CALLTRACE.a or libos.FUNCTIONCOST.a is linked. Without, or with anything
#					else, neither is, and the PROFILE functions are yours. It puts no calls into functions.
# The two spellings are equal; where both are given, they must be the same.
#
# CROSS			arm-none-eabi-: CC, CXX and AR are those, unless you set them. A CC for another processor than cc's needs none
# PROFILE_THUMB		TRUE: the libraries' .thumb.a forms, for callers in Thumb state; by default where -mthumb is in CFLAGS or CC
# PROFILE_FORM		sequence: PROFILE functions keep all registers, and see those at the call; by default with a type.
#			plain: PROFILE functions in plain C, of your own; by default without, and with a type an error.
#			functions: -finstrument-functions (GCC: -fno-tree-ter, too), for compilers without the plugin. The type's library prints addresses then, which
#			`dwell names PROGRAM` turns into names; it knows no registers, and the compiler no #pragma profile
# PROFILE_BOARD		on ARM, what gives a counter and a console, where no SDK does: versatilepb or nds, in PROFILE_LIBS, or an object of yours.
#			versatilepb is linked with the compiler's start-up code and --specs=rdimon.specs, unless LDFLAGS has -nostdlib, -nostartfiles or
#			--specs=…; it calls main(), which calls NitroMain() or TwlMain(). For nds the start-up code is yours
# PROFILE_SDK		libraries of an SDK: they are linked in front of the type's, and what they have of OS_Printf, OS_…Tick and so on is taken from them
# PROFILE_PLUGIN	the plugin for this compiler, profile.so
# PROFILE_LIBS		the folder of libos.a and the others; for another machine that is not arm-none-eabi it has to be said
# PROFILE_INCLUDE	the folder of nitro.h and twl.h
#
# Afterwards PROFILE_CFLAGS, PROFILE_LDFLAGS and PROFILE_LDLIBS are what was appended, for makefiles with variables of their own.

# TRUE, FALSE or nothing, of a variable's value.
profile_truth = $(if $(strip $($1)),$(or $(if $(filter 1,$(words $($1))),$(if $(filter TRUE true YES yes ON on 1,$($1)),TRUE,$(if \
	$(filter FALSE false NO no OFF off 0,$($1)),FALSE))),$(error profile.mk: $1=$($1) is neither TRUE nor FALSE)))
# What two spellings say: arguments are their names and their values.
profile_either = $(if $(and $3,$4),$(if $(subst x$3x,,x$4x),$(error profile.mk: $1=$3 and $2=$4 contradict each other),$3),$3$4)

profile_on := $(call profile_either,NITRO_PROFILE,TWL_PROFILE,$(call profile_truth,NITRO_PROFILE),$(call profile_truth,TWL_PROFILE))
profile_type := $(call profile_either,NITRO_PROFILE_TYPE,TWL_PROFILE_TYPE,$(strip $(NITRO_PROFILE_TYPE)),$(strip $(TWL_PROFILE_TYPE)))
ifneq ($(filter-out CALLTRACE FUNCTIONCOST,$(profile_type))$(filter-out 0 1,$(words $(profile_type))),)
$(warning profile.mk: there is no profile type $(profile_type), only CALLTRACE and FUNCTIONCOST: no library for it is linked)
override profile_type :=
endif

ifneq ($(CROSS),)
ifneq ($(filter default undefined,$(origin CC)),)
CC := $(CROSS)gcc
endif
ifneq ($(filter default undefined,$(origin CXX)),)
CXX := $(CROSS)g++
endif
ifneq ($(filter default undefined,$(origin AR)),)
AR := $(CROSS)ar
endif
endif

# Beside the sources, or installed: PREFIX/share/dwell/profile.mk.
profile_here := $(abspath $(dir $(lastword $(MAKEFILE_LIST))))
ifneq ($(wildcard $(profile_here)/../plugin/profile.cc),)
profile_lib := $(abspath $(profile_here)/../../build/lib)
profile_plugins := $(abspath $(profile_here)/../../build/plugin)
else
profile_lib := $(realpath $(profile_here)/lib)
profile_plugins := $(profile_lib)/dwell/plugin
endif
PROFILE_INCLUDE ?= $(abspath $(profile_here)/../../include)
profile_machine := $(shell $(CC) -dumpmachine)
ifeq ($(origin PROFILE_PLUGIN),undefined)
PROFILE_PLUGIN := $(profile_plugins)/$(profile_machine)-$(shell $(CC) -dumpfullversion 2> /dev/null)/profile.so
endif
# What lies in that folder itself is this machine's, which is what cc compiles for. Of its names (x86_64-linux-gnu, x86_64-pc-linux-gnu) only the
# processor's part is the same for every compiler.
profile_processor = $(firstword $(subst -, ,$1))
profile_native := $(call profile_processor,$(shell cc -dumpmachine 2> /dev/null))
profile_is_cross := $(or $(CROSS),$(if $(profile_native),$(filter-out $(profile_native),$(call profile_processor,$(profile_machine)))))
PROFILE_LIBS ?= $(profile_lib)$(if $(filter arm-none-eabi,$(profile_machine)),/arm946e-s,$(if $(profile_is_cross),/$(profile_machine)))
PROFILE_THUMB ?= $(if $(filter -mthumb,$(CFLAGS) $(CXXFLAGS) $(CC) $(CXX)),TRUE,FALSE)
PROFILE_FORM ?= $(if $(profile_type),sequence,plain)
ifneq ($(filter-out sequence plain functions,$(PROFILE_FORM)),)
$(error profile.mk: PROFILE_FORM=$(PROFILE_FORM) is neither sequence nor plain, nor functions)
endif

ifeq ($(PROFILE_FORM)$(if $(profile_type),-typed),plain-typed)
$(error profile.mk: PROFILE_FORM=plain is for PROFILE functions of your own: those of libos.$(profile_type).a take the registers and the stack of a sequence)
endif

PROFILE_CFLAGS :=
ifeq ($(profile_on)$(PROFILE_FORM),TRUEfunctions)
# GCC would compute results behind the exit hook.
profile_kept := $(shell $(CC) -Werror -fno-tree-ter -x c -c /dev/null -o /dev/null 2> /dev/null && echo -fno-tree-ter)
PROFILE_CFLAGS := -finstrument-functions $(profile_kept) -Wno-unknown-pragmas
else ifeq ($(profile_on),TRUE)
ifeq ($(wildcard $(PROFILE_PLUGIN)),)
$(error profile.mk: $(PROFILE_PLUGIN) does not exist: `make plugin PLUGIN_CC=$(CC)` in dwell's folder makes it, for GCC 12 or later; \
	PROFILE_FORM=functions does without)
endif
PROFILE_CFLAGS := -fplugin=$(PROFILE_PLUGIN) -fplugin-arg-profile-on $(if $(filter plain,$(PROFILE_FORM)),-fplugin-arg-profile-plain)
endif

# The type's library has all that libos.a has. That one is linked where it is there: who has no use for it need not have it.
profile_thumb := $(if $(filter TRUE,$(call profile_truth,PROFILE_THUMB)),.thumb)
ifneq ($(if $(filter arm%,$(profile_machine)),,$(profile_thumb)),)
$(error profile.mk: PROFILE_THUMB=$(PROFILE_THUMB): only ARM has a Thumb state, and $(CC) compiles for $(profile_machine))
endif
PROFILE_LDLIBS := $(if $(profile_type),$(PROFILE_LIBS)/libos.$(profile_type)$(profile_thumb).a) $(wildcard $(PROFILE_LIBS)/libos$(profile_thumb).a)
ifneq ($(profile_type),)
ifeq ($(wildcard $(firstword $(PROFILE_LDLIBS))),)
$(error profile.mk: $(firstword $(PROFILE_LDLIBS)) does not exist: `make nitro` in dwell's folder makes it, `make nitro-arm` for ARM; for another machine \
	`make nitro CC=$(CC) BUILD=FOLDER`, and PROFILE_LIBS=FOLDER/lib)
endif
endif
# Blanks in front of a comment are part of a variable of make.
profile_board_name := $(strip $(PROFILE_BOARD))
ifneq ($(profile_board_name),)
profile_board := $(firstword $(wildcard $(PROFILE_LIBS)/$(profile_board_name).o $(profile_board_name)))
ifeq ($(profile_board),)
$(error profile.mk: there is no board $(profile_board_name), nor an object of that name: there are $(filter-out %.FUNCTIONCOST,$(patsubst \
	$(PROFILE_LIBS)/%.o,%,$(wildcard $(PROFILE_LIBS)/*.o))))
endif
# A board may have a part of a library in its own form.
PROFILE_LDLIBS := $(profile_board) $(wildcard $(basename $(profile_board)).$(profile_type).o) $(PROFILE_LDLIBS)
endif
# The linker takes from a library what was asked for in front of it: so what the type's library is going to ask for is asked for at once.
ifneq ($(PROFILE_SDK),)
profile_asked := $(if $(profile_type),OS_Printf) $(if $(filter FUNCTIONCOST,$(profile_type)),OS_IsTickAvailable \
	$(if $(filter arm-none-eabi,$(profile_machine)),OS_GetTickLo,OS_GetTick))
PROFILE_LDLIBS := $(addprefix -u ,$(profile_asked)) $(PROFILE_SDK) $(PROFILE_LDLIBS)
endif
# Division is libgcc's, which comes last. A call from Thumb state is one BLX on an ARMv5TE, which the linker does not know to be one.
PROFILE_LDFLAGS :=
ifneq ($(filter arm-none-eabi,$(profile_machine)),)
PROFILE_LDLIBS += -lgcc
PROFILE_LDFLAGS := -Wl,--use-blx
# The start-up code, and the system calls of its C library, where the program brings none.
ifeq ($(profile_board_name)$(PROFILE_SDK)$(filter -nostdlib -nostartfiles --specs=% -specs=%,$(LDFLAGS) $(CFLAGS) $(CC)),versatilepb)
PROFILE_LDFLAGS += --specs=rdimon.specs
endif
endif

# What is given on make's command line is appended to, as well; no more than that is overridden.
define profile_append
$(if $(filter command,$(firstword $(origin $1))),override )$1 += $2
endef
ifneq ($(strip $(PROFILE_CFLAGS)),)
$(eval $(call profile_append,CFLAGS,$$(PROFILE_CFLAGS)))
$(eval $(call profile_append,CXXFLAGS,$$(PROFILE_CFLAGS)))
# Link-time optimisation compiles, too.
$(if $(findstring -flto,$(CFLAGS) $(CXXFLAGS)),$(if $(findstring -fplugin,$(PROFILE_CFLAGS)),$(eval $(call profile_append,LDFLAGS,-fplugin=$$(PROFILE_PLUGIN)))))
endif
ifneq ($(PROFILE_LDFLAGS),)
$(eval $(call profile_append,LDFLAGS,$$(PROFILE_LDFLAGS)))
endif
$(eval $(call profile_append,CPPFLAGS,-I$$(PROFILE_INCLUDE)))
$(eval $(call profile_append,LDLIBS,$$(PROFILE_LDLIBS)))
