// Seconds until a page shows its functions, and then until its timeline is there, in Chromium: node open.mjs PAGE
import { launch } from '../../test/e2e/read/html/browser.mjs'

const browser = await launch()
const page = await browser.open(`file://${process.argv[2]}`)
const begun = performance.now()
await page.key('3')
await page.until('document.getElementById("timeline")?.width > 300', 'the timeline')
console.log((page.opened / 1000).toFixed(2), ((performance.now() - begun) / 1000).toFixed(2))
await browser.close()
