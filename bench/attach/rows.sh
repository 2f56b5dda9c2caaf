# Sourced by bench/run: what a request to a server of one thread waits for while dwell attaches to it, with no plan made before.

# All three run as if nobody else wanted a processor, where that is allowed: it is dwell that is measured.
measure_attach()
{
	local figure="worst request to redis-server, 20 attaches of 0.1 s without a plan, over 20 runs without, ms" alone= i pid without with longest
	say "a server that is attached to"
	if [ -z "$(command -v redis-check-rdb)" ]; then
		row_absent "$figure" "<= 5" "there is no redis-server"
		return
	fi
	! chrt -f 1 true 2> /dev/null || alone="chrt -f 1"
	$cc -D_GNU_SOURCE -O2 bench/attach/worst.c -o "$work/worst"
	# The server goes by another name in redis-tools.
	$alone bash -c 'exec -a redis-server redis-check-rdb --port 0 --unixsocket "$0" --save ""' "$work/redis" > "$work/redis.log" 2>&1 &
	pid=$!
	for ((i = 0; i < 100; i++)); do [ ! -S "$work/redis" ] || break; sleep 0.05; done
	: > "$work/without" > "$work/with" > "$work/stops"
	for ((i = 0; i < 20; i++)); do
		$alone "$work/worst" "$work/redis" 0.8 >> "$work/without"
		$alone "$work/worst" "$work/redis" 0.8 >> "$work/with" &
		XDG_CACHE_HOME=$work/cache$i $alone "$build/dwell" attach --trace --for 0.1s -o "$work/attach.dwell" "$pid" 2> "$work/said" ||
			give_up "dwell attach failed: $(cat "$work/said")"
		wait $!
		"$build/dwell" info "$work/attach.dwell" | sed -n 's/^stops .*the longest \([0-9.]*\) ms.*/\1/p' >> "$work/stops"
	done
	kill "$pid" && wait "$pid" 2> /dev/null || true
	without=$(sort -g "$work/without" | tail -1) with=$(sort -g "$work/with" | tail -1) longest=$(sort -g "$work/stops" | tail -1)
	row "$figure" "<= 5" "$(calculate "$with - $without") ($with and $without)" "$with - $without <= 5"
	row "    the longest stop, ms" "<= 5" "$longest" "$longest <= 5"
}
