#!/bin/bash
# The agent linked into the program: libdwell.a, also where nothing can be preloaded, and libdwell.so. And dwell.h, for programs that
# stop and start their own recording.
. "$(dirname "$0")/../lib.sh"

# compile_linked PROGRAM SOURCE HOW: HOW is a.static, a or so. A source is compiled once: only the linker knows how.
compile_linked()
{
	local object=${2%.c}.o
	compile_once "$object" "$2" -I"$ROOT/include" -c
	case $3 in
	a.static) gcc "$object" -o "$1" -pthread -static "$BUILD/libdwell.a" ;;
	a) gcc "$object" -o "$1" -pthread "$BUILD/libdwell.a" ;;
	so) gcc "$object" -o "$1" -pthread -L"$BUILD" -ldwell -Wl,-rpath,"$BUILD" ;;
	esac
}
# Without dwell record: as if the agent were not there.
unrecorded()
{
	local name=$1
	shift
	"$@" > "$name.alone" 2> "$name.alone.err" || fail "status $? without dwell record"
	[ ! -s "$name.alone.err" ] || fail "printed without dwell record:" "$(cat "$name.alone.err")"
}
agrees()
{
	local name=$1 status=$2 how=$3 source=$4
	shift 4
	[ -e "$name" ] || compile_linked "$name" "$source" "$how"
	record "$name" "./$name" "$@"
	exits "$name" "$status"
	counts_agree "$name"
	whole "$name"
}
linked()
{
	agrees "basic.$1" 0 "$1" basic.c 3
	unrecorded "basic.$1" "./basic.$1" 3
	diff "basic.$1.out" "basic.$1.alone"
	agrees "threads.$1" 0 "$1" threads.c
	thread_counts_agree "threads.$1"
	agrees "storm.$1" 0 "$1" storm.c 300
	agrees "forks.$1" 0 "$1" forks.c fork
}
stops()
{
	local off
	[ -e "flat.$1" ] || compile_linked "flat.$1" stops.c "$1"
	ln -f "flat.$1" "deep.$1"
	ln -f "flat.$1" "often.$1"
	ln -f "flat.$1" "stop_threads.$1"
	agrees "flat.$1" 0 "$1" stops.c flat
	unrecorded "flat.$1" "./flat.$1" flat
	# The 200 ms between are nobody's: they are in no function's self time, and in info outside.
	between 199e6 "$(columns "flat.$1.csv" total_ns self_ns function | awk -F '\t' '$3 == "flat" { print $1 - $2 }')" 1e12 "off time of flat"
	between 0 "$(value "flat.$1" flat self_ns)" 150e6 "self time of flat"
	agrees "deep.$1" 0 "$1" stops.c deep
	deepest "deep.$1" 6
	agrees "often.$1" 0 "$1" stops.c often
	agrees "stop_threads.$1" 0 "$1" stops.c threads
}
claiming()
{
	export GLIBC_TUNABLES=glibc.pthread.rseq=0
	stops "$@"
}

# Functions of libraries that the program opens later have their names, though their calls come to entries that are the program's own; what
# one calls is found by the loader when it is called.
opens_later()
{
	local name file as_written="-fno-inline -fno-optimize-sibling-calls -fno-ipa-icf" kinds=hooks
	for name in alpha beta; do
		HOOKS="$as_written -finstrument-functions" compile $name.so plugin.c -shared -fPIC -DNAME=$name
		HOOKS="$as_written -finstrument-functions" compile $name-hooks.so jumping_plugin.c -shared -fPIC -Wl,-z,lazy -DNAME=$name
	done
	if command -v clang > /dev/null; then
		kinds="hooks sleds"
		for name in alpha beta; do
			# shellcheck disable=SC2046
			clang -D_GNU_SOURCE -O2 -fno-inline $("$DWELL" cflags clang) -fPIC -DNAME=$name -c "$prog/unwinds/jumping_plugin.c" -o $name.o
			gcc -shared -Wl,-z,lazy $name.o -o $name-sleds.so
		done
	fi
	# shellcheck disable=SC2046
	compile opens opens.c $("$DWELL" cflags --link) -ldl
	for how in --stream --ring=4M --count "--not nothing"; do
		RECORD_OPTIONS=$how record opens ./opens ./alpha.so ./beta.so 1000
		[ "$(cat opens.status)" = 0 ] || fail "$(cat opens.err)"
		report_csv opens
		columns opens.csv function calls | sed 's/+0x[0-9a-f]*//' | LC_ALL=C sort > opens.got
		printf 'alpha\t3\nbeta\t3\nmain\t1\nstep (alpha.so)\t3000\nstep (beta.so)\t6000\nuse\t6\n' | diff - opens.got || fail "$how"
		whole opens
	done
	for file in $kinds; do
		record lazily ./opens ./alpha-$file.so ./beta-$file.so 10 lazily
		exits lazily 0
		report_csv lazily
		columns lazily.csv function calls | sed 's/+0x[0-9a-f]*//' | LC_ALL=C sort > lazily.got
		printf 'after (alpha-X.so)\t30\nafter (beta-X.so)\t60\nalpha\t3\nbeta\t3\nleave (alpha-X.so)\t30\nleave (beta-X.so)\t60\nmain\t1\nuse\t6\n' |
			sed "s/X/$file/" | diff - lazily.got || fail "$file"
	done
}

test_that "libdwell.a in a static program" linked a.static
test_that "libdwell.a, and libraries that are opened later" opens_later
test_that "libdwell.a in a dynamic program" linked a
test_that "libdwell.so" linked so
test_that "dwell_stop and dwell_start, libdwell.so" stops so
test_that "dwell_stop and dwell_start, libdwell.a, static" stops a.static
test_that "dwell_stop and dwell_start without restartable sequences" claiming so
done_testing
