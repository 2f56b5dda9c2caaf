#!/bin/sh
# Files of a page as constants of C: what a browser shows, and the hashes by which it knows the page's own program from anybody else's.
#
#   tools/embed.sh BODY.html STYLE.css EARLY.js SCRIPT.js ... > page.c       the scripts behind EARLY become one, in that order
set -eu
export LC_ALL=C
body=$1 style=$2 early=$3
shift 3
work=$(mktemp -d "${TMPDIR:-/tmp}/embed.XXXXXX")
trap 'rm -rf "$work"' EXIT
{
	echo '"use strict";'
	echo '(() => {'
	cat "$@"
	echo '})();'
} > "$work/script"

# What could end the element before its end.
if grep -inE '</(script|style)|<!--' "$work/script" "$early" "$style" >&2; then
	echo "tools/embed.sh: that would end the script or the style" >&2
	exit 1
fi

bytes()
{
	echo "const char $1[] = {"
	od -An -v -tu1 "$2" | sed 's/  *\([0-9]\)/ \1/g; s/\([0-9]\)$/\1,/; s/\([0-9]\) /\1, /g'
	echo "0};"
}

hash()
{
	printf 'const char %s[] = "%s";\n' "$1" "$(sha256sum "$2" | cut -c 1-64 | tr a-f A-F | basenc --base16 -d | basenc --base64)"
}

echo '/* Made by tools/embed.sh. */'
echo '#include "page/page_inner.h"'
bytes page_body "$body"
bytes page_style "$style"
bytes page_early_script "$early"
bytes page_script "$work/script"
hash page_style_hash "$style"
hash page_early_script_hash "$early"
hash page_script_hash "$work/script"
