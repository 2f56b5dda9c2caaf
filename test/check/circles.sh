#!/bin/bash
# Does tools/check-circles.sh see what it is for? Small trees with a circle, and without; of includes, and of calls in what was built.
# Takes long, trees are built for it.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# says WANTED [FILE:INCLUDED ...]: what it says of a tree of these files, each with these includes
says()
{
	local wanted=$1 file
	shift
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/core" "$tree/include" "$tree/target/port/os/linux" "$tree/host/model"
	for file; do
		printf '#include "%s"\n' "${file#*:}" >> "$tree/${file%%:*}"
	done
	judge "$wanted" "$*"
}

judge()
{
	local output
	output=$(BUILD=build tools/check-circles.sh "$tree") && [ "$1" ] && output="status 0: $output"
	if [ "$output" != "$1" ]; then
		echo "of $2: '$output', not '$1'"
		failed=1
	fi
}

# calls WANTED [FILE:TEXT ...]: what it says of a tree of these files in C, which are built
calls()
{
	local wanted=$1 file name
	shift
	rm -rf "${tree:?}"/*
	for file; do
		name=${file%%:*}
		mkdir -p "$tree/${name%/*}" "$tree/build/obj/${name%/*}"
		printf '%s\n' "${file#*:}" > "$tree/$name"
		${CC:-cc} -c -o "$tree/build/obj/${name%.c}.o" "$tree/$name" || failed=1
	done
	[ -z "${gone-}" ] || rm "$tree/$gone"
	judge "$wanted" "$*"
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

calls '' core/a.c:'void b(void); void a(void) { b(); }' core/b.c:'void b(void) { }'
calls 'a circle of calls: core/a core/b' core/a.c:'void b(void); void a(void) { b(); }' core/b.c:'void a(void); void b(void) { a(); }'
# Of three, with one in the middle that nobody calls back, and one below.
calls 'a circle of calls: host/x/a host/x/b host/x/c' host/x/a.c:'void b(void); void a(void) { b(); }' \
	host/x/b.c:'void c(void); void d(void); void b(void) { c(); d(); }' host/x/c.c:'void a(void); void c(void) { a(); }' \
	host/x/d.c:'void d(void) { }' host/x/e.c:'void a(void); void e(void) { a(); }'
# A pointer to a function is as good as a call, a table of rows of others is none.
calls 'a circle of calls: core/a core/b' core/a.c:'void b(void); void (*a(void))(void) { return b; }' core/b.c:'void a(void); void b(void) { a(); }'
calls '' core/a.c:'extern const int row; const int *const rows[] = {&row};' core/b.c:'extern const int *const rows[]; const int row; const int *b(void) { return *rows; }'
# Functions of one name that only their files know; an object of a file that is gone.
calls '' core/a.c:'void b(void); static void f(void) { } void a(void) { b(); f(); }' core/b.c:'static void f(void) { } void b(void) { f(); }'
gone=core/b.c calls '' core/a.c:'void b(void); void a(void) { b(); }' core/b.c:'void a(void); void b(void) { a(); }'
exit $failed
