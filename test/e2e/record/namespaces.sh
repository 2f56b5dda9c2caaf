#!/bin/bash
# Programs in namespaces of their own: other numbers for processes and threads, another /proc or none, another root, another user.
. "$(dirname "$0")/../lib.sh"

compile sleeps sleeps_and_burns.c
HOOKS=' ' compile plain sleeps_and_burns.c
perf() { [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ] || [ "$(id -u)" = 0 ]; }

# in_space COMMAND ...: what begins the namespaces, with the program behind it. The program takes itself for process 1 or 2, and: what sleeps is
# off the CPU for most of its 600 ms, what computes takes the 600 ms of CPU time that it wanted, and record ends with the program. What a virtual
# machine's host takes away between two switches counts as the thread's, and not by the thread's own clock: so that both may be more. The switch
# itself, up to 20 us of it (1 to 5 measured on an idle machine, 12 on a busy one), counts by the thread's own clock alone.
split()
{
	"$DWELL" info --csv space.dwell | awk -F , '$3 == "switches" { n += $4 } END { print "switches\t" n }' >> cpu.csv
	awk -F'\t' '$1 == "switches" { switches = $2 } $1 == "sleeps" { calls = $2; off = $3 } $1 == "burns" { on = $3; burns = $2 }
		END { printf "%d calls: sleeps %.1f ms, burns %.1f ms on a CPU, %d switches\n", calls, off / 1e6, on / 1e6, switches
		exit !(calls == 3 && burns == 3 && off < 150e6 && on > 598e6 - 20e3 * switches && on < 1800e6) }' cpu.csv
}
in_space()
{
	local options=
	# Not what makes the namespaces: bubblewrap's children are made by system calls of its own, and go on in functions that they never entered.
	case $1 in --trace) options="--trace --only module:plain"; shift ;; esac
	RECORD_SECONDS=60 RECORD_OPTIONS=$options record space "$@"
	[ "$(cat space.status)" = 0 ] || fail "status $(cat space.status)" "$(cat space.err)"
	! grep -vE "held threads up|left . process behind" space.err || fail "it complains"
	"$DWELL" report --csv space.dwell > space.csv || fail "report"
	columns space.csv function calls total_cpu_ns > cpu.csv
	if perf; then split || fail "$(cat space.csv)"; fi
}
try()
{
	local name=$1
	shift
	if ! "$@" true 2> try.err; then
		skip "$name" "not possible here: $(head -1 try.err)"
		return
	fi
	test_that "$name" in_space "$@" ./sleeps 0.2 2
	test_that "$name, as it is" in_space --trace "$@" ./plain 0.2 2
}
try "PID namespace" unshare --pid --fork
try "PID namespace with its own /proc" unshare --pid --fork --mount-proc
try "PID namespace in a PID namespace" unshare --pid --fork unshare --pid --fork
try "user namespace" unshare --user --map-root-user
try "user, PID and mount namespace" unshare --user --map-root-user --pid --fork --mount-proc
try "time namespace" unshare --time --fork --monotonic 1000000
try "bubblewrap" bwrap --bind / / --unshare-all --proc /proc --dev /dev

# A root without /proc, with what a program needs and with the agent; and one without the agent.
root()
{
	local file
	mkdir -p "$1"
	shift
	for file in "$@" $(ldd "$1" | grep -o '/[^ ]*') ; do
		mkdir -p "root$(dirname "$file")"
		cp -L "$file" "root$file"
	done
}
if [ "$(id -u)" = 0 ]; then
	root root "$PWD/sleeps" "$PWD/plain"
	agent=$(readlink -f "$BUILD")/libdwell.so.1
	mkdir -p "root$(dirname "$agent")"
	cp -L "$agent" "root$agent"
	names()
	{
		in_space "$@"
		! "$DWELL" report space.dwell | grep -F "+0x" | grep -E "sleeps|plain" || fail "without names"
	}
	test_that "root without /proc" names chroot root "$PWD/sleeps" 0.2 2
	test_that "root without /proc, as it is" names --trace chroot root "$PWD/plain" 0.2 2
	test_that "root without /proc, PID namespace" in_space unshare --pid --fork chroot root "$PWD/sleeps" 0.2 2
	rm "root$agent"
	without()
	{
		RECORD_OPTIONS=$1 record without chroot root "$PWD/$2" 0.01
		[ "$(cat without.out | wc -l)" = 1 ] || fail "the program did not run"
		grep -q "$PWD/$2 runs in another root folder or namespace" without.err || fail "$(cat without.err)"
	}
	test_that "root without the agent: nothing, and why" without "" sleeps
	counted()
	{
		without --trace plain
		"$DWELL" info --json without.dwell | grep -q '"unreached_programs": 1' || fail "not counted"
		! "$DWELL" report without.dwell 2>&1 | grep -E "^complete" || fail "complete"
	}
	test_that "root without the agent: counted" counted
else
	skip "other roots" "only root can change it"
fi

# dwell itself in a user namespace where it is nobody, without a folder of its own to write to.
as_nobody="setpriv --reuid 65534 --regid 65534 --clear-groups unshare --user"
if [ "$(id -u)" = 0 ] && chmod 755 . && mkdir -m 777 nobody && $as_nobody test -x "$DWELL" -a -w nobody 2> /dev/null; then
	homeless()
	{
		local options program
		cd nobody
		for options in "" --ring --count --trace --sample; do
			[ "$options" = --trace ] && program=plain || program=sleeps
			# shellcheck disable=SC2086
			$as_nobody env "$@" "$DWELL" record $options -o homeless.dwell ../$program 0.01 2> err || fail "status $?" "$(cat err)"
			"$DWELL" report homeless.dwell > report || [ $? = 1 ] || fail "$(cat report)"
			rm homeless.dwell
		done
	}
	test_that "as nobody, without HOME" homeless -u HOME
	test_that "as nobody, HOME cannot be written to" homeless HOME=/proc
else
	skip "as nobody" "not possible here"
fi
done_testing
