#!/bin/sh
# The direction of includes: what each room may know. Prints FILE:LINE: what, and the rule. Status 0 when there is nothing to print.
#
# A room may always include its own headers. A quoted include spells its room ("model/profile.h"), so that every line can be
# judged alone. System headers are checked where knowing one is a decision: the freestanding rooms, and the libraries.
#
#   tools/check-includes.sh [ROOT]       another root is for the test of this script
set -eu
cd "${1-$(dirname "$0")/..}"

find core include target host classic/core classic/target classic/host -name '*.[chS]' 2> /dev/null | LC_ALL=C sort | xargs awk '
BEGIN {
	# room                     what it may include beside its own headers; a trailing / allows the room, else the one header
	may["include/dwell"]     = "dwell/"
	may["include"]           = "nitro.h"
	may["core"]              = "core/ dwell/"
	may["target/recorder"]   = "core/ dwell/ port/port.h"
	may["target/hook"]       = "core/ dwell/ port/port.h recorder/"
	may["target/port"]       = "core/ dwell/ recorder/ linux.h linux_signal.h control.h"
	may["target/sampler"]    = "dwell/ port/os/linux/system.h port/os/linux/image.h port/os/linux/next.h port/os/linux/environment.h port/os/linux/session.h linux_signal.h"
	# The contract takes the machine from wherever the include path says.
	may["target/port/port"]  = "core/ dwell/ recorder/ cpu.h os.h"
	may["host/util"]         = ""
	may["host/option"]       = "util/"
	may["host/perf"]         = "util/"
	may["host/cpu"]          = "util/"
	may["host/io"]           = "util/"
	may["host/pack"]         = "util/ core/ dwell/"
	may["host/reader"]       = "util/ cpu/ core/ dwell/ pack/pack.h pack/plain.h pack/packed_slots.h pack/stream.h io/source.h"
	may["host/cfi"]          = "util/"
	may["host/reader/profiles/pprof"] = may["host/reader"] " proto/pprof.pb-c.h"
	may["host/reader/profiles/pprof_types"] = may["host/reader/profiles/pprof"]
	may["host/symbol"]       = "util/ cpu/ dwell/ cfi/"
	may["host/plan"]         = "util/ cpu/ cfi/ unwind/cfi.h unwind/rule.h symbol/build_id.h symbol/elf_file.h target/port/os/linux/plan.h"
	may["host/unwind"]       = "util/ cpu/ dwell/ cfi/"
	may["host/model"]        = "util/ core/ dwell/ reader/message.h symbol/symbol.h symbol/debug/line.h symbol/image.h symbol/object.h"
	# What messages of packed slots point to.
	may["host/model/thread/packed_slots"] = may["host/model"] " pack/packed_slots.h"
	may["host/analysis"]     = "util/ model/"
	may["host/writer"]       = "util/ analysis/table.h"
	# The one writer that takes messages: it writes what a reader said, before anything is paired or named.
	may["host/writer/trace/chunks"] = "util/ dwell/"
	may["host/writer/trace/dwell"] = "util/ core/ dwell/ reader/message.h pack/pack.h pack/plain.h"
	may["host/writer/export/pprof"] = "util/ analysis/table.h proto/pprof.pb-c.h"
	may["host/writer/export/perfetto"] = "util/ analysis/table.h proto/perfetto.pb-c.h"
	may["host/writer/trace/samples"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/cpu_places"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/switches"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/counts"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/sums"] = "util/ dwell/ reader/message.h"
	may["host/writer/trace/names"] = "util/ dwell/ reader/message.h"
	# What the agent and record share: the ring and the session around it.
	# Views of tables: what is in a cell, the writer for people knows.
	may["host/tui"]          = "util/ analysis/table.h writer/text_cell.h"
	# A page is made of tables, and its strings are those of JSON.
	may["host/page"]         = "util/ analysis/table.h writer/json_text.h"
	may["host/record"]       = "util/ perf/ cpu/ core/ dwell/ symbol/symbol.h symbol/build_id.h reader/message.h writer/trace/dwell.h pack/pack.h target/recorder/ring.h target/port/os/linux/session.h target/port/os/linux/control.h"
	# What patterns for functions mean in a file.
	may["host/record/stage/filter"] = may["host/record"] " target/port/os/linux/filter.h"
	may["host/record/program/plans"] = may["host/record"] " plan/plan.h target/port/os/linux/plans.h"
	may["host/record/session/journal"] = may["host/record"] " target/port/os/linux/plans.h"
	may["host/record/session/cpu_places"] = may["host/record"] " target/port/os/linux/plan.h"
	may["host/record/session/control_gates"] = may["host/record"] " target/port/os/linux/filter.h target/port/os/linux/throttle.h"
	may["host/record/stage/throttle"] = may["host/record"] " target/port/os/linux/throttle.h"
	may["host/record/stage/throttle_list"] = may["host/record/stage/throttle"]
	# Which functions a thread is in that is to call another one.
	may["host/record/remote/remote_stack"] = may["host/record"] " unwind/unwind.h"
	may["host/record/program/hooks"] = may["host/record"] " symbol/debug/producer.h"
	may["host/record/program/nops"]  = may["host/record"] " cfi/"
	may["host/record/stage/filter_file"] = may["host/record"] " symbol/debug/line.h symbol/build_id.h"
	# It starts programs and names files as record does.
	may["host/sample"]       = "util/ perf/ cpu/ core/ dwell/ reader/message.h writer/trace/dwell.h unwind/unwind.h record/program/launch.h record/program/perf_refusal.h record/sink/trace_file.h record/program/explain.h record/sink/names.h record/sink/address_set.h symbol/build_id.h symbol/vdso.h"
	# Questions to recordings, and who reads them. It knows no command line and no terminal.
	may["host/query"]        = "util/ option/ cpu/ core/ dwell/ io/ pack/ reader/ symbol/ model/ analysis/ writer/text_cell.h writer/writer.h"
	# Whoever opens a recording finds the callers in its copies of stacks.
	may["host/query/file_unwinder"] = may["host/query"] " unwind/unwind.h"
	may["host/cli"]          = "util/ option/ dwell/ io/ reader/ symbol/ model/ analysis/ query/ writer/ record/ sample/"
	may["host/watch"]        = "util/ io/ reader/ model/ analysis/ tui/ writer/ cli/summary_samples.h"
	may["host/cmd"]          = "util/ option/ cpu/ core/ dwell/ io/ pack/ reader/ symbol/ model/ analysis/ query/ cli/ writer/ page/ record/ sample/ watch/ tui/ plan/ target/port/os/linux/plan.h"
	may["host"]              = "util/ dwell/ cli/"
	# What a program that samples itself and record share.
	may["host/sample"]       = may["host/sample"] " target/sampler/shared.h target/port/os/linux/plan.h"

	# The older profilers lean on these rooms as rooms of the same names do.
	may["classic/core"]      = "core/ dwell/"
	may["classic/target/recorder"] = "classic/core/"
	may["classic/target/recorder/records/records"] = "classic/core/ classic/target/port/c6000/port.h"
	# How counters are counted with takes a machine.
	may["classic/target/recorder/histogram/histogram"] = "classic/core/ counter.h"
	may["classic/target/face"] = "nitro.h hook.h ultra64.h classic/core/ classic/target/recorder/ classic/target/port/"
	may["classic/target/port"] = "nitro.h ultra64.h classic/core/ classic/target/recorder/ port/os/linux/system.h linux_signal.h"
	may["classic/target/port/c6000/linux"] = "port/cpu/x86_64/cpu.h port/cpu/aarch64/cpu.h recorder/ring.h classic/target/port/"
	may["classic/target/atari"] = "core/ classic/core/"
	may["classic/host"]      = ""
	may["classic/host/io"]   = "util/ classic/core/"
	may["classic/host/reader"] = "util/ classic/host/doors.h classic/core/ io/source.h reader/format.h reader/message.h reader/text_lines.h reader/words.h"
	may["classic/host/symbol"] = "util/ classic/host/doors.h symbol/ classic/core/"
	may["classic/host/analysis"] = "util/ model/ analysis/table.h"
	may["classic/host/writer"] = "util/"
	# Machines that are asked for their memory and counters.
	may["classic/host/remote"] = "util/ cpu/ io/ reader/ symbol/ writer/ classic/core/ classic/host/io/ classic/host/reader/ classic/host/writer/"
	may["classic/host/cmd"]  = "util/ classic/host/doors.h option/ symbol/ model/ analysis/ query/ cli/ writer/ cmd/report/table.h classic/core/ " \
		"classic/host/io/ classic/host/reader/ classic/host/symbol/ classic/host/analysis/ classic/host/remote/"
	# Who knows of them: tables, which have rows of theirs; what a file that nobody knows may be; names of TI in ELF.
	doors = " classic/host/doors.h"
	may["host/cmd/commands"] = may["host/cmd"] doors
	may["host/symbol/formats"] = may["host/symbol"] doors
	may["host/symbol/object"] = may["host/symbol"] doors
	may["host/reader/probe"] = may["host/reader"] doors " classic/core/hook_records.h classic/host/reader/memory.h"
	may["host/symbol/elf"]   = may["host/symbol"] " classic/host/symbol/ti/ti_name.h"

	# Rooms whose folders lead one way: a file in one of them may include of its room what stands up to there.
	layers["host/model"]     = "function/ profile/ call.h options.h thread/ sums/"

	# library header             the only rooms that may know it
	library["libelf.h"]        = "host/symbol host/record host/unwind host/sample host/cfi host/plan"
	library["gelf.h"]          = "host/symbol host/record host/unwind host/sample host/cfi host/plan"
	library["elf.h"]           = "host/cpu host/symbol host/record target/port classic/target/port"
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
	library["zstd_errors.h"]   = "host/pack"
	library["lzma.h"]          = "host/symbol"
	library["zlib.h"]          = "host/util host/reader host/writer host/symbol host/page"

	# a freestanding compiler has these
	freestanding = " float.h iso646.h limits.h stdalign.h stdarg.h stdatomic.h stdbool.h stddef.h stdint.h stdnoreturn.h "
}

# The room of a file: two folders deep in host/, target/ and include/, one in core/; in classic/ the same, below it. A file may have a row of
# its own.
function room_of(path,    part, n) {
	if (sub(/^classic\//, "", path))
		return "classic/" room_of(path)
	n = split(path, part, "/")
	if (part[1] == "core" || n == 2)
		return part[1]
	return part[1] "/" part[2]
}

# What files of this folder of the room may include of it; "": all of it.
function layers_below(room, path,    list, folder) {
	list = " " layers[room] " "
	folder = substr(path, length(room) + 2)
	if (!sub(/\/.*/, "/", folder) || !index(list, " " folder " "))
		return ""
	return substr(list, 1, index(list, " " folder " ") + length(folder) + 1)
}

# The room of a header as it is spelled, with the last slash: "model/", "classic/host/io/".
function room_in(spelled) {
	if (spelled ~ /^classic\//)
		return room_of(spelled) "/"
	return substr(spelled, 1, index(spelled, "/"))
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
	below = layers_below(room, FILENAME)
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
		theirs = room_in(wanted)
		own = room
		if (own !~ /^classic/)
			sub(/^.*\//, "", own)
		list = " " may[row] " "
		if (slash && theirs != own "/" && !index(list, " " theirs " ") && !index(list, " " wanted " "))
			complain(room " may include its own headers" (may[row] == "" ? " only" : ", " may[row]))
		layer = substr(wanted, slash + 1)
		sub(/\/.*/, "/", layer)
		if (slash && theirs == own "/" && below != "" && !index(below, " " layer " "))
			complain("of " room " this folder may include" below "only")
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
	kernel = (room ~ /target\/port$/ || room == "target/sampler") && (top == "linux" || top == "asm" || wanted == "elf.h" || wanted == "link.h" || wanted == "c6x.h")
	if (room ~ /^(classic\/)?(core|target)|^include/ && !index(freestanding, " " wanted " ") && !kernel)
		complain("freestanding: no header that a compiler alone does not have")
}

END { exit bad }
'
