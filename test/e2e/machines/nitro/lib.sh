# Sourced by nitro.sh, nitro_arm.sh and others: the manual's programs, and what they must print.
manual=$ROOT/test/e2e/machines/nitro

# plugin_of COMPILER: its flags, or status 1
plugin_of()
{
	makes plugin PLUGIN_CC="$1" > plugin.log 2>&1 || return 1
	local plugin
	plugin=$BUILD/plugin/$("$1" -dumpmachine)-$("$1" -dumpfullversion)/profile.so
	[ -e "$plugin" ] && echo "-fplugin=$plugin -fplugin-arg-profile-on"
}

# with_names PROGRAM NM < DUMP: lr as the function that it is in; registers but r0, whose values are the compiler's affair, as dots
with_names()
{
	"$2" "$1" | awk '
	function hex(text,    i, value) {
		for (i = 1; i <= length(text); i++)
			value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
		return value
	}
	NR == FNR {
		if ($2 ~ /^[tTwW]$/ && $3 !~ /^\$/) {
			at[++symbols] = hex($1)
			name[symbols] = $3
		}
		next
	}
	{
		if (match($0, /lr=[0-9a-f]+/)) {
			address = hex(substr($0, RSTART + 3, RLENGTH - 3))
			best = 0
			for (i = 1; i <= symbols; i++)
				if (at[i] < address && (!best || at[i] > at[best]))
					best = i
			$0 = substr($0, 1, RSTART + 2) name[best] substr($0, RSTART + RLENGTH)
		}
		gsub(/r[123]=[0-9a-f]+/, "&.")
		while (match($0, /r[123]=[0-9a-f]+\./))
			$0 = substr($0, 1, RSTART + 2) "." substr($0, RSTART + RLENGTH)
		gsub(/r0=0*/, "r0=")
		print
	}' - "$3"
}

# named: what the program printed, by names, and without what another way to compile changes
named()
{
	"$DWELL" names program < out | sed 's/+0x[0-9a-f]*//g; s/, r[0-3]=[0-9a-f]*//g; s/\(cost\|inclusive\) [0-9]*/\1 ./g'
}

# without_plugin LIBRARY FLAGS ...: with -finstrument-functions in its place, addresses are printed, and `dwell names` makes the same text of them
without_plugin()
{
	local library=$1 source type plugin=$on
	shift
	for source in stack stack_dump log_dump cost; do
		type=CALLTRACE
		[ $source != cost ] || type=FUNCTIONCOST
		on=$plugin
		build ".$type$library" "$@" "$manual/manual_$source.c"
		runs
		grep -q '^ *[a-z0-9A-Z_]*: [lc]' out
		named > want
		on="-finstrument-functions -Wno-unknown-pragmas"
		build ".$type$library" "$@" "$manual/manual_$source.c"
		runs
		grep -q '^ *\([0-9a-f]\{8\}\)\{1,2\}: [lc]' out || fail "no addresses: $(cat out)"
		grep '=' out | grep -v 'lr=[0-9a-f]*$' && fail "registers that nobody knows"
		named > got
		diff want got || fail "(< by the plugin, > by addresses)"
	done
}

# on_arm9: what a driver on the emulated ARM946E-S begins with: $cc, $lib, $arm9. Ends it, skipped, where that cannot be had
on_arm9()
{
	cc=arm-none-eabi-gcc
	if ! command -v $cc > /dev/null || ! command -v qemu-system-arm > /dev/null; then
		echo "1..0 # SKIP no compiler or no emulator for ARM (gcc-arm-none-eabi, qemu-system-arm)"
		exit
	fi
	makes nitro-arm > make.log 2>&1 || { echo "not ok 1 - make nitro-arm"; sed 's/^/# /' make.log; echo 1..1; exit 1; }
	lib=$BUILD/lib/arm946e-s
	arm9="-mcpu=arm946e-s -ffreestanding -fno-common -g -Wall -Wextra -I$ROOT/include -I$ROOT -DTwlMain=NitroMain"
}

prints()
{
	diff - "$1" || fail "(< expected, > printed)"
}

# 3.4: one function, and where it was called. ($2: its registers are not its own; it takes none.)
shows_function()
{
	with_names program "$1" out | sed 's/r0=[0-9a-f]*/r0=./' > names
	prints names <<-END
	OS_DumpCallTrace: lr=function
	function: lr=$2, r0=., r1=., r2=., r3=.
	END
}

# 3.5.1
shows_chain()
{
	with_names program "$1" out > names
	prints names <<-END
	OS_DumpCallTrace: lr=test3
	test3: lr=test2, r0=103, r1=., r2=., r3=.
	test2: lr=test1, r0=101, r1=., r2=., r3=.
	test1: lr=$2, r0=100, r1=., r2=., r3=.
	END
}

# 3.5.2
shows_log()
{
	with_names program "$1" out > names
	prints names <<-END
	    test3: lr=test2, r0=203, r1=., r2=., r3=.
	  test2: lr=test1, r0=201, r1=., r2=., r3=.
	test1: lr=$2, r0=200, r1=., r2=., r3=.
	    test3: lr=test2, r0=103, r1=., r2=., r3=.
	  test2: lr=test1, r0=101, r1=., r2=., r3=.
	test1: lr=$2, r0=100, r1=., r2=., r3=.
	END
}

# 4.4, 4.5: calls to the letter; what they cost adds up. $1: by how much of it what a loop costs may differ (a processor that others use, too, is not exact)
shows_cost()
{
	cat out
	sed 's/\(cost\|inclusive\) [0-9]*/\1 ./g' out > shape
	prints shape <<-END
	test1: count 1, cost .
	test2: count 3, cost .
	test3: count 4, cost .
	test1: count 1, cost ., inclusive .
	test2: count 3, cost ., inclusive .
	test3: count 4, cost ., inclusive .
	END
	awk -F '[ ,]+' -v allowed="$1" '
	function differs(what, got, want) {
		if (got < want * (1 - allowed) || got > want * (1 + allowed)) {
			printf "%s: %d, expected %d\n", what, got, want
			bad = 1
		}
	}
	NR > 3 { cost[$1] = $5; all[$1] = $7 }
	END {
		if (!(cost["test1:"] > 0 && cost["test2:"] > 0 && cost["test3:"] > 0)) {
			print "the clock stands still"
			bad = 1
		}
		if (all["test3:"] != cost["test3:"] || all["test2:"] < cost["test2:"] || all["test1:"] != cost["test1:"] + all["test2:"])
			bad = 1
		if (allowed) {
			differs("test2", cost["test2:"], cost["test3:"] * 9 / 4)
			differs("test1", cost["test1:"], cost["test3:"] * 0.5 / 4)
			differs("inclusive", all["test2:"], cost["test2:"] + cost["test3:"] * 3 / 4)
		}
		exit bad
	}' out
}

# Three threads: the same calls with the same cost, whether others run meanwhile or not. $1: by how much they may differ
shows_threads()
{
	cat out
	sed '/switches/d; s/\(cost\|inclusive\) [0-9]*/\1 ./g' out | sort > shape
	prints shape <<-END
	all at a time
	both: count 60, cost ., inclusive .
	both: count 60, cost ., inclusive .
	heavy: count 120, cost ., inclusive .
	heavy: count 120, cost ., inclusive .
	light: count 120, cost ., inclusive .
	light: count 120, cost ., inclusive .
	one after the other
	END
	awk -F '[ ,]+' -v allowed="$1" '
	/^all/ { second = 1 }
	/count/ { cost[$1, second + 0] = $5 }
	END {
		split("light: heavy:", name, " ")
		for (i = 1; i <= 2; i++) {
			once = cost[name[i], 0]
			again = cost[name[i], 1]
			printf "%s %d, then %d\n", name[i], once, again
			if (!(once > 0 && again > 0) || again < once / (1 + allowed) || again > once * (1 + allowed))
				bad = 1
		}
		if (cost["heavy:", 0] < cost["light:", 0] * 2)
			bad = 1
		exit bad
	}' out
}

# units FLAGS ...: the unit tests of the libraries in $lib, which make the calls by hand
units()
{
	local test
	for test in trace.CALLTRACE cost.FUNCTIONCOST cost_account.FUNCTIONCOST cost_bounds.FUNCTIONCOST; do
		$cc -std=gnu11 -O1 "$@" -I"$ROOT/include" -I"$ROOT" -I"$ROOT/target" -I"$ROOT/host" -I"$ROOT/test" "$ROOT/test/unit/nitro/${test%.*}.c" \
			"$lib/libos.${test#*.}.a" -pthread -o program
		runs
		! grep '^not ok' out && grep -q '^ok' out || fail "$test:" "$(cat out)"
	done
}
