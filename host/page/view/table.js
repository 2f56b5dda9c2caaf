/* The table of functions. It has any number of rows; only those in sight, and on paper all, are elements of the page. */

const rowHeight = 27
const narrowWidth = 560 /* pixels; narrower tables have no bars */
const paperWidth = 1040 /* CSS pixels of A4, lying, between its margins */
const paperNameWidth = 270
const paperNameLetters = 104 /* two lines */

class FunctionTable {
	constructor(app, place) {
		this.app = app
		this.data = app.data
		this.order = []
		this.place = place
		this.width = place.clientWidth
		this.setBasis()
		new ResizeObserver(() => this.resize()).observe(place)
	}

	/* Columns are in this order: function, self, its share, calls or samples, total, then the others. Times off the CPU are followed by
	 * their parts. */
	setBasis() {
		const basis = bases[this.data.basis]
		this.table = this.data.functions
		this.columns = this.table.columns.map((column, at) => ({ ...column, at }))
		this.name = columnOf(this.table, 'function')
		this.low = columnOf(this.table, 'self_low')
		this.high = columnOf(this.table, 'self_high')
		this.lowered = this.table.rows.map(row => this.nameOf(row).toLowerCase())
		this.most = this.columns.map(column => this.table.rows.reduce((most, row) => Math.max(most, typeof plain(row[column.at]) === 'number' ? plain(row[column.at]) : 0), 0))
		this.percent = columnOf(this.table, 'self_percent')
		this.barColumn = this.data.hasBases ? columnOf(this.table, basis.self) : columnOf(this.table, 'self_ns', 'self', 'self_percent')
		this.isShare = this.columns[this.barColumn]?.unit === 'percent'
		this.whole = this.table.rows.reduce((sum, row) => sum + (plain(row[this.barColumn]) ?? 0), 0)
		this.hasRange = this.low >= 0 && (this.isShare || !this.data.hasBases || this.data.basis === 'cpu')
		const share = this.isShare || this.barColumn < 0 ? null : { key: 'share', title: 'self %', unit: 'percent', at: this.barColumn, share: true }
		const ends = this.isNarrow() && this.hasRange ? ['self_low', 'self_high'] : []
		const parts = ['self_waiting_ns', 'self_preempted_ns', 'total_waiting_ns', 'total_preempted_ns'].filter(() => this.data.hasBases && this.data.basis === 'off')
		const first = [this.name, this.barColumn, ...[...ends, ...parts, 'calls', 'samples', basis.total, 'total_percent', 'total'].map(key => columnOf(this.table, key))].filter((at, i, all) => at >= 0 && all.indexOf(at) === i)
		const left = this.columns.filter(({ at, key }) => !first.includes(at) && !['total_waiting_ns', 'total_preempted_ns'].includes(key) && this.table.filled[at] && at !== this.low && at !== this.high && (at !== this.percent || this.isShare))
		this.shown = [...first.map(at => this.columns[at]), ...left].map(column => this.data.hasBases && ['total_ns', 'self_ns'].includes(column.key) ? { ...column, title: `${column.title} wall` } : column)
		if (share)
			this.shown.splice(2, 0, share)
		this.sort = this.usual = { at: this.barColumn >= 0 ? this.barColumn : columnOf(this.table, 'calls'), falling: true }
		this.place.replaceChildren()
		this.make(this.place)
		this.filter()
	}

	nameOf(row) {
		const cell = row[this.name]
		return typeof cell === 'number' ? this.data.nameOf(cell) : cell
	}

	make(place) {
		this.box = make('div', { class: 'table', tabindex: '0', id: 'functions', role: 'group', 'aria-label': 'Functions: arrows choose, Enter shows in the flame graph' })
		const group = make('colgroup')
		const heads = make('tr')
		for (const column of this.shown) {
			const col = make('col')
			if (column.at !== this.name)
				col.style.width = `${this.widthOf(column)}px`
			else
				this.nameColumn = col
			group.append(col)
			heads.append(make('th', { scope: 'col', class: this.isNumber(column) ? 'number' : null, 'data-key': column.key },
				make('button', { type: 'button', onclick: () => this.sortBy(column.at) }, column.title)))
		}
		heads.addEventListener('keydown', event => this.walkHeads(event))
		this.heads = heads
		this.isOnPaper = false
		this.columnCount = this.shown.length
		this.made = new Map()
		this.body = make('tbody')
		const table = make('table', {}, group, make('thead', {}, heads), this.body)
		this.inner = table
		this.box.append(table)
		place.append(this.box)
		this.fit()
		this.box.addEventListener('scroll', () => this.draw())
		this.box.addEventListener('keydown', event => this.key(event))
	}

	isNarrow() { return this.width < narrowWidth }

	resize() {
		const was = this.isNarrow()
		if (!this.place.clientWidth) /* the table is hidden */
			return
		this.width = this.place.clientWidth
		if (was !== this.isNarrow()) {
			this.setBasis()
			return
		}
		this.fit()
		this.draw()
	}

	/* The name column gets the room that is left beside as many whole columns as fit. So no value is cut before the user
	 * scrolls. */
	fit() {
		const others = this.shown.slice(1).map(column => this.widthOf(column))
		let room = this.box.clientWidth, count = 0
		while (count < others.length && room - others[count] >= this.nameWidth())
			room -= others[count++]
		const name = Math.max(room, this.nameWidth())
		this.nameColumn.style.width = `${name}px`
		this.nameLetters = Math.floor((name - 16) / 7.7)
		this.inner.style.width = `${others.reduce((sum, width) => sum + width, name)}px`
	}

	/* The smallest width of the name column: room for the longest name, up to a limit. */
	nameWidth() {
		const longest = this.lowered.reduce((most, name) => Math.max(most, name.length), 8)
		return Math.min(24 + 7.7 * longest, this.isNarrow() ? Math.max(110, this.width * 0.3) : 260)
	}

	widthOf(column) {
		return Math.max(this.contentWidth(column), 34 + 7.2 * column.title.length)
	}

	contentWidth(column) {
		const graphic = this.isNarrow() || column.at !== this.barColumn ? 0 : (this.hasRange && (column.share || this.isShare)) ? 120 : column.share ? 0 : 64
		if (column.unit === 'count') /* room for all digits of the largest */
			return Math.max(86, 24 + 8.5 * formatCount(this.most[column.at]).length) + graphic
		return column.unit === 'text' ? 170 : (column.unit === 'percent' ? 86 : 98) + graphic
	}

	isNumber(column) {
		return column.unit !== 'name' && column.unit !== 'text'
	}

	sortBy(at) {
		const column = this.columns[at]
		this.sort = { at, falling: this.sort.at === at ? !this.sort.falling : this.isNumber(column) }
		this.filter()
		this.app.remember()
	}

	/* How the table is sorted, for a link: "calls", "calls,rising". Null: as usual. */
	sortInLink() {
		const { at, falling } = this.sort, { key } = this.columns[at] ?? {}
		return at === this.usual.at && falling === this.usual.falling ? null : `${key}${falling ? '' : ',rising'}`
	}

	/* Sorts as a link says; null or a column that is not there: as usual. */
	recallSort(said) {
		const [key, way] = (said ?? '').split(','), column = this.shown.find(shown => shown.key === key)
		this.sort = column ? { at: column.at, falling: way !== 'rising' } : this.usual
		this.filter()
	}

	/* Left and right go from head to head; Tab goes to the one that the table is sorted by. */
	walkHeads(event) {
		const buttons = [...this.heads.children].map(head => head.firstChild), at = buttons.indexOf(event.target)
		const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[event.key]
		if (at < 0 || to === undefined)
			return
		event.preventDefault()
		buttons[Math.max(0, Math.min(buttons.length - 1, to))].focus()
	}

	sortKey(row, at) { return plain(row[at]) }

	filter() {
		const query = this.app.query
		const { at, falling } = this.sort
		const rows = this.table.rows
		const order = []
		for (let i = 0; i < rows.length; i++)
			if (!query || this.lowered[i].includes(query))
				order.push(i)
		const key = at === this.name ? i => this.lowered[i] : i => this.sortKey(rows[i], at)
		order.sort((a, b) => {
			const left = key(a), right = key(b)
			if (left === right)
				return a - b
			if (left === null || left === undefined)
				return 1
			if (right === null || right === undefined)
				return -1
			return (left < right ? -1 : 1) * (falling ? -1 : 1)
		})
		this.order = order
		for (const head of this.heads.children) {
			const is = head.dataset.key === this.columns[at].key
			head.toggleAttribute('aria-sort', is)
			if (is)
				head.setAttribute('aria-sort', falling ? 'descending' : 'ascending')
			const button = head.firstChild
			button.tabIndex = is || (head === this.heads.firstChild && !this.shown.some(column => column.key === this.columns[at].key)) ? 0 : -1
			const title = this.shown.find(column => column.key === head.dataset.key).title
			button.textContent = is ? `${title} ${falling ? '▾' : '▴'}` : title
		}
		this.box.scrollTop = 0
		this.draw()
	}

	cell(row, column) {
		const value = row[column.at]
		if (column.at === this.name) {
			const name = this.nameOf(row)
			const td = make('td', { class: 'name', title: visible(name) })
			td.append(nameWithMark(name, this.app.query, this.isOnPaper ? paperNameLetters : this.nameLetters))
			return td
		}
		if (!this.isNumber(column))
			return make('td', { class: 'text soft', title: value ? visible(value) : null }, value ? visible(value).replace(/^.*\//, '') : '')
		if (column.share)
			return make('td', { class: 'number' }, make('span', { class: 'share' }, this.hasRange && !this.isNarrow() ? this.range(row) : null, formatPercent(this.shareOf(row))))
		const td = make('td', { class: 'number', title: exact(value, column.unit, this.data.unit) })
		const text = formatCell(value, column.unit, this.data.unit)
		if (column.at !== this.barColumn) {
			td.textContent = text
			return td
		}
		td.append(make('span', { class: 'share' }, this.isNarrow() ? null : this.hasRange && this.isShare ? this.range(row) : this.bar(plain(value)), make('span', {}, text)))
		return td
	}

	bar(value) {
		const fill = make('i')
		fill.style.width = `${this.most[this.barColumn] ? 100 * (value ?? 0) / this.most[this.barColumn] : 0}%`
		return make('span', { class: 'bar', 'aria-hidden': 'true' }, fill)
	}

	shareOf(row) {
		return this.isShare ? plain(row[this.barColumn]) : 100 * (plain(row[this.barColumn]) ?? 0) / (this.whole || 1)
	}

	/* The part of all self time that the rows have together, in percent, as the rows show it. Empty: it is not known. */
	sharesOf(rows) { return this.barColumn < 0 || !this.whole ? [] : [rows.reduce((sum, row) => sum + (this.shareOf(row) ?? 0), 0)] }

	/* A picture of a share with its error: a dot between the ends of its interval. */
	range(row) {
		const low = plain(row[this.low]) ?? 0, high = plain(row[this.high]) ?? 0, share = this.shareOf(row) ?? 0
		const most = this.most[this.high] || 1
		const line = make('i'), dot = make('b')
		line.style.left = `${100 * low / most}%`
		line.style.width = `${100 * (high - low) / most}%`
		dot.style.left = `${100 * share / most}%`
		return make('span', { class: 'range', title: `${this.isShare ? 'in 95 of 100 runs' : 'as the cost of recording is only estimated,'} from ${formatPercent(low)} to ${formatPercent(high)}` }, line, dot)
	}

	/* On paper the table has as many whole columns as fit beside names, in letters of 8 pixels; a line says how many do not. */
	setPaper() {
		if (this.isOnPaper === Boolean(this.app.prints))
			return
		this.isOnPaper = !this.isOnPaper
		const widths = this.shown.slice(1).map(column => 6 + 0.6 * (this.widthOf(column) - (column.at === this.barColumn ? 50 : 0)))
		let count = 1, room = paperWidth - paperNameWidth
		while (count < this.shown.length && room >= widths[count - 1])
			room -= widths[count++ - 1]
		this.columnCount = this.isOnPaper ? count : this.shown.length
		for (const list of [this.heads.children, this.inner.querySelector('colgroup').children])
			for (const [at, element] of [...list].entries())
				element.hidden = at >= this.columnCount
		this.inner.querySelector('caption')?.remove()
		if (this.columnCount < this.shown.length)
			this.inner.prepend(make('caption', {}, `The columns that fit; dwell report --csv has the other ${this.shown.length - this.columnCount}, too.`))
	}

	draw() {
		const isWhole = this.app.prints
		this.setPaper()
		const first = isWhole ? 0 : Math.max(0, Math.floor(this.box.scrollTop / rowHeight) - 8)
		const count = isWhole ? this.order.length : Math.min(this.order.length - first, Math.ceil(this.box.clientHeight / rowHeight) + 20)
		const rows = []
		const spacer = height => {
			const td = make('td', { colspan: String(this.shown.length) })
			td.style.height = `${height}px`
			return make('tr', { class: 'spacer', 'aria-hidden': 'true' }, td)
		}
		if (first)
			rows.push(spacer(first * rowHeight))
		rows.push(...this.rowsFor(this.order.slice(first, first + count)))
		const behind = this.order.length - first - count
		if (behind > 0)
			rows.push(spacer(behind * rowHeight))
		if (!this.order.length)
			rows.push(make('tr', {}, make('td', { colspan: String(this.shown.length), class: 'soft' }, this.app.query ? 'no function has that in its name' : 'nothing ran in this range')))
		this.body.replaceChildren(...rows)
	}

	/* The elements of these rows. Those that are in sight already stay as they are: a scroll step formats the cells of few rows. */
	rowsFor(wanted) {
		const look = [this.app.query, this.nameLetters, this.columnCount, this.isOnPaper].join(' ')
		const had = look === this.madeLook ? this.made : new Map()
		this.madeLook = look
		this.made = new Map(wanted.map(index => [index, had.get(index) ?? this.makeRow(this.table.rows[index])]))
		for (const [index, row] of this.made)
			this.markChosen(row, this.table.rows[index][this.name])
		return this.made.values()
	}

	makeRow(row) {
		const id = row[this.name]
		return make('tr', { onclick: () => this.app.choose(id), ondblclick: () => this.app.open('flame') },
			...this.shown.slice(0, this.columnCount).map(column => this.cell(row, column)))
	}

	markChosen(element, id) {
		const isChosen = typeof id === 'number' && id === this.app.chosen
		element.className = isChosen ? 'chosen' : ''
		element.toggleAttribute('aria-selected', isChosen)
		if (isChosen)
			element.setAttribute('aria-selected', 'true')
	}

	/* The places in this.order whose rows are functions. The row "(outside)" is no function, and the user cannot choose it. */
	places() { return [...this.order.keys()].filter(at => typeof this.table.rows[this.order[at]][this.name] === 'number') }

	key(event) {
		if (event.target.closest('th'))
			return
		const places = this.places()
		const at = places.findIndex(place => this.table.rows[this.order[place]][this.name] === this.app.chosen)
		const page = Math.max(1, Math.floor(this.box.clientHeight / rowHeight) - 2)
		const to = { ArrowDown: at + 1, ArrowUp: at < 0 ? 0 : at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: places.length - 1 }[event.key]
		if (event.key === 'Enter') {
			this.app.open('flame')
			return
		}
		if (to === undefined || event.ctrlKey || event.metaKey || event.altKey)
			return
		event.preventDefault()
		this.move(Math.max(0, Math.min(places.length - 1, to)))
	}

	/* Chooses a function by its index in places(), and scrolls to its row. */
	move(to) {
		const at = this.places()[to]
		if (at === undefined)
			return
		const top = at * rowHeight, room = this.box.clientHeight - 40
		if (top < this.box.scrollTop)
			this.box.scrollTop = top
		else if (top + rowHeight > this.box.scrollTop + room)
			this.box.scrollTop = top + rowHeight - room
		this.app.choose(this.table.rows[this.order[at]][this.name])
	}
}
