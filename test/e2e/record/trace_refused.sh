#!/bin/bash
# --trace where it cannot be had: one line says why and what to do, and the program runs as if dwell were not there.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
gcc -D_GNU_SOURCE -O2 -Wall -Wextra "$prog/processes/under.c" -o under || exit
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/states.c" -o states || exit
gcc -D_GNU_SOURCE -O2 -Wall -Wextra -pthread "$prog/processes/states.c" -static -o static || exit
gcc -D_GNU_SOURCE -O2 -Wall -Wextra "$prog/calls/packed.c" -o packed || exit
gcc -D_GNU_SOURCE -O2 -Wall -Wextra "$prog/calls/packed.c" -static -o still || exit
gcc -D_GNU_SOURCE -O2 -Wall -Wextra "$prog/calls/packed.c" -fno-asynchronous-unwind-tables -o bare || exit

# lines FILE LINE ...: these, and no others. # stands for any number.
lines()
{
	local file=$1
	shift
	sed -E 's/process [0-9]+/process #/' "$file" > lines.got
	printf '%s\n' "$@" | diff - lines.got
}
# refuses_process LINE COMMAND ...: attach to it says that line alone, and it ends well.
refuses_process()
{
	local line=$1 pid status=0
	shift
	"$@" > program.out &
	pid=$!
	has_begun $pid "$(basename "${name-$1}")"
	is_asleep $pid
	# shellcheck disable=SC2086
	${under-} "$DWELL" attach --trace --for 200ms -o "$work/attach.dwell" $pid 2> attach.err || status=$?
	lines attach.err "dwell: $line"
	[ $status = 2 ] || fail "status $status"
	[ ! -e attach.dwell ] || fail "a file was left"
	kill $pid
	wait $pid || fail "the program's status $?"
	[ "$(cat program.out)" = good ] || fail "it was disturbed: $(cat program.out)"
}
sample="sample it: dwell attach --sample"

refuses_program()
{
	local line=$1 expected=$2
	shift 2
	RECORD_OPTIONS=--trace record refused "$@"
	[ "$(cat refused.status)" = "$expected" ] || fail "status $(cat refused.status)" "$(cat refused.err)"
	lines refused.err "dwell: $line"
	[ "$(cat refused.out)" = good ] || fail "$(cat refused.out)"
}

test_that "a static program" refuses_program "./still: nothing was recorded: it is linked statically, so dwell cannot load its agent into it; use --sample, which changes nothing in the program" 2 \
	./still
test_that "a program without unwind tables" refuses_program "./bare: nothing was recorded: its functions are not in unwind tables (.eh_frame), which dwell needs to find them; packed programs have none; use --sample, which changes nothing in the program" 2 \
	./bare
test_that "a static process" refuses_process "process #: is linked statically, so dwell cannot load the agent into it; $sample" ./static
test_that "a program that makes its own code" refuses_process "$PWD/packed: nothing was recorded: its code in memory differs from its file, as in programs that unpack or change themselves; use --sample, which changes nothing in the program" ./packed 1
changed="this system forbids changes of its code (PR_SET_MDWE, which systemd calls MemoryDenyWriteExecute; seccomp; SELinux)"
mdwe()
{
	refuses_process "$PWD/states: nothing was recorded: $changed; use --sample, which changes nothing in the program" ./under mdwe ./states works
}
if ./under mdwe /bin/true; then
	name=states test_that "a process that forbids writable code" mdwe
else
	skip "a process that forbids writable code" "this system has no PR_SET_MDWE"
fi
confined="process #: restricts its own system calls (seccomp), and could be killed for those that dwell has it make; start it with \`dwell record\`, or $sample"
for kind in deny kill; do
	if ./under deny /bin/true; then
		name=states test_that "a process under a filter of system calls ($kind)" refuses_process "$confined" ./under $kind ./states works
	else
		skip "a process under a filter of system calls ($kind)" "this system has no seccomp"
	fi
done
# What it starts with is recorded, and what runs with that cannot be. A library that only begins a function with a nop is no file with hooks.
cat > nops.S <<'END'
	.globl six
	.type six, @function
six:	.cfi_startproc
	.byte 0x66, 0x0f, 0x1f, 0x44, 0, 0
	ret
	.cfi_endproc
	.size six, . - six
	.section .note.GNU-stack, "", @progbits
END
confined_program()
{
	gcc -shared nops.S -o libnops.so
	compile basic basic.c -Wl,--no-as-needed "$PWD/libnops.so"
	RECORD_OPTIONS=--trace record confined ./under "$1" ./basic 3
	[ "$(cat confined.status)" = 0 ] && grep -q '^count main 1$' confined.out || fail "$(cat confined.status confined.out confined.err)"
	lines confined.err "dwell: confined.dwell: 1 files were not recorded: ${changed/its code/their code}, or a library was loaded a thousand times; --sample needs none"
}
for kind in mdwe deny; do
	if ./under $kind /bin/true; then
		HOOKS=-fno-inline test_that "a program under $kind" confined_program $kind
	fi
done

traced()
{
	./states works > program.out &
	local pid=$!
	has_begun $pid states
	gdb -q -batch -p $pid -ex "shell touch stopped; sleep 3" > gdb.log 2>&1 &
	local debugger=$!
	for try in $(seq 200); do [ -e stopped ] && break; sleep 0.05; done
	! "$DWELL" attach --trace --for 100ms -o traced.dwell $pid 2> traced.err || fail "status 0"
	lines traced.err "dwell: process #: is traced by another program, such as a debugger: end that first"
	wait $debugger
	kill $pid
	wait $pid || fail "status $?"
	[ "$(cat program.out)" = good ] || fail "$(cat program.out)"
}
if command -v gdb > /dev/null; then
	test_that "a process that a debugger has" traced
else
	skip "a process that a debugger has" "no gdb"
fi

if unshare -m true 2> /dev/null; then
	# Where the agent is there is something else: the file is handed to it.
	mounted()
	{
		local status=0
		unshare -m sh -c "mount -t tmpfs none '$BUILD' && exec ./states works" > program.out &
		pid=$!
		has_begun $pid states
		is_asleep $pid
		"$DWELL" attach --trace --for 200ms -o mounted.dwell $pid 2> attach.err || status=$?
		[ $status = 0 ] && [ -s mounted.dwell ] || fail "status $status" "$(cat attach.err)"
		kill $pid
		wait $pid || fail "the program's status $?"
		[ "$(cat program.out)" = good ] || fail "it was disturbed: $(cat program.out)"
	}
	test_that "a process with other file systems is not refused" mounted
else
	skip "a process with other file systems" "needs root"
fi
# Another processor: one of 32 bits, which this one can be.
if gcc -m32 -O2 -Wall -Wextra -ffreestanding -fno-pic -nostdlib -static "$prog/processes/bits32.c" -o bits32 2> /dev/null && ./bits32 > /dev/null; then
	bits32_process()
	{
		local status=0
		./bits32 > program.out &
		pid=$!
		has_begun $pid bits32
		"$DWELL" attach --trace --for 200ms -o attach.dwell $pid 2> attach.err || status=$?
		lines attach.err "dwell: process #: runs a program for another processor, or of 32 bits, and the agent is for this one; $sample"
		[ $status = 2 ] && [ ! -e attach.dwell ] || fail "status $status"
		wait $pid || fail "the program's status $?"
		[ "$(cat program.out)" = good ] || fail "it was disturbed: $(cat program.out)"
	}
	test_that "a program for another processor" refuses_program "./bits32: nothing was recorded: it is a program for another processor, or of 32 bits, and the agent is for this one; use --sample, which changes nothing in the program" 2 \
		./bits32
	test_that "a process of such a program" bits32_process
else
	skip "a program for another processor" "this system runs none of 32 bits"
fi
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$work"
	# Of root, as which others run it.
	set_uid()
	{
		local status=0
		gcc -O2 -Wall -Wextra "$prog/processes/good.c" -o good
		chmod 4755 good
		mkdir -m 777 free
		./under user "$DWELL" record --trace -o "$work/free/refused.dwell" ./good > set_uid.out 2> set_uid.err || status=$?
		lines set_uid.err "dwell: ./good: nothing was recorded: the program runs as another user (set-uid), and the system loads no agent into it; record a copy without these rights"
		[ $status = 2 ] || fail "status $status"
		[ "$(cat set_uid.out)" = good ] || fail "$(cat set_uid.out)"
	}
	test_that "a set-uid program" set_uid
	under="./under user" test_that "a process of another user" refuses_process "process #: belongs to another user, or has dropped rights: attach as root" ./states works
else
	skip "a process of another user" "needs root"
fi
done_testing
