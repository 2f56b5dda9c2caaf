#!/bin/bash
# Programs that a recorded one starts with another LD_PRELOAD, or an environment of its own: they are not recorded, which is counted and said.
. "$(dirname "$0")/../lib.sh"

cat > app.c << 'C'
__attribute__((noinline)) void work(void) { __asm__ volatile(""); }
int main(void) { for (int i = 0; i < 10; i++) work(); return 0; }
C
cat > starts.c << 'C'
/* starts HOW: posix_spawn, execve, execvp or execle of ./app, with an empty environment. */
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	char *none[] = {0}, *app[] = {"./app", 0};
	int status = argc;
	pid_t pid;
	if (!strcmp(argv[1], "posix_spawn"))
		return posix_spawn(&pid, app[0], 0, 0, app, none) || wait(&status) < 0;
	if (!strcmp(argv[1], "execve"))
		return execve(app[0], app, none);
	if (!strcmp(argv[1], "execle"))
		return execle(app[0], app[0], (char *)0, none);
	return clearenv() || execvp(app[0], app);
}
C
gcc -O1 -finstrument-functions -fno-tree-ter app.c -o app || exit 2
gcc -O1 app.c -o plain || exit 2
gcc -O1 -finstrument-functions -fno-tree-ter starts.c -o starts || exit 2
gcc -O1 -finstrument-functions -fno-tree-ter -static app.c "$BUILD/libdwell.a" -Wl,-u,dwell_start -o linked || exit 2
echo 'int other;' | gcc -shared -fPIC -xc - -o other.so || exit 2

# missing COUNT COMMAND ...: with so many programs that were not recorded, of which one is named
missing()
{
	local count=$1
	shift
	record missing "$@"
	[ "$(cat missing.status)" = 0 ] || fail "status $(cat missing.status)" "$(cat missing.err)"
	"$DWELL" info --json missing.dwell > missing.json || true
	grep -q "\"programs_without_agent\": $count" missing.json || fail "$*: not $count" "$(cat missing.json missing.err)"
	if [ "$count" = 0 ]; then
		! grep -q "without the agent" missing.err || fail "$(cat missing.err)"
		return
	fi
	grep -q "$count programs\? w[aser]* not recorded: $PWD/\(\./\)*\(app\|plain\|linked\) was started without the agent" missing.err || fail "$(cat missing.err)"
	! "$DWELL" report missing.dwell 2>&1 | grep ^complete || fail "complete"
}
for how in posix_spawn execve execle execvp; do
	test_that "$how with an empty environment" missing 1 ./starts $how
done
test_that "another LD_PRELOAD" missing 1 sh -c "./app; LD_PRELOAD=./other.so exec ./app"
test_that "none" missing 1 sh -c "./app; env -u LD_PRELOAD ./app; env LD_PRELOAD= ./app"
test_that "another one in front of the agent" missing 0 sh -c "./app; LD_PRELOAD=\"./other.so:\$LD_PRELOAD\" exec ./app"
test_that "a program without hooks" missing 0 sh -c "./app; env -i ./plain; env -i /bin/true"
test_that "no file, and one that cannot be run" missing 0 sh -c "./app; env -i ./none; env -i ./app.c; true"
test_that "an agent that is linked in needs no LD_PRELOAD" missing 0 sh -c "./app; env -u LD_PRELOAD ./linked"
test_that "but the session" missing 1 sh -c "./app; env -u DWELL_SESSION ./linked"
launcher()
{
	printf '#!/bin/sh\nLD_PRELOAD=./other.so exec ./plain\n' > launch
	chmod +x launch
	RECORD_OPTIONS=--trace missing 1 ./launch
}
test_that "a launcher script, with --trace" launcher
nothing()
{
	record nothing env -i ./app
	grep -q "nothing was recorded: $PWD/\(\./\)*app was started without the agent" nothing.err || fail "$(cat nothing.err)"
}
test_that "if nothing else has hooks" nothing
done_testing
