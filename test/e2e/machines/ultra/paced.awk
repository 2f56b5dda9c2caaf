# How far apart sampling interrupts are, in instructions of the machine, each of which takes as long.
#   awk -v wanted=COUNT -v lines=MOST -f paced.awk SYMBOLS LOG
# SYMBOLS: the address of osProfileInterrupt, hexadecimal. LOG: a line for each instruction, as QEMU writes it. Ends after so many
# interrupts or lines, and prints how many there were, the mean distance and the longest one. An instruction that the emulator begins anew, as it
# does at some registers of devices, is one.
BEGIN { FS = "/" }

NR == FNR {
	interrupt = substr($1, length($1) - 7)
	next
}

FNR > lines {
	exit
}

/^Trace / {
	pc = substr($2, length($2) - 7)
	instructions += pc != before
	before = pc
	if (pc != interrupt)
		next
	if (++interrupts == 1)
		first = instructions
	else if (instructions - last > most)
		most = instructions - last
	last = instructions
	if (interrupts == wanted)
		exit
}

END {
	printf "%d %.2f %d\n", interrupts, (interrupts > 1 ? (last - first) / (interrupts - 1) : 0), most
}
