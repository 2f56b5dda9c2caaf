#!/bin/bash
# Programs of a Debian system, changed while they run (--trace): a day's use of each prints what it prints without dwell, and ends so.
# Takes long, many programs.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP plans are made for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache
day=$prog/day

# has PROGRAM FILE: whether it is there; else its test is skipped.
has()
{
	command -v "$2" > /dev/null || [ -e "$2" ] || { skip "$1" "$2 is not installed"; return 1; }
}
# run_in FOLDER COMMAND ...: in a folder that is empty at first. $input: its standard input.
run_in()
{
	rm -rf "$1"
	mkdir "$1"
	(cd "$1" && "${@:2}") < "${input:-/dev/null}"
}
# How long something took is never the same.
without_times()
{
	sed -E 's/^[0-9:]+ load avg: [0-9.]+/TIME/; s/\b[0-9]+([.][0-9]+)? ?(ms|sec|s|seconds|min)\b/TIME/g' "$1"
}
# survives NAME FUNCTIONS COMMAND ...: the same on both outputs and the same exit status, recorded and not; and that many functions at the
# least have calls in the recording.
survives()
{
	local name=$1 functions=$2 status=0 found
	shift 2
	run_in folder "$@" > "$name.plain" 2> "$name.plain.err" || status=$?
	run_in folder record "$work/$name" "$@"
	exits "$name" $status
	diff <(without_times "$name.plain") <(without_times "$name.out") > "$name.diff" || fail "(< without dwell)" "$(head -20 "$name.diff")"
	diff <(without_times "$name.plain.err") <(grep -v '^dwell: ' "$name.err" | without_times -) > "$name.diff" ||
		fail "standard error (< without dwell)" "$(head -20 "$name.diff")"
	"$DWELL" report --csv "$name.dwell" > "$name.csv" 2> "$name.report.err" || [ "$keeps" = last ] || fail "$(cat "$name.report.err")"
	found=$(columns "$name.csv" function | wc -l)
	[ "$found" -ge "$functions" ] || fail "only $found functions have calls"
	[ "$keeps" = last ] || whole "$name"
}
# Of programs that call much only the last calls are kept: keep_last COMMAND ...
keeps=all
keep_last()
{
	keeps=last RECORD_OPTIONS+=" --ring=4M --memory=1G"
	"$@"
}
# The program and libraries of its: with MODULE ... -- COMMAND ...
with()
{
	while [ "$1" != -- ]; do
		RECORD_OPTIONS+=" --only module:$1"
		shift
	done
	shift
	"$@"
}
RECORD_OPTIONS=--trace

! has bash /bin/bash || test_that "bash" survives bash 600 /bin/bash "$day/shell.sh"
for awk in gawk mawk; do
	! has $awk $awk || test_that "$awk" survives $awk 100 $awk -f "$day/text.awk" "$ROOT"/host/plan/*.c
done
tables()
{
	input=$day/tables.sql survives sqlite3 1000 sqlite3 base.db
}
! has sqlite3 sqlite3 || test_that "sqlite3, with its libraries" with sqlite3 'libsqlite3*' 'libreadline*' 'libz*' -- tables
! has git git || test_that "git" survives git 1000 bash "$day/repository.sh"
! has perl perl || test_that "perl" survives perl 500 perl "$day/language.pl"

python=/usr/bin/python3
! has "python3, with its libraries" $python || test_that "python3, with its libraries" \
	with 'python3*' 'libexpat*' 'libz*' -- survives python 2500 $python "$day/modules.py"
! has "the tests of python3" "$(echo /usr/lib/python3*/test/test_grammar.py)" || test_that "the tests of python3" keep_last survives regrtest 1000 \
	$python -m test -q test_grammar test_exceptions test_generators test_list test_dict test_struct test_json test_thread test_contextlib \
	test_coroutines test_descr test_math test_zlib

paths()
{
	HOOKS="-std=c++17" compile paths paths.cc
	with paths 'libstdc++*' 'libgcc_s*' -- survives paths 400 "$work/paths"
}
! has "C++ exceptions on all paths, through libstdc++" g++ || test_that "C++ exceptions on all paths, through libstdc++" paths
panics()
{
	rustc -O "$prog/unwinds/panics.rs" -o panics > rustc.log 2>&1 || fail "$(cat rustc.log)"
	survives rust 150 "$work/panics"
}
if rustc --version > /dev/null 2>&1; then test_that "Rust: panics on all paths, threads" panics; else skip "Rust" "rustc is not installed"; fi

# The server is the same file as what checks its data, which comes without a service that starts by itself.
! has "redis-server under load" redis-check-rdb || test_that "redis-server under load, its threads and its child" \
	keep_last survives redis 300 bash "$day/server.sh"

# As many lines of SQLite as end with a function: the others that they call are declared.
compiles()
{
	"$ROOT/tools/get-sqlite.sh" "$BUILD/sqlite" > /dev/null || return
	gcc -E -P "$BUILD/sqlite/sqlite3.c" | awk '!ended { print } NR > 20000 && /^}/ { ended = 1 }' > large.c
	keep_last survives cc1 3000 gcc -fpreprocessed -w -O1 -S "$work/large.c" -o -
}
! has cc1 gcc || test_that "cc1, of a large file" compiles

# starts PROGRAM ...: many, all alike but for a number. Each prints what it prints without dwell.
starts()
{
	local i program status want
	HOOKS=-fno-inline compile threads thread_sums.c
	for ((i = 0; i < 56; i++)); do
		case $((i % 7)) in
		0) program=(bash -c 'f() { ((n += $1)); }; for j in {1..30}; do f $((j * $1)); done; echo $n $(echo $1) | tr 1 2; exit $(($1 % 7))' bash $i) ;;
		1) program=(awk -v n=$i 'BEGIN { for (i = 0; i < 200; i++) a[i * n % 37] += i; for (k = 0; k < 37; k++) printf "%d ", a[k]; exit n % 5 }') ;;
		2) program=(sqlite3 :memory: "with recursive c(x) as (select 1 union all select x + 1 from c where x < 100) select sum(x * $i % 91), max(x) from c") ;;
		3) program=(git -c "alias.x=!echo $i" x) ;;
		4) program=(perl -e 'my %h; $h{$_ * $ARGV[0] % 17}++ for 1..300; print map { "$_=$h{$_} " } sort keys %h; eval { die 1 }; exit $ARGV[0] % 9' $i) ;;
		5) program=($python -c 'import sys, json, threading; n = int(sys.argv[1]); t = threading.Thread(target=print, args=[json.dumps([n])]); t.start(); t.join(); sys.exit(n % 6)' $i) ;;
		6) program=("$work/threads" $i) ;;
		esac
		[ -e "$(command -v "${program[0]}")" ] || continue
		status=0 want=0
		"${program[@]}" > start.want 2>&1 || want=$?
		timeout -k 5 100 "$DWELL" record --trace -o start.dwell -- "${program[@]}" > start.out 2> start.err || status=$?
		[ $status = $want ] && cmp start.want start.out || fail "start $i, ${program[0]}: status $status, without dwell $want" "$(cat start.err)"
	done
}
test_that "dozens of starts" starts
done_testing
