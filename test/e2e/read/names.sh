#!/bin/bash
# Names of what was recorded: of functions in files that have none, and of files that are gone by the time of the report.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample

if ! compile shares shares.c; then
	echo "Bail out! no compiler"
	exit 1
fi
record one ./shares 20000
if grep -q "perf" one.err; then
	skip "samples" "$(head -1 one.err)"
	done_testing
	exit 0
fi

# places PROGRAM: "name address" of its functions
places()
{
	nm "$1" | awk '$2 ~ /^[tTwW]$/ { sub(/^0*/, "", $1); print $3, "0x" $1 }'
}

# Each function of the stripped program is one row, under the address where it begins; its share is the one it has by its name.
stripped()
{
	places shares > shares.places
	strip -s -o bare shares
	record bare ./bare 20000
	report_csv bare
	for pair in share_74:74 share_20:20; do
		at=$(awk -v name="${pair%:*}" '$1 == name { print $2 }' shares.places)
		found=$(columns bare.csv function self_percent | awk -F '\t' -v name="bare+$at" '$1 == name { print $2 }')
		echo "${pair%:*} at $at: $found %"
		awk -v f="$found" -v t="${pair#*:}" 'BEGIN { exit !(f > t - 7 && f < t + 7) }' || fail "share" "$(cat bare.csv)"
	done
	# No row in the middle of a function, but for what the compiler puts around main: no table says where that begins, and a sample may be in it.
	columns bare.csv function | sed -n 's/^bare+//p' | while read -r at; do
		best=0 in=
		while read -r name begin; do
			[ $((begin)) -gt $((at)) ] || [ $((begin)) -le $best ] || best=$((begin)) in=$name
		done < shares.places
		case $in in
		_init | _fini | deregister_tm_clones | register_tm_clones | __do_global_dtors_aux | frame_dummy) ;;
		*) [ $best = $((at)) ] || fail "nothing begins at $at, which is in $in" "$(cat bare.csv)" ;;
		esac
	done
	at=$(awk '$1 == "share_74" { print $2 }' shares.places)
	dwell report --split "bare+$at" --csv bare.dwell | awk -F , 'NR > 1 { rows++ } END { exit rows < 5 }' || fail "--split"
	dwell symbols bare --csv > symbols.csv || fail "dwell symbols"
	size=$(nm -S shares | awk '$4 == "share_74" { print $2 }')
	columns symbols.csv name size | grep -qx "bare+$at	$((0x$size))" || fail "dwell symbols" "$(cat symbols.csv)"
}
test_that "a stripped program's samples fall into functions" stripped

# What a library does not export has no name, but is a function.
internal()
{
	cat > lib.c <<'C'
static volatile unsigned long sum;
static __attribute__((noinline)) void inner(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum += i * i; }
void outer(unsigned long n) { inner(n); sum++; }
C
	echo 'void outer(unsigned long n); int main(void) { outer(100000000); return 0; }' > main.c
	gcc -O2 -shared -fPIC lib.c -o libinner.so && gcc -O2 main.c -o user -L. -linner -Wl,-rpath,'$ORIGIN'
	places libinner.so > lib.places
	strip -s libinner.so
	record user ./user
	report_csv user
	at=$(awk '$1 == "inner" { print $2 }' lib.places)
	columns user.csv function self_percent | awk -F '\t' -v name="libinner.so+$at" '$1 == name && $2 > 80 { found = 1 } END { exit !found }' ||
		fail "libinner.so+$at" "$(cat user.csv)"
	dwell callers "libinner.so+$at" user.dwell | grep -q outer || fail "callers"
}
test_that "a function that a library does not export" internal

# Traced: with hooks, and no symbols.
traced()
{
	HOOKS=-finstrument-functions compile hooked recursion.c
	places hooked > hooked.places
	RECORD_OPTIONS="" record named ./hooked 3
	report_csv named
	strip -s hooked
	RECORD_OPTIONS="" record hooked ./hooked 3
	report_csv hooked
	columns named.csv function calls | while read -r name calls; do
		at=$(awk -v name="$name" '$1 == name { print $2 }' hooked.places)
		columns hooked.csv function calls | grep -qx "hooked+$at	$calls" || fail "$name, at $at: $calls calls" "$(cat hooked.csv)"
	done
	[ "$(wc -l < named.csv)" -gt 4 ] || fail "few functions" "$(cat named.csv)"
}
test_that "a stripped program with hooks: its functions begin where they do" traced

# The report does not need the file, and does not care what has its name now.
gone()
{
	cp shares moved
	record gone ./moved 20000
	report_csv gone
	cp gone.csv before.csv
	rm moved
	report_csv gone
	diff before.csv gone.csv
	[ ! -s gone.report.err ] || fail "said:" "$(cat gone.report.err)"
	gcc -O1 -x c - -o moved <<< 'int share_74(void) { return 1; } int main(void) { return share_74(); }'
	report_csv gone
	diff before.csv gone.csv
	[ ! -s gone.report.err ] || fail "said:" "$(cat gone.report.err)"
	for jobs in 1 3; do
		dwell tree --jobs $jobs gone.dwell | grep -q share_74 || fail "tree with $jobs jobs"
	done
	dwell callers share_20 gone.dwell | grep -q work || fail "callers"
	# From a pipe they come too late, which is said; and not of the file.
	cat gone.dwell | dwell report - 2> /dev/null > piped.txt || true
	grep -qE '^  [0-9]+ names came too late' piped.txt || fail "not said" "$(cat piped.txt)"
	! dwell report gone.dwell 2> /dev/null | grep 'too late' || fail "of a file"
	dwell report --split share_74 --csv gone.dwell | awk -F , 'NR > 1 { rows++ } END { exit rows < 5 }' || fail "--split"
	dwell dump gone.dwell > dump 2> dump.err
	grep -q ' name .*: share_74$' dump && [ ! -s dump.err ] || fail "dump:" "$(cat dump.err)" "$(tail dump)"
	grep -q 'kernel_nobody_sampled\|share_never' dump && fail "names of what was not sampled"
	# Lines are in the file, and that is another one.
	dwell report --lines gone.dwell > lines 2> lines.err || true
	grep -q 'moved: is another build' lines.err || fail "--lines:" "$(cat lines.err)"
}
test_that "a program that is gone, or another one by now" gone

# Of calls, in all the ways in which they are kept: also of a library that is opened late, and of a program that becomes another.
traced_gone()
{
	local RECORD_OPTIONS
	HOOKS=-finstrument-functions compile calls jump.c
	HOOKS=-finstrument-functions compile next basic.c
	cp calls calls.kept
	for how in "" --no-pack --ring=8M --linear=8M; do
		RECORD_OPTIONS="$how" record kept ./calls longjmp 20000
		report_csv kept
		cp kept.csv before.csv
		rm calls
		report_csv kept
		diff before.csv kept.csv || fail "with '$how'"
		[ ! -s kept.report.err ] || fail "said with '$how':" "$(cat kept.report.err)"
		grep -q '^catcher,' kept.csv || fail "no names with '$how'"
		dwell report --csv --jobs 3 kept.dwell | diff before.csv - || fail "three jobs"
		cp calls.kept calls
	done
	RECORD_OPTIONS="" record both sh -c './calls longjmp 20000; exec ./next 3'
	report_csv both
	cp both.csv before.csv
	rm calls next
	report_csv both
	diff before.csv both.csv
	grep -q '^catcher,' both.csv && grep -q '^mix,' both.csv || fail "not both" "$(cat both.csv)"
	# No names of what was not called.
	dwell dump both.dwell 2> dump.err | grep -q ' name .*: _start' && fail "_start was not called"
	[ ! -s dump.err ] || fail "dump:" "$(cat dump.err)"
}
test_that "calls of programs that are gone" traced_gone

# Two builds of one path.
builds()
{
	for k in 1 3; do
		gcc -O1 -x c - -o built <<C
static volatile unsigned long sum;
static __attribute__((noinline)) void same(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum += i; }
$([ $k = 3 ] && echo 'void other(void); void other(void) { sum++; }')
static __attribute__((noinline)) void grows(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum += i; }
int main(void) { for (int i = 0; i < 40; i++) { same(4000000); grows(4000000 * $k); } return 0; }
C
		record build-$k ./built
	done
	dwell diff --csv build-1.dwell build-3.dwell > diff.csv 2> diff.err || fail "status $?" "$(cat diff.err)"
	[ ! -s diff.err ] || fail "said:" "$(cat diff.err)"
	grep -q '^built+0x\|no names' diff.csv && fail "places" "$(cat diff.csv)"
	for name in same grows; do
		[ "$(grep -c "$name" diff.csv)" = 1 ] || fail "$name is not one row" "$(cat diff.csv)"
	done
}
test_that "dwell diff of two builds that had one path" builds

# A child that goes on without exec: the same functions of the same file.
children()
{
	cat > child.c <<'C'
#include <sys/wait.h>
#include <unistd.h>
static volatile unsigned long sum;
static __attribute__((noinline)) void work(unsigned long n) { for (unsigned long i = 0; i < n; i++) sum += i; }
int main(void) { int child = fork(); work(60000000); if (child) wait(0); return 0; }
C
	gcc -O1 child.c -o child
	record child ./child
	rm child
	report_csv child
	[ "$(columns child.csv function | grep -c '^work')" = 1 ] || fail "work is not one row" "$(cat child.csv)"
}
test_that "a forked child's functions are those of its parent" children

# The stubs of the procedure linkage table have the names of what they lead to: the recorder looked, so nobody needs the program for that.
stubs()
{
	echo 'int one(int i) { return i; }' > one.c
	echo 'int one(int); int main(void) { int s = 0; for (int i = 0; i < 200000000; i++) s |= one(i & 1); return s - 1; }' > calls.c
	gcc -O1 -shared -fPIC one.c -o libone.so && gcc -O1 calls.c -o calls -L. -lone -Wl,-rpath,'$ORIGIN'
	record calls ./calls
	stub=$(objdump -d calls | sed -n 's/^0*\([0-9a-f]*\) <one@plt>:$/0x\1/p')
	[ "$(echo "at $stub" | dwell names calls@0)" = "at one@plt" ] || fail "dwell names" "$(echo "at $stub" | dwell names calls@0)"
	rm calls
	report_csv calls
	columns calls.csv function | grep '^one@plt$' || echo "no sample is in the stub"
	! columns calls.csv function | grep '^calls+0x' || fail "a place without a name" "$(cat calls.csv)"
}
test_that "the procedure linkage table of a program that is gone" stubs

# lld gives each segment addresses of its own, and little code shares its pages of the file with a larger segment. With pages of
# 4 KiB and of 64 KiB.
linked_by_lld()
{
	cat > spin.c <<'C'
__attribute__((noinline)) void spin_here(void) { for (volatile int i = 0; i < 1000000; i++) {} }
const char filler[3000] = "constants in the segment before the code";
int main(int argc, char **argv) { for (int i = 0; i < 200; i++) spin_here(); return argv[argc] ? filler[argc] : 0; }
C
	for pages in 4096 65536; do
		gcc -O1 -fuse-ld=lld -Wl,-z,max-page-size=$pages spin.c -o "spin$pages"
		record "spin$pages" "./spin$pages"
		perf record -q -o "spin$pages.data" "./spin$pages" > /dev/null 2> perf.err || [ ! -s "spin$pages.data" ] || fail "perf" "$(cat perf.err)"
		report_csv "spin$pages"
		columns "spin$pages.csv" function | grep -q '^spin_here$' || fail "dwell record, pages of $pages" "$(cat "spin$pages.csv")"
		[ -s "spin$pages.data" ] || continue
		dwell report --csv "spin$pages.data" > perf.csv || [ $? = 1 ]
		columns perf.csv function | grep -q '^spin_here$' || fail "perf.data, pages of $pages" "$(cat perf.csv)"
	done
}
if echo 'int main(void) { return 0; }' | gcc -fuse-ld=lld -x c - -o by_lld 2> lld.err; then
	test_that "a program linked by lld" linked_by_lld
else
	skip "a program linked by lld" "$(head -1 lld.err)"
fi

# perf record keeps each build of a program. An older recording has the functions of the older build.
kept_builds()
{
	export HOME=$PWD/home
	mkdir -p home
	for build in old new; do
		[ $build = old ] && function=before_it || function=after_it
		printf 'int pad(int n) { return %s; }\n' "$([ $build = old ] && echo 'n * n * n + n / 7' || echo n)" > built.c
		printf '__attribute__((noinline)) void %s(void) { for (volatile int i = 0; i < 1000000; i++) {} }\n' $function >> built.c
		printf 'int main(void) { for (int i = 0; i < 100; i++) %s(); return pad(0); }\n' $function >> built.c
		gcc -g -O1 -Wl,--build-id built.c -o built
		perf record -q -o $build.data ./built > /dev/null 2> perf.err || { [ ! -s $build.data ] && fail "perf" "$(cat perf.err)"; }
	done
	perf buildid-list -i old.data 2> /dev/null | grep -q /built || return 0
	dwell report --csv old.data > old.csv || [ $? = 1 ]
	columns old.csv function | grep -q '^before_it$' || fail "the old build" "$(cat old.csv)"
	dwell report --lines --csv old.data > lines.csv || [ $? = 1 ]
	grep -q 'before_it.*built.c' lines.csv || fail "lines of the old build" "$(cat lines.csv)"
	dwell diff --csv old.data new.data > diff.csv || [ $? = 1 ]
	columns diff.csv function | LC_ALL=C sort | grep '_it$' | tr '\n' ' ' > got
	[ "$(cat got)" = "after_it before_it " ] || fail "diff" "$(cat diff.csv)"
	# A kept file of another build, or a pipe in its place, is not used.
	for kept in home/.debug/.build-id/*/*/elf; do
		cmp -s "$kept" built || { rm -f "$kept" && mkfifo "$kept"; }
	done
	timeout 20 "$DWELL" report old.data > /dev/null 2> err || [ $? = 1 ] || fail "a pipe in the place of a kept file" "$(cat err)"
	grep -q 'built: is another build' err || fail "not said" "$(cat err)"
}
# Code that a program generated has the names of its map, as perf report shows them. The map is a file of others.
map_of_generated_code()
{
	cat > jit.c <<'C'
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
int main(void)
{
	/* mov eax, edi; dec eax; jnz -4; ret */
	static const unsigned char code[] = {0x89, 0xf8, 0xff, 0xc8, 0x75, 0xfc, 0xc3};
	unsigned char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char path[64];
	snprintf(path, sizeof path, "/tmp/perf-%d.map", getpid());
	FILE *map = fopen(path, "w");
	memcpy(memory + 64, code, sizeof code);
	memcpy(memory + 96, code, sizeof code);
	fprintf(map, "%lx 40 older\n%lx 7 JS:*sum /a.js:3:1\n%lx 7 JS:*sum /a.js:3:1\nno line\n%lx 100 next\n", (long)memory + 64,
		(long)memory + 64, (long)memory + 96, (long)memory + 128);
	fclose(map);
	for (int i = 0; i < 200; i++)
		((void (*)(int))(memory + (i % 2 ? 64 : 96)))(1000000);
	printf("%s\n", path);
	return 0;
}
C
	gcc -O1 jit.c -o jit
	perf record -q -o jit.data ./jit > path 2> perf.err || { [ ! -s jit.data ] && fail "perf" "$(cat perf.err)"; }
	map=$(cat path)
	dwell report --csv jit.data > jit.csv 2> err || [ $? = 1 ]
	columns jit.csv function self_percent | awk -F '\t' 'index($1, "JS:*sum") == 1 { rows++; found += $1 == "JS:*sum /a.js:3:1" && $2 > 50 } END { exit rows != 1 || !found }' || fail "no name, or several rows" "$(cat jit.csv err)"
	grep -q 'lines without a start, a size and a name, the first of them here: 1' err || fail "a bad line" "$(cat err)"
	! grep -q older jit.csv || fail "an older function" "$(cat jit.csv)"
	if [ "$(id -u)" = 0 ]; then
		chown 12345 "$map"
		dwell report --csv jit.data > jit.csv 2> err || [ $? = 1 ]
		! grep -q 'JS:' jit.csv || fail "a map of another user" "$(cat jit.csv)"
		grep -q "$map: cannot open: Operation not permitted" err || fail "a map of another user: not said" "$(cat err)"
	fi
	mv "$map" forged
	ln -s "$PWD/forged" "$map"
	dwell report --csv jit.data > jit.csv 2> err || [ $? = 1 ]
	rm "$map"
	! grep -q 'JS:' jit.csv || fail "a symbolic link" "$(cat jit.csv)"
	mkfifo "$map"
	timeout 20 "$DWELL" report jit.data > /dev/null 2> err || [ $? = 1 ] || fail "a pipe" "$(cat err)"
	rm "$map"
}
if [ "$(uname -m)" != x86_64 ]; then
	skip "generated code in a perf.data" "the generated code is for x86-64"
elif command -v perf > /dev/null && perf record -q -o /dev/null true > /dev/null 2>&1; then
	test_that "generated code in a perf.data" map_of_generated_code
else
	skip "generated code in a perf.data" "perf cannot record"
fi

if command -v perf > /dev/null && perf record -q -o /dev/null true > /dev/null 2>&1; then
	test_that "a program that was built again, and the build that perf kept" kept_builds
else
	skip "a program that was built again, and the build that perf kept" "perf cannot record"
fi

# Code that is in no file.
vdso()
{
	cat > clock.c <<'C'
#include <time.h>
int main(void) { struct timespec t; for (int i = 0; i < 12000000; i++) clock_gettime(CLOCK_MONOTONIC, &t); return 0; }
C
	gcc -O1 clock.c -o clock
	record clock ./clock
	report_csv clock
	columns clock.csv function self_percent | awk -F '\t' '$1 ~ /vdso|clock/ && $1 !~ /^\[vdso\]/ && $2 > 3 { found = 1 } END { exit !found }' ||
		fail "no name" "$(cat clock.csv)"
	perf record -q -o clock.data ./clock > /dev/null 2> perf.err || true
	[ -s clock.data ] && perf buildid-list -i clock.data 2> /dev/null | grep -q vdso || return 0
	dwell report --csv clock.data > perf.csv || [ $? = 1 ]
	columns perf.csv function | grep -q '^[^[].*clock_gettime$' || fail "perf.data" "$(cat perf.csv)"
}
test_that "the code that the kernel lends to programs" vdso

# The kernel's functions, where the system shows where they are.
kernel()
{
	record kernel dd if=/dev/zero of=/dev/null bs=1M count=4000
	dwell info kernel.dwell > info
	report_csv kernel
	grep -q '^kernel-names  *known' info || fail "info" "$(cat info)"
	columns kernel.csv function self_percent | awk -F '\t' '$1 ~ / \[kernel\]$/ { sum += $2 } END { exit !(sum > 30) }' ||
		fail "no names" "$(cat kernel.csv)"
	# Each of them is what the system calls it today.
	columns kernel.csv function | sed -n 's/ \[kernel\]$//p' > kernel.names
	awk 'FNR == NR { wanted[$0] = 1; next } NF == 3 && tolower($2) ~ /^[tw]$/ { delete wanted[$3] }
		END { for (name in wanted) { print name; bad = 1 } exit bad }' kernel.names /proc/kallsyms > unnamed || fail "no functions of the kernel:" "$(cat unnamed)"
	name=$(columns kernel.csv function | sed -n 's/ \[kernel\]$//p' | head -1)
	dwell callers "${name%%.*}" kernel.dwell > callers || fail "callers of $name"
	of_samples report --lines kernel.dwell > lines || fail "--lines"
}
# Somebody who may look into the kernel, but is not told where its functions are.
hidden()
{
	timeout 60 setpriv --bounding-set -syslog --inh-caps -syslog "$DWELL" record --sample -o hidden.dwell dd if=/dev/zero of=/dev/null \
		bs=1M count=4000 2> hidden.err || fail "$(cat hidden.err)"
	report_csv hidden
	columns hidden.csv function | grep -qx '\[kernel\]' || fail "no [kernel]" "$(cat hidden.csv)"
	columns hidden.csv function | grep ' \[kernel\]' && fail "names"
	dwell info hidden.dwell | grep -q '^kernel-names  *not known: the system ' || fail "info" "$(dwell info hidden.dwell)"
}
record probe dd if=/dev/zero of=/dev/null bs=1M count=500
if ! dwell report --csv probe.dwell | grep -q '\[kernel\]'; then
	skip "names of the kernel's functions" "this user sees nothing of the kernel"
elif dwell info probe.dwell | grep -q '^kernel-names  *not known'; then
	skip "names of the kernel's functions" "the system does not show them"
else
	test_that "names of the kernel's functions" kernel
	if [ "$(cat /proc/sys/kernel/kptr_restrict)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -le 1 ]; then
		skip "names that the system hides" "it hides them from nobody"
	elif ! setpriv --bounding-set -syslog --inh-caps -syslog true 2> /dev/null; then
		skip "names that the system hides" "no setpriv, or no right to give a right up"
	else
		test_that "names that the system hides" hidden
	fi
fi

done_testing
