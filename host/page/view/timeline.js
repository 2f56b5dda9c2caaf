/* The timeline: threads below each other, each with its calls by depth. Single calls are boxes. Where there are too many calls,
 * slices of time are hatched: as high as calls took of the slice, in the colour of the function that took most. For samples, a box
 * is a stretch: what consecutive samples of a thread have in common. Samples do not show whether a stretch was one call or
 * several. */

class Timeline extends Lanes {
	/* title: an element that names the recording, where several timelines are on the page; null: there is one. isFirst: has the
	 * buttons and legends that hold for all. id 'time-flame': the time order of the flame graph. */
	constructor(app, place, { id = 'timeline', title = null, isFirst = true } = {}) {
		super()
		this.title = title
		this.isFirst = isFirst
		this.app = app
		this.data = app.data
		this.isFlame = id === 'time-flame'
		this.id = id
		this.opened = new Set()
		this.top = 0
		this.origin = 0 /* the moment that axes and texts count from */
		this.current = null
		this.threads = this.data.threads.filter(thread => thread.lanes)
		this.findSpan()
		this.view = { from: this.from, to: this.to }
		this.make(place)
	}

	findSpan() {
		let from = Infinity, to = -Infinity
		for (const thread of this.threads) {
			const calls = thread.calls
			if (calls.count)
				from = Math.min(from, calls.start[0])
			for (const lane of calls.lanes)
				if (lane.length)
					to = Math.max(to, calls.start[lane[lane.length - 1]] + calls.length[lane[lane.length - 1]])
			from = Math.min(from, thread.first_ns ?? from)
			to = Math.max(to, thread.last_ns ?? to)
		}
		/* The time that the first sample stands for may begin before the recording does. */
		this.from = Number.isFinite(from) ? this.data.kind === 'samples' ? Math.max(0, from) : from : 0
		this.to = Math.max(this.from + 1, Number.isFinite(to) ? to : 1)
		if (this.isFlame && this.data.range)
			Object.assign(this, { from: this.data.range.from, to: this.data.range.to })
	}

	make(place) {
		this.isSampled = this.data.kind === 'samples'
		this.what = this.isSampled ? 'stretches' : 'calls'
		const aggregate = this.data.density
		this.status = make('div', { class: 'status', role: 'status', id: `${this.id}-status` })
		this.element = make('canvas', { tabindex: '0', id: this.id, role: 'img', 'aria-label': `${this.title ? `${this.title.textContent}: t` : 'T'}imeline of threads: W and S zoom, A and D pan, arrows go from call to call, 0 shows all` })
		if (!this.isFlame)
			place.append(make('div', { class: 'bar-row' }, this.title, ...this.isFirst ? [
				make('button', { type: 'button', onclick: () => this.zoomBy(0.5) }, 'Zoom in'), make('button', { type: 'button', onclick: () => this.zoomBy(2) }, 'Zoom out'),
				make('button', { type: 'button', onclick: () => this.show(this.from, this.to) }, 'All')] : [],
				make('span', { class: 'soft', id: `${this.id}-span` })))
		if (this.isSampled && this.isFirst)
			place.append(make('div', { class: 'legend', id: `${this.id}-samples` }, 'Drawn from samples: a box is what consecutive samples of a thread have in common, and as long as they stand for. What is shorter than the time between two samples is not seen, two calls in a row look like one, and where nothing is drawn the thread did not run, or no sample was taken.'))
		if (aggregate)
			place.append(make('div', { class: 'legend', id: `${this.id}-legend` }, make('span', { class: 'hatch', 'aria-hidden': 'true' }),
				` Hatched: sums of ${formatCount(this.data.calls.count - this.data.calls.single)} shorter ${this.what}, by slices of ${formatTime(aggregate.slice_ns, this.data.timeUnit)}; as high as they were busy. Single ${this.what}: the ${formatCount(this.data.calls.single)} longest.`))
		const states = this.isFirst || !this.data.has_cpu ? stateLegend(this.data, `${this.id}-states`) : null
		if (states)
			place.append(states)
		if (!this.isFlame)
			place.append(make('div', { class: 'status range-of-time', role: 'status', id: `${this.id}-range` }))
		if (!this.isFlame)
			this.minimap = new Minimap(this, place)
		place.append(this.status, this.box = make('div', { class: 'canvas' }, this.element))
		this.canvas = new Canvas(this.element, (context, width, height) => this.draw(context, width, height), () => this.height)
		this.fingers = new Fingers(this.element)
		this.element.addEventListener('pointerdown', event => this.grab(event))
		this.element.addEventListener('pointermove', event => this.hover(event))
		this.element.addEventListener('pointerleave', () => this.app.tip(null))
		this.element.addEventListener('click', event => this.click(event))
		this.element.addEventListener('dblclick', event => this.zoomTo(this.find(event)))
		this.element.addEventListener('wheel', event => this.wheel(event), { passive: false })
		this.element.addEventListener('keydown', event => this.key(event))
		this.say()
		this.sayRange()
	}

	setThreads(wanted) {
		this.threads = this.data.threads.filter(thread => thread.lanes && (!wanted || wanted.includes(thread.index)))
		this.findSpan()
		this.top = 0
		this.show(this.from, this.to)
	}

	/* ---- what is seen ---- */

	show(from, to) {
		const least = Math.max(1e-3, (this.to - this.from) / 1e12)
		const span = Math.max(to - from, Math.min(20, this.to - this.from), least)
		const whole = this.to - this.from
		const middle = (from + to) / 2
		from = span >= whole ? this.from : Math.max(this.from, Math.min(this.to - span, middle - span / 2))
		this.view = { from, to: from + Math.min(span, whole) }
		const said = document.getElementById(`${this.id}-span`)
		if (!this.isFlame)
			this.app.remember()
		if (!this.isFlame && said) {
			said.textContent = this.spanText(this.view.from, this.view.to)
			this.minimap.follow(said.textContent)
		}
		this.canvas.draw()
		this.onShow?.()
	}

	spanText(from, to) { return formatSpan(from - this.origin, to - this.origin, this.data.timeUnit) }

	canvases() { return [this.canvas, this.minimap?.canvas] }

	isWhole() { return this.view.from <= this.from && this.view.to >= this.to }

	zoomBy(factor, at = (this.view.from + this.view.to) / 2) {
		this.show(at - (at - this.view.from) * factor, at + (this.view.to - at) * factor)
	}

	pan(share) {
		const step = (this.view.to - this.view.from) * share
		const from = Math.max(this.from, Math.min(this.to - (this.view.to - this.view.from), this.view.from + step))
		this.show(from, from + this.view.to - this.view.from)
	}

	momentAt(x) { return this.view.from + (this.view.to - this.view.from) * x / this.canvas.width }
	xOf(moment) { return (moment - this.view.from) / (this.view.to - this.view.from) * this.canvas.width }

	lanesOf(thread) {
		return this.isFlame || this.threads.length === 1 || this.opened.has(thread.index) ? thread.lanes : Math.min(thread.lanes, lanesUsual)
	}

	/* Returns the place of each thread: y in pixels from the top of the canvas, negative above it, and its number of lanes.
	 * Sets this.height, the pixels of everything. */
	layout() {
		let y = axisHeight - this.top
		const places = this.threads.map(thread => {
			const place = { thread, y, lanes: this.lanesOf(thread) }
			y += headOf(thread) + place.lanes * laneHeight + 8
			return place
		})
		this.height = y + this.top
		return places
	}

	/* ---- looking at one ---- */

	/* What is at the pointer: { thread, head } for a name, { thread, state }, { thread, lane, i, k } for a call, or { thread,
	 * lane, slice }. i: index in thread.calls; k: place in the lane; slice: place in its row of density. Null: nothing. */
	find(event) {
		const y = event.offsetY
		const place = (this.places ?? []).find(p => y >= p.y && y < p.y + headOf(p.thread) + p.lanes * laneHeight)
		if (!place || y < axisHeight)
			return null
		const at = Math.floor((y - place.y - headOf(place.thread)) / laneHeight)
		if (y < place.y + headHeight)
			return { thread: place.thread, head: true }
		const perPixel = (this.view.to - this.view.from) / this.canvas.width
		const moment = this.momentAt(event.offsetX)
		if (at < 0) {
			const state = stateAt(place.thread, moment)
			return state && { thread: place.thread, state }
		}
		const lane = place.thread.calls.lanes[at]
		if (lane) {
			const calls = place.thread.calls
			const k = firstBehind(calls, lane, moment - perPixel)
			if (k < lane.length && calls.start[lane[k]] <= moment + perPixel)
				return { thread: place.thread, lane: at, i: lane[k], k }
		}
		const row = place.thread.density[at]
		if (row) {
			const k = this.firstSlice(row, moment)
			if (k < row.slice.length && this.sliceSpan(row.slice[k])[0] <= moment)
				return { thread: place.thread, lane: at, slice: k }
		}
		return null
	}

	describe(found) {
		const unit = this.data.timeUnit
		if (found.state) {
			const { name, from, to } = found.state
			return { name, lines: [`${formatTime(to - from, unit)}, from ${formatTime(from - this.origin, unit)} on`, name === 'several states' ? describeStates([found.thread], from, to, unit) : null, `thread ${visible(found.thread.label)}`].filter(Boolean) }
		}
		if (found.slice !== undefined) {
			const row = found.thread.density[found.lane], k = found.slice
			const [from, to] = this.sliceSpan(row.slice[k])
			return { name: this.data.nameOf(row.fn[k]), lines: [
				`sums, nothing single: ${formatCountOf(row.calls[k], this.what)} began in ${this.spanText(from, to).replace(/: .*/, '')}`,
				`busy ${(100 * row.busy[k] / 255).toFixed(0)} % of it at this depth, ${(100 * row.share[k] / 255).toFixed(0)} % of that in this function`] }
		}
		const calls = found.thread.calls, i = found.i
		const states = describeStates([found.thread], calls.start[i], calls.start[i] + calls.length[i], unit)
		return { name: this.data.nameOf(calls.fn[i]), lines: [
			`${calls.unsure[i] ? '~' : ''}${formatCallTime(calls.length[i], this.data)}${this.isSampled ? ' by samples' : ''}, from ${formatTime(calls.start[i] - this.origin, unit)} on`, ...(states ? [states] : []),
			`thread ${visible(found.thread.label)}, depth ${calls.depth[i]}${calls.unsure[i] ? '; ~: at least: its beginning or end is not in the recording' : ''}`] }
	}

	hover(event) {
		if (this.fingers.areTwo()) {
			this.pinch()
			return
		}
		if (this.grabbed) {
			this.drag(event)
			return
		}
		const found = this.find(event)
		this.element.style.cursor = found ? 'pointer' : 'default'
		this.app.tip(found && !found.head ? { event, ...this.describe(found) } : null)
	}

	say() {
		if (!this.current) {
			this.status.textContent = this.title ? '' : 'By the clock. Ctrl and wheel, or W and S, zoom; dragging, or A and D, pan; a double click zooms to a call.'
			return
		}
		const { name, lines } = this.describe(this.current)
		this.status.textContent = `${nameInStatus(name)}: ${lines.join('; ')}`
	}

	take(found) {
		this.current = found
		if (!found.state)
			this.app.choose(found.slice !== undefined ? found.thread.density[found.lane].fn[found.slice] : found.thread.calls.fn[found.i])
		this.say()
		this.canvas.draw()
	}

	click(event) {
		if (this.dragged)
			return
		const found = this.find(event)
		if (found?.head) {
			if (!this.opened.delete(found.thread.index))
				this.opened.add(found.thread.index)
			this.canvas.draw()
		} else if (found) {
			this.take(found)
		}
	}

	/* Returns the beginning and the end of what find returned. Null: it is nothing, or a name. */
	spanOf(found) {
		return !found || found.head ? null : found.state ? [found.state.from, found.state.to] : found.slice !== undefined ? this.sliceSpan(found.thread.density[found.lane].slice[found.slice])
			: [found.thread.calls.start[found.i], found.thread.calls.start[found.i] + found.thread.calls.length[found.i]]
	}

	zoomTo(found) {
		const [from, to] = this.spanOf(found) ?? []
		if (to === undefined)
			return
		const margin = (to - from) * 0.1
		this.show(from - margin, to + margin)
	}

	/* Moves to a call: the index of its thread, its start, length and depth. Marks the call, if it is among the single
	 * calls. */
	reveal(index, start, length, depth) {
		const thread = this.data.threads[index]
		const calls = thread?.calls
		if (!calls)
			return
		for (const [at, lane] of calls.lanes.entries()) {
			for (let k = firstBehind(calls, lane, start - 1); k < lane.length && calls.start[lane[k]] <= start; k++)
				if (calls.start[lane[k]] === start && calls.length[lane[k]] === length && calls.depth[lane[k]] === depth) {
					this.current = { thread, lane: at, i: lane[k], k }
					if (at >= lanesUsual)
						this.opened.add(index)
				}
		}
		const margin = Math.max(length * 0.6, 10)
		this.show(start - margin, start + length + margin)
		const place = this.layout().find(p => p.thread === thread)
		if (place)
			this.top = Math.max(0, Math.min(place.y + this.top + headOf(thread) + Math.max(0, depth - 6) * laneHeight - axisHeight - 60, this.height - this.canvas.height))
		this.say()
		this.canvas.draw()
		this.box.scrollIntoView({ block: 'nearest' })
	}

	/* ---- hands ---- */

	grab(event) {
		if (event.button)
			return
		if (this.fingers.areTwo()) {
			this.pinched = this.fingers.places().map(x => this.momentAt(x))
			return
		}
		this.dragged = false
		if (event.shiftKey && !this.isFlame) {
			this.chooseRange(event)
			return
		}
		this.grabbed = { x: event.offsetX, y: event.offsetY, from: this.view.from, to: this.view.to, top: this.top }
		const release = () => {
			this.grabbed = null
			endPointer(release)
		}
		onPointerEnd(release)
	}

	/* Shows the moments that two fingers were on at first below these fingers. */
	pinch() {
		const [left, right] = this.fingers.places(), [from, to] = this.pinched, perPixel = (to - from) / (right - left)
		this.grabbed = null
		this.dragged = true
		if (right - left > 20 && perPixel > 0)
			this.show(from - left * perPixel, from + (this.canvas.width - left) * perPixel)
	}

	/* The range in sight: the one that the user is drawing, else the chosen one. Null: none. */
	get range() { return this.drawn ?? this.data.range ?? null }

	/* Chooses a range, clipped to the recording. An empty range clears the chosen one. */
	select(from, to) {
		this.drawn = null
		const range = makeRange(this.data.threads, Math.max(this.from, from), Math.min(this.to, to))
		this.app.select(this.data, range.to > range.from ? range : null)
	}

	/* Chooses the range from here to where the user releases the button. A range of less than two pixels clears the chosen
	 * one. */
	chooseRange(event) {
		const begin = this.momentAt(event.offsetX)
		let end = begin
		const move = at => {
			end = this.momentAt(at.clientX - this.element.getBoundingClientRect().left)
			this.drawn = makeRange(this.threads, Math.max(this.from, Math.min(begin, end)), Math.min(this.to, Math.max(begin, end)))
			this.sayRange()
		}
		const release = () => {
			window.removeEventListener('pointermove', move)
			endPointer(release)
			if (this.drawn && this.xOf(this.drawn.to) - this.xOf(this.drawn.from) < 2)
				end = begin
			this.select(Math.min(begin, end), Math.max(begin, end))
		}
		this.dragged = true
		window.addEventListener('pointermove', move)
		onPointerEnd(release)
	}

	/* Chooses the time of the current call as the range, or all that is in sight. isExtended: the range grows until it holds
	 * this time, too. */
	chooseCall(isExtended) {
		const [from, to] = this.spanOf(this.current) ?? [this.view.from, this.view.to], { range } = this
		if (isExtended && range)
			this.select(Math.min(from, range.from), Math.max(to, range.to))
		else
			this.select(from, to)
	}

	/* Moves the end of the range by a hundredth of what is in sight, at least by one unit of time. sign: 1 later, −1 earlier.
	 * Without a range, one begins at the current call, else in the middle. */
	moveEnd(sign) {
		const from = this.range?.from ?? this.spanOf(this.current)?.[0] ?? (this.view.from + this.view.to) / 2
		this.select(from, (this.range?.to ?? from) + sign * Math.max(1, (this.view.to - this.view.from) / 100))
	}

	/* Shows the length of the range, its calls and states, and the five functions with the most self time in it. Only single
	 * calls count. */
	sayRange() {
		this.canvas.draw()
		const place = document.getElementById(`${this.id}-range`), { range } = this
		if (!place || !range) {
			place?.replaceChildren()
			return
		}
		const { from, to } = range
		const { calls, own, sum } = sumPaths(range.paths)
		const unit = this.data.timeUnit
		const states = describeStates(this.threads, from, to, unit)
		const most = [...own].sort((a, b) => b[1] - a[1]).slice(0, 5)
		place.replaceChildren(`${this.spanText(from, to)}, ${formatCountOf(calls, this.what)}. ${states ? `Threads: ${states}. ` : ''}`,
			...most.flatMap(([fn, time], i) => [i ? ', ' : 'Self, by the clock: ', make('button', { type: 'button', class: 'link', onclick: () => this.app.choose(fn) }, visible(this.data.nameOf(fn))), ` ${formatPercent(100 * time / (sum || 1))}`]),
			' ', make('button', { type: 'button', onclick: () => this.show(from, to) }, 'Zoom'),
			make('button', { type: 'button', onclick: () => this.app.select(this.data, null) }, 'Clear'))
	}

	drag(event) {
		const dx = event.offsetX - this.grabbed.x, dy = event.offsetY - this.grabbed.y
		if (Math.abs(dx) + Math.abs(dy) < 4 && !this.dragged)
			return
		this.dragged = true
		const step = -dx * (this.grabbed.to - this.grabbed.from) / this.canvas.width
		const from = Math.max(this.from, Math.min(this.to - (this.grabbed.to - this.grabbed.from), this.grabbed.from + step))
		this.show(from, from + this.grabbed.to - this.grabbed.from)
		this.scrollTo(this.grabbed.top - dy)
	}

	scrollTo(top) {
		this.top = Math.max(0, Math.min(Math.max(0, (this.height ?? 0) - this.canvas.height + 8), top))
		this.canvas.draw()
	}

	wheel(event) {
		event.preventDefault()
		if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
			this.pan((event.deltaX || event.deltaY) / this.canvas.width)
		else if (event.ctrlKey || event.metaKey)
			this.zoomBy(Math.exp(Math.max(-120, Math.min(120, event.deltaY)) * 0.004), this.momentAt(event.offsetX))
		else
			this.scrollTo(this.top + event.deltaY)
	}

	/* Returns the call to go to: the neighbour in the lane, up the caller, down the first call that it made. At an end this is
	 * the current call; without a current call, the first one in sight. */
	walk(key) {
		const now = this.current
		if (!now || now.i === undefined)
			return this.firstCall()
		const calls = now.thread.calls
		const start = calls.start[now.i], end = start + calls.length[now.i]
		if (key === 'ArrowLeft' || key === 'ArrowRight') {
			const k = now.k + (key === 'ArrowLeft' ? -1 : 1)
			return k >= 0 && k < calls.lanes[now.lane].length ? { ...now, i: calls.lanes[now.lane][k], k } : now
		}
		const at = now.lane + (key === 'ArrowUp' ? -1 : 1)
		const lane = calls.lanes[at]
		if (!lane?.length)
			return now
		const k = firstBehind(calls, lane, start)
		return k < lane.length && calls.start[lane[k]] < (key === 'ArrowUp' ? start + 1 : end) ? { thread: now.thread, lane: at, i: lane[k], k } : now
	}

	firstCall() {
		for (const { thread, lanes } of this.layout())
			for (let lane = 0; lane < lanes; lane++) {
				const list = thread.calls.lanes[lane]
				const k = list ? firstBehind(thread.calls, list, this.view.from) : 0
				if (list && k < list.length)
					return { thread, lane, i: list[k], k }
			}
		return null
	}

	key(event) {
		if (event.ctrlKey || event.metaKey || event.altKey)
			return
		switch (event.key) {
		case 'w': case '+': case '=': this.zoomBy(0.6); break
		case 's': case '-': this.zoomBy(1 / 0.6); break
		case 'a': this.pan(-0.25); break
		case 'd': this.pan(0.25); break
		case '0': case 'Home': this.show(this.from, this.to); break
		case 'm': case 'M': if (this.isFlame) return; this.chooseCall(event.shiftKey); break
		case 'PageDown': this.scrollTo(this.top + this.canvas.height * 0.8); break
		case 'PageUp': this.scrollTo(this.top - this.canvas.height * 0.8); break
		case 'Enter': this.zoomTo(this.current); break
		case 'ArrowLeft': case 'ArrowRight': case 'ArrowUp': case 'ArrowDown': {
			if (event.shiftKey && !this.isFlame && /Left|Right/.test(event.key)) {
				this.moveEnd(event.key === 'ArrowLeft' ? -1 : 1)
				break
			}
			const found = this.walk(event.key)
			if (found) {
				this.take(found)
				this.keepInView(found)
			}
			break
		}
		default: return
		}
		event.preventDefault()
	}

	keepInView({ thread, lane, i }) {
		const start = thread.calls.start[i], end = start + thread.calls.length[i]
		if (end < this.view.from || start > this.view.to) {
			const span = this.view.to - this.view.from
			this.show((start + end) / 2 - span / 2, (start + end) / 2 + span / 2)
		}
		const place = this.layout().find(p => p.thread === thread)
		const y = place.y + headOf(thread) + lane * laneHeight
		if (y < axisHeight || y + laneHeight > this.canvas.height)
			this.scrollTo(this.top + y - this.canvas.height / 2)
	}
}
