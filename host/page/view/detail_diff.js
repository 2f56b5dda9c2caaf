/* The box of the chosen function in two recordings: its changes, callers and callees, and for each recording its durations, source
 * lines and slowest calls. */

/* Merges the ranges of several functions. A range of one function is part of a range of another, so the wider range takes the calls
 * of both. */
function mergeBins(bins) {
	const merged = []
	for (const bin of bins.sort((a, b) => a.from - b.from || b.to - a.to)) {
		const last = merged[merged.length - 1]
		if (last && last.to > bin.from)
			last.calls += bin.calls
		else
			merged.push({ ...bin })
	}
	return merged
}

class DiffDetail extends Detail {
	/* For each recording that has the function: "Old" or "New", the recording, the ids of the function there, and 0 (old) or 1
	 * (new). */
	sides(fn) {
		return this.data.sides.map((side, at) => [at ? 'New' : 'Old', side, side.ownIdsOf.get(fn), at]).filter(([, , ids]) => ids)
	}

	numbers(fn) {
		const row = this.data.functions.rows[this.data.rowOf.get(fn)], pairs = []
		const value = key => {
			const at = columnOf(this.data.functions, key)
			return at < 0 || !row ? null : row[at]
		}
		for (const [measure, { keys, title }] of Object.entries(this.data.measures).map(([key]) => [key, measures[key]])) {
			const values = [value(`old_${keys}`), value(`new_${keys}`)]
			if (values.every(number => number === null))
				continue
			const said = formatChange({ ...this.data, measure }, { values, amount: values[1] - values[0], isKnown: true })
			pairs.push([measure === 'calls' ? title : `Self, ${title.toLowerCase()}`, said, true])
		}
		const { keys } = measures[this.data.measure], low = value(`${keys}_low`)
		if (low !== null) {
			const ends = [low, value(`${keys}_high`)].map(end => formatDifference(this.data, end))
			pairs.push(['True change', `from ${ends[0]} to ${ends[1]}: ${value('verdict')}`, true])
		}
		return pairs.length ? [factList(pairs)] : [make('p', { class: 'soft' }, 'It took no time itself in either recording.')]
	}

	relatives(title, fn, callers) {
		const { tree } = this.data, rows = new Map()
		;['old', 'new'].forEach((side, at) => {
			for (const row of relativesOf({ ...tree, ...tree[side] }, fn, callers)) {
				if (!rows.has(row.fn))
					rows.set(row.fn, { fn: row.fn, times: [0, 0], calls: [0, 0] })
				rows.get(row.fn).times[at] = row.total
				rows.get(row.fn).calls[at] = row.calls ?? 0
			}
		})
		const list = [...rows.values()].map(row => ({ ...row, change: changeOf(this.data, row.times, row.calls) })).sort((a, b) => Math.max(...b.times) - Math.max(...a.times))
		if (!list.length) {
			this.section(title, null, make('p', { class: 'soft' }, callers ? 'none: it is outermost' : 'it calls no other recorded function'))
			return
		}
		const body = make('tbody'), widths = [92, 92, 30], letters = this.lettersBeside(widths)
		const fill = some => body.replaceChildren(...some.map(({ fn: of, change }) => make('tr', {}, this.relative(of, letters),
			...change.values.map(value => make('td', { class: 'number' }, of === itselfRow && this.data.measure === 'calls' ? '' : formatMeasured(this.data, value))),
			make('td', { class: 'number', title: formatChange(this.data, change) }, changeMark(change).trim()))))
		fill(list.slice(0, 12))
		const group = make('colgroup', {}, make('col'), ...widths.map(width => {
			const col = make('col')
			col.style.width = `${width}px`
			return col
		}))
		this.section(title, this.data.measure === 'calls' ? 'calls' : this.data.measure === 'share' ? 'total, of all time' : 'total', make('table', { id: callers ? 'callers' : 'callees' }, group,
			make('thead', {}, make('tr', {}, ...['function', 'old', 'new'].map((key, at) => make('th', { class: at ? 'number' : null }, key)), make('th', {}, make('span', { class: 'hidden' }, 'change')))), body))
		if (list.length > 12) {
			const button = make('button', { type: 'button', class: 'more', onclick: () => { fill(list); button.remove() } }, `all ${formatCount(list.length)}`)
			this.place.append(button)
		}
	}

	/* Both histograms have the same axis, so that the user can compare them. */
	histogram(fn) {
		const lists = this.sides(fn).map(([name, side, ids]) => [name, side, mergeBins(ids.flatMap(own => binsOf(side.durations[own])))]).filter(([, , bins]) => bins.length)
		const all = lists.flatMap(([, , bins]) => bins)
		const span = { from: Math.min(...all.map(bin => bin.from)), to: Math.max(...all.map(bin => bin.to)) }
		for (const [name, side, bins] of lists)
			this.drawHistogram(bins, side, `${name}: how long calls took`, '', `durations-${name.toLowerCase()}`, span)
	}

	/* The source lines of the new recording; of the old one only if the new one lacks the function. Of several functions that
	 * count as one, the first with source lines. */
	source(fn) {
		const [name, side, ids] = this.sides(fn).pop() ?? []
		const own = ids?.find(id => side.sources.get(id))
		if (own !== undefined)
			this.sourceOf(side, own, `${name}: source`)
	}

	slowest(fn) {
		for (const [name, side, ids, at] of this.sides(fn)) {
			const calls = ids.flatMap(own => callsOf(side.slowest[own])).sort((a, b) => b[2] - a[2])
			this.slowestOf(side, calls.slice(0, Math.max(...ids.map(own => callsOf(side.slowest[own]).length))), `${name}: `, `slowest-${name.toLowerCase()}`, (...call) => this.app.showCall(at, ...call))
		}
	}
}
