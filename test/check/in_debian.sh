#!/bin/bash
# tools/in-debian.sh says why there is no other Debian, and .ci/run adds up what there was. (That it works is what .ci/run shows.)
set -eu
cd "$(dirname "$0")/../.."
root=$PWD
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-in-debian.XXXXXX")
trap 'rm -rf "$work"' EXIT
chmod 755 "$work"
export DEBIANS=$work/debians
bad=0
fail()
{
	echo "$@"
	bad=1
}

# cannot PATTERN COMMAND ...: it is skipped, for that reason, and leaves nothing that would be taken for a Debian
cannot()
{
	local pattern=$1 status=0
	shift
	"$@" > "$work/out" 2>&1 || status=$?
	[ $status = 77 ] || fail "$*: status $status"
	tail -n 1 "$work/out" | grep -q "^tools/in-debian.sh: no Debian sid here: $pattern" || fail "$*:" "$(cat "$work/out")"
	[ ! -e "$DEBIANS/sid" ] || fail "$*: left $DEBIANS/sid"
}
mkdir "$work/bin"
for command in sh dirname realpath id; do
	ln -s "$(command -v $command)" "$work/bin/$command"
done
if [ "$(id -u)" = 0 ]; then
	cannot "debootstrap is not installed" env PATH="$work/bin" sh tools/in-debian.sh sid true
	if unshare --mount true 2> /dev/null; then
		printf '#!/bin/sh\necho "I: Retrieving"\necho "E: Failed getting release file" >&2\nexit 1\n' > "$work/bin/debootstrap"
		chmod +x "$work/bin/debootstrap"
		cannot "debootstrap failed: E: Failed getting release file" env PATH="$work/bin:$PATH" sh tools/in-debian.sh sid true
	fi
	as_user="setpriv --reuid=65534 --regid=65534 --clear-groups"
else
	as_user=
fi
# shellcheck disable=SC2086
[ "$as_user" = "" ] || $as_user test -x "$root/tools/in-debian.sh" && cannot "it takes root" $as_user sh tools/in-debian.sh sid true

# adds_up STATUS LAST HERE THERE [COMPILERS]: what the three runs say: the one outside, the one in Debian 13, and that of the compilers of Debian testing
mkdir -p "$work/tree/.ci" "$work/tree/tools" "$work/made"
cp .ci/run "$work/tree/.ci/run"
printf '#!/bin/sh\nmkdir -p build/test\necho "$HERE" > build/test/summary\n' > "$work/made/make"
cat > "$work/tree/tools/in-debian.sh" <<'END'
#!/bin/sh
[ "$1" = trixie ] || THERE=$COMPILERS
[ "$THERE" ] || exit 77
mkdir -p "build/debian/$1/dwell/build/test"
echo "$THERE" > "build/debian/$1/dwell/build/test/summary"
END
chmod +x "$work/made/make" "$work/tree/tools/in-debian.sh"
adds_up()
{
	local status=0
	rm -rf "$work/tree/build"
	HERE=$3 THERE=$4 COMPILERS=${5-1 passed, 0 failed} PATH=$work/made:$PATH bash "$work/tree/.ci/run" > "$work/out" 2>&1 || status=$?
	[ "$status $(tail -n 1 "$work/out")" = "$1 $2" ] || fail "$3 + $4: status $status:" "$(cat "$work/out")"
}
adds_up 0 "31 passed, 0 failed" "10 passed, 0 failed" "20 passed, 0 failed"
adds_up 0 "30 passed, 0 failed, 1 skipped" "10 passed, 0 failed" "20 passed, 0 failed" ""
adds_up 1 "33 passed, 4 failed" "10 passed, 0 failed" "20 passed, 0 failed" "3 passed, 4 failed"
TESTING_BEFORE=0 adds_up 0 "30 passed, 0 failed, 1 skipped" "10 passed, 0 failed" "20 passed, 0 failed"
adds_up 0 "31 passed, 0 failed, 5 skipped" "10 passed, 0 failed, 2 skipped" "20 passed, 0 failed, 3 skipped"
adds_up 1 "31 passed, 1 failed, 2 skipped" "10 passed, 1 failed, 2 skipped" "20 passed, 0 failed"
adds_up 1 "31 passed, 3 failed" "10 passed, 0 failed" "20 passed, 3 failed"
adds_up 0 "11 passed, 0 failed, 1 skipped" "10 passed, 0 failed" ""
adds_up 1 "11 passed, 1 failed" "10 passed, 0 failed" "make: nothing"
adds_up 1 "21 passed, 1 failed" "" "20 passed, 0 failed"
exit $bad
