/* What took the time between two moments: of single calls, the part that lies in it, without what they called. */

function ownTimes(threads, from, to) {
	const own = new Map()
	let count = 0, sum = 0
	const add = (fn, time) => {
		own.set(fn, (own.get(fn) ?? 0) + time)
		sum += time
	}
	for (const { calls } of threads) {
		const opened = [] /* calls around the one at hand: where they end, and whose they are */
		for (let i = 0; i < calls.count && calls.start[i] < to; i++) {
			const end = calls.start[i] + calls.length[i]
			if (end <= from && calls.length[i])
				continue
			while (opened.length && opened[opened.length - 1].depth >= calls.depth[i])
				opened.pop()
			const inside = Math.max(0, Math.min(end, to) - Math.max(calls.start[i], from))
			count += calls.start[i] >= from
			add(calls.fn[i], inside)
			const around = opened[opened.length - 1]
			if (around && around.end > calls.start[i])
				add(around.fn, -Math.min(inside, Math.max(0, Math.min(around.end, to) - Math.max(calls.start[i], from))))
			opened.push({ depth: calls.depth[i], end, fn: calls.fn[i] })
		}
	}
	return { calls: count, own, sum }
}
