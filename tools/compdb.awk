# `make compdb`: the commands of `make -n V=1` as compile_commands.json, for clangd, clang-tidy and editors. A file that is compiled in
# several ways has an entry for each; clangd takes the first, which is the host tool's or the agent's.
function quote(text) {
	gsub(/\\/, "\\\\", text)
	gsub(/"/, "\\\"", text)
	return "\"" text "\""
}
function print_entry(command, source, output) {
	printf "%s\n{\"directory\": %s, \"file\": %s, \"output\": %s, \"command\": %s}", count++ ? "," : "[", quote(FOLDER), quote(source),
		quote(output), quote(command)
}
{
	gsub(/\t/, " ")
}
# A recipe may have several lines.
sub(/\\$/, "") {
	command = command $0
	next
}
{
	command = command $0
	if (LEAVE_OUT != "")
		sub(" " LEAVE_OUT, "", command)
	source = output = ""
	words = split(command, word, / +/)
	for (i = 2; i <= words; i++) {
		if (word[i] ~ /^[^-'"].*\.c$/)
			source = word[i]
		if (word[i - 1] == "-o")
			output = word[i]
	}
	if (source != "" && output != "")
		print_entry(command, source, output)
	command = ""
}
END {
	print count ? "\n]" : "[]"
}
