// speedscope's own viewer, from its package, in Chromium: node viewer.mjs FILE NAME: it takes the file, and shows the profile of that name.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [file, name] = process.argv.slice(2)
const { launch } = await import(pathToFileURL(process.env.BROWSER_MODULE))
const viewer = path.resolve('node_modules/speedscope/dist/release/index.html')
const load = path.resolve(`${file}.js`)
fs.writeFileSync(load, `speedscope.loadFileFromBase64(${JSON.stringify(path.basename(file))}, "${fs.readFileSync(file).toString('base64')}")`)

const browser = await launch()
const page = await browser.visit(`${pathToFileURL(viewer)}#localProfilePath=${load}`)
let failed = false
try {
	await page.until(`document.body?.innerText.includes(${JSON.stringify(name)})`, `a profile '${name}'`)
	const errors = page.errors.filter(error => !error.includes('WebGL')) // which has no processor of its own here
	if (errors.length)
		throw new Error(errors.join('; '))
} catch (error) {
	failed = true
	console.error(`${file}: ${error.message}: ${await page.run('document.body.innerText.slice(0, 300)')}`)
}
await browser.close()
process.exit(failed ? 1 : 0)
