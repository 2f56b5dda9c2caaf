/* The chosen function in two recordings: what changed, who calls it and what it calls, how long its calls took in both, and the slowest of each. */

class DiffDetail extends Detail {
	/* Of the sides that have it: "Old" or "New", the recording, and the function's id there. */
	sides(fn) {
		return this.data.sides.map((side, at) => [at ? 'New' : 'Old', side, side.ownIdOf.get(fn), at]).filter(([, , own]) => own !== undefined)
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
			this.section(title, null, make('p', { class: 'soft' }, callers ? 'nobody: it is outermost' : 'it calls none that was seen'))
			return
		}
		const body = make('tbody')
		const fill = some => body.replaceChildren(...some.map(({ fn: of, change }) => make('tr', {}, this.relative(of),
			...change.values.map(value => make('td', { class: 'number' }, of === itselfRow && this.data.measure === 'calls' ? '' : formatMeasured(this.data, value))),
			make('td', { class: 'number', title: formatChange(this.data, change) }, changeMark(change).trim()))))
		fill(list.slice(0, 12))
		const group = make('colgroup', {}, make('col'), ...[92, 92, 30].map(width => {
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

	/* Both over the same durations, and as shares, so that they can be laid beside each other. */
	histogram(fn) {
		const lists = this.sides(fn).map(([name, side, own]) => [name, side, binsOf(side.durations[own])]).filter(([, , bins]) => bins.length)
		const ends = new Map(lists.flatMap(([, , bins]) => bins).map(({ from, to }) => [from, to]))
		const spans = [...ends].sort((a, b) => a[0] - b[0])
		const all = lists.map(([name, side, bins]) => {
			const calls = new Map(bins.map(bin => [bin.from, bin.calls]))
			return [name, side, spans.map(([from, to]) => ({ from, to, calls: calls.get(from) ?? 0 }))]
		})
		for (const [name, side, bins] of all)
			this.drawHistogram(bins, side, `${name}: how long calls took`, '', `durations-${name.toLowerCase()}`)
	}

	source(fn) {
		const [, side, own] = this.sides(fn).pop() ?? []
		if (side)
			this.sourceOf(side, own)
	}

	slowest(fn) {
		for (const [name, side, own, at] of this.sides(fn))
			this.slowestOf(side, own, `${name}: `, `slowest-${name.toLowerCase()}`, (...call) => this.app.showCall(at, ...call))
	}
}
