// node json_keys.mjs DOCUMENT FILE ...: each key that is in the files (dwell export --to json) is in doc/json.md, with its type or unit, and each of
// the document is in a file. Prints what is not so.
import { readFileSync } from 'node:fs'

const [document, ...files] = process.argv.slice(2)
const sections = { 'The whole': '', Tables: 'table' }
const said = new Map()
let section = null
let columns = []
for (const line of readFileSync(document, 'utf8').split('\n')) {
	if (line.startsWith('## ')) {
		section = sections[line.slice(3)] ?? line.slice(3)
		columns = []
	}
	const cells = line.split('|').slice(1, -1).map(cell => cell.trim())
	if (cells[0] === 'key')
		columns = cells
	else if (columns.length && /^`\w+`$/.test(cells[0]))
		said.set(`${section}.${cells[0].slice(1, -1)}`, Object.fromEntries(columns.map((column, i) => [column, cells[i]])))
	else if (!cells.length)
		columns = []
}

const typeOf = value => value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value === 'boolean' ? 'flag'
	: typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'real') : typeof value === 'string' ? 'text' : 'object'
const fits = (types, value) => types.replace('list of objects', 'list').split(' or ').some(type => type === typeOf(value) ||
	(type === 'real' && typeOf(value) === 'integer') || (type === 'address' && /^0x[0-9a-f]+$/.test(value)))

const found = new Set()
const wrong = new Set()
function look(place, key, value, file) {
	const row = said.get(`${place}.${key}`)
	found.add(`${place}.${key}`)
	if (!row?.meaning)
		wrong.add(`${file}: ${place}.${key} is not in ${document}, or nothing is said of it`)
	else if (row?.type && !fits(row.type, value))
		wrong.add(`${file}: ${place}.${key} is ${JSON.stringify(value)}, said to be: ${row.type}`)
	return row
}
const walk = (place, object, file) => {
	for (const [key, value] of Object.entries(object)) {
		const inner = place ? `${place}.${key}` : key
		look(place, key, value, file)
		if (place === '' && key !== 'info')
			continue
		if (Array.isArray(value))
			value.forEach(each => walk(`${inner}[]`, each, file))
		else if (value && typeof value === 'object')
			walk(inner, value, file)
	}
}
const types = { name: 'text', text: 'text', count: 'integer', ns: 'integer', percent: 'real', depth: 'integer', address: 'address' }
for (const file of files) {
	const whole = JSON.parse(readFileSync(file, 'utf8'))
	walk('', whole, file)
	for (const name of ['report', 'tree']) {
		const units = {}
		for (const key in whole[name])
			look('table', key, whole[name][key], file)
		for (const column of whole[name].columns) {
			const row = look(`${name}.rows[]`, column.key, undefined, file)
			for (const key in column)
				look('columns[]', key, column[key], file)
			units[column.key] = column.unit
			if (row && !row.unit.split(' or ').includes(column.unit))
				wrong.add(`${file}: ${name}.${column.key} has the unit ${column.unit}, said to be: ${row.unit}`)
		}
		for (const row of whole[name].rows)
			for (const key in row)
				if (!(key in units) || (row[key] !== null && !fits(types[units[key]], row[key])))
					wrong.add(`${file}: ${name}: ${key} is ${JSON.stringify(row[key])}, and its unit ${units[key]}`)
	}
}
for (const key of said.keys())
	if (!found.has(key))
		wrong.add(`${document}: ${key} is in no file`)
for (const text of wrong)
	console.log(text)
process.exitCode = wrong.size || !found.size ? 1 : 0
