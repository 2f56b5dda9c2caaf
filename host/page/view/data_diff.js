/* Two recordings in one page. A function that is in both has one id, which the tables of dwell diff use, too. The call paths of
 * both recordings are one tree. */

const measures = {
	share: { title: 'Share', hint: 'Part of all time; changes are in percentage points (pp)', keys: 'percent' },
	time: { title: 'Time', hint: 'The time itself', keys: 'ns' },
	calls: { title: 'Calls', hint: 'How often functions were called', keys: 'calls' },
}

/* Loads { old, new, both }; only { new } from a page of one recording. */
async function loadBook() {
	const first = await loadRecording(0)
	if (!document.getElementById('data-1'))
		return { new: first }
	const second = await loadRecording(1)
	return { old: first, new: second, both: await loadDiff(first, second) }
}

/* The last part of a recording's path; the whole path where both recordings have the same last part. */
function shortFile(book, side) {
	return baseName(book.old.file) === baseName(book.new.file) ? visible(book[side].file) : baseName(book[side].file)
}

async function loadDiff(old, now) {
	const data = await loadPage(2)
	data.sides = [old, now]
	data.threads = []
	for (const [side, ids] of [[old, data.ids_of_old], [now, data.ids_of_new]]) {
		side.idInBoth = ids
		/* By id in both: the ids in this recording. Several functions may count as one, for example f and f.part.0. */
		side.ownIdsOf = new Map()
		ids.forEach((id, own) => side.ownIdsOf.has(id) ? side.ownIdsOf.get(id).push(own) : side.ownIdsOf.set(id, [own]))
	}
	data.tree = mergeTrees(data)
	data.wholes = ['old', 'new'].map(side => data.tree[side].self.reduce((sum, value) => sum + value, 0) || 1)
	/* The number of samples of each recording, or its sum of self where the number is unknown: isBeyondChance computes errors
	 * from it. Null: the times are no estimates, but facts of these two runs. */
	data.samples = old.kind === 'samples' ? data.sides.map((side, at) => side.info.sampling?.samples || data.wholes[at]) : null
	setMeasure(data, data.by)
	setBasis(data, 'new')
	return data
}

function setMeasure(data, measure) {
	data.measure = measure
	data.functions = data.measures[measure]
	indexRows(data)
}

/* Merges the trees of both recordings. A node is a path of either one; nodes are in preorder, and of siblings the one with the
 * largest total in either recording comes first. */
function mergeTrees(data) {
	const sides = data.sides.map(({ tree, idInBoth }) => ({ tree, idInBoth, times: tree[data.basis] }))
	const merged = { fn: [], depth: [], others: new Map(), old: { total: [], self: [], calls: [] }, new: { total: [], self: [], calls: [] } }
	const sum = (nodes, side, column) => nodes.reduce((all, node) => all + column(side)[node], 0)
	const below = parents => {
		const groups = new Map()
		sides.forEach(({ tree, idInBoth }, at) => {
			for (const parent of parents[at])
				for (const node of nodesBelow(tree, parent)) {
					const key = tree.fn[node] < 0 ? tree.others.get(node) : idInBoth[tree.fn[node]]
					if (!groups.has(key))
						groups.set(key, { key, nodes: [[], []], most: 0 })
					groups.get(key).nodes[at].push(node)
				}
		})
		for (const group of groups.values())
			group.most = Math.max(...sides.map((side, at) => sum(group.nodes[at], side, ({ times }) => times.total)))
		return [...groups.values()].sort((a, b) => a.most - b.most)
	}
	const left = below([[-1], [-1]]).map(group => ({ ...group, depth: 0 }))
	while (left.length) {
		const { key, nodes, depth } = left.pop()
		if (typeof key !== 'number')
			merged.others.set(merged.fn.length, key)
		merged.fn.push(typeof key === 'number' ? key : -1)
		merged.depth.push(depth)
		sides.forEach((side, at) => {
			const into = at ? merged.new : merged.old
			into.total.push(sum(nodes[at], side, ({ times }) => times.total))
			into.self.push(sum(nodes[at], side, ({ times }) => times.self))
			into.calls.push(sum(nodes[at], side, ({ tree }) => tree.calls))
		})
		for (const group of below(nodes))
			left.push({ ...group, depth: depth + 1 })
	}
	const count = merged.fn.length
	Object.assign(merged, { count, parent: new Int32Array(count), end: new Int32Array(count), value: new Float64Array(count), calls: merged.new.calls })
	linkTree(merged)
	return merged
}

/* The change of a path or a function. times, calls: old and new. Returns values: old and new in the chosen measure; amount: new −
 * old; part: amount divided by the larger value, 0 if both are 0; isKnown: chance alone does not explain the change. Many boxes are
 * judged at once, so this takes three standard deviations. */
function changeOf(data, times, calls) {
	const shares = times.map((time, at) => 100 * time / data.wholes[at])
	const values = data.measure === 'calls' ? calls : data.measure === 'share' ? shares : times
	const amount = values[1] - values[0], most = Math.max(values[0], values[1])
	return { values, amount, part: most ? amount / most : 0, isKnown: !data.samples || isBeyondChance(data, times, shares) }
}

/* For samples: returns whether the difference is more than three standard deviations. */
function isBeyondChance(data, times, shares) {
	const [a, b] = data.samples
	if (data.measure === 'time') {
		const variance = times.reduce((sum, time, at) => sum + time * data.wholes[at] / data.samples[at], 0)
		return Math.abs(times[1] - times[0]) > 3 * Math.sqrt(variance)
	}
	const pooled = (shares[0] * a + shares[1] * b) / 100 / (a + b)
	return Math.abs(shares[1] - shares[0]) / 100 > 3 * Math.sqrt(pooled * (1 - pooled) * (1 / a + 1 / b))
}

function formatMeasured(data, value) {
	return data.measure === 'share' ? formatPercent(value) : data.measure === 'calls' ? formatCount(value) : formatValue(value, data.unit)
}

/* size: the amount as text, without a sign. A text that shows 0 gets no sign. */
function formatSigned(value, size) { return `${!/[1-9]/.test(size) ? '' : value > 0 ? '+' : '−'}${size}` }

function formatDifference(data, amount) {
	return formatSigned(amount, data.measure === 'share' ? `${Math.abs(amount).toFixed(2)} pp` : formatMeasured(data, Math.abs(amount)))
}

/* The change relative to old, in percent; above 11 times the old value, how many times new is as large. */
function formatRelative([old, now]) {
	return now > 11 * old ? ` (${formatCount(Math.round(now / old))} times)` : ` (${formatSigned(now - old, Math.abs(100 * (now - old) / old).toFixed(1))} %)`
}

function formatChange(data, { values, amount, isKnown }) {
	const part = data.measure !== 'share' && values[0] && amount ? formatRelative(values) : ''
	const what = !values[0] && values[1] ? ', new' : values[0] && !values[1] ? ', gone' : ''
	return `${formatMeasured(data, values[0])} → ${formatMeasured(data, values[1])}: ${formatDifference(data, amount)}${part}${what}${isKnown ? '' : ', no more than chance explains'}`
}

/* The part of all time, 0…1, that is on the same paths in both recordings. Of each path the smaller share counts. */
function commonPart({ tree, wholes }) {
	let common = 0
	for (let i = 0; i < tree.count; i++)
		common += Math.min(tree.old.self[i] / wholes[0], tree.new.self[i] / wholes[1])
	return common
}

/* The line that explains the numbers of a comparison. */
function compareNote(data) {
	const isTrace = data.sides[0].kind === 'trace', what = data.what.replace(/^./, first => first.toUpperCase())
	const sure = data.samples ? 'from … to: the true change, in 95 of 100 comparisons of these two runs. ' : ''
	const few = 'One run of each: these numbers are true for these two runs only. To see how much runs differ, record three or more of each and use dwell diff.'
	const uneven = data.is_uneven ? ' The recordings do not leave out the same functions: what one of them leaves out is missing there, and is its callers’ time.' : ''
	const apart = commonPart(data) < 0.2 ? ' They have few call paths in common: the flame graph shows most paths as new and gone. One of them may lack outer callers.' : ''
	const text = `${what} of all functions${isTrace ? ', as recorded' : ''}: ${data.wholes.map(whole => formatMeasured({ ...data, measure: 'time' }, whole)).join(' → ')}. ${sure}${few}${uneven}${apart}`
	return make('section', { class: 'soft', id: 'compared', 'aria-label': 'What is compared' }, text)
}
