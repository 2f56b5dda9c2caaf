#!/bin/sh
# Records a benchmark before and after a change, and fails if the change made a function slower.
#
#   compare.sh OLD NEW         two commands, each a program with its arguments
#
# RUNS (5): recordings of each, taken in turns, since machines have phases
# LIMIT (5%): a function may take so much more; 0.5pp is half a percent of the whole time
# BY (time): time of samples; or calls, which needs programs with hooks, or RECORD="--trace", and no perf events
# RECORD: more options of dwell record
# SUMMARY (dwell.md): the report in Markdown
#
# Exit status: 0, 1 if a change beyond LIMIT is proven, 2 if the programs could not be compared.
set -eu
[ $# = 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
runs=${RUNS:-5} limit=${LIMIT:-5%} by=${BY:-time} summary=${SUMMARY:-dwell.md} status=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

way=--sample more="takes more than $limit more time"
[ "$by" != calls ] || way= runs=1 more="is called more than $limit more often" # counts are exact
i=0
while [ $i -lt "$runs" ]; do
	i=$((i + 1))
	# shellcheck disable=SC2086 # they are words
	{
		dwell record $way ${RECORD-} -o "$work/old$i.dwell" -- $1 > /dev/null
		dwell record $way ${RECORD-} -o "$work/new$i.dwell" -- $2 > /dev/null
	} || exit 2
done
dwell diff --markdown --by "$by" --fail-over "$limit" --limit 20 "$work"/old*.dwell -- "$work"/new*.dwell > "$work/table" || status=$?
[ -s "$work/table" ] || exit 2
{
	case $status in
	0) echo "### No function was found that $more" ;;
	1) echo "### A function $more" ;;
	*) echo "### The programs could not be compared" ;;
	esac
	echo
	sed "s|$work/||g" "$work/table"
} > "$summary"
cat "$summary"
exit $status
