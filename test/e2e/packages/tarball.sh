#!/bin/bash
# Takes long, so test/run begins with it.
# The release tarball: the same bytes each time, and all that is needed to build. Where Debian's tools are, Debian packages are built of it, by the
# commands of doc/build-systems.md; lintian looks at them, and their own tests run with what is in them. Elsewhere it is built and installed
# by make. Nothing is installed into this system. Seven hundred files were compiled before: where nothing of them has changed since the last commit,
# their objects are taken, and what these were made of has to be in the tarball.
. "$(dirname "$0")/../lib.sh"

git -C "$ROOT" rev-parse HEAD > /dev/null 2>&1 || { skip "tarball" "no git, or no clone"; done_testing; exit; }
version=$(sed -n 's/^VERSION := //p' "$ROOT/Makefile")

reproducible()
{
	mkdir one two
	make -s -C "$ROOT" dist BUILD="$work/one"
	sleep 1
	(umask 077 && make -s -C "$ROOT" dist BUILD="$work/two")
	cmp one/dwell-*.tar.gz two/dwell-*.tar.gz
	tar xzf "one/dwell-$version.tar.gz"
	[ -f "dwell-$version/Makefile" ]
}
test_that "make dist gives the same bytes each time" reproducible

# A compiler for the tarball's folder: gcc, but objects are taken from $BUILD. They are of the last commit, as $BUILD is up to date and nothing of it
# has changed; and compiled with the same flags, which packages() compares.
flags_for_programs()
{
	sed -n 's/ -ffile-prefix-map=[^ ]*//; 2,$p' "$1/BUILD_FLAGS"
}
taking=
if git -C "$ROOT" diff --quiet HEAD && makes -q all && ! grep -qE -- '--coverage|-fsanitize' "$BUILD/BUILD_FLAGS" &&
	flags_for_programs "$BUILD" | grep -q ' -O2 -g -ffreestanding '; then
	taking=$work/taking:
	mkdir taking
	HOOKS=' ' compile taking/gcc takes_objects.c -static
fi
unset CC CXX CFLAGS CXXFLAGS LDFLAGS

# Each source and header that the objects were made of: all those that are here.
holds_what_was_compiled()
{
	local file lacking=()
	find "$BUILD"/{obj,agent,linked,nitro,hook,ultra} -name '*.d' -exec cat {} + |
		awk '{ for (i = 1; i <= NF; i++) if ($i !~ /^\/|:$|^\\$/ && !seen[$i]++) print $i }' > sources
	[ "$(wc -l < sources)" -gt 1000 ]
	while read -r file; do
		[[ -e dwell-$version/$file || $file = */made/* || ! -e $ROOT/$file ]] || lacking+=("$file")
	done < sources
	[ ${#lacking[@]} = 0 ] || fail "not in the tarball:" "${lacking[@]}"
}
[ ! "$taking" ] || test_that "the tarball holds what was compiled" holds_what_was_compiled

# Nobody asks git.
mkdir no-git
printf '#!/bin/sh\necho "git $*" >> "%s/asked"\nexit 127\n' "$work" > no-git/git
chmod +x no-git/git
export PATH=$work/no-git:${PATH#"$BUILD":}

# command_of_page REGEX: the page's commands that name this file, if it matches them.
command_of_page()
{
	awk -v test="test/e2e/packages/tarball.sh" '
		/^<!-- not run: / { marked = index($0, ": " test " ") > 0; next }
		/^```/ { inside = !inside && marked; if (!inside) marked = 0; next }
		inside' "$ROOT/doc/build-systems.md" | grep -- "$1" || fail "the page has no $1"
}
test_that "the page names make dist" command_of_page "^make dist$"

built=$work/built
by_make()
{
	make -s -j2 -C "dwell-$version" install BUILD=build PREFIX="$built/usr" CFLAGS=-O1
	[ ! -e asked ] || fail "$(cat asked)"
}
packages()
{
	(
		cd "dwell-$version"
		export BUILT=$BUILD PATH=$taking$PATH
		DEB_BUILD_OPTIONS="nocheck noopt parallel=2" DEB_CFLAGS_STRIP=-g DPKG_DEB_COMPRESSOR_LEVEL=1 \
			bash -ec "$(command_of_page ^dpkg-buildpackage)" > ../packages.log 2>&1
	) || fail "$(tail -40 packages.log)"
	[ ! -e asked ] || fail "$(cat asked)"
	[ ! "$taking" ] || diff <(flags_for_programs "$BUILD") <(flags_for_programs "dwell-$version/debian/build")
	ls ./*.deb
	# what the page's table says, and nothing else
	sed -n 's/^| `\([a-z0-9-]*\)` | .*/\1/p' "$ROOT/doc/build-systems.md" | grep -xE 'dwell|libdwell.*|python3-dwell' | sort -u > page
	ls ./*.deb | sed 's|^\./||; s/_.*//' | grep -v dbgsym | sort | diff page -
	[ "$(dpkg-deb -f dwell_*.deb Version)" = "$version" ]
	mkdir "$built"
	for package in ./*.deb; do
		dpkg-deb -x "$package" "$built"
	done
	# pkg-config's files alone name their folder
	sed -i "s|^prefix=/usr$|prefix=$built/usr|" "$built"/usr/lib/*/pkgconfig/*.pc
}
checked()
{
	[ "$(id -u)" != 0 ] || set -- --allow-root
	(cd "dwell-$version" && bash -ec "$(command_of_page ^lintian) $*") > lintian.log 2>&1 || fail "$(cat lintian.log)"
	cat lintian.log
	! grep -E '^[EW]:' lintian.log
}
# Debian's tests of installed packages, with the unpacked ones.
own_test()
{
	local libraries
	libraries=$(dirname "$(find "$built" -name libdwell.so.1)")
	mkdir "own-$1"
	cd "dwell-$version"
	env -i HOME="$work" AUTOPKGTEST_TMP="$work/own-$1" PATH="$built/usr/bin:$PATH" LD_LIBRARY_PATH="$libraries" \
		PYTHONPATH="$built/usr/lib/python3/dist-packages" CMAKE_PREFIX_PATH="$built/usr" PKG_CONFIG_PATH="$libraries/pkgconfig" "debian/tests/$1"
}

if  command -v dpkg-buildpackage > /dev/null && command -v dh > /dev/null && command -v dh_python3 > /dev/null; then
	test_that "Debian packages, without git" packages
	if command -v lintian > /dev/null; then
		test_that "lintian has nothing to say" checked
	else
		skip "lintian has nothing to say" "not installed"
	fi
	for name in $(sed -n 's/^Tests: //p' "$ROOT/debian/tests/control"); do
		test_that "the packages' own test: $name" own_test "$name"
	done
else
	test_that "built and installed by make, without git" by_make
	test_that "what was installed records" own_test record
fi
done_testing
