/* A range of time: the call paths and functions between two moments, from the calls of the timeline. A call's time is the part of
 * it that lies in the range. Its self time leaves out the parts of its children. */

/* The time that a thread was off the CPU before a moment, unknown times included; 0 where this was not recorded. In an interval,
 * the time is spread evenly. */
function offBefore(states, moment) {
	if (!states)
		return 0
	const sum = i => states.off.reduce((all, kind) => all + kind[i], 0)
	if (!states.before) {
		states.before = new Float64Array(states.count + 1)
		for (let i = 0; i < states.count; i++)
			states.before[i + 1] = states.before[i] + sum(i)
	}
	const i = firstState(states, moment)
	return states.before[i] + (i < states.count && states.start[i] < moment ? sum(i) * (moment - states.start[i]) / (states.end[i] - states.start[i]) : 0)
}

function makePath(fn) { return { fn, calls: 0, wall: { total: 0, self: 0 }, off: { total: 0, self: 0 }, below: new Map() } }

/* The call paths of some threads together, below a root without a function. calls: only those that began in the range. */
function pathsBetween(threads, from, to) {
	const root = makePath(-1)
	for (const thread of threads)
		thread.sums.addPaths(root, from, to)
	return root
}

/* Sums up paths. own: the self time of each function, by the clock; calls, sum: the calls and the self time of all functions. */
function sumPaths(root) {
	const own = new Map(), left = [root]
	let calls = 0, sum = 0
	while (left.length) {
		const path = left.pop()
		if (path !== root) {
			own.set(path.fn, (own.get(path.fn) ?? 0) + path.wall.self)
			calls += path.calls
			sum += path.wall.self
		}
		for (const below of path.below.values())
			left.push(below)
	}
	return { calls, own, sum }
}

/* Makes a tree (makeTree) of these paths. Of siblings, the one with the largest total by the clock comes first. The columns have
 * the keys of dwell tree. */
function treeOfPaths(root, data) {
	const keys = ['depth', 'function', 'calls', 'total_ns', 'self_ns', ...data.hasBases ? ['total_cpu_ns', 'self_cpu_ns'] : []]
	const sorted = path => [...path.below.values()].sort((a, b) => a.wall.total - b.wall.total)
	const rows = [], left = sorted(root).map(path => ({ path, depth: 0 }))
	while (left.length) {
		const { path, depth } = left.pop(), { fn, calls, wall, off } = path
		rows.push([depth, fn, calls, wall.total, wall.self, wall.total - off.total, wall.self - off.self])
		for (const below of sorted(path))
			left.push({ path: below, depth: depth + 1 })
	}
	return makeTree({ columns: keys.map(key => ({ key })), rows }, data.kind)
}

/* Makes the table of functions of such a tree. Of recursive calls, only the outermost counts in the total. whole: the table of the
 * whole recording, which has titles and texts. */
function functionsOfTree(tree, data, whole) {
	const clocks = ['wall', ...data.hasBases ? ['cpu', 'off'] : []], sums = new Map(), opened = []
	for (let i = 0; i < tree.count; i++) {
		while (opened.length && opened[opened.length - 1].end <= i)
			opened.pop().row.open--
		const fn = tree.fn[i]
		if (!sums.has(fn))
			sums.set(fn, { fn, calls: 0, open: 0, times: clocks.map(() => [0, 0]) })
		const row = sums.get(fn)
		row.calls += tree.calls[i]
		clocks.forEach((basis, at) => {
			row.times[at][0] += row.open ? 0 : tree[basis].total[i]
			row.times[at][1] += tree[basis].self[i]
		})
		row.open++
		opened.push({ row, end: tree.end[i] })
	}
	const all = tree.wall.self.reduce((sum, self) => sum + self, 0) || 1
	const old = key => whole.columns.findIndex(column => column.key === key)
	const column = (key, title, unit) => ({ key, title: whole.columns[old(key)]?.title ?? title, unit })
	const texts = whole.columns.map((column, at) => ({ ...column, at })).filter(({ unit }) => unit === 'text')
	return {
		columns: [column('function', 'function', 'name'), ...data.kind === 'samples' ? [] : [column('calls', 'calls', 'count')],
			...clocks.flatMap(basis => [['total', basis], ['self', basis]]).map(([what, basis]) => column(`${what}${basis === 'wall' ? '' : `_${basis}`}_ns`, what, 'ns')),
			column('self_percent', 'self %', 'percent'), ...texts],
		rows: [...sums.values()].map(({ fn, calls, times }) => [fn, ...data.kind === 'samples' ? [] : [calls], ...times.flat(), 100 * times[0][1] / all,
			...texts.map(({ at }) => whole.rows[data.rowOf.get(fn)]?.[at] ?? null)]),
	}
}

/* Makes a range of these threads. Its ends are whole units of time, so that a link keeps them exactly. */
function makeRange(threads, from, to) {
	from = Math.round(from)
	to = Math.round(to)
	return { from, to, paths: pathsBetween(threads, from, to) }
}

/* From now on the trees and the table of functions of a recording are of this range, with all threads; null: of the whole
 * recording. */
function setRange(data, range) {
	const { tree, functions, unit, trees } = data.whole
	Object.assign(data, { range, tree, functions, unit })
	data.threads.forEach((thread, at) => { thread.tree = trees[at] })
	indexRows(data)
	if (range) {
		const { from, to, paths } = range
		data.tree = treeOfPaths(paths, data)
		for (const thread of data.threads)
			thread.tree &&= treeOfPaths(pathsBetween([thread], from, to), data)
		data.functions = functionsOfTree(data.tree, data, functions)
		data.unit = data.timeUnit
		indexRows(data)
	}
	setBasis(data, data.basis)
}

function formatRange({ from, to }, unit) { return formatSpan(from, to, unit).replace(/ … (.*): .*/, ' to $1') }

/* The text above the views: what the numbers of a range are, and what they lack. */
function describeRange(data) {
	const unit = data.timeUnit, { from, to } = data.range
	return [data.kind === 'samples' ? 'Only this range, from the boxes of the timeline: times are what samples stand for, without intervals. ' : 'Only this range, as recorded; calls count where they begin. ',
		data.density ? `The page has the ${formatCount(data.calls.single)} longest ${data.kind === 'samples' ? 'stretches' : 'calls'} one by one; the time of shorter ones is in their callers’ self time. ${unit === 'ns' && data.kind === 'trace' ? `All calls: dwell calls --from ${from}ns --to ${to}ns. ` : ''}` : '',
		data.hasBases && data.states_apart_ns ? `Times off the CPU below ${formatTime(data.states_apart_ns, unit)} are averages. ` : '',
		'Durations, slowest calls and source lines: the whole recording.'].join('')
}
