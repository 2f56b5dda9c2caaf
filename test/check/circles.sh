#!/bin/bash
# Does tools/check-circles.sh see what it is for? Small trees with a circle, and without.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# says WANTED [FILE:INCLUDED ...]: what it says of a tree of these files, each with these includes
says()
{
	local wanted=$1 output file
	shift
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/core" "$tree/include" "$tree/target/port/os/linux" "$tree/host/model"
	for file; do
		printf '#include "%s"\n' "${file#*:}" >> "$tree/${file%%:*}"
	done
	output=$(tools/check-circles.sh "$tree") && [ "$wanted" ] && output="status 0: $output"
	if [ "$output" != "$wanted" ]; then
		echo "of $*: '$output', not '$wanted'"
		failed=1
	fi
}

cd "${ROOT:-.}" || exit 2
says ''
says '' core/a.c:core/a.h core/a.h:core/b.h core/b.c:core/b.h
says 'a circle: core/a core/b' core/a.h:core/b.h core/b.c:core/a.h core/b.h:core/c.h core/c.h:dwell/none.h
says 'a circle: core/a core/b core/c' core/a.c:core/b.h core/b.h:core/c.h core/c.c:core/a.h core/a.h:none core/c.h:none
says 'a circle: host/model/a host/model/b' host/model/a.c:model/b.h host/model/b.h:model/a.h host/model/a.h:none
# A private header belongs to its unit, whose parts may know it.
says '' core/a.c:core/a_inner.h core/a_inner.h:core/a.h core/a_part.c:core/a_inner.h core/a.h:none
says 'a circle: core/a core/b' core/a_inner.h:core/b.h core/b.h:core/a.h core/a.h:none
# Names of the machine, which the include path finds.
says 'a circle: target/port/os/linux/os target/port/port' target/port/port.h:os.h target/port/os/linux/os.h:port/port.h
exit $failed
