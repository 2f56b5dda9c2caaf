#!/bin/bash
# No two objects of what dwell is linked from define the same global symbol: the linker takes the first one that it meets, says
# nothing, and a room calls what another room meant by that name.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT

# twice FILE ...: objects, and libraries of them. A line for each name that more than one defines; weak ones may be.
twice()
{
	gcc-nm -A --defined-only "$@" 2>&1 | awk '
		NF > 2 && $(NF - 1) ~ /^[ABCDGRST]$/ {
			where = $1
			sub(/:[0-9a-f]*$/, "", where)
			sub(/^.*\//, "", where)
			all[$NF] = all[$NF] " " where
			if (count[$NF]++ == 1)
				names[++n] = $NF
		}
		END { for (i = 1; i <= n; i++) print names[i] ":" all[names[i]]; if (!NR) print "no symbols" }'
}

# Does it see what it is for?
cd "$here" || exit 2
for name in one two; do
	printf '\t.globl shared, of_%s\n\t.weak either\nshared:\neither:\nlocal:\nof_%s:\t.byte 1\n' $name $name | "${CC:-gcc}" -c -x assembler - -o $name.o ||
		{ echo "no assembler"; exit 77; }
done
ar rcs both.a one.o two.o
[ "$(twice both.a)" = "shared: both.a:one.o both.a:two.o" ] || { echo "not seen: $(twice both.a)"; exit 1; }
[ -z "$(twice one.o)" ] || { echo "seen in one object: $(twice one.o)"; exit 1; }

[ -s "$BUILD/libhost.a" ] || { echo "no $BUILD/libhost.a"; exit 1; }
found=$(twice "$BUILD/libhost.a" "$BUILD/obj/host/main.o")
[ -z "$found" ] || { echo "defined twice:"; echo "$found"; exit 1; }
