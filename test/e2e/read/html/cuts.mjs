// How the page cuts names: node cuts.mjs FILE CASES, lines CASE(letters, "name", "as it is cut"). Prints these, and what fitName() makes of the name.
import fs from 'node:fs'

const [file, cases] = process.argv.slice(2)
const fitName = new Function(`${fs.readFileSync(file, 'utf8')}\nreturn fitName`)()

for (const [, letters, name, cut] of fs.readFileSync(cases, 'utf8').matchAll(/^CASE\((\d+), "(.*)", "(.*)"\)$/gm))
	console.log([letters, name, cut, fitName(name, +letters)].join('\t'))
