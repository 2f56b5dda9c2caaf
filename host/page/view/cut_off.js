/* Says that the file of the page is cut off. This program stands in front of all that may be missing; the page's own stands behind
 * the data, and a part of it does nothing. */
document.addEventListener('DOMContentLoaded', () => {
	if (document.getElementById('end'))
		return
	const box = document.getElementById('failed') ?? document.body.appendChild(document.createElement('p'))
	box.textContent = 'This page is cut off: the end of its file is missing. Copy the file again, or write it again with dwell html.'
	box.hidden = false
	document.getElementById('loading')?.remove()
})
