#!/bin/bash
# The agent walks through machine code: does it see the instructions that objdump sees? In dwell itself and in the C library.
set -eu
[ "$(uname -m)" = x86_64 ] || { echo "not on this processor"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-decode.XXXXXX")
trap 'rm -rf "$work"' EXIT
gcc -O2 -Wall -Wextra -I"$ROOT/target" "$ROOT/test/check/decode.c" "$ROOT/target/port/cpu/x86_64/code.c" -o "$work/decode"
for file in "$BUILD/dwell" "$(gcc -print-file-name=libc.so.6)"; do
	objdump -d -j .text --no-show-raw-insn "$file" | sed -n 's/^ *\([0-9a-f]*\):\t/\1 /p' | "$work/decode" "$file"
done
