// What readers that are not ours make of exported files: one line for each function, "name\tcalls\tself", as the file says.
//
//     node check.mjs pprof|speedscope FILE
//
//     node check.mjs speedscope FILE profiles    of each profile in it: "profile's name\tfunction\tself"
//
// Status 1 and a line on standard error where the file is not as its format wants it.
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'

// Packages are where the test installed them.
const require = createRequire(path.join(process.cwd(), 'index.js'))
const [format, file, profiles] = process.argv.slice(2)
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

function speedscope() {
	const Ajv = require('ajv')
	const schema = fs.readFileSync(
		fs.readdirSync('node_modules/speedscope/dist/release').filter(n => /schema.*json/.test(n)).map(n => `node_modules/speedscope/dist/release/${n}`)[0])
	const validate = new Ajv({ strict: false }).compile(JSON.parse(schema))
	const data = JSON.parse(bytes)

	must(validate(data), JSON.stringify(validate.errors))
	for (const profile of data.profiles) {
		let sum = 0
		must(profile.weights.length === profile.samples.length, 'weights are not as many as samples')
		profile.samples.forEach((stack, i) => {
			must(stack.every(frame => frame in data.shared.frames), 'a frame is missing')
			add(`${profiles ? `${profile.name}\t` : ''}${data.shared.frames[stack.at(-1)].name}`, 0, profile.weights[i])
			sum += profile.weights[i]
		})
		must(profile.startValue === 0 && profile.endValue === sum, 'the end is not the sum')
		if (!profiles)
			break // of all threads
	}
}

({ pprof, speedscope })[format]()
for (const [name, sum] of sums)
	console.log(profiles ? `${name}\t${sum.self}` : `${name}\t${sum.calls}\t${sum.self}`)
