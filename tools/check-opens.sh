#!/bin/sh
# Who opens files that dwell did not make. Programs, libraries, debug files and sources are opened by foreign_file_open
# (host/util/foreign_file.h), which opens regular files only: opening a pipe in such a place waits for ever. Prints FILE:LINE of each other
# call that opens a file for reading; status 0 when there are none.
#
# A call may open files of the kernel: its function has a string that begins with /proc/, /sys/ or /dev/. It may write (O_WRONLY, O_CREAT,
# O_TMPFILE). Any other one is a row in the list below, with its reason.
#
#   tools/check-opens.sh [ROOT]       another root is for the test of this script
set -eu
cd "${1-$(dirname "$0")/..}"

find host classic/host -name '*.[ch]' 2> /dev/null | LC_ALL=C sort | xargs -r awk '
BEGIN {
	# file                                  reason
	may["host/util/foreign_file.c"]         = "the function itself"
	may["host/io/source.c"]                 = "the input of a command: the user may name a pipe"
	may["host/cli/exclude.c"]               = "--not @LIST: the user may name a pipe"
	may["classic/host/io/link.c"]           = "a serial line: the user names a device"
	may["host/plan/sealed.c"]                = "plans that dwell keeps; it refuses what is not regular, by the open folder"
	may["host/record/session/hand_over.c"]  = "the agent, which dwell installed"
	may["host/record/session/attach.c"]     = "a session of another dwell: checked by O_PATH, since it is opened for writing, too"
	may["host/record/session/tasks.c"]      = "callers name files of the kernel"
	may["host/sample/code/kernel_names.c"]  = "callers name files of the kernel"
	may["host/sample/perf/interrupts.c"]    = "callers name files of the kernel"
	may["host/util/memory_limit.c"]         = "files of the kernel, in folders that /proc/self/mountinfo lists"
}

# Prints the calls of a function that ends, unless it names files of the kernel.
function end_function(    i) {
	for (i = 1; i <= count && !is_kernel; i++) {
		print call[i] ": opens a file without foreign_file_open (util/foreign_file.h), which never waits for a pipe"
		bad = 1
	}
	count = is_kernel = 0
}

FNR == 1 || /^[{}]/ { end_function() }
/"\/(proc|sys|dev)\// { is_kernel = 1 }
{
	sub(/\/\*.*/, "")
	if (!/^ \*/ && !/O_WRONLY|O_CREAT|O_TMPFILE/ && !(FILENAME in may) &&
		/(^|[^A-Za-z0-9_>.])(open|open64|openat|openat2|fopen|fopen64|freopen|gzopen|dwarf_begin|dwfl_[a-z_]*report[a-z_]*)\(/)
		call[++count] = FILENAME ":" FNR
}
END {
	end_function()
	exit bad
}
'
