#!/bin/bash
# A machine that lacks something to build with is told what, and the command that installs it, in one line, before anything is made.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-missing.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for command in sh bash awk sed grep cut cat gcc cc as ld make dirname uname nproc env; do
	at=$(command -v $command) && ln -s "$at" "$work/bin/$command"
done
status=0
PATH=$work/bin env -u MAKEFLAGS -u MAKELEVEL -u CC make BUILD="$work/build" > "$work/out" 2>&1 || status=$?
cat "$work/out"
[ $status = 2 ]
[ "$(wc -l < "$work/out")" = 1 ]
grep -q ' not here: protoc-c\. Debian and Ubuntu: apt-get install --no-install-recommends protobuf-c-compiler; or run: make deps\.' "$work/out"
[ ! -e "$work/build" ]
# Every package of the list has something that shows that it is there.
tools/deps.sh --tell > "$work/tell" 2>&1
[ ! -s "$work/tell" ]
# A header, too: a compiler that finds none.
printf '#!/bin/sh\nexit 1\n' > "$work/bin/no-headers"
chmod +x "$work/bin/no-headers"
PATH=$work/bin CC=no-headers sh tools/deps.sh --tell > "$work/tell"
grep -q 'libelf.h, elfutils/libdwfl.h, .*apt-get install --no-install-recommends .*libelf-dev libdw-dev' "$work/tell"
