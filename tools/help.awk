# `make help`: the Makefile's own comments. "name: prerequisites#   text" is a target, "NAME ?= value#   text" a variable.
/^[a-z][a-z0-9-]*:.*#  / {
	name = $0
	sub(/:.*/, "", name)
	sub(/^.*#  */, "")
	targets = targets sprintf("  %-18s %s\n", name, $0)
}
/^[A-Z_]+ \?=.*#  / {
	name = $1
	text = value = $0
	sub(/^[^=]*= */, "", value)
	sub(/#.*/, "", value)
	sub(/^.*#  */, "", text)
	variables = variables sprintf("  %-18s %s%s\n", name, text, value == "" || value ~ /\$/ ? "" : " (" value ")")
}
END {
	printf "Targets\n%s\nVariables, as in make PREFIX=$HOME/.local install\n%s", targets, variables
}
