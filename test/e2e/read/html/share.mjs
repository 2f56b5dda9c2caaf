// One Chromium for many programs, one after the other, as each takes a second to start: node share.mjs SOCKET. They come with
// DWELL_BROWSER=SOCKET; it ends with its standard input.
import net from 'node:net'
import { Chromium } from './browser.mjs'

const chromium = new Chromium(undefined, '--process-per-site')
let guest = null
chromium.from.on('data', bytes => guest?.write(bytes))
chromium.gone.then(() => process.exit(1))
net.createServer(connection => {
	guest?.destroy()
	guest = connection
	connection.on('data', bytes => chromium.to.write(bytes))
	connection.on('error', () => {})
	connection.on('close', () => { if (guest === connection) guest = null })
}).listen(process.argv[2])
process.stdin.resume().on('end', async () => {
	chromium.process.kill()
	await chromium.end()
	process.exit(0)
})
