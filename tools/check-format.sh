#!/bin/bash
# The shape of the text: what an editor with .editorconfig does anyway. Prints FILE:LINE: what.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2

sources() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r f; do [ -f "$f" ] && echo "$f"; done; }

found=$({
	sources '*.c' '*.h' '*.S' '*.cc' | xargs -r awk '
	function complain(what) { printf "%s:%d: %s\n", FILENAME, FNR, what }
	{
		line = $0
		gsub(/[\200-\277]/, "", line) # the later bytes of a UTF-8 character take no column
		width = 0
		for (i = 1; i <= length(line); i++)
			width = substr(line, i, 1) == "\t" ? width - width % 8 + 8 : width + 1
		is_comment = /^[ \t]*(\/\*|\*[ \/])/
		# A text is in one piece, so that it can be searched for.
		if (width > 132 && (!/"/ || is_comment))
			complain("wider than 132 columns (" width ")")
		if (/^ +[^ *]/ && !/^ \*/)
			complain("indented with blanks: tabs, please")
		if (!/^ \*/ && (/^[ \t]*\/\/ / || /[;{}] *\/\/ /) && !/"[^"]*\/\//)
			complain("// comment: /* */, please")
	}
	FNR == 601 { complain("more than 600 lines: split it by idea") }'
	sources Makefile '*.c' '*.h' '*.S' '*.cc' '*.sh' '*.awk' '*.md' 'test/run' '.ci/run' | xargs -r awk '
	/[ \t]$/ { printf "%s:%d: blanks at the end of the line\n", FILENAME, FNR }
	/\r/ { printf "%s:%d: carriage return\n", FILENAME, FNR }'
	sources '*.c' '*.h' '*.S' '*.cc' '*.sh' '*.awk' '*.md' | xargs -r grep -LPz '\n\z' | while read -r f; do
		[ ! -s "$f" ] || echo "$f: no newline at the end"
	done
	sources 'core/*.[ch]' 'target/*.[chS]' 'classic/core/*.[ch]' 'classic/target/*.[chS]' 'include/*.h' | xargs -r grep -L 'SPDX-License-Identifier: MIT' | sed 's/$/: no licence line: this goes into other programs/'
	sources '*.sh' 'test/run' '.ci/run' '*.c' | xargs -r grep -nE '\b(TO[D]O|FIX[M]E|XX[X])\b' | grep -v 'target/port/template' |
		sed 's/$/: do it or say it in an issue/'
})
[ -z "$found" ] && exit 0
echo "$found"
exit 1
