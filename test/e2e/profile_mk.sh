#!/bin/bash
# mk/profile.mk: what the documents' variables do, from make's command line and from the Makefile, natively and for ARM; and installed.
. "$(dirname "$0")/lib.sh"

if ! make -s -C "$ROOT" plugin PLUGIN_CC=gcc BUILD="$BUILD" > make.log 2>&1 || ! make -s -C "$ROOT" nitro BUILD="$BUILD" >> make.log 2>&1; then
	if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
		echo "not ok 1 - the plugin and the libraries build"
		sed 's/^/# /' make.log
		echo 1..1
		exit 1
	fi
	echo "1..0 # SKIP gcc's plugin headers are not installed"
	exit
fi
plugin=$BUILD/plugin/$(gcc -dumpmachine)-$(gcc -dumpfullversion)/profile.so
libs=$BUILD/lib
# The build folder of a test need not be the one beside the sources.
where="PROFILE_PLUGIN=$plugin PROFILE_LIBS=$libs"

cat > app.c <<'END'
#include <nitro.h>

static u32 buffer[0x600];
static u32 statistics[0x100];

__attribute__((noinline)) static int computes(int a)
{
	__asm__ volatile("");
	return a + 1;
}

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
#ifdef COST
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, sizeof statistics);
	computes(1);
	computes(2);
	OS_CalcStatistics(statistics);
	OS_DumpStatistics(statistics);
#elif defined TRACE
	(void)statistics;
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_LOG);
	computes(1);
	computes(2);
	OS_DumpCallTrace();
#else
	(void)statistics;
	(void)buffer;
	OS_Printf("%d\n", computes(1));
#endif
}
END
# PROFILE functions of one's own, in plain C; they may well be compiled with calls, too.
cat > own.c <<'END'
#include <stdio.h>
void __PROFILE_ENTRY(const char *name);
void __PROFILE_ENTRY(const char *name)
{
	printf("into %s\n", name);
}
void __PROFILE_EXIT(void);
void __PROFILE_EXIT(void)
{
	printf("out\n");
}
END
makefile()
{
	{
		echo 'CFLAGS = -O2 -Wall -Wextra'
		printf '%s\n' "$@"
		echo "include $ROOT/mk/profile.mk"
		echo 'app: app.o $(MORE)'
	} > Makefile
	rm -f app ./*.o
}
# calls FILE: how many of the two PROFILE functions an object refers to
calls()
{
	nm "$1" | grep -c ' U __PROFILE_' || true
}

# Each spelling, from the command line and from the Makefile, does the same.
call_trace()
{
	local spelling
	for spelling in TWL NITRO; do
		makefile
		# shellcheck disable=SC2086
		make $where ${spelling}_PROFILE=TRUE ${spelling}_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE > make.log 2>&1 || fail "$(cat make.log)"
		[ "$(calls app.o)" = 2 ] || fail "no calls: $(cat make.log)"
		./app > "$spelling.command"
		makefile "${spelling}_PROFILE = TRUE" "${spelling}_PROFILE_TYPE = CALLTRACE" CPPFLAGS=-DTRACE
		# shellcheck disable=SC2086
		make $where > make.log 2>&1 || fail "$(cat make.log)"
		./app > "$spelling.file"
		sed 's/:.*//' "$spelling.command" "$spelling.file" | tr '\n' ' ' > names
		[ "$(cat names)" = "computes computes computes computes " ] || fail "$(cat "$spelling.command" "$spelling.file")"
	done
	# Mixed spellings that agree.
	makefile "NITRO_PROFILE = TRUE" "TWL_PROFILE = TRUE" "TWL_PROFILE_TYPE = CALLTRACE"
	# shellcheck disable=SC2086
	make $where CPPFLAGS=-DTRACE NITRO_PROFILE_TYPE=CALLTRACE > make.log 2>&1 || fail "$(cat make.log)"
	./app | grep -c '^computes: ' | grep -qx 2
}

function_cost()
{
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=TRUE TWL_PROFILE_TYPE=FUNCTIONCOST CFLAGS=-O1 CPPFLAGS=-DCOST > make.log 2>&1 || fail "$(cat make.log)"
	grep -q -- '-O1' make.log || fail "CFLAGS of the command line is lost" "$(cat make.log)"
	./app > app.out
	grep -q '^computes: count 2, cost [0-9]*$' app.out || fail "$(cat app.out)"
}

# Section 5: calls, and PROFILE functions of one's own; and neither.
own_functions()
{
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=TRUE MORE=own.o > make.log 2>&1 || fail "$(cat make.log)"
	./app > app.out
	printf 'into NitroMain\ninto computes\nout\n2\nout\n' | diff - app.out
	makefile
	# shellcheck disable=SC2086
	make $where > make.log 2>&1 || fail "$(cat make.log)"
	[ "$(calls app.o)" = 0 ] || fail "calls without being asked: $(cat make.log)"
	[ "$(./app)" = 2 ] || fail "$(./app)"
	# A type alone links its library, and puts no calls into functions.
	makefile
	# shellcheck disable=SC2086
	make $where NITRO_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE > make.log 2>&1 || fail "$(cat make.log)"
	[ "$(calls app.o)" = 0 ] || fail "calls by the type alone: $(cat make.log)"
	./app > app.out
	! grep computes app.out
	# Another type: said, and then as without.
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLGRAPH MORE=own.o > make.log 2>&1 || fail "$(cat make.log)"
	grep -q 'profile.mk: there is no profile type CALLGRAPH, only CALLTRACE and FUNCTIONCOST' make.log || fail "$(cat make.log)"
	./app | grep -qx 'into computes'
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=FALSE NITRO_PROFILE_TYPE= > make.log 2>&1 || fail "$(cat make.log)"
	[ "$(calls app.o)" = 0 ] || fail "calls with FALSE"
}

# refuses TEXT VARIABLES: make fails and says so
refuses()
{
	local text=$1
	shift
	makefile
	# shellcheck disable=SC2086
	if make $where "$@" > make.log 2>&1; then
		fail "no error: $*"
	fi
	grep -qF -- "$text" make.log || fail "expected: $text" "$(cat make.log)"
	[ ! -e app.o ] || fail "and went on: $*"
}
contradictions()
{
	refuses "NITRO_PROFILE=TRUE and TWL_PROFILE=FALSE contradict each other" NITRO_PROFILE=TRUE TWL_PROFILE=FALSE
	refuses "NITRO_PROFILE_TYPE=CALLTRACE and TWL_PROFILE_TYPE=FUNCTIONCOST contradict" TWL_PROFILE_TYPE=FUNCTIONCOST NITRO_PROFILE_TYPE=CALLTRACE
	refuses "TWL_PROFILE=maybe is neither TRUE nor FALSE" TWL_PROFILE=maybe
	refuses "PROFILE_FORM=fancy is neither" PROFILE_FORM=fancy
	refuses "make plugin PLUGIN_CC=gcc" TWL_PROFILE=TRUE CC=gcc PROFILE_PLUGIN=/nowhere/profile.so
	refuses "libos.CALLTRACE.a does not exist" TWL_PROFILE_TYPE=CALLTRACE PROFILE_LIBS=/nowhere
}

# Another language, assembly that goes through the preprocessor, link-time optimisation.
other_rules()
{
	cat > more.cc <<-END
	extern "C" int more(int a);
	__attribute__((noinline)) int more(int a) { return a; }
	END
	printf '#define NAME nothing\n.globl NAME\nNAME:\n.section .note.GNU-stack,"",@progbits\n' > nothing.S
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE CXXFLAGS=-O0 CPPFLAGS=-DTRACE MORE="more.o nothing.o" > make.log 2>&1 ||
		fail "$(cat make.log)"
	[ "$(calls more.o)" = 2 ] || fail "no calls in C++: $(cat make.log)"
	./app | grep -c '^computes' | grep -qx 2
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE CFLAGS='-O2 -flto' > make.log 2>&1 || fail "$(cat make.log)"
	./app | grep -c '^computes' | grep -qx 2 || fail "no calls after link-time optimisation: $(cat make.log)"
}

# As installed, without a word of where anything is.
installed()
{
	make -s -C "$ROOT" BUILD="$BUILD" install PREFIX="$work/prefix" > make.log 2>&1 || fail "$(cat make.log)"
	makefile
	sed -i "s|$ROOT/mk/profile.mk|$work/prefix/share/dwell/profile.mk|" Makefile
	make TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE > make.log 2>&1 || fail "$(cat make.log)"
	grep -q "$ROOT\|$BUILD" make.log && fail "not from where it was installed: $(cat make.log)"
	./app | grep -c '^computes' | grep -qx 2
}

# For ARM: which library is linked, and what the objects are; that it runs is another test's affair.
arm()
{
	local thumb flags
	make -s -C "$ROOT" plugin PLUGIN_CC=arm-none-eabi-gcc BUILD="$BUILD"
	mkdir -p arm
	for thumb in "" .thumb; do
		touch "arm/libos$thumb.a" "arm/libos.CALLTRACE$thumb.a" "arm/libos.FUNCTIONCOST$thumb.a"
	done
	where="PROFILE_PLUGIN=$BUILD/plugin/$(arm-none-eabi-gcc -dumpmachine)-$(arm-none-eabi-gcc -dumpfullversion)/profile.so PROFILE_LIBS=arm"
	where="$where CROSS=arm-none-eabi- TWL_PROFILE=TRUE"
	for flags in -marm -mthumb; do
		thumb=
		[ $flags = -marm ] || thumb=.thumb
		makefile
		# shellcheck disable=SC2086
		make -s $where TWL_PROFILE_TYPE=CALLTRACE CFLAGS="-mcpu=arm946e-s -ffreestanding $flags -O2" app.o
		[ "$(calls app.o)" = 2 ] || fail "no calls"
		arm-none-eabi-objdump -d app.o | grep -A2 '<NitroMain>:' | grep -q 'push.*{r0, lr}' || fail "no sequence"
		# shellcheck disable=SC2086
		make -n $where TWL_PROFILE_TYPE=FUNCTIONCOST CFLAGS="$flags" app > would
		grep -q "arm-none-eabi-gcc .* app.o *arm/libos.FUNCTIONCOST$thumb.a arm/libos$thumb.a -o app" would || fail "$(cat would)"
	done
	# shellcheck disable=SC2086
	make -n $where PROFILE_THUMB=TRUE app | grep -q " arm/libos.thumb.a " || fail "PROFILE_THUMB=TRUE"
	# shellcheck disable=SC2086
	make -n $where PROFILE_THUMB=FALSE CFLAGS=-mthumb app | grep -q " arm/libos.a " || fail "PROFILE_THUMB=FALSE"
}

test_that "CALLTRACE, in both spellings, from the command line and from the Makefile" call_trace
test_that "FUNCTIONCOST; flags of the command line stay" function_cost
test_that "PROFILE functions of one's own; no option, no calls; a type alone, or one that there is not" own_functions
test_that "spellings that contradict each other, and what else is refused" contradictions
test_that "C++, assembly, link-time optimisation" other_rules
test_that "installed" installed
if command -v arm-none-eabi-gcc > /dev/null; then
	test_that "for ARM, with the .thumb.a forms" arm
else
	skip "for ARM" "no compiler (gcc-arm-none-eabi)"
fi
done_testing
