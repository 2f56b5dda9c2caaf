/* Colours tell neighbours apart; what something is, its text says. Hues of blue, amber, violet and teal, which differ in lightness, too: they
 * are told apart without red and green. */

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

/* A canvas that is as sharp as its screen; draw is called when there is time, once for however many changes. */
class Canvas {
	/* fullHeight: null, or of all that there is, for paper. */
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

const letterWidth = 6.65 /* of the font below, a little more than it is */
const boxFont = '11px ui-monospace, "SF Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace'

/* As much of the text as there is room for. */
function drawLabel(context, text, x, y, width) {
	const room = Math.floor((width - 6) / letterWidth)
	if (room < 3)
		return
	context.fillText(text.length <= room ? text : `${text.slice(0, room - 1)}…`, x + 3, y)
}
