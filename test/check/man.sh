#!/bin/bash
# Manual pages say what --help says, word by word, and those who check manual pages find nothing.
# Takes long, pages are made and compared for each command.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
command -v mandoc > /dev/null || { echo "no mandoc"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-man.XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0

# words: one a line; where a page is broken into lines, and a list behind its commas, is nobody's business
words()
{
	awk -F '[ ,\t]+' '{ for (i = 1; i <= NF; i++) if ($i != "") print $i }'
}
# sections NAME ...: of the page that is in $work/page, as it is read; their words
sections()
{
	awk -F '[ ,\t]+' -v names=" $* " '
		/^[A-Z]/ { is_it = index(names, " " $0 " "); next }
		is_it { for (i = 1; i <= NF; i++) if ($i != "") print $i }' "$work/page"
}
commands=$("$BUILD/dwell" help | sed -n 's/^.\{10\} \([a-z0-9]\{1,\}\) .*/\1/p')
[ "$(wc -w <<< "$commands")" -gt 20 ] || { echo "no commands"; exit 1; }
# The pages that are installed: one for each command, and dwell's.
"${MAKE:-make}" -s -C "$ROOT" BUILD="$BUILD" SHARE="$work/share" man || exit 1
pages=$work/share/man/man1
for name in $commands dwell; do [ $name = dwell ] || name=dwell-$name; echo "$name.1"; done | sort | diff - <(ls "$pages") || { echo "those are the pages that make man makes (>)"; exit 1; }
for name in $commands; do
	page=$pages/dwell-$name.1
	"$BUILD/dwell" help "$name" > "$work/help"
	mandoc -T utf8 -O width=400 "$page" | col -b > "$work/page"
	{
		echo Usage:
		sections SYNOPSIS
		sections NAME | sed '1,2d; $s/$/./'
	} > "$work/got"
	awk '!NF { blank++ } blank < 2' "$work/help" | words | diff - "$work/got" > "$work/diff" || { echo "$name: usage (< help, > page)"; cat "$work/diff"; bad=1; }
	# Options stand behind the description there: all words, with how often each.
	sections EXAMPLES DESCRIPTION OPTIONS | LC_ALL=C sort > "$work/got"
	awk 'blank > 1; !NF { blank++ }' "$work/help" | words | LC_ALL=C sort | diff - "$work/got" > "$work/diff" || { echo "$name: text (< help, > page)"; cat "$work/diff"; bad=1; }
	# Each option has an item of its own.
	mandoc -T ascii -O width=400 "$page" | col -b > "$work/text"
	awk -v name="$name" '
		FILENAME == ARGV[1] { if (match($0, /^     *-/) && RLENGTH < 10) { sub(/^ */, ""); sub(/[ ,=[].*/, ""); has[$0] = 1 } next }
		/^  -/ { sub(/^ */, ""); sub(/[ ,=[].*/, ""); if (!($0 in has)) print name ": " $0 " has no item" }' "$work/text" "$work/help" > "$work/items"
	[ ! -s "$work/items" ] || { cat "$work/items"; bad=1; }
done
mandoc -T ascii "$pages/dwell.1" | col -b > "$work/text"
for name in $commands; do
	grep -q "dwell-$name(1)" "$work/text" || { echo "dwell(1) has no $name"; bad=1; }
done
for page in "$pages"/*.1; do
	mandoc -T lint "$page" > "$work/lint" || true
	[ ! -s "$work/lint" ] || { sed "s|$pages/||" "$work/lint"; bad=1; }
	# A long word leaves a line that cannot be filled: newer versions of groff mention that.
	! command -v man > /dev/null || man --warnings -E UTF-8 -l "$page" 2>&1 > /dev/null | grep -v ': cannot adjust line$' | grep . && bad=1
done
exit $bad
