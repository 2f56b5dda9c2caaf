# A day's use of awk, of what gawk and mawk have in common. Always prints the same.
function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2) }
function sort(list, n,    i, j, t) {
	for (i = 2; i <= n; i++) {
		t = list[i]
		for (j = i - 1; j > 0 && list[j] > t; j--)
			list[j + 1] = list[j]
		list[j + 1] = t
	}
}
BEGIN {
	printf "%d %s %5.2f %x %o %e %c|%-6s|%6s\n", fib(17), "text", 3.14159, 255, 8, 12345.678, 65, "left", "right"
	for (i = 1; i <= 300; i++)
		numbers[i] = (i * 7919) % 1009
	sort(numbers, 300)
	for (i = 1; i <= 300; i += 37)
		printf "%s ", numbers[i]
	print ""
	n = split("a:b::c:d", part, ":")
	print n, part[1], part[5], length(part[3])
	s = "the rain in spain"
	print gsub(/ai/, "<&>", s), s, toupper(s), substr(s, 5, 6), index(s, "in"), match(s, /s[^ ]*/), RSTART, RLENGTH
	while (("seq 5" | getline line) > 0)
		sum += line
	close("seq 5")
	print sum
	print "c\nb\na" | "sort"
	close("sort")
	print sin(1), cos(1), atan2(1, 2), exp(1), log(10), sqrt(2), int(-3.7)
	print 1e300 * 1e300, -log(0), substr("hello", 0, 3), "a" < "b", 10 < 9, "10" < "9"
	OFMT = "%.3f"
	print 3.14159265
	delete part
	for (i in part)
		print "not empty"
}
{
	for (i = 1; i <= NF; i++) {
		word = tolower($i)
		gsub(/[^a-z_]/, "", word)
		if (length(word))
			count[word]++
	}
	lengths += length($0)
	fields += NF
}
/\/\*/, /\*\// { comments++ }
END {
	for (word in count)
		if (count[word] >= 40)
			print count[word], word | "sort -k1,1nr -k2"
	close("sort -k1,1nr -k2")
	print NR, fields, lengths, comments
	exit 7
}
