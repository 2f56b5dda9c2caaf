/* The table of dwell diff: the self time of each function in both recordings, or its calls. Proven changes come first, then larger
 * before smaller ones. */

class DiffTable extends FunctionTable {
	setBasis() {
		const { data } = this, keys = measures[data.measure].keys
		this.table = data.functions
		this.columns = this.table.columns.map((column, at) => ({ ...column, at }))
		const column = (key, title) => {
			const at = columnOf(this.table, key)
			/* The table has the unit percent for these, but they are numbers of calls with fractions. */
			return at < 0 ? null : { ...this.columns[at], title, unit: /^calls_(change|low|high)$/.test(key) ? 'mean' : this.columns[at].unit }
		}
		this.name = columnOf(this.table, 'function')
		this.lowered = this.table.rows.map(row => this.nameOf(row).toLowerCase())
		this.barColumn = columnOf(this.table, `${keys}_change`)
		this.verdict = columnOf(this.table, 'verdict')
		this.most = this.columns.map(({ at }) => this.table.rows.reduce((most, row) => Math.max(most, typeof row[at] === 'number' ? Math.abs(row[at]) : 0), 0))
		this.isShare = false
		this.low = this.high = -1
		const knows = columnOf(this.table, `${keys}_low`) >= 0 && this.table.rows.some(row => row[columnOf(this.table, `${keys}_low`)] !== null)
		const others = ['calls', 'time', 'share'].filter(measure => data.measures[measure] && measure !== data.measure)
		this.shown = [column('function', 'function'), column(`${keys}_change`, data.measure === 'share' && !this.isNarrow() ? 'change, pp' : 'change'), knows ? column('verdict', 'verdict') : null, column(`old_${keys}`, 'old'), column(`new_${keys}`, 'new'),
			...knows ? [column(`${keys}_low`, 'from'), column(`${keys}_high`, 'to')] : [],
			...others.flatMap(measure => ['old', 'new'].map(side => column(`${side}_${measures[measure].keys}`, `${side} ${measure}`)))].filter(Boolean)
		this.sort = this.usual = { at: this.barColumn, falling: true }
		this.place.replaceChildren()
		this.make(this.place)
		this.filter()
	}

	/* Changes are sorted by their size, and proven ones come first. */
	sortKey(row, at) {
		return at === this.barColumn && row[at] !== null ? Math.abs(row[at]) + (['rose', 'fell'].includes(row[this.verdict]) ? 1e20 : 0) : plain(row[at])
	}

	widthOf(column) {
		return column.unit === 'text' ? 100 : super.widthOf(column) + (column.at === this.barColumn && !this.isNarrow() ? 24 : 0)
	}

	cell(row, column) {
		const value = row[column.at]
		if (!/change|_low|_high/.test(column.key) || typeof value !== 'number')
			return super.cell(row, column)
		const text = formatSigned(value, formatCell(Math.abs(value), column.unit, this.data.unit).replace(/ %$/, ''))
		return make('td', { class: 'number', title: exact(value, column.unit, this.data.unit) },
			column.at === this.barColumn ? make('span', { class: 'share' }, this.isNarrow() ? null : this.balance(value), make('span', {}, text)) : text)
	}

	/* In both recordings: the shares of self time, whatever the table compares. */
	sharesOf(rows) {
		const { share, time } = this.data.measures, table = share ?? time
		if (!table)
			return []
		const name = columnOf(table, 'function'), hits = new Set(rows.map(row => row[this.name]))
		return ['old', 'new'].map(side => {
			const at = columnOf(table, `${side}_${share ? 'percent' : 'ns'}`), sum = some => some.reduce((all, row) => all + (plain(row[at]) ?? 0), 0)
			return (share ? 1 : 100 / (sum(table.rows) || 1)) * sum(table.rows.filter(row => hits.has(row[name])))
		})
	}

	/* A bar from the middle: to the left for less, to the right for more. */
	balance(value) {
		const fill = make('i', { class: value > 0 ? 'more' : 'less' })
		fill.style.width = `${this.most[this.barColumn] ? 50 * Math.abs(value) / this.most[this.barColumn] : 0}%`
		return make('span', { class: 'balance', 'aria-hidden': 'true' }, fill)
	}
}
