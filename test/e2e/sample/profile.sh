#!/bin/bash
# Measures time: its samples are compared with shares and rates that are known.
# dwell profile: the command of 1987 on the seven dwarfs: its report, character by character; shares; and what cannot be profiled.
# Takes long, samples by a slow clock.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions

if ! compile dwarfs dwarfs.c; then
	echo "Bail out! no compiler"
	exit 1
fi
"$DWELL" profile o=first ./dwarfs 1000000 > /dev/null 2> first.err
if grep -q "cannot be sampled" first.err; then
	skip "dwell profile" "$(head -1 first.err)"
	done_testing
	exit 0
fi

# profile STATUS WORDS ...: out, err, and profile.out unless o= is among the words
profile()
{
	local want=$1 got=0
	shift
	timeout -k 5 120 "$DWELL" profile "$@" > out 2> err || got=$?
	[ $got = "$want" ] || fail "status $got, expected $want:" "$(cat err)"
}

# Each line of FILE is what the line of standard input says, a regular expression; further ones may follow.
matches()
{
	local number=0 wanted line
	exec 3< "$1"
	while IFS= read -r wanted; do
		number=$((number + 1))
		IFS= read -r line <&3 || fail "line $number is missing"
		[[ $line =~ ^$wanted$ ]] || fail "line $number: '$line'" "expected:  '$wanted'"
	done
}

report()
{
	profile 0 f=1000 p=100 ./dwarfs 60000000
	[ ! -s err ] || fail "$(cat err)"
	cat profile.out
	mkdir first_run && cp profile.out out first_run
	# main hardly ever has a sample.
	sed '/ main | /d' profile.out > dwarfs.out
	matches dwarfs.out << 'END'
Profile of '\./dwarfs 60000000'

There are [0-9]+ symbols

Samples in appl: [ 0-9]{8}  \([ 0-9]{1,2}[0-9]\.[0-9]{2} %\)
Samples in sys : [ 0-9]{8}  \([ 0-9][0-9]\.[0-9]{2} %\)

Num\. of samples: [ 0-9]{8}

Run lasted [0-9]+ clock ticks \([0-9]+ seconds\)
Samples per second: [0-9]+\.[0-9]{2}
Cutoff at 100 percent

\+-----\+------------\+---------\+---------\+-----------------------------------\+
\|   # \|   Symbol   \|  Count  \| Percent \|             Barchart              \|
\+-----\+------------\+---------\+---------\+-----------------------------------\+
\|   1 \|     sleepy \| [ 0-9]{6}[0-9] \|   [1-5][0-9]\.[0-9]{2} \|\*{35}\|
\|   2 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 1-3][0-9]\.[0-9]{2} \|[* ]{35}\|
\|   3 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 1-3][0-9]\.[0-9]{2} \|[* ]{35}\|
\|   4 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 12][0-9]\.[0-9]{2} \|\*+ +\|
\|   5 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 12][0-9]\.[0-9]{2} \|\*+ +\|
\|   6 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 12][0-9]\.[0-9]{2} \|\*+ +\|
\|   7 \| [ a-z]{10} \| [ 0-9]{6}[0-9] \|   [ 12][0-9]\.[0-9]{2} \|\*+ +\|
\+-----\+------------\+---------\+---------\+-----------------------------------\+


End of profile


What [0-9]+ samples tell: with 95 % certainty the percentages are
END
	# Figures agree with each other.
	awk '/^Samples in appl/ { appl = $4 } /^Samples in sys/ { sys = $5 } /^Num/ { all = $4 } /^Run lasted/ { ticks = $3 }
		/^Samples per second/ { exit !(appl + sys == all && $4 - all * 200 / ticks < 0.01 && all * 200 / ticks - $4 < 0.01) }' profile.out ||
		fail "the figures do not add up"
}

# The intervals miss one share in twenty, and none far: of the 21 of three runs, one of them that of the report, six or more are out in one case of 2,000.
shares()
{
	local missed=0 run
	for run in 1 2 3; do
		[ $run = 1 ] && mv first_run/* . || profile 0 f=1000 p=100 ./dwarfs 60000000
		sed '1,/^What/d' profile.out | awk -F '|' '$3 ~ /[a-z]/ { gsub(/ /, ""); print $3, $4, $5, $6 }' > found
		awk '$1 == "took" { took[$2] = $3; all += $3 } END { for (name in took) print name, 100 * took[name] / all }' out > truth
		[ "$(wc -l < truth)" = 7 ] || fail "$(cat out)"
		while read -r name true; do
			read -r _ share from to <<< "$(grep "^$name " found)"
			echo "$name: $share % ($from to $to), true $true"
			awk -v t="$true" -v s="$share" -v a="$from" -v b="$to" 'BEGIN { w = b - a; exit !(s != "" && t > a - w && t < b + w) }' || fail "far from the truth"
			awk -v t="$true" -v a="$from" -v b="$to" 'BEGIN { exit !(t >= a && t <= b) }' || missed=$((missed + 1))
		done < truth
	done
	[ $missed -le 5 ] || fail "$missed of 21 intervals do not hold the truth"
}

# Percentage in the program, and samples.
totals()
{
	awk '/^Samples in appl/ { gsub(/[(]/, ""); share = $5 } /^Num/ { all = $4 } /^Samples per/ { print share, all, $4 }' "${1:-profile.out}"
}

# A program that waits is in the system, however little CPU time it uses.
waits()
{
	profile 3 ./dwarfs 1000000 sleep
	read -r share all rate <<< "$(totals)"
	echo "$share % of $all"
	between 100 "$all" 300 "samples in a second"
	between 0 "$share" 15 "the program's share"
}

# Samples in sys are as many as the time has in which it sleeps, and those in the program as many as its CPU time has, however short it
# works between two sleeps. Where other programs want all processors the time that it waits for one is in sys, too.
sleeps_shortly()
{
	compile bursts bursts.c
	for how in "1200 0.5 200" "500 0.5 1000" "250 0.5 3000" "150 0.5 5000" "120 0.5 7000"; do
		for try in 1 2 3; do
			# On a busy machine the system counts what it took to switch, too.
			# shellcheck disable=SC2086
			profile_most f=1500 ./bursts $how sleep
			found=$(awk '/^Samples in appl/ { appl = $4 } /^Samples in sys/ { print appl, $5 }' profile.out)
			echo "$how: $(grep worked out), samples $found"
			echo "$found $(awk '/^worked/ { print 1500 * $2, 1500 * $4 }' out)" |
				awk '{ exit !($1 > 0.85 * $3 && $1 < 1.15 * $3 && $2 > 0.85 * $4 && $2 < 1.3 * $4) }' && continue 2
		done
		fail "$how"
	done
}

# profile_most OPTIONS ...: the status is $got; where some CPU time is in no sample, that is said, with status 1.
profile_most()
{
	got=0
	timeout -k 5 120 "$DWELL" profile "$@" > out 2> err || got=$?
	[ $got = 0 ] || { [ $got = 1 ] && grep -q "of the CPU time is in no sample" err; } || fail "status $got:" "$(cat err)"
}

# Children and threads that are shorter than it takes to be told of them: at least as many samples as their own work has whole periods, and not more
# than all CPU time has, with what the kernel does to begin and end one. Of those that are shorter than a period it is said.
brief()
{
	compile brief brief.c
	for how in "100 5 fork" "200 2.5 fork" "100 5 thread"; do
		for try in 1 2 3 4 5; do # on a virtual machine the timer is late when others have it
			# shellcheck disable=SC2086
			profile_most f=1500 ./brief $how
			found=$(awk '/^Samples in appl/ { appl = $4 } /^Samples in sys/ { print appl, $5 }' profile.out)
			echo "$how: $(cat out), samples $found"
			echo "$found $how $(cat out)" | awk '{ exit !($1 > 0.8 * $3 * int(1.5 * $4) && $1 < 1.15 * 1500 * $7) }' && continue 2
		done
		fail "$how"
	done
	[ $got = 1 ] || grep -q "^A symbol that was never hit has at most" profile.out || fail "$(tail -3 profile.out)"
	profile 1 f=250 ./brief 200 2 thread
	grep -q "no sample was taken, of [0-9.]* m*s of CPU time" err || # but where the program's first thread has one
		{ says "of the CPU time is in no sample" && grep -q "of the CPU time is in no sample" profile.out; }
	! grep -q "never hit" profile.out || fail "$(tail -3 profile.out)"
}

# rate_of HZ STATUS OPTIONS ...: so many samples come a second, once in three times: on a virtual machine the timer is late when others have it.
rate_of()
{
	local hz=$1 try
	shift
	for try in 1 2 3; do
		profile "$@"
		read -r share all rate <<< "$(totals)"
		echo "$all samples, $rate a second, expected $hz"
		between $((hz - 3)) "$rate" $((hz + 3)) "samples a second" > off && return
	done
	fail "$(cat off)"
}
# The display's rate, also of a program that has to wait for a processor, and of one that waits for time to pass.
display()
{
	rate_of 60 0 +v ./dwarfs 100000000
	between 50 "$share" 100 "the program's share"
	for hz in 50 71; do
		rate_of $hz 3 v=$hz ./dwarfs 1000000 sleep
	done
	rate_of 60 3 +v ./dwarfs 1000000 sleep
	for try in 1 2 3 4 5 6; do # the first one is due in the first 17 ms
		profile 1 +v ./dwarfs 1 && break
	done
	says "no sample was taken: the program used less than 16.7 ms of CPU time"
}

options()
{
	profile 0 p=50 -b +z o=other ./dwarfs 50000000
	cat other
	[ "$(grep -c '^|.*\*' other)" = 0 ] || fail "bars"
	grep -q "^Cutoff at 50 percent" other || fail "cutoff"
	grep -q "|  *main |       0 |    0.00 |$" other || fail "never hit"
	sed -n '/^What/,$p' other | grep -c '|  *[1-9] |' | grep -q '^[23]$' || fail "more than 50 percent"
	profile 0 +v f=1500 ./dwarfs 50000000
	read -r share all rate <<< "$(totals)"
	echo "$all samples, $rate a second"
	between 2 "$rate" 90 "samples a second with +v"
}

detail()
{
	profile 0 f=1000 x=sleepy ./dwarfs 40000000
	hits=$(awk -F '|' '$3 ~ / sleepy / { print $4 + 0; exit }' profile.out)
	sed -n '/^Detail/,$p' profile.out
	[ "$(sed -n '/^Detail/,/^End/p' profile.out | grep -c '^| *[0-9]')" = 25 ] || fail "not 25 intervals"
	sed -n '/^Detail/,/^End/p' profile.out | awk -F '|' -v hits="$hits" '$2 + 0 {
			sum += $5; bytes += $4
			if ($6 + 0 < $7 + 0 || $6 + 0 > $8 + 0)
				exit bad = 1
		}
		/^Detail/ { size = $3 }
		END { exit bad || sum != hits || hits == 0 }' || fail "the intervals have not the $hits samples of the symbol"
	# Where nm has it.
	at=$(nm -S dwarfs | awk '$4 == "sleepy" { print $1 }')
	[ "$(sed -n '/^Detail/,/^End/p' profile.out | awk -F '|' '$2 + 0 == 1 { gsub(/ /, "", $3); print $3 }')" = "${at: -8}" ] ||
		fail "sleepy is at $at"
	profile 0 i=4 x=sleepy ./dwarfs 20000000
	[ "$(sed -n '/^Detail/,/^End/p' profile.out | grep -c '^| *[0-9]')" = 4 ] || fail "not 4 intervals"
	# As the same program has it on the ST.
	profile 0 i=3 x=_sleepy ./dwarfs 20000000
	grep -q "^Detail of 'sleepy': .* 3 intervals" profile.out || fail "$(grep '^Detail' profile.out)"
	profile 0 i=4 ./dwarfs 20000000
	says "i= is of the symbol that x= names, and does nothing without it"
}

# Two static functions of one name: rows and x= have their addresses.
one_name_twice()
{
	local first second
	printf 'static volatile unsigned long turns;\n__attribute__((noinline)) static void twice(void) { for (turns = 30000000; turns; turns--) ; }\nvoid OTHER(void) { twice(); }\n' > half.c
	printf 'void one(void);\nvoid two(void);\nint main(void) { one(); two(); }\n' > whole.c
	gcc -O2 -c -DOTHER=one half.c -o one.o
	gcc -O2 -c -DOTHER=two half.c -o two.o
	gcc -O2 whole.c one.o two.o -o halves
	read -r first second < <(nm halves | awk '$3 == "twice" { sub(/^0*/, "", $1); print $1 }' | xargs)
	profile 0 f=1000 x=twice ./halves
	says "x=twice: several symbols have this name; this is the one of x=twice@$first"
	[ "$(sed '/^End/q' profile.out | grep -cE "[|] +twice@($first|$second) [|]")" = 2 ] || fail "$(cat profile.out)"
	profile 0 f=1000 "x=twice@$second" ./halves
	grep -q "^Detail of 'twice@$second'" profile.out || fail "$(grep '^Detail' profile.out)"
}

threads()
{
	compile shares shares.c -DROUND_NS_MIN=40000
	profile 0 ./shares 1000 4
	read -r share all rate <<< "$(totals)"
	grep -q "| *share_74 |" profile.out || fail "$(cat profile.out)"
	between 50 "$share" 100 "the program's share"
}

says()
{
	grep -qF -- "$1" err || fail "expected: $1" "$(cat err)"
}

ends()
{
	profile 3 ./dwarfs 20000000 leave
	says "the program has ended and left 1 process behind, still sampled"
	grep -q "| *sleepy |" profile.out || fail "no report"
	for try in 1 2 3 4 5; do # it may have to wait for its pages
		profile 1 f=50 "$(command -v true)" && break
	done
	says "no sample was taken: the program used less than 20 ms of CPU time; a higher rate (dwell record -F) sees more of it" # -F is no option here
	grep -q "^Samples per second: [0-9-]" profile.out || fail "no report"
	profile 137 sh -c 'kill -9 $$'
	strip -o stripped dwarfs
	profile 1 ./stripped 20000000
	says "./stripped: has no symbols (stripped?): all of its text counts as '?'"
	grep -q "^There are 0 symbols" profile.out || fail "symbols"
	grep -q "^|   1 |          ? |  *[0-9]* |  100.00 |" profile.out || fail "no ?" "$(cat profile.out)"
	at=$(readelf -SW dwarfs | awk '$2 == ".symtab" || $3 == ".symtab" { for (i = 1; i < NF; i++) if ($i == "SYMTAB") print $(i + 2) }')
	head -c $((0x$at + 100)) dwarfs > cut
	chmod +x cut
	profile 1 ./cut 20000000
	says "./cut:"
	says "cut or corrupted"
	! grep -q stripped err || fail "it is not" "$(cat err)"
	grep -q "^|   1 |          ? |  *[0-9]* |  100.00 |" profile.out || fail "no ?" "$(cat profile.out)"
	profile 2 o=/dev/full ./dwarfs 1000000
	says "/dev/full: cannot write: No space left on device"
	profile 2 o=missing/profile.out ./dwarfs
	says "missing/profile.out: cannot write the report: No such file or directory"
	[ ! -s out ] || fail "it ran in vain"
	cp dwarfs kept
	profile 2 o=kept ./kept
	says "is the program"
	cmp dwarfs kept
	echo before > earlier
	profile 2 o=earlier x=nobody ./dwarfs
	[ "$(cat earlier)" = before ] || fail "a report without a run"
}

# What the kernel does not show, and a folder that is not ours: as somebody else than root.
rights()
{
	chmod 755 .
	mkdir open closed
	chmod 777 open
	cp "$DWELL" dwarfs open
	cp dwarfs open/raised
	chown 1:1 open/raised
	chmod u+s open/raised
	cd open
	DWELL="setpriv --reuid=65534 --regid=65534 --clear-groups $PWD/dwell"
	as_nobody() { $DWELL profile "$@" > out 2> err && status=0 || status=$?; }
	as_nobody ./raised
	[ $status = 2 ] || fail "status $status"
	says "./raised: "
	./dwell profile ./raised > out 2> err && status=0 || status=$?
	[ $status = 2 ] && grep -q "the program runs as another user (set-uid), and the system lets nobody look" err || fail "as root:" "$status, $(cat err)"
	as_nobody o=../closed/profile.out ./dwarfs
	[ $status = 2 ] || fail "status $status"
	says "../closed/profile.out: cannot write the report: Permission denied"
	[ ! -s out ] || fail "it ran in vain"
}

test_that "the report, character by character" report
test_that "shares are in their intervals" shares
test_that "who waits is in the system" waits
test_that "who sleeps shortly and often is in the system as long as it sleeps" sleeps_shortly
test_that "short children and threads" brief
test_that "the display's rate" display
test_that "options" options
test_that "one symbol in detail" detail
test_that "two functions of one name" one_name_twice
test_that "threads" threads
test_that "endings, and what cannot be reported" ends
if [ "$(id -u)" = 0 ] && command -v setpriv > /dev/null; then
	test_that "rights" rights
else
	skip "rights" "takes root"
fi
done_testing
