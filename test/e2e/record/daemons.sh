#!/bin/bash
# Programs that make themselves daemons: recorded until the last process has ended, whatever they close.
. "$(dirname "$0")/../lib.sh"

# follows NAME WAY STATUS COMMAND ...: all calls of all of its processes
follows()
{
	local name=$1 way=$2 status=$3
	shift 3
	rm -f "$name.counts"
	record "$name" "$@" "$way" "$PWD/$name.counts"
	[ "$(cat "$name.status")" = "$status" ] || fail "status $(cat "$name.status")" "$(cat "$name.err")"
	# Of the processes in between there is one at each moment, or none left but the last.
	sed -i '/^dwell: .*left [0-9]* process.* behind, still recorded/d' "$name.err"
	exits "$name" "$status"
	cp "$name.counts" "$name.out" || fail "the daemon has not come to its end"
	counts_agree "$name"
	whole "$name"
}
each()
{
	local name=$1 way
	shift
	for way in own:4 libc:0; do
		RECORD_OPTIONS= follows "$name.stream.${way%:*}" "${way%:*}" "${way#*:}" "$@"
		RECORD_OPTIONS=--ring=8M follows "$name.ring.${way%:*}" "${way%:*}" "${way#*:}" "$@"
		RECORD_OPTIONS=--linear=8M follows "$name.linear.${way%:*}" "${way%:*}" "${way#*:}" "$@"
	done
}
preloaded()
{
	compile daemon daemon.c
	each preloaded ./daemon
}
linked()
{
	local how=$1
	# shellcheck disable=SC2046
	compile "daemon$how" daemon.c $("$DWELL" cflags --link) $how
	each "linked$how" env -u LD_PRELOAD "./daemon$how"
}
sites()
{
	# shellcheck disable=SC2086
	HOOKS="$("$DWELL" cflags "${CC:-gcc}") -fno-inline -fno-ipa-cp -fno-ipa-sra" compile sites daemon.c
	rm -f gmon.out
	each sites ./sites
}
test_that "daemons, the agent preloaded" preloaded
test_that "daemons, linked" linked ""
test_that "daemons, linked, static" linked -static
[ "$(uname -m)" != x86_64 ] || test_that "daemons with patched sites" sites
done_testing
