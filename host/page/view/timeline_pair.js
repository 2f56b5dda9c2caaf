/* The timelines of two recordings, one above the other. Both begin at the first event of their recording, and show the same part of
 * time from there. Their axes and texts count from that event, too. */

/* Stands for the App in one of the two timelines. Function ids there are those of its own recording; the App has those of both. */
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
	select(data, range) { this.app.select(data, range) }
}

class TimelinePair {
	constructor(app, place) {
		this.app = app
		this.parts = app.data.sides.map((data, at) => {
			const box = make('div', { class: 'part' })
			place.append(box)
			return new Timeline(new Side(app, data), box, { id: at ? 'timeline-new' : 'timeline-old', isFirst: !at,
				title: make('h2', {}, at ? 'New ' : 'Old ', make('span', { class: 'soft' }, shortFile(app.book, at ? 'new' : 'old'))) })
		})
		this.from = 0
		this.to = Math.max(...this.parts.map(part => part.to - part.from))
		for (const part of this.parts) {
			part.begin = part.origin = part.from
			part.to = part.from + this.to
			part.onShow = () => this.follow(part)
		}
	}

	/* The part of time that both show, from the first event of each. */
	get view() {
		const [{ view, begin }] = this.parts
		return { from: view.from - begin, to: view.to - begin }
	}
	isWhole() { return this.parts[0].isWhole() }
	show(from, to) { this.parts[0].show(from + this.parts[0].begin, to + this.parts[0].begin) }

	/* Makes the other timeline show the same part of time as this one. */
	follow(part) {
		if (this.isFollowing)
			return
		this.isFollowing = true
		const other = this.parts.find(each => each !== part), shift = other.begin - part.begin
		other.show(part.view.from + shift, part.view.to + shift)
		this.isFollowing = false
	}

	canvases() { return this.parts.flatMap(part => part.canvases()) }
	reveal(at, ...call) { this.parts[at].reveal(...call) }
}
