#!/bin/sh
# What dwell needs from Debian, and why. Installs what is missing where it may, else prints the command and stops with status 2.
#
#   tools/deps.sh [--list | --try] build|check|plugin|emulate|package|bench|peers ...
#   tools/deps.sh --tell
#
# Each is for itself: "check" does not imply "build". --list only prints the table. --try: what cannot be had is done without, and said. --tell installs
# nothing: if something is not there that a build needs, it prints one line, with the command that installs it. It looks for the tools and headers
# themselves (CC: the compiler), so it works on any system, and does not ask for what somebody built himself.
set -eu

# The plugin is for the compiler that there is.
gcc_version()
{
	gcc -dumpversion 2> /dev/null | cut -d. -f1 | grep . || echo 12
}

needs()
{
	cat <<-EOF
	build gcc               compiler; any C11 compiler that knows GNU attributes does
	build make              GNU make
	build libc6-dev         the C library's headers
	build libelf-dev        symbols out of ELF files: elfutils' libelf
	build libdw-dev         which file is mapped where, build-ids, debug sections: elfutils' libdw
	build libzydis-dev      instructions of x86-64: Zydis
	build libiberty-dev     C++ names as people write them: the demangler of binutils
	build libjansson-dev    JSON
	build libncurses-dev    views on a terminal: ncurses
	build libprotobuf-c-dev  profiles of pprof, traces of Perfetto: protobuf
	build protobuf-c-compiler  and their messages as C
	build zlib1g-dev        CRC-32 of chunks
	build libzstd-dev       packed chunks: zstd
	check g++               C++ programs to record
	check clang             programs of another compiler; the fuzzers
	check libclang-rt-14-dev  the fuzzers' and sanitizers' run-time
	check pkg-config        dwell.pc is tried as a user would
	check gcc-aarch64-linux-gnu  the agent for another CPU
	check libc6-dev-arm64-cross  and programs for it
	check qemu-user         and what runs them
	check binutils          nm and readelf: what the tests compare symbols with
	check protobuf-compiler  protoc: reads exported messages without our schema
	check linux-perf        perf.data is read as perf reads it
	check valgrind          callgrind_annotate: reads exported profiles
	check zsh               completion
	check fish              completion
	check mandoc            reads the manual pages
	check man-db            likewise
	check groff-base        likewise
	check tmux              a terminal, for dwell tui and dwell top
	check chromium          pages of dwell html are looked at
	check nodejs            and what drives it
	check npm               readers of exported files that are not ours: speedscope, pprof's format
	check util-linux        setpriv: being refused, also when root runs the tests
	check python3           the package over libdwell-read
	check cmake             projects of CMake and Meson that use dwell
	check meson             likewise
	check ninja-build       and what builds them
	check libunwind8        unwinders of others, from code that dwell made: GNU's
	check libunwind-14      and LLVM's
	check strace            shows what a program opens
	check sqlite3           programs that are changed while they run: this one,
	check git               this one,
	check perl              this one,
	check redis-tools       and a server: redis-server is the same file as redis-check-rdb
	check musl-tools        programs of another C library
	check libcap2-bin       setcap: a program that has rights of its own
	plugin g++              GCC's plugins are C++
	plugin gcc-$(gcc_version)-plugin-dev  its headers; arm-none-eabi-gcc brings its own
	plugin gcc-$(gcc_version)-plugin-dev-aarch64-linux-gnu  those of a compiler for a processor that it does not know
	emulate gcc-arm-none-eabi  an ARM9, as in the Nintendo DS: its compiler
	emulate qemu-system-arm  and what runs its programs
	emulate gcc-riscv64-unknown-elf  a RISC-V of 32 bits: its compiler
	emulate qemu-system-misc  and what runs its programs
	emulate gcc-mips-linux-gnu  a big-endian MIPS III, as in the Nintendo 64: its compiler
	emulate qemu-system-mips  and what runs its programs
	emulate desmume         a Nintendo DS, whose memory its GDB stub shows
	emulate mupen64plus-ui-console  a Nintendo 64: a cartridge shows its memory on its console
	emulate hatari          an Atari ST: PROFILE.PRG runs on it
	emulate gcc-m68k-linux-gnu  and its compiler
	package debhelper       Debian packages are built
	package dh-python       likewise
	package lintian         and looked at
	bench gcc               see above, and for the programs that are measured
	bench binutils          objcopy: the same function with hooks of another name
	bench util-linux        taskset: on one core
	bench linux-perf        sampling, beside perf record
	bench google-perftools  and beside gperftools
	peers gcc               programs for each of them
	peers clang             XRay is in it
	peers libclang-rt-14-dev  its run-time
	peers llvm-14           llvm-xray reads what that leaves
	peers uftrace           what is compared with
	peers lttng-tools       LTTng
	peers liblttng-ust1     and its hooks
	peers babeltrace2       which reads its traces
	peers google-perftools  pprof, and the sampler
	peers binutils          gprof
	EOF
}

# What shows that a package is there: a command, or a header of its.
shown_by()
{
	case $1 in
	gcc) echo "${CC:-gcc}" ;;
	make) echo make ;;
	libc6-dev) echo stdio.h ;;
	libelf-dev) echo libelf.h ;;
	libdw-dev) echo elfutils/libdwfl.h ;;
	libzydis-dev) echo Zydis/Zydis.h ;;
	libiberty-dev) echo libiberty/demangle.h ;;
	libjansson-dev) echo jansson.h ;;
	libncurses-dev) echo curses.h ;;
	libprotobuf-c-dev) echo protobuf-c/protobuf-c.h ;;
	protobuf-c-compiler) echo protoc-c ;;
	zlib1g-dev) echo zlib.h ;;
	libzstd-dev) echo zstd.h ;;
	*) echo "tools/deps.sh: shown_by does not know $1" >&2 ;;
	esac
}
is_there()
{
	case $1 in
	*.h) ! command -v ${CC:-gcc} > /dev/null || echo "#include <$1>" | ${CC:-gcc} ${CPPFLAGS-} -E -x c - > /dev/null 2>&1 ;;
	*) command -v $1 > /dev/null ;;
	esac
}
tell()
{
	lacking='' packages=''
	for package in $(needs | awk '$1 == "build" { print $2 }'); do
		sign=$(shown_by "$package")
		is_there "$sign" && continue
		lacking="$lacking${lacking:+, }$sign" packages="$packages $package"
	done
	[ -z "$packages" ] ||
		echo "not here: $lacking. Debian and Ubuntu: apt-get install --no-install-recommends$packages; or run: make deps"
}

failed=2
case ${1-} in
--list) needs; exit ;;
--tell) tell; exit ;;
--try) failed=0; shift ;;
esac
case ${1-} in
build|check|plugin|emulate|package|bench|peers) ;;
*) echo "usage: tools/deps.sh [--list | --try] build|check|plugin|emulate|package|bench|peers ..." >&2; exit 2 ;;
esac

wanted=$(needs | awk -v lists=" $* " 'index(lists, " " $1 " ") && !seen[$2]++ { print $2 }')
if ! command -v dpkg-query > /dev/null; then
	echo "tools/deps.sh: no Debian: cannot tell what is missing of" $wanted >&2
	exit 0
fi

# A package counts by its own name or as what provides it (zlib1g-dev:amd64 is printed as zlib1g-dev).
have=$(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' $wanted 2> /dev/null | sed -n 's/^ii *//p' || true)
# Node.js from elsewhere brings npm along, and conflicts with Debian's.
is_there()
{
	echo "$have" | grep -qx "$1" && return
	case $1 in
	npm) command -v npm > /dev/null ;;
	nodejs) command -v node > /dev/null ;;
	*) return 1 ;;
	esac
}
missing=$(for package in $wanted; do
	is_there "$package" || echo "$package"
done)
[ "$missing" ] || exit 0

echo "missing, and why:" >&2
needs | awk -v missing=" $(echo $missing) " 'index(missing, " " $2 " ") && !seen[$2]++ { $1 = "   "; print }' >&2

install="apt-get install -y --no-install-recommends $(echo $missing)"
if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
	as_root="sudo -n"
else
	echo "tools/deps.sh: may not install; please run as root:" >&2
	echo "    apt-get update && $install" >&2
	[ $failed = 2 ] || echo "tools/deps.sh: going on without: tests that need it are skipped" >&2
	exit $failed
fi
export DEBIAN_FRONTEND=noninteractive
if ! { $as_root apt-get update -q && $as_root $install -q; } >&2; then
	echo "tools/deps.sh: apt-get failed; this was to be installed:" >&2
	echo "    apt-get update && $install" >&2
	[ $failed = 2 ] || echo "tools/deps.sh: going on without: tests that need it are skipped" >&2
	exit $failed
fi
