#!/bin/bash
# Does tools/check-includes.sh see what it is for? A small tree that breaks each rule once.
# Takes long, a tree is made and looked through for each rule.
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failed=0

# refuses FILE LINE: a tree of this one file with this one line is refused, and the line is named
refuses()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/$(dirname "$1")"
	printf '/* one */\n%s\n' "$2" > "$tree/$1"
	if output=$(tools/check-includes.sh "$tree") || [[ $output != "$1:2: "* ]]; then
		echo "$1 with $2 was let through: $output"
		failed=1
	fi
}
accepts()
{
	rm -rf "${tree:?}"/*
	mkdir -p "$tree/$(dirname "$1")"
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
accepts host/model/model.c '#include "model/sums/samples.h"'
accepts host/model/thread/stack.c '#include "model/profile/tree.h"'
accepts host/model/thread/stack.c '#include "model/thread/off_cpu.h"'
accepts host/model/thread/stack.c '#include "model/call.h"'
refuses host/model/thread/stack.c '#include "model/sums/samples.h"'
refuses host/model/thread/stack.c '#include "model/model.h"'
refuses host/model/function/function.c '#include "model/call.h"'
refuses host/model/profile/tree.h '#include "model/thread/thread.h"'
refuses host/model/model.c '#include "model.h"'
refuses host/model/model.c '#include "../reader/message.h"'
refuses host/model/model.c '#include "model/other.c"'
refuses host/model/model.c '#include <gelf.h>'
refuses host/model/model.c '  #  include <elfutils/libdwfl.h>'
# The older profilers lean on the rooms, and these know of them in a few files only.
accepts classic/host/reader/ti/c6000.c '#include "reader/format.h"'
accepts classic/host/remote/fetched.c '#include "classic/host/io/gdb.h"'
accepts classic/target/atari/main.c '#include "classic/core/summary.h"'
accepts classic/core/cost.c '#include "core/pair.h"'
refuses classic/core/cost.c '#include <stdlib.h>'
refuses classic/host/reader/ti/c6000.c '#include "model/model.h"'
refuses classic/host/reader/ti/c6000.c '#include "classic/host/io/gdb.h"'
refuses classic/host/reader/ti/c6000.c '#include "reader/ti/hook_dump.h"'
refuses core/pair.c '#include "classic/core/cost.h"'
refuses host/reader/reader.c '#include "classic/host/reader/memory.h"'
accepts host/reader/probe.c '#include "classic/host/reader/memory.h"'
accepts host/cmd/commands.c '#include "classic/host/doors.h"'
refuses host/cmd/report.c '#include "classic/host/doors.h"'
refuses host/query/coverage.c '#include "classic/core/tally.h"'
refuses target/recorder/trace.c '#include "classic/target/recorder/lines/trace.h"'
exit $failed
