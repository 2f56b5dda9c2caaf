#!/bin/bash
# test/run tells how far it is: in a log a line now and then, with what failed; on a terminal one line that changes.
set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-$PWD/build}
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-progress.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/unit/util"
for name in test/unit/util/*.c; do
	name=$(basename "$name" .c)
	printf '#!/bin/sh\necho "ok 1 - one"\necho 1..1\n' > "$work/unit/util/$name"
	chmod +x "$work/unit/util/$name"
	count=$((${count-0} + 1))
done
printf '#!/bin/sh\necho "not ok 1 - one"\necho 1..1\nexit 1\n' > "$work/unit/util/$name"
env -u BUILD -u DWELL test/run --build "$work" --only util/ unit > "$work/out" 2> "$work/err" && exit 1
cat "$work/err"
grep -q "^test/run: $count tests (unit), " "$work/err"
[ "$(grep -c "^test/run: [0-9]* of $count, [01] failed, [0-9]* s" "$work/err")" = "$count" ]
grep -q "of $count, 1 failed, [0-9]* s: unit util/$name\$" "$work/err"
tail -1 "$work/out" | grep -q "^$((count - 1)) passed, 1 failed"
! command -v script > /dev/null ||
	script -qec "env -u BUILD -u DWELL test/run --build $work --only util/ unit" /dev/null < /dev/null | grep -q $'\r\033\\[Ktest/run: '"$count of $count, 1 failed"
