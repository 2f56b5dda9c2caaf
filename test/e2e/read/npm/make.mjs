// A profile of pprof, as a library of others writes it, to standard output: main calls work, 1 ms and 3 ms.
import { createRequire } from 'node:module'
import path from 'node:path'
import zlib from 'node:zlib'

const require = createRequire(path.join(process.cwd(), 'index.js'))
const { Function, Line, Location, Profile, Sample, StringTable, ValueType } = require('pprof-format')
const strings = new StringTable()
const text = value => strings.dedup(value)
const names = ['main', 'work']

const profile = new Profile({
	sampleType: [new ValueType({ type: text('cpu'), unit: text('microseconds') })],
	sample: [
		new Sample({ locationId: [1], value: [1000] }),
		new Sample({ locationId: [2, 1], value: [3000] }),
	],
	location: names.map((_, i) => new Location({ id: i + 1, line: [new Line({ functionId: i + 1, line: 5 })] })),
	function: names.map((name, i) => new Function({ id: i + 1, name: text(name), systemName: text(name) })),
	stringTable: strings,
})
process.stdout.write(zlib.gzipSync(profile.encode()))
