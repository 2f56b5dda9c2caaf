#!/bin/bash
# What make install puts somewhere works from there, and make uninstall takes it away again.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
[ -e "$BUILD/libdwell.so" ] || exit 77
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-install.XXXXXX")
trap 'rm -rf "$work"' EXIT
set -e
mkdir "$work/stage" "$work/use"
# what was built of the plugins comes along
if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	make -s BUILD="$BUILD" plugin PLUGIN_CC=gcc
fi
# through DESTDIR, as a packager does; then moved to where it is meant to be
make -s BUILD="$BUILD" install DESTDIR="$work/stage" PREFIX="$work/prefix" > "$work/log"
mv "$work/stage$work/prefix" "$work/prefix"
find "$work/stage" -type f | grep . && { echo "outside of PREFIX"; exit 1; }

cd "$work/use"
gcc -O2 -pthread $(dwell cflags gcc) -c "$ROOT/examples/first/app.c"
gcc -pthread app.o -o app
# no environment that could lead it back to the build folder
env -i PATH="$work/prefix/bin:/usr/bin:/bin" dwell record ./app 2000 > out
env -i PATH="$work/prefix/bin:/usr/bin:/bin" dwell report --csv app.dwell > report.csv
grep -q '^is_prime,2000,' report.csv || { cat report.csv; exit 1; }

if [ -e "$(gcc -print-file-name=plugin)/include/gcc-plugin.h" ]; then
	plugin=$work/prefix/lib/dwell/plugin/$(gcc -dumpmachine)-$(gcc -dumpfullversion)/profile.so
	gcc -O2 -fplugin="$plugin" -fplugin-arg-profile-on -c "$ROOT/examples/first/app.c" -o called.o
	nm called.o | grep -q 'U __PROFILE_ENTRY' || { echo "the plugin makes no calls"; exit 1; }
fi

if command -v pkg-config > /dev/null; then
	export PKG_CONFIG_PATH=$work/prefix/lib/pkgconfig
	[ "$(pkg-config --variable=agent dwell)" = "$work/prefix/lib/libdwell.so" ]
	[ "$(pkg-config --modversion dwell)" = "$("$work/prefix/bin/dwell" --version | sed 's/^dwell \([^ ]*\).*/\1/')" ]
	printf '#include <dwell/format.h>\nint main(void) { return DWELL_FILE_MAJOR == 0; }\n' > uses.c
	# shellcheck disable=SC2046
	gcc -pthread $(pkg-config --cflags dwell) uses.c $(pkg-config --libs dwell) -Wl,-rpath,"$work/prefix/lib" -o uses
	./uses
fi

cd "$ROOT"
make -s BUILD="$BUILD" uninstall PREFIX="$work/prefix"
find "$work/prefix" -type f | grep . && { echo "left behind"; exit 1; }
exit 0
