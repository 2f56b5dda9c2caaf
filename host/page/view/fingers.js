/* Fingers and other pointers on a canvas. A canvas gets no scrolling from the browser: what it shows moves by these. */

/* Calls release when a pointer ends: it was released, or the browser took it for something else. */
function onPointerEnd(release) {
	window.addEventListener('pointerup', release)
	window.addEventListener('pointercancel', release)
}

function endPointer(release) {
	window.removeEventListener('pointerup', release)
	window.removeEventListener('pointercancel', release)
}

/* The fingers that are on an element now. */
class Fingers {
	constructor(element) {
		this.down = new Map()
		const move = event => {
			if (event.pointerType === 'touch' && (event.type === 'pointerdown' || this.down.has(event.pointerId)))
				this.down.set(event.pointerId, event.offsetX)
		}
		element.addEventListener('pointerdown', move)
		element.addEventListener('pointermove', move)
		onPointerEnd(event => this.down.delete(event.pointerId))
	}
	areTwo() { return this.down.size === 2 }
	/* How many pixels from the left end each is, the leftmost first. */
	places() { return [...this.down.values()].sort((a, b) => a - b) }
}
