#!/bin/bash
# Who has an SDK links it in front of the libraries, and gets its tick, its console and its threads: a stand-in for one, on Linux and on an emulated ARM9. All
# through profile.mk's PROFILE_SDK.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"

makes nitro > make.log 2>&1 || { echo "not ok 1 - make nitro"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
if ! plugin_of gcc > /dev/null; then
	echo "1..0 # SKIP the compiler's plugin cannot be had here (make plugin)"
	exit
fi

# sdk CROSS PRINTF FLAGS ...: sdk.a. PRINTF: the object of the library's OS_Printf, which has another console here.
sdk()
{
	local cross=$1 printf=$2 part
	shift 2
	rm -f sdk.a
	for part in init tick console thread; do
		"${cross}gcc" -O1 -Wall -Wextra -Werror -I"$ROOT/include" "$@" -c "$manual/sdk/os_$part.c" -o os_$part.o
	done
	"${cross}objcopy" --redefine-sym nitro_port_put=sdk_put "$printf" os_printf.o
	"${cross}ar" rcs sdk.a os_init.o os_tick.o os_printf.o os_console.o os_thread.o
}

# with_make MAKEFILE'S LINES ... -- VARIABLES ...
with_make()
{
	: > Makefile
	while [ "$1" != -- ]; do
		echo "$1" >> Makefile
		shift
	done
	shift
	printf '%s\n' "include $ROOT/mk/profile.mk" 'app: with_sdk.o $(MORE)' '	$(CC) $(CFLAGS) $(LDFLAGS) $^ $(LDLIBS) -o $@' "with_sdk.o: $manual/with_sdk.c" \
		'	$(CC) $(CFLAGS) $(CPPFLAGS) -c $< -o $@' >> Makefile
	rm -f app with_sdk.o
	make NITRO_PROFILE=TRUE PROFILE_SDK=sdk.a "$@" > make.log 2>&1 || fail "$(cat make.log)"
	! nm app | grep -E ' [^wv] nitro_(tick_is_.*|port_put)$' || fail "something of the library's own is linked beside the SDK's"
}

prints_cost()
{
	prints "$1" <<-END
	[OS_InitFunctionCost: OS_InitTick() comes first: nothing is measured]
	[outer: count 20, cost 60]
	[inner: count 20, cost 140]
	[the SDK's]
	END
}

prints_trace()
{
	sed 's/lr=[0-9a-f]*.*/./' "$1" > shape
	prints shape <<-END
	[  inner: .
	[outer: .
	END
}

linux()
{
	sdk "" "$BUILD/nitro/linux/classic/target/face/nitro/os/printf.o"
	with_make 'CFLAGS = -O1' "PROFILE_LIBS = $BUILD/lib" "PROFILE_PLUGIN = $(plugin_of gcc | sed 's/-fplugin=\([^ ]*\).*/\1/')" -- \
		NITRO_PROFILE_TYPE=FUNCTIONCOST CPPFLAGS="-DTICKS_PER_SECOND=0"
	timeout 20 ./app > cost
	prints_cost cost
	with_make 'CFLAGS = -O1' "PROFILE_LIBS = $BUILD/lib" "PROFILE_PLUGIN = $(plugin_of gcc | sed 's/-fplugin=\([^ ]*\).*/\1/')" -- \
		NITRO_PROFILE_TYPE=CALLTRACE CPPFLAGS=-DTRACE
	timeout 20 ./app > trace
	prints_trace trace
}

# arm STATE BOARD'S-OBJECT: with none, or with one of which nothing is to be taken
arm()
{
	local state=$1 board=$2 flags variables type
	flags="-mcpu=arm946e-s -m$state -O1 -ffreestanding"
	makes plugin PLUGIN_CC=arm-none-eabi-gcc
	sdk arm-none-eabi- "$BUILD/nitro/arm/classic/target/face/nitro/os/printf.o" -mcpu=arm946e-s -marm -ffreestanding
	cp "$manual/link.ld" "$manual/start.S" .
	arm-none-eabi-gcc -mcpu=arm946e-s -c start.S -o start.o
	for type in FUNCTIONCOST CALLTRACE; do
		variables="-DTICKS_PER_SECOND=0"
		[ $type = FUNCTIONCOST ] || variables=-DTRACE
		with_make 'CROSS = arm-none-eabi-' "CFLAGS = $flags" 'LDFLAGS = -nostdlib -T link.ld' "PROFILE_LIBS = $BUILD/lib/arm946e-s" -- \
			NITRO_PROFILE_TYPE=$type CPPFLAGS=$variables MORE="start.o $board"
		QEMU_AUDIO_DRV=none timeout -k 5 60 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor none -serial stdio \
			-semihosting-config enable=on,target=native -kernel app < /dev/null > out 2> err || fail "$(cat out err)"
		if [ $type = FUNCTIONCOST ]; then
			prints_cost out
		else
			prints_trace out
		fi
	done
}

test_that "on Linux" linux
if command -v arm-none-eabi-gcc > /dev/null && command -v qemu-system-arm > /dev/null && makes nitro-arm && (plugin_of arm-none-eabi-gcc) > /dev/null; then
	for state in arm thumb; do
		test_that "on the ARM9, $state state, without a board" arm $state ""
	done
	test_that "on the ARM9, beside a board whose counter is another one" arm arm "$BUILD/lib/arm946e-s/versatilepb.o"
else
	skip "on the ARM9" "no compiler, plugin or emulator (gcc-arm-none-eabi, qemu-system-arm)"
fi
done_testing
