# libdwell-read: the reading half, for other programs (include/dwell/read.h). A part of the Makefile.
#
# Of libhost.a it takes what host/query/read/read.c needs. Nothing else of it can be seen: all is hidden, but for what that header declares.

READ_MAJOR := $(shell sed -n 's/^.define DWELL_READ_VERSION_MAJOR //p' include/dwell/read.h)
READ_MINOR := $(shell sed -n 's/^.define DWELL_READ_VERSION_MINOR //p' include/dwell/read.h)
READ_SONAME := libdwell-read.so.$(READ_MAJOR)
READ_LIBS := $(BUILD)/libdwell-read.a $(BUILD)/libdwell-read.so $(BUILD)/$(READ_SONAME)
# What it needs itself; static programs name them.
READ_NEEDS := -ldw -lelf -ljansson -lprotobuf-c -liberty -lz -llzma -lzstd -lm -pthread

read: $(READ_LIBS)#          libdwell-read.so and .a, which read recordings for other programs
.PHONY: read

$(BUILD)/obj/host/query/read/read.o: $(BUILD)/BUILD_FLAGS
$(BUILD)/$(READ_SONAME): $(BUILD)/obj/host/query/read/read.o $(BUILD)/libhost.a
	$(call say,LD)$(CC) $(CFLAGS) $(if $(HARDEN),-Wl$(comma)-z$(comma)relro$(comma)-z$(comma)now) $(LDFLAGS) -shared -Wl,-soname,$(READ_SONAME) \
		$(if $(findstring -fsanitize,$(CFLAGS)),,-Wl$(comma)-z$(comma)defs) -Wl,--as-needed -Wl,--exclude-libs,ALL $^ $(READ_NEEDS) -o $@
$(BUILD)/libdwell-read.so: $(BUILD)/$(READ_SONAME)
	@ln -sf $(READ_SONAME) $@
# One object, whose inner names the program cannot see.
$(BUILD)/libdwell-read.a: $(BUILD)/obj/host/query/read/read.o $(BUILD)/libhost.a
	@rm -f $@
	@$(CC) -nostdlib -r $^ -o $(BUILD)/read.o
	@$(OBJCOPY) --localize-hidden $(BUILD)/read.o
	$(call say,AR)$(AR) rcs $@ $(BUILD)/read.o
