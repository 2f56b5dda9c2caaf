// The single calls of a page, or stretches of samples, without the page's own program: node boxes.mjs PAGE
//     function, tid, begin and length in nanoseconds, depth, 1 where it is unsure
// node boxes.mjs PAGE states: tid, nanoseconds of waiting, of being preempted, of what is unknown; what was added up: how many sums there are
import fs from 'node:fs'
import zlib from 'node:zlib'

const html = fs.readFileSync(process.argv[2], 'latin1')
const part = id => zlib.inflateSync(Buffer.from(html.match(new RegExp(`<script type="text/plain" id="${id}-0">([^<]*)</script>`))[1], 'base64'))

const page = JSON.parse(part('data'))
const wanted = process.argv[3] ?? 'calls'
const bytes = part(wanted)
let at = 0
const next = () => {
	let number = 0n
	for (let shift = 0n; ; shift += 7n) {
		const byte = bytes[at++]
		number |= BigInt(byte & 127) << shift
		if (byte < 128)
			return number
	}
}
const signed = number => number & 1n ? -(number >> 1n) - 1n : number >> 1n
const sums = steps => {
	let sum = 0n
	return steps.map(step => sum += step)
}

for (const { tid } of page.threads) {
	const column = () => Array.from({ length: count }, next)
	const count = Number(next())
	if (wanted === 'states') {
		const off = [0n, 0n, 0n]
		let sums = 0
		for (let i = 0; i < count; i++) {
			next()
			const word = next(), kind = Number(word & 3n)
			sums += kind === 3
			for (let k = 0; k < 3; k++)
				off[k] += kind === 3 ? next() : k === kind ? word >> 2n : 0n
		}
		console.log([tid, ...off, sums].join('\t'))
		continue
	}
	const begins = sums(column().map(signed)), lengths = column(), functions = column(), depths = sums(column().map(signed))
	for (let i = 0; i < count; i++)
		console.log([page.names[Number(functions[i] >> 1n)], tid, begins[i], lengths[i], depths[i], functions[i] & 1n].join('\t'))
}
if (at !== bytes.length)
	throw new Error(`${bytes.length - at} bytes behind the last thread`)
