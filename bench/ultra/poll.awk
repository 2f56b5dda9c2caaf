# awk -v label=NAME -f poll.awk SYMBOLS LOG
#
# SYMBOLS: "ADDRESS SIZE NAME" of osProfilePoll, of main, which calls it, and of osProfileInterrupt. LOG: a line for each instruction, as QEMU
# writes it. Prints LABEL_poll_most: the most instructions from the first one of a call to main again. A call that was interrupted does not count.
function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

NR == FNR {
	low[$3] = hex(substr($1, length($1) - 7))
	high[$3] = low[$3] + hex($2)
	next
}

/^Trace / {
	split($0, part, "/")
	pc = hex(substr(part[2], length(part[2]) - 7))
	if (pc == low["osProfilePoll"]) {
		inside = 1
		count = 0
	}
	if (!inside)
		next
	if (pc == low["osProfileInterrupt"])
		inside = 0
	else if (pc >= low["main"] && pc < high["main"]) {
		most = count > most ? count : most
		sum += count
		calls++
		inside = 0
	} else
		count++
}

END {
	if (!calls)
		exit 1
	printf "%s_poll_most %d\n%s_poll_mean %.1f\n", label, most, label, sum / calls
}
