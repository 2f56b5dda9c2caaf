#!/bin/bash
# What stands behind an exit hook is the caller's time. In the object code of a page of small functions nothing may be there but what hands
# the result over and returns.
. "$(dirname "$0")/../lib.sh"

# behind OBJDUMP FILE HOOK: the instructions behind each call of HOOK up to the return, each with its function, without registers that are put
# back, moves between registers and from the stack, and the stack pointer.
behind()
{
	"$1" -dr --no-show-raw-insn "$2" | awk -v hook="$3" '
	/_Unwind_Resume/ { pending = ""; at = 0; next } # where an exception leaves the function
	!/R_[A-Z0-9_]+/ && pending { print pending; pending = "" }
	/^[0-9a-f]+ <[^>]*>:/ { name = $2; at = 0 }
	index($0, hook) && (/R_[A-Z0-9_]+/ || /\t(call|bl|blx)/) { at = 1; calls++; pending = ""; next }
	!at || !/^ *[0-9a-f]+:/ { next }
	{ sub(/^ *[0-9a-f]+:[ \t]*/, ""); sub(/[ \t]*(;|@| # ).*/, ""); gsub(/[ \t]+/, " ") }
	/^(ret|retq|bx|jmp)( |$)/ || /^(pop|ldmia).*pc/ { at = 0; next }
	/^(nop|pop|leave|leaveq|cltq|ldmia|ldr lr|data16|xchg %ax,%ax)/ { next }
	/^mov[a-z]* (-?(0x[0-9a-f]+)?\(%[re](sp|bp)\)|%[a-z0-9]+),%[a-z0-9]+$/ || /^(mov|movs|adds|vmov)[.a-z0-9]* [a-z0-9]+, [a-z0-9]+(, #0)?$/ { next }
	/^(add|lea) .*%[re]sp$/ || /^(add|sub)[.w]* sp, / { next }
	/^(call|bl)/ { pending = name " " $0; next }
	{ print name, $0 }
	END { if (!calls) print "no calls of", hook }'
}

# clean OBJDUMP HOOK ALLOWED COMMAND ...: the command compiles the page to page.o; at most ALLOWED instructions are behind each hook, and no
# call, division or load among them.
clean()
{
	local objdump=$1 hook=$2 allowed=$3 level
	shift 3
	for level in -O1 -O2 -O3 -Os; do
		"$@" $level -c "$prog/calls/results.c" -o page.o || fail "it does not compile: $* $level"
		behind "$objdump" page.o "$hook" > page.behind
		awk -v allowed="$allowed" '
		++count[$1] > allowed || $2 ~ /^(call|bl|b[a-z]* |idiv|div|ldr|j)/ || /\(%|\[/ { print }' page.behind > page.bad
		[ ! -s page.bad ] || fail "$* $level:" "$(cat page.bad)"
	done
}

# linked OBJDUMP HOOK ALLOWED COMMAND ...: the same where link-time optimisation compiles it.
linked()
{
	local objdump=$1 hook=$2 allowed=$3 level
	shift 3
	for level in -O1 -O2 -O3 -Os; do
		"$@" $level -flto -ffat-lto-objects -c "$prog/calls/results.c" -o page.lto.o
		"$@" $level -flto -nostdlib -r -flinker-output=nolto-rel page.lto.o -o page.o || fail "it does not link: $* $level"
		behind "$objdump" page.o "$hook" > page.behind
		awk -v allowed="$allowed" '
		++count[$1] > allowed || $2 ~ /^(call|bl|b[a-z]* |idiv|div|ldr|j)/ || /\(%|\[/ { print }' page.behind > page.bad
		[ ! -s page.bad ] || fail "$* $level:" "$(cat page.bad)"
	done
}

# The page can tell: without the flag there is what it looks for.
can_tell()
{
	gcc -O2 -finstrument-functions -c "$prog/calls/results.c" -o page.o
	behind objdump page.o __cyg_profile_func_exit > page.behind
	[ "$(cut -d' ' -f1 page.behind | sort -u | wc -l)" -ge 15 ] || fail "$(cat page.behind)"
	grep -q 'divide.*idiv' page.behind && grep -q 'divide_128.*call' page.behind || fail "$(cat page.behind)"
}

plugin_of()
{
	echo "$BUILD/plugin/$($1 -dumpmachine)-$($1 -dumpfullversion)/profile.so"
}

hooks=$("$DWELL" cflags --every gcc)
test_that "the page: without -fno-tree-ter results are behind the hook" can_tell
# The scheduler may move a simple instruction: the flag says nothing to it.
# shellcheck disable=SC2086
test_that "gcc $hooks" clean objdump __cyg_profile_func_exit 1 gcc $hooks
# shellcheck disable=SC2086
test_that "gcc $hooks -flto" linked objdump __cyg_profile_func_exit 1 gcc $hooks
# shellcheck disable=SC2086
test_that "g++ $hooks" clean objdump __cyg_profile_func_exit 1 g++ -x c++ -fpermissive -w -Wno-pedantic $hooks
if command -v clang > /dev/null; then
	# shellcheck disable=SC2046
	test_that "clang" clean objdump __cyg_profile_func_exit 0 clang $("$DWELL" cflags --every clang)
fi
if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ] && makes plugin PLUGIN_CC=gcc > make.log 2>&1; then
	on="-fplugin=$(plugin_of gcc) -fplugin-arg-profile-on"
	# shellcheck disable=SC2086
	test_that "gcc, the plugin" clean objdump __PROFILE_EXIT 0 gcc $on
	# shellcheck disable=SC2086
	test_that "gcc, the plugin, -flto" linked objdump __PROFILE_EXIT 0 gcc $on
	# shellcheck disable=SC2086
	test_that "gcc, the plugin, plain" clean objdump __PROFILE_EXIT 0 gcc $on -fplugin-arg-profile-plain
else
	skip "gcc, the plugin" "no plugin headers"
fi
arm=arm-none-eabi-gcc
if command -v $arm > /dev/null; then
	have=
	makes plugin PLUGIN_CC=$arm > make.log 2>&1 && have=1
	on="-fplugin=$(plugin_of $arm) -fplugin-arg-profile-on"
	for state in "-mcpu=arm946e-s -marm" "-mcpu=arm946e-s -mthumb" "-mcpu=cortex-m3 -mthumb"; do
		# shellcheck disable=SC2046,SC2086
		test_that "$arm $state" clean arm-none-eabi-objdump __cyg_profile_func_exit 1 $arm $state $("$DWELL" cflags --every $arm)
		[ "$have" ] || { skip "$arm $state, the plugin" "no plugin headers"; continue; }
		# shellcheck disable=SC2086
		test_that "$arm $state, the plugin" clean arm-none-eabi-objdump __PROFILE_EXIT 0 $arm $state $on
	done
else
	skip "ARM" "no gcc-arm-none-eabi"
fi

# Patched sites are in front of the return itself.
sites()
{
	local level
	for level in -O1 -O2 -O3 -Os; do
		# shellcheck disable=SC2046
		gcc $level $("$DWELL" cflags gcc) -c "$prog/calls/results.c" -o page.o
		objdump -d --no-show-raw-insn page.o | awk '
		/^[0-9a-f]+ </ { name = $2 }
		/nopl   0x0\(%rax,%rax,1\)/ { nop = 1; next }
		/\t(ret|jmp +[0-9a-f]+ <[^+]*>)$/ && !nop { print name, $0 }
		{ nop = 0 }' > page.bad
		[ ! -s page.bad ] || fail "$level: returns without a site in front of them" "$(cat page.bad)"
	done
}
test_that "patched sites stand in front of the return" sites

# record says so, where the program tells.
warns()
{
	local flags
	for flags in "-O2 -g" "-Os -g -flto"; do
		# shellcheck disable=SC2086
		gcc -D_GNU_SOURCE $flags -finstrument-functions "$prog/calls/recursion.c" -pthread -o moved
		record moved ./moved
		grep -q 'moved: GCC compiled [0-9]* parts of it with -finstrument-functions and without -fno-tree-ter' moved.err || fail "$flags:" "$(cat moved.err)"
	done
	for flags in "-O2 -g -fno-tree-ter" "-O0 -g" "-O2"; do
		# shellcheck disable=SC2086
		gcc -D_GNU_SOURCE $flags -finstrument-functions "$prog/calls/recursion.c" -pthread -o moved
		record moved ./moved
		exits moved 0
	done
}
test_that "record warns of a program whose results may be behind its hooks" warns
done_testing
