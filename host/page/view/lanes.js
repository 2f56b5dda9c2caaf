/* Draws the timeline: lanes of single calls, slices of sums, and the axis. Its subclass Timeline (timeline.js) chooses the part of
 * time, and acts on the pointer and on keys. */

const laneHeight = 15
const headHeight = 20
const axisHeight = 24
const lanesUsual = 12 /* lanes of a thread among several; a click on the thread's name shows all of its lanes */

/* The pixels from the top of a thread to its first lane. */
function headOf(thread) { return headHeight + (thread.states ? stateHeight : 0) }

/* Returns the place in a lane of the first call that ends after a moment; lane.length: none does. from: where the search begins. */
function firstBehind(calls, lane, moment, from = 0) {
	let low = from, high = lane.length
	while (low < high) {
		const middle = (low + high) >> 1
		if (calls.start[lane[middle]] + calls.length[lane[middle]] <= moment)
			low = middle + 1
		else
			high = middle
	}
	return low
}

/* Whole minutes, hours and days between marks, in nanoseconds. */
const longSteps = [60e9, 120e9, 300e9, 600e9, 1800e9, 3600e9, 7200e9, 21600e9, 43200e9, 86400e9]

/* The time between two marks of the axis, at least 110 pixels: 1, 2 or 5 times a power of ten, from a minute on whole minutes, hours
 * and days. perPixel: time for each pixel. */
function axisStep(perPixel, unit) {
	const least = perPixel * 110, isLong = unit === 'ns' && least > 20e9
	if (isLong && least <= longSteps.at(-1))
		return longSteps.find(step => step >= least)
	const one = isLong ? 86400e9 : 1, power = 10 ** Math.floor(Math.log10(Math.max(least / one, 1)))
	return [1, 2, 5, 10].map(factor => factor * power * one).find(step => step >= least)
}

/* The one unit of all marks of an axis that ends at most: the largest that has whole numbers between marks, or a power of ten. */
function axisUnit(most, step, unit) {
	return (steps[unit] ?? steps.ns).find(([factor, , least]) => most >= (least ?? factor) && (factor <= 1e9 || step % factor === 0) || factor === 1)
}

class Lanes {
	draw(context, width, height) {
		const look = theme()
		context.font = boxFont
		context.textBaseline = 'middle'
		this.places = this.layout()
		this.drawMarks(context, width, height, look)
		for (const place of this.places) {
			if (place.y > height || place.y + headOf(place.thread) + place.lanes * laneHeight < axisHeight)
				continue
			this.drawThread(context, place, width, height, look)
		}
		this.drawRange(context, height, look)
		this.drawAxis(context, width, height, look)
	}

	drawThread(context, { thread, y, lanes }, width, height, look) {
		const hidden = thread.lanes - lanes
		context.fillStyle = look.quiet
		context.fillRect(0, y, width, headHeight - 2)
		context.fillStyle = look.ink
		context.fillText(`${visible(thread.label)}${thread.lanes > lanesUsual && this.threads.length > 1 && !this.isFlame ? hidden ? `  ▸ ${hidden} deeper level${hidden === 1 ? '' : 's'}` : '  ▾' : ''}`, 6, y + headHeight / 2 - 1)
		if (thread.states && y + headHeight < height)
			drawStates(context, thread, this.view, y + headHeight, width, look)
		for (let lane = 0; lane < lanes; lane++) {
			const top = y + headOf(thread) + lane * laneHeight
			if (top > height || top + laneHeight < axisHeight)
				continue
			if (thread.density[lane])
				this.drawDensity(context, thread.density[lane], top, width, look)
			if (thread.calls.lanes[lane])
				this.drawLane(context, thread, thread.calls.lanes[lane], top, width, look)
		}
	}

	/* Draws the range over all threads. */
	drawRange(context, height, look) {
		if (!this.range || this.isFlame)
			return
		const x = this.xOf(this.range.from), w = Math.max(1, this.xOf(this.range.to) - x)
		context.fillStyle = look.accent
		context.globalAlpha = 0.14
		context.fillRect(x, axisHeight, w, height - axisHeight)
		context.globalAlpha = 1
		context.fillRect(x, axisHeight, 1, height - axisHeight)
		context.fillRect(x + w - 1, axisHeight, 1, height - axisHeight)
	}

	isFound(fn) { return !this.app.query || this.data.lower[fn]?.includes(this.app.query) }

	drawLane(context, thread, lane, top, width, look) {
		const calls = thread.calls
		const perPixel = (this.view.to - this.view.from) / width
		let at = firstBehind(calls, lane, this.view.from)
		while (at < lane.length) {
			const i = lane[at]
			if (calls.start[i] > this.view.to)
				break
			const x = Math.max(-2, this.xOf(calls.start[i]))
			const w = Math.min(width + 2, this.xOf(calls.start[i] + calls.length[i])) - x
			const name = this.data.nameOf(calls.fn[i])
			context.globalAlpha = this.isFound(calls.fn[i]) ? 1 : 0.22
			context.fillStyle = colourOf(name)
			if (w < 1) {
				/* Calls that share a pixel are one line, in the colour of the first of them. */
				context.fillRect(x, top, 1, laneHeight - 1)
				at = firstBehind(calls, lane, calls.start[i] + perPixel, at + 1)
				continue
			}
			const gap = w > 3 ? 1 : 0
			context.fillRect(x, top, w - gap, laneHeight - 1)
			if (this.app.isChosen(calls.fn[i]) && w > 5)
				drawFrame(context, { x, y: top, w: w - gap, high: laneHeight - 1 }, look.ink, 1)
			if (w > 26) {
				context.fillStyle = look.ink
				drawLabel(context, (calls.unsure[i] ? '~' : '') + visible(name), x, top, laneHeight - 1, w)
			}
			if (this.current && this.current.thread === thread && this.current.i === i)
				drawFrame(context, { x, y: top, w: w - gap, high: laneHeight - 1 }, look.accent, 2)
			at++
		}
		context.globalAlpha = 1
	}

	sliceSpan(slice) {
		const from = this.data.density.from_ns + slice * this.data.density.slice_ns
		return [from, from + this.data.density.slice_ns]
	}

	firstSlice(row, moment) {
		const wanted = Math.floor((moment - this.data.density.from_ns) / this.data.density.slice_ns)
		let low = 0, high = row.slice.length
		while (low < high) {
			const middle = (low + high) >> 1
			if (row.slice[middle] < wanted)
				low = middle + 1
			else
				high = middle
		}
		return low
	}

	drawDensity(context, row, top, width, look) {
		const bottom = top + laneHeight - 1
		const spans = []
		for (let at = this.firstSlice(row, this.view.from); at < row.slice.length; at++) {
			const [from, to] = this.sliceSpan(row.slice[at])
			if (from > this.view.to)
				break
			const x = Math.max(-20, this.xOf(from)), w = Math.max(1, Math.min(width + 20, this.xOf(to)) - x)
			const high = Math.max(2, (laneHeight - 1) * row.busy[at] / 255)
			context.globalAlpha = this.isFound(row.fn[at]) ? 0.75 : 0.18
			context.fillStyle = colourOf(this.data.nameOf(row.fn[at]))
			context.fillRect(x, bottom - high, w, high)
			spans.push([x, w, high])
		}
		this.hatch(context, spans, bottom, width, look)
	}

	/* Hatches the slices of a lane after all of them are drawn: one slice may be narrower than the distance of two lines.
	 * spans: x, width and height of each slice. */
	hatch(context, spans, bottom, width, look) {
		const slices = new Path2D()
		for (const [x, w, high] of spans)
			slices.rect(x, bottom - high, w, high)
		context.save()
		context.clip(slices)
		context.globalAlpha = 0.6
		context.strokeStyle = look.ink
		context.lineWidth = 0.7
		context.beginPath()
		for (let x = -laneHeight; x < width; x += 6) {
			context.moveTo(x, bottom)
			context.lineTo(x + laneHeight * 0.7, bottom - laneHeight)
		}
		context.stroke()
		context.restore()
	}

	/* Moments of the marks of the axis. They count from origin. */
	marks(width) {
		const { from, to } = this.view, step = axisStep((to - from) / width, this.data.timeUnit), marks = []
		for (let k = Math.ceil((from - this.origin) / step); this.origin + k * step <= to; k++)
			marks.push(this.origin + k * step)
		return { marks, step, unit: axisUnit(Math.max(Math.abs(from - this.origin), Math.abs(to - this.origin)), step, this.data.timeUnit) }
	}

	/* Draws a line down from each mark of the axis. These lines come first, so that none crosses out a name. */
	drawMarks(context, width, height, look) {
		context.strokeStyle = look.line
		context.lineWidth = 1
		context.beginPath()
		for (const mark of this.marks(width).marks) {
			const x = Math.round(this.xOf(mark)) + 0.5
			context.moveTo(x, axisHeight)
			context.lineTo(x, height)
		}
		context.stroke()
	}

	drawAxis(context, width, height, look) {
		const { marks, step, unit } = this.marks(width)
		context.fillStyle = look.card
		context.fillRect(0, 0, width, axisHeight - 2)
		context.strokeStyle = look.line
		context.lineWidth = 1
		context.beginPath()
		context.moveTo(0, axisHeight - 2.5)
		context.lineTo(width, axisHeight - 2.5)
		context.fillStyle = look.soft
		for (const mark of marks) {
			const x = Math.round(this.xOf(mark)) + 0.5
			context.moveTo(x, axisHeight - 8)
			context.lineTo(x, axisHeight - 2)
			const text = this.axisText(mark - this.origin, step, unit)
			if (x + 4 + context.measureText(text).width < width)
				context.fillText(text, x + 4, axisHeight / 2 - 2)
		}
		context.stroke()
	}

	axisText(moment, step, [factor, name]) { return `${(moment / factor).toFixed(digitsOf(factor, step))} ${name}` }
}
