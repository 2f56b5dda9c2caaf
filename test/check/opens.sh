#!/bin/bash
# Does tools/check-opens.sh see what it is for? A small tree that opens one file in one way.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# says STATUS FILE LINE ...: of a tree of this one file, with one function of these lines
says()
{
	local wanted=$1 file=$2 output status=0
	shift 2
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/$(dirname "$file")"
	{ printf 'void one(const char *path)\n{\n'; printf '%s\n' "$@"; printf '}\n'; } > "$tree/$file"
	output=$(tools/check-opens.sh "$tree") || status=1
	if [ $status != "$wanted" ] || { [ $status = 1 ] && [[ $output != "$file:"[0-9]*": "* ]]; }; then
		echo "$file with '$*': status $status: $output"
		failed=1
	fi
}

cd "${ROOT:-.}" || exit 2
says 1 host/symbol/some.c 'int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);'
says 1 host/symbol/some.c 'FILE *file = fopen(path, "re");'
says 1 host/record/program/some.c 'bool good = (fd = openat(folder, path, O_RDONLY)) >= 0;'
says 1 classic/host/symbol/some.c 'FILE *file = fopen(path, "rb");'
says 1 host/symbol/some.c 'return !path ? NULL :' 'fopen(path, "r");'
says 1 host/symbol/some.c 'puts("/proc/");' '}' 'void two(const char *path)' '{' 'fopen(path, "r");'
says 0 host/symbol/some.c 'int fd = foreign_file_open(path, NULL);'
says 0 host/symbol/some.c '/* open(path) would wait */' 'format->open(path);' 'mapped_open(path);'
says 0 host/record/some.c 'snprintf(path, sizeof path, "/proc/%ld/maps", pid);' 'maps = fopen(path, "re");'
says 0 host/writer/some.c 'int fd = open(path, O_WRONLY | O_CREAT, 0666);'
says 0 host/io/source.c 'int fd = open(path, O_RDONLY);'
exit $failed
