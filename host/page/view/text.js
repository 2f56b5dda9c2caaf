/* Formats numbers for people, and makes elements from text without markup. */

const steps = { ns: [[86400e9, 'd', 360000e9], [3600e9, 'h', 6000e9], [60e9, 'min', 1000e9], [1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']], ticks: [[1, 'ticks']] }

/* By the number of digits behind the point; and counts. A formatter is made once: making one takes longer than a row of a table. */
const numbersBy = [0, 1, 2, 3].map(digits => new Intl.NumberFormat('en', { minimumFractionDigits: digits, maximumFractionDigits: digits }))
const counts = new Intl.NumberFormat('en', { maximumFractionDigits: 1 })
const allDigits = new Intl.NumberFormat('en')

function formatTime(value, unit = 'ns') {
	if (value === null || value === undefined)
		return '–'
	const size = Math.abs(value)
	for (const [factor, name, least] of steps[unit] ?? steps.ns)
		if (size >= (least ?? factor) || factor === 1) {
			const number = value / factor
			return `${numbersBy[factor === 1 ? 0 : Math.abs(number) >= 100 ? 1 : Math.abs(number) >= 10 ? 2 : 3].format(number)} ${name}`
		}
	return `0 ${unit}`
}

/* Two moments in one unit, with digits enough to show what is between them, and the time between:
 * "3.355001200 s … 3.355001220 s: 20 ns" */
function formatSpan(from, to, unit = 'ns') {
	const size = Math.max(Math.abs(from), Math.abs(to)), step = Math.max((to - from) / 100, 1)
	const [factor, name] = (steps[unit] ?? steps.ns).find(([factor, , least]) => size >= (least ?? factor) && factor <= 1e9 * step || factor === 1)
	const digits = digitsOf(factor, step)
	const moment = at => `${(at / factor).toFixed(digits)} ${name}`
	return `${moment(from)} … ${moment(to)}: ${formatTime(to - from, unit)}`
}

/* How many digits behind the point show such a step in a unit of this factor; none are below 1 ns. */
function digitsOf(factor, step) { return Math.max(0, Math.min(Math.ceil(Math.log10(factor / Math.max(step, 1)) - 1e-9), 9)) }

/* The duration of a single call. A duration below the step of the recording's clock shows as "<" and the step. */
function formatCallTime(value, data) {
	return data.kind === 'trace' && value < data.clock_step_ns ? `<${formatTime(data.clock_step_ns, data.timeUnit)}` : formatTime(value, data.timeUnit)
}

/* A cell's value with all digits, for its tooltip. Null: no tooltip, for text, percentages and means. */
function exact(value, unit, timeUnit) {
	value = plain(value)
	return typeof value !== 'number' || unit === 'percent' || unit === 'mean' ? null : `${allDigits.format(value)}${unit === 'ns' ? ` ${timeUnit}` : unit === 'ticks' ? ' ticks' : ''}`
}

function formatCount(value) {
	return value === null || value === undefined ? '–' : counts.format(value)
}

/* "1 call", "2 calls" */
const oneOf = { calls: 'call', stretches: 'stretch', samples: 'sample', functions: 'function', events: 'event', threads: 'thread', notes: 'note' }

function formatCountOf(value, what) {
	return `${formatCount(value)} ${value === 1 ? oneOf[what] ?? what : what}`
}

function formatPercent(value) {
	return value === null || value === undefined ? '–' : `${value.toFixed(2)} %`
}

function formatBytes(bytes) {
	return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(2)} GB` : bytes >= 1e6 ? `${(bytes / 1e6).toFixed(1)} MB` : `${formatCount(bytes)} bytes`
}

/* A total or self value, in the unit of the profile: a time, or a number of things. */
function formatValue(value, unit) {
	return unit === 'ns' || unit === 'ticks' ? formatTime(value, unit) : formatCountOf(value, unit)
}

function formatCell(value, unit, timeUnit) {
	if (Array.isArray(value))
		return `~${formatCell(value[0], unit, timeUnit)}`
	if (value === null || value === undefined)
		return '–'
	switch (unit) {
	case 'ns': return formatTime(value, timeUnit)
	case 'ticks': return formatTime(value, 'ticks')
	case 'percent': return formatPercent(value)
	case 'count': case 'mean': return formatCount(value)
	default: return String(value)
	}
}

/* Replaces control characters and invisible characters, which could mislead people or a terminal, by a symbol or \u{…}. */
function visible(text) {
	return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, c => {
		const code = c.charCodeAt(0)
		return code < 32 ? String.fromCharCode(0x2400 + code) : `\\u{${code.toString(16)}}`
	})
}

/* The last part of a path. */
function baseName(path) { return visible(path).replace(/^.*\//, '') }

/* make('td', { class: 'number' }, 'text', child, …). An attribute null, undefined or false is left out, true is empty; onNAME is a
 * listener. Children null and undefined are left out. */
function make(tag, attributes = {}, ...children) {
	const element = document.createElement(tag)
	for (const [key, value] of Object.entries(attributes)) {
		if (value === null || value === undefined || value === false)
			continue
		if (key.startsWith('on'))
			element.addEventListener(key.slice(2), value)
		else
			element.setAttribute(key, value === true ? '' : value)
	}
	element.append(...children.filter(child => child !== null && child !== undefined))
	return element
}

/* A name of so many letters at most, with the first place of the query marked. A name of which the query was cut out is whole.
 * query: in lower case; empty: marks nothing. */
function nameWithMark(name, query, letters) {
	const whole = visible(name), cut = fitName(whole, letters)
	const shown = query && !cut.toLowerCase().includes(query) ? whole : cut
	const span = document.createElement('span')
	const at = query ? shown.toLowerCase().indexOf(query) : -1
	if (at < 0) {
		span.textContent = shown
		return span
	}
	span.append(shown.slice(0, at), make('mark', {}, shown.slice(at, at + query.length)), shown.slice(at + query.length))
	return span
}

/* A group of buttons, one of them pressed. options: [value, text, tooltip] of each; onchange: takes the value of a clicked
 * button. */
function choice(label, options, chosen, onchange) {
	const group = make('div', { class: 'group', role: 'group', 'aria-label': label })
	for (const [value, text, title] of options)
		group.append(make('button', { type: 'button', title, 'data-value': value, 'aria-pressed': String(value === chosen), onclick: () => {
			for (const button of group.children)
				button.setAttribute('aria-pressed', String(button.dataset.value === value))
			onchange(value)
		} }, text))
	return group
}
