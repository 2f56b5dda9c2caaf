#!/bin/bash
# A pipe in the place of a file that dwell would read: the program, a library, a debug file, a source. Nobody writes to that pipe, so opening
# it waits for ever. Each command ends, with what it can do without the file.
. "$(dirname "$0")/../lib.sh"

export XDG_CACHE_HOME=$work/cache

cat > lib.c <<'END'
__attribute__((noinline)) unsigned long in_library(unsigned long x) { __asm__ volatile("" : "+r"(x)); return x * 3 + 1; }
END
cat > works.c <<'END'
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t over;
static void end(int number) { (void)number; over = 1; }
unsigned long in_library(unsigned long x);
__attribute__((noinline)) unsigned long leaf(unsigned long x) { __asm__ volatile("" : "+r"(x)); return x * 5 + 1; }
int main(int argc, char **argv)
{
	unsigned long x = 1;
	(void)argv;
	signal(SIGTERM, end);
	for (int i = 0; !over && (argc < 2 || i < 200000); i++) {
		x = in_library(leaf(x));
		if (argc < 2 && i % 100 == 0)
			usleep(100);
	}
	return x == 1;
}
END

# put [FLAGS]: the program ./works and its library. What they are made of is compiled once for the same flags.
put()
{
	local kept=made$#
	rm -f works works.debug libits.so
	if [ ! -d $kept ]; then
		gcc -O2 -g -shared -fPIC lib.c -o libits.so "$@"
		gcc -O2 -g -fno-optimize-sibling-calls works.c -o works ./libits.so "$@"
		mkdir $kept
		mv works libits.so $kept
	fi
	cp $kept/* .
}
# begin [FLAGS]: and starts it, which has $pid then, and catches SIGTERM: bit 14.
begin()
{
	put "$@"
	./works &
	pid=$!
	has_begun $pid works
	comes '^SigCgt:.*[4-7c-f]...$' "/proc/$pid/status"
}
put_pipe()
{
	rm -f "$1"
	mkfifo -m 777 "$1"
}
# ends COMMAND ...: it ends by itself, with the status $status.
ends()
{
	status=0
	timeout -k 5 "${SECONDS_MAX:-60}" "$@" > ends.out 2> ends.err || status=$?
	[ $status -lt 124 ] || fail "$* was ended after a minute" "$(cat ends.err)"
}

# attached PIPE OPTION ...: attach ends, and the process goes on until it is told to end.
attached()
{
	local pipe=$1
	shift
	begin $FLAGS
	put_pipe "$pipe"
	ends "$DWELL" attach --for=300ms "$@" -o attached.dwell "$pid"
	kill $pid
	wait $pid || fail "the process ended with status $?" "$(cat ends.err)"
	[ ! -e attached.dwell ] || ends "$DWELL" report --csv attached.dwell
}
hooks="-finstrument-functions -fno-tree-ter"
for pipe in works libits.so; do
	FLAGS= test_that "attach: a pipe is at $pipe" attached $pipe
	FLAGS=$hooks test_that "attach to a program with hooks: a pipe is at $pipe" attached $pipe
	FLAGS= test_that "attach --trace: a pipe is at $pipe" attached $pipe --trace
	FLAGS= test_that "attach --trace --only of the library: a pipe is at $pipe" attached $pipe --trace --only='module:libits.so'
	FLAGS= test_that "attach --sample: a pipe is at $pipe" attached $pipe --sample
done

recorded()
{
	put_pipe pipe
	ends "$DWELL" record "$@" -o recorded.dwell ./pipe
	[ $status = 2 ] || [ $status = 126 ] || fail "status $status" "$(cat ends.err)"
	ends "$DWELL" record "$@" -o recorded.dwell sh -c 'true ./pipe'
}
for option in --ring --trace --sample; do
	test_that "record $option: the program is a pipe" recorded $option
done
profiled()
{
	put_pipe pipe
	ends "$DWELL" profile ./pipe
	ends "$DWELL" top ./pipe
	ends "$DWELL" ./pipe
	ends "$DWELL" symbols ./pipe
	[ $status = 2 ] || fail "status $status" "$(cat ends.err)"
	grep -q 'a pipe, expected an object file' ends.err || fail "$(cat ends.err)"
}
test_that "profile, top and symbols: the program is a pipe" profiled

# reported RECORD_OPTION PIPE ...: of a recording whose files have become pipes.
reported()
{
	local option=$1 pipe
	shift
	put $FLAGS
	if [ "$SPLIT" ]; then
		objcopy --only-keep-debug works works.debug
		objcopy --strip-debug --add-gnu-debuglink=works.debug works
	fi
	"$DWELL" record $option -o reported.dwell ./works some > record.out 2> record.err || [ $? = 1 ]
	for pipe; do put_pipe "$pipe"; done
	for command in report "report --split leaf" tree slowest calls info html callers\ leaf; do
		# shellcheck disable=SC2086
		ends "$DWELL" $command reported.dwell
	done
	ends "$DWELL" export --to=folded reported.dwell
}
for option in --linear=64M --sample; do
	FLAGS=$hooks SPLIT= test_that "report of record $option: program and library are pipes" reported $option works libits.so
	FLAGS=$hooks SPLIT=1 test_that "report of record $option: the debug file is a pipe" reported $option works.debug
done
sources_are_pipes()
{
	cp works.c kept.c
	trap 'rm works.c; mv kept.c works.c' EXIT
	FLAGS=$hooks SPLIT= reported --linear=64M works.c
}
test_that "html: the source is a pipe" sources_are_pipes

# Debug information that names another file, as dwz makes it: libdw opens that file by itself.
cat > shared.S <<'END'
	.section .debug_abbrev, "", @progbits
	.uleb128 1, 0x11
	.byte 0
	.uleb128 0x25, 0x1f21 # DW_AT_producer, DW_FORM_GNU_strp_alt
	.byte 0, 0, 0
	.section .debug_info, "", @progbits
	.long end - begin
begin:	.short 4
	.long 0
	.byte 8
	.uleb128 1
	.long 0
end:
	.section .gnu_debugaltlink, "", @progbits
	.asciz "pipe"
	.fill 20, 1, 7
	.section .note.GNU-stack, "", @progbits
END
shared_is_pipe()
{
	put_pipe pipe
	gcc -O2 $hooks works.c lib.c shared.S -o works
	ends "$DWELL" record --linear=64M -o shared.dwell ./works some
	[ $status -le 1 ] || fail "status $status" "$(cat ends.err)"
}
test_that "the file that shares debug information is a pipe" shared_is_pipe

# What the user names as an input may be a pipe.
inputs()
{
	FLAGS=$hooks SPLIT= reported --linear=64M
	"$DWELL" report --csv reported.dwell > file.csv
	"$DWELL" report --csv <(cat reported.dwell) > substituted.csv
	"$DWELL" report --csv - < reported.dwell > dash.csv
	cat reported.dwell | "$DWELL" report --csv /dev/stdin > stdin.csv
	for name in substituted dash stdin; do
		cmp file.csv $name.csv || fail "$name"
	done
	printf 'dwell exclude 1\nnot leaf\n' > list
	"$DWELL" record --linear=64M --not @<(cat list) -o listed.dwell ./works some 2> list.err || fail "$(cat list.err)"
}
test_that "an input of a command may be a pipe" inputs
done_testing
