#!/bin/bash
# Takes long, three dozen programs.
# Programs without hooks, sampled: which are, what is said of them, users and processes. What depends on time is in sample.sh.
. "$(dirname "$0")/../lib.sh"
export HOOKS=-fno-instrument-functions RECORD_OPTIONS=--sample

if ! compile shares shares.c -g -DROUND_NS_MIN=40000; then
	echo "Bail out! no compiler"
	exit 1
fi
record one ./shares 100
if grep -q "perf" one.err; then
	skip "samples" "$(head -1 one.err)"
	done_testing
	exit 0
fi

callers()
{
	record sorted ./shares 2000 0 sort
	of_samples tree --csv sorted.dwell > tree.csv || fail "tree: $?"
	columns tree.csv depth function > tree
	dwell report sorted.dwell | grep "^callers:" > callers
	cat callers
	awk '{ exit !($2 >= 98) }' callers || fail "stacks are not complete"
	# What is above what, whatever is between them, and nothing else: share_1 is below by_number, which main calls through libc, and below work.
	for pair in "main work" "work share_74" "work share_20" "main by_number" "by_number share_1"; do
		awk -F '\t' -v above="${pair% *}" -v below="${pair#* }" '{ at[$1] = $2; if ($2 == below) for (i = 0; i < $1; i++) if (at[i] == above) found = 1 }
			END { exit !found }' tree || fail "$pair" "$(dwell tree sorted.dwell)"
	done
	awk -F '\t' '{ at[$1] = $2; if ($2 == "share_74" || $2 == "share_20" || $2 == "share_5") { n++; bad += at[$1 - 1] != "work" } }
		END { exit !(n && !bad) }' tree || fail "not called by work" "$(cat tree)"
}

# What is sampled without being asked for, and what is traced.
chosen()
{
	RECORD_OPTIONS="" record bare ./shares 1000
	grep -qx "dwell: ./shares: no hooks: sampled at 997 Hz; with --trace, .*" bare.err || fail "$(cat bare.err)"
	dwell info bare.dwell | grep -q "^mode  *samples" || fail "no samples"
	HOOKS=-finstrument-functions compile hooked basic.c
	for how in "./hooked 1" "env ./hooked 1" "sh -c ./hooked\ 1;true"; do
		IFS=' ' read -r -a words <<< "${how//\\ /_}"
		RECORD_OPTIONS="" record traced "${words[@]//_/ }"
		[ ! -s traced.err ] || fail "$how:" "$(cat traced.err)"
		dwell report --csv traced.dwell | head -1 | grep -q calls || fail "$how is not traced"
	done
	# A hooked library below a main program that has none.
	echo 'int lib(int x); int lib(int x) { return x + 1; }' > lib.c
	echo 'int lib(int x); int main(void) { return lib(0) - 1; }' > main.c
	gcc -O2 -finstrument-functions -shared -fPIC lib.c -o liblib.so
	gcc -O2 main.c -o with_lib -L. -llib -Wl,-rpath,'$ORIGIN'
	RECORD_OPTIONS="" record lib ./with_lib
	dwell report --csv lib.dwell | grep -q "^lib,1" || fail "library: $(cat lib.err)" "$(dwell report lib.dwell)"
	# Libraries by relative paths, and in a folder with a blank in its name.
	gcc -O2 main.c -o by_search -L. -llib
	gcc -O2 main.c -o by_run_path -L. -llib -Wl,-rpath,.
	gcc -O2 main.c -o by_name ./liblib.so
	mkdir "in here" && cp liblib.so "in here"
	LD_LIBRARY_PATH=. RECORD_OPTIONS="" record search ./by_search
	LD_LIBRARY_PATH="$PWD/in here" RECORD_OPTIONS="" record blank ./by_search
	RECORD_OPTIONS="" record run_path ./by_run_path
	RECORD_OPTIONS="" record name ./by_name
	for how in search blank run_path name; do
		dwell report --csv $how.dwell | grep -q "^lib,1" || fail "library, $how: $(cat $how.err)"
	done
	printf '#!/bin/sh\nexit 3\n' > script
	chmod +x script
	RECORD_OPTIONS="" record script ./script
	[ "$(cat script.status)" = 3 ] && grep -q 'script: no hooks' script.err || fail "script: $(cat script.err)"
	for both in "--sample --ring=1M" "--trace -F 100"; do
		# shellcheck disable=SC2086
		dwell record $both true 2> err && fail "$both"
		grep -q 'one or the other' err || fail "$both: $(cat err)"
	done
}

ends_in_time()
{
	# --for: the program goes on, and its status is passed through.
	RECORD_OPTIONS="--for 200ms" record part sh -c 'sleep 0.5; echo done; exit 9'
	grep -q done part.out && [ "$(cat part.status)" = 9 ] || fail "--for: $(cat part.status)"
	grep -q "the recording has ended, and the program goes on" part.err || fail "$(cat part.err)"
}

# Each program of a chain has its own name and functions; what a program leaves behind is sampled to its end.
processes()
{
	cat > chain.c <<-'END'
	#include <unistd.h>
	__attribute__((noinline)) static void in_chain(void) { for (volatile long i = 0; i < 50000000; i++) ; }
	int main(int argc, char **argv) { in_chain(); (void)argc; return execv(argv[1], argv + 1); }
	END
	gcc -O2 -g chain.c -o chain
	record chain ./chain ./shares 4000
	dwell info chain.dwell > chain.info
	sed -n '/^processes/,/^$/p' chain.info | grep -q '/chain ' && sed -n '/^processes/,/^$/p' chain.info | grep -q '/shares ' ||
		fail "$(cat chain.info)"
	of_samples report --csv chain.dwell > chain.csv
	grep -q '^in_chain,' chain.csv && grep -q '^share_74,' chain.csv || fail "$(cat chain.csv)"
	cat > leaves.c <<-'END'
	#include <unistd.h>
	__attribute__((noinline)) static void left_behind(void) { for (volatile long i = 0; i < 100000000; i++) ; }
	int main(void) { if (fork() == 0) { usleep(500000); left_behind(); } return 0; }
	END
	gcc -O2 -g leaves.c -o leaves
	record left ./leaves
	grep -q 'left 1 process behind, still sampled' left.err || fail "$(cat left.err)"
	dwell report --csv left.dwell | grep -q '^left_behind,' || fail "$(dwell report left.dwell)"
	! dwell report left.dwell | grep -q 'the kernel measured' || fail "what nobody waits for is in no count"
	# A child is known as late as the kernel's reports before it have been taken: here of 4,000 mappings, which wait for a recorder that stands.
	cat > maps.c <<-'END'
	#include <fcntl.h>
	#include <signal.h>
	#include <sys/mman.h>
	#include <unistd.h>
	int main(int argc, char **argv)
	{
		pid_t recorder = getppid();
		int fd = open(argv[argc - 1], O_RDONLY);

		kill(recorder, SIGSTOP);
		for (int i = 0; i < 4000; i++)
			munmap(mmap(0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0), 4096);
		if (fork() == 0) {
			usleep(100000);
			kill(recorder, SIGCONT);
			usleep(800000);
		}
		return 0;
	}
	END
	gcc -O2 maps.c -o maps
	record maps ./maps "$(command -v sh)"
	grep -q 'left 1 process behind, still sampled' maps.err || fail "$(cat maps.err)"
}

# A user who may not look into the kernel, and a program that is there most of the time: the report begins with what has no samples, which
# is what the system counted.
kernel_time()
{
	$user ./dwell record --sample -F 2000 -o system.dwell dd if=/dev/zero of=/dev/null bs=4M count=400 2> system.err || fail "status $?" "$(cat system.err)"
	of_samples report system.dwell > system.txt || fail "$(cat system.txt)"
	sed -n 2p system.txt | grep -qE '^  ([6-9][0-9]|100) % of the CPU time is in the kernel and in no sample: the system lets this user sample only' ||
		fail "$(cat system.txt)"
	grep -q "^complete as to the program's own code" system.txt || fail "$(cat system.txt)"
	dwell info --csv system.dwell | awk -F, '$3 == "kernel_cpu_ns" { kernel = $4 } $3 == "cpu_ns" { own = $4 } END { exit !(kernel > 2 * own) }' ||
		fail "$(dwell info --csv system.dwell)"
}

# A program that is over at once; one that runs as another user; as a user who may not look into the kernel.
little()
{
	RECORD_OPTIONS="-F 1" record nothing true
	[ "$(cat nothing.status)" = 0 ] && grep -q 'no sample was taken: the program used less than 1 s of CPU time; a higher rate' nothing.err ||
		fail "$(cat nothing.err)"
	RECORD_OPTIONS="--sample -F 1 --for 1ns" record short true
	[ "$(cat short.status)" = 0 ] && grep -q 'the recording was too short: 1 ns, and there is a sample every 1 s of CPU time' short.err ||
		fail "$(cat short.err)"
	dwell report nothing.dwell > nothing.txt || [ $? = 1 ] || fail "report: $?"
	# Not that it used little: that nothing is long enough for a sample.
	compile brief brief.c
	RECORD_OPTIONS="--sample -F 50" record briefly ./brief 200 2 thread
	grep -q 'no sample was taken, of [0-9.]* m\?s of CPU time, such as that of threads and processes that live for less than 20 ms each, of which dwell record --engine=timer, or a higher rate (-F), has samples' briefly.err ||
		fail "$(cat briefly.err)"
	RECORD_OPTIONS="--engine=timer -F 50" record briefly ./brief 200 2 thread
	dwell report --csv briefly.dwell | grep -q '^brief,' || fail "--engine=timer has none" "$(cat briefly.err)"
	[ "$(id -u)" = 0 ] || return 0
	mkdir tools
	cp "$DWELL" shares tools
	cp shares tools/other
	chmod 755 . tools
	chown 1 tools/other
	chmod 4755 tools/other
	chmod 777 tools
	cd tools
	user="setpriv --reuid 65534 --regid 65534 --clear-groups"
	$user ./dwell record --sample -o user.dwell ./shares 4000 2> user.err || fail "status $?" "$(cat user.err)"
	of_samples report user.dwell > user.txt
	grep -q "share_74" user.txt && grep -q "callers: 100.0 % complete" user.txt || fail "as nobody:" "$(cat user.txt user.err)"
	! grep -q '\[kernel\]' user.txt || fail "in the kernel?" "$(cat user.txt)"
	grep -q 'outside of itself; the samples cover' user.txt || fail "$(cat user.txt)"
	kernel_time
	$user ./dwell record --sample -o other.dwell ./other 2000 2> other.err && fail "nothing can be sampled, and status 0"
	grep -q 'no sample was taken: the program runs as another user (set-uid)' other.err || fail "$(cat other.err)"
	$user ./dwell record --sample -F 50 -o below.dwell sh -c './other 6000; true' 2> below.err || true
	grep -q 'no sample was taken, of .* programs that change their user (set-uid), at which the system lets nobody look' below.err ||
		fail "$(cat below.err)"
	# Not for root either.
	./dwell record --sample -o root.dwell ./other 2000 2> root.err && fail "as root: nothing can be sampled, and status 0"
	grep -q 'program runs as another user (set-uid), and the system lets nobody look at a program that changes its user' root.err || fail "$(cat root.err)"
	./dwell record --sample -F 50 -o below.dwell sh -c './other 6000; true' 2> below.err || true
	grep -q 'no sample was taken, of .* programs that change their user (set-uid)' below.err || fail "as root:" "$(cat below.err)"
}

# A user who may lock next to no memory, and a recorder that has no time for a while: what found no room is counted, and that is said. What
# was taken and what was lost are together the CPU time that the system counts.
little_room()
{
	local program recorder status=0 user=$((60000 + $$ % 5000)) # of this test alone: what a user may lock is for all that he runs
	mkdir small
	cp "$DWELL" shares small
	chmod 755 .
	chmod 777 small
	cd small
	prlimit --memlock=0:0 setpriv --reuid $user --regid $user --clear-groups ./dwell record --sample -F 16000 -o lost.dwell ./shares 100000 > lost.out 2> lost.err &
	recorder=$!
	until program=$(pgrep -u $user -x shares) && [ "$(ticks "$program")" -ge 50 ]; do
		kill -0 $recorder || fail "it ended" "$(cat lost.err)"
		sleep 0.1
	done
	# There is room for 11,000 samples without callers, which are what is left where others want a processor, too: 0.7 s of CPU time.
	kill -STOP $recorder
	until [ "$(ticks "$program")" -ge 200 ]; do
		sleep 0.1
	done
	kill -CONT $recorder
	wait $recorder || status=$?
	cat lost.err
	[ $status = 0 ] || fail "status $status"
	dwell report lost.dwell > lost.txt && fail "report: status 0"
	head -12 lost.txt
	lost=$(sed -n 's/.*samples lost, there was no room for them: \([0-9]*\) beside \([0-9]*\) taken$/\1 \2/p' lost.err)
	[ "${lost% *}" -gt 0 ] || fail "nothing was lost"
	room=$(sed -n 's/.*this user may lock \([0-9]*\) KiB for the samples of each CPU.*/\1/p' lost.err)
	between 32 "$room" 4096 "KiB of each CPU"
	sed 's/,//g' lost.txt | grep -qx "  ${lost% *} samples* w[a-z]* lost: there was no room for [a-z]*" || fail "report"
	[ "$(dwell info --csv lost.dwell | sed -n 's/^health,,lost_samples,//p')" = "${lost% *}" ] || fail "info"
	dwell info --csv lost.dwell | awk -F , -v lost="${lost% *}" -v taken="${lost#* }" '
		$3 == "cpu_ns" { cpu = $4 } $3 == "samples" && $1 == "sampling" { samples = $4 }
		END { all = (lost + taken) / 16000; print "taken and lost", all, "s; the system counts", cpu / 1e9; exit !(samples == taken && all > 0.75 * cpu / 1e9 && all < 1.25 * cpu / 1e9) }' ||
		fail "they are not all there is"
	# The 11,000 that were kept while nobody changed their distance may be in step with the program.
	between 68 "$(share lost.dwell share_74 | cut -d " " -f 2)" 78 "share_74"
}

# When, how long by the clock, and how much of it on a CPU: of a program that waits, and of one that leaves another behind.
by_the_clock()
{
	local before after begun recorder program
	before=$(date +%s.%N)
	record clock sh -c 'sleep 0.3; ./shares 2000'
	after=$(date +%s.%N)
	of_samples report clock.dwell > clock.txt || fail "$(cat clock.txt)"
	cat clock.txt
	dwell info --json clock.dwell > clock.json || fail "info"
	begun=$(($(sed -n 's/.*"duration_ns": \([0-9]*\).*/\1/p' clock.json) / 1000000))
	between 300 "$begun" "$(awk -v a="$before" -v b="$after" 'BEGIN { printf "%.0f", 1000 * (b - a) }')" "milliseconds by the clock"
	grep -qE '^begun [-0-9]{10} [0-9:]{8} UTC, ([0-9.]+ s|[0-9.]+ ms) by the clock, 0\.[0-9]* CPUs used on average$' clock.txt || fail "no clock"
	begun=$(date -u -d "$(sed -n 's/^begun \(.*\) UTC, .*/\1/p' clock.txt) UTC" +%s)
	[ "$begun" -ge "${before%.*}" ] && [ "$begun" -le "${after%.*}" ] || fail "begun $begun, and it was $before to $after"
	dwell info clock.dwell > clock.info || fail "info"
	grep -q "^$(sed -n 2p clock.txt)$" clock.info || fail "info has no such line"
	cut -d , -f 1,3,4 <(dwell info --csv clock.dwell) > clock.csv
	for key in samples sampled_ns cpu_ns; do
		grep -qE "^ *\"$key\": $(sed -n "s/^sampling,$key,//p" clock.csv),?$" clock.json || fail "$key" "$(cat clock.csv)"
	done
	# Threads' samples are all of them.
	[ "$(awk -F , '$1 == "threads" && $2 == "samples" { n += $3 } END { print n }' clock.csv)" = "$(sed -n 's/^sampling,samples,//p' clock.csv)" ] ||
		fail "threads"
	# What is left behind counts, by the clock, too; of a recording that was cut off the end is not known.
	record behind sh -c '(sleep 0.5; ./shares 500) & :'
	begun=$(($(dwell info --json behind.dwell | sed -n 's/.*"duration_ns": \([0-9]*\).*/\1/p') / 1000000))
	[ "$begun" -ge 500 ] || fail "what was left behind took $begun ms"
	"$DWELL" record --sample -o cut.dwell ./shares 100000000 2> cut.err &
	recorder=$!
	until dwell report cut.dwell 2> /dev/null | grep -q '^begun .*by the clock'; do
		kill -0 $recorder || fail "$(cat cut.err)"
		sleep 0.1
	done
	program=$(pgrep -P $recorder)
	kill -KILL $recorder "$program"
	dwell report cut.dwell > cut.txt 2> cut.err || true
	grep -qE '^begun .* UTC, at least [0-9.]+ +m?s by the clock$' cut.txt || fail "$(cat cut.txt)"
}

# Stacks deeper than what is copied of them, and without callers.
stacks()
{
	cat > deep.c <<-'END'
	#include <string.h>
	__attribute__((noinline)) static long leaf(long n) { long s = 0; for (long i = 0; i < 200000; i++) { s += i ^ n; __asm__ volatile("" : "+r"(s)); } return s; }
	__attribute__((noinline)) static long deeper(int depth, long n)
	{
		char room[1500];
		memset(room, depth, sizeof room);
		__asm__ volatile("" :: "r"(room) : "memory");
		return (depth ? deeper(depth - 1, n) : leaf(n)) + room[n % 1000];
	}
	int main(void) { long s = 0; for (long i = 0; i < 1500; i++) s += deeper(70, i); return s == 1; }
	END
	gcc -O2 -g deep.c -o deep
	RECORD_OPTIONS="-F 2000" record copied ./deep
	RECORD_OPTIONS="--no-stacks" record leaves ./deep
	# 71 frames of 1.5 KiB are more than may be copied.
	dwell report --csv copied.dwell | awk -F , '$1 == "main" { found = $25 } END { print found + 0 }' > copied.main
	between 0 "$(cat copied.main)" 10 "stacks with main"
	dwell report copied.dwell | grep -q "truncated" || fail "not said" "$(dwell report copied.dwell)"
	dwell report leaves.dwell | grep -q "callers were not looked for" || fail "none" "$(dwell report leaves.dwell)"
}

# Attached to, a process with a child that has used 3 s of CPU time, which ends meanwhile, and with one child after the other since: of those
# the system counts the time, too.
children()
{
	cat > parent.c <<-'END'
	#include <stdlib.h>
	#include <sys/wait.h>
	#include <time.h>
	#include <unistd.h>
	static void burn(double seconds) { while ((double)clock() / CLOCKS_PER_SEC < seconds) ; }
	int main(int argc, char **argv)
	{
		int go[2], done[2];
		char byte;
		pid_t old;

		(void)pipe(go);
		(void)pipe(done);
		old = fork();
		if (!old) {
			burn(3);
			(void)write(done[1], "", 1);
			(void)read(go[0], &byte, 1);
			_exit(0);
		}
		(void)read(done[0], &byte, 1);
		while (access("attached", F_OK)) usleep(10000);
		(void)write(go[1], "", 1);
		waitpid(old, 0, 0);
		for (int i = 0; i < 20; i++) {
			if (fork() == 0) { burn(0.1); _exit(0); }
			wait(0);
		}
		return argc > 1 ? atoi(argv[1]) : 0;
	}
	END
	gcc -O1 parent.c -o parent || fail "no parent"
	rm -f attached
	./parent &
	parent=$!
	until [ "$(ticks_of_child $parent)" -ge 280 ]; do sleep 0.1; done
	dwell attach -o family.dwell $parent > attach.out 2>&1 &
	comes 'sampled at' attach.out
	touch attached
	wait $parent
	wait
	dwell report family.dwell > family.txt || [ $? = 1 ]
	sed -n 2,10p family.txt
	covered=$(sed -n 's/.*the samples cover \([0-9]*\).*/\1/p' family.txt)
	[ "${covered:-0}" -ge 70 ] && [ "$covered" -le 115 ] || fail "covered: $covered %"
}
# In ticks of 10 ms, of the first child.
ticks_of_child()
{
	awk '{ print $14 + $15 }' "/proc/$(awk '{ print $1 }' "/proc/$1/task/$1/children")/stat" 2> /dev/null || echo 0
}

test_that "callers, through a library" callers
test_that "deep stacks, no callers" stacks
test_that "without hooks: sampled by itself" chosen
test_that "--for" ends_in_time
test_that "exec, and what is left behind" processes
test_that "nothing to sample, set-uid, no permission for the kernel" little
test_that "when, and how long by the clock" by_the_clock
test_that "attached to, children are counted" children
if [ "$(id -u)" = 0 ]; then
	test_that "little room for samples" little_room
else
	skip "little room for samples" "not root: no other user to be"
fi
done_testing
