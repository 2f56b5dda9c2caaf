// What a person does with a page of dwell html, in Chromium: node look.mjs WHAT PAGE [SCREENSHOT]. Status 1 and a line for what is not so.
//
//     table        function, calls, total and self of each row, as CSV
//     relatives FUNCTION      its callers and callees: "callers,function,calls,total", as CSV
//     …            below
import { launch } from './browser.mjs'

const [what, file, ...rest] = process.argv.slice(2)
const url = `file://${file}`

function must(good, why) {
	if (!good)
		throw new Error(why)
}

const digits = text => text.replace(/[^0-9]/g, '')

/* All rows of the table: it has only those that are seen, so it is scrolled through. */
const readTable = keys => {
	const box = document.getElementById('functions')
	const heads = [...box.querySelectorAll('th')].map(head => head.dataset.key)
	const rows = new Map()
	const step = async () => {
		for (let top = 0; ; top += box.clientHeight / 2) {
			box.scrollTop = top
			await new Promise(resolve => setTimeout(resolve, 30))
			for (const row of box.querySelectorAll('tbody tr:not(.spacer)')) {
				const values = keys.map(key => row.children[heads.indexOf(key)].title)
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
	const bytes = document.getElementById(id).getContext('2d').getImageData(x, y, w, h).data
	const seen = new Set()
	for (let i = 0; i < bytes.length; i += 4)
		if (bytes[i + 3])
			seen.add(bytes[i] << 16 | bytes[i + 1] << 8 | bytes[i + 2])
	return seen.size
}, id, x, y, w, h)

const actions = {
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
		await page.click(left + 4, top + 6)
		console.log(await status(page, 'flame'))
		await page.run('document.querySelector("[data-value=self]").click()')
		await page.click(left + 4, top + 6)
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
		const slowest = await page.run('document.querySelector("#slowest .link").textContent')
		await page.run('document.querySelector("#slowest .link").click()')
		await page.until('document.getElementById("timeline-status").textContent.includes(", from")', 'the slowest call is shown')
		must((await status(page, 'timeline')).includes(slowest), `${await status(page, 'timeline')}: expected ${slowest}`)
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
					canvas.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y }))
					if (!tip.hidden && tip.textContent.includes(wanted))
						return tip.textContent
				}
			return null
		}, wanted)
		const sum = await point('sums, nothing single')
		must(sum && /[1-9][0-9,]* calls began in/.test(sum) && /busy [0-9]+ %/.test(sum), `a slice: ${sum}`)
		must(await point(', from'), 'and the longest are single')
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
		must(await page.run('window.ran === undefined && !document.querySelector("img, iframe, object") && document.scripts.length === 4'), 'a name became an element')
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
	async nothing() {},
}

const dark = rest.includes('--dark'), narrow = rest.includes('--narrow')
const at = rest.indexOf('--screenshot')
const screenshot = at < 0 ? null : rest.splice(at, 2)[1]
const browser = await launch()
let failed = true
try {
	const page = await browser.open(url, { dark, width: narrow ? 420 : 1280, height: 800 })
	must(!await page.run('!document.getElementById("failed").hidden'), await page.run('document.getElementById("failed").textContent'))
	await actions[what](page, ...rest.filter(word => !word.startsWith('--')))
	if (screenshot)
		await page.screenshot(screenshot)
	must(!page.errors.length, `errors: ${page.errors.join('; ')}`)
	must(await page.run('document.documentElement.scrollWidth <= window.innerWidth'), 'it is wider than the window')
	failed = false
} catch (error) {
	console.error(`${file}: ${error.message}`)
}
await browser.close()
process.exit(failed ? 1 : 0)
