# Are the records of delays.c what they must be? One by one: what happened is possible there, times never go back, tasks leave that run, and
# for each task its calls are those that it counted, and its time is that of the kernel's ticks.
#   awk -v circular=0 -f check.awk SYMBOLS PRINTED RECORDS
# SYMBOLS: address and name. PRINTED: what the program said. RECORDS: three decimal numbers a line, oldest first.
function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

function complain(what) {
	if (++wrong <= 20)
		printf "record %d (%.0f, %.0f): %s\n", records, $1, time, what
}

BEGIN { CONVFMT = "%.0f" } # addresses are beyond what some awks print as whole numbers

FNR == 1 { file++ }
file == 1 { name[hex($1)] = $2; next }
file == 2 && $1 == "task" { said[$3, hex($2)] = $4; tasks[hex($2)] = $2 }
file == 2 && $1 == "period" { period = $2 }
file == 2 && $1 == "records" { all = $2 }
file == 2 { next }

{
	records++
	time = $3 * 4294967296 + $2
	type = $1 % 4
	place = $1 - type
	if (records > 1 && time < before)
		complain("time goes back")
	if (leaving && (type != 2 || time != before))
		complain("nobody comes")
	if (type == 3) {
		if (known && place != running)
			complain("another task leaves: " running " runs")
		if (known)
			own[place] += time - since
		leaving = 1
	} else if (type == 2) {
		if (!leaving && records > 1)
			complain("nobody left")
		if (!(place in tasks))
			complain("no such task")
		leaving = 0
		known = 1
		running = place
		since = time
		switches++
	} else if (!(place in name)) {
		complain("no such function")
	} else if (type == 0) {
		nested += name[place] == "nested_interrupt" && stack[running, depth[running]] == "tick_interrupt"
		stack[running, ++depth[running]] = name[place]
		entries[running, name[place]]++
	} else {
		exits[running, name[place]]++
		if (depth[running])
			if (stack[running, depth[running]--] != name[place])
				complain("leaves " name[place] " within " stack[running, depth[running] + 1])
			else
				;
		else if (!circular)
			complain("leaves what it did not enter")
	}
	before = time
}

END {
	for (task in tasks) {
		if (circular)
			continue
		ticks = said["ticks", task]
		begun = entries[task, "delay"] - said["begun", task]
		done = said["done", task] - exits[task, "delay"]
		if (task == running) # up to the last tick, which is counted and recorded last
			own[task] += before - since
		printf "task %s: %.0f counts, %d ticks of %d; %d calls\n", tasks[task], own[task], ticks, period, entries[task, "delay"]
		if (own[task] < (ticks - 1) * period || own[task] > (ticks + 1) * period)
			complain("its time is not that of its ticks")
		if (begun < 0 || begun > 1 || done < 0 || done > 1 || said["done", task] < 100)
			complain("calls: " begun ", " done)
		everything += own[task]
	}
	printf "%d records, %d switches, %d nested, %d wrong\n", records, switches, nested, wrong
	exit wrong || switches < (circular ? 20 : 299) || nested < (circular ? 20 : 299) || (!circular && records != all)
}
