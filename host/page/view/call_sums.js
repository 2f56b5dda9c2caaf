/* Sums of a thread's calls by call path, in blocks of consecutive calls. A range takes whole blocks, and single calls only at its ends,
 * so choosing a range of millions of calls takes no longer than one of thousands. */

const sumBlock = 4096 /* calls */

/* The paths of a thread, parents before children, and the path of each call. inside: the part of each call that lies in its caller,
 * from the call's start. */
function findPaths(calls) {
	const paths = { fn: [], parent: [] }, below = [new Map()]
	const pathOf = new Int32Array(calls.count), inside = new Float64Array(calls.count)
	const opened = [{ path: -1, depth: -1, end: Infinity }]
	for (let i = 0; i < calls.count; i++) {
		const start = calls.start[i], depth = calls.depth[i], fn = calls.fn[i], end = start + calls.length[i]
		while (opened.at(-1).depth >= depth || opened.at(-1).end < start)
			opened.pop()
		const around = opened.at(-1), kids = below[around.path + 1]
		let path = kids.get(fn)
		if (path === undefined) {
			kids.set(fn, path = paths.fn.length)
			paths.fn.push(fn)
			paths.parent.push(around.path)
			below.push(new Map())
		}
		pathOf[i] = path
		inside[i] = Math.min(end, around.end) - start
		opened.push({ path, depth, end })
	}
	return { paths, pathOf, inside }
}

/* By path: calls, time, the part of it in the caller, and of both the time off the CPU. isIn: a call of the path is in the sums. */
function makeAdded(count) {
	const zeros = () => new Float64Array(count)
	return { isIn: new Uint8Array(count), calls: zeros(), wall: zeros(), inside: zeros(), off: zeros(), insideOff: zeros() }
}

const addedKeys = ['calls', 'wall', 'inside', 'off', 'insideOff']

class CallSums {
	constructor({ calls, states }) {
		Object.assign(this, { calls, states, blocks: [] }, findPaths(calls))
		const added = makeAdded(this.paths.fn.length)
		for (let from = 0; from < calls.count; from += sumBlock)
			this.blocks.push(this.takeBlock(added, from, Math.min(calls.count, from + sumBlock)))
	}

	/* The sums of these calls, which are in added meanwhile. */
	takeBlock(added, from, to) {
		const used = new Set()
		for (let i = from; i < to; i++) {
			this.add(added, i, this.calls.start[i], this.calls.start[i] + this.calls.length[i], 1)
			added.calls[this.pathOf[i]]++
			used.add(this.pathOf[i])
		}
		const paths = Int32Array.from(used), block = { paths }
		for (const key of addedKeys) {
			block[key] = Float64Array.from(paths, path => added[key][path])
			for (const path of paths)
				added[key][path] = 0
		}
		return block
	}

	/* Adds the part of call i between two moments, or, with sign −1, takes it away. */
	add(added, i, begin, end, sign) {
		const path = this.pathOf[i], last = Math.min(end, this.calls.start[i] + this.inside[i])
		const off = (from, to) => this.states && to > from ? offBefore(this.states, to) - offBefore(this.states, from) : 0
		added.isIn[path] = 1
		added.wall[path] += sign * Math.max(0, end - begin)
		added.inside[path] += sign * Math.max(0, last - begin)
		added.off[path] += sign * off(begin, end)
		added.insideOff[path] += sign * off(begin, last)
	}

	addBlock(added, { paths, ...sums }) {
		for (let k = 0; k < paths.length; k++) {
			added.isIn[paths[k]] = 1
			for (const key of addedKeys)
				added[key][paths[k]] += sums[key][k]
		}
	}

	/* The first call that begins at a moment or later. */
	firstFrom(moment) {
		let low = 0, high = this.calls.count
		while (low < high) {
			const middle = (low + high) >> 1
			if (this.calls.start[middle] < moment)
				low = middle + 1
			else
				high = middle
		}
		return low
	}

	/* The calls that began before a moment and end after it: one in each lane at the most. */
	openAt(moment) {
		const { calls } = this, open = []
		for (const lane of calls.lanes) {
			const i = lane[firstBehind(calls, lane, moment)]
			if (i !== undefined && calls.start[i] < moment)
				open.push(i)
		}
		return open
	}

	/* The sums of the parts of all calls between two moments; as calls count only those that begin there. */
	between(from, to) {
		const { calls } = this, added = makeAdded(this.paths.fn.length), first = this.firstFrom(from), last = this.firstFrom(to)
		const endOf = i => calls.start[i] + calls.length[i]
		for (let i = first; i < last;) {
			const end = Math.min(i + sumBlock, calls.count)
			if (i % sumBlock === 0 && end <= last) {
				this.addBlock(added, this.blocks[i / sumBlock])
				i = end
				continue
			}
			this.add(added, i, calls.start[i], endOf(i), 1)
			added.calls[this.pathOf[i++]]++
		}
		for (const i of this.openAt(to))
			if (i >= first)
				this.add(added, i, to, endOf(i), -1)
		for (const i of this.openAt(from))
			this.add(added, i, from, Math.min(endOf(i), to), 1)
		return added
	}

	/* Adds the paths between two moments below root (makePath). */
	addPaths(root, from, to) {
		const added = this.between(from, to), { fn, parent } = this.paths, made = []
		for (let path = 0; path < fn.length; path++) {
			if (!added.isIn[path])
				continue
			const around = made[parent[path]] ?? root
			if (!around.below.has(fn[path]))
				around.below.set(fn[path], makePath(fn[path]))
			const node = made[path] = around.below.get(fn[path])
			node.calls += added.calls[path]
			for (const [times, all, inside] of [['wall', 'wall', 'inside'], ['off', 'off', 'insideOff']]) {
				node[times].total += added[all][path]
				node[times].self += added[all][path]
				if (around !== root)
					around[times].self -= added[inside][path]
			}
		}
	}
}
