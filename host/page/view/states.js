/* States of threads: when each ran, waited, or could have run and was preempted, where this was recorded. A band above the calls of
 * a thread shows the states. States differ in height and pattern, not in colour alone. */

const stateHeight = 11
const stateKinds = ['waiting', 'preempted', 'unknown']

/* Reads the intervals in which a thread did not run, in order and without overlap. off: for each of stateKinds, the time in each
 * interval. isSum: the interval is a sum of several short ones, and the thread may have run in between. With off_untold, all time
 * of the thread is unknown. Null: the thread has no events. */
function makeStates(numbers, thread) {
	const count = numbers.next()
	const states = { count, start: new Float64Array(count), end: new Float64Array(count), off: stateKinds.map(() => new Float64Array(count)), isSum: new Uint8Array(count) }
	let before = 0
	for (let i = 0; i < count; i++) {
		states.start[i] = before += numbers.signed()
		const word = numbers.next()
		const length = Math.floor(word / 4), kind = word % 4
		states.end[i] = before + length
		states.isSum[i] = kind === 3
		for (let k = 0; k < 3; k++)
			states.off[k][i] = kind === 3 ? numbers.next() : k === kind ? length : 0
	}
	if (thread.first_ns === undefined)
		return null
	if (!thread.off_untold)
		return states
	const whole = kind => Float64Array.of(kind === 2 ? thread.last_ns - thread.first_ns : 0)
	return { count: 1, start: Float64Array.of(thread.first_ns), end: Float64Array.of(thread.last_ns), off: [0, 1, 2].map(whole), isSum: Uint8Array.of(0) }
}

/* Returns the index of the first interval that ends after a moment; states.count: none does. */
function firstState(states, moment) {
	let low = 0, high = states.count
	while (low < high) {
		const middle = (low + high) >> 1
		if (states.end[middle] <= moment)
			low = middle + 1
		else
			high = middle
	}
	return low
}

/* The time that a thread spent in each state between two moments, in count columns of equal width. off: for each of stateKinds;
 * step: the time that a column covers. */
function stateColumns(thread, from, to, count) {
	const step = (to - from) / count
	const columns = { running: new Float64Array(count), off: stateKinds.map(() => new Float64Array(count)), step }
	const spread = (column, begin, end, amount) => {
		const first = Math.max(0, Math.floor((begin - from) / step)), last = Math.min(count - 1, Math.floor((end - from) / step))
		for (let i = first; i <= last; i++)
			column[i] += amount * Math.max(0, Math.min(end, from + (i + 1) * step) - Math.max(begin, from + i * step)) / (end - begin)
	}
	const states = thread.states
	if (thread.last_ns > thread.first_ns)
		spread(columns.running, thread.first_ns, thread.last_ns, thread.last_ns - thread.first_ns)
	for (let i = firstState(states, from); i < states.count && states.start[i] < to; i++)
		for (let k = 0; k < 3; k++)
			if (states.off[k][i])
				spread(columns.off[k], states.start[i], states.end[i], states.off[k][i])
	for (let i = 0; i < count; i++)
		columns.running[i] = Math.max(0, columns.running[i] - columns.off[0][i] - columns.off[1][i] - columns.off[2][i])
	return columns
}

/* "running 1.200 ms, waiting 3.000 ms": the sums of some threads between two moments. Empty: the states of no thread are known, or
 * the threads were not there then. */
function describeStates(threads, from, to, unit) {
	const sums = [0, 0, 0, 0]
	for (const thread of threads)
		if (thread.states && to > from) {
			const { running, off } = stateColumns(thread, from, to, 1)
			for (const [k, column] of [running, ...off].entries())
				sums[k] += column[0]
		}
	return ['running', ...stateKinds].map((name, k) => sums[k] >= 0.5 ? `${name} ${formatTime(sums[k], unit)}` : null).filter(Boolean).join(', ')
}

/* The state of a thread at a moment: { name, from, to }. Null: the thread was not there. */
function stateAt(thread, moment) {
	const states = thread.states
	if (moment < thread.first_ns || moment > thread.last_ns)
		return null
	const i = firstState(states, moment)
	if (i < states.count && states.start[i] <= moment)
		return { name: states.isSum[i] ? 'several states' : stateKinds.find((name, k) => states.off[k][i]), from: states.start[i], to: states.end[i] }
	return { name: 'running', from: i ? states.end[i - 1] : thread.first_ns, to: i < states.count ? states.start[i] : thread.last_ns }
}

/* In each column the bar is as high as the part of time that the thread ran. Preempted is hatched above the bar, waiting is a line
 * below, and unknown is a dotted line in the middle. */
function drawStates(context, thread, view, top, width, look) {
	const high = stateHeight - 3, bottom = top + high
	const { running, off: [waiting, preempted, unknown], step } = stateColumns(thread, view.from, view.to, Math.max(1, Math.floor(width)))
	const hatched = new Path2D(), dotted = new Path2D()
	context.fillStyle = look.run
	for (let x = 0; x < running.length; x++) {
		const ran = high * running[x] / step, ready = high * preempted[x] / step
		context.fillStyle = look.run
		if (ran > 0.2)
			context.fillRect(x, bottom - Math.max(ran, 1), 1, Math.max(ran, 1))
		if (ready > 0.2)
			hatched.rect(x, bottom - ran - Math.max(ready, 1), 1, Math.max(ready, 1))
		if (unknown[x])
			dotted.rect(x, top, 1, high)
		if (waiting[x]) {
			context.fillStyle = look.soft
			context.fillRect(x, bottom, 1, 1)
		}
	}
	const fill = (path, colour, dash, draw) => {
		context.save()
		context.clip(path)
		context.strokeStyle = colour
		context.setLineDash(dash)
		context.beginPath()
		draw()
		context.stroke()
		context.restore()
	}
	context.lineWidth = 1.5
	fill(hatched, look.warn, [], () => {
		for (let x = -high; x < width; x += 4) {
			context.moveTo(x, bottom)
			context.lineTo(x + high, top)
		}
	})
	fill(dotted, look.soft, [2, 4], () => {
		context.moveTo(0, top + high / 2)
		context.lineTo(width, top + high / 2)
	})
}

/* The legend of the bands, or the reason why there are none. Null: recordings of other kinds have no states. */
function stateLegend(data, id) {
	if (data.kind !== 'trace')
		return null
	if (!data.has_cpu)
		return make('div', { class: 'legend', id }, `Whether threads ran, waited or were preempted was not recorded${data.cpu_problem ? `: ${visible(data.cpu_problem)}` : ''}. Boxes are by the clock.`)
	const entry = (name, hint) => make('span', { class: 'state' }, make('i', { class: name, 'aria-hidden': 'true' }), ` ${name}`, hint)
	return make('div', { class: 'legend', id }, 'Above each thread’s calls: ', entry('running'), entry('preempted', ' (could run, another thread was let first)'), entry('waiting', ' (for something, then perhaps for a CPU)'), entry('unknown'),
		data.states_apart_ns ? ` Shorter ones than ${formatTime(data.states_apart_ns, data.timeUnit)} are added up, as high as their share.` : '')
}
