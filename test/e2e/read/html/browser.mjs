// Chromium, driven through a pipe by its own protocol: nothing to install beside it.
//
//     const browser = await launch()
//     const page = await browser.open('file:///…', { width: 1280, height: 800, dark: false })
//     await page.reload()
//     await page.run('document.title')       an expression, or (function)(arguments)
//     await page.key('Enter'); await page.type('abc'); await page.click(x, y)
//     await page.screenshot('page.png')
//     page.errors                            console errors, exceptions, refused scripts, requests
//     await browser.close()
import { spawn } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const keys = { Tab: 9, Enter: 13, Escape: 27, Backspace: 8, ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, PageUp: 33, PageDown: 34, Home: 36, End: 35 }

class Page {
	constructor(browser, session) {
		this.browser = browser
		this.session = session
		this.errors = []
	}
	send(method, params = {}) { return this.browser.send(method, params, this.session) }
	/* Until the new document is there nothing is asked: the browser would answer that the page it asked is gone. */
	async go(method, params) {
		const there = new Promise(resolve => { this.arrived = resolve })
		await this.send(method, params)
		await there
	}
	reload() { return this.go('Page.reload') }
	async run(what, ...values) {
		const expression = typeof what === 'function' ? `(${what})(${values.map(value => JSON.stringify(value)).join(', ')})` : what
		const { result, exceptionDetails } = await this.send('Runtime.evaluate', { expression, returnByValue: true, awaitPromise: true })
		if (exceptionDetails)
			throw new Error(`${expression.slice(0, 200)}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`)
		return result.value
	}
	async until(what, why, seconds = 20) {
		for (const end = Date.now() + seconds * 1000; Date.now() < end; await new Promise(resolve => setTimeout(resolve, 20)))
			if (await this.run(what))
				return
		throw new Error(`never came: ${why}`)
	}
	async key(key, text) {
		const event = { key, code: key, windowsVirtualKeyCode: keys[key] ?? key.toUpperCase().charCodeAt(0), text: text ?? (key.length === 1 ? key : key === 'Enter' ? '\r' : undefined) }
		await this.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event })
		await this.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event })
	}
	async type(text) { await this.send('Input.insertText', { text }) }
	async mouse(type, x, y, more = {}) { await this.send('Input.dispatchMouseEvent', { type, x, y, ...more }) }
	async click(x, y, count = 1) {
		await this.mouse('mouseMoved', x, y)
		for (let n = 1; n <= count; n++) {
			await this.mouse('mousePressed', x, y, { button: 'left', clickCount: n })
			await this.mouse('mouseReleased', x, y, { button: 'left', clickCount: n })
		}
		await this.settle()
	}
	/* What was changed is drawn. */
	async settle() { await this.run('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))') }
	async screenshot(file) {
		await this.settle()
		const { data } = await this.send('Page.captureScreenshot', { format: 'png' })
		fs.writeFileSync(file, Buffer.from(data, 'base64'))
	}
}

/* Chromium itself: what it is sent through, what it answers through, and how it is ended. */
class Chromium {
	constructor(command = process.env.CHROMIUM ?? 'chromium', ...more) {
		this.folder = fs.mkdtempSync(path.join(os.tmpdir(), 'dwell-browser.'))
		this.process = spawn(command, [...more, '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--no-first-run', '--disable-extensions',
			'--disable-background-networking', '--disable-component-update', '--hide-scrollbars', `--user-data-dir=${this.folder}`, '--remote-debugging-pipe', 'about:blank'],
			{ stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] })
		this.gone = new Promise(resolve => this.process.on('close', resolve))
		this.to = this.process.stdio[3]
		this.from = this.process.stdio[4]
	}
	/* After it was asked to close. */
	async end() {
		const late = setTimeout(() => this.process.kill('SIGKILL'), 5000)
		await this.gone
		clearTimeout(late)
		fs.rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
	}
}

class Browser {
	constructor(to, from) {
		this.to = to
		this.number = 0
		this.tab = null
		this.waiting = new Map()
		this.pages = new Map()
		let rest = Buffer.alloc(0)
		from.on('data', bytes => {
			rest = Buffer.concat([rest, bytes])
			for (let at; (at = rest.indexOf(0)) >= 0; rest = rest.subarray(at + 1))
				this.take(JSON.parse(rest.subarray(0, at).toString()))
		})
		from.on('close', () => { for (const { reject } of this.waiting.values()) reject(new Error('the browser is gone')) })
	}
	take(message) {
		if (message.id) {
			const { resolve, reject } = this.waiting.get(message.id) ?? { resolve() {}, reject() {} }
			this.waiting.delete(message.id)
			if (message.error)
				reject(new Error(message.error.message))
			else
				resolve(message.result)
			return
		}
		const page = this.pages.get(message.sessionId)
		if (!page)
			return
		const { method, params } = message
		if (method === 'Page.frameNavigated' && !params.frame.parentId && params.frame.url !== 'about:blank')
			page.arrived?.()
		else if (method === 'Runtime.exceptionThrown')
			page.errors.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text)
		else if (method === 'Runtime.consoleAPICalled' && ['error', 'warning', 'assert'].includes(params.type))
			page.errors.push(params.args.map(value => value.value ?? value.description).join(' '))
		else if (method === 'Log.entryAdded' && ['error', 'warning'].includes(params.entry.level))
			page.errors.push(params.entry.text)
		else if (method === 'Network.requestWillBeSent' && !params.request.url.startsWith('file:') && !params.request.url.startsWith('blob:') && params.request.url !== 'about:blank')
			page.errors.push(`asks the network: ${params.request.url}`)
		else if (method === 'Page.javascriptDialogOpening')
			page.errors.push(`a dialog: ${params.message}`)
	}
	send(method, params = {}, sessionId = undefined) {
		const id = ++this.number
		this.to.write(`${JSON.stringify({ id, method, params, sessionId })}\0`)
		return new Promise((resolve, reject) => this.waiting.set(id, { resolve, reject }))
	}
	async make_tab() { return (await this.send('Target.createTarget', { url: 'about:blank' })).targetId }
	/* One tab for all pages, one after the other: the one that the browser began with. Pages keep nothing (no storage, no cookies) that the next
	 * could see, and what is emulated ends with leave_tab. */
	async keep_tab() {
		const { targetInfos } = await this.send('Target.getTargets')
		this.tab = targetInfos.find(({ type }) => type === 'page').targetId
	}
	async leave_tab() {
		for (const sessionId of this.pages.keys())
			await this.send('Target.detachFromTarget', { sessionId })
		this.pages.clear()
	}
	/* In place of the kept one. */
	async new_tab() {
		const old = this.tab
		this.pages.clear()
		this.tab = await this.make_tab()
		await this.send('Target.closeTarget', { targetId: old })
	}
	/* A page of anyone's. */
	async visit(url, { width = 1280, height = 800, dark = false } = {}) {
		const { sessionId } = await this.send('Target.attachToTarget', { targetId: this.tab ?? await this.make_tab(), flatten: true })
		const page = new Page(this, sessionId)
		this.pages.set(sessionId, page)
		for (const domain of ['Runtime', 'Log', 'Page', 'Network'])
			await page.send(`${domain}.enable`)
		await page.send('Emulation.setDeviceMetricsOverride', { width, height, deviceScaleFactor: 1, mobile: false })
		await page.send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }] })
		page.errors.length = 0 /* those of who was in this tab before */
		await page.go('Page.navigate', { url })
		return page
	}
	/* A page of dwell html, when it is ready. */
	async open(url, options) {
		const begun = performance.now()
		const page = await this.visit(url, options)
		await page.until('document.documentElement?.dataset.ready === "yes" || document.getElementById("failed")?.hidden === false', 'the page is ready')
		page.opened = performance.now() - begun
		return page
	}
	async close() { await this.leave() }
}

export async function start(command, ...more) {
	const chromium = new Chromium(command, ...more)
	const browser = new Browser(chromium.to, chromium.from)
	await browser.send('Browser.getVersion')
	browser.gone = chromium.gone
	browser.leave = async () => {
		await Promise.race([browser.send('Browser.close').catch(() => {}), chromium.gone])
		await chromium.end()
	}
	return browser
}

export const launch = command => start(command)
