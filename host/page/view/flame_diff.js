/* The flame graph of two recordings. Each path of either one is a box, as wide as in the recording that the user chose. Colour, and
 * a mark before the name, show whether the path takes more or less in the new one. */

function changeColour({ part, isKnown }) {
	const strength = isKnown ? Math.min(1, 1.5 * Math.abs(part)) : 0
	const [hue, saturation] = strength < 0.03 ? [40, 6] : [part > 0 ? 30 : 212, 22 + 60 * strength]
	return isDark() ? `hsl(${hue} ${0.8 * saturation}% ${24 + 14 * strength}%)` : `hsl(${hue} ${saturation}% ${91 - 26 * strength}%)`
}

function changeMark({ part, isKnown }) {
	return !isKnown || Math.abs(part) < 0.05 ? '' : part > 0 ? '▲ ' : '▼ '
}

class DiffDown extends TopDown {
	change(i) {
		const { old, new: now } = this.tree
		return changeOf(this.data, [old.total[i], now.total[i]], [old.calls[i], now.calls[i]])
	}
	label(i) { return changeMark(this.change(i)) + super.label(i) }
	colour(i) { return changeColour(this.change(i)) }
	describe(i) {
		const { old, new: now } = this.tree, { fn } = this.tree
		const paths = fn[i] < 0 ? 1 : pathsOf(this.tree, fn[i])
		const own = this.data.measure === 'calls' ? '' : `; self ${formatChange(this.data, changeOf(this.data, [old.self[i], now.self[i]], [0, 0]))}`
		return `${paths > 1 ? `on this path, one of ${formatCount(paths)}: ` : ''}${this.data.measure === 'calls' ? 'calls' : 'total'} ${formatChange(this.data, this.change(i))}${own}`
	}
}

class DiffUp extends BottomUp {
	/* A node of either recording counts, since a change needs both. */
	has(i) {
		const { old, new: now } = this.tree
		return old.self[i] > 0 || now.self[i] > 0 || old.calls[i] > 0 || now.calls[i] > 0
	}
	change(i) {
		const { old, new: now } = this.tree
		const sum = column => this.boxes[i].leaves.reduce((all, leaf) => all + column[leaf], 0)
		return changeOf(this.data, [sum(old.self), sum(now.self)], [sum(old.calls), sum(now.calls)])
	}
	label(i) { return changeMark(this.change(i)) + super.label(i) }
	colour(i) { return changeColour(this.change(i)) }
	describe(i) {
		return `${this.data.measure === 'calls' ? 'calls' : this.boxes[i].parent < 0 ? 'self' : 'of that, called by it'} ${formatChange(this.data, this.change(i))}`
	}
}

class DiffFlame extends FlameGraph {
	controls() {
		const side = choice('Recording', [['new', 'As wide as new', 'Boxes are as wide as in the new recording'], ['old', 'As wide as old', 'Boxes are as wide as in the old recording: what is gone has a box']], this.data.basis, side => this.setSide(side))
		const entry = (kind, text) => make('span', { class: 'state' }, make('i', { class: kind, 'aria-hidden': 'true' }), text)
		return [this.chooseWay(), side, this.chooseAll(), make('span', { class: 'legend changes' }, entry('more', ' ▲ takes more'), entry('less', ' ▼ takes less'), entry('same', this.data.samples ? ' no more than chance explains' : ' the same'))]
	}

	setSide(side) {
		setBasis(this.data, side)
		this.setGraph()
	}

	makeGraph() {
		return this.way === 'self' ? new DiffUp(this.data.tree, this.data) : new DiffDown(this.data.tree, this.data)
	}

	byWhat() {
		return `Width: ${this.way}, ${this.data.basis} recording. Colour: change of ${{ share: 'share of all time', time: 'time', calls: 'calls' }[this.data.measure]}.`
	}

	remember(parts) {
		super.remember(parts)
		if (this.data.basis !== 'new')
			parts.set('side', this.data.basis)
	}

	recall(parts) {
		document.querySelector(`#view-flame [data-value="${CSS.escape(parts.get('side') ?? '')}"]`)?.click()
		super.recall(parts)
	}

	say() {
		super.say()
		if (this.current >= 0 && !this.graph.value(this.current))
			this.status.textContent += `. It has no box: it took nothing in the ${this.data.basis} recording`
	}
}
