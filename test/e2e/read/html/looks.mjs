// One Chromium, and one tab of it, for all looks of a driver: to start a program and a window for each took most of the time. A look comes through
// standard input: how many words it has, and those, each with a NUL behind it. Its answer is what it prints, why it failed, and its status,
// likewise. The end of standard input ends the browser.
import { start } from './browser.mjs'
import { look } from './look.mjs'

const seconds = 300
const browser = await start(undefined, '--process-per-site', '--disable-back-forward-cache')
await browser.keep_tab()

let printed = []
console.log = (...words) => printed.push(`${words.join(' ')}\n`)

const late = () => {
	let timer
	const promise = new Promise((resolve, reject) => { timer = setTimeout(() => reject(new Error(`no end within ${seconds} s`)), seconds * 1000) })
	return { promise, stop: () => clearTimeout(timer) }
}

/* A tab in which a look failed is not used again: it may hang. */
async function answer(words) {
	const limit = late()
	let why = ''
	printed = []
	await Promise.race([look(browser, words), limit.promise]).catch(error => { why = `${words[1]}: ${error.message}\n` })
	limit.stop()
	await (why ? browser.new_tab() : browser.leave_tab())
	process.stdout.write([printed.join(''), why, why ? '1' : '0'].map(text => `${text.replaceAll('\0', '')}\0`).join(''))
}

let rest = Buffer.alloc(0)
let answered = Promise.resolve()

function take() {
	const words = rest.toString().split('\0')
	const count = Number(words[0])
	if (words.length < count + 2)
		return
	rest = Buffer.alloc(0)
	answered = answered.then(() => answer(words.slice(1, count + 1)))
}

process.stdin.on('data', bytes => {
	rest = Buffer.concat([rest, bytes])
	take()
})
process.stdin.on('end', async () => {
	await browser.close()
	process.exit(0)
})
browser.gone.then(() => process.exit(1))
