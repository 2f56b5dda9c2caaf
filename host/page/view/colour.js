/* Colours only separate neighbours; a text names each box. The hues are blue, amber, violet and teal, each in four steps of
 * lightness, so that people who confuse red and green can separate them. */

const hues = [[212, 58], [38, 72], [262, 42], [188, 48], [24, 60], [232, 38], [48, 58], [285, 30]]
const colourCache = new Map()

function hashOf(text) {
	let hash = 2166136261
	for (let i = 0; i < text.length; i++)
		hash = Math.imul(hash ^ text.charCodeAt(i), 16777619)
	return hash >>> 0
}

function isDark() {
	return document.documentElement.dataset.theme === 'dark'
}

function colourOf(name) {
	const key = (isDark() ? 'd' : 'l') + name
	let colour = colourCache.get(key)
	if (colour === undefined) {
		const hash = hashOf(name)
		const [hue, saturation] = hues[hash % hues.length]
		const step = (hash >>> 8) % 4
		colour = isDark() ? `hsl(${hue} ${saturation * 0.75}% ${28 + step * 4}%)` : `hsl(${hue} ${saturation + 12}% ${70 + step * 4}%)`
		colourCache.set(key, colour)
	}
	return colour
}

function theme() {
	const style = getComputedStyle(document.documentElement)
	const get = name => style.getPropertyValue(name).trim()
	return { ink: get('--ink'), soft: get('--soft'), line: get('--line'), card: get('--card'), quiet: get('--quiet'), accent: get('--accent'), warn: get('--warn'), run: get('--run'), mono: get('--mono') }
}

/* A canvas with the resolution of its screen. draw() schedules one painting for the next frame, however often callers call it. */
class Canvas {
	/* draw: paints; its arguments are context, width and height in CSS pixels. fullHeight: returns the height of the whole
	 * drawing, for paper; null: the canvas shows all of it anyway. */
	constructor(element, draw, fullHeight = null) {
		this.element = element
		this.fullHeight = fullHeight
		this.context = element.getContext('2d')
		this.wanted = false
		this.paint = draw
		new ResizeObserver(() => this.draw()).observe(element)
	}
	get width() { return this.element.clientWidth }
	get height() { return this.element.clientHeight }
	draw() {
		if (this.wanted)
			return
		this.wanted = true
		requestAnimationFrame(() => this.drawNow())
	}
	drawNow() {
		this.wanted = false
		const scale = window.devicePixelRatio || 1
		const width = Math.round(this.width * scale), height = Math.round(this.height * scale)
		if (!width || !height)
			return
		if (this.element.width !== width || this.element.height !== height) {
			this.element.width = width
			this.element.height = height
		}
		this.context.setTransform(scale, 0, 0, scale, 0, 0)
		this.context.clearRect(0, 0, this.width, this.height)
		this.paint(this.context, this.width, this.height)
	}
}

const letterWidth = 6.65 /* CSS pixels for one letter of boxFont, rounded up */
const boxFont = '11px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace'

/* Draws a frame along the edges of a box. It takes one pixel of the box at the most, and thickness − 1 around it, so that all of the
 * name in the box stays in sight, underscores too. */
function drawFrame(context, { x, y, w, high }, colour, thickness) {
	const out = thickness - 1
	context.fillStyle = colour
	for (const side of [y - out, y + high - 1])
		context.fillRect(x - out, side, w + 2 * out, thickness)
	for (const side of [x - out, x + w - 1])
		context.fillRect(side, y, thickness, high)
}

/* Draws the name of a function, cut to the width. Draws nothing where fewer than three letters fit. top, high: of
 * the box. */
function drawLabel(context, text, x, top, high, width) {
	const room = Math.floor((width - 6) / letterWidth)
	if (room < 3)
		return
	context.fillText(fitName(text, room), x + 3, top + high / 2 - 1)
}
