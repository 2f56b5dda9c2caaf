# awk -v label=NAME -f poll.awk SYMBOLS LOG
#
# SYMBOLS: "ADDRESS SIZE NAME" of osProfilePoll, of main, which calls it, and of osProfileInterrupt. LOG: a line for each instruction, as QEMU
# writes it. Prints LABEL_poll_most: the most instructions from the first one of a call to main again. A call that was interrupted does not count.
# Addresses are compared as they are written, eight digits each.
BEGIN { FS = "/" }

function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

NR == FNR {
	split($0, symbol, " ")
	low[symbol[3]] = substr(symbol[1], length(symbol[1]) - 7)
	high[symbol[3]] = sprintf("%08x", hex(low[symbol[3]]) + hex(symbol[2]))
	next
}

/^Trace / {
	pc = substr($2, length($2) - 7)
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
