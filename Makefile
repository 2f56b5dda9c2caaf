# dwell: GNU make, no configure. `make help` lists the targets.
.DEFAULT_GOAL := all
BUILD ?= build
CC ?= cc
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers
HOST_CPPFLAGS := -D_GNU_SOURCE -Iinclude -I. -Ihost
HOST_CFLAGS := -std=c11 $(WARN) $(CFLAGS) -MMD -MP
HOST_LIBS := -ldw -lelf -ljansson -liberty -lz

# Every folder is a room, every file in it is built: adding a file to a room needs no line here.
HOST_SRC := $(wildcard host/*/*.c)
CORE_SRC := $(wildcard core/*.c)
HOST_OBJ := $(HOST_SRC:%.c=$(BUILD)/obj/%.o) $(CORE_SRC:%.c=$(BUILD)/obj/%.o)
MAIN_OBJ := $(BUILD)/obj/host/main.o
UNIT_SRC := $(wildcard test/unit/*/*.c)
UNIT_BIN := $(UNIT_SRC:test/unit/%.c=$(BUILD)/unit/%)

.PHONY: all check clean help
all: $(BUILD)/dwell

$(BUILD)/dwell: $(MAIN_OBJ) $(BUILD)/libhost.a
	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(HOST_LIBS) -o $@

$(BUILD)/libhost.a: $(HOST_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(HOST_CPPFLAGS) $(HOST_CFLAGS) -c $< -o $@

$(BUILD)/unit/%: test/unit/%.c $(BUILD)/libhost.a
	@mkdir -p $(@D)
	$(CC) $(HOST_CPPFLAGS) -Itest $(HOST_CFLAGS) $< $(BUILD)/libhost.a $(HOST_LIBS) -o $@

unit: $(UNIT_BIN)
	@for t in $(UNIT_BIN); do $$t || exit 1; done

clean:
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
