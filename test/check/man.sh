#!/bin/bash
# Manual pages say what --help says, word by word, and those who check manual pages find nothing.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
command -v mandoc > /dev/null || { echo "no mandoc"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-man.XXXXXX")
trap 'rm -rf "$work"' EXIT
bad=0

# words: one a line; where a page is broken into lines, and a list behind its commas, is nobody's business
words()
{
	tr -s ' ,\n\t' '\n\n\n\n' | grep . || true
}
# section FILE NAME: as it is read
section()
{
	mandoc -T utf8 -O width=400 "$1" | col -b | awk -v name="$2" '/^[A-Z]/ { is_it = $0 == name; next } is_it' | words
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
	{
		section "$page" SYNOPSIS | sed '1s/^/Usage: /' | words
		section "$page" NAME | tail -n +3 | sed '$s/$/./'
	} > "$work/got"
	awk '!NF { blank++ } blank < 2' "$work/help" | words | diff - "$work/got" > "$work/diff" || { echo "$name: usage (< help, > page)"; cat "$work/diff"; bad=1; }
	# Options stand behind the description there: all words, with how often each.
	{ section "$page" EXAMPLES; section "$page" DESCRIPTION; section "$page" OPTIONS; } | LC_ALL=C sort > "$work/got"
	awk 'blank > 1; !NF { blank++ }' "$work/help" | words | LC_ALL=C sort | diff - "$work/got" > "$work/diff" || { echo "$name: text (< help, > page)"; cat "$work/diff"; bad=1; }
	# Each option has an item of its own.
	mandoc -T ascii -O width=400 "$page" | col -b > "$work/text"
	"$BUILD/dwell" help "$name" | sed -n 's/^  \(--*[^ ,=[]*\).*/\1/p' | while read -r option; do
		grep -qE -- "^ {4,8}$option([ ,=[]|\$)" "$work/text" || echo "$name: $option has no item"
	done > "$work/items"
	[ ! -s "$work/items" ] || { cat "$work/items"; bad=1; }
done
for name in $commands; do
	grep -q "dwell-$name(1)" <(mandoc -T ascii "$pages/dwell.1" | col -b) || { echo "dwell(1) has no $name"; bad=1; }
done
for page in "$pages"/*.1; do
	mandoc -T lint "$page" > "$work/lint" || true
	[ ! -s "$work/lint" ] || { sed "s|$pages/||" "$work/lint"; bad=1; }
	# A long word leaves a line that cannot be filled: newer versions of groff mention that.
	! command -v man > /dev/null || man --warnings -E UTF-8 -l "$page" 2>&1 > /dev/null | grep -v ': cannot adjust line$' | grep . && bad=1
done
exit $bad
