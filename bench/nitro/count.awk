# How many instructions calls took, from a function's first one through its return, those of what it calls included.
#   awk -v labels="LABEL ..." -f count.awk SYMBOLS LOG
# SYMBOLS: address and name of leaf functions, of the two hooks, of the switch. LOG: a line for each instruction, as QEMU writes it. There is a label for each
# pair of calls of leaf_arm and leaf_thumb, and for each switch, in their order. Prints LABEL_STATE_entry, _exit; and LABEL of a switch.
BEGIN { split(labels, label, " ") }

function hex(text,    i, value) {
	for (i = 1; i <= length(text); i++)
		value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
	return value
}

function said(what, number) {
	print what, number
}

NR == FNR { name[hex($1)] = $2; next }

/^Trace / {
	split($0, part, "/")
	pc = hex(part[2])
	if (hook != "" && pc == hook_back) {
		if (hook == "OS_SwitchProfile")
			said(label[++at], hooked)
		else
			said(label[at] "_" state "_" (hook == "__PROFILE_ENTRY" ? "entry" : "exit"), hooked)
		hook = ""
	}
	if (leaf && hook == "" && pc == leaf_back) {
		leaf = 0
	}
	if (hook == "" && (pc in name)) {
		if (name[pc] ~ /^leaf_/) {
			leaf = 1
			state = substr(name[pc], 6)
			at += state == "arm"
			leaf_back = before + 4
		} else {
			hook = name[pc]
			hook_back = before + 4
			hooked = 0
		}
	}
	if (hook != "")
		hooked++
	before = pc
}
