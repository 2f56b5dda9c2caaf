// What hands do with a page of dwell html: a pointer, fingers, keys. Actions of look.mjs.
export function must(good, why) {
	if (!good)
		throw new Error(why)
}

const top = (page, id) => page.run(id => document.getElementById(id).getBoundingClientRect().top, id)
const status = (page, id) => page.run(`document.getElementById("${id}-status").textContent`)
const place = (page, id) => page.run(id => { const { left, top, width, height } = document.getElementById(id).getBoundingClientRect(); return { left, top, width, height } }, id)

async function open(page, key, id) {
	await page.key(key)
	await page.until(`document.getElementById("${id}")?.width > 300 && document.getElementById("${id}").clientHeight > 100`, id)
	await page.settle()
}

export const hands = {
	/* A canvas stays where it is while boxes are clicked; a double click zooms to the box under the pointer, not to another row. */
	async steady(page, key, id, row, ...others) {
		await open(page, key, id)
		await page.run(id => document.getElementById(id).scrollIntoView({ block: 'center' }), id)
		const canvases = [id, ...others], before = []
		for (const each of canvases)
			before.push(await top(page, each))
		const { left, top: y, width } = await place(page, id)
		await page.click(left + width / 4, y + Number(row))
		const said = await status(page, id)
		must(said.length > 30, `a click says what is there: ${said}`)
		await page.click(left + width / 4, y + Number(row), 2)
		must(await status(page, id) === said, `a double click is on the same box: ${said}, then ${await status(page, id)}`)
		for (const [i, each] of canvases.entries())
			must(await top(page, each) === before[i], `${each} moved from ${before[i]} to ${await top(page, each)}`)
	},
	/* A range that is drawn does not move the timeline while it is drawn. */
	async steady_range(page) {
		await open(page, '3', 'timeline')
		const before = await top(page, 'timeline')
		const moved = await page.run(() => {
			const canvas = document.getElementById('timeline'), { left, top } = canvas.getBoundingClientRect()
			const point = (type, x, target) => target.dispatchEvent(new PointerEvent(type, { clientX: left + x, clientY: top + 60, shiftKey: true, bubbles: true }))
			point('pointerdown', 10, canvas)
			point('pointermove', 300, window)
			const seen = canvas.getBoundingClientRect().top
			point('pointerup', 300, window)
			return seen
		})
		must(moved === before, `the timeline moved from ${before} to ${moved}`)
	},
	/* Nothing of a table that is scrolled sideways is above its names, and nothing of one that is scrolled down above its heads. Prints what would be. */
	async layers(page, graphic) {
		must(await page.run(graphic => document.querySelectorAll(`#functions ${graphic}`).length > 3, graphic), `the table has ${graphic}`)
		const covered = await page.run(async () => {
			const box = document.getElementById('functions'), above = []
			const look = cells => {
				for (const cell of cells) {
					const { left, top, width, height } = cell.getBoundingClientRect()
					for (let x = left + 2; x < left + width - 2; x += 12)
						for (let y = top + 2; y < top + height - 2; y += 6) {
							const seen = document.elementFromPoint(x, y)
							if (seen && box.contains(seen) && !cell.contains(seen))
								above.push(`${seen.className || seen.tagName} above ${cell.textContent.slice(0, 20)}`)
						}
				}
			}
			for (let before = -1; box.scrollLeft !== before; ) {
				before = box.scrollLeft
				box.scrollLeft += 90
				await new Promise(resolve => requestAnimationFrame(resolve))
				look([...box.querySelectorAll('tbody tr:not(.spacer) td:first-child')].slice(0, 3))
			}
			box.style.height = '120px'
			box.scrollTop = 20
			await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
			look(box.querySelectorAll('th:first-child'))
			box.scrollLeft = 30
			await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
			look(box.querySelectorAll('th:first-child'))
			return [...new Set(above)]
		})
		must(!covered.length, covered.join('; '))
	},
	/* Paths that are too narrow for boxes: what is in their place, as one points at row from the right, and what the picture has there. */
	async narrow_boxes(page, row, way, said) {
		await open(page, '2', 'flame')
		await page.run(`document.querySelector('#view-flame [data-value=${way}]').click()`)
		await page.settle()
		const { left, top: y, width } = await place(page, 'flame')
		await page.mouse('mouseMoved', left + width - 20, y + Number(row))
		await page.settle()
		must(await page.run('!document.getElementById("tip").hidden') && (await page.run('document.getElementById("tip").textContent')).startsWith(said), `what is there: ${await page.run('document.getElementById("tip").textContent')}`)
		const clear = await page.run((x, y) => {
			const canvas = document.getElementById('flame'), copy = new OffscreenCanvas(canvas.width, canvas.height).getContext('2d', { willReadFrequently: true })
			copy.drawImage(canvas, 0, 0)
			return copy.getImageData(x, y, 15, 8).data.filter((byte, at) => at % 4 === 3 && byte < 128).length
		}, Math.round(width - 20), Number(row) - 4)
		must(clear === 0, `${clear} pixels of it are empty`)
		await page.click(left + width - 20, y + Number(row))
		must((await status(page, 'flame')).startsWith(said), await status(page, 'flame'))
	},
	/* What the search says of self is the sum of what the rows below say. */
	async found(page, text) {
		await page.run(text => { const box = document.getElementById('search'); box.value = text; box.dispatchEvent(new Event('input')) }, text)
		await page.settle()
		const said = await page.run('document.getElementById("found").textContent')
		const shares = await page.run('[...document.querySelectorAll("#functions tbody tr:not(.spacer)")].map(row => row.children[[...document.querySelectorAll("#functions th")].findIndex(head => ["share", "self_percent"].includes(head.dataset.key))].textContent)')
		const sum = shares.reduce((all, share) => all + parseFloat(share.match(/[0-9.]+ %$/)[0]), 0), told = parseFloat(said.match(/, ([0-9.]+) % of self$/)?.[1])
		must(shares.length > 1 && Math.abs(sum - told) < 0.006 * (shares.length + 1), `found: ${said}; the rows: ${shares}`)
	},
	/* A tree that was cut is no loss: one line says so. */
	async cut_tree(page, said) {
		const line = await page.run('document.querySelector("#health .verdict").textContent')
		must(line === `[ok]Nothing was lost; ${said}`, line)
		must(await page.run('!document.querySelector("#health details").open'), 'the box is closed')
	},
	/* The columns of callers. */
	async callers_have(page, columns) {
		const has = await page.run('[...document.querySelectorAll("#callers th")].map(head => head.textContent).join()')
		must(has === columns, `columns of callers: ${has}`)
	},
	/* A finger pans and scrolls the timeline, two zoom it; one scrolls the flame graph. */
	async touch(page) {
		await page.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 })
		const touch = (type, ...points) => page.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })
		const swipe = async (from, to) => {
			await touch('touchStart', ...from)
			for (const part of [0.3, 0.6, 1])
				await touch('touchMove', ...from.map(([x, y], i) => [x + part * (to[i][0] - x), y + part * (to[i][1] - y)]))
			await touch('touchEnd')
			await page.settle()
		}
		const picture = id => page.run(id => document.getElementById(id).toDataURL(), id)
		await open(page, '3', 'timeline')
		const span = () => page.run('document.getElementById("timeline-span").textContent')
		const { left, top: y, width, height } = await place(page, 'timeline'), row = y + Math.min(60, height / 2)
		const all = await span()
		await swipe([[left + 100, row], [left + 200, row]], [[left + 50, row], [left + 350, row]])
		const near = await span()
		must(near !== all, 'two fingers zoom')
		await swipe([[left + 300, row]], [[left + 150, row]])
		const moved = await span()
		must(moved !== near && moved.split(': ')[1] === near.split(': ')[1], `one finger pans: ${near}, ${moved}`)
		await page.send('Emulation.setDeviceMetricsOverride', { width: 1280, height: 420, deviceScaleFactor: 1, mobile: false })
		await page.settle()
		for (const [key, id] of [['3', 'timeline'], ['2', 'flame']]) {
			await open(page, key, id)
			await page.run(id => document.getElementById(id).scrollIntoView({ block: 'center' }), id)
			await page.settle()
			const before = await picture(id), box = await place(page, id), x = box.left + width / 2
			await swipe([[x, box.top + 180]], [[x, box.top + 120]])
			must(await picture(id) !== before, `one finger scrolls: ${id}`)
		}
	},
	/* By keys to the heads, to the head of calls, and sorted by it, twice; a link has it. */
	async sort_keys(page) {
		const sorted = () => page.run('[...document.querySelectorAll("th[aria-sort]")].map(head => `${head.dataset.key} ${head.getAttribute("aria-sort")}`).join()')
		const names = () => page.run('[...document.querySelectorAll("#functions td.name")].map(cell => cell.textContent).join()')
		await page.run('document.getElementById("functions").focus()')
		await page.key('Tab')
		must(await page.run('document.activeElement.closest("th[aria-sort]") !== null'), 'Tab goes to the heads')
		for (let i = 0; i < 20 && !await page.run('document.activeElement.closest("th[data-key=calls]") !== null'); i++)
			await page.key('ArrowRight')
		await page.key('Enter')
		must(await sorted() === 'calls descending' && await page.run('!document.getElementById("view-functions").hidden'), `sorted by calls: ${await sorted()}`)
		await page.key('Enter')
		must(await sorted() === 'calls ascending', `the other way: ${await sorted()}`)
		const before = await names()
		must((await page.run('location.hash')).includes('sort=calls%2Crising'), `the link: ${await page.run('location.hash')}`)
		await page.reload()
		await page.until('document.documentElement?.dataset.ready', 'the page again')
		must(await sorted() === 'calls ascending' && await names() === before, `again: ${await sorted()}`)
	},
	/* At all zooms the marks of the axis have one unit and differ, and so do the ends of what is shown. */
	async axis(page) {
		await open(page, '3', 'timeline')
		const bad = await page.run(async () => {
			const { prototype } = CanvasRenderingContext2D, { fillText } = prototype, canvas = document.getElementById('timeline'), bad = []
			let texts = []
			prototype.fillText = function(text, x, y) {
				if (this.canvas === canvas && y < 20)
					texts.push(text)
				fillText.call(this, text, x, y)
			}
			for (let i = 0; i < 55; i++) {
				texts = []
				canvas.dispatchEvent(new KeyboardEvent('keydown', { key: i ? 'w' : '0' }))
				await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
				if (new Set(texts.map(text => text.replace(/.* /, ''))).size !== 1 || new Set(texts).size !== texts.length)
					bad.push(`${i}: ${texts.join(', ')}`)
				const [from, to] = document.getElementById('timeline-span').textContent.split(/ … |: /)
				if (from === to)
					bad.push(`${i}: from ${from} to ${to}`)
			}
			prototype.fillText = fillText
			return bad
		})
		must(!bad.length, bad.join('; '))
	},
	/* No frame of a chosen box is where an underscore of its name is. */
	async frames(page, name) {
		await page.run(name => { const box = document.getElementById('search'); box.value = name; box.dispatchEvent(new Event('input')) }, name)
		await page.run('document.getElementById("search").focus()')
		await page.key('Enter')
		await page.key('Escape')
		for (const [key, id] of [['2', 'flame'], ['3', 'timeline']]) {
			await open(page, key, id)
			if (id === 'timeline')
				await page.run('document.querySelector("#slowest .link").click()')
			await page.settle()
			const [names, covered] = await page.run(async (id, name) => {
				const { prototype } = CanvasRenderingContext2D, { fillText, fillRect, strokeRect } = prototype, bands = [], names = []
				const band = (x, w, from, to) => bands.push({ x, w, from, to })
				prototype.fillRect = function(x, y, w, h) { h <= 4 && w > 20 && band(x, w, y, y + h); fillRect.call(this, x, y, w, h) }
				prototype.strokeRect = function(x, y, w, h) {
					for (const edge of [y, y + h])
						band(x, w, edge - this.lineWidth / 2, edge + this.lineWidth / 2)
					strokeRect.call(this, x, y, w, h)
				}
				prototype.fillText = function(text, x, y) {
					const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = this.measureText('_')
					if (text.includes(name))
						names.push({ text, x, from: y - up, to: y + down })
					fillText.call(this, text, x, y)
				}
				document.getElementById('theme').click()
				await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
				Object.assign(prototype, { fillText, fillRect, strokeRect })
				return [names.length, names.filter(a => bands.some(b => b.x <= a.x && a.x < b.x + b.w && b.from < a.to && a.from < b.to)).map(({ text, from, to }) => `${text} ${from}-${to}`)]
			}, id, name)
			must(names > 0 && !covered.length, `${id}: ${names} names; covered: ${covered}`)
		}
	},
	/* On paper names have three lines at the most, columns are whole and fit, and a line says that there are more. */
	async paper(page, more) {
		await page.send('Emulation.setDeviceMetricsOverride', { width: 1047, height: 718, deviceScaleFactor: 1, mobile: false })
		await page.send('Emulation.setEmulatedMedia', { media: 'print' })
		await page.run('window.dispatchEvent(new Event("beforeprint"))')
		await page.settle()
		const [high, right, columns, note] = await page.run(() => {
			const cells = [...document.querySelectorAll('#functions td.name')], row = document.querySelector('#functions tbody tr')
			return [Math.max(...cells.map(cell => cell.clientHeight)), document.querySelector('#functions table').getBoundingClientRect().right, [row.children.length, [...document.querySelectorAll('#functions th')].filter(head => head.checkVisibility()).length], document.querySelector('#functions caption')?.textContent ?? '']
		})
		must(high <= 40, `a name is ${high} pixels high`)
		must(right <= 1047, `the table ends at ${right}`)
		must(columns[0] === columns[1] && columns[0] > 3, `columns: ${columns}`)
		must(note.includes('dwell report --csv has the other') === (more === 'more'), `the note: ${note}`)
		await page.run('window.dispatchEvent(new Event("afterprint"))')
		await page.settle()
		must(await page.run('!document.querySelector("#functions caption") && [...document.querySelectorAll("#functions th")].every(head => !head.hidden)'), 'the screen has all')
	},
	/* A step of the wheel makes and formats the cells of the rows that come into sight, and no others. */
	async scroll_steps(page) {
		const [rows, columns, made, formatted] = await page.run(async () => {
			const box = document.getElementById('functions'), made = [], { createElement } = document, { toLocaleString } = Number.prototype
			let cells = 0, formatted = 0
			document.createElement = function(tag) {
				cells += tag === 'td'
				return createElement.call(this, tag)
			}
			Number.prototype.toLocaleString = function(...words) {
				formatted++
				return toLocaleString.apply(this, words)
			}
			for (let i = 0; i < 20; i++) {
				cells = 0
				box.scrollTop += 81
				await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
				made.push(cells)
			}
			document.createElement = createElement
			Number.prototype.toLocaleString = toLocaleString
			return [box.scrollHeight / 27, box.querySelectorAll('th').length, Math.max(...made), formatted]
		})
		must(rows > 9000, `${rows} rows`)
		must(made > 0 && made <= 3 * columns + 2, `${made} cells in a step of 3 rows of ${columns} columns`)
		must(formatted === 0, `${formatted} times toLocaleString, which is slow`)
	},
	/* Two timelines that begin together have one axis: the time since each began. */
	async one_axis(page) {
		await open(page, '3', 'timeline-old', 'timeline-new')
		const [old, now] = await page.run(async () => {
			const { prototype } = CanvasRenderingContext2D, { fillText } = prototype, texts = { 'timeline-old': [], 'timeline-new': [] }
			prototype.fillText = function(text, x, y) {
				if (y < 20)
					texts[this.canvas.id]?.push(`${Math.round(x)} ${text}`)
				fillText.call(this, text, x, y)
			}
			document.getElementById('theme').click()
			await new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
			prototype.fillText = fillText
			return Object.values(texts).map(list => list.join())
		})
		must(old && old === now && /^[0-9]+ 0 [mµn]?s/.test(old), `the axes: ${old}; ${now}`)
		const spans = await page.run('["old", "new"].map(side => document.getElementById(`timeline-${side}-span`).textContent)')
		must(spans[0] === spans[1] && spans[0].startsWith('0'), `what is shown: ${spans}`)
	},
	/* M, of all: what is looked up is as much as there are paths, and not as there are calls. */
	async measured_all(page, calls) {
		await open(page, '3', 'timeline')
		const [count, said] = await page.run(() => {
			const { get, has } = Map.prototype, canvas = document.getElementById('timeline')
			let count = 0
			Map.prototype.get = function(key) { count++; return get.call(this, key) }
			Map.prototype.has = function(key) { count++; return has.call(this, key) }
			canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'm' }))
			Object.assign(Map.prototype, { get, has })
			return [count, document.getElementById('timeline-range').textContent]
		})
		must(said.includes(`, ${Number(calls).toLocaleString('en')} calls`), `${said}: expected ${calls} calls`)
		must(count < calls / 4, `${count} look-ups for ${calls} calls`)
	},
	/* Names of the lists of the panel are cut by their parts and fit; all of each is in the box beside the pointer. */
	async list_names(page) {
		const bad = await page.run(() => [...document.querySelectorAll('aside #callees .link')].filter(link => link.scrollWidth > link.clientWidth || !link.textContent.includes('operator_') || !link.title.includes('basic_string')).map(link => link.textContent))
		must(await page.run('document.querySelectorAll("aside #callees .link").length') > 1 && !bad.length, `names: ${bad}`)
	},
	/* What a program that waits has first in its health line, and how many functions it has at the end. Two recordings: no button shows waiting. */
	async waits(page, percent, functions, more = ', which Wall shows') {
		const said = await page.run('document.querySelector("#health summary .soft").textContent')
		must(said.startsWith(`${percent} % of all time is waiting${more} · `) && said.endsWith(` · ${functions} functions`), said)
	},
}
