#!/bin/bash
# Files that their paths do not lead to: in another mount namespace or in memory, replaced or removed while they run, started by the loader.
# Each call has its name, each sample its callers, and no name is that of another file.
. "$(dirname "$0")/../lib.sh"

compile fibs fibs.c
HOOKS=' ' compile plain fibs.c
HOOKS=' ' compile anonymous fibs.c -Wl,--build-id=none
HOOKS=' ' compile sleeps sleeps_and_burns.c -fno-plt
HOOKS=' ' compile in_memory in_memory.c
cat > other.c <<'END'
long wrong(long n) { return n; }
int main(void) { for (volatile int i = 0; i < 1000; i++) wrong(i); return 0; }
END
gcc -O0 other.c -o other && gcc -O0 -Wl,--build-id=none other.c -o other_anonymous

# named FILE: most calls are of fib, and it is called so.
named()
{
	"$DWELL" report --csv "$1" > named.csv 2> named.err || [ $? = 1 ] || fail "$(cat named.err)"
	columns named.csv function calls | awk -F'\t' '$1 == "fib" && $2 > 100000 { found = 1 } END { exit !found }' ||
		fail "$(columns named.csv calls function | sort -n | tail -5)" "$(cat named.err)"
}
traces()
{
	local options=$1
	shift
	RECORD_OPTIONS=$options record file "$@"
	[ "$(cat file.status)" = 0 ] || fail "status $(cat file.status)" "$(cat file.err)"
	named file.dwell
}
for program in fibs plain; do
	[ $program = plain ] && options=--trace || options=--stream
	test_that "$program: in memory" traces "$options" ./in_memory ./$program 26 1
	test_that "$program: by the loader" traces "$options" "$(readelf -l plain | sed -n 's/.*interpreter: \(.*\)]/\1/p')" ./$program 26 1
	mkdir -p mount
	if unshare --mount true 2> /dev/null; then
		# Long enough for record to hear of it while it is there.
		test_that "$program: in another mount namespace" traces "$options" unshare --mount sh -c \
			"mount -t tmpfs none mount && cp $program mount/hidden && mount/hidden 26 1 && sleep 0.1"
	else
		skip "$program: in another mount namespace" "not possible here"
	fi
done
gone()
{
	traces --trace sh -c 'cp plain removed && ./removed 26 1 && rm removed'
}
test_that "removed before the end" gone
replaced()
{
	cp "$1" target
	RECORD_OPTIONS=--trace record file sh -c "./target 26 1; sleep 0.1; cp $2 new; mv new target"
	named file.dwell
	! grep wrong named.csv || fail "a name of another file"
}
test_that "replaced before the end" replaced plain other
test_that "replaced before the end, no build-id" replaced anonymous other_anonymous
# Who was killed kept no names, and a file without a build-id is whatever has its path now.
killed()
{
	cp anonymous target
	RECORD_OPTIONS=--trace record killed sh -c './target 20 1; sleep 1; kill -9 $PPID; sleep 0.1'
	"$DWELL" report killed.dwell > killed.out 2>&1 || [ $? = 1 ]
	! grep 'no build-id' killed.out || fail "it is the one that was recorded"
	cp other_anonymous target
	touch -d "1 second" target # some file systems keep whole seconds
	"$DWELL" report killed.dwell > killed.out 2>&1 || [ $? = 1 ]
	grep -q '1 module has no build-id and was written to since: names may be wrong' killed.out || fail "$(head -20 killed.out)"
}
test_that "replaced when record was killed, no build-id: it is said" killed

# attached FILE: samples of a process whose file is not at its path.
attached()
{
	local pid
	cp sleeps target
	./target 3 & pid=$!
	has_begun $pid target
	"$@"
	comes 'R \(running\)' /proc/$pid/status
	"$DWELL" attach --sample --for 300ms -o attached.dwell $pid 2> attach.err || fail "$(cat attach.err)"
	kill $pid
	"$DWELL" report --csv attached.dwell > attached.csv 2> named.err || [ $? = 1 ] || fail "$(cat named.err)"
	columns attached.csv function samples > shares.csv
	grep -q '^burns' shares.csv || fail "$(cat attached.csv)"
	! grep -E 'wrong|target\+0x' shares.csv || fail "$(cat attached.csv)"
	"$DWELL" tree attached.dwell 2> /dev/null | grep -q burns || fail "no tree"
	"$DWELL" report attached.dwell | grep 'callers:' > callers.txt
	grep -qE '(100\.0|9[5-9]\.[0-9]) % complete' callers.txt || fail "$(cat callers.txt)"
}
replace()
{
	cp "$1" new
	mv new target
}
if "$DWELL" attach --help > /dev/null && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 2 ]; then
	test_that "attached: replaced" attached replace other
	test_that "attached: removed" attached rm target
else
	skip "attached" "no perf events"
fi
done_testing
