#!/bin/bash
# Does tools/check-includes.sh see what it is for? A small tree that breaks each rule once.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# refuses FILE LINE: a tree of this one file with this one line is refused, and the line is named
refuses()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/core" "$tree/include" "$tree/target" "$tree/host" "$tree/$(dirname "$1")"
	printf '/* one */\n%s\n' "$2" > "$tree/$1"
	if output=$(tools/check-includes.sh "$tree") || [[ $output != "$1:2: "* ]]; then
		echo "$1 with $2 was let through: $output"
		failed=1
	fi
}
accepts()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/core" "$tree/include" "$tree/target" "$tree/host" "$tree/$(dirname "$1")"
	printf '/* one */\n%s\n' "$2" > "$tree/$1"
	if ! output=$(tools/check-includes.sh "$tree"); then
		echo "$1 with $2 was refused: $output"
		failed=1
	fi
}

cd "${ROOT:-.}" || exit 2
accepts core/pair.c '#include "core/pair.h"'
accepts core/pair.c '#include <stdint.h>'
refuses core/pair.c '#include <string.h>'
refuses core/pair.c '#include "util/diag.h"'
refuses target/recorder/claim.c '#include "model/model.h"'
refuses target/recorder/claim.c '#include <stdlib.h>'
accepts target/port/os/linux/memory.c '#include <linux/mman.h>'
refuses target/recorder/trace.h '#include <linux/mman.h>'
accepts host/record/drain/drain.h '#include "target/recorder/ring.h"'
refuses host/record/drain/drain.h '#include "target/recorder/trace.h"'
refuses host/reader/dwell/dwell.c '#include "target/recorder/ring.h"'
accepts host/reader/dwell/dwell.c '#include "io/source.h"'
refuses host/reader/dwell/dwell.c '#include "model/function.h"'
refuses host/reader/dwell/dwell.c '#include "symbol/symbol.h"'
accepts host/model/model.c '#include "reader/message.h"'
refuses host/model/model.c '#include "reader/reader.h"'
refuses host/model/model.c '#include "analysis/table.h"'
accepts host/analysis/tree.c '#include "model/profile.h"'
refuses host/analysis/tree.c '#include "writer/writer.h"'
refuses host/analysis/tree.c '#include "reader/message.h"'
refuses host/writer/csv.c '#include "model/profile.h"'
refuses host/io/file.c '#include "reader/reader.h"'
refuses host/model/model.c '#include "model.h"'
refuses host/model/model.c '#include "../reader/message.h"'
refuses host/model/model.c '#include "model/other.c"'
refuses host/model/model.c '#include <gelf.h>'
refuses host/model/model.c '  #  include <elfutils/libdwfl.h>'
exit $failed
