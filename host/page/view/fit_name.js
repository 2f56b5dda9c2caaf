/* Cuts names of functions to a number of letters by their parts, in the order of reports (util/fit_name.h): arguments of templates,
 * parameters, outer namespaces, notes of compilers. The last part stays while it fits. */

/* In the order in which parts go. */
const partKinds = ['arguments', 'parameters', 'outer', 'note']
const partLeast = 3

/* The parts of a name that may go: [{ from, to, kind }], in order of from; a part stands before those within it. */
function nameParts(name) {
	const parts = [], open = [], outers = []
	let isOperator = false
	const add = (from, to, kind) => { if (to >= from + partLeast) parts.push({ from, to, kind, out: false }) }
	const close = (from, to) => {
		const inside = name.slice(from, to)
		if (name[to] === '>')
			add(from, to, 'arguments')
		else if (name[to] === ')' && open.every(({ by }) => by === '}') && !/^(\*|anonymous )/.test(inside)) /* Go's receivers of methods are types */
			add(from, from + inside.replace(/\+0x[0-9a-f]+$/i, '').length, 'parameters')
		else if (name[to] === ']' && !open.length && name[from - 2] === ' ')
			add(from - 2, to + 1, 'note')
	}
	for (let at = 0; at < name.length;) {
		const operator = /^operator(?![\w$.])(\(\)|\[\]|[<>=\-!+*/%^&|~,]*)/.exec(name.startsWith('operator', at) ? name.slice(at, at + 16) : '')
		const letter = name[at]
		if (operator && !/[\w$.]/.test(name[at - 1] ?? ' ')) {
			isOperator ||= !open.length
			at += operator[0].length
			continue
		}
		if (name.startsWith('->', at)) {
			at += 2
			continue
		}
		const isOuter = name.startsWith('::', at) || (letter === '/' && !name.slice(0, at).includes(' '))
		if (isOuter && !open.length && !isOperator)
			outers.push(at)
		if ('<([{'.includes(letter)) {
			open.push({ at, by: '>)]}'['<([{'.indexOf(letter)] })
		} else if ('>)]}'.includes(letter)) {
			if (open.at(-1)?.by !== letter)
				return sortParts(parts)
			close(open.pop().at + 1, at)
		}
		at += letter === ':' && isOuter ? 2 : 1
	}
	/* What means nothing alone, such as an operator or a closure, keeps the part before it. */
	while (outers.length && /^::([{(<$]|operator)/.test(name.slice(outers.at(-1), outers.at(-1) + 10)))
		outers.pop()
	for (const to of open.length ? [] : outers)
		add(0, to, 'outer')
	return sortParts(parts)
}

function sortParts(parts) { return parts.sort((a, b) => a.from - b.from || b.to - a.to) }

function withoutParts(name, parts) {
	let text = '', at = 0
	for (const part of parts) {
		if (!part.out || part.from < at)
			continue
		text += `${name.slice(at, part.from)}…`
		at = part.to
	}
	return text + name.slice(at)
}

/* Parameters tell overloads apart, most often by their last words: those that fit stay. */
function giveBack(name, parts, part, limit) {
	let depth = 0, kept = part.to
	for (let at = part.to - 1; at >= Math.max(part.from + partLeast, kept - 4 * limit); at--) {
		depth += '>)]}'.includes(name[at]) ? 1 : '<([{'.includes(name[at]) ? -1 : 0
		if (depth || !(name[at] === ',' || (name[at - 1] === ':' && name[at] !== ':') || (name[at - 1] === ' ' && name[at - 2] !== ',')))
			continue
		part.to = at
		if (withoutParts(name, parts).length > limit)
			break
		kept = at
	}
	part.to = kept
}

/* Names that were cut, since a picture has the same ones again when it moves. */
const fitted = new Map()
const fittedMost = 20000

function fitName(name, limit) {
	if (name.length <= limit)
		return name
	const key = `${limit} ${name}`
	let text = fitted.get(key)
	if (text === undefined) {
		if (fitted.size >= fittedMost)
			fitted.clear()
		text = cutName(name, limit)
		fitted.set(key, text)
	}
	return text
}

function cutName(name, limit) {
	const parts = nameParts(name.slice(0, 4000))
	let text = name
	for (const kind of partKinds) {
		const some = parts.filter(part => part.kind === kind)
		some.sort((a, b) => (kind === 'outer' ? 1 : -1) * (a.to - a.from - b.to + b.from))
		for (const part of some) {
			if (text.length <= limit)
				return text
			part.out = true
			text = withoutParts(name, parts)
			if (kind === 'parameters' && text.length < limit) {
				giveBack(name, parts, part, limit)
				text = withoutParts(name, parts)
			}
		}
	}
	const head = Math.floor(limit / 2)
	/* One mark is enough where parts were cut out already. */
	return text.length <= limit ? text : `${text.slice(0, head).replace(/…+$/, '')}…${text.slice(text.length - (limit - head - 1)).replace(/^…+/, '')}`
}

/* A name in the line of text above a canvas. The line has a fixed height, so that the canvas stays under the pointer; the panel has
 * the whole name. */
function nameInStatus(name) { return fitName(visible(name), 80) }
