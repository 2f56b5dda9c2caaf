#!/bin/bash
# The table of make coverage, of two rooms whose lines can be counted by hand.
: "${ROOT:=$(pwd)}"
command -v python3 > /dev/null && command -v gcov > /dev/null || { echo "no python3 or no gcov"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/dwell-coverage.XXXXXX")
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
mkdir -p host/one core build/obj/host/one build/obj/core build/{again,zero}/core
cat > host/one/half.c <<'END'
int by_unit(int x);
int by_other(int x);
int by_both(int x);
int by_none(int x);
int by_unit(int x) { return x; }
int by_both(int x) { return x; }
int by_none(int x) { return x; }
int by_other(int x) {
	return x; }
END
# One file in three objects, one of which is linked.
echo 'int twice(int x); int twice(int x) { return 2 * x; }' > core/twice.c
cat > main.c <<'END'
int by_unit(int), by_other(int), by_both(int), twice(int);
int main(int count, char **words)
{
	(void)words;
	return count > 1 ? by_other(1) - by_both(1) : by_unit(2) - twice(by_both(1));
}
END
flags='-O0 --coverage'
gcc $flags -c host/one/half.c -o build/obj/host/one/half.o && gcc $flags -c core/twice.c -o build/obj/core/twice.o &&
	gcc $flags -c core/twice.c -o build/again/core/twice.o && gcc $flags -c core/twice.c -o build/zero/core/twice.o &&
	gcc --coverage main.c build/obj/host/one/half.o build/obj/core/twice.o -o build/program || exit 1
export GCOV_PREFIX_STRIP
GCOV_PREFIX_STRIP=$(echo "$work/build" | tr -cd / | wc -c)
GCOV_PREFIX=$work/ran-unit build/program && GCOV_PREFIX=$work/ran-others build/program others || exit 1
"$ROOT"/tools/coverage.py build ran-unit ran-others > table || exit 1
diff table - << 'END'
room                   lines    unit  others    none   functions    unit  others    none
core                       1 100.0 %   0.0 %   0.0 %           1 100.0 %   0.0 %   0.0 %
host/one                   5  40.0 %  40.0 %  20.0 %           4  50.0 %  25.0 %  25.0 %
all                        6  50.0 %  33.3 %  16.7 %           5  60.0 %  20.0 %  20.0 %
unit: unit tests run it; others: only command lines or end-to-end tests do; none: no test does
END
