# Sourced by the drivers that sample with osProfile…: what a fetched histogram must say.
ultra=$ROOT/test/e2e/machines/ultra
. "$ultra/port.sh"

build_fetch()
{
	gcc -std=gnu11 -O1 -Wall -Wextra -Werror -I"$ROOT" -I"$ROOT/test" "$ultra/fetch.c" "$ROOT/classic/core/wire.c" -o fetch
}

# function_counts FETCHED PROGRAM NM BIAS: "FUNCTION COUNT" of each function that was hit
function_counts()
{
	{
		# Addresses of 32 bits, sign-extended or not, are these 32 bits.
		"$3" -n "$2" | awk '$2 ~ /[tTwW]/ && $3 !~ /_(begin|end)$|^\$/ { print "at", $1, $3 }'
		cat "$1"
	} | perl -ne '
		BEGIN { no warnings "portable"; $bias = hex("'"$4"'"); }
		no warnings "portable";
		if (/^at (\w+) (\S+)/) { push @at, hex(substr($1, -'"${5:-16}"')); push @name, $2 }
		elsif (/^count (\w+) (\d+)/) {
			my $pc = hex($1) - $bias; my $in = "?";
			for (my $i = 0; $i < @at && $at[$i] <= $pc; $i++) { $in = $name[$i] }
			$sum{$in} += $2;
		}
		END { print "$_ $sum{$_}\n" for sort keys %sum }'
}

# three_to_one COUNTS LEAST: hot() has three quarters of what it and cold() have, as exactly as so many samples can say: within six standard
# deviations, as a test that is right in 95 % of all runs is none; and there are so many, at least.
three_to_one()
{
	cat "$1"
	awk -v least="$2" -v sigmas="${3:-6}" '
		{ count[$1] = $2 }
		END {
			n = count["hot"] + count["cold"]
			share = n ? count["hot"] / n : 0
			off = n ? (share - 0.75) / sqrt(0.75 * 0.25 / n) : 0
			printf "%d samples, hot %.2f %%, %.2f standard deviations off\n", n, 100 * share, off
			exit !(n >= least && off <= sigmas && off >= -sigmas)
		}' "$1"
}

# shares_hold CSV: of a report of dwell gperf, as three_to_one: of the samples in hot() and cold(). The interval is the one of so many throws
# of a die.
shares_hold()
{
	cat "$1"
	awk -F, -v least="$2" -v sigmas=6 '
		{ count[$1] = $21; share[$1] = $22; low[$1] = $23; high[$1] = $24; if ($21 ~ /^[0-9]+$/) all += $21 }
		END {
			n = count["hot"] + count["cold"]
			off = n ? (count["hot"] / n - 0.75) / sqrt(0.75 * 0.25 / n) : 0
			p = all ? count["hot"] / all : 0
			half = all ? 1.96 * sqrt(p * (1 - p) / all) : 0
			wide = (high["hot"] - low["hot"]) / 200
			printf "%d samples of %d, hot %.2f %%, %.2f standard deviations off, interval ±%.2f, expected ±%.2f\n", n, all, 100 * p, off,
				100 * wide, 100 * half
			exit !(n >= least && off <= sigmas && off >= -sigmas && share["hot"] > 100 * p - 0.01 && share["hot"] < 100 * p + 0.01 &&
				wide > 0.97 * half && wide < 1.05 * half)
		}' "$1"
}

# serial_line [OPTIONS]: a serial line to $port, in the background as $line_pid; $device is the host's end
serial_line()
{
	local tries
	[ -x tty ] || gcc -D_GNU_SOURCE -std=gnu11 -O1 -Wall -Wextra -Werror "$ultra/tty.c" -o tty
	: > device
	./tty "$@" "$port" > device &
	line_pid=$!
	for tries in {1..300}; do
		device=$(awk '$1 == "device" { print $2 }' device)
		[ -z "$device" ] || return 0
		kill -0 $line_pid || break
		sleep 0.1
	done
	fail "no pair of terminals"
}

# waits_for_port PORT PATTERN TEXT: for a line of /proc/net/tcp that has the pattern behind the port
waits_for_port()
{
	local tries
	for tries in {1..300}; do
		! grep -qiE ":$(printf %04x "$1") $2" /proc/net/tcp || return 0
		sleep 0.1
	done
	fail "nobody $3 $1"
}

# listens PORT: waits until somebody does, without being a host
listens()
{
	waits_for_port "$1" "00000000:0000 0A" "listens at"
}

# is_connected PORT: waits until somebody is
is_connected()
{
	waits_for_port "$1" "[0-9A-F]+:[0-9A-F]{4} 01" "is connected to"
}

# have_machine NAME: sets $cc, $qemu, $order
have_machine()
{
	order=1
	case $1 in
	mips3) cc=mips-linux-gnu-gcc qemu=qemu-system-mips64 order=2 ;;
	cortex-m3) cc=arm-none-eabi-gcc qemu=qemu-system-arm ;;
	rv32imac) cc=riscv64-unknown-elf-gcc qemu=qemu-system-riscv32 ;;
	esac
	command -v $cc > /dev/null && command -v $qemu > /dev/null
}

make_machines() # NAME ...
{
	local name board targets=()
	for name; do
		case $name in
		mips3) board=malta ;;
		cortex-m3) board=mps2 ;;
		rv32imac) board=virt ;;
		esac
		# As the Makefile spells it.
		targets+=("${BUILD#"$ROOT"/}/lib/$name/libultra.PROF_d.a" "${BUILD#"$ROOT"/}/lib/$name/$board.o")
	done
	# Several drivers want the same.
	flock "$BUILD/makes.lock" make -s -C "$ROOT" BUILD="$BUILD" "${targets[@]}"
}

mips_flags()
{
	echo "-mabi=32 -march=vr4300 -mno-abicalls -fno-pic -G0 -msoft-float -static -Wl,--build-id=none -T $ultra/mips.ld"
}

# build_machine NAME SOURCE [FLAGS]: ./program, unless that is just what it is
build_machine()
{
	local name=$1 source=$2 flags start what="$*"
	local lib=$BUILD/lib/${name/n64/mips3}
	[ "$what" != "$(cat program.of 2> /dev/null)" ] || return 0
	rm -f program.of
	shift 2
	case $name in
	n64) flags="$(mips_flags) -I$ROOT -I$ROOT/target -I$ROOT/classic/target/port/ultra/bare" start="$ultra/mips.S $ultra/n64.c" ;;
	mips3) flags=$(mips_flags) start="$ultra/mips.S $lib/malta.o" ;;
	cortex-m3) flags="-mcpu=cortex-m3 -mthumb -T $ultra/m3.ld" start="$ultra/m3.c $lib/mps2.o" ;;
	rv32imac) flags="-march=rv32imac_zicsr -mabi=ilp32 -mcmodel=medany -static -Wl,--no-warn-rwx-segments -T $ultra/riscv.ld" start="$ultra/riscv.S $lib/virt.o" ;;
	esac
	# shellcheck disable=SC2086
	$cc $flags -O2 -g -Wall -Wextra -Werror -ffreestanding -nostdlib -nostartfiles -I"$ROOT/include" "$@" $start "$ultra/$source" "$ultra/ratio.c" \
		"$lib/libultra.PROF_d.a" -o program
	echo "$what" > program.of
}

machine_options() # NAME
{
	case $1 in
	mips3) echo "-M malta -cpu R4000 -nodefaults -no-reboot" ;;
	cortex-m3) echo "-M mps2-an385" ;;
	rv32imac) echo "-M virt -bios none" ;;
	esac
}

# start_machine NAME: with its UART at $port
start_machine()
{
	port=$(free_port)
	# shellcheck disable=SC2046
	QEMU_AUDIO_DRV=none timeout -k 5 150 $qemu $(machine_options "$1") -display none -monitor none -serial "tcp:127.0.0.1:$port,server=on,wait=off" \
		-icount shift=5,sleep=on -kernel program < /dev/null > qemu.log 2>&1 &
	machine_pid=$!
	listens $port
}

stop_machine()
{
	kill $machine_pid
	wait $machine_pid 2> /dev/null || true
}
