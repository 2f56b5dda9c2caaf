#!/bin/bash
# The freestanding link test: what the core and the recorder need from outside is what test/link/allowed lists, nothing else.
# A compiler may emit calls of memcpy and its like for any C text; a port has them. Anything more is a libc that crept in.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
agent=${BUILD:-build}/agent
objects=$(find "$agent/core" "$agent/target/recorder" "$agent/target/hook" -name '*.o' 2> /dev/null)
[ "$objects" ] || exit 77
# shellcheck disable=SC2086
nm -A $objects | awk '
	{ kind = $(NF - 1); name = $NF }
	kind ~ /[TtDdBbRrVWC]/ { defined[name] = 1 }
	kind == "U" { object = $1; sub(/:.*/, "", object); wanted[name] = object }
	END { for (name in wanted) if (!(name in defined)) print name, wanted[name] }' | LC_ALL=C sort > "$BUILD/test/link-wanted"
awk '
	NR == FNR { sub(/#.*/, ""); if ($1 != "") allowed[$1] = $2 == "?" ? "maybe" : "needed"; next }
	!($1 in allowed) { print $2 ": needs " $1 ", which test/link/allowed does not list"; bad = 1 }
	{ used[$1] = 1 }
	END {
		for (name in allowed)
			if (allowed[name] == "needed" && !(name in used)) { print "test/link/allowed: nobody needs " name; bad = 1 }
		exit bad
	}' test/link/allowed "$BUILD/test/link-wanted"
