/* The App holds the views together. It has the chosen function, the search text and the open view. */

class App {
	constructor(book) {
		this.book = book
		this.query = ''
		this.view = 'functions'
		this.tipBox = document.getElementById('tip')
		this.tabs = ['functions', 'flame', 'timeline']
		for (const [at, view] of this.tabs.entries()) {
			const tab = document.getElementById(`tab-${view}`)
			tab.addEventListener('click', () => this.open(view))
			tab.addEventListener('keydown', event => {
				const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
				if (step)
					this.open(this.tabs[(at + step + 3) % 3], true)
			})
		}
		const search = document.getElementById('search')
		search.addEventListener('input', () => this.search(search.value))
		search.addEventListener('keydown', event => {
			if (event.key === 'Escape') {
				this.endSearch()
				search.blur()
			} else if (event.key === 'Enter' || event.key === 'ArrowDown') {
				event.preventDefault()
				this.table.move(0)
				if (this.view === 'functions')
					this.table.box.focus()
				this.flame?.reveal(this.chosen)
			}
		})
		if (book.both)
			document.getElementById('recording').append(choice('Recording', [['both', 'Both', 'What changed'], ['old', 'Old', book.old.file], ['new', 'New', book.new.file]], 'both', which => this.show(which)))
		this.begin(book.both ? 'both' : 'new')
	}

	/* Shows a recording, or the comparison of both, from now on. which: 'old', 'new' or 'both'. */
	begin(which) {
		const place = name => {
			const inner = make('div')
			document.getElementById(name).replaceChildren(inner)
			return inner
		}
		this.which = which
		this.data = this.book[which]
		this.chosen = this.flame = this.timeline = null
		this.showRange()
		const { data, book } = this, isBoth = which === 'both'
		if (data.hasBases && this.basis)
			setBasis(data, this.basis)
		document.getElementById('title').textContent = isBoth ? `${shortFile(book, 'old')} → ${shortFile(book, 'new')}` : programOf(data)
		document.title = `${document.getElementById('title').textContent} – dwell`
		document.getElementById('health').replaceChildren(...isBoth ? [healthOf(book.old, 'Old'), healthOf(book.new, 'New'), compareNote(data)] : [healthOf(data, null)])
		document.getElementById('basis').replaceChildren(...this.choices())
		this.table = new (isBoth ? DiffTable : FunctionTable)(this, place('view-functions'))
		this.detail = new (isBoth ? DiffDetail : Detail)(this, document.getElementById('detail'))
		place('view-flame')
		place('view-timeline')
		this.table.move(0)
	}

	/* The buttons above the views: for the time of tables and boxes, or for the measure of a comparison. */
	choices() {
		const { data } = this
		if (data.hasBases)
			return [choice('Time', Object.entries(bases).map(([key, { title, hint }]) => [key, title, hint]), data.basis, basis => this.setBasis(basis))]
		if (data.kind === 'diff' && Object.keys(data.measures).length > 1)
			return [choice('Change of', Object.keys(data.measures).map(key => [key, measures[key].title, measures[key].hint]), data.measure, measure => this.setMeasure(measure))]
		return []
	}

	/* Shows another recording, or both, with the same function and part of time in the same view. */
	async show(which) {
		const { view, timeline } = this
		if (this.chosen !== null)
			this.chosenInBoth = this.which === 'both' ? this.chosen : this.data.idInBoth[this.chosen]
		if (timeline)
			this.seen = timeline.isWhole() ? null : { from: timeline.view.from - timeline.from, to: timeline.view.to - timeline.from }
		this.view = 'functions' /* so that open() reveals the function in the new flame graph */
		this.begin(which)
		this.chosen = null
		const own = which === 'both' ? this.chosenInBoth : this.data.ownIdsOf.get(this.chosenInBoth)?.[0]
		if (own !== undefined)
			this.choose(own)
		else
			this.detail.lack(this.book.both.nameOf(this.chosenInBoth))
		if (this.query)
			this.search(this.query)
		await this.open(view)
	}

	setMeasure(measure) {
		setMeasure(this.data, measure)
		this.showNumbers()
	}

	/* Shows table, flame graph and details again, after a change of the time, the measure or the range. */
	showNumbers() {
		this.table.setBasis()
		this.flame?.setGraph()
		this.detail.show()
		this.remember()
	}

	isChosen(fn) { return fn === this.chosen }

	/* The canvases that exist so far. */
	canvases() {
		return [this.flame?.canvas, this.flame?.timeline?.canvas, ...this.timeline?.canvases() ?? []].filter(Boolean)
	}

	draw() {
		for (const canvas of this.canvases())
			canvas.draw()
	}

	choose(fn) {
		if (typeof fn !== 'number' || fn === this.chosen)
			return
		this.chosen = fn
		this.remember()
		this.table.draw()
		this.detail.show()
		this.draw()
	}

	/* Tables, details and the flame graph show this time from now on. The timeline is always by the clock. */
	setBasis(basis) {
		this.basis = basis
		setBasis(this.data, basis)
		this.showNumbers()
	}

	/* Tables and flame graphs of a recording show only this range from now on; null: all of it. The table and flame graph of a
	 * comparison stay whole. */
	select(data, range) {
		setRange(data, range)
		for (const part of this.timeline?.parts ?? [this.timeline])
			part?.sayRange()
		if (data !== this.data)
			return
		this.showRange()
		this.showNumbers()
		this.flame?.showOrder()
		this.sayFound()
	}

	/* Shows the range above all views, with a button that clears it. */
	showRange() {
		const box = document.getElementById('range'), { data } = this
		box.hidden = !data.range
		box.replaceChildren(...data.range ? [make('span', { class: 'chip' }, `range ${formatRange(data.range, data.timeUnit)} `,
			make('button', { type: 'button', 'aria-label': 'Clear the range', onclick: () => this.select(data, null) }, '×')), make('span', { class: 'soft', id: 'range-note' }, describeRange(data))] : [])
	}

	search(text) {
		this.query = text.trim().toLowerCase()
		this.remember()
		this.table.filter()
		this.draw()
		this.sayFound()
	}

	sayFound() { document.getElementById('found').textContent = this.query ? this.found() : '' }

	endSearch() {
		document.getElementById('search').value = ''
		this.search('')
	}

	/* The text beside the tabs: how many functions the search found, and the sum of their shares in the table. */
	found() {
		const { table } = this, shares = table.sharesOf(table.order.map(i => table.table.rows[i]))
		return `${formatCountOf(table.order.length, 'functions')}${shares.length ? `, ${shares.map(formatPercent).join(' → ')} of self` : ''}`
	}

	async open(view, focus = false) {
		const from = this.view
		this.view = view
		for (const name of this.tabs) {
			const tab = document.getElementById(`tab-${name}`)
			tab.setAttribute('aria-selected', String(name === view))
			tab.tabIndex = name === view ? 0 : -1
			document.getElementById(`view-${name}`).hidden = name !== view
			if (name === view && focus)
				tab.focus()
		}
		this.tip(null)
		this.remember()
		if (view === 'functions')
			this.table.draw()
		if (view === 'flame') {
			this.flame ??= new (this.data.kind === 'diff' ? DiffFlame : FlameGraph)(this, document.getElementById('view-flame').firstChild)
			if (from !== 'flame' && this.chosen !== null)
				this.flame.reveal(this.chosen)
		}
		if (view === 'timeline')
			await this.openTimeline()
	}

	async openTimeline() {
		const place = document.getElementById('view-timeline').firstChild, { data } = this
		if (this.timeline || place.children.length)
			return
		const sides = data.kind === 'diff' ? data.sides : [data], why = sides.map(whyNoTimeline).find(Boolean)
		if (why) {
			place.append(why)
			return
		}
		await Promise.all(sides.map(loadCalls))
		if (this.data !== data || this.timeline) /* meanwhile the user chose another recording, or the timeline was made */
			return
		this.timeline = data.kind === 'diff' ? new TimelinePair(this, place) : new Timeline(this, place)
		const { from, to } = this.timeline, { seen } = this
		this.timeline.show(seen ? from + seen.from : from, seen ? from + seen.to : to)
	}

	/* Puts into the page's address what the page shows, so that a link or a reload shows the same. */
	remember() {
		if (!this.isReady)
			return
		const parts = new URLSearchParams()
		parts.set('view', this.view)
		if (this.book.both)
			parts.set('recording', this.which)
		if (this.data.hasBases)
			parts.set('time', this.data.basis)
		if (this.book.both)
			parts.set('change', this.book.both.measure)
		if (this.chosen !== null)
			parts.set('function', this.data.nameOf(this.chosen))
		if (this.query)
			parts.set('search', this.query)
		if (this.timeline && !this.timeline.isWhole())
			parts.set('range', [this.timeline.view.from, this.timeline.view.to].map(at => Math.round(at)).join('-'))
		if (this.data.range)
			parts.set('selected', `${this.data.range.from}..${this.data.range.to}`)
		if (this.table.sortInLink())
			parts.set('sort', this.table.sortInLink())
		this.flame?.remember(parts)
		history.replaceState(null, '', `#${parts}`)
	}

	async recall() {
		const parts = new URLSearchParams(location.hash.slice(1))
		this.isReady = false
		if (this.book.both && this.book.both.measures[parts.get('change')])
			setMeasure(this.book.both, parts.get('change'))
		const press = (id, key) => document.querySelector(`#${id} [data-value="${CSS.escape(parts.get(key) ?? '')}"]`)?.click()
		press('recording', 'recording')
		press('basis', this.which === 'both' ? 'change' : 'time')
		const [begin, end] = (parts.get('selected') ?? '').split('..').map(Number)
		if (end > begin && this.which !== 'both' && !whyNoTimeline(this.data)) {
			await loadCalls(this.data)
			this.select(this.data, makeRange(this.data.threads, begin, end))
		} else if (this.data.range) {
			this.select(this.data, null)
		}
		this.table.recallSort(parts.get('sort'))
		const fn = this.data.names.indexOf(parts.get('function') ?? undefined) /* some ids have no name: null */
		const [from, to] = (parts.get('range') ?? '').split('-').map(Number)
		if (fn >= 0)
			this.choose(fn)
		if (parts.get('search')) {
			document.getElementById('search').value = parts.get('search')
			this.search(parts.get('search'))
		}
		if (this.tabs.includes(parts.get('view')))
			await this.open(parts.get('view'))
		if (parts.get('view') === 'flame')
			this.flame.recall(parts)
		if (to > from)
			this.timeline?.show(from, to)
		this.isReady = true
	}

	async showCall(...call) {
		await this.open('timeline')
		this.timeline?.reveal(...call)
	}

	async copy(text) {
		try {
			await navigator.clipboard.writeText(text)
		} catch {
			const area = make('textarea', {}, text)
			document.body.append(area)
			area.select()
			document.execCommand('copy')
			area.remove()
		}
	}

	/* Shows a small box beside the pointer. what: { event, name, lines }; null: hides the box. */
	tip(what) {
		this.tipBox.hidden = !what
		if (!what)
			return
		const name = visible(what.name)
		this.tipBox.replaceChildren(make('span', { class: 'mono' }, name.length > 400 ? `${name.slice(0, 400)}…` : name), ...what.lines.map(line => make('div', {}, line)))
		const { clientX, clientY } = what.event
		const box = this.tipBox.getBoundingClientRect()
		this.tipBox.style.left = `${Math.max(4, Math.min(clientX + 14, window.innerWidth - box.width - 8))}px`
		this.tipBox.style.top = `${clientY + 18 + box.height > window.innerHeight ? Math.max(4, clientY - box.height - 10) : clientY + 18}px`
	}
}

/* Returns a paragraph with the reason why a recording has no timeline. Null: it has one. */
function whyNoTimeline(data) {
	if (data.calls.count && data.kind !== 'untimed')
		return null
	return make('p', { class: 'empty' }, { samples: data.is_seekable ? 'These samples have no moments, only counts, so there is no timeline. The flame graph shows which paths were seen, and how often.'
		: 'This page was made of samples from a pipe, which tells its clock behind them: one that is made of a file has their timeline.',
		sums: 'A recording of sums has no moments, so there is no timeline.' }[data.kind] ?? 'This recording has no calls whose times are known.')
}

function setTheme(theme) {
	document.documentElement.dataset.theme = theme
	document.getElementById('theme').textContent = theme === 'dark' ? 'Light' : 'Dark'
}

function beginTheme(redraw) {
	const system = window.matchMedia('(prefers-color-scheme: dark)')
	setTheme(system.matches ? 'dark' : 'light')
	const change = theme => {
		setTheme(theme)
		redraw()
	}
	system.addEventListener('change', () => change(system.matches ? 'dark' : 'light'))
	document.getElementById('theme').addEventListener('click', () => change(document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark'))
}

const keyHelp = [['/', 'search; Escape ends it'], ['1 2 3', 'functions, flame graph, timeline'], ['↑ ↓ PgUp PgDn', 'table: from function to function'],
	['Tab, ← →, Enter', 'heads of the table: go to them, from head to head, sort'], ['Enter', 'table: show in the flame graph; graphs: zoom to what is chosen'], ['← → ↑ ↓', 'graphs: from box to box, up to the caller, down to what it called'],
	['Backspace', 'flame graph: out by one'], ['W S or + −', 'timeline: zoom'], ['A D', 'timeline: pan'], ['← → ↑ ↓', 'overview above the timeline: moves the part that is shown, makes it shorter and longer'], ['PgUp PgDn', 'timeline: other threads'], ['0', 'graphs: all of it'],
	['Wheel', 'graphs: scroll; with Ctrl zoom, with Shift pan the timeline'], ['Fingers', 'graphs: one scrolls and pans, two zoom the timeline'], ['Shift and drag', 'timeline: choose a range. It is measured, and the table and the flame graph show it alone'],
	['M', 'timeline: choose the time of the chosen call as the range; with Shift, extend the range to that call. Without a call: all that is shown'], ['Shift and ← →', 'timeline: move the end of the range'], ['Escape', 'ends the search, then clears the range'], ['T', 'dark or light'], ['?', 'this list']]

function beginKeys(app) {
	const help = document.getElementById('help')
	const body = make('tbody')
	for (const [key, what] of keyHelp)
		body.append(make('tr', {}, make('td', {}, make('kbd', {}, key)), make('td', {}, what)))
	help.append(make('h2', {}, 'Keys'), make('table', {}, body), make('p', {}, make('button', { type: 'button', onclick: () => help.close() }, 'Close')))
	document.getElementById('keys').addEventListener('click', () => help.showModal())
	document.addEventListener('keydown', event => {
		if (event.target.closest('input, select, textarea') || event.ctrlKey || event.metaKey || event.altKey || help.open)
			return
		const view = { 1: 'functions', 2: 'flame', 3: 'timeline' }[event.key]
		if (view)
			app.open(view).then(() => (document.getElementById(view) ?? document.getElementById(`${view}-old`))?.focus({ preventScroll: true }))
		else if (event.key === '/')
			document.getElementById('search').focus()
		else if (event.key === 'Escape' && !app.query && app.data.range)
			app.select(app.data, null)
		else if (event.key === 'Escape')
			app.endSearch()
		else if (event.key === '?')
			help.showModal()
		else if (event.key === 't')
			document.getElementById('theme').click()
		else
			return
		event.preventDefault()
	})
}

/* On paper the table and the lists of callers have all rows, the notes above the views are open, and colours are those of the light
 * theme. */
function beginPrint(app) {
	let theme = null
	const draw = () => {
		app.table.draw()
		for (const canvas of app.canvases()) {
			canvas.element.parentElement.style.height = app.prints && canvas.fullHeight ? `${canvas.fullHeight()}px` : ''
			canvas.drawNow()
		}
	}
	window.addEventListener('beforeprint', () => {
		theme = document.documentElement.dataset.theme
		document.documentElement.dataset.theme = 'light'
		app.prints = true
		for (const details of document.querySelectorAll('#health details'))
			details.open = true
		for (const button of document.querySelectorAll('aside .more'))
			button.click()
		draw()
	})
	window.addEventListener('afterprint', () => {
		document.documentElement.dataset.theme = theme
		app.prints = false
		draw()
	})
}

async function main() {
	let app = null
	beginTheme(() => app?.draw())
	try {
		app = new App(await loadBook())
		beginKeys(app)
		beginPrint(app)
		await app.recall()
		window.addEventListener('hashchange', () => app.recall()) /* the user opened a link into this page */
		document.documentElement.dataset.ready = 'yes'
	} catch (error) {
		const box = document.getElementById('failed')
		box.textContent = `This page cannot be shown: ${error.message}`
		box.hidden = false
		throw error
	} finally {
		document.getElementById('loading').remove()
	}
}

main()
