/* Unpacks the data of the page, and brings them into the form that the views need. Anybody may have chosen the names in a
 * recording, so the page shows names as text only, never as markup. */

async function unpack(id) {
	const text = document.getElementById(id).textContent.trim()
	if (typeof DecompressionStream === 'undefined')
		throw new Error('This browser is too old to unpack the page: one from 2023 or later can.')
	const letters = atob(text)
	const bytes = new Uint8Array(letters.length)
	for (let i = 0; i < letters.length; i++)
		bytes[i] = letters.charCodeAt(i)
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))
	return new Uint8Array(await new Response(stream).arrayBuffer())
}

/* Reads the numbers that page_add (page.h) writes: 7 bits in each byte, the low bits first. */
class Numbers {
	constructor(bytes) {
		this.bytes = bytes
		this.at = 0
	}
	next() {
		let byte = this.bytes[this.at++]
		if (byte < 128)
			return byte
		let number = byte & 127
		let factor = 128
		do {
			byte = this.bytes[this.at++]
			number += (byte & 127) * factor
			factor *= 128
		} while (byte >= 128)
		return number
	}
	signed() {
		const number = this.next()
		return number % 2 ? -(number + 1) / 2 : number / 2
	}
}

/* Returns the place of a column in a table of an analysis: of the first key whose column has a value in any row; -1: none. In a
 * table without rows every column counts. */
function columnOf(table, ...keys) {
	table.filled ??= table.columns.map((column, at) => !table.rows.length || table.rows.some(row => plain(row[at]) !== null))
	for (const key of keys) {
		const at = table.columns.findIndex(column => column.key === key)
		if (at >= 0 && table.filled[at])
			return at
	}
	return -1
}

/* The value of a cell. page_begin_table (page.h) puts an unsure value into an array of one. */
function plain(value) {
	return Array.isArray(value) ? value[0] : value
}

/* The times of a recording of calls that has CPU times. The user chooses one: tables are sorted by this time, and the widths of
 * boxes show it. self, total: the keys of its columns. */
const bases = {
	cpu: { title: 'CPU', hint: 'Time on a CPU', self: 'self_cpu_ns', total: 'total_cpu_ns' },
	wall: { title: 'Wall', hint: 'Time by the clock, waiting included', self: 'self_ns', total: 'total_ns' },
	off: { title: 'Off CPU', hint: 'Wall less CPU: waiting, or ready to run and preempted', self: 'self_off_ns', total: 'total_off_ns' },
}

/* Makes a tree of paths from a table whose rows are in preorder. Row i is node i, and each column of the tree is an array by node.
 * fn: function id; -1: a row without a function, whose name is in others. */
function makeTree(table, kind) {
	const rows = table.rows
	const count = rows.length
	const at = {
		depth: columnOf(table, 'depth'), name: columnOf(table, 'function'), calls: columnOf(table, 'calls'),
		total: columnOf(table, 'total_ns', 'total'), self: columnOf(table, 'self_ns', 'self'),
		totalCpu: columnOf(table, 'total_cpu_ns'), selfCpu: columnOf(table, 'self_cpu_ns'),
	}
	const zeros = () => new Float64Array(count)
	const tree = {
		count, depth: new Int32Array(count), fn: new Int32Array(count), parent: new Int32Array(count), end: new Int32Array(count),
		calls: zeros(), wall: { total: zeros(), self: zeros() }, cpu: { total: zeros(), self: zeros() }, off: { total: zeros(), self: zeros() },
		value: zeros(), roots: 0, others: new Map(),
	}
	for (let i = 0; i < count; i++) {
		const row = rows[i]
		tree.depth[i] = row[at.depth]
		tree.fn[i] = typeof row[at.name] === 'number' ? row[at.name] : -1
		if (tree.fn[i] < 0)
			tree.others.set(i, row[at.name])
		tree.calls[i] = plain(row[at.calls]) ?? 0
		for (const key of ['total', 'self']) {
			tree.wall[key][i] = plain(row[at[key]]) ?? 0
			tree.cpu[key][i] = plain(row[at[`${key}Cpu`]]) ?? 0
			tree.off[key][i] = Math.max(0, tree.wall[key][i] - tree.cpu[key][i])
		}
	}
	linkTree(tree)
	setTreeBasis(tree, 'wall', kind)
	return tree
}

/* Sets parent and end of each node, from the depths in preorder. parent: -1 for a root; end: the first node behind the subtree. */
function linkTree(tree) {
	const path = []
	for (let i = 0; i < tree.count; i++) {
		const depth = tree.depth[i]
		for (; path.length > depth; path.pop())
			tree.end[path[path.length - 1]] = i
		tree.parent[i] = depth ? path[depth - 1] : -1
		path.push(i)
	}
	for (; path.length; path.pop())
		tree.end[path[path.length - 1]] = tree.count
}

/* Chooses the time that tree.total and tree.self have from now on, and sets the widths of boxes. basis: a key of bases; 'old' or
 * 'new' in the tree of a comparison. */
function setTreeBasis(tree, basis, kind) {
	const count = tree.count
	tree.total = tree[basis].total
	tree.self = tree[basis].self
	tree.roots = 0
	/* A box is at least as wide as its children together. Without times, the width is the number of calls in the subtree. */
	const inner = new Float64Array(count)
	for (let i = count - 1; i >= 0; i--) {
		tree.value[i] = kind === 'untimed' ? tree.calls[i] + inner[i] : Math.max(tree.total[i], inner[i])
		if (tree.parent[i] >= 0)
			inner[tree.parent[i]] += tree.value[i]
		else
			tree.roots += tree.value[i]
	}
}

/* The children of node i; i is -1: the roots. */
function* nodesBelow(tree, i) {
	const end = i < 0 ? tree.count : tree.end[i]
	for (let at = i + 1; at < end; at = tree.end[at])
		yield at
}

/* Chooses the time of all trees of a page, those of single threads included. */
function setBasis(data, basis) {
	data.basis = basis
	setTreeBasis(data.tree, basis, data.kind)
	for (const thread of data.threads)
		if (thread.tree)
			setTreeBasis(thread.tree, basis, data.kind)
}

/* Reads the calls of a thread, in order of entry. A call is in the lane of its depth, or, while another call is in this lane
 * (coroutines), in a deeper one. lanes: for each lane the indexes of its calls. */
function makeCalls(numbers) {
	const count = numbers.next()
	const calls = { count, start: new Float64Array(count), length: new Float64Array(count), fn: new Int32Array(count), unsure: new Uint8Array(count), depth: new Int32Array(count), lanes: [] }
	let before = 0
	for (let i = 0; i < count; i++)
		calls.start[i] = before += numbers.signed()
	for (let i = 0; i < count; i++)
		calls.length[i] = numbers.next()
	for (let i = 0; i < count; i++) {
		const word = numbers.next()
		calls.fn[i] = Math.floor(word / 2)
		calls.unsure[i] = word % 2
	}
	let depth = 0
	const ends = []
	const sizes = []
	const lane = new Int32Array(count)
	for (let i = 0; i < count; i++) {
		calls.depth[i] = depth += numbers.signed()
		let at = depth
		while (ends[at] > calls.start[i] + 1 && at < depth + 64)
			at++
		ends[at] = calls.start[i] + calls.length[i]
		lane[i] = at
		sizes[at] = (sizes[at] ?? 0) + 1
	}
	for (let at = 0; at < sizes.length; at++)
		calls.lanes.push(new Int32Array(sizes[at] ?? 0))
	sizes.fill(0)
	for (let i = 0; i < count; i++)
		calls.lanes[lane[i]][sizes[lane[i]]++] = i
	calls.lane = lane
	return calls
}

/* Reads the density of a thread (analysis/calls/density.h): by depth, a row of slices of time. slice: its number; fn: the function
 * with the most time; busy: the part of the slice that calls took; share: the part of busy that fn took (both 0…255); calls: how
 * many began in the slice. */
function makeDensity(numbers) {
	const rows = []
	for (let left = numbers.next(); left; left--) {
		const depth = numbers.next()
		const count = numbers.next()
		const row = { slice: new Int32Array(count), fn: new Int32Array(count), busy: new Uint8Array(count), share: new Uint8Array(count), calls: new Float64Array(count) }
		let slice = 0
		for (let i = 0; i < count; i++)
			row.slice[i] = slice += numbers.next()
		for (let i = 0; i < count; i++)
			row.fn[i] = numbers.next()
		for (let i = 0; i < count; i++) {
			const word = numbers.next()
			row.busy[i] = word >> 8
			row.share[i] = word & 255
		}
		for (let i = 0; i < count; i++)
			row.calls[i] = numbers.next()
		rows[depth] = row
	}
	return rows
}

/* Loads what every page of pages_write has. place: 0 and 1 for the recordings, 2 for their comparison. */
async function loadPage(place) {
	const data = JSON.parse(new TextDecoder().decode(await unpack(`data-${place}`)))
	data.place = place
	data.nameOf = id => data.names[id] ?? '?'
	data.lower = data.names.map(name => name?.toLowerCase() ?? '')
	return data
}

/* Sets data.rowOf: by function id, the index of the function's row in data.functions. */
function indexRows(data) {
	data.rowOf = new Map()
	const name = columnOf(data.functions, 'function')
	data.functions.rows.forEach((row, index) => {
		if (typeof row[name] === 'number')
			data.rowOf.set(row[name], index)
	})
}

async function loadRecording(place) {
	const data = await loadPage(place)
	data.isTime = data.unit === 'ns' || data.unit === 'ticks'
	data.timeUnit = data.time_unit /* of moments and durations; totals may have another unit */
	data.tree = makeTree(data.tree, data.kind)
	data.threads.forEach((thread, index) => {
		thread.index = index
		thread.tree = thread.tree ? makeTree(thread.tree, data.kind) : null
	})
	data.hasBases = data.kind === 'trace' && data.has_cpu && columnOf(data.functions, 'self_cpu_ns') >= 0
	setBasis(data, data.hasBases ? 'cpu' : 'wall')
	data.sources = new Map()
	for (let at = 0; at < (data.sources_of?.length ?? 0); at += 2)
		if (data.sources_of[at + 1])
			data.sources.set(data.sources_of[at], data.sources_of[at + 1])
	data.lineShares = new Map()
	for (let at = 0; at < (data.line_shares?.length ?? 0); at += 2)
		data.lineShares.set(data.line_shares[at], data.line_shares[at + 1])
	indexRows(data)
	data.whole = { tree: data.tree, functions: data.functions, unit: data.unit, trees: data.threads.map(thread => thread.tree) } /* of the whole recording; setRange puts others in their place */
	return data
}

/* Unpacks single calls, density and states for timelines and ranges, on the first use only. Returns the same promise each time. */
function loadCalls(data) {
	data.loading ??= unpackCalls(data)
	return data.loading
}

async function unpackCalls(data) {
	const calls = new Numbers(await unpack(`calls-${data.place}`))
	const density = data.density ? new Numbers(await unpack(`density-${data.place}`)) : null
	const states = new Numbers(await unpack(`states-${data.place}`))
	for (const thread of data.threads) {
		thread.calls = makeCalls(calls)
		thread.density = density ? makeDensity(density) : []
		thread.states = makeStates(states, thread)
		if (data.kind !== 'trace' || !data.has_cpu)
			thread.states = null
		thread.lanes = Math.max(thread.calls.lanes.length, thread.density.length)
		thread.sums = new CallSums(thread)
	}
}
