#!/bin/sh
# The direction of includes: what each room may know. Prints FILE:LINE: what, and the rule. Status 0 when there is nothing to print.
#
# A room may always include its own headers. A quoted include spells its room ("model/profile.h"), so that every line can be
# judged alone. System headers are checked where knowing one is a decision: the freestanding rooms, and the libraries.
#
#   tools/check-includes.sh [ROOT]       another root is for the test of this script
set -eu
cd "${1-$(dirname "$0")/..}"

find core include target host -name '*.[chS]' 2> /dev/null | LC_ALL=C sort | xargs awk '
BEGIN {
	# room                     what it may include beside its own headers; a trailing / allows the room, else the one header
	may["include/dwell"]     = "dwell/"
	may["include"]           = "nitro.h"
	may["core"]              = "core/ dwell/"
	may["target/recorder"]   = "core/ dwell/ port/port.h port/c6000/port.h"
	# How counters are counted with takes a machine, too.
	may["target/recorder/histogram/histogram"] = may["target/recorder"] " counter.h"
	may["target/hook"]       = "core/ dwell/ port/port.h recorder/"
	may["target/face"]       = "core/ dwell/ nitro.h hook.h ultra64.h port/port.h port/nitro/port.h port/ultra/port.h recorder/"
	may["target/port"]       = "core/ dwell/ nitro.h ultra64.h recorder/ linux.h linux_signal.h control.h"
	may["target/sampler"]    = "dwell/ port/os/linux/system.h port/os/linux/image.h port/os/linux/next.h port/os/linux/environment.h port/os/linux/session.h linux_signal.h"
	may["target/atari"]      = "core/ dwell/"
	# The contract takes the machine from wherever the include path says.
	may["target/port/port"]  = "core/ dwell/ recorder/ cpu.h os.h"
	may["target/port/c6000/linux"] = may["target/port"] " cpu.h"
	may["host/util"]         = ""
	may["host/cpu"]          = "util/"
	may["host/io"]           = "util/"
	may["host/io/wire_client"] = "util/ core/"
	may["host/io/wire_areas"] = "util/ core/"
	may["host/io/wire_line"] = "util/ core/"
	may["host/pack"]         = "util/ core/ dwell/"
	may["host/reader"]       = "util/ cpu/ core/ dwell/ pack/pack.h pack/plain.h pack/run.h pack/stream.h io/source.h"
	may["host/cfi"]          = "util/"
	may["host/reader/profiles/pprof"] = may["host/reader"] " proto/pprof.pb-c.h"
	may["host/reader/profiles/pprof_tables"] = may["host/reader/profiles/pprof"]
	may["host/symbol"]       = "util/ cpu/ dwell/ cfi/ core/prg/prg.h"
	may["host/plan"]         = "util/ cpu/ cfi/ unwind/cfi.h unwind/rule.h symbol/build_id.h symbol/elf_file.h target/port/os/linux/plan.h"
	may["host/unwind"]       = "util/ cpu/ dwell/ cfi/"
	may["host/model"]        = "util/ core/ dwell/ reader/message.h symbol/symbol.h symbol/debug/line.h symbol/image.h symbol/object.h"
	# What messages of packed slots point to.
	may["host/model/thread/run"]    = may["host/model"] " pack/run.h"
	may["host/analysis"]     = "util/ model/"
	may["host/writer"]       = "util/ analysis/table.h"
	# The one writer that takes messages: it writes what a reader said, before anything is paired or named.
	may["host/writer/trace/chunks"] = "util/ dwell/"
	may["host/writer/trace/dwell"] = "util/ core/ dwell/ reader/message.h pack/pack.h pack/plain.h"
	may["host/writer/export/pprof"] = "util/ analysis/table.h proto/pprof.pb-c.h"
	may["host/writer/export/perfetto"] = "util/ analysis/table.h proto/perfetto.pb-c.h"
	may["host/writer/trace/samples"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/counts"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/sums"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/names"] = "util/ dwell/ reader/message.h"
	# What the agent and record share: the ring and the session around it.
	# Views of tables: what is in a cell, the writer for people knows.
	may["host/tui"]          = "util/ analysis/table.h writer/text_cell.h"
	# A page is made of tables, and its strings are those of JSON.
	may["host/page"]         = "util/ analysis/table.h writer/json_text.h"
	may["host/record"]       = "util/ cpu/ core/ dwell/ symbol/symbol.h reader/message.h writer/trace/dwell.h pack/pack.h target/recorder/ring.h target/port/os/linux/session.h target/port/os/linux/control.h"
	# What patterns for functions mean in a file.
	may["host/record/stage/filter"] = may["host/record"] " target/port/os/linux/filter.h"
	may["host/record/program/plans"] = may["host/record"] " plan/plan.h target/port/os/linux/plans.h"
	may["host/record/session/journal"] = may["host/record"] " target/port/os/linux/plans.h"
	may["host/record/stage/throttle"] = may["host/record"] " target/port/os/linux/throttle.h"
	may["host/record/stage/throttle_list"] = may["host/record/stage/throttle"]
	may["host/record/program/hooks"] = may["host/record"] " symbol/debug/producer.h"
	may["host/record/program/nops"]  = may["host/record"] " cfi/"
	may["host/record/stage/filter_file"] = may["host/record"] " symbol/debug/line.h symbol/build_id.h"
	# It starts programs and names files as record does.
	may["host/sample"]       = "util/ cpu/ core/ dwell/ reader/message.h writer/trace/dwell.h unwind/unwind.h record/program/launch.h record/program/perf_refusal.h record/sink/trace_file.h record/program/explain.h record/sink/names.h record/sink/address_set.h symbol/build_id.h"
	# Questions to recordings, and who reads them. It knows no option and no terminal.
	may["host/query"]        = "util/ cpu/ core/ dwell/ io/ pack/ reader/ symbol/ model/ analysis/ writer/text_cell.h writer/writer.h"
	# Machines that are asked for their memory.
	may["host/remote"]       = "util/ cpu/ core/ dwell/ io/ reader/ symbol/ record/sink/trace_file.h writer/"
	may["host/cli"]          = "util/ dwell/ io/ reader/ symbol/ model/ analysis/ query/ writer/ record/ sample/"
	may["host/watch"]        = "util/ io/ reader/ model/ analysis/ tui/ writer/ cli/summary_samples.h"
	may["host/cmd"]          = "util/ cpu/ core/ dwell/ io/ pack/ reader/ symbol/ model/ analysis/ query/ cli/ writer/ page/ record/ sample/ remote/ watch/ tui/ plan/ target/port/os/linux/plan.h"
	may["host"]              = "util/ dwell/ cli/"
	# What a program that samples itself and record share.
	may["host/sample"]       = may["host/sample"] " target/sampler/shared.h target/port/os/linux/plan.h"

	# library header             the only rooms that may know it
	library["libelf.h"]        = "host/symbol host/record host/unwind host/sample host/cfi host/plan"
	library["gelf.h"]          = "host/symbol host/record host/unwind host/sample host/cfi host/plan"
	library["elf.h"]           = "host/cpu host/symbol host/record target/port"
	library["Zydis"]           = "host/plan"
	library["dwarf.h"]         = "host/symbol"
	library["elfutils"]        = "host/symbol host/record"
	library["libiberty"]       = "host/symbol"
	library["demangle.h"]      = "host/symbol"
	library["jansson.h"]       = "host/writer host/cmd host/query"
	library["curses.h"]        = "host/tui"
	library["term.h"]          = "host/tui"
	library["protobuf-c"]      = "host/writer host/reader"
	library["zstd.h"]          = "host/pack"
	library["zlib.h"]          = "host/util host/reader host/writer host/symbol host/page"

	# a freestanding compiler has these
	freestanding = " float.h iso646.h limits.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdnoreturn.h "
}

# The room of a file: two folders deep in host/, target/ and include/, one in core/. A file may have a row of its own.
function room_of(path,    part, n) {
	n = split(path, part, "/")
	if (part[1] == "core" || n == 2)
		return part[1]
	return part[1] "/" part[2]
}

function complain(rule) {
	printf "%s:%d: %s: %s\n", FILENAME, FNR, wanted, rule
	bad = 1
}

FNR == 1 {
	room = room_of(FILENAME)
	row = FILENAME
	sub(/\.[chS]$/, "", row)
	if (!(row in may))
		row = room
	if (!(room in may)) {
		wanted = room
		complain("a room that tools/check-includes.sh does not know: add what it may include")
	}
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	wanted = $0
	sub(/^[^"]*"/, "", wanted)
	sub(/".*/, "", wanted)
	slash = index(wanted, "/")
	if (wanted ~ /\.c$/) {
		complain("a .c file is compiled, not included")
	} else if (wanted ~ /\.\./ || (!slash && !index(" " may[row] " ", " " wanted " "))) {
		complain("spell the room: \"room/header.h\"")
	} else {
		theirs = substr(wanted, 1, slash)
		own = room
		sub(/^.*\//, "", own)
		list = " " may[row] " "
		if (slash && theirs != own "/" && !index(list, " " theirs " ") && !index(list, " " wanted " "))
			complain(room " may include its own headers" (may[row] == "" ? " only" : ", " may[row]))
	}
}

/^[ \t]*#[ \t]*include[ \t]*</ {
	wanted = $0
	sub(/^[^<]*</, "", wanted)
	sub(/>.*/, "", wanted)
	top = wanted
	sub(/\/.*/, "", top)
	if (top in library && !index(" " library[top] " ", " " room " "))
		complain("this library is known in " library[top] " only")
	kernel = (room == "target/port" || room == "target/sampler") && (top == "linux" || top == "asm" || wanted == "elf.h" || wanted == "link.h" || wanted == "c6x.h")
	if (room ~ /^(core|target|include)/ && !index(freestanding, " " wanted " ") && !kernel)
		complain("freestanding: no header that a compiler alone does not have")
}

END { exit bad }
'
