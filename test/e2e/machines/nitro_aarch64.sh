#!/bin/bash
# The NITRO-SDK's profiler on Linux for a processor without a sequence of its own, AArch64, by user emulation: entries are ordinary calls there, registers
# are not known, and where a function returns to is.
# Takes long, an emulated machine.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"

cc=aarch64-linux-gnu-gcc
if ! command -v $cc > /dev/null || ! command -v qemu-aarch64 > /dev/null || [ ! -e "$($cc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	echo "1..0 # SKIP no emulator, no compiler for AArch64, or not its plugin headers (tools/deps.sh plugin)"
	exit
fi
lib=$work/aarch64/lib
# MAKEFLAGS may have this machine's compiler.
if ! MAKEFLAGS='' make -C "$ROOT" -s nitro CC=$cc BUILD="$work/aarch64" > make.log 2>&1 || ! on=$(plugin_of $cc); then
	echo "not ok 1 - the libraries and the plugin build"
	sed 's/^/# /' make.log plugin.log
	echo 1..1
	exit 1
fi

# build TYPE FLAGS ... SOURCE ...
build()
{
	local type=$1
	shift
	# shellcheck disable=SC2086
	$cc -Wall -Wextra -Werror -static -g $on -I"$ROOT/include" "$@" "$lib/libos.$type.a" -pthread -o program
}

runs()
{
	timeout -k 5 100 qemu-aarch64 ./program > out || fail "$(cat out)"
}

# manual_program SOURCE FLAGS ...: what it prints, with names
manual_program()
{
	build CALLTRACE -fno-inline "${@:2}" "$manual/manual_$1.c"
	runs
	"$DWELL" names program < out | sed 's/+0x[0-9a-f]*$//' > names
}

stack()
{
	manual_program stack "$@"
	prints names <<-END
	OS_DumpCallTrace: lr=function
	function: lr=NitroMain
	END
	manual_program stack_dump "$@"
	prints names <<-END
	OS_DumpCallTrace: lr=test3
	test3: lr=test2
	test2: lr=test1
	test1: lr=NitroMain
	END
}

log()
{
	manual_program log_dump -O0
	prints names <<-END
	    test3: lr=test2
	  test2: lr=test1
	test1: lr=NitroMain
	    test3: lr=test2
	  test2: lr=test1
	test1: lr=NitroMain
	END
}

cost()
{
	build FUNCTIONCOST "$@" "$manual/manual_cost.c"
	runs
	shows_cost 0
}

own_chain()
{
	build CALLTRACE "$@" "$manual/chain.c" "$manual/print_out.c"
	runs
	grep -qx '0 wrong of [0-9]\{5\}' out || fail "$(cat out)"
}

# PROFILE functions of one's own are called as the manual says, and so as before.
plain()
{
	# shellcheck disable=SC2086
	$cc -Wall -Wextra -Werror -Wno-attributes -static $on -fplugin-arg-profile-plain -O1 -I"$ROOT/include" "$manual/own.c" "$lib/libos.a" -o program
	runs
	prints out <<-END
	2 entries, 2 exits
	END
	# shellcheck disable=SC2086
	$cc $on -fplugin-arg-profile-plain -O1 -S -I"$ROOT/include" "$manual/manual_stack_dump.c" -o plain.s
	# shellcheck disable=SC2086
	$cc $on -O1 -S -I"$ROOT/include" "$manual/manual_stack_dump.c" -o second.s
	! grep -q 'mov.*x1, x30' plain.s && grep -q 'mov.*x1, x30' second.s || fail "$(cat plain.s second.s)"
}

for level in -O0 -O1; do
	test_that "3.4 and 3.5.1, stack mode, $level" stack $level -fno-ipa-pure-const
	test_that "4.4: function cost, $level" cost $level
	test_that "a program that knows its chain, $level" own_chain $level
done
test_that "3.5.2: the dump of a log" log
test_that "PROFILE functions of one's own: one argument; the library's: two" plain
test_that "the unit tests" units -static
done_testing
