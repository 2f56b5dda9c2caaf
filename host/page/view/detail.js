/* The box of the chosen function: its numbers, its durations, its callers and callees, its source lines and its slowest calls. */

const itselfRow = -2 /* in place of a function id: the row of callees for the function's own time */

/* Returns the callers or the callees of a function, as dwell callers and dwell callees count them. The total of a row is the time
 * in which its calls were open; a call inside another one of the same row does not count again. fn −1: no caller, the function is
 * outermost. */
function relativesOf(tree, fn, callers) {
	const rows = new Map()
	const opened = [] /* rows with an open call around node i; end: the node behind that call */
	for (let i = 0; i < tree.count; i++) {
		while (opened.length && opened[opened.length - 1].end <= i)
			opened.pop().row.open--
		const parent = tree.parent[i]
		const caller = parent < 0 ? -1 : tree.fn[parent]
		if ((callers ? tree.fn[i] : caller) !== fn || tree.fn[i] < 0 || (!callers && parent < 0))
			continue
		if (!tree.calls[i] && !tree.total[i] && !tree.self[i])
			continue
		const key = callers ? caller : tree.fn[i]
		let row = rows.get(key)
		if (!row)
			rows.set(key, row = { fn: key, calls: 0, total: 0, self: 0, open: 0 })
		row.calls += tree.calls[i]
		row.self += tree.self[i]
		if (!row.open++)
			row.total += tree.total[i]
		opened.push({ row, end: tree.end[i] })
	}
	if (!callers) {
		const itself = { fn: itselfRow, calls: null, total: 0, self: 0 }
		for (let i = 0; i < tree.count; i++)
			if (tree.fn[i] === fn)
				itself.total += tree.self[i]
		if (rows.size && itself.total)
			rows.set(itselfRow, itself)
	}
	return [...rows.values()].sort((a, b) => b.total - a.total || b.calls - a.calls)
}

/* The ranges of durations of a function. In the list of the page each range is three numbers: from, to, calls. */
function binsOf(list) {
	const bins = []
	for (let at = 0; at < (list?.length ?? 0); at += 3)
		bins.push({ from: list[at], to: list[at + 1], calls: list[at + 2] })
	return bins
}

/* The slowest calls of a function. In the list of the page each call is five numbers: index of the thread, start, length, depth,
 * unsure. */
function callsOf(list) {
	const calls = []
	for (let at = 0; at < (list?.length ?? 0); at += 5)
		calls.push(list.slice(at, at + 5))
	return calls
}

class Detail {
	constructor(app, place) {
		this.app = app
		this.data = app.data
		this.place = place
		this.show()
	}

	/* Shows that the chosen function is not in this recording, but only in the other one. */
	lack(name) {
		this.place.replaceChildren(make('p', { class: 'soft', id: 'lacks' }, `${visible(name)} is not in this recording.`))
	}

	show() {
		const fn = this.app.chosen
		this.place.replaceChildren()
		if (fn === null || fn === undefined || typeof fn !== 'number') {
			this.place.append(make('p', { class: 'soft' }, 'Choose a function: in the table, the flame graph or the timeline.'))
			return
		}
		const paths = pathsOf(this.data.tree, fn)
		this.place.append(make('h2', { id: 'chosen' }, visible(this.data.nameOf(fn))), ...this.numbers(fn))
		if (paths > 1)
			this.place.append(make('p', { class: 'soft', id: 'paths' }, `Here are the sums of its ${formatCount(paths)} call paths. A box of the flame graph is one path.`))
		this.place.append(make('div', { class: 'jumps' },
			make('button', { type: 'button', onclick: () => this.app.open('flame') }, 'In the flame graph'),
			make('button', { type: 'button', onclick: () => this.app.copy(this.data.nameOf(fn)) }, 'Copy name')))
		this.histogram(fn)
		this.relatives('Callers', fn, true)
		this.relatives('Callees', fn, false)
		this.source(fn)
		this.slowest(fn)
		this.place.scrollTop = 0
	}

	numbers(fn) {
		const row = this.data.functions.rows[this.data.rowOf.get(fn)]
		if (!row)
			return [make('p', { class: 'soft' }, this.data.range ? 'It does not run in this range.' : 'It has no time or sample of its own in the table.')]
		const pairs = [], { table } = this.app
		let line = null
		this.data.functions.columns.forEach((column, at) => {
			if (column.unit === 'text')
				line = row[at]
			else if (column.key === 'self_percent' && (this.data.hasBases || this.data.range))
				pairs.push([column.title, formatPercent(table.shareOf(row))])
			else if (column.unit !== 'name' && row[at] !== null && (table.hasRange || !['self_low', 'self_high'].includes(column.key)))
				pairs.push([this.data.hasBases && ['total_ns', 'self_ns'].includes(column.key) ? `${column.title} wall` : column.title, formatCell(row[at], column.unit, this.data.unit)])
		})
		const facts = factList(pairs)
		facts.style.setProperty('--widest', `${pairs.reduce((most, [, text]) => Math.max(most, text.length), 0)}ch`)
		return [make('p', { class: 'mono soft', id: 'source' }, line ? visible(line) : 'its source line is not known'), facts]
	}

	section(title, note, ...children) {
		this.place.append(make('h3', {}, title, note ? make('span', { class: 'soft' }, note) : ''), ...children)
	}

	/* For samples, rows are those of dwell callers, with the interval of the true share. Only functions with the largest totals
	 * have intervals in the page; other functions, and all functions in a range, have shares alone. */
	relatives(title, fn, callers) {
		const { kind, unit } = this.data
		const rows = kind === 'samples' ? this.sampledRelatives(fn, callers) : relativesOf(this.data.tree, fn, callers)
		const columns = kind === 'samples' ? [['total %', row => formatPercent(row.percent), row => row.samples === undefined ? null : formatCountOf(row.samples, 'samples')], ['from', row => formatPercent(row.low)], ['to', row => formatPercent(row.high)]]
			: [['calls', row => formatCount(row.calls), row => exact(row.calls, 'count')], [this.data.hasBases ? `total ${bases[this.data.basis].title.toLowerCase()}` : 'total', row => formatValue(row.total, unit), row => exact(row.total, 'ns', unit)]]
		const shown = columns.filter(([key]) => kind === 'samples' ? key === 'total %' || rows[0]?.low !== undefined : key === 'calls' ? kind !== 'sums' : kind !== 'untimed')
		if (!rows.length) {
			this.section(title, null, make('p', { class: 'soft' }, callers ? 'none: it is outermost' : 'it calls no other recorded function'))
			return
		}
		const body = make('tbody')
		const more = rows.length > 12
		const fill = list => body.replaceChildren(...list.map(row => make('tr', {},
			this.relative(row.fn, letters),
			...shown.map(([, text, all]) => make('td', { class: 'number', title: all?.(row) }, text(row))))))
		const group = make('colgroup', {}, make('col'))
		for (const [, text] of shown) {
			const col = make('col')
			col.style.width = `${rows.reduce((most, row) => Math.max(most, 16 + 7.7 * text(row).length), kind === 'samples' ? 60 : 84)}px`
			group.append(col)
		}
		const letters = this.lettersBeside([...group.children].slice(1).map(col => parseFloat(col.style.width)))
		fill(rows.slice(0, 12))
		const calls = kind === 'trace' || kind === 'untimed' ? `, ${formatCountOf(rows.reduce((all, row) => all + row.calls, 0), 'calls')}` : ''
		this.section(title, rows.length > 1 ? `${formatCount(rows.length)} functions${calls}` : null,
			make('table', { id: callers ? 'callers' : 'callees' }, group, make('thead', {}, make('tr', {}, make('th', {}, 'function'), ...shown.map(([key]) => make('th', { class: 'number' }, key)))), body))
		if (more) {
			const button = make('button', { type: 'button', class: 'more', onclick: () => { fill(rows); button.remove() } }, `all ${formatCount(rows.length)}`)
			this.place.append(button)
		}
	}

	/* How many letters a name may have beside columns of these widths. */
	lettersBeside(widths) { return Math.max(8, Math.floor((this.place.clientWidth - 32 - 12 - widths.reduce((sum, width) => sum + width, 0)) / 7.6)) }

	/* The name cell of a caller or callee, cut to so many letters. */
	relative(fn, letters) {
		return make('td', {}, fn < 0 ? make('span', { class: 'soft' }, fn === itselfRow ? '(itself)' : '(outermost)')
			: make('button', { type: 'button', class: 'link', title: visible(this.data.nameOf(fn)), onclick: () => this.app.choose(fn) }, fitName(visible(this.data.nameOf(fn)), letters)))
	}

	sampledRelatives(fn, callers) {
		const flat = this.data.range ? null : this.data.relatives?.[fn]?.[callers ? 0 : 1], rows = []
		for (let at = 0; at < (flat?.length ?? 0); at += 5)
			rows.push({ fn: flat[at] < 0 ? callers ? -1 : itselfRow : flat[at], samples: flat[at + 1], percent: flat[at + 2], low: flat[at + 3], high: flat[at + 4] })
		if (flat)
			return rows
		const { tree } = this.data
		let whole = 0
		for (let i = 0, end = 0; i < tree.count; i++)
			if (tree.fn[i] === fn && i >= end) {
				whole += tree.total[i]
				end = tree.end[i]
			}
		return relativesOf(tree, fn, callers).map(row => ({ ...row, percent: 100 * row.total / (whole || 1) }))
	}

	/* Shows source lines of the function, and marks the line where it begins by its debug information. */
	source(fn) { this.sourceOf(this.data, fn, 'Source') }

	sourceOf(data, fn, title) {
		const source = data.sources?.get(fn)
		if (!source)
			return
		const [first, own, isChanged, text] = source
		const lines = text.replace(/\n$/, '').split('\n')
		const width = String(first + lines.length - 1).length
		const shares = new Map(), flat = data.lineShares.get(fn) ?? []
		for (let at = 0; at < flat.length; at += 5)
			shares.set(flat[at], flat.slice(at + 1, at + 5))
		const share = (line, width) => {
			const [samples, part, low, high] = shares.get(line) ?? []
			return flat.length ? make('b', { title: samples ? `${formatCountOf(samples, 'samples')}, in 95 of 100 runs from ${formatPercent(low)} to ${formatPercent(high)}` : null }, (samples ? formatPercent(part) : '').padStart(width)) : null
		}
		const notes = [isChanged ? 'the file was changed after the recording' : null, flat.length ? '% of the function’s own samples' : null].filter(Boolean)
		this.section(title, notes.join('; '), make('pre', { id: 'code', tabindex: '0', role: 'group', 'aria-label': 'Source lines' }, ...lines.map((line, i) =>
			make('span', { class: first + i === own ? 'own' : null }, share(first + i, 8), flat.length ? ' ' : '', make('i', {}, `${first + i === own ? '▸' : ' '}${String(first + i).padStart(width)} `), visible(line.replaceAll('\t', '    ')), '\n'))))
		if (shares.has(0))
			this.place.append(make('p', { class: 'soft', id: 'code-elsewhere' }, 'In other lines, for example inlined functions: ', share(0, 0)))
	}

	slowest(fn) { this.slowestOf(this.data, callsOf(this.data.slowest[fn]), '', 'slowest', (...call) => this.app.showCall(...call)) }

	slowestOf(data, calls, which, id, show) {
		if (!calls.length)
			return
		const body = make('tbody')
		for (const [index, start, length, depth, unsure] of calls) {
			const thread = data.threads[index]
			body.append(make('tr', {},
				make('td', {}, make('button', { type: 'button', class: 'link', title: 'shows it in the timeline', onclick: () => show(index, start, length, depth) }, `${unsure ? '~' : ''}${formatCallTime(length, data)}`)),
				make('td', { class: 'number' }, formatTime(start, data.timeUnit)),
				make('td', { title: visible(thread?.label ?? '?') }, visible(thread?.label ?? '?'))))
		}
		this.section(`${which}${data.kind === 'samples' ? 'longest stretches' : 'slowest calls'}`.replace(/^./, first => first.toUpperCase()), 'click: in the timeline', make('table', { id }, make('thead', {}, make('tr', {}, make('th', {}, 'took'), make('th', { class: 'number' }, 'from'), make('th', {}, 'thread'))), body))
	}

	histogram(fn) {
		const bins = binsOf(this.data.durations[fn])
		if (bins.length)
			this.drawHistogram(bins, this.data, 'How long calls took', ', logarithmic scale', 'durations')
	}

	/* span: null: all bars have the same width; { from, to }: the axis is logarithmic between these two, so several histograms
	 * can share it. */
	drawHistogram(bins, data, title, note, id, span = null) {
		const most = bins.reduce((max, bin) => Math.max(max, bin.calls), 1)
		const calls = bins.reduce((sum, bin) => sum + bin.calls, 0)
		const width = 360, height = 128, bottom = 108, step = width / bins.length
		const svg = (tag, attributes, text) => {
			const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
			for (const [key, value] of Object.entries(attributes))
				element.setAttribute(key, value)
			if (text !== undefined)
				element.textContent = text
			return element
		}
		const drawing = svg('svg', { class: 'histogram', viewBox: `0 0 ${width} ${height}`, role: 'img', id, 'aria-label': `Durations of ${calls} calls, from ${formatTime(bins[0].from, data.unit)} to ${formatTime(bins[bins.length - 1].to, data.unit)}` })
		const low = Math.max(span?.from ?? 1, 0.5)
		const place = time => width * Math.log(Math.max(time, low) / low) / Math.log(span.to / low)
		bins.forEach((bin, at) => {
			const x = span ? place(bin.from) : at * step, wide = span ? place(bin.to) - x : step
			const group = svg('g', {})
			const high = bin.calls ? Math.max(1.5, (bottom - 6) * bin.calls / most) : 0
			group.append(svg('title', {}, `${formatTime(bin.from, data.unit)} … ${formatTime(bin.to, data.unit)}: ${formatCountOf(bin.calls, 'calls')} (${formatPercent(100 * bin.calls / calls)})`),
				svg('rect', { class: 'area', x, y: 0, width: wide, height: bottom }),
				svg('rect', { class: 'bin', x: x + 0.5, y: bottom - high, width: Math.max(wide - 1, 0.5), height: high }))
			drawing.append(group)
		})
		drawing.append(svg('line', { x1: 0, x2: width, y1: bottom, y2: bottom }),
			svg('text', { x: 0, y: height - 5 }, formatTime((span ?? bins[0]).from, data.unit)),
			svg('text', { x: width, y: height - 5, 'text-anchor': 'end' }, formatTime((span ?? bins[bins.length - 1]).to, data.unit)))
		this.section(title, `${formatCountOf(calls, 'calls')}${note}`, drawing)
	}
}
