# How many instructions calls took, from a function's first one through its return, those of what it calls included.
#   awk -v bytes=4 -f count.awk SYMBOLS LOG
# SYMBOLS: address and name of the functions that count. LOG: a line for each instruction, as QEMU writes it. bytes: of a call instruction.
# Prints NAME COUNT for each call, in their order.
BEGIN { CONVFMT = "%.0f" } # addresses are beyond what some awks print as whole numbers

function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

NR == FNR { name[hex($1)] = $2; next }

/^Trace / {
	split($0, part, "/")
	pc = hex(part[2])
	if (inside != "" && pc == back) {
		print inside, count
		inside = ""
	}
	if (inside == "" && (pc in name)) {
		inside = name[pc]
		back = before + bytes
		count = 0
	}
	count++
	before = pc
}
