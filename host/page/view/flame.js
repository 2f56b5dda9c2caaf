/* The flame graph. A box is a path, with the functions that it calls below it. Left-heavy: siblings are in the order in which their
 * tree was made, the largest total first, and keep this order when the user chooses another time. Self: functions by their self
 * time, with their callers below them. Time order: the timeline of calls. */

const boxHeight = 19

/* Returns how many paths of the tree end in the function. */
function pathsOf(tree, fn) {
	if (!tree.paths) {
		tree.paths = new Map()
		for (const at of tree.fn)
			tree.paths.set(at, (tree.paths.get(at) ?? 0) + 1)
	}
	return tree.paths.get(fn) ?? 0
}

/* A graph as FlameGraph draws it, here from callers down to callees. BottomUp has the same methods. i: a box, here a node of the
 * tree; −1: the whole graph. */
class TopDown {
	constructor(tree, data) {
		this.tree = tree
		this.data = data
		this.whole = tree.roots
	}
	name(i) { return this.tree.fn[i] < 0 ? this.tree.others.get(i) : this.data.nameOf(this.tree.fn[i]) }
	fn(i) { return this.tree.fn[i] }
	value(i) { return this.tree.value[i] }
	label(i) { return visible(this.name(i)) }
	colour(i) { return colourOf(this.name(i)) }
	parent(i) { return this.tree.parent[i] }
	below(i) { return nodesBelow(this.tree, i) }
	describe(i) {
		const tree = this.tree
		const unit = this.data.unit
		const calls = this.data.kind === 'trace' || this.data.kind === 'untimed' ? formatCountOf(tree.calls[i], 'calls') : null
		if (this.data.kind === 'untimed')
			return calls
		const paths = tree.fn[i] < 0 ? 1 : pathsOf(tree, tree.fn[i])
		const of = `${paths > 1 ? `on this path, one of ${formatCount(paths)}: ` : ''}` + (this.data.hasBases ? `${bases[this.data.basis].title} time: ` : '')
		return [`${of}total ${formatValue(tree.total[i], unit)} (${formatPercent(100 * tree.total[i] / (this.whole || 1))})`, `self ${formatValue(tree.self[i], unit)}`, calls].filter(Boolean).join(', ')
	}
}

/* A graph from functions to their callers. The first call of below() makes the boxes below a box. nodes: the nodes of the tree that
 * a box stands for; leaves: for each of them the node with the self time that counts. */
class BottomUp {
	constructor(tree, data) {
		this.tree = tree
		this.data = data
		this.boxes = []
		this.kids = new Map()
		this.whole = 0
		const nodes = []
		for (let i = 0; i < tree.count; i++) {
			if (this.has(i))
				nodes.push(i)
			this.whole += this.own(i)
		}
		this.kids.set(-1, this.group(nodes, nodes, -1))
	}
	has(i) { return this.own(i) > 0 }
	own(i) { return this.data.kind === 'untimed' ? this.tree.calls[i] : this.tree.self[i] }
	group(nodes, leaves, parent) {
		const groups = new Map()
		nodes.forEach((node, i) => {
			const key = this.tree.fn[node] < 0 ? `o${node}` : this.tree.fn[node]
			let box = groups.get(key)
			if (!box)
				groups.set(key, box = { fn: this.tree.fn[node], node, value: 0, nodes: [], leaves: [], parent })
			box.value += this.own(leaves[i])
			box.nodes.push(node)
			box.leaves.push(leaves[i])
		})
		return [...groups.values()].sort((a, b) => b.value - a.value).map(box => this.boxes.push(box) - 1)
	}
	name(i) { return this.boxes[i].fn < 0 ? this.tree.others.get(this.boxes[i].node) : this.data.nameOf(this.boxes[i].fn) }
	fn(i) { return this.boxes[i].fn }
	value(i) { return this.boxes[i].value }
	label(i) { return visible(this.name(i)) }
	colour(i) { return colourOf(this.name(i)) }
	parent(i) { return this.boxes[i].parent }
	below(i) {
		if (!this.kids.has(i)) {
			const box = this.boxes[i], nodes = [], leaves = []
			box.nodes.forEach((node, k) => {
				if (this.tree.parent[node] >= 0) {
					nodes.push(this.tree.parent[node])
					leaves.push(box.leaves[k])
				}
			})
			this.kids.set(i, this.group(nodes, leaves, i))
		}
		return this.kids.get(i)
	}
	describe(i) {
		const share = formatPercent(100 * this.boxes[i].value / (this.whole || 1))
		return `${this.boxes[i].parent < 0 ? 'self' : 'of that, called by it'} ${formatValue(this.boxes[i].value, this.data.kind === 'untimed' ? 'calls' : this.data.unit)} (${share})`
	}
}

class FlameGraph {
	constructor(app, place) {
		this.app = app
		this.data = app.data
		this.way = 'total'
		this.order = 'heavy'
		this.thread = ''
		this.zoomed = -1
		this.current = -1
		this.top = 0
		this.boxes = []
		this.make(place)
		this.setGraph()
	}

	/* The controls above the graph. */
	controls() {
		const withTree = this.data.threads.filter(thread => thread.tree)
		const threads = make('select', { 'aria-label': 'Thread', id: 'flame-thread', onchange: () => this.setThread(threads.value) }, make('option', { value: '' }, 'all threads'))
		for (const thread of withTree)
			threads.append(make('option', { value: String(thread.index) }, visible(thread.label)))
		const max = this.data.threads_with_tree_max
		const few = withTree.length < this.data.threads.length && this.data.threads.length > max
			? `${formatCount(withTree.length)} of ${formatCount(this.data.threads.length)} threads, the busiest, can be chosen; the others are in “all threads”` : null
		const orders = choice('Order', [['heavy', 'Left-heavy', 'What took most is left'], ['time', 'Time order', 'Calls as they were made']], 'heavy', order => this.setOrder(order))
		this.note = make('span', { class: 'soft', id: 'flame-note' })
		return [this.chooseWay(), orders, threads, this.chooseAll(), this.note, few && make('span', { class: 'soft', id: 'flame-trees' }, few)]
	}

	chooseWay() {
		return choice('Width', [['total', 'Total', 'Callers above, what they call below: wide is total'], ['self', 'Self', 'Functions by their own time, their callers below']], 'total', way => this.setWay(way))
	}

	chooseAll() { return make('button', { type: 'button', id: 'flame-all', onclick: () => this.zoom(-1) }, 'All') }

	make(place) {
		this.shows = make('span', { class: 'soft', id: 'flame-shows' })
		place.append(make('div', { class: 'bar-row' }, ...this.controls(), this.shows))
		this.status = make('div', { class: 'status', role: 'status', id: 'flame-status' })
		this.element = make('canvas', { tabindex: '0', id: 'flame', role: 'img', 'aria-label': 'Flame graph: arrows walk, Enter zooms, Backspace zooms out' })
		this.box = make('div', { class: 'canvas' }, this.element)
		this.time = make('div', { hidden: true })
		place.append(this.status, this.box, this.time)
		this.canvas = new Canvas(this.element, (context, width, height) => this.draw(context, width, height), () => (this.levels + 1) * boxHeight)
		this.element.addEventListener('pointerdown', event => this.grab(event))
		this.element.addEventListener('pointermove', event => this.hover(event))
		this.element.addEventListener('pointerleave', () => this.app.tip(null))
		this.element.addEventListener('click', event => this.click(event))
		this.element.addEventListener('dblclick', event => { const box = this.find(event); if (box) this.zoom(box.i) })
		this.element.addEventListener('wheel', event => this.scroll(event), { passive: false })
		this.element.addEventListener('keydown', event => this.key(event))
	}

	setGraph() {
		const before = this.graph
		this.graph = this.makeGraph()
		/* In the same tree boxes keep their numbers, so the graph keeps the box that it is zoomed to, unless this box has
		 * no width now. */
		if (!(before instanceof TopDown && this.graph instanceof TopDown && before.tree === this.graph.tree) || (this.zoomed >= 0 && !this.graph.value(this.zoomed))) {
			this.zoomed = this.current = -1
			this.top = 0
		}
		this.shows.textContent = this.byWhat()
		if (this.note)
			this.note.textContent = this.thread === '' || this.data.range ? '' : 'of all time, paths below 0.01 % are left out'
		this.app.remember()
		this.canvas.draw()
		this.say()
	}

	makeGraph() {
		const tree = this.thread === '' ? this.data.tree : this.data.threads[this.thread].tree
		return this.way === 'self' ? new BottomUp(tree, this.data) : new TopDown(tree, this.data)
	}

	setThread(value) {
		this.thread = value
		if (this.order === 'time')
			this.showTime()
		this.setGraph()
	}

	setWay(way) {
		this.way = way
		this.setGraph()
	}

	setOrder(order) {
		this.order = order
		this.app.remember()
		this.showOrder()
	}

	showOrder() {
		this.box.hidden = this.order === 'time'
		this.time.hidden = this.order !== 'time'
		if (this.order === 'time')
			this.showTime()
		else
			this.canvas.draw()
	}

	async showTime() {
		const why = whyNoTimeline(this.data)
		if (why) {
			this.time.replaceChildren(why)
			return
		}
		await loadCalls(this.data)
		if (!this.timeline)
			this.timeline = new Timeline(this.app, this.time, { id: 'time-flame' })
		this.timeline.setThreads(this.thread === '' ? null : [Number(this.thread)])
	}

	zoom(i) {
		this.zoomed = i
		this.current = i
		this.top = 0
		this.canvas.draw()
		this.say()
		this.app.remember()
	}

	/* The boxes around box i, outermost first, and box i itself. Empty for the whole graph. */
	around(i) {
		const path = []
		for (let at = i; at >= 0; at = this.graph.parent(at))
			path.push(at)
		return path.reverse()
	}

	draw(context, width, height) {
		const graph = this.graph, boxes = this.boxes = []
		const look = theme()
		/* narrow: the boxes below box i that this one stands for (splitNarrow) */
		const put = (i, x, level, w, whole, narrow = null) => {
			const y = level * boxHeight - this.top
			if (y > -boxHeight && y < height)
				boxes.push({ i, x, y, w, level, whole, narrow })
		}
		const path = this.around(this.zoomed)
		path.forEach((i, level) => put(i, 0, level, width, level + 1 < path.length))
		const base = this.zoomed < 0 ? graph.whole : graph.value(this.zoomed)
		const scale = base > 0 ? width / base : 0
		/* Boxes whose children come next: the box, the left end of its children, and their level. Goes 40 levels deeper
		 * than the canvas shows. */
		const stack = [[this.zoomed, 0, path.length]]
		this.levels = path.length
		while (stack.length) {
			const [i, from, level] = stack.pop()
			let x = from
			this.levels = Math.max(this.levels, level)
			if (level * boxHeight - this.top > height + 40 * boxHeight)
				continue
			const { wide, narrow } = splitNarrow(graph, i, scale)
			for (const below of wide) {
				const w = graph.value(below) * scale
				put(below, x, level, w, false)
				stack.push([below, x, level + 1])
				x += w
			}
			if (narrow.value * scale >= narrowest)
				put(i, x, level, narrow.value * scale, false, narrow)
		}
		context.font = boxFont
		context.textBaseline = 'middle'
		for (const box of boxes)
			if (box.narrow)
				drawNarrow(context, graph, box, { look, isFound: !this.app.query || box.narrow.ids.some(i => this.isFound(i)), isChosen: box.narrow.ids.includes(this.current) })
			else
				this.drawBox(context, box, look)
	}

	isFound(i) {
		const fn = this.graph.fn(i)
		return !this.app.query || (fn >= 0 ? this.data.lower[fn] : this.graph.name(i).toLowerCase()).includes(this.app.query)
	}

	drawBox(context, { i, x, y, w, whole }, look) {
		const fn = this.graph.fn(i), found = this.isFound(i)
		context.globalAlpha = found ? whole ? 0.6 : 1 : 0.25
		context.fillStyle = this.graph.colour(i)
		const gap = w > 3 ? 1 : 0
		context.fillRect(x, y, Math.max(w - gap, 0.6), boxHeight - 1)
		if (this.app.query && found && w > 2) {
			context.fillStyle = look.accent
			context.fillRect(x, y + boxHeight - 4, Math.max(w - gap, 1), 3)
		}
		if (fn >= 0 && this.app.isChosen(fn) && w > 5)
			drawFrame(context, { x, y, w: w - gap, high: boxHeight - 1 }, look.ink, 1)
		if (w > 26) {
			context.fillStyle = look.ink
			drawLabel(context, this.graph.label(i), Math.max(x, 0), y, boxHeight - 1, w)
		}
		if (i === this.current)
			drawFrame(context, { x, y, w: Math.max(w - gap, 1), high: boxHeight - 1 }, look.accent, 2)
		context.globalAlpha = 1
	}

	find(event) {
		const x = event.offsetX, y = event.offsetY
		return this.boxes.find(box => x >= box.x && x < box.x + Math.max(box.w, 1) && y >= box.y && y < box.y + boxHeight)
	}

	/* A finger scrolls the graph. */
	grab(event) {
		if (event.pointerType !== 'touch')
			return
		const { top } = this, y = event.clientY
		const move = at => { this.scrollTo(top + y - at.clientY) }
		const release = () => {
			window.removeEventListener('pointermove', move)
			endPointer(release)
		}
		window.addEventListener('pointermove', move)
		onPointerEnd(release)
	}

	/* Pixels below the canvas. */
	get room() { return Math.max(0, (this.levels + 2) * boxHeight - this.canvas.height) }

	scrollTo(top) {
		this.top = Math.max(0, Math.min(this.room, top))
		this.canvas.draw()
	}

	hover(event) {
		const box = this.find(event)
		this.app.tip(!box ? null : box.narrow ? { event, name: describeNarrow(this.graph, box.narrow), lines: ['paths too narrow for boxes; the table has their functions'] }
			: { event, name: this.graph.name(box.i), lines: [this.graph.describe(box.i)] })
		this.element.style.cursor = box ? 'pointer' : 'default'
	}

	click(event) {
		const box = this.find(event)
		if (!box)
			return
		if (box.narrow) {
			this.status.textContent = `${describeNarrow(this.graph, box.narrow)}: paths too narrow for boxes. The table has their functions; double-click to zoom to their caller.`
			return
		}
		this.current = box.i
		if (this.graph.fn(box.i) >= 0)
			this.app.choose(this.graph.fn(box.i))
		if (box.whole)
			this.zoom(box.i)
		this.canvas.draw()
		this.say()
	}

	scroll(event) {
		if (event.ctrlKey) {
			const box = this.find(event)
			event.preventDefault()
			this.zoom(event.deltaY > 0 ? this.zoomed < 0 ? -1 : this.graph.parent(this.zoomed) : box ? box.i : this.zoomed)
			return
		}
		if (!this.room && !this.top)
			return
		event.preventDefault()
		this.scrollTo(this.top + event.deltaY)
	}

	/* What widths show, as text: paper has no buttons. */
	byWhat() {
		return `Width: ${this.way}${this.data.hasBases ? `, ${bases[this.data.basis].title} time` : ''}.`
	}

	/* Puts into a link what is not as usual; recall takes it from a link. The number of the box that the graph is zoomed to
	 * holds in this page only. */
	remember(parts) {
		if (this.way !== 'total')
			parts.set('width', this.way)
		if (this.order !== 'heavy')
			parts.set('order', this.order)
		if (this.thread !== '')
			parts.set('thread', this.thread)
		if (this.zoomed >= 0 && this.graph instanceof TopDown)
			parts.set('zoom', this.zoomed)
	}

	recall(parts) {
		const press = value => document.querySelector(`#view-flame [data-value="${CSS.escape(value ?? '')}"]`)?.click()
		const threads = document.getElementById('flame-thread'), zoom = Number(parts.get('zoom') ?? -1)
		press(parts.get('width'))
		press(parts.get('order'))
		if (threads && [...threads.options].some(option => option.value === parts.get('thread'))) {
			threads.value = parts.get('thread')
			this.setThread(threads.value)
		}
		if (zoom >= 0 && this.graph instanceof TopDown && zoom < this.graph.tree.count)
			this.zoom(zoom)
	}

	say() {
		if (this.current < 0) {
			this.status.textContent = this.way === 'total' ? 'Click a box for its function, double-click to zoom. Below a box is what it calls.' : 'Functions by self time; below a function is who called it.'
			return
		}
		this.status.textContent = `${nameInStatus(this.graph.name(this.current))}: ${this.graph.describe(this.current)}`
	}

	/* Moves to the widest box of a function, in a graph from callers down to callees only. */
	reveal(fn) {
		if (!(this.graph instanceof TopDown) || fn < 0)
			return
		let best = -1
		for (let i = 0; i < this.graph.tree.count; i++)
			if (this.graph.tree.fn[i] === fn && (best < 0 || this.graph.tree.value[i] > this.graph.tree.value[best]))
				best = i
		if (best < 0)
			return
		this.current = best
		const level = this.graph.tree.depth[best]
		this.top = Math.max(0, (level + 3) * boxHeight - this.canvas.height)
		this.say()
		this.canvas.draw()
	}

	key(event) {
		const graph = this.graph
		const beside = step => {
			const list = [...graph.below(this.current < 0 ? -1 : graph.parent(this.current))]
			return list[Math.max(0, Math.min(list.length - 1, list.indexOf(this.current) + step))] ?? this.current
		}
		let to = this.current
		switch (event.key) {
		case 'ArrowDown': to = [...graph.below(this.current)].reduce((best, i) => best < 0 || graph.value(i) > graph.value(best) ? i : best, -1); if (to < 0) to = this.current; break
		case 'ArrowUp': to = this.current < 0 ? -1 : graph.parent(this.current); break
		case 'ArrowLeft': to = beside(-1); break
		case 'ArrowRight': to = beside(1); break
		case 'Enter': event.preventDefault(); this.zoom(this.current); return
		case 'Backspace': event.preventDefault(); this.zoom(this.zoomed < 0 ? -1 : graph.parent(this.zoomed)); return
		case '0': this.zoom(-1); return
		default: return
		}
		event.preventDefault()
		this.current = to
		if (to >= 0 && graph.fn(to) >= 0)
			this.app.choose(graph.fn(to))
		this.say()
		this.canvas.draw()
	}
}
