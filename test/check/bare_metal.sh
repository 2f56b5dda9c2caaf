#!/bin/bash
# examples/bare_metal on the simulated machine, whose clock is the same every time: so is the table. Its README shows it.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT/examples/bare_metal" || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-bare-metal.XXXXXX")
trap 'rm -rf "$work"' EXIT
make -s OUT="$work/firmware" CFLAGS='-O1 -g -falign-functions=4 -Wall -Wextra -Werror' || exit 1
"$work/firmware" > "$work/printed" || exit 1
# Names in place of addresses, which differ between compilers. What the program spends is in app.c; each event costs a tick.
nm "$work/firmware" | awk '
	NR == FNR { sub(/^0*/, "", $1); name["0x" $1] = $3; next }
	$NF in name { sub(/0x[0-9a-f]*$/, name[$NF]) }
	{ print }' - "$work/printed" > "$work/named"
diff - "$work/named" << 'TABLE' || exit 1
   calls       total        self       min       max  function
    1000      121006      121006       121       124  filter
      20      100020      100020      5001      5001  send
    1000       31006       31006        31        34  read_sensor
      20        6420        6420       321       321  checksum
    1000      261510        3058       155      5479  app_turn
ticks: self 261510 + lost 0 + outside 1002 = 262512; events lost: 0
TABLE
# The README shows what it printed when it was written: the same numbers.
sed -n "/^   calls/,/^ticks:/{s/  0x[0-9a-f]*$//;p}" README.md > "$work/shown"
sed 's/  0x[0-9a-f]*$//' "$work/printed" | diff "$work/shown" - || { echo "examples/bare_metal/README.md shows another table"; exit 1; }
