#!/bin/bash
# Messages, help and tables are ASCII, so that they are readable with LC_ALL=C. What looks better in UTF-8, bars and the mark of a shortened
# name, is made in two files, which know the locale (util/term.h). The page is a file of its own, in UTF-8.
cd "${ROOT:-.}" || exit 2
knows='host/util/fit_name.c host/writer/text_cell.c host/page/page.c'

# Strings of the file with other bytes than ASCII; comments are dropped first.
list_strings()
{
	LC_ALL=C perl -0777 -ne 'next if !/[^\x00-\x7f]/; s{/\*.*?\*/}{ my $c = $&; $c =~ tr/\n//cd; $c }gse; next if !/[^\x00-\x7f]/;
		while (/"(?:[^"\\\n]|\\.)*"/g) { my $text = $&; next if $text !~ /[^\x00-\x7f]/; my $at = 1 + (substr($_, 0, pos) =~ tr/\n//); print "$ARGV:$at: $text\n" }' "$@"
}

# It sees what it is for.
broken=$(mktemp)
trap 'rm -f "$broken"' EXIT
printf '/* "ä" */\nconst char *text = "one \xe2\x80\xa6";\n' > "$broken"
[ "$(list_strings "$broken" | wc -l)" = 1 ] || { echo "a string with an ellipsis was not found"; exit 1; }

found=0
find host classic/host target -name '*.[ch]' | grep -vxFf <(printf '%s\n' $knows) | sort > "$broken"
list_strings $(cat "$broken") | grep . && found=1
[ $found = 0 ] || echo "other characters than ASCII: write them in ASCII, or by the locale in one of: $knows"
exit $found
