# Sourced by bench/run: how fast dwell reads traces of programs with many functions, beside one of nothing but calls, each time in the same
# minute. Rates are of processor time on one core; the gain of two jobs is by the clock.

# A file for cc1: functions of some lines each.
some_c()
{
	local i
	printf 'unsigned long strlen(const char *);\n'
	for ((i = 0; i < 30; i++)); do
		printf 'static int f%d(int x, char *s) { int t = %d; for (int k = 0; k < x; k++) { switch (s[k] & 7) { case 0: t += k * %d; break; ' $i $i $((i + 3))
		printf 'case 1: t ^= s[k]; break; case 5: t = t * 31 + %d; break; default: t -= (int)strlen(s); } if (t > 1000) t /= 3; } return t; }\n' $i
	done
	printf 'int main(int c, char **v) { int s = 0;'
	for ((i = 0; i < 30; i++)); do printf ' s += f%d(c, v[0]);' $i; done
	printf ' return s; }\n'
}
some_atoms()
{
	printf '%s\n' 'units lj' 'atom_style atomic' 'lattice fcc 0.8442' 'region box block 0 10 0 10 0 10' 'create_box 1 box' 'create_atoms 1 box' \
		'mass 1 1.0' 'velocity all create 3.0 87287' 'pair_style lj/cut 2.5' 'pair_coeff 1 1 1.0 1.0 2.5' 'fix 1 all nve' 'thermo 20' 'run 2400'
}

# reading_rows NAME PROGRAM …: with what record needs besides in $options.
reading_rows()
{
	local name=$1 file=$work/real.dwell report tree gain ceiling of_fib fib_gain
	shift
	if ! command -v "$1" > /dev/null; then
		row_absent "report of $name's trace, on one core, of fib's rate" ">= 0.25" "$1 is not installed"
		return
	fi
	"$build/dwell" record --trace "${options[@]}" -o "$file" -- "$@" > /dev/null 2> "$work/said" || give_up "recording $name failed: $(cat "$work/said")"
	of_fib=$(events_each "$work/fib.dwell" report) fib_gain=$(gain "$work/fib.dwell")
	report=$(events_each "$file" report) tree=$(events_each "$file" tree) gain=$(gain "$file") ceiling=$(ceiling "$file")
	row "report of $name's trace, $(calculate "$(events_of "$file") / 1e6" %.1f) M events, on one core, of fib's rate" ">= 0.25" \
		"$(calculate "$report / $of_fib")" "$report / $of_fib >= 0.25"
	row "    tree" ">= 0.17" "$(calculate "$tree / $of_fib")" "$tree / $of_fib >= 0.17"
	row "    the gain of two jobs, of fib's gain of $(calculate "$fib_gain")" ">= 0.9" "$(calculate "$gain / $fib_gain")" "$gain / $fib_gain >= 0.9"
	row "    the gain of two jobs, of the ceiling of $(calculate "$ceiling"): two readings at a time" "-" "$(calculate "$gain / $ceiling")" ""
	rm "$file"
}
# Of FILE COMMAND: a second of processor time.
events_each() { calculate "$(events_of "$1") / $(told 1 "$1" "$2" | cut -d' ' -f2)" %.0f; }
gain() { calculate "$(told 1 "$1" report | cut -d' ' -f1) / $(told 2 "$1" report | cut -d' ' -f1)" %.3f; }

# Of two readings of one job at the same time, of files of their own: two jobs could gain that much if no moment of theirs was for one alone.
ceiling()
{
	local i file
	cp "$1" "$work/other.dwell"
	: > "$work/pairs"
	for i in 1 2 3; do
		for file in "$1" "$work/other.dwell"; do
			"$build/bench/usage" "$file.usage" "$build/dwell" report --jobs 1 "$file" > /dev/null 2>&1 &
		done
		wait
		cat "$1.usage" "$work/other.dwell.usage" | sort -g | tail -1 >> "$work/pairs"
	done
	rm "$work/other.dwell"
	calculate "2 * $(told 1 "$1" report | cut -d' ' -f1) / $(sort -g "$work/pairs" | sed -n 2p | cut -d' ' -f1)" %.3f
}

measure_reading()
{
	local options=()
	say "reading traces of programs with many functions"
	some_c > "$work/some.c"
	some_atoms > "$work/some.lj"
	$cc -O2 -g -finstrument-functions -fno-tree-ter -Ibench/peers bench/peers/fib.c -o "$work/fib"
	"$build/dwell" record -o "$work/fib.dwell" "$work/fib" 34 > /dev/null 2> "$work/said" || give_up "recording failed: $(cat "$work/said")"
	reading_rows cc1 "$($cc -print-prog-name=cc1)" -quiet -O2 "$work/some.c" -o /dev/null
	reading_rows python3 /usr/bin/python3 -c 'd = {}
for i in range(400000): d[i % 977] = str(i) + "x"
print(len("".join(sorted(d.values()))))'
	options=(--only '*' --only 'module:libsqlite3*')
	reading_rows SQLite sqlite3 :memory: 'with recursive n(i) as (select 1 union all select i + 1 from n where i < 200000)
		select count(*), sum(i * i % 7), max(printf("%d", i)) from n order by i % 13;'
	options=(--only '*' --only 'module:liblammps*')
	reading_rows LAMMPS lmp -log none -in "$work/some.lj"
}
