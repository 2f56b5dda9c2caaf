#!/bin/bash
# tools/deps.sh on a system that lacks some packages, and knows some under no name: it installs what there is, names what it leaves out and what
# needs it, says how much it installs before it does, and fails only where it must.
set -eu
cd "$(dirname "$0")/../.."
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-deps-check.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin"
for command in sh bash awk sed grep cut cat tr tail mktemp rm cc gcc env; do
	at=$(command -v $command) && ln -s "$at" "$work/bin/$command"
done
# A Debian whose apt knows everything but these, and can install everything it knows but these.
unknown=' valgrind fish ' broken=' zsh '
cat > "$work/bin/dpkg-query" <<-'END'
	#!/bin/sh
	printf 'ii  %s\n' gcc make
END
cat > "$work/bin/id" <<-'END'
	#!/bin/sh
	echo "${FAKE_ID-0}"
END
cat > "$work/bin/apt-cache" <<-END
	#!/bin/sh
	[ "\$1" = policy ] || exit 0
	case "$unknown" in *" \$2 "*) exit 0 ;; esac
	printf '%s:\n  Installed: (none)\n  Candidate: 1.0\n' "\$2"
END
cat > "$work/bin/apt-get" <<-END
	#!/bin/sh
	echo "\$@" >> "$work/asked"
	case "\$*" in
	*--assume-no*) echo '0 upgraded, 12 newly installed, 0 to remove and 0 not upgraded.
	Need to get 34.5 MB of archives.
	After this operation, 67 MB of additional disk space will be used.' ;;
	*install*) for word; do case "$broken" in *" \$word "*) echo "E: Unable to correct problems" ; exit 100 ;; esac; done ;;
	esac
END
chmod +x "$work"/bin/*
bad=0
# deps STATUS WORD ...: the output is in $work/out.
deps()
{
	local expected=$1 status=0
	shift
	: > "$work/asked"
	PATH=$work/bin sh tools/deps.sh "$@" > "$work/out" 2>&1 || status=$?
	[ $status = "$expected" ] || { echo "tools/deps.sh $*: status $status, expected $expected"; cat "$work/out"; bad=1; }
}
has()
{
	grep -q -e "$1" "$work/${2-out}" || { echo "no \"$1\" in:"; cat "$work/${2-out}"; bad=1; }
}
has_not()
{
	! grep -q -e "$1" "$work/${2-out}" || { echo "\"$1\" in:"; cat "$work/${2-out}"; bad=1; }
}

deps 0 --try check
has '^not to be had here'
has '^    valgrind  *callgrind_annotate'
has '^    fish  *completion'
has 'installing these: 12 packages, 34\.5 MB to download, 67 MB on disk'
has 'could not install zsh;'
has '^install -y --no-install-recommends tmux' asked
has_not 'install.*valgrind' asked
deps 2 check
# Nothing is installed when nothing is missing.
sed -i 's/gcc make/$(cat "$FAKE_HAVE")/' "$work/bin/dpkg-query"
sh tools/deps.sh --list | awk '$1 == "build" { print $2 }' > "$work/have"
export FAKE_HAVE=$work/have
deps 0 build
has_not . out
has_not . asked
# Who may not install is told the command, and how much it is.
sed -i '/zlib1g-dev/d' "$work/have"
FAKE_ID=1000 deps 2 build
has 'please run as root (12 packages, 34\.5 MB to download'
has '    apt-get update && apt-get install -y --no-install-recommends zlib1g-dev$'
FAKE_ID=1000 deps 0 --try build
has 'going on without'
deps 2 nonsense
has 'usage: .*groups: build check '
exit $bad
