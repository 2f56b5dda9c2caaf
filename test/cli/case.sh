# Sourced by test/run: run_case NAME SECONDS [1: update] runs one command-line case, as README.md describes it, and prints TAP. The folder that cases
# run in is made once for all of a process, and what a case leaves there goes before the next one.

case_work= case_links=

# Makes the folder with its links to the inputs.
begin_cases()
{
	local link
	case_work=${TMPDIR:-/tmp}/dwell-cli.$$.$EPOCHREALTIME
	trap 'rm -rf "$case_work"' EXIT
	mkdir -m 700 "$case_work" "$case_work/here" || return
	ln -s "$DATA"/* "$case_work/here/"
	case_links=$(cd "$case_work/here" && for link in *; do printf '%s/' "$link"; done)
	shopt -s nullglob dotglob
}

# Whether all links, and nothing else, are in the folder; what else there is goes. Without a process, where a case left nothing.
clean_case()
{
	local found= left=() path
	for path in "$case_work"/here/*; do
		if [ -L "$path" ] && [[ /$case_links = */"${path##*/}"/* ]]; then
			found+=${path##*/}/
		else
			left+=("$path")
		fi
	done
	[ ${#left[@]} = 0 ] || rm -rf "${left[@]}"
	[ "$found" = "$case_links" ]
}

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

update_case()
{
	local case=$1 got=$2 stream
	echo "$got" > "$case_work/exit"
	for stream in stdout stderr exit; do
		[ -f "$case/$stream.glob" ] && continue
		if [ -s "$case_work/$stream" ] && [ "$stream $(head -c 2 "$case_work/$stream")" != "exit 0" ]; then
			cp "$case_work/$stream" "$case/$stream"
		else
			rm -f "$case/$stream"
		fi
	done
}

# is_same FILE FILE: without another process, of which a case with few has twice as many else
is_same()
{
	local one other
	mapfile -d '' one < "$1"
	mapfile -d '' other < "$2"
	[ ${#one[@]} = ${#other[@]} ] && [ "${one[*]}" = "${other[*]}" ]
}

# Whether a stream is what the case says of it; else what differs.
compare_stream()
{
	local case=$1 stream=$2 want=/dev/null
	if [ -f "$case/$stream.glob" ]; then
		matches "$case/$stream.glob" "$case_work/$stream" > "$case_work/why" && return
		echo "# $stream:"
		cat "$case_work/why"
		sed 's/^/#   /' "$case_work/$stream" | head -40
	else
		[ ! -f "$case/$stream" ] || want=$case/$stream
		is_same "$want" "$case_work/$stream" && return
		diff "$want" "$case_work/$stream" > "$case_work/why" 2>&1
		echo "# $stream (< expected, > printed):"
		sed 's/^/#   /' "$case_work/why" | head -40
	fi
	return 1
}

run_case()
{
	local name=$1 seconds=$2 update=${3-} case=$ROOT/test/cli/$1 got bad=0 want=0 stream
	[ "$case_work" ] && clean_case || { rm -rf ${case_work:+"$case_work"}; begin_cases || return; }
	# perf keeps files of programs in the home folder, and dwell reads them
	(
		ulimit -c 0
		cd "$case_work/here" || exit 99
		HOME=$PWD exec timeout -k 5 "$seconds" sh "$case/cmd"
	) > "$case_work/stdout" 2> "$case_work/stderr" < /dev/null
	got=$?
	[ -z "$update" ] || update_case "$case" $got
	for stream in stdout stderr; do
		compare_stream "$case" $stream || bad=1
	done
	[ ! -f "$case/exit" ] || read -r want < "$case/exit"
	[ $got = "$want" ] || { bad=1; echo "# exit status $got, expected $want"; }
	[ $bad = 0 ] && echo "ok 1 - $name" || echo "not ok 1 - $name"
	echo 1..1
	return $bad
}
