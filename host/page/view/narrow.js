/* Boxes of a flame graph that are too narrow to draw. Siblings narrower than narrowest are one hatched box behind the others, so no
 * time of a caller looks like its own. */

const narrowest = 0.4 /* CSS pixels */

/* Divides the children of box i by their width. scale: pixels for each unit of value. wide: their numbers; narrow: { ids, value } of
 * all others together. */
function splitNarrow(graph, i, scale) {
	const wide = [], narrow = { ids: [], value: 0 }
	for (const below of graph.below(i)) {
		const value = graph.value(below)
		if (value * scale >= narrowest) {
			wide.push(below)
		} else if (value > 0) {
			narrow.ids.push(below)
			narrow.value += value
		}
	}
	return { wide, narrow }
}

/* "2,310 narrow ones, 48.02 %" */
function describeNarrow(graph, { ids, value }) {
	return `${formatCount(ids.length)} narrow one${ids.length === 1 ? '' : 's'}, ${formatPercent(100 * value / (graph.whole || 1))}`
}

/* box: the place of the hatched box. isFound: one of its functions has what the user searches for, or the search is empty; isChosen:
 * the chosen box is one of them. */
function drawNarrow(context, graph, box, { look, isFound, isChosen }) {
	const { x, y, w, narrow } = box, high = boxHeight - 1
	context.save()
	context.beginPath()
	context.rect(x, y, w, high)
	context.clip()
	context.globalAlpha = isFound ? 1 : 0.25
	context.fillStyle = look.quiet
	context.fillRect(x, y, w, high)
	context.strokeStyle = look.soft
	context.lineWidth = 0.7
	context.beginPath()
	for (let line = 5 * Math.floor((x - high) / 5); line < x + w; line += 5) {
		context.moveTo(line, y + high)
		context.lineTo(line + high, y)
	}
	context.stroke()
	drawNarrowLabel(context, describeNarrow(graph, narrow), box, look)
	context.restore()
	if (isChosen)
		drawFrame(context, { x, y, w, high }, look.accent, 2)
}

/* The text has the box's ground under it: hatching would cross it out. */
function drawNarrowLabel(context, text, { x, y, w }, look) {
	const room = Math.floor((w - 6) / letterWidth)
	if (room < 3)
		return
	context.fillStyle = look.quiet
	context.fillRect(x + 2, y + 1, Math.min(room, text.length) * letterWidth + 2, boxHeight - 3)
	context.fillStyle = look.ink
	drawLabel(context, text, x, y, boxHeight - 1, w)
}
