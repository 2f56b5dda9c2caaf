#!/bin/sh
# What dwell needs from Debian, and why. Installs what is missing where it may, else prints the command and stops with status 2.
#
#   tools/deps.sh [--list | --try] GROUP ...
#   tools/deps.sh --tell
#
# Each group is for itself: "check" does not imply "build". --list only prints the table. --try: status 0 although something is missing. --tell installs
# nothing: if something is not there that a build needs, it prints one line, with the command that installs it. It looks for the tools and headers
# themselves (CC: the compiler), so it works on any system, and does not ask for what somebody built himself.
#
# Releases differ in names. A row may name several packages, A|B: the first one that is installed, or else the first one that the release has, counts.
# A row none of whose packages exists is left out, and named: what needs it is skipped by the tests.
set -eu

groups='build check plugin language browser emulate release package bench peers'

# The plugin is for the compiler that there is; run-time libraries are for the clang that there is, or that would be installed.
gcc_version()
{
	gcc -dumpversion 2> /dev/null | cut -d. -f1 | grep . || default_version gcc 12
}
clang_version()
{
	clang -dumpversion 2> /dev/null | cut -d. -f1 | grep . || default_version clang 14
}
# The package NAME depends on NAME-VERSION.
default_version()
{
	apt-cache depends "$1" 2> /dev/null | sed -n "s/^ *Depends: $1-\\([0-9]*\\)\$/\\1/p" | grep . || echo "$2"
}

needs()
{
	gcc=$(gcc_version) clang=$(clang_version)
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
	build liblzma-dev       symbols in .gnu_debugdata: xz
	build libzstd-dev       packed chunks: zstd
	check g++               C++ programs to record
	check clang             programs of another compiler; the fuzzers
	check lld               programs of another linker; the sanitizers' programs are linked sooner
	check libclang-rt-$clang-dev  the fuzzers' and sanitizers' run-time
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
	check util-linux        setpriv: being refused, also when root runs the tests
	check python3           the package over libdwell-read
	check cmake             projects of CMake and Meson that use dwell
	check meson             likewise
	check ninja-build       and what builds them
	check libunwind8        unwinders of others, from code that dwell made: GNU's
	check libunwind-$clang   and LLVM's
	check strace            shows what a program opens
	check sqlite3           programs that are changed while they run: this one,
	check git               this one,
	check perl              this one,
	check redis-tools       and a server: redis-server is the same file as redis-check-rdb
	check musl-tools        programs of another C library
	check libcap2-bin       setcap: a program that has rights of its own
	check bubblewrap        a container that a user makes
	plugin g++              GCC's plugins are C++
	plugin gcc-$gcc-plugin-dev  its headers; arm-none-eabi-gcc brings its own
	plugin gcc-$gcc-plugin-dev-aarch64-linux-gnu  those of a compiler for a processor that it does not know
	language gnat           programs of other languages, and how each unwinds: Ada,
	language gdc            D,
	language ldc            D by LLVM, with patched sites,
	language gfortran       Fortran,
	language gobjc          Objective-C,
	language rustc          Rust,
	language luajit         Lua, translated while it runs,
	language lua5.4         and interpreted
	browser chromium          pages of dwell html are looked at
	browser nodejs            and what drives it
	browser npm               readers of exported files that are not ours: speedscope, pprof's format
	emulate gcc-arm-none-eabi  an ARM9, as in the Nintendo DS: its compiler
	emulate libnewlib-arm-none-eabi  its C library, for the makefile of doc/nitro.md
	emulate qemu-system-arm  and what runs its programs
	emulate gcc-riscv64-unknown-elf  a RISC-V of 32 bits: its compiler
	emulate qemu-system-misc  and what runs its programs
	emulate gcc-mips-linux-gnu  a big-endian MIPS III, as in the Nintendo 64: its compiler
	emulate qemu-system-mips  and what runs its programs
	emulate desmume         a Nintendo DS, whose memory its GDB stub shows
	emulate mupen64plus-ui-console  a Nintendo 64: a cartridge shows its memory on its console
	emulate hatari          an Atari ST: PROFILE.PRG runs on it
	emulate gcc-m68k-linux-gnu  and its compiler
	release debootstrap     another release of Debian, in which the quick tests are run (.ci/run)
	release gcc-11|gcc-13   other versions of compilers: older ones,
	release g++-11|g++-13   likewise
	release clang-15|clang-17  likewise
	release clang-19|clang-18  newer ones,
	release gcc-15|gcc-14   and the newest
	release g++-15|g++-14   likewise
	release g++             and the library of C++ that a Clang takes: of the newest GCC there is
	release clang-22|clang-20  likewise
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
	peers libclang-rt-$clang-dev  its run-time
	peers llvm-$clang           llvm-xray reads what that leaves
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
	liblzma-dev) echo lzma.h ;;
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

usage()
{
	echo "usage: tools/deps.sh [--list | --try] GROUP ...; groups: $groups" >&2
	exit 2
}
failed=2
case ${1-} in
--list) needs; exit ;;
--tell) tell; exit ;;
--try) failed=0; shift ;;
esac
[ $# -gt 0 ] || usage
for group in "$@"; do
	case " $groups " in *" $group "*) ;; *) usage ;; esac
done
rows=$(needs | awk -v lists=" $* " 'index(lists, " " $1 " ") && !seen[$2]++')
if ! command -v dpkg-query > /dev/null; then
	echo "tools/deps.sh: no Debian: cannot tell what is missing of" $(echo "$rows" | awk '{ print $2 }') >&2
	exit 0
fi

if [ "$(id -u)" = 0 ]; then
	as_root=
elif command -v sudo > /dev/null && sudo -n true 2> /dev/null; then
	as_root="sudo -n"
else
	as_root=none
fi
export DEBIAN_FRONTEND=noninteractive

# Node.js from elsewhere brings npm along, and conflicts with Debian's.
have=" $(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' | sed -n 's/^ii *//p' | tr '\n' ' ')"
is_installed()
{
	case $have in *" $1 "*) return ;; esac
	case $1 in
	npm) command -v npm > /dev/null ;;
	nodejs) command -v node > /dev/null ;;
	*) return 1 ;;
	esac
}
one_is_installed()
{
	for name in $(echo "$1" | tr '|' ' '); do
		is_installed "$name" && return
	done
	return 1
}
# The lists of packages, with the names that this release has.
exists()
{
	LC_ALL=C apt-cache policy "$1" 2> /dev/null | grep -q '^  Candidate: [^(]'
}
first_that_exists()
{
	for name in $(echo "$1" | tr '|' ' '); do
		exists "$name" && { echo "$name"; return; }
	done
}
# Numbers and sizes, as apt-get states them.
amount()
{
	LC_ALL=C apt-get install --assume-no --no-install-recommends "$@" 2> /dev/null | awk '
		/newly installed/ { count = $3 }
		/^Need to get/ { get = $4 " " $5 }
		/additional disk space/ { use = $4 " " $5 }
		END { printf "%s packages", count ? count : NR ? "some" : "?"; if (get) printf ", %s to download", get; if (use) printf ", %s on disk", use }'
}

missing=$(echo "$rows" | while read -r _ names _; do
	one_is_installed "$names" || echo "$names"
done)
[ "$missing" ] || exit 0
# Names of another release than the one that was asked before the lists were there.
if [ "$as_root" != none ]; then
	$as_root apt-get update -q > /dev/null 2>&1 || echo "tools/deps.sh: apt-get update failed; going on with the lists of packages that are here" >&2
	rows=$(needs | awk -v lists=" $* " 'index(lists, " " $1 " ") && !seen[$2]++')
fi
packages='' wanted='' left_out=''
for names in $(echo "$rows" | awk '{ print $2 }'); do
	one_is_installed "$names" && continue
	package=$(first_that_exists "$names") || true
	if [ "$package" ]; then
		packages="$packages $package" wanted="$wanted $names"
	else
		left_out="$left_out $names"
	fi
done
explain()
{
	echo "$rows" | awk -v which="$1 " 'index(which, " " $2 " ") { name = $2; $1 = $2 = ""; printf "    %-24s%s\n", name, substr($0, 2) }' >&2
}
if [ "$left_out" ]; then
	echo "not to be had here, and left out (tests that need it are skipped):" >&2
	explain "$left_out"
fi
[ "$packages" ] || { [ $failed = 0 ] || case " $* " in *" build "*) [ -z "$(tell)" ] ;; esac; exit; }
echo "missing, and why:" >&2
explain "$wanted"

install="apt-get install -y --no-install-recommends$packages"
if [ "$as_root" = none ]; then
	echo "tools/deps.sh: may not install; please run as root ($(amount $packages)):" >&2
	echo "    apt-get update && $install" >&2
	[ $failed = 2 ] || echo "tools/deps.sh: going on without: tests that need it are skipped" >&2
	exit $failed
fi
echo "installing these: $(amount $packages), with what they need" >&2
log=$(mktemp "${TMPDIR:-/tmp}/dwell-deps.XXXXXX")
if $as_root $install > "$log" 2>&1; then
	rm -f "$log"
	exit
fi
# One that cannot be installed must not keep the others away.
bad=''
for package in $packages; do
	$as_root apt-get install -y --no-install-recommends "$package" > "$log" 2>&1 || bad="$bad $package"
done
if [ "$bad" ]; then
	sed 's/^/    /' "$log" | tail -n 5 >&2
	echo "tools/deps.sh: apt-get could not install$bad; the last of its lines are above" >&2
	[ $failed = 2 ] || echo "tools/deps.sh: going on without: tests that need it are skipped" >&2
fi
rm -f "$log"
[ -z "$bad" ] || exit $failed
