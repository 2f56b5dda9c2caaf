#!/bin/bash
# dwell fetch, and images of memory: an ARM946E-S in QEMU whose program stands still with full buffers, read through QEMU's GDB stub and as a
# RAM image. What is reported is what the program prints of its own buffers.
. "$(dirname "$0")/../lib.sh"
. "$ROOT/test/e2e/machines/nitro/lib.sh"

on_arm9
if ! on=$(plugin_of $cc); then
	echo "1..0 # SKIP the compiler's plugin cannot be had here (make plugin)"
	exit
fi
arm9="$arm9 -marm -O1"

# build NAME LIBRARY FLAGS ...
build()
{
	local name=$1 library=$2
	shift 2
	# shellcheck disable=SC2086
	{
		$cc $arm9 $on "$@" -c "$manual/stands.c" -o "$name.o"
		$cc $arm9 -O2 -c "$manual/kernel.c" -o kernel.o
		$cc $arm9 -O2 -c "$manual/print_out.c" -o print_out.o
		$cc $arm9 -nostdlib -T "$manual/link.ld" "$manual/start.S" "$name.o" kernel.o print_out.o "$lib/libos.$library.a" "$lib/versatilepb.o" \
			-lgcc -o "$name"
	}
}

# stands NAME: runs it until it stands, with a stub at NAME.sock, and a monitor that reads NAME.monitor; its pid is in $qemu
stands()
{
	mkfifo "$1.monitor"
	QEMU_AUDIO_DRV=none timeout -k 5 300 qemu-system-arm -M versatilepb -cpu arm946 -display none -monitor stdio -serial "file:$1.out" \
		-icount shift=5,sleep=off -kernel "$1" -gdb "unix:$1.sock,server=on,wait=off" <> "$1.monitor" > "$1.log" 2>&1 &
	qemu=$!
	for _ in $(seq 900); do
		grep -q '^stands' "$1.out" 2> /dev/null && return
		sleep 0.1
	done
	fail "it does not come to stand" "$(cat "$1.log" "$1.out")"
}

# What the monitor of QEMU writes, which is no work of ours.
ram_image()
{
	echo "pmemsave 0x10000 0x20000 $1.ram" > "$1.monitor"
	for _ in $(seq 600); do
		[ "$(stat -c %s "$1.ram" 2> /dev/null)" = $((0x20000)) ] && return
		sleep 0.1
	done
	fail "no RAM image" "$(cat "$1.log")"
}

# The program's own numbers, in ticks of 24 MHz, as those of a report would be: function,calls,self,total
printed_statistics()
{
	sed -n 's/^\([a-z]*\): count \([0-9]*\), cost \([0-9]*\), inclusive \([0-9]*\)\r\?$/\1\t\2\t\3\t\4/p' "$1" | sort
}

# COLUMN-OF-SELF COLUMN-OF-TOTAL FILE: a report's, in ticks
reported_statistics()
{
	columns "$3" function calls "$1" "$2" | awk -F '\t' '{ printf "%s\t%d\t%d\t%d\n", $1, $2, $3 * 0.024 + 0.5, $4 * 0.024 + 0.5 }' | sort
}

same_statistics()
{
	[ "$(wc -l < want)" = 3 ] || fail "the program printed:" "$(cat cost.out)"
	diff want got || fail "(< printed by the program, > reported)"
}

cost()
{
	build cost FUNCTIONCOST
	stands cost
	"$DWELL" fetch --gdb ./cost.sock --program cost -o cost.core > fetched
	cat fetched
	[ "$(grep -c '^function cost at' fetched)" = 2 ]
	"$DWELL" fetch --gdb ./cost.sock --program cost --symbol saved --raw --stopped -o saved.bin
	ram_image cost
	kill $qemu
	printed_statistics cost.out > want
	"$DWELL" report --csv cost.core > cost.csv
	reported_statistics self_ns total_ns cost.csv > got
	same_statistics
	# In the RAM image the copies of the lines are left out, and said to be: they lie elsewhere than they say.
	"$DWELL" report --csv cost.ram > ram.csv 2> ram.err && fail "nothing is said of the copies"
	grep -q ': 2 buffers are left out' ram.err || fail "$(cat ram.err)"
	reported_statistics self_ns total_ns ram.csv > got
	same_statistics
	# The lines themselves, before the program added them up: with times, and without the time of the other thread.
	"$DWELL" report --csv --program cost saved.bin > saved.csv
	reported_statistics self_cpu_ns total_cpu_ns saved.csv > got
	same_statistics
	awk -F, 'NR > 1 && $2 { off += $14 } END { exit !(off > 0) }' saved.csv || fail "nobody was off the CPU"
	"$DWELL" calls --csv --program cost saved.bin > calls.csv
	[ "$(columns calls.csv function | grep -cx heavy)" = 120 ]
	"$DWELL" info --json --program cost saved.bin > info.json
	grep -q '"balanced": true' info.json && ! grep -q '"balanced": false' info.json
}

# What OS_DumpCallTrace prints as "NAME LR R0 R1 R2 R3", oldest first, two blanks a level; - where a register is not kept
printed_calls()
{
	tr -d '\r' < "$1" | awk '
	/^ *[a-z0-9]+: lr=/ {
		split("", value)
		for (i = 2; i <= NF; i++) {
			split($i, part, /[=,]/)
			value[part[1]] = part[2]
		}
		line = $0
		sub(/:.*/, "", line)
		line = line " " value["lr"]
		for (i = 0; i < 4; i++)
			line = line " " (("r" i) in value ? value["r" i] : "-")
		print line
	}' | tac
}

listed_calls()
{
	columns "$1" depth function lr arg1 arg2 arg3 arg4 | awk -F '\t' '
	function digits(cell) {
		cell = substr(cell, 3)
		while (cell != "" && length(cell) < 8)
			cell = "0" cell
		return cell == "" ? "-" : cell
	}
	{
		printf "%*s%s", 2 * $1, "", $2
		for (i = 3; i <= 7; i++)
			printf " %s", digits($i)
		print ""
	}'
}

# traces MODE LINES FLAGS ...: in stack mode the dump is not indented
traces()
{
	build "$1" CALLTRACE "-DTRACE=OS_CALLTRACE_$1" "${@:3}"
	stands "$1"
	"$DWELL" fetch --gdb "./$1.sock" --program "$1" -o "$1.core"
	ram_image "$1"
	kill $qemu
	printed_calls "$1.out" > want
	[ "$(wc -l < want)" = "$2" ]
	for image in "$1.core" "$1.ram"; do
		"$DWELL" calls --csv --args "$image" > calls.csv
		listed_calls calls.csv > listed
		if [ "$1" = STACK ]; then
			sed 's/^ *//' listed > got
		else
			cp listed got
		fi
		diff want got || fail "(< printed by the program, > listed of $image)"
		"$DWELL" report --csv "$image" > report.csv
		[ "$(columns report.csv function calls | sort | tr '\t\n' ' ;')" = "test1 $(($2 / 3));test2 $(($2 / 3));test3 $(($2 / 3));" ]
	done
}

# Of r0–r3 only two, and one that is not kept in front of each; and what dwell names makes of lr
some_registers()
{
	traces STACK 3 -DREGISTERS=10
	grep -c ' - [0-9a-f]\{8\} - [0-9a-f]\{8\}$' want | grep -qx 3
	"$DWELL" calls --args STACK.core > listed
	"$DWELL" names STACK < listed > named
	cat listed named
	grep -q ' test2(?, [-0-9a-fx]*, ?, [-0-9a-fx]*) lr=[0-9a-f]\{8\}$' listed
	sed -n 's/.* \(test[0-9]\)(.* lr=\([a-zA-Z0-9]*\)+0x[0-9a-f]*$/\1 \2/p' named > callers
	prints callers <<-END
	test1 NitroMain
	test2 test1
	test3 test2
	END
}

# Names are addresses of functions: the program has them, whichever way its memory came, and what stands there is no text.
without_plugin()
{
	local on="-finstrument-functions -Wno-unknown-pragmas" state image
	for state in -marm -mthumb; do
		rm -f -- cost.* STACK.*
		build cost FUNCTIONCOST $state
		stands cost
		"$DWELL" fetch --gdb ./cost.sock --program cost -o cost.core
		ram_image cost
		kill $qemu
		"$DWELL" names cost < cost.out > cost.named
		printed_statistics cost.named | sed '/^keep/d' > want # it is what summarises
		[ "$(wc -l < want)" = 4 ] || fail "the program printed:" "$(cat cost.out)"
		for image in cost.core cost.ram; do
			"$DWELL" report --csv --program cost "$image" > cost.csv 2> err || [ $image = cost.ram ]
			columns cost.csv function calls self_ns total_ns | awk -F '\t' '{ printf "%s\t%d\t%d\t%d\n", $1, $2, $3 * 0.024 + 0.5, $4 * 0.024 + 0.5 }' |
				sed '/^keep/d' | sort > got
			diff want got || fail "$state: (< printed by the program, > reported of $image)"
		done
		"$DWELL" report --csv cost.core > plain.csv
		[ "$(columns plain.csv function | grep -cx '0x[0-9a-f]\{5\}')" = 5 ] || fail "$(cat plain.csv)"
		build STACK CALLTRACE -DTRACE=OS_CALLTRACE_STACK $state
		stands STACK
		"$DWELL" fetch --gdb ./STACK.sock --program STACK -o STACK.core
		kill $qemu
		"$DWELL" names STACK < STACK.out > STACK.named
		sed -n 's/^\(test[123]\): lr=\([A-Za-z0-9]*+0x[0-9a-f]*\).*/\1 \2/p' STACK.named | tac > want
		[ "$(wc -l < want)" = 3 ]
		"$DWELL" calls --args --program STACK STACK.core | "$DWELL" names STACK | sed -n 's/.* \(test[123]\)(?) lr=/\1 /p' > got
		diff want got || fail "$state: (< printed by the program, > listed)"
	done
}

# A megabyte: how many requests it takes is exact, how long depends on the machine.
megabyte()
{
	stands STACK
	"$DWELL" fetch --gdb ./STACK.sock --address 0x10000 --size 1M --raw -o large.bin > said
	cat said
	[ "$(stat -c %s large.bin)" = $((1 << 20)) ]
	awk '{ requests = $(NF - 1) } END { exit !(requests > 0 && requests <= 530) }' said
	echo "pmemsave 0x10000 0x100000 large.ram" > STACK.monitor
	for _ in $(seq 600); do
		[ "$(stat -c %s large.ram 2> /dev/null)" = $((1 << 20)) ] && break
		sleep 0.1
	done
	cmp large.bin large.ram
	# It went on when fetch had left, and can be stopped again; a program of another build is refused.
	status=0
	"$DWELL" fetch --gdb ./STACK.sock --program cost -o other.core 2> err || status=$?
	kill $qemu
	[ $status = 2 ]
	grep -q 'is not what runs there' err || fail "$(cat err)"
	[ ! -e other.core ]
}

test_that "function cost and statistics: through the stub, as a RAM image, and the lines alone" cost
test_that "a call trace in stack mode" traces STACK 3
test_that "a call trace in log mode" traces LOG 6
rm -f STACK.sock STACK.monitor STACK.out
test_that "a call trace with some of the registers" some_registers
test_that "without the plugin: names are addresses of functions, which the program has" without_plugin
rm -f STACK.sock STACK.monitor STACK.out
build STACK CALLTRACE -DTRACE=OS_CALLTRACE_STACK
build cost FUNCTIONCOST
test_that "a megabyte; another program" megabyte
done_testing
