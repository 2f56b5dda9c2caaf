# How many instructions sampling interrupts took, from the first of osProfileInterrupt through the one that returns from it.
#   awk -v label=LABEL -v wanted=COUNT -f count.awk SYMBOLS LOG
# SYMBOLS: address and size, hexadecimal, of the functions that are the interrupt; the first one is where it begins. LOG: a line for each
# instruction, as QEMU writes it. Ends after so many interrupts, and prints LABEL_least, LABEL_mean, LABEL_most. Addresses are compared as they are
# written, eight digits each.
BEGIN { FS = "/" }

function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

NR == FNR {
	split($0, symbol, " ")
	low[NR] = substr(symbol[1], length(symbol[1]) - 7)
	high[NR] = sprintf("%08x", hex(low[NR]) + hex(symbol[2]))
	functions = NR
	next
}

/^Trace / {
	pc = substr($2, length($2) - 7)
	if (pc == low[1])
		inside = 1
	if (!inside)
		next
	for (i = 1; i <= functions; i++)
		if (pc >= low[i] && pc < high[i]) {
			count++
			next
		}
	sum += count
	most = count > most ? count : most
	least = !interrupts || count < least ? count : least
	count = inside = 0
	if (++interrupts == wanted)
		exit
}

END {
	if (!interrupts)
		exit 1
	printf "%s_least %d\n%s_mean %.1f\n%s_most %d\n", label, least, label, sum / interrupts, label, most
}
