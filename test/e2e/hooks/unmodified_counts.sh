#!/bin/bash
# Programs of a Debian system, recorded as they are (--trace): calls of each function, by address, are those that callgrind counts.
. "$(dirname "$0")/../lib.sh"

skip_all()
{
	echo "1..0 # SKIP $1"
	exit
}
[ "$(uname -m)" = x86_64 ] || skip_all "plans are made for x86-64 alone"
command -v valgrind > /dev/null || skip_all "valgrind is not installed"
command -v python3 > /dev/null || skip_all "python3 is not installed"
export XDG_CACHE_HOME=$work/cache

# What programs do depends on how many variables their environment has, and which: the two runs have the same names. What a tool sets itself the
# other is given.
fixed="PATH=/usr/bin:/bin HOME=$work XDG_CACHE_HOME=$work/cache PERL_HASH_SEED=0"
callgrind="valgrind -q --tool=callgrind --dump-instr=yes --collect-jumps=yes --compress-strings=no --compress-pos=no"
under_callgrind()
{
	# shellcheck disable=SC2086
	env -i $fixed DWELL_SESSION=/proc/12345/fd/3 $callgrind --callgrind-out-file="$@"
}
under_callgrind /dev/null /usr/bin/env > given 2> /dev/null || skip_all "valgrind does not work here"
given=$(grep -vE '^(PATH|HOME|XDG_CACHE_HOME|PERL_HASH_SEED|DWELL_SESSION|LD_PRELOAD)=' given)

# agrees NAME "FILE ..." COMMAND ...: of the program and the libraries that are named. $input: standard input.
agrees()
{
	local name=$1 files=$2 file
	shift 2
	under_callgrind "$name.callgrind" "$@" > "$name.want" < "${input:-/dev/null}"
	# shellcheck disable=SC2086
	env -i $fixed $given "$DWELL" record $RECORD_OPTIONS -o "$name.dwell" -- "$@" > "$name.out" 2> "$name.err" < "${input:-/dev/null}"
	cmp "$name.want" "$name.out"
	report_csv "$name"
	for file in $files; do
		"$DWELL" symbols --sites --csv "$file" > "$name.sites"
		python3 "$ROOT/test/e2e/hooks/counts_by_address.py" "$file" "$name.sites" "$name.csv" "$name.callgrind" || fail "$file"
	done
}
# counts PROGRAM ARGUMENTS ...
counts()
{
	local program
	program=$(readlink -f "$(command -v "$1")") || { skip "$1" "not installed"; return; }
	test_that "$1" agrees "$1" "$program" "$program" "${@:2}"
}
RECORD_OPTIONS=--trace
text='BEGIN { while (i++ < 300) { a[i % 7] += i; s = s sprintf("%d,", i) } print length(s), toupper(substr(s, 3, 20)), split(s, p, ","), a[3] }'
counts mawk "$text"
counts gawk "$text"
counts bash -c 'f() { echo $(($1 * 2)); }; for i in {1..40}; do f $i; done; x="a b c"; echo ${x// /_} ${#x}; [[ $x =~ b ]] && echo yes'
counts perl -e 'my %h; $h{$_ % 7} .= $_ for 1 .. 200; print join ",", map { "$_=$h{$_}" } sort keys %h; print "x" =~ /^(x|y)$/, sprintf("%05d", 42); eval { die "a\n" }; print $@'
counts git --version
tables()
{
	local program library
	program=$(readlink -f "$(command -v sqlite3)")
	library=$(ldd "$program" | sed -n 's/.*libsqlite3[^ ]* => \([^ ]*\) .*/\1/p')
	echo "create table t(a primary key, b); insert into t values(1, 2), (3, 4), (5, 6); select * from t where a > 2 order by b desc;
		select sum(a), group_concat(b) from t; update t set b = b + 1; select * from t; drop table t; select 1 / 0, abs(-3);" > tables.sql
	[ -z "$library" ] || RECORD_OPTIONS+=" --only module:sqlite3 --only module:libsqlite3*"
	input=tables.sql agrees sqlite3 "$program $library" "$program" -batch
}
if command -v sqlite3 > /dev/null; then test_that "sqlite3 and its library" tables; else skip "sqlite3" "not installed"; fi
done_testing
