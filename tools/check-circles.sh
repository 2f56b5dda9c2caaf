#!/bin/sh
# Circles of files: units that include each other, or call each other, directly or through others. Prints each circle as a line; status 0
# when there are none.
#
# A unit is what has one name: NAME.c, NAME.S and NAME.h, or a header alone. NAME_inner.h is the private header of the unit NAME: what its
# files, and others of the same room that are parts of it, know of each other. So NAME_part.c may include NAME_inner.h, as long as nothing of
# NAME includes a header of NAME_part.
#
# Who calls whom is what the objects of the host say, once they are built: which functions each needs, and which it has. A row
# in a table is no call: a table of commands may name one that reads the table. Where nothing was built, calls are not looked at.
#
# The objects of the agent (build/agent) are exempt. Its includes lead one way, its calls are one circle of 31 files: a hook calls the
# recorder, whose slow path asks the port for a thread, for modules and for a place to land; and the port switches hooks on and off.
# No move of one function makes the circle smaller than 25 files, and cutting 12 calls still leaves 16. What would cut more, calls
# through pointers, is paid in the hook and is for an attacker to overwrite.
#
#   tools/check-circles.sh [ROOT]       another root is for the test of this script
#
#   BUILD       folder of the build, build by default
set -eu
cd "${1-$(dirname "$0")/..}"
build=${BUILD-build}

# Lines "FROM TO": which unit includes which.
includes()
{
	find core include target host classic -name '*.[chS]' 2> /dev/null | LC_ALL=C sort | xargs -x -s 1000000 awk '
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
		if (to != from)
			print from, to
	}
}'
}

# calls OBJECTS: lines "FROM TO": which file of these calls which. Objects whose source is gone are none.
calls()
{
	find "$1" -path "$1/test" -prune -o -name '*.o' -print 2> /dev/null | LC_ALL=C sort | xargs -x -s 1000000 gcc-nm -A -P 2> /dev/null | awk -v objects="$1/" '
function has_source(unit) {
	if (!(unit in source))
		source[unit] = (getline line < (unit ".c")) >= 0 || (getline line < (unit ".S")) >= 0
	close(unit ".c")
	return source[unit]
}

{
	unit = substr($1, length(objects) + 1)
	sub(/\.o:$/, "", unit)
}
has_source(unit) && $3 ~ /^[TW]$/ { owner[$2] = unit }
has_source(unit) && $3 == "U" { wanted[unit, $2] = unit }

END {
	for (pair in wanted) {
		symbol = substr(pair, length(wanted[pair]) + 2)
		if (symbol in owner && owner[symbol] != wanted[pair])
			print wanted[pair], owner[symbol]
	}
}'
}

# circles WHAT: of the edges that it reads, one line each, which begins with WHAT
circles()
{
	LC_ALL=C sort -u | awk '
{ next_of[$1] = next_of[$1] " " $2; unit[$1] = 1 }

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
}' | LC_ALL=C sort | awk -v what="$1" '
$1 != circle { printf "%s%s: %s", (NR > 1 ? "\n" : ""), what, $2 }
$1 == circle { printf " %s", $2 }
{ circle = $1 }
END { if (NR) print ""; exit NR != 0 }'
}

status=0
includes | circles 'a circle' || status=1
calls "$build/obj" | circles 'a circle of calls' || status=1
exit $status
