#!/bin/bash
# attach --trace to processes as servers are: that have dropped root, whose main thread has ended, whose file is another one by now.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
for program in drops headless; do
	gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/$program.c" -o $program || exit
done

# is_recorded PID: twice, and nothing stays open in it or mapped; nor of an attach that cannot create
# its file when the agent is there already.
is_recorded()
{
	local pid=$1 task round files
	task=$(ls "/proc/$pid/task" | tail -1)
	files=$(ls "/proc/$task/fd" | wc -l)
	! "$DWELL" attach --trace -o no_folder/refused.dwell "$pid" 2> refused.err || fail "not refused"
	[ "$(ls "/proc/$task/fd" | wc -l)" = "$files" ] || fail "refused, and it has more files open" "$(ls -l "/proc/$task/fd")"
	for round in 1 2; do
		"$DWELL" attach --trace --for 200ms -o server.dwell "$pid" 2> server.err || fail "round $round" "$(cat server.err)"
		[ "$(ls "/proc/$task/fd" | wc -l)" = "$files" ] || fail "round $round: it has more files open" "$(ls -l "/proc/$task/fd")"
		! grep -q memfd:dwell "/proc/$task/maps" || fail "round $round: memory of the session stays" "$(cat "/proc/$task/maps")"
		report_csv server
		[ "$(value server step calls)" -gt 500 ] || fail "round $round" "$(cat server.csv)"
		whole server
	done
	"$DWELL" info server.dwell | grep -E '^stops +[0-9]+, the longest [0-9.]+ ms, together [0-9.]+ ms$' || fail "stops are not told"
	kill "$pid"
	wait "$pid" || fail "status $?"
	[ "$(cat server.out)" = fine ] || fail "$(cat server.out)"
}
dropped()
{
	./drops 65534 > server.out &
	comes '^Uid:.65534' "/proc/$!/status"
	is_recorded $!
}
if [ "$(id -u)" = 0 ]; then
	test_that "a server that dropped root" dropped
else
	skip "a server that dropped root" "this is not root"
fi

# In another root folder the agent's file is not: the process gets it as a descriptor.
rooted()
{
	local file
	gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread -DWHOLE "$prog/processes/headless.c" -o rooted
	for file in "$PWD/rooted" $(ldd rooted | grep -o '/[^ ]*'); do
		mkdir -p "root$(dirname "$file")"
		cp -L "$file" "root$file"
	done
	unshare -m sh -c 'mount --bind /proc root/proc && exec chroot root "$0"' "$PWD/rooted" > server.out &
	has_begun $! rooted 2
	is_recorded $!
}
mkdir -p root/proc
if [ "$(id -u)" = 0 ] && unshare -m mount --bind /proc root/proc 2> /dev/null; then
	test_that "a process with another root folder" rooted
else
	skip "a process with another root folder" "this is not root, or may not mount"
fi

headless()
{
	./headless > server.out &
	comes '^State:.Z' "/proc/$!/status"
	is_recorded $!
}
test_that "a process whose main thread has ended" headless

# Of the program that runs, not of what has its name by now.
replaced()
{
	gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread -DWHOLE "$prog/processes/headless.c" -o upgraded
	./upgraded > server.out &
	local pid=$!
	has_begun $pid upgraded 2
	rm upgraded
	[ "$1" = removed ] || cp /bin/sleep upgraded
	is_recorded $pid
}
test_that "a program that was removed" replaced removed
test_that "a program that was replaced" replaced replaced
# Whoever is not root needs to trace processes of others, and to open their memory in /proc.
capable()
{
	local rights=+sys_ptrace,+dac_override pid status=0
	mkdir -m 777 free
	gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread -DWHOLE "$prog/processes/headless.c" -o whole
	./whole > server.out &
	pid=$!
	has_begun $pid whole 2
	setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=$rights --ambient-caps=$rights env XDG_CACHE_HOME="$work/free" \
		"$DWELL" attach --trace --for 200ms -o free/capable.dwell $pid 2> server.err || status=$?
	kill -TERM $pid
	wait $pid || fail "status $?"
	[ $status = 0 ] || fail "status $status" "$(cat server.err)"
	cp free/capable.dwell .
	report_csv capable
	[ "$(value capable step calls)" -gt 500 ] || fail "$(cat capable.csv)"
}
if [ "$(id -u)" = 0 ] && setpriv --reuid=65534 --inh-caps=+sys_ptrace,+dac_override --ambient-caps=+sys_ptrace,+dac_override true; then
	test_that "a process of another user, with capabilities" capable
else
	skip "a process of another user, with capabilities" "this is not root, or has no setpriv"
fi
done_testing
