#!/bin/bash
# Shows that commits change names and comments only: same-machine-code.sh OLD [NEW]. Builds the tool and the agents of both without debugging
# information, and compares the bytes of each object of one source. Prints the objects that differ. Status 1: some do. (Tests print the text of
# their conditions, so their objects differ with any name.)
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "same-machine-code.sh OLD [NEW]" >&2; exit 2; }
old=$(git rev-parse --verify "$1^{commit}") && new=$(git rev-parse --verify "${2:-HEAD}^{commit}") || exit 2
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-same.XXXXXX") status=0 count=0
trap 'rm -rf "$work"' EXIT

# build NAME COMMIT: in the folder NAME
build()
{
	mkdir "$work/$1"
	git archive "$2" | tar -x -C "$work/$1"
	make -s -C "$work/$1" -j"$(nproc)" CFLAGS="-O2" AGENT_CFLAGS="-O2" all > "$work/$1.log" 2>&1 || { tail -n 20 "$work/$1.log"; exit 2; }
}
# sections FILE: the bytes and the addresses to be filled in, without names: of symbols, and of the sections of functions
sections()
{
	objdump -s -r "$1" | awk '/^Contents of section \.(debug|comment|note)/ { skip = 1; next } /^(Contents|RELOCATION RECORDS)/ { skip = 0; next }
		/file format/ || skip { next } $2 ~ /^R_/ { print $1, $2; next } { print }'
}

build old "$old"
build new "$new"
# An object that was renamed: git shows of which source.
declare -A was
while read -r _ from to; do
	was[${to%.*}]=${from%.*}
done < <(git diff -M20% -l9999 --name-status --diff-filter=R "$old" "$new" -- '*.c' '*.S')
while read -r object; do
	stem=${object#build/*/}
	stem=${stem%.o}
	other=${object%"$stem.o"}${was[$stem]:-$stem}.o
	count=$((count + 1))
	if [ ! -e "$work/old/$other" ]; then
		echo "$object: new"
		status=1
	elif ! cmp -s <(sections "$work/old/$other") <(sections "$work/new/$object"); then
		echo "$object: differs"
		status=1
	fi
done < <(cd "$work/new" && find build/obj build/agent build/linked -name '*.o' -path '*/*/*/*' | sort)
echo "$count objects compared"
exit $status
