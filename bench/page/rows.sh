# Sourced by bench/run: pages. 500 million events are to become a page in 30 s, of 20 MB, that opens in 2 s: BENCH_EVENTS=500000000.

measure_page()
{
	local cores opened
	cores=$(nproc)
	[ "$cores" -lt 2 ] || cores=2
	say "a page of $events events"
	"$build/tracegen" --pack --functions 5 --depth 6 --threads 4 --events "$events" -o "$work/page.dwell"
	rate "events that become a page in a second, on two cores" 16.7 "$work/page.dwell" $cores html
	"$build/dwell" html -o "$work/page.html" "$work/page.dwell" 2> /dev/null || true
	row "    bytes of the page" "<= 20 MB" "$(calculate "$(stat -c %s "$work/page.html") / 1e6" %.1f) MB" "$(stat -c %s "$work/page.html") <= 20e6"
	if command -v chromium > /dev/null && command -v node > /dev/null; then
		opened=$(node bench/page/open.mjs "$work/page.html") || give_up "the page does not open"
		row "    seconds until it shows in Chromium" "<= 2" "${opened% *}" "${opened% *} <= 2"
		row "    and until its timeline does" "<= 2" "${opened#* }" "${opened#* } <= 2"
	else
		row_absent "    seconds until it shows" "<= 2" "chromium and node are not installed"
	fi
	rm -f "$work"/page.*
}
