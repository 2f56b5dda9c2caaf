/* The timelines of two recordings, one above the other: each begins at its own beginning, and both show the same part of time. */

/* The page as one of the two timelines sees it: functions have the ids of its own recording. */
class Side {
	constructor(app, data) {
		this.app = app
		this.data = data
	}
	get query() { return this.app.query }
	isChosen(fn) { return this.data.idInBoth[fn] === this.app.chosen }
	choose(fn) { this.app.choose(this.data.idInBoth[fn]) }
	tip(what) { this.app.tip(what) }
	remember() { this.app.remember() }
}

class TimelinePair {
	constructor(app, place) {
		this.app = app
		this.parts = app.data.sides.map((data, at) => {
			const box = make('div', { class: 'part' })
			place.append(box)
			return new Timeline(new Side(app, data), box, { id: at ? 'timeline-new' : 'timeline-old', isFirst: !at,
				title: make('h2', {}, at ? 'New ' : 'Old ', make('span', { class: 'soft' }, baseName(data.file))) })
		})
		this.from = Math.min(...this.parts.map(part => part.from))
		this.to = Math.max(...this.parts.map(part => part.to))
		for (const part of this.parts) {
			part.from = this.from
			part.to = this.to
			part.onShow = () => this.follow(part)
		}
	}

	get view() { return this.parts[0].view }
	isWhole() { return this.parts[0].isWhole() }
	show(from, to) { this.parts[0].show(from, to) }

	/* The other one shows what this one does. */
	follow(part) {
		if (this.isFollowing)
			return
		this.isFollowing = true
		this.parts.find(other => other !== part).show(part.view.from, part.view.to)
		this.isFollowing = false
	}

	canvases() { return this.parts.flatMap(part => part.canvases()) }
	reveal(at, ...call) { this.parts[at].reveal(...call) }
}
