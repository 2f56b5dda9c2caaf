// What a person does with a page of dwell html, in Chromium: look(browser, [WHAT, PAGE, …]). Fails with a line for what is not so.
//
//     table        function, calls, total and self of each row, as CSV
//     relatives FUNCTION      its callers and callees: "callers,function,calls,total", as CSV
//     …            below
import fs from 'node:fs'
import { hands } from './hands.mjs'

function must(good, why) {
	if (!good)
		throw new Error(why)
}

const digits = text => text.replace(/[^0-9]/g, '')

/* All rows of the table: it has only those that are seen, so it is scrolled through. */
const readTable = (keys, asShown = false) => {
	const box = document.getElementById('functions')
	const heads = [...box.querySelectorAll('th')].map(head => head.dataset.key)
	const rows = new Map()
	const step = async () => {
		for (let top = 0; ; top += box.clientHeight / 2) {
			box.scrollTop = top
			await new Promise(resolve => setTimeout(resolve, 30))
			for (const row of box.querySelectorAll('tbody tr:not(.spacer)')) {
				const values = keys.map((key, at) => asShown && at ? row.children[heads.indexOf(key)].textContent : row.children[heads.indexOf(key)].title)
				rows.set(values[0], values)
			}
			if (top + box.clientHeight >= box.scrollHeight)
				return [...rows.values()]
		}
	}
	return step()
}

async function search(page, text) {
	await page.key('/')
	await page.until('document.activeElement.id === "search"', '/ goes to the search')
	await page.type(text)
	await page.key('Enter')
}

const chosen = page => page.run('document.getElementById("chosen")?.textContent')
const status = (page, id) => page.run(`document.getElementById("${id}-status").textContent`)
const place = (page, id) => page.run(id => { const { left, top, width, height } = document.getElementById(id).getBoundingClientRect(); return { left, top, width, height } }, id)
/* How many different colours there are in a part of a canvas. */
const colours = (page, id, x, y, w, h) => page.run((id, x, y, w, h) => {
	const canvas = document.getElementById(id)
	const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
	copy.drawImage(canvas, 0, 0)
	const bytes = copy.getImageData(x, y, w, h).data
	const seen = new Set()
	for (let i = 0; i < bytes.length; i += 4)
		if (bytes[i + 3])
			seen.add(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2])
	return seen.size
}, id, x, y, w, h)

/* With Shift from one end of the timeline to the other. */
const measureAll = () => {
	const canvas = document.getElementById('timeline')
	const { left, top, width } = canvas.getBoundingClientRect()
	const at = (type, x, target) => target.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + 60, shiftKey: true, bubbles: true }))
	at('pointerdown', 0, canvas)
	at('pointermove', width, window)
	at('pointerup', width, window)
}

const actions = {
	...hands,
	async table(page) {
		for (const [name, calls, total, self] of await page.run(readTable, ['function', 'calls', 'total_ns', 'self_ns']))
			console.log([name, digits(calls), digits(total), digits(self)].join('\t'))
	},
	/* A function is found by typing, and what calls it and is called by it is told. */
	async relatives(page, name) {
		await search(page, name)
		must(await chosen(page) === name, `found ${await chosen(page)}, not ${name}`)
		for (const side of ['callers', 'callees'])
			for (const row of await page.run(side => [...document.querySelectorAll(`#${side} tbody tr`)].map(row => [row.children[0].textContent, row.children[1].title, row.children[2].title]), side))
				console.log([side, row[0], digits(row[1]), digits(row[2])].join('\t'))
	},
	/* The same of samples: "callers, function, share, from, to"; with the number of samples. */
	async shares(page, name) {
		await search(page, name)
		must(await chosen(page) === name, `found ${await chosen(page)}, not ${name}`)
		for (const side of ['callers', 'callees'])
			for (const row of await page.run(side => [...document.querySelectorAll(`#${side} tbody tr`)].map(row => [row.children[0].textContent, row.children[1].title, ...[...row.children].slice(1).map(cell => cell.textContent)]), side))
				console.log([side, row[0], digits(row[1]), ...row.slice(2).map(text => text.replace(' %', ''))].join('\t'))
	},
	/* On how many paths a function is: as the panel says, and as a box of one of them does. */
	async paths(page, name) {
		await search(page, name)
		console.log(digits(await page.run('document.getElementById("paths").textContent.match(/sums of its ([0-9,]+) call paths/)[1]')))
		await page.key('Escape')
		await page.key('2')
		await page.until('document.getElementById("flame-status")?.textContent.includes("on this path")', 'the box says that it is a path')
		console.log(digits((await status(page, 'flame')).match(/on this path, one of ([0-9,]+): /)[1]))
	},
	/* The source lines of a function, and what is said beside; "none" where there are none. */
	async source(page, name) {
		await search(page, name)
		must(await chosen(page) === name, `found ${await chosen(page)}, not ${name}`)
		console.log(await page.run('document.getElementById("code")?.textContent.trimEnd() ?? "none"'))
		const note = await page.run('document.getElementById("code")?.previousElementSibling.querySelector(".soft")?.textContent')
		if (note)
			console.log(note)
	},
	/* Of samples: line, samples, share, from, to of each source line that has some; line 0: others. */
	async lines(page, name) {
		await search(page, name)
		must(await page.run('[...document.querySelectorAll("#code b")].every(share => share.nextSibling.textContent.startsWith(" "))'), 'room between shares and lines')
		for (const [line, title, share] of await page.run('[...document.querySelectorAll("#code span, #code-elsewhere")].filter(place => place.querySelector("b")?.title).map(place => [place.querySelector("i")?.textContent ?? "0", place.querySelector("b").title, place.querySelector("b").textContent])'))
			console.log([digits(line), digits(title.split(' sample')[0]), ...[share, ...title.match(/[0-9.]+ %/g)].map(text => text.replace('%', '').trim())].join('\t'))
	},
	/* How long the slowest calls of a function took, and what the first of them says in the timeline. */
	async slowest(page, name) {
		await search(page, name)
		console.log(await page.run('[...document.querySelectorAll("#slowest .link")].map(link => link.textContent).join("\\n")'))
		await page.run('document.querySelector("#slowest .link").click()')
		await page.until('document.getElementById("timeline-status")?.textContent.includes(", from")', 'the slowest call is shown')
		console.log((await status(page, 'timeline')).replace(/^[^:]*: ([^,]*), from.*/, '$1'))
	},
	/* The health box: whether it is open, where the table begins, and its line. */
	async health(page) {
		console.log(await page.run('document.querySelector("#health details").open ? "open" : "closed"'))
		must(await page.run('document.querySelector("#health details").open || document.querySelector("#functions tbody").getBoundingClientRect().top < 400'), 'the table begins in the first screen')
		console.log(await page.run('document.querySelector("#health summary").textContent'))
	},
	/* What recording cost, and that not each thread has a flame graph of its own. */
	async overhead(page) {
		console.log(await page.run('[...document.querySelectorAll("#health dt")].find(term => term.textContent === "Overhead").nextElementSibling.textContent'))
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		console.log(await page.run('document.getElementById("flame-trees")?.textContent ?? "all threads can be chosen"'))
	},
	async durations(page, name) {
		await search(page, name)
		for (const title of await page.run('[...document.querySelectorAll("#durations title")].map(title => title.textContent)'))
			console.log(digits(title.match(/: ([0-9,]+) calls?/)[1]))
	},
	/* Sorts, searches, and says how many rows there are then. */
	async search(page, text, count) {
		await search(page, text)
		const rows = await page.run(readTable, ['function'])
		must(String(rows.length) === count, `${rows.length} rows have ${text}, expected ${count}`)
		must((await page.run('document.getElementById("found").textContent')).startsWith(`${count} function`), 'the number that was found')
		must(rows.every(([name]) => name.includes(text)), 'rows that do not have it')
		await page.key('Escape')
		await page.run('document.querySelector("th[data-key=function] button").click()')
		const names = (await page.run(readTable, ['function'])).map(([name]) => name.toLowerCase())
		must(names.length > Number(count) && names.join() === [...names].sort().join(), `sorted by name: ${names.slice(0, 5)}`)
	},
	/* The flame graph: its outermost box; the box below it, to which a double click zooms; by thread; upside down; back. Prints what each says. */
	async flame(page, thread) {
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		const { left, top, width } = await place(page, 'flame')
		await page.click(left + 4, top + 6)
		console.log(await status(page, 'flame'))
		await page.click(left + 4, top + 25)
		const below = await status(page, 'flame')
		await page.click(left + 4, top + 6)
		await page.click(left + width - 4, top + 25)
		must(await status(page, 'flame') !== below, 'it is not as wide as all yet')
		await page.click(left + 4, top + 25, 2)
		await page.click(left + 4, top + 44)
		const above = await status(page, 'flame')
		await page.click(left + width - 4, top + 25)
		must(await status(page, 'flame') === below && above !== below, `zoomed, it is as wide as all: ${await status(page, 'flame')}, ${below}`)
		await page.key('0')
		await page.run(thread => { const box = document.getElementById('flame-thread'); box.value = [...box.options].find(option => option.textContent === thread).value; box.dispatchEvent(new Event('change')) }, thread)
		await page.settle()
		await page.click(left + 4, (await place(page, 'flame')).top + 6)
		console.log(await status(page, 'flame'))
		await page.run('document.querySelector("[data-value=self]").click()')
		await page.settle()
		await page.click(left + 4, (await place(page, 'flame')).top + 6)
		console.log(await status(page, 'flame'))
		await page.run('document.querySelector("[data-value=time]").click()')
		await page.until('document.getElementById("time-flame")?.clientHeight > 100', 'the flame graph in time order')
		await page.until('document.getElementById("time-flame").width > 300', 'it is drawn')
		must(await colours(page, 'time-flame', 0, 40, 700, 40) > 2, 'calls in time order')
	},
	/* The timeline: the first call, from call to call, in to it and out again. Prints what the first says. */
	async timeline(page) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		const span = () => page.run('document.getElementById("timeline-span").textContent')
		const all = await span()
		await page.run('document.getElementById("timeline").focus()')
		await page.key('ArrowDown')
		const first = await status(page, 'timeline')
		console.log(first)
		await page.key('ArrowDown')
		const below = await status(page, 'timeline')
		must(below !== first && below.includes('depth 1'), `what it called: ${below}`)
		await page.key('Enter')
		const near = await span()
		must(near !== all, 'Enter zooms to it')
		await page.key('d')
		must(await span() !== near, 'd pans')
		await page.key('w')
		await page.key('0')
		must(await span() === all, `0 shows all: ${await span()}, ${all}`)
		must(await colours(page, 'timeline', 0, 40, 700, 60) > 3, 'calls are drawn')
		const cut = await page.run(async () => {
			const { prototype } = CanvasRenderingContext2D, { fillText } = prototype, canvas = document.getElementById('timeline'), cut = []
			let seen = 0
			prototype.fillText = function(text, x, y) {
				seen += y < 20
				if (y < 20 && x + this.measureText(text).width > canvas.clientWidth)
					cut.push(text)
				fillText.call(this, text, x, y)
			}
			for (let i = 0; i < 20; i++) {
				canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'w' }))
				await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
			}
			prototype.fillText = fillText
			return seen ? cut : ['no text']
		})
		must(!cut.length, `cut at the right end of the axis: ${cut}`)
		const slowest = await page.run('document.querySelector("#slowest .link").textContent')
		await page.run('document.querySelector("#slowest .link").click()')
		await page.until('document.getElementById("timeline-status").textContent.includes(", from")', 'the slowest call is shown')
		must((await status(page, 'timeline')).includes(slowest), `${await status(page, 'timeline')}: expected ${slowest}`)
	},
	/* The time that tables and the flame graph are by; a link that keeps what is seen; a range that is measured. Prints each basis with each row's own
	 * time, and what the range says. */
	async times(page, name) {
		must(await page.run('!document.querySelector("#health details").open && document.getElementById("health").clientHeight < 60'), `one line when all is well: ${await page.run('document.getElementById("health").textContent')}`)
		for (const [basis, key] of [['cpu', 'self_cpu_ns'], ['wall', 'self_ns'], ['off', 'self_off_ns']]) {
			await page.run(`document.querySelector('#basis [data-value=${basis}]').click()`)
			must(await page.run('document.querySelector("th[aria-sort]").dataset.key') === key, `sorted by ${basis}`)
			const share = await page.run('document.querySelector("#functions tr.chosen").children[[...document.querySelectorAll("#functions th")].findIndex(head => head.dataset.key === "share")].textContent')
			const facts = await page.run('Object.fromEntries([...document.querySelectorAll("#detail dt")].map(term => [term.textContent, term.nextElementSibling.textContent]))')
			must(facts['self %'] === share && (basis === 'cpu') === ('from' in facts), `the panel, by ${basis}: ${JSON.stringify(facts)}, the table: ${share}`)
			for (const [fn, self] of await page.run(readTable, ['function', key]))
				console.log([basis, fn, digits(self)].join('\t'))
		}
		/* By time off the CPU the table has its parts, by which it can be sorted, too. */
		const parts = ['self_waiting_ns', 'self_preempted_ns', 'total_waiting_ns', 'total_preempted_ns']
		for (const [fn, ...times] of await page.run(readTable, ['function', ...parts]))
			console.log(['parts', fn, ...times.map(digits)].join('\t'))
		await page.run('document.querySelector("th[data-key=total_waiting_ns] button").click()')
		must(['main', name].includes((await page.run(readTable, ['function']))[0][0]), `${name} waits, and main for it`)
		await page.run('document.querySelector("th[data-key=self_off_ns] button").click()')
		await search(page, name)
		await page.key('Escape')
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		must((await status(page, 'flame')).includes('Off CPU time: total'), `which time: ${await status(page, 'flame')}`)
		const link = await page.run('location.hash')
		must(link.includes('view=flame') && link.includes('time=off') && link.includes(`function=${name}`), `the link: ${link}`)
		await page.reload()
		await page.until('document.documentElement?.dataset.ready && document.getElementById("flame")?.clientHeight > 100', 'the same view again')
		must(await chosen(page) === name && await page.run('document.querySelector("#basis [aria-pressed=true]").dataset.value') === 'off', 'the same function and time again')
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.run(measureAll)
		console.log(await page.run('document.getElementById("timeline-range").textContent'))
		const wheel = await page.run(() => {
			const span = () => document.getElementById('timeline-span').textContent
			const before = span(), canvas = document.getElementById('timeline')
			const turn = ctrlKey => canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -100, ctrlKey, cancelable: true }))
			turn(false)
			const scrolled = span()
			turn(true)
			return [before === scrolled, span() !== before]
		})
		must(wheel[0] && wheel[1], 'the wheel scrolls, and zooms with Ctrl')
	},
	/* By a link: function, calls, total and self of each row in a range; and that views say so, the graph is of it, and it can be cleared. */
	async ranged(page, from, to) {
		const chip = () => page.run('document.querySelector("#range .chip")?.checkVisibility() ? document.querySelector("#range .chip").textContent : null')
		const whole = await page.run(readTable, ['function', 'calls', 'self_ns'])
		must(await chip() === null, 'no range yet')
		await page.run((from, to) => { location.hash = `#view=functions&time=wall&selected=${from}..${to}` }, from, to)
		await page.until('document.querySelector("#range .chip")?.textContent.startsWith("range ")', 'the range')
		const rows = await page.run(readTable, ['function', 'calls', 'total_ns', 'self_ns'])
		for (const [name, ...values] of rows)
			console.log([name, ...values.map(digits)].join('\t'))
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		must((await chip()).includes(' µs to 200.0 µs'), `the graph says which: ${await chip()}`)
		await page.run('document.querySelector("#view-flame [data-value=self]").click()')
		await page.key('ArrowDown')
		const most = rows.reduce((most, row) => Math.max(most, digits(row[3])), 0)
		must(Math.abs((await status(page, 'flame')).match(/: self ([0-9.]+) µs/)?.[1] * 1000 - most) < 100, `the graph: ${await status(page, 'flame')}, the table: ${most}`)
		await page.run('document.querySelector("#view-flame [data-value=time]").click()')
		await page.until('document.getElementById("time-flame")?.width > 300', 'the flame graph in time order')
		must(await colours(page, 'time-flame', 0, 40, 700, 40) > 2, 'calls in time order')
		await page.reload()
		await page.until('document.documentElement?.dataset.ready && document.querySelector("#range .chip")', 'the range again')
		await page.run('document.querySelector("#range .chip button").click()')
		must(await chip() === null && !(await page.run('location.hash')).includes('selected'), 'it is cleared')
		await page.key('1')
		must(String(await page.run(readTable, ['function', 'calls', 'self_ns'])) !== String(rows.map(([name, calls, , self]) => [name, calls, self])), 'all again')
		must((await page.run(readTable, ['function', 'calls', 'self_ns'])).sort().join() === whole.sort().join(), 'as before')
		await page.run((from, to) => { location.hash = `#view=functions&time=wall&selected=${from}..${to}` }, from, to)
		await page.until('document.querySelector("#range .chip")', 'the range for the picture')
	},
	/* All of the recording as a range, by hand: the times of each function by each clock. */
	async ranged_all(page) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.run(measureAll)
		await page.key('1')
		await page.settle()
		must(await page.run('document.querySelector("#functions table").clientWidth >= document.getElementById("functions").clientWidth'), 'the table is as wide as its place')
		for (const row of await page.run(readTable, ['function', 'total_ns', 'self_ns', 'total_cpu_ns', 'self_cpu_ns', 'total_off_ns', 'self_off_ns']))
			console.log([row[0], ...row.slice(1).map(digits)].join('\t'))
	},
	/* By keys: the chosen call is the range; the range is extended to another one; its end is moved; Escape clears it. */
	async range_keys(page) {
		const selected = async () => (new URLSearchParams((await page.run('location.hash')).slice(1)).get('selected') ?? '').split('..').map(Number)
		const press = (key, shiftKey = false) => page.run((key, shiftKey) => { document.getElementById('timeline').dispatchEvent(new KeyboardEvent('keydown', { key, shiftKey, bubbles: true })) }, key, shiftKey)
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.key('m')
		const all = await selected()
		await page.key('ArrowDown')
		await page.key('ArrowDown')
		await page.key('m')
		const [from, to] = await selected()
		must(from >= all[0] && to < all[1] && to > from, `the chosen call: ${[from, to]} in ${all}`)
		await page.key('ArrowRight')
		await page.key('ArrowRight')
		await press('M', true)
		const longer = await selected()
		must(longer[0] === from && longer[1] > to, `up to the next: ${[from, to]}, ${longer}`)
		await press('ArrowRight', true)
		const moved = await selected()
		must(moved[0] === from && Math.abs(moved[1] - longer[1] - (all[1] - all[0]) / 100) < 2, `its end is moved: ${longer}, ${moved}`)
		must((await page.run('document.getElementById("timeline-range").textContent')).includes('Self, by the clock'), 'it is measured')
		await page.key('Escape')
		must(await page.run('document.getElementById("range").hidden && !document.getElementById("timeline-range").textContent'), 'Escape clears it')
		await page.key('?')
		must((await page.run('document.getElementById("help").textContent')).includes('the chosen call as the range'), 'the list of keys has it')
		await page.run('document.getElementById("help").close()')
	},
	async range_note(page, text) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.run(measureAll)
		await page.key('1')
		must((await page.run('document.getElementById("range-note").textContent')).includes(text), await page.run('document.getElementById("range-note").textContent'))
		must(await page.run('document.querySelectorAll("#functions tbody tr:not(.spacer)").length') > 2, 'functions of the range')
	},
	/* Two recordings: what the table has by a measure (function, old, new, change), to the last digit or, but for times, as it is shown. */
	async changes(page, measure, keys) {
		await page.run(`document.querySelector('#basis [data-value=${measure}]').click()`)
		must(await page.run('document.querySelector("th[aria-sort]").dataset.key') === `${keys}_change`, 'sorted by the change')
		must((await page.run('document.getElementById("compared").textContent')).includes('record three or more of each and use dwell diff'), 'what one run of each can show')
		for (const row of await page.run(readTable, ['function', `old_${keys}`, `new_${keys}`, `${keys}_change`], measure !== 'time'))
			console.log([row[0], ...row.slice(1).map(value => value.replace('−', '-').replace(/[^-0-9.]/g, ''))].join('\t'))
	},
	/* A page that just opened shows the function of its first row. */
	async opens(page) {
		const first = (await page.run(readTable, ['function'], false))[0][0]
		must(await chosen(page) === first, `chosen is ${await chosen(page)}, not ${first}`)
	},
	/* Of functions that have one path: what the flame graph says of it, and the same again in another measure and upside down. */
	async changed_paths(page, ...names) {
		for (const name of names) {
			await page.key('1')
			await search(page, name)
			must(await chosen(page) === name, `found ${await chosen(page)}, not ${name}`)
			await page.key('Escape')
			await page.key('2')
			await page.until('document.getElementById("flame-status")?.textContent.includes(" → ")', 'the flame graph says what changed')
			console.log(await status(page, 'flame'))
		}
		must(await page.run('document.querySelectorAll("#view-flame .changes i").length') === 3, 'what the colours mean')
		must(await colours(page, 'flame', 0, 0, 800, 60) > 4, 'boxes have colours')
		await page.run('document.querySelector("#view-flame [data-value=self]").click()')
		await page.key('ArrowDown')
		must((await status(page, 'flame')).includes('self '), `bottom up: ${await status(page, 'flame')}`)
	},
	/* Bottom up, of functions in order: what is said of each is of all its paths, in either recording; and a link, pasted or loaded, shows that again. */
	async changed_selves(page, measure, side, count) {
		await page.run(`document.querySelector('#basis [data-value=${measure}]').click()`)
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		await page.run('document.querySelector("#view-flame [data-value=self]").click()')
		await page.run(`document.querySelector('#view-flame [data-value=${side}]').click()`)
		must((await page.run('document.getElementById("flame-shows").textContent')).startsWith(`Width: self, ${side} recording`), 'what is shown')
		await page.key('ArrowDown')
		for (let i = 0; i < Number(count); i++) {
			const said = await status(page, 'flame')
			console.log(said.replace(/, new$|, gone$/, ''))
			await page.key('ArrowRight')
		}
		const link = await page.run('location.hash')
		must(link.includes('width=self') && link.includes(`change=${measure}`) && link.includes('side=old') === (side === 'old'), `the link: ${link}`)
		await page.run('location.hash = "#view=functions&recording=new"')
		await page.until('document.querySelector("#recording [data-value=new][aria-pressed=true]") && !document.getElementById("view-functions").hidden', 'a link that is pasted')
		await page.run(`location.hash = ${JSON.stringify(link)}`)
		await page.until(`document.getElementById("flame-shows")?.textContent.startsWith("Width: self, ${side} recording")`, 'and back')
	},
	/* A function that only the old one has: no box as wide as in the new one, but one as wide as in the old one. */
	async gone(page, name) {
		await search(page, name)
		must((await page.run('document.querySelector("#detail .facts").textContent')).includes(', gone'), 'it is gone')
		await page.key('Escape')
		await page.key('2')
		await page.until('document.getElementById("flame-status")?.textContent.includes(", gone")', 'the flame graph says that it is gone')
		const whole = () => page.run('document.getElementById("flame").toDataURL()')
		const as_new = await whole()
		await page.run('document.querySelector("#view-flame [data-value=old]").click()')
		await page.settle()
		must(await whole() !== as_new, 'as wide as old is another picture')
		await page.key('3')
		await page.until('document.getElementById("timeline-old")?.width > 300', 'the timeline')
		await page.key('w')
		const length = async id => (await page.run(id => document.getElementById(id).textContent, id)).split(': ')[1]
		const seen = await length('timeline-old-span')
		await page.run('document.querySelector("#recording [data-value=new]").click()')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline of the new one')
		must((await page.run('document.getElementById("lacks")?.textContent')) === `${name} is not in this recording.`, 'it is said that it is not there')
		must(await length('timeline-span') === seen, 'the same part of time')
		await page.run('document.querySelector("#recording [data-value=both]").click()')
		await page.until('document.getElementById("timeline-old")?.width > 300', 'the timelines again')
		must(await chosen(page) === name, 'the same function again')
	},
	/* Both timelines show the same part of time; a link keeps it; a call of the new recording is found in its own. */
	async pair(page, name, durations) {
		const spans = () => page.run('["old", "new"].map(side => document.getElementById(`timeline-${side}-span`).textContent)')
		const must_agree = async why => { const [old, now] = await spans(); must(old.split(': ')[1] === now.split(': ')[1], `${why}: ${old}, ${now}`); return old }
		await page.key('3')
		await page.until('["old", "new"].every(side => document.getElementById(`timeline-${side}`)?.width > 300)', 'both timelines')
		await page.settle()
		const all = await must_agree('all of it')
		must((await spans()).every(span => !span.startsWith('-')), `they begin when the recordings do: ${await spans()}`)
		must(await page.run('document.activeElement.id') === 'timeline-old', 'keys go to the first')
		await page.key('w')
		const zoomed = await must_agree('zoomed')
		must(zoomed !== all, 'it zoomed')
		await page.run('document.getElementById("timeline-new-minimap").focus()')
		await page.key('ArrowRight')
		must(await must_agree('moved in the second one') !== zoomed, 'it moved')
		const there = await must_agree('kept')
		await page.reload()
		await page.until('document.documentElement?.dataset.ready && document.getElementById("timeline-new")?.width > 300', 'the same view again')
		must(await must_agree('loaded again') === there, 'the same part again')
		for (const side of ['old', 'new'])
			must(await colours(page, `timeline-${side}`, 0, 30, 600, 80) > 3, `calls of the ${side} one are drawn`)
		await search(page, name)
		await page.key('Escape')
		await page.run('document.querySelector("#slowest-new .link").click()')
		await page.until('document.getElementById("timeline-new-status").textContent.includes(", from")', 'the slowest call of the new one is shown')
		must(!(await status(page, 'timeline-old')).includes(', from'), 'and nothing of the old one')
		must(await page.run('document.querySelectorAll("#durations-old, #durations-new").length') === Number(durations), 'how long calls took, in both')
		await page.run('document.getElementById("timeline-old").focus()')
		await page.key('m')
		must(await page.run('document.getElementById("timeline-old-range").textContent !== "" && document.getElementById("range").hidden'), 'a range of the old one is measured, and both are compared as a whole')
		const functions = () => page.run('document.querySelector("#health summary").textContent.match(/[0-9,]+ functions/)[0]')
		const all_functions = await functions()
		await page.run('document.querySelector("#recording [data-value=old]").click()')
		must(await page.run('!document.getElementById("range").hidden') && await functions() === all_functions, 'the old one alone shows the range, and its health is that of all')
	},
	/* One of two recordings alone is as its own page has it: function, calls, total, self. */
	async side(page, side, name) {
		await search(page, name)
		await page.key('Escape')
		await page.run(`document.querySelector('#recording [data-value=${side}]').click()`)
		must(await chosen(page) === name, `the same function: ${await chosen(page)}`)
		await actions.table(page)
		must((await page.run('location.hash')).includes(`recording=${side}`), 'the link has it')
	},
	/* States of threads, in the timeline: of the call that ran, and of the one that waited, in words and in the band. Prints all of them, measured. */
	async states(page, runs, waits) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.settle()
		const say = async name => {
			await search(page, name)
			await page.key('Escape')
			await page.run('document.querySelector("#slowest .link").click()')
			await page.until('document.getElementById("timeline-status").textContent.includes(", from")', 'the slowest call is shown')
			await page.run('document.getElementById("timeline").focus()')
			await page.key('Enter')
			await page.settle()
			return await status(page, 'timeline')
		}
		/* In the middle of the chosen call: how high something is drawn in the band above, and what it says there. */
		const band = () => page.run(() => {
			const canvas = document.getElementById('timeline'), { left, top, width } = canvas.getBoundingClientRect()
			const at = [...document.getElementById('timeline-status').textContent.matchAll(/thread (\S+),/g)][0][1]
			const told = []
			for (let y = 24; y < 400; y++) {
				canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: left + width / 2, clientY: top + y }))
				const tip = document.getElementById('tip')
				if (!tip.hidden && /^(running|waiting|preempted)/.test(tip.textContent) && tip.textContent.endsWith(`thread ${at}`))
					told.push({ y, text: tip.textContent })
			}
			const copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
			copy.drawImage(canvas, 0, 0)
			const bytes = copy.getImageData(Math.round(width / 2) - 8, told[0].y, 16, told.length).data
			let filled = 0
			for (let i = 3; i < bytes.length; i += 4)
				filled += bytes[i] > 40
			return { text: told[0].text, high: filled / 16 }
		})
		const ran = await say(runs)
		must(/running [0-9.]+ [mµn]?s/.test(ran), `what ran: ${ran}`)
		const running = await band()
		const waited = await say(waits)
		must(/waiting [0-9.]+ ms/.test(waited), `what waited: ${waited}`)
		const waiting = await band()
		must(waiting.text.startsWith('waiting') && waiting.high < 3, `the band of what waited: ${JSON.stringify(waiting)}`)
		must(/^(running|preempted)/.test(running.text) && running.high > waiting.high + 1, `the band of what ran: ${JSON.stringify(running)}`)
		must(/running.*preempted.*waiting.*unknown/.test(await page.run('document.getElementById("timeline-states").textContent')), 'the legend')
		await page.key('Escape')
		await page.run('document.getElementById("timeline").focus()')
		await page.key('0')
		await page.run(measureAll)
		console.log(await page.run('document.getElementById("timeline-range").textContent'))
	},
	/* The overview: a window is drawn, moved, made shorter by its edge, and moved by keys; it says what the timeline shows. */
	async minimap(page) {
		await page.key('3')
		await page.until('document.getElementById("minimap")?.width > 300', 'the overview')
		const { left, top, width, height } = await place(page, 'minimap')
		const drag = async (from, to) => {
			const y = top + height / 2
			await page.mouse('mouseMoved', left + from * width, y)
			await page.mouse('mousePressed', left + from * width, y, { button: 'left', buttons: 1, clickCount: 1 })
			for (const step of [0.5, 1])
				await page.mouse('mouseMoved', left + (from + (to - from) * step) * width, y, { button: 'left', buttons: 1 })
			await page.mouse('mouseReleased', left + to * width, y, { button: 'left', clickCount: 1 })
			await page.settle()
		}
		/* The window, as parts of the recording, by the link. */
		const whole = await page.run('document.getElementById("timeline-span").textContent')
		const shown = async () => {
			const [from, to] = new URLSearchParams((await page.run('location.hash')).slice(1)).get('range')?.split('-').map(Number) ?? [NaN, NaN]
			return { from, to }
		}
		const near = (a, b, part) => Math.abs(a - b) < part / 50
		await drag(0.25, 0.5)
		const first = await shown(), part = first.to - first.from
		must(part > 0, 'a window was drawn')
		must(await colours(page, 'minimap', 2, 4, 100, 40) > 0 && await colours(page, 'minimap', Math.round(width * 0.25), 2, 40, 40) > 1, 'threads and the window are drawn')
		await drag(0.4, 0.65)
		const moved = await shown()
		must(near(moved.from, first.to, part) && near(moved.to - moved.from, part, part), `moved by its own length: ${JSON.stringify([first, moved])}`)
		await drag(0.75, 0.6)
		const shorter = await shown()
		must(near(shorter.from, moved.from, part) && near(shorter.to, first.to + 0.4 * part, part), `its end is moved alone: ${JSON.stringify([moved, shorter])}`)
		await page.run('document.getElementById("minimap").focus()')
		const said = () => page.run('document.getElementById("minimap").getAttribute("aria-valuetext")')
		const before = await said()
		await page.key('ArrowRight')
		must(near((await shown()).from, shorter.from + 0.1 * part, part) && await said() !== before, `a quarter on by key: ${JSON.stringify(await shown())}`)
		await page.key('ArrowUp')
		must(near((await shown()).to - (await shown()).from, 0.24 * part, part), 'shorter by key')
		must(await said() === await page.run('document.getElementById("timeline-span").textContent'), 'it says what is shown')
		await page.key('Home')
		must(await said() === whole, 'Home shows all')
	},
	/* Of a page that has sums where calls are too many: they say so where one points. */
	async sums(page, line) {
		await search(page, 'leaf')
		must((await page.run('document.getElementById("source").textContent')).endsWith(`/${line}`), 'where it is in the source')
		await page.key('Escape')
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		console.log((await page.run('document.getElementById("timeline-legend").textContent')).replaceAll(',', ''))
		/* In the page: the browser lets a pointer of ours move once a frame. */
		const point = wanted => page.run(wanted => {
			const canvas = document.getElementById('timeline'), tip = document.getElementById('tip')
			const { left, top, width, height } = canvas.getBoundingClientRect()
			for (let y = top + 47; y < top + Math.min(height, 300); y += 15)
				for (let x = left + 5; x < left + width; x += width / 400) {
					canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y }))
					if (!tip.hidden && tip.textContent.includes(wanted))
						return tip.textContent
				}
			return null
		}, wanted)
		const sum = await point('sums, nothing single')
		must(sum && /[1-9][0-9,]* calls began in/.test(sum) && /busy [0-9]+ %/.test(sum), `a slice: ${sum}`)
		must(await point(', from'), 'and the longest are single')
	},
	/* What hatching changes is in a box. */
	async hatched(page) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		await page.run('for (let i = 0; i < 4; i++) document.getElementById("timeline").dispatchEvent(new KeyboardEvent("keydown", { key: "w" }))')
		const pixels = async () => {
			await page.key('t')
			await page.key('t')
			await page.settle()
			return page.run(() => {
				const canvas = document.getElementById('timeline'), copy = new OffscreenCanvas(canvas.width, 120).getContext('2d', { willReadFrequently: true })
				copy.drawImage(canvas, 0, -50)
				return [...copy.getImageData(0, 0, canvas.width, 120).data]
			})
		}
		const hatched = await pixels()
		await page.run(() => {
			const { prototype } = CanvasRenderingContext2D, { stroke } = prototype
			prototype.stroke = function() { Math.abs(this.lineWidth - 0.7) > 0.01 && stroke.call(this) }
		})
		const plain = await pixels(), changed = hatched.map((byte, i) => byte !== plain[i] ? i - i % 4 : -1).filter(i => i >= 0)
		must(changed.length > 100, 'slices are hatched')
		must(!changed.some(i => !plain[i + 3]), `hatching outside of slices: ${new Set(changed.filter(i => !plain[i + 3])).size} pixels`)
	},
	async legend(page) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		console.log((await page.run('document.getElementById("timeline-legend").textContent')).replaceAll(',', '').trim())
	},
	async samples(page) {
		for (const [name, share] of await page.run(readTable, ['function', 'self_percent']))
			must(name !== undefined && share !== undefined, 'a row')
		for (const row of await page.run('[...document.querySelectorAll("#functions tbody tr:not(.spacer)")].map(row => [row.querySelector(".name").title, row.querySelector(".share").textContent, row.querySelector(".range").title])'))
			console.log([row[0], ...[row[1], ...row[2].match(/[0-9.]+ %/g)].map(text => text.replace(' %', ''))].join('\t'))
	},
	/* The timeline of samples: boxes are drawn, walked to and told as what they are. Prints the first. */
	async stretches(page) {
		await page.key('3')
		await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
		must((await page.run('document.getElementById("timeline-samples").textContent')).includes('Drawn from samples'), 'what its boxes are')
		await page.run('document.getElementById("timeline").focus()')
		await page.key('ArrowDown')
		console.log(await status(page, 'timeline'))
		must(await colours(page, 'timeline', 0, 40, 700, 60) > 3, 'boxes are drawn')
		must(await page.run('[...document.querySelectorAll("aside h3")].some(head => head.textContent.startsWith("Longest stretches"))'), 'the longest')
		must(await page.run('[...document.querySelectorAll("#health dt")].every(term => term.textContent !== "Calls")'), 'calls are not counted')
		await page.key('2')
		await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
		await page.run('document.querySelector("[data-value=time]").click()')
		await page.until('document.getElementById("time-flame")?.width > 300', 'the flame graph in time order')
		must(await colours(page, 'time-flame', 0, 40, 700, 40) > 2, 'boxes in time order')
	},
	/* Why there is none. */
	async timeless(page, why) {
		await page.key('3')
		await page.until('document.querySelector("#view-timeline .empty")', 'why there is no timeline')
		must((await page.run('document.querySelector("#view-timeline .empty").textContent')).includes(why), 'the reason')
	},
	/* Names that would be markup or programs, if they were ever that. */
	async hostile(page) {
		const names = (await page.run(readTable, ['function'])).map(([name]) => name)
		for (const name of names)
			console.log(name.slice(0, 60))
		for (const [key, id] of [['2', 'flame'], ['1', 'functions']]) {
			await page.key(key)
			await page.until(`document.getElementById('${id}')?.clientHeight > 100`, id)
		}
		must(await page.run('window.ran === undefined && !document.querySelector("img, iframe, object") && document.scripts.length === 6'), 'a name became an element')
		const refused = await page.run(() => new Promise(resolve => {
			document.addEventListener('securitypolicyviolation', () => resolve(true))
			const script = document.createElement('script')
			script.textContent = 'window.ran = 1'
			document.body.append(script)
			setTimeout(() => resolve(false), 2000)
		}))
		must(refused && await page.run('window.ran === undefined'), 'a program that is not the page’s own would run')
		const fetched = await page.run('fetch("http://127.0.0.1:9/").then(() => true, () => false)')
		must(!fetched, 'it can ask the network')
		page.errors.length = 0
	},
	/* What axe-core finds wrong for who reads by ear, by keys, or with less sight: each view, light and dark, wide and narrow. */
	async accessible(page, axe) {
		const bad = new Set()
		const check = async where => {
			await page.settle()
			const { violations } = await page.run('axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => ({ violations: violations.map(({ id, help, nodes }) => ({ id, help, nodes: nodes.slice(0, 3).map(node => `${node.target}: ${node.failureSummary}`) })) }))')
			for (const { id, help, nodes } of violations)
				bad.add(`${where}: ${id}: ${help}\n  ${nodes.join('\n  ').replace(/\n/g, '\n  ')}`)
		}
		await page.run(fs.readFileSync(axe, 'utf8'))
		for (const [width, height] of [[1280, 800], [420, 800]])
			for (const scheme of ['light', 'dark']) {
				await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
				await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: scheme }] })
				await page.until(`document.documentElement.dataset.theme === '${scheme}'`, scheme)
				const where = view => `${width}, ${scheme}, ${view}`
				await page.key('1')
				await page.run('for (const details of document.querySelectorAll("#health details")) details.open = true')
				await check(where('functions'))
				await page.key('2')
				await page.until('document.getElementById("flame")?.clientHeight > 100', 'the flame graph')
				await check(where('flame graph'))
				if (await page.run('document.querySelector("#view-flame [data-value=time]") !== null')) {
					await page.run('document.querySelector("#view-flame [data-value=time]").click()')
					await check(where('time order'))
					await page.run('document.querySelector("#view-flame [data-value=heavy]").click()')
				}
				await page.key('3')
				await page.until('document.querySelector("#view-timeline .empty") || document.querySelector("#timeline, #timeline-new")?.width > 300', 'the timeline')
				if (await page.run('document.getElementById("timeline") !== null'))
					await page.run(measureAll)
				await check(where('timeline'))
				await page.run('document.getElementById("keys").click()')
				await check(where('keys'))
				await page.run('document.getElementById("help").close()')
			}
		must(!bad.size, [...bad].join('\n'))
	},
	/* No value is cut, neither by its column nor by the edge where nobody has scrolled; and names stay where somebody has. */
	async fits(page, columns) {
		const cut = () => page.run(() => {
			const box = document.getElementById('functions'), edge = box.getBoundingClientRect().left + box.clientWidth
			const bad = []
			for (const cell of document.querySelectorAll('#functions td.number, #functions th:not(:first-child) button, aside td.number, aside th.number')) {
				const { left, right } = cell.getBoundingClientRect(), text = cell.closest('td, th').textContent
				if (cell.scrollWidth > cell.clientWidth)
					bad.push(`${text}: ${cell.scrollWidth} in ${cell.clientWidth}`)
				else if (box.contains(cell) && left < edge - 1 && right > edge + 1)
					bad.push(`${text}: at the edge`)
			}
			for (const kind of ['bar', 'range', 'balance']) {
				const lefts = new Set([...document.querySelectorAll(`#functions .${kind}`)].map(bar => bar.getBoundingClientRect().left))
				if (lefts.size > 1)
					bad.push(`each ${kind} begins somewhere else: ${[...lefts]}`)
			}
			if (getComputedStyle(box).outlineOffset !== '0px') /* inside, heads that stay would cover it */
				bad.push('the frame of the focus is covered')
			for (const value of document.querySelectorAll('aside dd'))
				if (value.clientHeight > 30 || value.scrollWidth > value.clientWidth)
					bad.push(`${value.textContent}: in several lines`)
			return bad
		})
		const bad = await cut()
		must(!bad.length, `cut: ${bad.slice(0, 5).join('; ')}`)
		const seen = await page.run('[...document.querySelectorAll("#functions th")].filter(head => head.getBoundingClientRect().right <= document.getElementById("view-functions").getBoundingClientRect().right + 1).map(head => head.dataset.key).join()')
		must(seen.startsWith(columns), `columns that are seen: ${seen}`)
		await page.run('document.getElementById("functions").scrollLeft = 10000')
		await page.settle()
		must(await page.run('document.querySelector("#functions td.name").getBoundingClientRect().left < document.getElementById("functions").getBoundingClientRect().left + 2'), 'names stay')
	},
	/* On paper: light, each row and all of it, no buttons. On the screen it is as before. Prints how many pages, and whether there are source lines. */
	async print(page, rows, sheet) {
		const count = () => page.run('document.querySelectorAll("#functions tbody tr:not(.spacer)").length')
		must(await count() < rows, `${await count()} rows on the screen`)
		await page.run(() => {
			window.addEventListener('beforeprint', () => requestAnimationFrame(() => {}))
			window.addEventListener('beforeprint', () => { window.onPaper = { rows: document.querySelectorAll('#functions tbody tr:not(.spacer)').length, theme: document.documentElement.dataset.theme } })
		})
		const { data } = await page.send('Page.printToPDF', { printBackground: false, preferCSSPageSize: true })
		const printed = await page.run('window.onPaper')
		must(printed?.rows === Number(rows) && printed.theme === 'light', `on paper: ${JSON.stringify(printed)}`)
		console.log(Buffer.from(data, 'base64').toString('latin1').match(/\/Type \/Page\b/g).length, await page.run('document.querySelectorAll("#functions td.text").length ? "lines" : "no lines"'))
		must(await count() < rows && await page.run('document.documentElement.dataset.theme') === 'dark', 'the screen is as before')
		/* What is laid out for paper, of A4, lying. */
		await page.send('Emulation.setDeviceMetricsOverride', { width: 1047, height: 718, deviceScaleFactor: 1, mobile: false })
		await page.send('Emulation.setEmulatedMedia', { media: 'print' })
		await page.run('window.dispatchEvent(new Event("beforeprint"))')
		await page.settle()
		const bad = await page.run(() => {
			const bad = [...document.querySelectorAll('button, select, input')].filter(element => element.checkVisibility() && !element.closest('th, .tabs, .link')).map(element => element.textContent)
			const table = document.querySelector('#functions table')
			if (table.getBoundingClientRect().right > 1047)
				bad.push(`the table ends at ${table.getBoundingClientRect().right}`)
			for (const cell of document.querySelectorAll('#functions tr:nth-child(-n + 5) td'))
				if (getComputedStyle(cell).fontSize !== '8px')
					bad.push(`${cell.className} has letters of another size`)
				else if (cell.scrollWidth > cell.clientWidth + 1)
					bad.push(`${cell.textContent} is cut`)
			if (getComputedStyle(document.body).colorScheme !== 'light' && getComputedStyle(document.documentElement).colorScheme !== 'light')
				bad.push('it is dark')
			if (getComputedStyle(document.querySelector('#functions tr.chosen td')).boxShadow !== 'none')
				bad.push('a mark covers the name of the chosen function')
			return bad
		})
		must(!bad.length, `on paper: ${bad}`)
		await page.screenshot(sheet)
		await page.send('Emulation.setEmulatedMedia', { media: '' })
		await page.run('window.dispatchEvent(new Event("afterprint"))')
	},
	async nothing() {},
}

export async function look(browser, [what, file, ...rest]) {
	const dark = rest.includes('--dark'), narrow = rest.includes('--narrow')
	const at = rest.indexOf('--screenshot')
	const screenshot = at < 0 ? null : rest.splice(at, 2)[1]
	const page = await browser.open(`file://${file}`, { dark, width: narrow ? 420 : 1280, height: 800 })
	must(!await page.run('!document.getElementById("failed").hidden'), await page.run('document.getElementById("failed").textContent'))
	await actions[what](page, ...rest.filter(word => !word.startsWith('--')))
	if (screenshot)
		await page.screenshot(screenshot)
	must(!page.errors.length, `errors: ${page.errors.join('; ')}`)
	must(await page.run('document.documentElement.scrollWidth <= window.innerWidth'), 'it is wider than the window')
}
