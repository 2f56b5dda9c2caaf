#!/bin/bash
# large.sh PROGRAM MEGABYTES [CC]: a program of that size at least, nearly all of it debug information: copies of one object whose
# functions all have other names.
set -eu
program=$1 megabytes=$2 cc=${3:-gcc} folder=$1.parts
mkdir -p "$folder"
awk -v n=1000 'BEGIN {
	print "struct point { long x, y; struct point *next; };"
	print "static inline long mix(long a, long b) { long c = a * 31 + b; if (c & 1) c ^= a >> 3; else c += b << 2; return c; }"
	print "static inline long turn(struct point *p, long k)"
	print "{\n\tlong s = mix(p->x, k), t = mix(p->y, s);\n\tp->x = t;\n\tp->y = s;\n\treturn mix(s, t);\n}"
	for (i = 0; i < n; i++) {
		printf "long work_%d(struct point *p, long k)\n{\n\tlong sum = k;\n\tfor (long i = 0; i < k; i++)\n", i
		printf "\t\tsum += turn(p, i + %d);\n\tif (sum > %d)\n\t\tsum -= turn(p, sum);\n\treturn sum;\n}\n", i, i * 7
	}
}' > "$folder/part.c"
$cc -O1 -g -c "$folder/part.c" -o "$folder/part.o"
echo 'int main(void) { return 0; }' | $cc -g -x c -c - -o "$folder/main.o"
for ((copies = megabytes; ; copies += megabytes / 4 + 1)); do
	for ((i = 0; i < copies; i++)); do
		[ -s "$folder/$i.o" ] || objcopy --prefix-symbols="unit_${i}_" "$folder/part.o" "$folder/$i.o"
	done
	$cc "$folder/main.o" "$folder"/[0-9]*.o -o "$program"
	[ "$(stat -c %s "$program")" -lt $((megabytes * 1000000)) ] || break
done
rm -rf "$folder"
