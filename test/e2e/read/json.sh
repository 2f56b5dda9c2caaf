#!/bin/bash
# Each command that prints a table prints it as JSON, too, which says what its CSV says.
. "$(dirname "$0")/../lib.sh"
if ! gcc -O1 "$prog/calls/table_csv.c" -ljansson -o table_csv 2> compile.log; then
	echo "not ok 1 - table_csv"
	sed 's/^/# /' compile.log
	echo 1..1
	exit
fi
for switches in '' '--switches 100'; do
	# shellcheck disable=SC2086
	"$BUILD/tracegen" -o "trace${switches%% *}.dwell" --program "$DWELL" --events 4000 --functions 12 --args 2 $switches
done
mv trace--switches.dwell off.dwell
"$BUILD/tracegen" -o again.dwell --program "$DWELL" --events 4000 --functions 12 --seed 2
"$BUILD/tracegen" -o zoo.dwell --zoo
"$BUILD/tracegen" -o samples.dwell --program "$DWELL" --samples 500 --functions 6
printf 'main;a,b"c 5\nmain;\377 3\nmain;x y 1\n' > names.folded
function=$("$DWELL" report --csv trace.dwell | columns /dev/stdin function | sed -n 2p)

# agree COMMAND ...: status 0 or 1, and at least one row
agree()
{
	local status=0
	"$DWELL" "$@" --json > got.json 2> err || status=$?
	[ $status -lt 2 ] || fail "dwell $* --json: status $status" "$(cat err)"
	"$DWELL" "$@" --csv > want 2> /dev/null || true
	./table_csv < got.json > got || fail "dwell $* --json:" "$(head -5 got.json)"
	[ "$(wc -l < want)" -gt 1 ] || fail "dwell $* --csv: no rows"
	# What is no UTF-8 is escaped in CSV, and U+FFFD in JSON.
	LC_ALL=C sed -i 's/\\xff/\xef\xbf\xbd/g' want
	diff want got || fail "dwell $* (< csv, > json)"
}
all()
{
	local file
	for file in trace off zoo; do
		agree report $file.dwell
		agree calls $file.dwell
		agree tree $file.dwell
		agree dump $file.dwell
		agree dump --layout $file.dwell
	done
	agree calls --args --order exit trace.dwell
	agree report --lines trace.dwell
	agree callers "$function" off.dwell
	agree callees "$function" off.dwell
	agree histogram "$function" off.dwell
	agree slowest "$function" off.dwell
	agree diff trace.dwell again.dwell
	agree report samples.dwell
	agree tree samples.dwell
	agree diff samples.dwell samples.dwell
	agree report names.folded
	agree tree names.folded
	agree symbols -n 50 "$DWELL"
}
test_that "tables of files" all
# Which commands say that they print CSV: those above, and those whose answers are other ones each time, or are no single table.
none_is_left_out()
{
	local command
	for command in $("$DWELL" help | sed -n 's/^  \([a-z0-9]*\) .*/\1/p'); do
		"$DWELL" help "$command" | grep -q '^  --csv ' || continue
		"$DWELL" help "$command" | grep -q '^  --json ' || fail "$command prints CSV and no JSON"
		case $command in
		info | gperf) ;;
		*) grep -qE "^	+agree $command " "$ROOT/test/e2e/read/json.sh" || fail "$command is not tested" ;;
		esac
	done
}
test_that "no command that prints CSV is left out" none_is_left_out
done_testing
