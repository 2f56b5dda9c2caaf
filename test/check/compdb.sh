#!/bin/bash
# Does compile_commands.json have each C file that is built, and do its commands compile? Making it must not make the next build compile anything.
# Takes long, every file is compiled once more.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
command -v python3 > /dev/null || { echo "no python3"; exit 77; }
list=${BUILD#"$ROOT"/}/compile_commands.json # as make spells it
flags=$(cat "$BUILD/BUILD_FLAGS")
make -s BUILD="$BUILD" "$list" || exit 1
[ "$flags" = "$(cat "$BUILD/BUILD_FLAGS")" ] || { echo "it left other flags for the next build:"; cat "$BUILD/BUILD_FLAGS"; exit 1; }
git ls-files 'core/*.c' 'host/*.c' target/recorder target/sampler 'classic/core/*.c' 'classic/host/*.c' classic/target/face test/unit test/fuzz test/tracegen test/shapes |
	grep '\.c$' | python3 -c '
import json, os, shlex, subprocess, sys

entries = json.load(open(sys.argv[1]))
bad = [f"{name}: no entry" for name in sorted(set(sys.stdin.read().split()) - {entry["file"] for entry in entries})]
# One file of each folder of objects: the flags are those of the folder.
for entry in {os.path.dirname(entry["output"]): entry for entry in entries}.values():
    words = shlex.split(entry["command"])
    at = words.index("-o")
    check = subprocess.run(words[:at] + words[at + 2:] + ["-fsyntax-only"], cwd=entry["directory"], capture_output=True, text=True)
    if check.returncode or check.stderr:
        bad.append(entry["command"] + "\n" + check.stderr)
print(len(entries), "entries")
print(*bad, sep="\n")
sys.exit(bool(bad))
' "$list"
