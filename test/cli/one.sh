#!/bin/bash
# One command-line case, as test/cli/README.md describes it: one.sh NAME [1: update]. Prints TAP.
set -u
name=$1 update=${2-}
case=$ROOT/test/cli/$name
work=${TMPDIR:-/tmp}/dwell-cli.$$.$EPOCHREALTIME
trap 'rm -rf "$work"' EXIT
mkdir -m 700 "$work" "$work/here" || exit
ln -s "$DATA"/* "$work/here/"
(
	ulimit -c 0
	cd "$work/here" || exit 99
	exec sh "$case/cmd"
) > "$work/stdout" 2> "$work/stderr" < /dev/null
got=$?

# matches GLOB-FILE FILE: line by line; * and ? as in a shell, nothing else is special; a line "..." stands for any lines.
matches()
{
	local pattern text p=0 t=0 any=0 want
	mapfile -t pattern < "$1"
	mapfile -t text < "$2"
	while [ $p -lt ${#pattern[@]} ]; do
		if [ "${pattern[p]}" = ... ]; then
			any=1
			p=$((p + 1))
			continue
		fi
		want=${pattern[p]//\\/\\\\}
		want=${want//[/\\[}
		while :; do
			if [ $t -ge ${#text[@]} ]; then
				echo "# no line like: ${pattern[p]}"
				return 1
			fi
			# shellcheck disable=SC2053
			if [[ ${text[t]} == $want ]]; then
				break
			elif [ $any = 0 ]; then
				echo "# line $((t + 1)) is:       ${text[t]}"
				echo "# line $((t + 1)) should be: ${pattern[p]}"
				return 1
			fi
			t=$((t + 1))
		done
		any=0
		p=$((p + 1))
		t=$((t + 1))
	done
	if [ $any = 0 ] && [ $t -lt ${#text[@]} ]; then
		echo "# one line too many: ${text[t]}"
		return 1
	fi
}

if [ "$update" ]; then
	echo $got > "$work/exit"
	for stream in stdout stderr exit; do
		[ -f "$case/$stream.glob" ] && continue
		if [ -s "$work/$stream" ] && [ "$stream $(head -c 2 "$work/$stream")" != "exit 0" ]; then
			cp "$work/$stream" "$case/$stream"
		else
			rm -f "$case/$stream"
		fi
	done
fi

# is_same FILE FILE: without another process, of which a case with few has twice as many else
is_same()
{
	local one other
	mapfile -d '' one < "$1"
	mapfile -d '' other < "$2"
	[ ${#one[@]} = ${#other[@]} ] && [ "${one[*]}" = "${other[*]}" ]
}

bad=0
for stream in stdout stderr; do
	if [ -f "$case/$stream.glob" ]; then
		matches "$case/$stream.glob" "$work/$stream" > "$work/why" || { bad=1; echo "# $stream:"; cat "$work/why"; sed 's/^/#   /' "$work/$stream" | head -40; }
	else
		[ -f "$case/$stream" ] && want=$case/$stream || want=/dev/null
		is_same "$want" "$work/$stream" || diff "$want" "$work/$stream" > "$work/why" 2>&1 || { bad=1; echo "# $stream (< expected, > printed):"; sed 's/^/#   /' "$work/why" | head -40; }
	fi
done
want=0
[ -f "$case/exit" ] && read -r want < "$case/exit"
[ "$got" = "$want" ] || { bad=1; echo "# exit status $got, expected $want"; }
[ $bad = 0 ] && echo "ok 1 - $name" || echo "not ok 1 - $name"
echo 1..1
exit $bad
