/* The whole recording, above the timeline: how many threads ran when. A window shows which part is in the timeline. The user draws,
 * moves and resizes this window with the pointer or with keys. */

const edgeWidth = 6 /* pixels: a pointer so close to an edge of the window takes hold of the edge */

class Minimap {
	constructor(timeline, place) {
		this.timeline = timeline
		this.element = make('canvas', { tabindex: '0', id: timeline.id === 'timeline' ? 'minimap' : `${timeline.id}-minimap`, role: 'slider', 'aria-label': `${timeline.title ? `${timeline.title.textContent}: p` : 'P'}art of the recording that the timeline shows: left and right move it, up and down make it shorter and longer, Home shows all`, 'aria-valuemin': '0', 'aria-valuemax': '100' })
		place.append(make('div', { class: 'minimap' }, this.element))
		this.canvas = new Canvas(this.element, (context, width, height) => this.draw(context, width, height))
		this.element.addEventListener('pointerdown', event => this.grab(event))
		this.element.addEventListener('pointermove', event => this.hover(event))
		this.element.addEventListener('pointerleave', () => timeline.app.tip(null))
		this.element.addEventListener('keydown', event => this.key(event))
	}

	/* The timeline calls this when it shows another part of time. text: that part, for screen readers. */
	follow(text) {
		const { view, from, to } = this.timeline
		this.element.setAttribute('aria-valuenow', String(Math.round(100 * ((view.from + view.to) / 2 - from) / (to - from))))
		this.element.setAttribute('aria-valuetext', text)
		this.canvas.draw()
	}

	momentAt(x) { return this.timeline.from + (this.timeline.to - this.timeline.from) * Math.max(0, Math.min(1, x / this.canvas.width)) }
	xOf(moment) { return (moment - this.timeline.from) / (this.timeline.to - this.timeline.from) * this.canvas.width }

	/* The mean number of running threads in each column. A thread whose states were not recorded counts while it is in a
	 * call. */
	columns(width) {
		if (this.busy?.length === width)
			return this.busy
		const { threads, from, to } = this.timeline
		this.busy = new Float64Array(width)
		for (const thread of threads) {
			const { running, step } = thread.states ? stateColumns(thread, from, to, width) : { running: this.covered(thread, width), step: 1 }
			for (let i = 0; i < width; i++)
				this.busy[i] += Math.min(1, running[i] / step)
		}
		return this.busy
	}

	/* The part of each column, 0…1, that the outermost calls of a thread take. */
	covered(thread, width) {
		const { timeline } = this, column = new Float64Array(width)
		const scale = width / (timeline.to - timeline.from)
		const add = (begin, end, part) => {
			const left = (begin - timeline.from) * scale, right = (end - timeline.from) * scale
			for (let i = Math.max(0, Math.floor(left)); i <= right && i < width; i++)
				column[i] += part * Math.max(0, Math.min(right, i + 1) - Math.max(left, i))
		}
		const { calls } = thread, row = thread.density[0]
		for (const i of calls.lanes[0] ?? [])
			add(calls.start[i], calls.start[i] + calls.length[i], 1)
		for (let k = 0; row && k < row.slice.length; k++)
			add(...timeline.sliceSpan(row.slice[k]), row.busy[k] / 255)
		return column
	}

	draw(context, width, height) {
		const look = theme(), busy = this.columns(Math.floor(width)), most = Math.max(1, Math.ceil(busy.reduce((max, value) => Math.max(max, value), 0)))
		const { view } = this.timeline
		const left = this.xOf(view.from), right = Math.max(left + 3, this.xOf(view.to))
		context.fillStyle = look.run
		for (let x = 0; x < busy.length; x++) {
			const high = (height - 6) * busy[x] / most
			context.fillRect(x, height - high, 1, high)
		}
		context.fillStyle = look.card
		context.globalAlpha = 0.6
		context.fillRect(0, 0, left, height)
		context.fillRect(right, 0, width - right, height)
		context.globalAlpha = 1
		context.strokeStyle = look.accent
		context.lineWidth = 2
		context.strokeRect(left + 1, 1, Math.max(1, right - left - 2), height - 2)
		context.fillStyle = look.accent
		for (const x of [left, right - 4])
			context.fillRect(x, height / 2 - 8, 4, 16)
	}

	/* What the pointer takes hold of at x: an edge of the window ('begin', 'end'), the 'window', or nothing: 'new' draws
	 * another window. */
	partAt(x) {
		const { view } = this.timeline, left = this.xOf(view.from), right = this.xOf(view.to)
		if (Math.abs(x - left) <= edgeWidth && left > 0 || Math.abs(x - right) <= edgeWidth && right < this.canvas.width)
			return Math.abs(x - left) < Math.abs(x - right) ? 'begin' : 'end'
		return x > left && x < right && !this.timeline.isWhole() ? 'window' : 'new'
	}

	grab(event) {
		if (event.button)
			return
		const { timeline } = this, { from, to } = timeline.view
		const begin = this.momentAt(event.offsetX), part = this.partAt(event.offsetX), x = event.offsetX
		const move = at => {
			const moment = this.momentAt(at.offsetX)
			if (part === 'window')
				timeline.show(from + moment - begin, to + moment - begin)
			else if (part !== 'new' || Math.abs(at.offsetX - x) > 3)
				timeline.show(...[part === 'begin' ? to : part === 'end' ? from : begin, moment].sort((a, b) => a - b))
		}
		const release = at => {
			this.element.removeEventListener('pointermove', move)
			this.element.removeEventListener('pointerup', release)
			if (part === 'new' && Math.abs(at.offsetX - x) <= 3) /* a click: the window moves to this moment */
				timeline.show(begin - (to - from) / 2, begin + (to - from) / 2)
		}
		this.element.setPointerCapture(event.pointerId)
		this.element.addEventListener('pointermove', move)
		this.element.addEventListener('pointerup', release)
	}

	hover(event) {
		const x = Math.floor(event.offsetX), { data, threads } = this.timeline
		this.element.style.cursor = { begin: 'ew-resize', end: 'ew-resize', window: 'grab', new: 'crosshair' }[this.partAt(event.offsetX)]
		this.timeline.app.tip(this.busy?.[x] === undefined ? null : { event, name: formatTime(this.momentAt(x) - this.timeline.origin, data.timeUnit),
			lines: [`${this.busy[x].toFixed(1)} of ${formatCountOf(threads.length, 'threads')} ${threads.some(thread => thread.states) ? 'running' : this.timeline.isSampled ? 'sampled' : 'in calls'}`] })
	}

	key(event) {
		const { timeline } = this
		if (event.ctrlKey || event.metaKey || event.altKey)
			return
		switch (event.key) {
		case 'ArrowLeft': timeline.pan(-0.25); break
		case 'ArrowRight': timeline.pan(0.25); break
		case 'PageUp': timeline.pan(-1); break
		case 'PageDown': timeline.pan(1); break
		case 'ArrowUp': case '+': timeline.zoomBy(0.6); break
		case 'ArrowDown': case '-': timeline.zoomBy(1 / 0.6); break
		case 'Home': case '0': timeline.show(timeline.from, timeline.to); break
		default: return
		}
		event.preventDefault()
	}
}
