#!/bin/bash
# Entries of procedure linkage tables have the names that objdump gives them, at the same addresses: as linkers make them by default, with marks for
# indirect branches, bound at once, and stripped.
set -eu
here=$(mktemp -d)
trap 'rm -rf "$here"' EXIT
cd "$here"
cat > some.c <<'SOURCE'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int (*of_table)(const char *) = puts;
	char *text = strdup(argv[0]);

	printf("%zu %d\n", strlen(text), of_table(text) + puts(text) + atoi(argv[argc - 1]));
	free(text);
	exit(getenv("HOME") == NULL);
}
SOURCE
compared=0

# compare NAME COMPILER OBJDUMP FLAGS ...
compare()
{
	local name=$1 compiler=$2 objdump=$3
	shift 3
	command -v "$compiler" > /dev/null && command -v "$objdump" > /dev/null || return 0
	"$compiler" -O2 "$@" some.c -o "$name"
	"$objdump" -d "$name" | sed -nE 's/^0*([0-9a-f]+) <([^>]*@plt)>:$/0x\1 \2/p' | sort > theirs
	"$DWELL" symbols "$name" | awk '$3 ~ /@plt$/ { print $1, $3 }' | sort > ours
	[ "$(wc -l < theirs)" -ge 4 ] || { echo "$name: objdump names only $(wc -l < theirs)"; exit 1; }
	diff theirs ours || { echo "$name ($compiler $*): objdump left, dwell right"; exit 1; }
	compared=$((compared + 1))
}

compare plain gcc objdump
compare marked gcc objdump -fcf-protection -Wl,-z,ibtplt
compare at-once gcc objdump -Wl,-z,now
compare lazy gcc objdump -Wl,-z,lazy -no-pie
compare stripped gcc objdump -s
compare clang clang objdump
compare aarch64 aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump
compare aarch64-marked aarch64-linux-gnu-gcc aarch64-linux-gnu-objdump -mbranch-protection=standard -Wl,-z,force-bti
[ $compared -ge 5 ] || { echo "compared $compared only"; exit 1; }
