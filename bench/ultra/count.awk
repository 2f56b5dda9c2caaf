# How many instructions sampling interrupts took, from the first of osProfileInterrupt through the one that returns from it.
#   awk -v label=LABEL -v wanted=COUNT -f count.awk SYMBOLS LOG
# SYMBOLS: address and size, hexadecimal, of the functions that are the interrupt; the first one is where it begins. LOG: a line for each
# instruction, as QEMU writes it. Ends after so many interrupts, and prints LABEL_least, LABEL_mean, LABEL_most.
function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

NR == FNR {
	low[NR] = hex(substr($1, length($1) - 7))
	high[NR] = low[NR] + hex($2)
	functions = NR
	next
}

/^Trace / {
	split($0, part, "/")
	pc = hex(substr(part[2], length(part[2]) - 7))
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
