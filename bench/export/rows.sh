# Sourced by bench/run: exports, beside a report of the same trace on one core. What streams has no more memory for ten times the events.

# exported FORMAT FILE: processor seconds and peak memory.
exported()
{
	one_core "$build/bench/usage" "$work/usage" "$build/dwell" export --to "$1" "$2" > /dev/null 2> "$work/said" || [ $? = 1 ] ||
		give_up "export --to $1 failed: $(cat "$work/said")"
	awk '{ print $2 + $3, $4 }' "$work/usage"
}

measure_export()
{
	local format report small large
	say "exports of a trace of $((events / 10)) events"
	"$build/tracegen" --pack --functions 50 --threads 4 --events $((events / 100)) -o "$work/small.dwell"
	"$build/tracegen" --pack --functions 50 --threads 4 --events $((events / 10)) -o "$work/large.dwell"
	report=$(told 1 "$work/large.dwell" report | cut -d' ' -f2)
	for format in perfetto pprof; do
		small=$(exported $format "$work/small.dwell")
		large=$(exported $format "$work/large.dwell")
		row "export --to $format, processor time of report's" - "$(calculate "${large% *} / $report" %.1f)" ""
		[ $format = perfetto ] || continue # others have all paths in memory
		row "    peak memory for ten times the events" "<= 1.2" "$(calculate "${large#* } / ${small#* }")" "${large#* } / ${small#* } <= 1.2"
	done
	rm "$work/small.dwell" "$work/large.dwell"
}
