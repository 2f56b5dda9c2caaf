#!/bin/bash
# mk/profile.mk: what the documents' variables do, from make's command line and from the Makefile, natively and for ARM; and installed.
# Takes long, makefiles as users have them.
. "$(dirname "$0")/../lib.sh"

if ! makes plugin PLUGIN_CC=gcc > make.log 2>&1 || ! makes nitro >> make.log 2>&1; then
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
functions="PROFILE_LIBS=$libs TWL_PROFILE=TRUE PROFILE_FORM=functions PROFILE_PLUGIN=/nowhere"

cat > app.c <<'END'
#include <nitro.h>

static u32 buffer[0x600];
static u32 statistics[0x100];

__attribute__((noinline)) static int computes(int a)
{
	__asm__ volatile("");
	return a + 1;
}
#ifdef OTHER
int other(int a);
#else
#define other(a)
#endif

void NitroMain(void)
{
	OS_Init();
	OS_InitTick();
#ifdef COST
	OS_InitFunctionCost(buffer, sizeof buffer);
	OS_InitStatistics(statistics, sizeof statistics);
	computes(1);
	computes(2);
	other(3);
	OS_CalcStatistics(statistics);
	OS_DumpStatistics(statistics);
#elif defined TRACE
	(void)statistics;
	OS_InitCallTrace(buffer, sizeof buffer, OS_CALLTRACE_LOG);
	computes(1);
	computes(2);
	other(3);
	OS_DumpCallTrace();
#else
	(void)statistics;
	(void)buffer;
	OS_Printf("%d\n", computes(1));
#endif
}
END
cp app.c app_of_types.c
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
	make $where TWL_PROFILE=TRUE "TWL_PROFILE_TYPE=CALLTRACE FUNCTIONCOST" MORE=own.o > make.log 2>&1 || fail "$(cat make.log)"
	grep -q 'profile.mk: there is no profile type CALLTRACE FUNCTIONCOST, only CALLTRACE and FUNCTIONCOST' make.log || fail "$(cat make.log)"
	./app | grep -qx 'into computes'
	makefile
	# shellcheck disable=SC2086
	make $where TWL_PROFILE=FALSE NITRO_PROFILE_TYPE= > make.log 2>&1 || fail "$(cat make.log)"
	[ "$(calls app.o)" = 0 ] || fail "calls with FALSE"
}

# The manual's programs link and run without a type, with calls and without: what they ask for is empty, and their dumps say so.
without_a_type()
{
	local source said calls
	for source in log_dump cost; do
		said=libos.CALLTRACE.a
		[ $source != cost ] || said=libos.FUNCTIONCOST.a
		for calls in FALSE TRUE; do
			makefile
			cp "$ROOT/test/e2e/machines/nitro/manual_$source.c" app.c
			# shellcheck disable=SC2086
			make $where NITRO_PROFILE=$calls > make.log 2>&1 || fail "$source, NITRO_PROFILE=$calls" "$(cat make.log)"
			./app > app.out
			grep -q "the program is linked without $said: nothing is" app.out || fail "$(cat app.out)"
		done
		# The other type's library has what this program asks for, too.
		makefile
		# shellcheck disable=SC2086
		make $where NITRO_PROFILE=TRUE NITRO_PROFILE_TYPE=$([ $source = cost ] && echo CALLTRACE || echo FUNCTIONCOST) > make.log 2>&1 ||
			fail "$source" "$(cat make.log)"
		./app | grep -q "the program is linked without $said: nothing is"
	done
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
	refuses "TWL_PROFILE=TRUE FALSE is neither TRUE nor FALSE" "TWL_PROFILE=TRUE FALSE"
	refuses "PROFILE_FORM=fancy is neither" PROFILE_FORM=fancy
	refuses "PROFILE_FORM=plain is for PROFILE functions of your own: those of libos.CALLTRACE.a" PROFILE_FORM=plain TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE
	refuses "PROFILE_THUMB=TRUE: only ARM has a Thumb state, and gcc compiles for $(gcc -dumpmachine)" PROFILE_THUMB=TRUE CC=gcc
	refuses "PROFILE_FORM=functions does without" TWL_PROFILE=TRUE PROFILE_PLUGIN=/nowhere/profile.so
	refuses "make plugin PLUGIN_CC=gcc" TWL_PROFILE=TRUE CC=gcc PROFILE_PLUGIN=/nowhere/profile.so
	refuses "libos.CALLTRACE.a does not exist" TWL_PROFILE_TYPE=CALLTRACE PROFILE_LIBS=/nowhere
	# This machine's libraries are not another one's.
	printf '#!/bin/sh\necho fake-linux-gnu\n' > fake-gcc
	chmod +x fake-gcc
	where=
	refuses "/fake-linux-gnu/libos.CALLTRACE.a does not exist" TWL_PROFILE_TYPE=CALLTRACE CROSS="$work/fake-"
	refuses "/fake-linux-gnu/libos.CALLTRACE.a does not exist" TWL_PROFILE_TYPE=CALLTRACE CC="$work/fake-gcc"
	refuses "\`make nitro CC=$work/fake-gcc BUILD=FOLDER\`, and PROFILE_LIBS=FOLDER/lib" TWL_PROFILE_TYPE=CALLTRACE CC="$work/fake-gcc"
	# Neither does one's own PROFILE functions' program get them.
	make -n CC="$work/fake-gcc" app > make.log
	! grep libos make.log || fail "another machine's library"
	# Other names of this machine's are its own.
	printf '#!/bin/sh\necho %s-some-other-name\n' "$(cc -dumpmachine | cut -d- -f1)" > own-gcc
	chmod +x own-gcc
	echo '$(info libraries: $(PROFILE_LIBS))' >> Makefile
	make -n CC="$work/own-gcc" app | grep -qx 'libraries: .*/lib' || fail "not this machine's libraries"
	make -n CC="$work/fake-gcc" app | grep -qx 'libraries: .*/lib/fake-linux-gnu' || fail "not the other machine's libraries"
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
	makes install PREFIX="$work/prefix" > make.log 2>&1 || fail "$(cat make.log)"
	makefile
	sed -i "s|$ROOT/mk/profile.mk|$work/prefix/share/dwell/profile.mk|" Makefile
	make TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE > make.log 2>&1 || fail "$(cat make.log)"
	grep -q "$ROOT\|$BUILD" make.log && fail "not from where it was installed: $(cat make.log)"
	./app | grep -c '^computes' | grep -qx 2
}

# Without the plugin: addresses, by any compiler.
functions()
{
	local compiler
	for compiler in gcc clang; do
		command -v $compiler > /dev/null || continue
		makefile
		make $functions CC=$compiler TWL_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE CFLAGS='-O2 -Wall -Wextra -Werror' LDFLAGS=-no-pie > make.log 2>&1 || fail "$(cat make.log)"
		[ "$(calls app.o)" = 0 ] || fail "calls of the plugin's kind: $(cat make.log)"
		./app > app.out
		"$DWELL" names app < app.out > named
		[ "$(grep -c '^computes: lr=NitroMain+0x' named)" = 2 ] || fail "$(cat app.out named)"
	done
}

# need_arm: installed as somebody would who has this machine alone, and what such a program needs beside it
need_arm()
{
	if [ ! -d arm ]; then
		makes plugin PLUGIN_CC=arm-none-eabi-gcc
		makes install-nitro-arm PREFIX="$work/arm" > make.log 2>&1 || fail "$(cat make.log)"
		rm -f "$work/arm/lib/"*.a
	fi
	cp "$ROOT/test/e2e/machines/nitro/link.ld" "$ROOT/test/e2e/machines/nitro/start.S" .
}

# arm_app NAME LIBRARY MAKE'S VARIABLES ...: by profile.mk as installed, and nothing of the build folder
arm_app()
{
	local name=$1 library=$2
	shift 2
	{
		echo 'CROSS = arm-none-eabi-'
		echo 'LDFLAGS = -nostdlib -T link.ld'
		echo "include $work/arm/share/dwell/profile.mk"
		echo 'app: start.o app.o $(MORE)'
		echo 'other.o: override CFLAGS += $(if $(OTHER_STATE),-m$(OTHER_STATE))'
	} > Makefile
	rm -f app ./*.o
	make "$@" > make.log 2>&1 || fail "$(cat make.log)"
	grep "$ROOT\|$BUILD" make.log && fail "not from where it was installed"
	grep -q " [^ ]*/arm/lib/arm946e-s/$library " make.log || fail "another library: $(cat make.log)"
	QEMU_AUDIO_DRV=none timeout -k 5 60 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor none -serial stdio \
		-icount shift=5,sleep=off -semihosting-config enable=on,target=native -kernel app < /dev/null > "$name" 2> err || fail "$(cat "$name" err)"
}

# doc/nitro.md's own makefile and command, and the same without calls: start-up code, main() and system calls are there.
arm_as_documented()
{
	local variables
	need_arm
	cp "$ROOT/test/e2e/machines/nitro/manual_log_dump.c" game.c
	sed -n '/^CROSS = arm-none-eabi-/,/^game: game.o/p' "$ROOT/doc/nitro.md" | sed "s|/usr/local/share|$work/arm/share|" > Makefile
	for variables in "NITRO_PROFILE=TRUE NITRO_PROFILE_TYPE=CALLTRACE" "NITRO_PROFILE=TRUE" ""; do
		rm -f game game.o
		# shellcheck disable=SC2086
		make $variables > make.log 2>&1 || fail "make $variables:" "$(cat make.log)"
		QEMU_AUDIO_DRV=none timeout -k 5 60 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor none -serial stdio \
			-semihosting-config enable=on,target=native -kernel game < /dev/null > game.out 2> err || fail "$(cat game.out err)"
		if [[ $variables == *CALLTRACE ]]; then
			[ "$(grep -c '^ *test[123]: lr=[0-9a-f]\{8\}, r0=00000[12]0[013]' game.out)" = 6 ] || fail "$(cat game.out)"
		else
			grep -q "the program is linked without libos.CALLTRACE.a: nothing is recorded" game.out || fail "$(cat game.out)"
		fi
	done
}

# The program of call_trace and function_cost, in ARM state, in Thumb state, and with a function of the other state.
arm_runs()
{
	local state other thumb flags
	need_arm
	cat > other.c <<-'END'
	int other(int a);
	int other(int a) { return a + 2; }
	END
	for state in arm thumb; do
		thumb=.thumb other=arm
		[ $state != arm ] || thumb="" other=thumb
		flags="-mcpu=arm946e-s -ffreestanding -m$state -O2"
		arm_app trace libos.CALLTRACE$thumb.a NITRO_PROFILE=TRUE NITRO_PROFILE_TYPE=CALLTRACE PROFILE_BOARD=versatilepb CFLAGS="$flags" \
			CPPFLAGS=-DTRACE
		[ "$(calls app.o)" = 2 ] || fail "no calls"
		[ "$(grep -c '^computes: lr=[0-9a-f]\{8\}, r0=0000000[12], r1=' trace)" = 2 ] || fail "$(cat trace)"
		# One instruction for a call of the other state, not the linker's three.
		arm-none-eabi-objdump -d app | grep '__PROFILE_ENTRY_from_' && fail "not --use-blx"
		arm_app cost libos.FUNCTIONCOST$thumb.a TWL_PROFILE=TRUE TWL_PROFILE_TYPE=FUNCTIONCOST PROFILE_BOARD=versatilepb CFLAGS="$flags" \
			CPPFLAGS='-DCOST -DOTHER' MORE=other.o
		grep -q '^computes: count 2, cost [0-9]*$' cost && grep -q '^other: count 1, cost [0-9]*$' cost || fail "$(cat cost)"
		arm_app mixed libos.CALLTRACE$thumb.a TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE PROFILE_BOARD=versatilepb PROFILE_THUMB=$([ $state = arm ] && echo FALSE || echo TRUE) \
			CFLAGS="$flags" CPPFLAGS='-DTRACE -DOTHER' MORE=other.o OTHER_STATE=$other
		grep -q '^other: lr=' mixed || fail "$(cat mixed)"
		arm_app addresses libos.CALLTRACE$thumb.a TWL_PROFILE=TRUE TWL_PROFILE_TYPE=CALLTRACE PROFILE_FORM=functions PROFILE_BOARD=versatilepb \
			CFLAGS="$flags" CPPFLAGS=-DTRACE
		"$DWELL" names app < addresses > named
		[ "$(grep -c '^computes: lr=NitroMain+0x' named)" = 2 ] || fail "$(cat addresses named)"
	done
	arm_app plain libos.a PROFILE_BOARD=$work/arm/lib/arm946e-s/versatilepb.o CFLAGS="$flags" PROFILE_THUMB=FALSE
	[ "$(cat plain)" = 2 ] || fail "$(cat plain)"
}

# What is linked is told before anything is compiled.
arm_refuses()
{
	need_arm
	{
		echo 'CROSS = arm-none-eabi-'
		echo "include $work/arm/share/dwell/profile.mk"
	} > Makefile
	rm -f app
	make PROFILE_BOARD=gameboy app > make.log 2>&1 && fail "no error"
	grep -q 'there is no board gameboy, nor an object of that name: there are nds versatilepb' make.log || fail "$(cat make.log)"
	make -n PROFILE_THUMB=TRUE app | grep -q "/libos.thumb.a -lgcc " || fail "PROFILE_THUMB=TRUE"
	make -n CXXFLAGS=-mthumb app | grep -q "/libos.thumb.a -lgcc " || fail "-mthumb in CXXFLAGS"
	make -n PROFILE_THUMB=FALSE CFLAGS=-mthumb app | grep -q "/libos.a -lgcc " || fail "PROFILE_THUMB=FALSE"
}

test_that "CALLTRACE, in both spellings, from the command line and from the Makefile" call_trace
test_that "FUNCTIONCOST; flags of the command line stay" function_cost
test_that "PROFILE functions of one's own; no option, no calls; a type alone, or one that there is not" own_functions
test_that "the manual's programs without a type: empty functions" without_a_type
cp "$work/app_of_types.c" app.c
test_that "spellings that contradict each other, and what else is refused" contradictions
test_that "C++, assembly, link-time optimisation" other_rules
test_that "without the plugin: -finstrument-functions, by GCC and Clang" functions
test_that "installed" installed
if command -v arm-none-eabi-gcc > /dev/null && command -v qemu-system-arm > /dev/null; then
	test_that "for ARM, installed: each library in ARM and Thumb state and mixed, on an emulated ARM946E-S" arm_runs
	if [ -e "$(arm-none-eabi-gcc -print-file-name=rdimon.specs)" ]; then
		test_that "for ARM: the makefile of doc/nitro.md" arm_as_documented
	else
		skip "for ARM: the makefile of doc/nitro.md" "no C library with start-up code (libnewlib-arm-none-eabi)"
	fi
	test_that "for ARM: a board that there is not, the .thumb.a forms when asked for" arm_refuses
else
	skip "for ARM" "no compiler or no emulator (gcc-arm-none-eabi, qemu-system-arm)"
fi
done_testing
