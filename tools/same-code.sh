#!/bin/bash
# Shows that commits change comments only: same-code.sh OLD [NEW]. Compares each .c, .h, .cc and .S file of the two without comments
# and line breaks, and prints the files whose code differs. Status 1: some do.
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 2
[ $# -ge 1 ] || { echo "same-code.sh OLD [NEW]" >&2; exit 2; }
old=$1 new=${2:-HEAD} status=0 count=0

# code COMMIT FILE: its words, without comments
code()
{
	local language=c
	case $2 in *.cc) language=c++ ;; *.S) language=assembler-with-cpp ;; esac
	git show "$1:$2" | gcc -fpreprocessed -dD -E -P -x $language - 2> /dev/null | tr -s ' \t\n' '\n'
}

while read -r change file; do
	count=$((count + 1))
	if [ "$change" != M ]; then
		echo "$file: $change, not a change of comments"
		status=1
	elif ! cmp -s <(code "$old" "$file") <(code "$new" "$file"); then
		echo "$file: its code differs"
		status=1
	fi
done < <(git diff --no-renames --name-status "$old" "$new" -- '*.c' '*.h' '*.cc' '*.S')
echo "$count files compared"
exit $status
