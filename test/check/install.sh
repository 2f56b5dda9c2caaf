#!/bin/bash
# What make install puts somewhere works from there, also where libraries have a folder of their own, and after the whole folder was moved.
# Its pages link to each other.
# make uninstall takes it away again.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
[ -e "$BUILD/libdwell.so" ] || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
set -e
mkdir "$work/stage" "$work/use"
prefix=$work/prefix libdir=$work/prefix/lib/some-linux-gnu
# what was built of the plugins comes along
if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	make -s BUILD="$BUILD" plugin PLUGIN_CC=gcc
fi
# through DESTDIR, as a packager does; then moved to where it is meant to be
make -s BUILD="$BUILD" install DESTDIR="$work/stage" PREFIX="$prefix" LIBDIR=lib/some-linux-gnu > "$work/log"
mv "$work/stage$prefix" "$prefix"
find "$work/stage" -type f | grep . && { echo "outside of PREFIX"; exit 1; }
# The build folder and the staging folder are nobody's business. (Debug information names the source.)
grep -rlIF -e "$BUILD" -e "$work/stage" "$prefix" && { echo "names a folder that is not installed"; exit 1; }

# Links of the installed pages lead to installed files.
[ -e "$prefix/share/doc/dwell/doc/getting-started.md" ]
python3 - "$prefix/share/doc/dwell" <<'END'
import pathlib, re, sys
pages = list(pathlib.Path(sys.argv[1]).rglob("*.md"))
links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#\s]+)", re.sub(r"```.*?```", "", page.read_text(), flags=re.S))]
dead = [f"{page}: {link}" for page, link in links if "://" not in link and not (page.parent / link).exists()]
print(*dead, sep="\n", end="\n" if dead else "")
sys.exit(bool(dead) or len(links) < 100)
END

# Help tells where these pages and the examples are; what was built and not installed has no such line.
[ "$("$prefix/bin/dwell" help | tail -n 1)" = "Documentation and examples: $prefix/share/doc/dwell" ]
[ -e "$prefix/share/doc/dwell/examples/first/app.c" ]
! "$BUILD/dwell" help | grep 'Documentation and examples' || exit 1

cd "$work/use"
# records FOLDER: compiled, recorded and read by what is installed there, in no environment that could lead it elsewhere
records()
{
	local installed="env -i PATH=$1/bin:/usr/bin:/bin" flags
	rm -f app app.o app.dwell gmon.out
	flags=$($installed dwell cflags gcc)
	case $(uname -m) in x86_64) [ "$flags" = "-B$1/share/dwell -specs=$1/share/dwell/gcc.specs" ] || { echo "$flags"; return 1; } ;; esac
	$installed gcc -O2 -pthread $flags -c "$ROOT/examples/first/app.c"
	$installed gcc -pthread $flags app.o -o app
	./app 10 > out
	[ ! -e gmon.out ] || { echo "gprof was linked"; return 1; }
	$installed dwell record ./app 2000 > out
	$installed dwell report --csv app.dwell > report.csv
	grep -q '^is_prime,2000,' report.csv || { cat report.csv; return 1; }
	# the agent in a static program, and the one that samples from within
	$installed gcc -O2 -static -pthread $flags "$ROOT/examples/first/app.c" $($installed dwell cflags --link gcc) -o static
	$installed dwell record ./static 2000 > out
	$installed dwell report --csv static.dwell | grep -q '^is_prime,2000,'
	$installed dwell record --sample --engine=timer -o sampled.dwell ./app 200000 > out
	$installed dwell report sampled.dwell | grep -q is_prime
	# Python finds its library
	$installed PYTHONPATH="$1/share/dwell/python" python3 -c '
import dwell, importlib.metadata
assert any(row["function"] == "is_prime" and row["calls"] == 2000 for row in dwell.open("app.dwell").functions())
print(importlib.metadata.version("dwell"))' > version
	[ "dwell $(cat version)" = "$($installed dwell --version | cut -d' ' -f1-2)" ]
}
records "$prefix"

if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	plugin=$libdir/dwell/plugin/$(gcc -dumpmachine)-$(gcc -dumpfullversion)/profile.so
	gcc -O2 -fplugin="$plugin" -fplugin-arg-profile-on -c "$ROOT/examples/first/app.c" -o called.o
	nm called.o | grep -q 'U __PROFILE_ENTRY' || { echo "the plugin makes no calls"; exit 1; }
	printf 'include %s/share/dwell/profile.mk\nsays: ; @echo $(PROFILE_LIBS) $(PROFILE_PLUGIN)\n' "$prefix" > Makefile
	[ "$(make -s)" = "$libdir $plugin" ] || { make; exit 1; }
fi

export PKG_CONFIG_PATH=$libdir/pkgconfig
[ "$(pkg-config --variable=agent dwell)" = "$libdir/libdwell.so.1" ]
for package in dwell dwell-read dwell-trace dwell-trace-clang; do
	[ "$(pkg-config --modversion $package)" = "$("$prefix/bin/dwell" -V | sed 's/^dwell \([^ ]*\).*/\1/')" ]
done
printf '#include <dwell/dwell.h>\n#include <dwell/format.h>\nint main(void) { dwell_mark("here"); return DWELL_FILE_MAJOR == 0; }\n' > uses.c
# shellcheck disable=SC2046
gcc -pthread $(pkg-config --cflags dwell) uses.c $(pkg-config --libs dwell) -Wl,-rpath,"$libdir" -o uses
./uses
readelf -d uses | grep -q 'NEEDED.*libdwell\.so\.1'
# shellcheck disable=SC2046
gcc -static -pthread $(pkg-config --cflags dwell) uses.c $(pkg-config --static --libs dwell) -o uses-static
./uses-static
# pkg-config tells the flags that dwell has tried out.
same() { [ "$(echo $1)" = "$(echo $2)" ] || { printf '%s\n' "pkg-config: $1" "dwell:      $2"; exit 1; }; }
same "$(pkg-config --cflags dwell-trace)" "$("$prefix/bin/dwell" cflags gcc)"
! command -v clang > /dev/null || same "$(pkg-config --cflags dwell-trace-clang)" \
	"$("$prefix/bin/dwell" cflags clang | sed 's/-fno-*xray-link-deps//')" # which matters for linking, and has two names
same "$libdir/libdwell.a $(pkg-config --static --libs dwell | sed 's/.* \(-Wl,-u,.*\)/\1/')" "$("$prefix/bin/dwell" cflags --link gcc)"

mv "$prefix" "$work/moved"
records "$work/moved"
mv "$work/moved" "$prefix"

cd "$ROOT"
make -s BUILD="$BUILD" uninstall PREFIX="$prefix" LIBDIR=lib/some-linux-gnu
find "$prefix" -type f -o -type l | grep . && { echo "left behind"; exit 1; }
exit 0
