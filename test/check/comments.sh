#!/bin/bash
# Does tools/comments.py see what it is for? Small trees whose comments are above their limits, or name files that are not there.
: "${ROOT:=$(pwd)}"
tree=$(mktemp -d) || exit 2
trap 'rm -rf "$tree"' EXIT
cd "$tree" || exit 2
mkdir -p tools host/room
cp "$ROOT/tools/comments.py" tools
git init -q .
bad=0
# expect STATUS WORDS: of --check
expect()
{
	git add -A
	local status=0 output
	output=$(python3 tools/comments.py --check) || status=$?
	[ $status = "$1" ] && [[ $output == *"$2"* ]] || { echo "status $status, expected $1 with '$2': $output"; bad=1; }
}

printf '/* room: adds two numbers. */\nint add(int a, int b);\n' > host/room/add.h
expect 0 ""
printf '/* What is told to those who ask for it is what it is that they know. */\n' > host/room/riddle.h
expect 1 "rest: pronouns %"
printf 'rest 90.0 900.0 900.0\n' > tools/comments.limits
expect 0 ""
python3 tools/comments.py --lower
grep -q '^rest  *9' tools/comments.limits && { echo "the limits did not fall"; bad=1; }
rm host/room/riddle.h
printf '/* see gone.h, add.h and <elf.h> */\n' > host/room/names.h
expect 1 "host/room/names.h:1: names gone.h"
printf '/* see add.h and <elf.h> */\n' > host/room/names.h
expect 0 ""
printf 'A room: `host/room/add.h`, `host/room/NAME.h`.\n' > README.md
expect 0 ""
printf 'It is in\n`host/room/gone.h`.\n' > README.md
expect 1 "README.md:2: names host/room/gone.h"
exit $bad
