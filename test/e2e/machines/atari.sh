#!/bin/bash
# PROFILE.PRG on an Atari ST, emulated, without TOS: what that lacks is in atari/shim.c. The program that it profiles has seven functions
# whose shares are known; the emulator counts the cycles of each instruction in the same run, which is what the report is compared with.
. "$(dirname "$0")/../lib.sh"

if ! command -v hatari > /dev/null || ! command -v m68k-linux-gnu-gcc > /dev/null || ! command -v gst2ascii > /dev/null; then
	echo "1..0 # SKIP no Atari ST to emulate, or no compiler for it (hatari, gcc-m68k-linux-gnu)"
	exit
fi
atari=$BUILD/atari
if ! make -s -C "$ROOT" atari atari-tests BUILD="$BUILD" > make.log 2>&1; then
	echo "not ok 1 - PROFILE.PRG builds"
	sed 's/^/# /' make.log
	echo 1..1
	exit 1
fi
cp "$atari"/PROFILE.TTP "$atari"/SHIM.PRG "$atari"/DWARFS.PRG "$atari"/BEAT.PRG .
mkdir -p home/.config
export SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy HOME=$work/home

# profile COMMAND LINE: PROFILE.TTP with it; what it prints to printed.txt, the report without TOS' carriage returns to report.txt
profile()
{
	rm -f profile.out PROFILE.OUT report.txt printed.txt
	printf '%s' "$*" > TAIL.TXT
	status=0
	timeout -k 5 60 hatari --log-level error --sound off --fast-forward on --tos none --machine st --natfeats on --confirm-quit off \
		--run-vbls 6000 ${HATARI_OPTIONS-} SHIM.PRG > hatari.txt 2> hatari.err < <(echo c) || status=$?
	tr -d '\r' < hatari.txt | sed '/^NatFeats:/d;/^> c/d' > printed.txt
	[ ! -f profile.out ] || tr -d '\r' < profile.out > report.txt
}

# ends STATUS LINE ...: the exit status, and all that was printed
ends()
{
	local want=$1
	shift
	[ "$status" = "$want" ] || fail "exit status $status, expected $want" "$(cat hatari.txt hatari.err)"
	{ [ $# = 0 ] || printf '%s\n' "$@"; } > wanted.txt
	sed '/^$/d' printed.txt | diff wanted.txt -
}

# Where a symbol of SHIM.PRG is: the emulator loads it there.
in_shim()
{
	m68k-linux-gnu-nm "$atari/SHIM.elf" | awk -v name="$1" '$3 == name { print $1 }' | sed 's/^/$((0x1100 + 0x/;s/$/))/' |
		{ read -r sum; printf '$%x' "$(eval "echo $sum")"; }
}

# The same with the emulator's own profile, of every instruction, to exact.txt.
profile_exactly()
{
	printf 'profile on\nb pc = %s :once :quiet :file end.ini\n' "$(in_shim shim_profile_ends)" > begin.ini
	echo 'profile save exact.txt' > end.ini
	echo "b pc = $(in_shim shim_profile_begins) :trace :once :quiet :file begin.ini" > debug.ini
	rm -f exact.txt
	HATARI_OPTIONS='--parse debug.ini' profile "$@"
	[ "$status" = "${wanted-0}" ] || fail "exit status $status" "$(cat hatari.txt hatari.err)"
	[ -s exact.txt ] || fail "the emulator wrote no profile" "$(cat hatari.txt hatari.err)"
}

# exact_by ELF WHICH: instructions and cycles of each function of the program that is the first (PROFILE.TTP) or the second, by its symbols
exact_by()
{
	local text
	text=$((0x$(od -An -v -tx1 -j $((4 * $2)) -N4 WHERE.BIN | tr -d ' ')))
	m68k-linux-gnu-nm -n "$1" | awk '$2 ~ /^[tTbBdD]$/ { print $1, $3 }' | awk -v text="$text" '
	function hex(s,    i, v) {
		v = 0
		for (i = 1; i <= length(s); i++)
			v = v * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1
		return v
	}
	NR == FNR { start[++n] = hex($1) + text; name[n] = $2; next }
	/^[0-9a-fA-F]+ .*% \(/ { # in capitals since Hatari 2.5
		pc = hex(tolower($1))
		split($0, part, /% \(/)
		split(part[2], number, /, /)
		for (i = n; i && start[i] > pc; i--)
			;
		if (i && i < n) { # the last one is behind the text
			instructions[i] += number[1]
			cycles[i] += number[2]
			if (pc == start[i])
				calls[i] = number[1]
		}
	}
	END {
		for (i = 1; i < n; i++)
			if (cycles[i])
				print name[i], calls[i] + 0, instructions[i], cycles[i]
	}' - exact.txt
}

# The rows of the table of errors: name, from, to
errors()
{
	awk -F'|' '/^What/ { on = 1 } on && NF == 7 && $2 + 0 { gsub(/ /, ""); print $3, $5, $6 }' report.txt
}

# Each line of the seed's report, as a pattern; the widths are its own.
the_report_is_the_seeds()
{
	local line pattern
	sed '/^End of profile$/q' report.txt > seed.txt
	cat seed.txt
	exec 3< seed.txt
	while IFS= read -r pattern; do
		IFS= read -r line <&3 || fail "missing: $pattern"
		[[ $line =~ ^$pattern$ ]] || fail "found:    $line" "expected: $pattern"
	done << 'REPORT'
Profile of 'DWARFS\.PRG '

There are 9 symbols

Samples in appl: ....[0-9]{4}  \([ 0-9]{1,2}[0-9]\.[0-9]{2} %\)
Samples in sys : .{7}[0-9]  \( [0-9]\.[0-9]{2} %\)

Num\. of samples: ....[0-9]{4}

Run lasted [0-9]{4} clock ticks \(5 seconds\)
Samples per second: [0-9]{3}\.[0-9]{2}
Cutoff at 95 percent

\+-----\+------------\+---------\+---------\+-----------------------------------\+
\|   # \|   Symbol   \|  Count  \| Percent \|             Barchart              \|
\+-----\+------------\+---------\+---------\+-----------------------------------\+
\|   1 \|    _sleepy \|     [0-9]{3} \|   3[0-9]\.[0-9]{2} \|\*{35}\|
\|   2 \|    (_grumpy| _happy) \|     [0-9]{3} \|   1[0-9]\.[0-9]{2} \|\*{16,18} {17,19}\|
\|   3 \|    (_grumpy| _happy) \|     [0-9]{3} \|   1[0-9]\.[0-9]{2} \|\*{16,18} {17,19}\|
\|   4 \| {3,7}_(doc|dopey|sneezy|bashful) \|     [0-9]{3} \|    [0-9]\.[0-9]{2} \|\*{8,9} {26,27}\|
\|   5 \| {3,7}_(doc|dopey|sneezy|bashful) \|     [0-9]{3} \|    [0-9]\.[0-9]{2} \|\*{8,9} {26,27}\|
\|   6 \| {3,7}_(doc|dopey|sneezy|bashful) \|     [0-9]{3} \|    [0-9]\.[0-9]{2} \|\*{8,9} {26,27}\|
\|   7 \| {3,7}_(doc|dopey|sneezy|bashful) \|     [0-9]{3} \|    [0-9]\.[0-9]{2} \|\*{8,9} {26,27}\|
\+-----\+------------\+---------\+---------\+-----------------------------------\+


End of profile
REPORT
	! IFS= read -r line <&3 || fail "more: $line"
}

# within_errors ELF ROWS: each share in the report is said to be between two values, and so it is, by the emulator's cycles of the same run
within_errors()
{
	exact_by "$1" 1 > cycles.txt
	errors > errors.txt
	cat cycles.txt report.txt
	awk -v want="$2" '
	NR == FNR { cycles[$1] = $4; all += $4; next }
	{
		rows++
		true = 100 * cycles[$1] / all
		printf "%s: %.2f, said to be from %s to %s\n", $1, true, $2, $3
		if (true < $2 || true > $3)
			bad = 1
		if ($3 - $2 > 10)
			bad = 1 # said to be so unsure that nothing could be wrong
	}
	END { exit bad || rows != want }' cycles.txt errors.txt
}

shares_are_exact()
{
	within_errors "$atari/DWARFS.elf" 7
	[ "$(wc -l < cycles.txt)" = 9 ] || fail "the emulator saw other functions:" "$(cat cycles.txt)"
	# The program itself says what to expect: 1, 2, 1, 4, 1, 2, 1 of twelve.
	awk '{ all += $4; cycles[$1] = $4 } END { exit !(cycles["_sleepy"] / all > 0.3332 && cycles["_sleepy"] / all < 0.3335) }' cycles.txt
}

# Its arithmetic is done without the processor's help, and here once more.
the_report_adds_up()
{
	awk -F'[ |()]+' '
	function differs(what, got, want, by) {
		if (got < want - by || got > want + by) {
			printf "%s: %s, expected %.4f\n", what, got, want
			bad = 1
		}
	}
	/^Samples in appl:/ { appl = $4; share = $5 }
	/^Samples in sys/ { sys = $5; sys_share = $6 }
	/^Num. of samples:/ { samples = $4 }
	/^Run lasted/ { ticks = $3; differs("seconds", $6, int(ticks / 200), 0) }
	/^Samples per second:/ { differs("samples per second", $4, samples * 200 / ticks, 0.0051) }
	/^What/ { differs("their samples", $2, appl, 0); errors = 1 }
	/^[|] +[0-9]+ [|]/ && !errors { rows++; count[$3] = $4; sum += $4; differs($3, $5, 100 * $4 / appl, 0.0051) }
	/^[|] +[0-9]+ [|]/ && errors {
		p = count[$3] / appl
		z = 1.96
		middle = (p + z * z / 2 / appl) / (1 + z * z / appl)
		half = z * sqrt(p * (1 - p) / appl + z * z / 4 / appl / appl) / (1 + z * z / appl)
		differs($3 " from", $5, 100 * (middle - half), 0.03)
		differs($3 " to", $6, 100 * (middle + half), 0.03)
		checked++
	}
	/^A symbol that was never hit/ { differs("unseen", $10, 100 * 3.84 / (appl + 3.84), 0.02); checked++ }
	END {
		differs("appl and sys", appl + sys, samples, 0)
		differs("appl", share, 100 * appl / samples, 0.0051)
		differs("sys", sys_share, 100 * sys / samples, 0.0051)
		exit bad || rows != 7 || checked != 8 || sum < appl * 0.95 || sum > appl
	}' report.txt
}

every_sample_is_counted()
{
	exact_by "$atari/PROFILE.elf" 0 > profiler.txt
	cat profiler.txt
	awk '
	NR == FNR { calls[$1] = $2; instructions[$1] = $3; next }
	/^Num. of samples:/ { samples = $4 }
	END {
		per = (instructions["sample_timer"] + instructions["dwell_tally_sample"] + instructions["dwell_tally_find"]) / samples
		printf "%d interrupts, %d samples, %.1f instructions each\n", calls["sample_timer"], samples, per
		exit !(samples > 1000 && calls["sample_timer"] == samples && per < 110)
	}' profiler.txt report.txt
}

# rate HZ: what was achieved, within one in a hundred, and three times what so many random periods may be off
rate()
{
	profile "f=$1 DWARFS.PRG"
	ends 0
	awk -v asked="$1" '/^Samples per second/ { print; got = $4 }
	/^Num. of samples/ { samples = $4 }
	END { allowed = 0.01 + 3 * 0.37 / sqrt(samples); good = got > asked * (1 - allowed) && got < asked * (1 + allowed); print allowed } END { exit !good }' report.txt
}

# by_the_vertical_blank RATE SYNC MONITOR
by_the_vertical_blank()
{
	[ -z "$2" ] || printf '%s' "$2" > SYNC.TXT
	HATARI_OPTIONS="--monitor $3" profile "+v -b +z p=50 DWARFS.PRG"
	rm -f SYNC.TXT
	ends 0
	cat report.txt
	# The clock of 200 Hz counts whole ticks: of the first and the last one there may be a part.
	awk -v rate="$1" '/^Samples per second/ { good = $4 > rate - 0.7 && $4 < rate + 0.9 } END { exit !good }' report.txt
	grep -q '^What a program does in step with the display is misjudged' report.txt
	! grep -q Barchart report.txt
	grep -q '^|   1 |    _sleepy ' report.txt
	grep -q '^Cutoff at 50 percent$' report.txt
	grep -qF '|   9 |     _start |       0 |    0.00 |' report.txt
}

in_detail()
{
	profile "f=1000 x=SLEEPY i=5 -B DWARFS.PRG two words"
	ends 0
	cat report.txt
	grep -q "^Profile of 'DWARFS.PRG two words'$" report.txt
	grep -q "^Detail of '_sleepy': [0-9]* bytes in 5 intervals" report.txt
	# Its intervals have its samples.
	awk -F'|' '
	/^Detail/ { sub(/.*intervals, /, ""); want = $0 + 0; on = 1 }
	/^End/ { on = 0 }
	on && NF == 9 && $2 + 0 { rows++; sum += $5 }
	END { print rows, sum, want; exit !(rows == 5 && sum == want && sum > 100) }' report.txt
}

# With a fixed period, 200 a second are 100 % for what has 35, said to be above 99.5.
in_step_with_its_clock()
{
	wanted=7 # which BEAT.PRG returns
	profile_exactly "f=$1 BEAT.PRG"
	within_errors "$atari/BEAT.elf" 2
}

says() # STATUS MESSAGE COMMAND LINE
{
	local want=$1 message=$2
	shift 2
	profile "$@"
	ends "$want" ${message:+"$message"}
}

# change OFFSET BYTES FILE: bytes as printf writes them
change()
{
	printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc 2> /dev/null
}

broken_tables()
{
	local text data symbols end at
	"$BUILD/elf2prg" --symbols none "$atari/DWARFS.elf" NOSYM.PRG
	says 1 'NOSYM.PRG: no symbol table: all of it is one row' NOSYM.PRG
	grep -q '^There are 0 symbols$' report.txt
	grep -q '^|   1 |          ? |' report.txt
	"$BUILD/elf2prg" --symbols dri "$atari/DWARFS.elf" DRI.PRG
	text=$((0x$(od -An -tx1 -j2 -N4 DRI.PRG | tr -d ' ')))
	data=$((0x$(od -An -tx1 -j6 -N4 DRI.PRG | tr -d ' ')))
	symbols=$((0x$(od -An -tx1 -j14 -N4 DRI.PRG | tr -d ' ')))
	end=$((28 + text + data + symbols))
	# Its last entry is not all there.
	{ head -c $end DRI.PRG; printf '_half'; tail -c +$((end + 1)) DRI.PRG; } > CUT.PRG
	change 14 "$(printf '\\%03o\\%03o\\%03o\\%03o' 0 0 $(((symbols + 5) / 256)) $(((symbols + 5) % 256)))" CUT.PRG
	says 1 'CUT.PRG: its symbol table is cut; what is there is used' CUT.PRG
	grep -q '_sleepy' report.txt
	cp DRI.PRG OUTSIDE.PRG
	change $((28 + text + data + 10)) '\0\x7f\0\0' OUTSIDE.PRG
	says 1 'OUTSIDE.PRG: some text symbols lie outside of the text; they are not used' OUTSIDE.PRG
	grep -q '^There are 8 symbols$' report.txt
	cp DRI.PRG EMPTY.PRG
	for ((at = 28 + text + data; at < end; at += 14)); do
		change $((at + 8)) '\x84\0' EMPTY.PRG
	done
	says 1 'EMPTY.PRG: its symbol table has no text symbols' EMPTY.PRG
}

# Two names of which a DRI table keeps the same eight letters.
names_cut_alike()
{
	local first second
	"$BUILD/elf2prg" --symbols dri "$atari/DWARFS.elf" DRI.PRG
	LC_ALL=C sed 's/_sleepy\x00/_seven_d/; s/_bashful/_seven_d/' DRI.PRG > ALIKE.PRG
	says 0 'x=seven_dwarfs: several symbols have this name. This is the first; x=_seven_d@ADDRESS chooses' x=seven_dwarfs ALIKE.PRG
	cat report.txt
	read -r first second < <(m68k-linux-gnu-nm "$atari/DWARFS.elf" | awk '$3 == "_sleepy" || $3 == "_bashful" { sub(/^0*/, "", $1); print $1 }' | sort | xargs)
	[ "$(sed '/^End/q' report.txt | grep -cE "^[|] +[0-9]+ [|] +_seven_d@($first|$second) [|]")" = 2 ]
	grep -q "^Detail of '_seven_d@$first'" report.txt
	says 0 '' "x=seven_dwarfs@$second ALIKE.PRG"
	grep -q "^Detail of '_seven_d@$second'" report.txt
}

# A program with the compiler's own header and table, made by its documentation.
mark_williams()
{
	"$BUILD/elf2prg" --symbols dri "$atari/DWARFS.elf" DRI.PRG
	"$BUILD/elf2prg" --symbols mwc "$atari/DWARFS.elf" MWC.PRG
	"$DWELL" symbols --csv DRI.PRG > dri.csv
	"$DWELL" symbols --csv MWC.PRG > mwc.csv
	cmp dri.csv mwc.csv
	says 0 '' 'x=sleepy MWC.PRG'
	cat report.txt
	grep -q '^There are 9 symbols$' report.txt
	grep -q "^Detail of '_sleepy'" report.txt
	grep -qE '^[|]   1 [|]    _sleepy [|]     [0-9]{3} [|]   3[0-9][.]' report.txt
}

# agrees PROGRAM KIND: gst2ascii and dwell symbols of the program in that form
agrees()
{
	"$BUILD/elf2prg" --symbols "$2" "$atari/$1.elf" X.PRG
	gst2ascii -b -d -a X.PRG 2> /dev/null | awk '$2 == "T" { print $1, $3 }' | sort > theirs.txt
	"$DWELL" symbols --csv X.PRG > ours.csv 2> ours.err || fail "$(cat ours.err)"
	# Of several names at one address dwell keeps one; labels that compilers number are left out.
	awk -F'[, ]' '
	function hex(s,    i, v) {
		sub(/^0x0*/, "", s)
		return s == "" ? "0" : tolower(s)
	}
	NR == FNR { at = hex($1); theirs[at] = theirs[at] " " $2 " "; next }
	FNR > 1 { at = hex($1); ours[at] = $3; count++; if (!index(theirs[at], " " $3 " ")) { print "ours alone: " $0; bad = 1 } }
	END {
		for (at in theirs)
			if (!(at in ours) && theirs[at] !~ /^ (L[0-9]+|\.L[^ ]*) $/) { print "theirs alone: " at theirs[at]; bad = 1 }
		print count " functions"
		exit bad || count < 8
	}' theirs.txt ours.csv
}

# MiNT's a.out, where nobody has a compiler at hand: a file made by hand, and what both say of it. gst2ascii knows no weak symbols before Hatari 2.5.
agrees_on_aout()
{
	gst2ascii -b -d -a "$ROOT/test/fuzz/corpus/prg/aout" 2> /dev/null | awk '$3 != "_weak" { print $1, $3 }' | sed 's/^0x0*/0x/' > theirs.txt
	"$DWELL" symbols --csv "$ROOT/test/fuzz/corpus/prg/aout" | awk -F, 'NR > 1 && $3 != "_weak" { print $1, $3 }' | diff theirs.txt -
	[ "$(wc -l < theirs.txt)" = 2 ]
}

# What GEMDOS would make of it in memory is what the linker makes of it there.
fixed_up()
{
	gcc -O1 -Wall "$ROOT/test/e2e/machines/atari/load.c" -o load
	m68k-linux-gnu-objcopy -O binary "$atari/PROFILE.elf" at-0.bin
	./load "$atari/PROFILE.PRG" 0 > loaded-0.bin
	cmp at-0.bin loaded-0.bin
	make -s -C "$ROOT" BUILD="$work/elsewhere" ATARI_AT=0x123400 "$work/elsewhere/atari/PROFILE.elf"
	m68k-linux-gnu-objcopy -O binary "$work/elsewhere/atari/PROFILE.elf" at-base.bin
	./load "$atari/PROFILE.PRG" 0x123400 > loaded-base.bin
	cmp at-base.bin loaded-base.bin
	! cmp -s at-0.bin at-base.bin || fail "nothing depends on where it is"
}

for_a_68000()
{
	# Branches and products that the ST's processor does not have are in Debian's libgcc.
	! m68k-linux-gnu-nm "$atari/PROFILE.elf" | grep _internal
	# Nor can it reach a word at an odd address.
	! m68k-linux-gnu-objdump -d "$atari/PROFILE.elf" | grep -E '[wl] .*%sp@\(-?[0-9]{0,3}[13579]\)'
}

# The machine is the same each time, and so are its counts.
profile_exactly "f=500 DWARFS.PRG"
test_that "the report is the seed's" the_report_is_the_seeds
test_that "shares are within their error of the emulator's cycles" shares_are_exact
test_that "the report's numbers add up" the_report_adds_up
test_that "every interrupt is a sample, and is cheap" every_sample_is_counted
for hz in 50 250 1000 1500; do
	test_that "f=$hz" rate $hz
done
for hz in 200 100; do
	test_that "a program in step with the 200 Hz clock, f=$hz" in_step_with_its_clock $hz
done
test_that "+v: the vertical blank of 50 Hz; no bars, symbols without hits" by_the_vertical_blank 50 2 rgb
test_that "+v: 60 Hz" by_the_vertical_blank 60 0 rgb
test_that "+v: 71 Hz, of the monochrome monitor" by_the_vertical_blank 71 "" mono
test_that "v=: not where there is a display" says 2 'v=: this machine has a display, whose own rate +v has' v=50 DWARFS.PRG
test_that "x=, i=, arguments" in_detail
test_that "i= without x=" says 0 'i= is of the symbol that x= names, and does nothing without it' i=5 DWARFS.PRG
test_that "the program's status" says 7 '' BEAT.PRG
test_that "a Mark Williams table" mark_williams
test_that "names that are cut alike" names_cut_alike
test_that "an option out of its range" says 2 'f=20: samples per second, 50 to 1500' f=20 DWARFS.PRG
test_that "an option that is none" says 2 '-x: no such option; there are +v +b +z and -v -b -z' -x DWARFS.PRG
test_that "a program that is not there" says 2 'NONE.PRG: there is no such file' NONE.PRG
echo "this is text, and no program at all" > TEXT.PRG
test_that "a file that is no program" says 2 'TEXT.PRG: is no program' TEXT.PRG
head -c 100 DWARFS.PRG > HALF.PRG
test_that "a program that is cut" says 2 'HALF.PRG: is cut: not all of the program is there' HALF.PRG
test_that "a symbol that is not there" says 1 'x=snow_white: the program has no text symbol of this name' x=snow_white DWARFS.PRG
test_that "a report that cannot be written" says 2 'NODIR\X.OUT: cannot be written' 'o=NODIR\X.OUT DWARFS.PRG'
test_that "symbol tables that are missing, cut, empty, or point elsewhere" broken_tables
for program in PROFILE DWARFS SHIM; do
	for kind in dri gst; do
		test_that "$program.PRG: gst2ascii and dwell symbols agree, $kind" agrees $program $kind
	done
done
test_that "gst2ascii and dwell symbols agree on MiNT's a.out" agrees_on_aout
test_that "fix-ups make what the linker makes elsewhere" fixed_up
test_that "nothing that a 68000 does not have" for_a_68000
done_testing
