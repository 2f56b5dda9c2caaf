// What readers that are not ours make of exported files: one line for each function, "name\tcalls\tself", as the file says.
//
//     node check.mjs pprof|speedscope|chrome|firefox FILE
//
// Status 1 and a line on standard error where the file is not as its format wants it.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'

// Packages are where the test installed them.
const require = createRequire(path.join(process.cwd(), 'index.js'))
const [format, file] = process.argv.slice(2)
const bytes = fs.readFileSync(file)

function must(good, what) {
	if (good)
		return
	console.error(`${file}: ${what}`)
	process.exit(1)
}

const sums = new Map()
function add(name, calls, self) {
	const sum = sums.get(name) ?? { calls: 0n, self: 0n }
	sum.calls += BigInt(calls)
	sum.self += BigInt(self)
	sums.set(name, sum)
}

function pprof() {
	const { Profile } = require('pprof-format')
	const profile = Profile.decode(zlib.gunzipSync(bytes))
	const strings = profile.stringTable.strings
	const types = profile.sampleType.map(type => strings[Number(type.type)])
	const names = new Map(profile.function.map(f => [Number(f.id), strings[Number(f.name)]]))
	const mappings = new Set(profile.mapping.map(m => Number(m.id)))
	const places = new Map()

	must(strings[0] === '', 'the first string is not empty')
	for (const location of profile.location) {
		must(Number(location.id) !== 0, 'a location has the id 0')
		must(!Number(location.mappingId) || mappings.has(Number(location.mappingId)), 'a mapping is missing')
		must(names.has(Number(location.line[0].functionId)), 'a function is missing')
		places.set(Number(location.id), names.get(Number(location.line[0].functionId)))
	}
	const calls = types.indexOf('calls'), self = ['wall', 'time', 'samples'].map(t => types.indexOf(t)).find(i => i >= 0)
	must(self !== undefined, `no known sample type: ${types}`)
	for (const sample of profile.sample) {
		must(sample.value.length === types.length, 'a sample has not as many values as there are types')
		must(sample.locationId.every(id => places.has(Number(id))), 'a location is missing')
		add(places.get(Number(sample.locationId[0])), calls < 0 ? 0 : sample.value[calls], sample.value[self])
	}
}

/* What is open is closed, the innermost first, and time does not go back. */
function evented(profile, frames) {
	const open = []
	let last = profile.startValue
	for (const { type, frame, at } of profile.events) {
		must(frame in frames && Number.isSafeInteger(at) && at >= last && at <= profile.endValue, `an event at ${at}, behind ${last}`)
		if (open.length)
			add(frames[open.at(-1)].name, 0, at - last)
		last = at
		if (type === 'O') {
			open.push(frame)
			add(frames[frame].name, 1, 0)
		} else {
			must(open.pop() === frame, `at ${at} ends what is not the innermost`)
		}
	}
	must(!open.length && last === profile.endValue, `${open.length} calls do not end`)
}

function speedscope() {
	const Ajv = require('ajv')
	const schema = fs.readFileSync(
		fs.readdirSync('node_modules/speedscope/dist/release').filter(n => /schema.*json/.test(n)).map(n => `node_modules/speedscope/dist/release/${n}`)[0])
	const validate = new Ajv({ strict: false }).compile(JSON.parse(schema))
	const data = JSON.parse(bytes)

	must(validate(data), JSON.stringify(validate.errors))
	for (const profile of data.profiles) {
		if (profile.type === 'evented') {
			evented(profile, data.shared.frames)
			continue
		}
		let sum = 0
		must(profile.weights.length === profile.samples.length, 'weights are not as many as samples')
		profile.samples.forEach((stack, i) => {
			must(stack.every(frame => frame in data.shared.frames), 'a frame is missing')
			add(data.shared.frames[stack.at(-1)].name, 0, profile.weights[i])
			sum += profile.weights[i]
		})
		must(profile.startValue === 0 && profile.endValue === sum, 'the end is not the sum')
	}
}

// Nanoseconds, exactly: times have three decimals.
const ns = us => BigInt(Math.round(us * 1000))

function chrome() {
	const rows = new Map()
	for (const event of JSON.parse(bytes).traceEvents) {
		const key = `${event.pid}/${event.tid}`
		must('pid' in event && 'name' in event && 'MXi'.includes(event.ph), `not an event: ${JSON.stringify(event)}`)
		if (event.ph !== 'X') {
			if (event.ph === 'i')
				add(event.name, 1, 0)
			continue
		}
		const begin = ns(event.ts), end = begin + ns(event.dur)
		const open = rows.get(key) ?? rows.set(key, []).get(key)
		// What begins later lies in what is open, or behind it.
		while (open.length && (open.at(-1).end < begin || (open.at(-1).end === begin && end > begin)))
			open.pop()
		must(!open.length || open.at(-1).end >= end, `${event.name} at ${event.ts} overlaps with ${open.at(-1)?.name}`)
		add(event.name, 1, end - begin)
		if (open.length)
			add(open.at(-1).name, 0, begin - end)
		open.push({ name: event.name, end })
	}
}

// Version 47 of the processed format, by the names that its documentation has: each table its columns, of one length, with numbers of rows that
// there are.
const tables = {
	samples: ['stack', 'time', 'weight'],
	markers: ['name', 'startTime', 'endTime', 'phase', 'category', 'data'],
	stackTable: ['frame', 'prefix', 'category', 'subcategory'],
	frameTable: ['func', 'address', 'inlineDepth', 'category', 'subcategory', 'nativeSymbol', 'innerWindowID', 'implementation', 'line', 'column'],
	funcTable: ['name', 'isJS', 'relevantForJS', 'resource', 'fileName', 'lineNumber', 'columnNumber'],
	resourceTable: ['lib', 'name', 'host', 'type'],
	nativeSymbols: ['libIndex', 'address', 'name', 'functionSize'],
}

function firefox() {
	const profile = JSON.parse(bytes)
	const points = { samples: [['stack', 'stackTable']], markers: [['name', 'stringArray'], ['category', 'categories']],
		stackTable: [['frame', 'frameTable'], ['category', 'categories']], frameTable: [['func', 'funcTable']], funcTable: [['name', 'stringArray']] }

	must(profile.meta.preprocessedProfileVersion === 47 && profile.meta.categories.some(c => c.color === 'grey'), 'meta')
	must(['libs', 'pages', 'threads', 'counters'].every(key => Array.isArray(profile[key])), 'a list is missing')
	must(typeof profile.meta.startTime === 'number' && typeof profile.meta.interval === 'number', 'meta: numbers')
	for (const thread of profile.threads) {
		const size = { stringArray: thread.stringArray.length, categories: profile.meta.categories.length }
		must(typeof thread.pid === 'string' && typeof thread.tid === 'number' && typeof thread.name === 'string', 'a thread has no numbers')
		must(typeof thread.isMainThread === 'boolean' && thread.stringArray.every(s => typeof s === 'string'), 'a thread')
		for (const [name, columns] of Object.entries(tables)) {
			size[name] = thread[name].length
			for (const column of columns)
				must(thread[name][column]?.length === size[name], `${name}.${column} has not ${size[name]} rows`)
		}
		for (const [table, rows] of Object.entries(points))
			for (const [column, target] of rows)
				must(thread[table][column].every(i => Number.isInteger(i) && i >= 0 && i < size[target]), `${table}.${column} points nowhere`)
		thread.stackTable.prefix.forEach((prefix, i) => must(prefix === null || prefix < i, 'a stack stands in front of its caller'))
		const { samples, stackTable, frameTable, funcTable } = thread
		let last = -Infinity
		must(samples.weightType === 'tracing-ms', 'weights')
		samples.stack.forEach((stack, i) => {
			const begin = ns(samples.time[i] * 1000), weight = ns(samples.weight[i] * 1000)
			must(begin >= last, `sample ${i} overlaps`)
			last = begin + weight
			add(thread.stringArray[funcTable.name[frameTable.func[stackTable.frame[stack]]]], 0, weight)
		})
		thread.markers.name.forEach(name => add(thread.stringArray[name], 0, 0))
	}
}

({ pprof, speedscope, chrome, firefox })[format]()
for (const [name, sum] of sums)
	console.log(`${name}\t${sum.calls}\t${sum.self}`)
