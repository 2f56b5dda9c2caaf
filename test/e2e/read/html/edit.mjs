// A page of dwell html whose data are others: node edit.mjs PAGE NEW 'data.unit = "ns"'. For what takes a recording of gigabytes to happen.
import fs from 'node:fs'
import zlib from 'node:zlib'

const [page, into, change] = process.argv.slice(2)
const html = fs.readFileSync(page, 'latin1')
const changed = html.replace(/(<script type="text\/plain" id="data-0">)([^<]*)/, (all, head, packed) => {
	const data = JSON.parse(zlib.inflateSync(Buffer.from(packed, 'base64')))
	new Function('data', change)(data)
	return head + zlib.deflateSync(JSON.stringify(data)).toString('base64')
})
if (changed === html)
	throw new Error(`${page}: nothing was changed`)
fs.writeFileSync(into, changed, 'latin1')
