#!/bin/bash
# What --help prints fits a terminal of 80 columns: a line that the terminal breaks is where nobody looks for it.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
export LC_ALL=C.UTF-8
work=$(mktemp "${TMPDIR:-/tmp}/dwell-help.XXXXXX")
trap 'rm -f "$work" "$work.bad"' EXIT
bad=0

# check NAME: what is in $work, all columns of it
check()
{
	grep -nE '^.{81,}|[[:blank:]]$' "$work" > "$work.bad" && { sed "s/^/$1: more than 80 columns, or a blank at the end: /" "$work.bad"; bad=1; }
	grep -q . "$work" || { echo "$1: nothing"; bad=1; }
}
"$BUILD/dwell" help > "$work" || exit 1
commands=$(sed -n 's/^.\{10\} \([a-z0-9]\{1,\}\) .*/\1/p' "$work")
[ "$(wc -w <<< "$commands")" -gt 20 ] || { echo "no commands"; exit 1; }
check "dwell help"
for name in $commands; do
	"$BUILD/dwell" help "$name" > "$work" || exit 1
	check "dwell help $name"
	"$BUILD/dwell" "$name" --help > "$work" || exit 1
	check "dwell $name --help"
	# Two examples, of this command (or what goes with it).
	[ "$(awk '!NF { n++ } n == 2 && NF' "$work" | wc -l)" = 2 ] || { echo "dwell $name --help: not two examples"; bad=1; }
done
exit $bad
