#!/bin/bash
# The glue of examples/rtos, with declarations of our own in place of the systems' headers: it compiles for a Cortex-M3, and what these systems are known to
# do at their switches gives the switches that there were.
. "$(dirname "$0")/../lib.sh"
make -s -C "$ROOT" hook BUILD="$BUILD" > make.log 2>&1 || { echo "not ok 1 - make hook"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
glue=$ROOT/examples/rtos
systems=$ROOT/test/e2e/machines/hook/rtos
flags="-std=gnu11 -O1 -Wall -Wextra -Werror -I$ROOT/include -I$systems"

switches() # SOURCE ... FLAGS ...
{
	# shellcheck disable=SC2086
	${CC:-gcc} $flags "$@" "$BUILD/lib/libhook${form-}.a" -o program
	timeout -k 5 60 ./program || fail "exit status $?"
}

circular_switches()
{
	form=.circular
	switches -DCIRCULAR "$@"
}

for_a_target() # SOURCE FLAGS ...
{
	# shellcheck disable=SC2086
	arm-none-eabi-gcc -mcpu=cortex-m3 -mthumb -ffreestanding $flags "$@" -c -o glue.o
}

refuses_processors()
{
	# shellcheck disable=SC2086
	! ${CC:-gcc} $flags "$@" -c -o glue.o 2> said || fail "it compiles"
	grep -q 'one buffer for one processor' said || fail "$(cat said)"
}

test_that "FreeRTOS" switches -I"$glue/freertos" "$systems/freertos.c" "$glue/freertos/hook_freertos.c"
test_that "FreeRTOS, circular hooks" circular_switches -I"$glue/freertos" "$systems/freertos.c" "$glue/freertos/hook_freertos.c"
test_that "FreeRTOS: several processors" refuses_processors -DconfigNUMBER_OF_CORES=2 "$glue/freertos/hook_freertos.c"
test_that "Zephyr" switches "$systems/zephyr.c" "$glue/zephyr/hook_zephyr.c"
test_that "Zephyr, circular hooks" circular_switches "$systems/zephyr.c" "$glue/zephyr/hook_zephyr.c"
test_that "Zephyr, older" switches -DOLD_ZEPHYR "$systems/zephyr.c" "$glue/zephyr/hook_zephyr.c"
test_that "Zephyr: several processors" refuses_processors -DCONFIG_MP_MAX_NUM_CPUS=2 "$glue/zephyr/hook_zephyr.c"
test_that "SYS/BIOS" switches "$systems/sysbios.c" "$glue/sysbios/main.c"
if command -v arm-none-eabi-gcc > /dev/null; then
	test_that "FreeRTOS on a Cortex-M3" for_a_target "$glue/freertos/hook_freertos.c"
	test_that "Zephyr on a Cortex-M3" for_a_target "$glue/zephyr/hook_zephyr.c"
	test_that "SYS/BIOS's example, 32 bits" for_a_target "$glue/sysbios/main.c"
else
	skip "the glue on a Cortex-M3" "no arm-none-eabi-gcc"
fi
done_testing
