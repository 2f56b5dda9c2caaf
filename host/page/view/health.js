/* The box above all views: what the recording is, and what is missing in it. */

function factList(pairs) {
	const list = make('dl', { class: 'facts' })
	for (const [term, value, wide] of pairs)
		if (value !== null && value !== undefined && value !== '')
			list.append(make('div', { class: wide ? 'wide' : null }, make('dt', {}, term), make('dd', {}, value)))
	return list
}

function programOf(data) {
	const process = data.info.processes[0]
	return process ? visible(process.command_line || process.path) : visible(data.file)
}

function describeKind(data) {
	return { trace: 'each call', samples: 'samples', sums: 'sums of another tool', untimed: 'each call, without times' }[data.kind]
}

/* How wrong figures may be. For samples: half of the widest interval of any share. */
function describeError(data) {
	if (data.kind !== 'samples')
		return data.kind !== 'trace' ? null : data.info.health.all_is_well ? 'none: each call was seen; p50 and p99 within 3 %' : 'see the notes below; p50 and p99 within 3 %'
	const at = ['self_percent', 'self_low', 'self_high'].map(key => columnOf(data.whole.functions, key))
	let most = 0
	for (const row of data.whole.functions.rows)
		if (at.every(i => i >= 0 && plain(row[i]) !== null))
			most = Math.max(most, (plain(row[at[2]]) - plain(row[at[1]])) / 2)
	return `shares ± ${most.toFixed(2)} pp at the most, in 95 of 100 runs`
}

function describeOverhead(data) {
	if (data.overhead) {
		const { inner, outer, measurements } = data.overhead
		const part = ([middle, low, high]) => `${middle.toFixed(0)} ${data.unit} (${low.toFixed(0)} to ${high.toFixed(0)})`
		return `recording cost ${part(inner)} in each call and ${part(outer)} in its caller, measured ${measurements === 1 ? 'once' : `${formatCount(measurements)} times`}; ${data.is_net ? 'the sums here are without it, single calls as recorded' : 'it is in all times here'}`
	}
	const said = data.info.facts.filter(fact => /overhead|cost/.test(fact.key)).map(fact => `${visible(fact.key)}: ${visible(fact.value)}`)
	return said.length ? said.join('; ') : data.kind === 'trace' || data.kind === 'samples' ? 'not measured in this recording' : null
}

/* As the head of dwell report counts them: "(outside)" is a row, and no function. */
function countFunctions(data) {
	const { functions } = data.whole, name = columnOf(functions, 'function')
	return functions.rows.filter(row => typeof row[name] === 'number').length
}

/* How long the recording lasted. For calls, from the first event of any thread to the last, as in dwell report; otherwise the
 * duration that dwell info has, which for samples is the time of sampling. */
function lasted(data) {
	const threads = data.threads.filter(thread => thread.first_ns !== undefined)
	if (data.kind !== 'trace' || !threads.length)
		return data.info.recording.duration_ns
	const most = (pick, value) => threads.reduce((found, thread) => pick(found, value(thread)), value(threads[0]))
	return most(Math.max, thread => thread.last_ns) - most(Math.min, thread => thread.first_ns)
}

/* A tree that was cut misses no time: the table has all, and the tree says where its paths end. "the tree has paths for 39 % of the
 * calls"; null: it has all paths. */
function describeCutTree(data) {
	if (!data.folded_calls)
		return null
	const { tree } = data.whole, others = [...tree.others.keys()], sum = column => column.reduce((all, value) => all + value, 0)
	const counts = data.kind === 'trace' || data.kind === 'untimed'
	const [all, missing] = counts ? [data.calls.count, data.folded_calls] : [sum(tree.wall.self), sum(others.map(i => tree.wall.self[i]))]
	return `the tree has paths for ${Math.floor(100 * (1 - Math.min(1, missing / (all || 1))))} % of the ${counts ? 'calls' : data.kind === 'samples' ? 'samples' : 'total'}`
}

/* side: "Old" or "New" in a comparison; null: there is one recording. */
function healthOf(data, side) {
	const recording = data.info.recording, time = lasted(data)
	const isLost = item => item.is_loss && item.key !== 'folded_calls'
	const lost = data.health.filter(isLost), notes = data.health.filter(item => !isLost(item)), inHead = notes.filter(item => item.is_in_head), cutTree = describeCutTree(data)
	const cut = data.info.health.cut || data.info.health.no_end
	const sampling = data.info.sampling
	const calls = data.calls.count
	const losses = [['lost_events', 'events'], ['lost_unplaced', 'events nobody knows where'], ['lost_samples', 'samples'], ['unrecorded_events', 'events of threads without memory']]
		.filter(([key]) => data.info.health[key]).map(([key, what]) => `${formatCount(data.info.health[key])} ${what}`)

	/* The box shows one line, with the notes that a report has in its head. The rest is open at first if something is missing and the window is wide. */
	const first = ([{ what }, ...others]) => `${visible(what).replace(/[;:] .*/, '')}${others.length ? ' …' : ''}`
	const said = lost.length ? `Lost or damaged: ${first(lost)}` : cutTree ? `Nothing was lost; ${cutTree}` : inHead.length ? `Nothing was lost; ${formatCountOf(inHead.length, 'notes')}: ${first(inHead)}` : 'Complete: nothing was lost, cut or damaged'
	const verdict = make('span', { class: 'verdict' }, side && make('span', { class: 'side' }, side), make('span', { class: 'sign', 'aria-hidden': 'true' }, lost.length ? '[!]' : '[ok]'), said)
	const waits = data.waiting_percent ? `${data.waiting_percent.toFixed(0)} % of all time is waiting${side ? '' : ', which Wall shows'}` : null
	const short = [waits, data.snapshot_reason ? `snapshot, too slow: ${visible(data.snapshot_reason)}` : null, describeKind(data), time ? formatTime(time, data.timeUnit) : null, calls && data.kind !== 'samples' ? formatCountOf(calls, 'calls') : null,
		sampling ? formatCountOf(sampling.samples, 'samples') : null, data.info.threads.length ? formatCountOf(data.info.threads.length, 'threads') : null, formatCountOf(countFunctions(data), 'functions')]
	const whole = make('details', { open: lost.length > 0 && window.innerWidth > narrowWidth }, make('summary', {}, verdict, ' ', make('span', { class: 'soft' }, short.filter(Boolean).join(' · '))))
	whole.append(factList([
		['File', side ? visible(data.file) : null, true],
		['Recorded', recording.start_unix_ns ? new Date(recording.start_unix_ns / 1e6).toLocaleString('en-GB') : null, true],
		['What', describeKind(data)],
		['Duration', time ? formatTime(time, data.timeUnit) : null],
		['Calls', calls && data.kind !== 'samples' ? formatCount(calls) : null],
		['Samples', sampling ? formatCount(sampling.samples) : null],
		['Rate', sampling?.got_hz ? `${sampling.got_hz.toFixed(0)} a second` : null],
		['Threads', data.info.threads.length ? formatCount(data.info.threads.length) : null],
		['Functions', formatCount(countFunctions(data))],
		['Lost', data.kind === 'sums' ? null : losses.join(', ') || (cut ? 'not known: it is cut' : 'nothing')],
		['Cut', cut ? 'yes' : recording.events || sampling ? 'no' : null],
		['Overhead', describeOverhead(data), true],
		['Error', describeError(data), true],
	]))
	const list = make('ul')
	for (const item of lost)
		list.append(make('li', { class: 'lost' }, visible(item.what)))
	for (const item of notes)
		list.append(make('li', {}, visible(item.what)))
	if (list.children.length)
		whole.append(list)
	const more = data.summary.replace(/(\d) us\b/g, '$1 µs').split('\n').filter(line => line.trim())
	whole.append(make('details', {}, make('summary', {}, 'How it adds up'), make('pre', {}, more.map(visible).join('\n'))))
	return make('section', { class: `health ${lost.length ? 'warn' : 'well'}`, 'aria-label': `Health of the ${side ? `${side.toLowerCase()} ` : ''}recording` }, whole)
}
