#!/bin/sh
# Circles of files: units that include each other, directly or through others. Prints each circle as a line; status 0 when there are none.
#
# A unit is what has one name: NAME.c, NAME.S and NAME.h, or a header alone. NAME_inner.h is the private header of the unit NAME: what its
# files, and others of the same room that are parts of it, know of each other. So NAME_part.c may include NAME_inner.h, as long as nothing of
# NAME includes a header of NAME_part.
#
#   tools/check-circles.sh [ROOT]       another root is for the test of this script
set -eu
cd "${1-$(dirname "$0")/..}"

find core include target host -name '*.[chS]' 2> /dev/null | LC_ALL=C sort | xargs -x -s 1000000 awk '
function unit_of(path) {
	sub(/\.[chS]$/, "", path)
	sub(/_inner$/, "", path)
	return path
}

# A quoted name is looked for where -I says; a bare one is of the machine: each that there is.
function resolve(name,    i, found) {
	for (i = 1; i <= 4; i++)
		if ((root[i] name) in exists)
			return root[i] name
	if (name in bare)
		return bare[name]
	return ""
}

BEGIN {
	root[1] = ""; root[2] = "host/"; root[3] = "target/"; root[4] = "include/"
	for (i = 1; i < ARGC; i++) {
		exists[ARGV[i]] = 1
		unit[unit_of(ARGV[i])] = 1
		if (ARGV[i] ~ /^target\/port\/(cpu|os)\/[^\/]*\/[^\/]*\.h$/) {
			name = ARGV[i]
			sub(/^.*\//, "", name)
			bare[name] = bare[name] " " ARGV[i]
		}
	}
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	name = $0
	sub(/^[^"]*"/, "", name)
	sub(/".*/, "", name)
	from = unit_of(FILENAME)
	count = split(resolve(name), files, " ")
	for (i = 1; i <= count; i++) {
		to = unit_of(files[i])
		if (to != from && !((from, to) in edge)) {
			edge[from, to] = 1
			next_of[from] = next_of[from] " " to
		}
	}
}

# All units that can be reached from one.
function reach(from, seen,    queue, head, tail, i, n, list) {
	queue[tail = 1] = from
	for (head = 1; head <= tail; head++) {
		n = split(next_of[queue[head]], list, " ")
		for (i = 1; i <= n; i++)
			if (!(list[i] in seen)) {
				seen[list[i]] = 1
				queue[++tail] = list[i]
			}
	}
}

END {
	for (u in unit) {
		split("", seen)
		reach(u, seen)
		if (!(u in seen))
			continue
		in_circle[u] = 1
		for (v in seen)
			reaches[u, v] = 1
	}
	for (u in in_circle) {
		smallest = u
		for (v in in_circle)
			if (v < smallest && (u, v) in reaches && (v, u) in reaches)
				smallest = v
		print smallest, u
	}
}' | LC_ALL=C sort | awk '
$1 != circle { printf "%sa circle: %s", (NR > 1 ? "\n" : ""), $2 }
$1 == circle { printf " %s", $2 }
{ circle = $1 }
END { if (NR) print ""; exit NR != 0 }'
