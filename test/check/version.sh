#!/bin/bash
# The version stands in the Makefile, and everything else says what stands there. Only Debian's changelog has to repeat it.
: "${ROOT:=$(pwd)}" "${BUILD:=$ROOT/build}"
cd "$ROOT" || exit 2
[ -x "$BUILD/dwell" ] || exit 77
version=$(sed -n 's/^VERSION := //p' Makefile)
bad=0
# says WHAT VERSION
says()
{
	[ "$2" = "$version" ] || { echo "$1 says $2, the Makefile $version"; bad=1; }
}
says "dwell --version" "$("$BUILD/dwell" --version | sed 's/^dwell \([^ ]*\) (format [0-9]*\.[0-9]*)$/\1/')"
[ "$("$BUILD/dwell" --version)" = "$("$BUILD/dwell" -V)" ] || { echo "-V differs"; bad=1; }
says "dwell help --man" "$("$BUILD/dwell" help --man | sed -n 's/^\.TH .* "dwell \([^ ]*\)" .*/\1/p')"
says debian/changelog "$(sed -n '1s/^dwell (\(.*\)) .*/\1/p' debian/changelog)"
# The newest release in the changelog. Versions below 1 were no releases.
release=$(sed -n 's/^## \[\([0-9].*\)$/\1/p' CHANGELOG.md | head -1)
wanted="$version] - $(sed -n 's/^VERSION_DATE := //p' Makefile)"
case $version in
0.*) ;;
*) [ "$release" = "$wanted" ] || { echo "CHANGELOG.md: the newest release is [$release, expected [$wanted"; bad=1; } ;;
esac
# Nobody else says it in a file of the tree. (Tests have files that were written by some version.)
quoted=${version//./\\.}
grep -rnE "(^|[^0-9.])$quoted([^0-9.]|$)" --include='*' classic core debian examples host include mk python target tools Makefile doc README.md |
	grep -vE '^(Makefile:[0-9]+:VERSION := |debian/changelog:1:|debian/build/)' && { echo "the version is said there, too"; bad=1; }
exit $bad
