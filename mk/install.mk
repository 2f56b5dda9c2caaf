# make install, uninstall and dist. A part of the Makefile.
#
# What is installed finds the rest of it by relative paths, so a folder that was installed into may be moved, except for the
# pkg-config files. PREFIX/share/dwell/lib is a link to LIBDIR: programs and makefiles need not know what LIBDIR was.

.PHONY: dist
SHARED := $(PREFIX)/share/dwell
relative = $(shell realpath -m --relative-to='$1' '$2')
install_lib_link = ln -sfn $(call relative,$(SHARED),$(LIBDIR)) $(DESTDIR)$(SHARED)/lib

# What programs are compiled with to be recorded call by call: the same as `dwell cflags` prints first, of the two compilers, but for what Clang
# would only need to link with, whose name its versions do not agree on. And what a program is linked with that has the agent in it:
# `dwell cflags --link`.
TRACE_GCC := -finstrument-functions -fno-tree-ter
TRACE_CLANG := -finstrument-functions-after-inlining
AGENT_NEEDS := -Wl,-u,dwell_start,-u,dwell_linked_real,--wrap=longjmp,--wrap=_longjmp,--wrap=siglongjmp,--wrap=__longjmp_chk,--wrap=_Unwind_SetIP,--wrap=__cxa_begin_catch,--wrap=_Fork,--wrap=clone,--wrap=_exit,--wrap=_Exit,--wrap=prctl,--wrap=pthread_setname_np
ifeq ($(CPU),x86_64)
TRACE_GCC := -B@SHARED@ -specs=@SHARED@/gcc.specs
TRACE_CLANG := -fxray-instrument -fxray-instruction-threshold=1
AGENT_NEEDS := $(AGENT_NEEDS),--wrap=makecontext,--wrap=vfork,--wrap=syscall
endif

PACKAGE_FILES := pkgconfig/dwell.pc pkgconfig/dwell-read.pc pkgconfig/dwell-trace.pc pkgconfig/dwell-trace-clang.pc \
	cmake/dwell/dwell-config.cmake cmake/dwell/dwell-config-version.cmake
DIST_INFO := $(SHARED)/python/dwell-$(VERSION).dist-info
SPACE := $(subst ,, )
# As a list of CMake's, with the folder as its file calls it.
listed = $(subst $(SPACE),;,$(strip $(subst @SHARED@,$${_dwell_shared},$1)))
# $1: the folder, $2: the file. @TO_PREFIX@ is for cmake/dwell.
install_filled = sed \
	-e 's|@PREFIX@|$(PREFIX)|g' -e 's|@LIBDIR@|$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR))|g' -e 's|@VERSION@|$(VERSION)|g' \
	-e 's|@TO_PREFIX@|$(call relative,$(LIBDIR)/cmake/dwell,$(PREFIX))|g' -e 's|@CPU@|$(CPU)|g' \
	-e 's|@AGENT_SONAME@|$(AGENT_SONAME)|g' -e 's|@READ_SONAME@|$(READ_SONAME)|g' -e 's|@READ_API@|$(READ_MAJOR).$(READ_MINOR)|g' \
	-e 's|@AGENT_NEEDS@|$(AGENT_NEEDS)|g' -e 's|@READ_NEEDS@|$(READ_NEEDS)|g' -e 's|@READ_LIST@|$(call listed,$(patsubst -l%,%,$(READ_NEEDS)))|g' \
	-e 's|@TRACE_GCC@|$(subst @SHARED@,$${prefix}/share/dwell,$(TRACE_GCC))|g' -e 's|@TRACE_GCC_LIST@|$(call listed,$(TRACE_GCC))|g' \
	-e 's|@TRACE_CLANG@|$(TRACE_CLANG)|g' -e 's|@TRACE_CLANG_LIST@|$(call listed,$(TRACE_CLANG))|g' \
	tools/$2.in > $(DESTDIR)$1/$2

DOC := $(PREFIX)/share/doc/dwell
# Pages lie as in the source, so that their links lead to each other.
install_doc = find doc examples -type f ! -perm -u+x -exec install -D -m 644 {} $(DESTDIR)$(DOC)/{} \; && \
	find examples -type f -perm -u+x -exec install -D -m 755 {} $(DESTDIR)$(DOC)/{} \; && install -m 644 *.md LICENSE $(DESTDIR)$(DOC)

install: all man#            into PREFIX and LIBDIR: dwell, its libraries, headers, documentation, examples, manual pages, and what pkg-config and CMake find them by; what was built of plugins, nitro-arm and ultra-bare
	$(quiet)install -d $(addprefix $(DESTDIR),$(PREFIX)/bin $(PREFIX)/include/dwell $(DOC) $(SHARED)/python/dwell $(DIST_INFO) \
		$(LIBDIR)/pkgconfig $(LIBDIR)/cmake/dwell $(LIBDIR)/dwell)
	$(quiet)install -m 755 $(BUILD)/dwell $(DESTDIR)$(PREFIX)/bin/dwell
	$(quiet)install -m 644 $(BUILD)/$(AGENT_SONAME) $(BUILD)/libdwell.a $(BUILD)/$(READ_SONAME) $(BUILD)/libdwell-read.a $(DESTDIR)$(LIBDIR)
	$(quiet)install -m 644 $(BUILD)/libdwell-timer.so $(DESTDIR)$(LIBDIR)/dwell
	$(quiet)ln -sf $(AGENT_SONAME) $(DESTDIR)$(LIBDIR)/libdwell.so
	$(quiet)ln -sf $(READ_SONAME) $(DESTDIR)$(LIBDIR)/libdwell-read.so
	$(quiet)install -m 644 $(HOOK_LIBS) $(ULTRA_LIBS) $(DESTDIR)$(LIBDIR)
	$(quiet)install -m 644 include/dwell/*.h $(DESTDIR)$(PREFIX)/include/dwell
	$(quiet)install -m 644 include/hook.h include/ultra64.h $(DESTDIR)$(PREFIX)/include
	$(quiet)install -m 644 $(SPECS) $(DESTDIR)$(SHARED)
	$(quiet)install -m 644 python/dwell/*.py python/dwell/py.typed $(DESTDIR)$(SHARED)/python/dwell
	$(call nitro_install,$(NITRO_LIBS) $(wildcard $(ARM_LIBS) $(ARM_BOARDS) $(ULTRA_BARE)))
	$(quiet)cd $(SHARE) && find man bash-completion zsh fish -type f -exec install -D -m 644 {} $(DESTDIR)$(PREFIX)/share/{} \;
	$(quiet)$(install_doc)
	$(quiet)$(foreach file,$(PACKAGE_FILES),$(call install_filled,$(patsubst %/,%,$(LIBDIR)/$(dir $(file))),$(notdir $(file))) &&) \
		$(call install_filled,$(DIST_INFO),METADATA)
	@$(if $(silent),,echo "installed in $(DESTDIR)$(PREFIX)")

# git's own time of the commit is in it, and no time of today.
TARBALL := $(BUILD)/dwell-$(VERSION).tar
dist:#                       the release as build/dwell-VERSION.tar.gz: the last commit, the same bytes each time
	@mkdir -p $(BUILD)
	@git -c tar.umask=0022 archive --format=tar --prefix=dwell-$(VERSION)/ -o $(TARBALL) HEAD && gzip -9nf $(TARBALL) && echo $(TARBALL).gz

uninstall:#                  takes back what install put there
	rm -f $(DESTDIR)$(PREFIX)/bin/dwell $(DESTDIR)$(PREFIX)/share/man/man1/dwell.1 $(DESTDIR)$(PREFIX)/share/man/man1/dwell-*.1 \
		$(patsubst $(SHARE)/%,$(DESTDIR)$(PREFIX)/share/%,$(MADE_BY_DWELL)) \
		$(patsubst %,$(DESTDIR)$(PREFIX)/include/%.h,nitro twl hook ultra64) \
		$(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(AGENT) $(READ_LIBS) $(NITRO_LIBS) $(HOOK_LIBS) $(ULTRA_LIBS)) $(PACKAGE_FILES))
	rm -rf $(addprefix $(DESTDIR)$(LIBDIR)/,$(notdir $(ARM_CPU)) $(ULTRA_MACHINES) dwell cmake/dwell) \
		$(DESTDIR)$(PREFIX)/include/dwell $(DESTDIR)$(DOC) $(DESTDIR)$(SHARED)
