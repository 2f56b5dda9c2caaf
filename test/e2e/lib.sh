# Sourced by the drivers in this folder. Each driver works in a folder of its own, which goes away with it. With KEEP=1 in the environment it stays, and
# the driver says where it is.
#
#   compile PROGRAM SOURCE [FLAGS]   with hooks, $HOOKS or else -finstrument-functions -fno-tree-ter; SOURCE is in a room of prog/; $CC or $CXX, else gcc and g++
#   compile_once PROGRAM SOURCE ...  unless that program is there: what one driver uses in several ways is compiled with the same flags each time
#   record NAME COMMAND ...          to NAME.dwell, NAME.out, NAME.err; its exit status to NAME.status; with $RECORD_OPTIONS, and behind
#                                    the words of $under: under=$alone; for $RECORD_SECONDS (120) at most
#   test_that "TEXT" COMMAND ...     one TAP line; the command runs in a subshell under set -e and fails by its status
#   done_testing                     the plan
#
#   makes TARGET ...                 in $BUILD; two drivers that want the same do not make it at a time
#
# And commands for test_that: exits, counts_agree, whole, and so on below. Each prints what it found and what it expected. What a test needs to have
# happened is waited for (has_begun, comes, is_asleep), as no time is long enough for it on every machine.
#
# $alone in front of a command: it runs as if nobody else wanted a processor, where this user may. For what depends on that.
set -u
ulimit -S -c 0
alone=
if [ "$(nproc)" -gt 1 ] && chrt -f 1 true 2> /dev/null; then alone="chrt -f 1"; fi
: "${ROOT:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}" "${BUILD:=$ROOT/build}" "${DWELL:=$BUILD/dwell}"
export DWELL
prog=$ROOT/test/e2e/prog
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-e2e.XXXXXX")
leave_work()
{
	if [ "${KEEP-}" ]; then echo "# kept: $work"; else rm -rf "$work"; fi
}
trap leave_work EXIT
cd "$work" || exit 2
tests=0

test_that()
{
	local text=$1 status
	shift
	tests=$((tests + 1))
	: > "$work/reason"
	(
		set -e
		# What a test leaves running when it fails, or runs out of time.
		trap 'kill $(jobs -pr) 2> /dev/null || true' EXIT
		"$@"
	) > test.log 2>&1
	status=$?
	if [ $status = 0 ]; then
		echo "ok $tests - $text"
	else
		echo "not ok $tests - $text"
		sed 's/^/# /' "$work/reason" # the first lines are what some logs show
		awk '{ line[NR] = $0 } END { for (i = 1; i <= NR; i++) if (NR <= 80 || i <= 40 || i > NR - 40) print "# " line[i] }' test.log
	fi
}

skip()
{
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

done_testing()
{
	echo "1..$tests"
}

makes()
{
	flock "$BUILD/makes.lock" make -s -C "$ROOT" BUILD="$BUILD" "$@"
}

compile()
{
	local program=$1 source=$prog/$2 compiler
	[ -e "$source" ] || for source in "$prog"/*/"$2"; do break; done
	shift 2
	case $source in
	*.cc) compiler=${CXX:-g++} ;;
	*) compiler=${CC:-gcc} ;;
	esac
	# shellcheck disable=SC2086
	if ! $compiler -D_GNU_SOURCE -O2 -Wall -Wextra ${HOOKS:--finstrument-functions -fno-tree-ter} -pthread "$source" -o "$program" "$@" > compile.log 2>&1; then
		echo "# $compiler $source $*"
		sed 's/^/# /' compile.log
		return 1
	fi
}

compile_once()
{
	[ -e "$1" ] || compile "$@"
}

record()
{
	local name=$1 status=0
	shift
	# shellcheck disable=SC2086
	timeout -k 5 "${RECORD_SECONDS:-120}" ${under-} "$DWELL" record ${RECORD_OPTIONS-} -o "$name.dwell" -- "$@" > "$name.out" 2> "$name.err" || status=$?
	echo $status > "$name.status"
}

fail()
{
	printf '%s\n' "$1" > "$work/reason"
	printf '%s\n' "$@"
	return 1
}

# has_begun PID NAME [THREADS]: waits until the process is that program, since at first it is the shell that began it, and has so many threads.
# Waiting asks the system by what bash has built in: a process for each question would take a third of a processor.
has_begun()
{
	local tries comm threads
	for ((tries = 0; tries < 3000; tries++)); do
		comm=
		{ read -r comm < "/proc/$1/comm"; } 2> /dev/null || true
		if [ "$comm" = "${2:0:15}" ]; then
			threads=("/proc/$1/task"/*)
			[ ! -e "${threads[0]}" ] || [ ${#threads[@]} -lt "${3:-1}" ] || return 0
		fi
		[ -d "/proc/$1" ] || { fail "$2 has ended already"; return; }
		sleep 0.02
	done
	fail "$2 does not begin"
}
# comes REGEX FILE: waits until that is in the file.
comes()
{
	local tries
	for ((tries = 0; tries < 3000; tries++)); do
		if [ -s "$2" ] || [[ $2 = /proc/* ]]; then
			! grep -qE -- "$1" "$2" 2> /dev/null || return 0
		fi
		sleep 0.02
	done
	fail "not in $2: $1" "$(cat "$2" 2>&1)"
}
# is_asleep PID: waits until it is, as one that has come to where it waits.
is_asleep()
{
	local tries stat
	for ((tries = 0; tries < 3000; tries++)); do
		stat=
		{ read -r stat < "/proc/$1/stat"; } 2> /dev/null || true
		[[ ${stat##*) } != S* ]] || return 0
		sleep 0.02
	done
	fail "$1 does not wait"
}

# exits NAME STATUS: the program's exit status passed through, and dwell itself had nothing to say, but that the machine was busy, or a part of the program without hooks.
exits()
{
	local got line
	read -r got < "$1.status"
	[ "$got" = "$2" ] || { fail "exit status $got, expected $2; standard error:" "$(cat "$1.err")"; return; }
	while IFS= read -r line || [ "$line" ]; do
		case $line in
		*': recording held threads up for '* | *' of the code is in functions without hooks, '*) ;;
		'dwell: '*)
			fail "dwell says:" "$(cat "$1.err")"
			return
			;;
		esac
	done < "$1.err"
}

# of_samples COMMAND ...: what dwell shows of a sampled recording. Its status is 1 where the machine took samples away, which is no fault of dwell: other
# programs that switch tasks very often, or an operating system that stops sampling.
of_samples()
{
	local status=0 said machine=' left out, as the kernel handled interrupts| the operating system stopped sampling | lost: there was no room '
	exec 9>&1
	said=$("$DWELL" "$@" 2>&1 >&9) || status=$?
	exec 9>&-
	[ -z "$said" ] || printf '%s\n' "$said" >&2
	[ $status = 0 ] && return
	[ $status = 1 ] || return $status
	grep -qE "$machine" <<< "$said" && ! grep '^dwell: ' <<< "$said" | grep -qvE "$machine"
}

# nm loads each plugin of the linker, LLVM's too, which takes 0.35 s where there are four of them; gcc-nm loads GCC's alone.
nm()
{
	gcc-nm "$@"
}
# With a plugin that is named they load no other; for these machines no test has objects of link-time optimization.
for nm in arm-none-eabi-nm mips-linux-gnu-nm m68k-linux-gnu-nm riscv64-unknown-elf-nm; do
	eval "$nm() { command $nm --plugin /dev/null \"\$@\"; }"
done
# Some tests go through millions of lines: bytes are half of the work that characters are.
awk()
{
	LC_ALL=C command awk "$@"
}

# Rules of awk for a CSV file behind others: sets $from[1] and so on to the columns whose names are in `wanted`, and leaves out what was outside of all
# functions, which is none.
csv_rules='
	# The fields of a line with quotes, as $1 …
	function unquote(    text, n, i, c, quoted, value, field) {
		text = $0
		for (i = 1; i <= length(text); i++) {
			c = substr(text, i, 1)
			if (c == "\"" && quoted && substr(text, i + 1, 1) == c)
				value = value substr(text, ++i, 1)
			else if (c == "\"")
				quoted = !quoted
			else if (c == "," && !quoted) {
				field[++n] = value
				value = ""
			} else {
				value = value c
			}
		}
		field[++n] = value
		for (i = 1; i <= n; i++)
			$i = field[i]
	}
	/^\(outside\),/ { next }
	/"/ { unquote() }
	FNR == 1 {
		wants = split(wanted, want, " ")
		for (i = 1; i <= NF; i++)
			at[$i] = i
		for (i = 1; i <= wants; i++) {
			if (!(want[i] in at)) {
				print "no column " want[i] " in: " $0
				failed = 1
				exit 1
			}
			from[i] = at[want[i]]
		}
		next
	}'

# A CSV file as tab-separated lines of its columns by name: columns FILE NAME ...
columns()
{
	local file=$1
	shift
	awk -F , -v wanted="$*" "$csv_rules"'
	{
		line = $from[1]
		for (i = 2; i <= wants; i++)
			line = line "\t" $from[i]
		print line
	}' "$file"
}

report_csv()
{
	local name=$1
	shift
	of_samples report --csv "$@" "$name.dwell" > "$name.csv" 2> "$name.report.err" || fail "dwell report: status $?" "$(cat "$name.report.err")"
}

# counts_agree NAME [ALSO]: every function that the program counted has that many calls in the report, and no other function is in
# it; but functions whose names match ALSO may be (what a compiler adds).
counts_agree()
{
	report_csv "$1"
	counted_are_reported "$@"
}
# counted_are_reported NAME [ALSO]: likewise, of the report that is in NAME.csv
counted_are_reported()
{
	local status=0
	also=${2:-^$} awk -F , -v wanted="function calls" '
	function tell(side, line, more) {
		if (more > 0)
			print side " " line
		return more > 0
	}
	FILENAME == ARGV[1] {
		if (/^count .* [0-9]*$/) {
			line = substr($0, 7)
			match(line, / [0-9]*$/)
			counted[substr(line, 1, RSTART - 1) "\t" substr(line, RSTART + 1)]++
			any = 1
		}
		next
	}'"$csv_rules"'
	{
		line = $from[1] "\t" $from[2]
		if (line !~ ENVIRON["also"])
			reported[line]++
	}
	END {
		if (failed)
			exit 1
		if (!any)
			exit 3
		for (line in counted)
			bad += tell("<", line, counted[line] - reported[line])
		for (line in reported)
			bad += tell(">", line, reported[line] - counted[line])
		exit bad > 0
	}' "$1.out" "$1.csv" > "$1.differ" || status=$?
	[ $status != 3 ] || fail "the program counted nothing:" "$(head "$1.out" "$1.err")"
	[ $status = 0 ] || fail "(< counted by the program, > reported)" "$(cat "$1.differ")"
}

# opens_agree NAME RECORD_OPTIONS: of two libraries that lie at the same address in turn, each has its own calls.
opens_agree()
{
	local step
	compile alpha.so plugin.c -shared -fPIC -DNAME=alpha
	compile beta.so plugin.c -shared -fPIC -DNAME=beta
	compile "$1" opens.c -ldl
	RECORD_OPTIONS=$2 record "$1" "./$1" ./alpha.so ./beta.so 1000
	exits "$1" 0
	[ "$(sed -n 's/^at [a-z]* //p' "$1.out" | sort -u | wc -l)" = 1 ] || echo "# they did not lie at the same address"
	report_csv "$1"
	[ "$(value "$1" alpha calls) $(value "$1" beta calls) $(value "$1" use calls)" = "3 3 6" ] || fail "$(cat "$1.csv")"
	for step in alpha:3000 beta:6000; do
		columns "$1.csv" function calls | grep -q "^step (${step%:*}\.so+0x[0-9a-f]*)	${step#*:}$" || fail "step of $step" "$(cat "$1.csv")"
	done
	whole "$1"
}

# thread_counts_agree NAME: likewise for each "thread THREAD FUNCTION CALLS".
thread_counts_agree()
{
	local thread
	for thread in $(sed -n 's/^thread \([^ ]*\) .*/\1/p' "$1.out" | sort -u); do
		"$DWELL" report --csv --thread "$thread" "$1.dwell" > "$1.csv"
		sed -n "s/^thread $thread \(.*\) \([0-9]*\)$/\1\t\2/p" "$1.out" | LC_ALL=C sort > "$1.want"
		columns "$1.csv" function calls | LC_ALL=C sort > "$1.got"
		diff "$1.want" "$1.got" || fail "thread $thread (< counted by the program, > reported)"
	done
}

# whole NAME: nothing was lost, the accounting equation holds for each thread, each byte of the file has its place.
whole()
{
	"$DWELL" info --json "$1.dwell" > "$1.json" || fail "dwell info: status $?" "$(cat "$1.json")"
	"$DWELL" dump --layout "$1.dwell" > "$1.layout" || fail "dwell dump --layout: status $?" "$(cat "$1.layout")"
}

# value NAME FUNCTION COLUMN: one number of the report.
value()
{
	awk -F , -v wanted="function $3" -v name="$2" "$csv_rules"' $from[1] == name { print $from[2] }' "$1.csv"
}

# ticks PROCESS: of CPU time that it has used, in hundredths of a second; more than any where it has ended
ticks()
{
	local stat=
	{ read -r stat < "/proc/$1/stat"; } 2> /dev/null || true
	# shellcheck disable=SC2086
	set -- ${stat##*) }
	[ $# -lt 13 ] && echo 999999999 || echo $((${12} + ${13}))
}

# between LOW VALUE HIGH WHAT
between()
{
	awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(value != "" && value + 0 >= low + 0 && value + 0 <= high + 0) }' ||
		fail "$4 is ${2:-nothing}, expected $1 to $3"
}

# share FILE FUNCTION [OPTIONS]: of a report of samples: samples, self, from, to, total
share()
{
	"$DWELL" report --csv "${@:3}" "$1" | awk -F , -v name="$2" '$1 == name { print $21, $22, $23, $24, $25 }'
}

# samples FILE: all that are in the report
samples()
{
	"$DWELL" report --csv "$1" | awk -F , 'NR > 1 { n += $21 } END { print n + 0 }'
}

# near TRUE PERCENT SAMPLES WHAT: a share, in a report of so many samples, of functions that take turns quickly. Chance may put it five standard
# deviations beside the true one, which is one run in a million; and 0.3 points are for what the truth is not known to. Of samples whose
# distances are as random as those of timers from within, half of them count.
near()
{
	awk -v true="$1" -v found="$2" -v count="$3" -v what="$4" 'BEGIN {
		allowed = count > 0 ? 5 * sqrt(true * (100 - true) / count) + 0.3 : 0
		printf "%s: %s %% of %d samples, true %s, %.2f points are allowed\n", what, found == "" ? "nothing" : found, count, true, allowed
		exit !(count >= 50 && found != "" && found > true - allowed && found < true + allowed)
	}' || fail "too few samples, or too far from the truth"
}

# fits PERCENT LOW HIGH SAMPLES WHAT: an interval around a share, of samples that know nothing of each other. It comes from the differences between
# blocks of samples, so its width is chance, too: one in a hundred is more than 1.6 times as wide as it should be, none of 6,000 was 2.2 times.
# fit_together: what fits has looked at is twice as wide at the most on average. Four intervals of one recording were 1.2 times as wide (median), and
# beside programs that take both processors one recording in 85 was more than 1.6 times as wide.
fits()
{
	awk -v found="$1" -v low="$2" -v high="$3" -v count="$4" -v what="$5" 'BEGIN {
		share = found / 100
		z = 1.96
		should = 200 * z / (1 + z * z / count) * sqrt(share * (1 - share) / count + z * z / 4 / count / count)
		printf "%s: an interval of %.2f, of independent samples %.2f\n", what, high - low, should
		print (high - low) / should >> "widths"
		exit !(low < found && found < high && high - low > 0.95 * should && high - low < 2.5 * should)
	}' || fail "the interval of $5"
}
fit_together()
{
	awk '{ sum += $1 } END { print sum / NR " times as wide"; exit !(sum < 2 * NR) }' widths || fail "intervals are too wide"
	rm widths
}

# calls_csv NAME [OPTIONS]: to NAME.calls, unless just that is there already.
calls_csv()
{
	local name=$1 of
	shift
	of="$* of $(stat -c '%i %s %z' "$name.dwell")"
	[ ! -e "$name.calls.of" ] || [ "$of" != "$(< "$name.calls.of")" ] || return 0
	: > "$name.calls.of"
	"$DWELL" calls --csv "$@" "$name.dwell" > "$name.calls" || fail "dwell calls: status $?"
	echo "$of" > "$name.calls.of"
}

# places NAME: each call's thread, depth and function, in order of entry, to NAME.places.
places()
{
	calls_csv "$1"
	[ "$1.places" -nt "$1.calls" ] || columns "$1.calls" thread depth function > "$1.places"
}

# deepest NAME FRAMES: how many calls were open at a time, at the most.
deepest()
{
	local got
	places "$1"
	got=$(awk -F '\t' '$2 > most { most = $2 } END { print most + 1 }' "$1.places")
	[ "$got" = "$2" ] || fail "deepest: $got frames, expected $2"
}

# only_called_by NAME FUNCTION CALLER: each call of FUNCTION has CALLER as its parent, which is the last call before it that is one frame further
# out.
only_called_by()
{
	places "$1"
	awk -F '\t' -v function_name="$2" -v caller="$3" '
		{ open[$1, $2] = $3 }
		$3 == function_name {
			calls++
			parent = $2 ? open[$1, $2 - 1] : "(nobody)"
			if (!index(" " caller " ", " " parent " "))
				wrong[parent]++
		}
		END {
			for (parent in wrong) {
				print function_name " called by " parent ": " wrong[parent] " times, expected " caller
				bad = 1
			}
			if (!calls)
				print "no call of " function_name
			exit bad || !calls
		}' "$1.places"
}

# unwinds NAME CATCHER DEEPEST COMMAND ...: the next call after each unwind is a child of the function that caught it
unwinds()
{
	local name=$1 catcher=$2 frames=$3
	shift 3
	record "$name" "$@"
	exits "$name" 0
	counts_agree "$name"
	only_called_by "$name" after "$catcher"
	deepest "$name" "$frames"
	whole "$name"
}

# storms NAME [FLAGS]: a storm of signals, whose handlers have hooks. $program: what it is called, and may be already; by default NAME-storm.
storms()
{
	local name=$1 program=${program:-$1-storm}
	shift
	compile_once "$program" storm.c "$@"
	record "$name-storm" "./$program" 500
	exits "$name-storm" 0
	counts_agree "$name-storm"
	whole "$name-storm"
}

# keeps_registers NAME [FLAGS]: each of them, at entries and exits. Makes NAME-keeps.dwell; what record says is not looked at. A turn is some 60
# events, so of 5,000 turns each place is ten times where a block ends. $program: as for storms.
keeps_registers()
{
	local name=$1-keeps program=${program:-$1-keeps} status
	shift
	compile_once "$program" keeps.c "$@" -fno-strict-aliasing -Wno-psabi
	record "$name" "./$program" 5000
	read -r status < "$name.status"
	[ "$status" = 0 ] || fail "$(cat "$name.err")"
	grep -qx 'registers ok 0' "$name.out" || fail "$(cat "$name.out")"
}

# need_sqlite FOLDER: SQLite's source is there; else the test ends, skipped where it cannot be had.
need_sqlite()
{
	local why status=0
	why=$("$ROOT/tools/get-sqlite.sh" "$1" 2>&1) || status=$?
	case $status in
	0) return ;;
	77)
		skip "SQLite" "$why"
		done_testing ;;
	*)
		echo "not ok 1 - SQLite"
		echo "# $why"
		echo 1..1 ;;
	esac
	exit
}

# build_sqlite FOLDER: sqlite-O0 there, with hooks, is linked to from here as sqlite. The drivers share it, since optimizing takes the compiler 20 s.
build_sqlite()
{
	local program=$1/sqlite-O0
	(
		flock 9
		[ ! "$program" -nt "$ROOT/bench/peers/sqlite.c" ] || exit 0
		gcc -O0 -finstrument-functions -fno-tree-ter -I"$1" -I"$ROOT/bench/peers" -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION \
			"$ROOT/bench/peers/sqlite.c" "$1/sqlite3.c" -o "$program.new" -lm && mv "$program.new" "$program"
	) 9> "$1/lock.program" || fail "SQLite does not compile"
	ln -sf "$program" sqlite
}

# A terminal: tmux, of a driver's own. on_terminal COLUMNS ROWS [VARIABLE=VALUE ...]: a shell in it, in this folder; types KEYS ...;
# shows REGEX: within 60 s, and is what is on it in screen.out. It goes with the test.
# Each has a server of its own: one that is about to end still takes whoever comes next, and then both are gone.
tmux="tmux -L dwell-test-$$"
terminals=0
on_terminal()
{
	local columns=$1 rows=$2
	shift 2
	terminals=$((terminals + 1))
	tmux="tmux -L dwell-test-$$-$tests-$terminals"
	trap 'goes; kill $(jobs -pr) 2> /dev/null || true' EXIT
	$tmux -f /dev/null new-session -d -x "$columns" -y "$rows" "cd $PWD; env $* PS1='prompt> ' bash --norc"
	shows '^prompt> *$'
}
types()
{
	$tmux send-keys "$@"
}
# What is written at once may arrive in pieces: only a screen that does not change any more counts.
shows()
{
	local tries before=
	for tries in $(seq 600); do
		$tmux capture-pane -p > screen.out
		if ! grep -qE -- "$1" screen.out; then
			before=
		elif [ "$before" = "$(cat screen.out)" ]; then
			return 0
		else
			before=$(cat screen.out)
		fi
		sleep 0.1
	done
	fail "not on the terminal: $1" "$(cat screen.out)"
}
goes()
{
	$tmux kill-server 2> /dev/null || true
}
