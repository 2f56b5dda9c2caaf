#!/bin/bash
# A program that has rights which whoever starts it has not (set-uid, set-gid, capabilities of its file) takes no orders from its environment:
# it joins no session, opens nothing, and gives the name of none to programs that it starts.
. "$(dirname "$0")/../lib.sh"

if [ "$(id -u)" != 0 ]; then
	skip "privileged programs" "only root can make some"
	done_testing
	exit
fi

# Where the other user can read it: the project may lie in a home folder.
chmod 711 "$work"
cp "$BUILD/libdwell-timer.so" .
chmod 755 libdwell-timer.so
mkdir told
chmod 777 told
cp "$DWELL" "$BUILD/libdwell.so.1" told
DWELL=$PWD/told/dwell
compile plain privileged.c -static "$BUILD/libdwell.a"
compile dynamic privileged.c "$BUILD/libdwell.a"
compile sampled privileged.c -L. -Wl,--no-as-needed -l:libdwell-timer.so -Wl,-rpath,"$PWD"

# raised PROGRAM HOW: PROGRAM.HOW, a copy with such rights
raised()
{
	cp "$1" "$1.$2"
	case $2 in
	setuid) chmod 4755 "$1.$2" ;;
	setgid) chmod 2755 "$1.$2" ;;
	capable) chmod 755 "$1.$2" && setcap cap_sys_nice+ep "$1.$2" ;;
	esac
}
# ordinary COMMAND ...: run by a user who has no rights here
ordinary()
{
	setpriv --reuid=65534 --regid=65534 --clear-groups -- env -u LD_PRELOAD "$@"
}
export -f ordinary

# A recording by a user who has no rights here, and programs told to join it: only the one that has no special rights does. Names that the
# dynamic linker takes out of the environment leave a hole behind it.
joins_nothing()
{
	local name=$1 how=$2
	raised "$name" "$how"
	under="setpriv --reuid=65534 --regid=65534 --clear-groups --" RECORD_OPTIONS="--ring=64K --memory=2M" record "told/$name.$how" bash -c "
		env -u LD_PRELOAD ./$name
		env -u LD_PRELOAD ./$name.$how
		env LD_PRELOAD=/nowhere/a.so LD_AUDIT=/nowhere/b.so ./$name.$how ./$name"
	mv "told/$name.$how".* .
	[ "$(cat "$name.$how.status")" = 0 ] || fail "$(cat "$name.$how.err")"
	grep -q "1 program with hooks was not recorded, .*: $PWD/\(\./\)*$name.$how; record a copy" "$name.$how.err" || fail "$(cat "$name.$how.err")"
	sed 's/.*, //' "$name.$how.out" > said
	printf '%s\n' session none none none | diff - said
	"$DWELL" report --csv "$name.$how.dwell" > "$name.$how.csv" 2> /dev/null || true
	[ "$(value "$name.$how" work calls)" = 1000 ] || fail "work was recorded in a program that has rights of its own" "$(cat "$name.$how.csv")"
}
opens_nothing()
{
	local name=$1 how=$2
	raised "$name" "$how"
	strace -f -u nobody -e trace=%file -o trace -E DWELL_SESSION=/asked/for "./$name" > /dev/null
	grep -q /asked/for trace || fail "strace does not see it where it is" "$(cat trace)"
	strace -f -u nobody -e trace=%file -o trace -E DWELL_SESSION=/asked/for "./$name.$how" > said
	grep -q none said || fail "$(cat said)"
	cp trace opened
	! grep -q /asked/for opened || fail "opened it:" "$(cat opened)"
	[ "$name" != plain ] || [ "$(grep -c open opened)" = 0 ] || fail "opened something:" "$(cat opened)"
}

# The recorder is an ordinary user, too: what it starts with more rights than it has is told, once for each program that has hooks.
is_told()
{
	raised dynamic setuid
	raised dynamic setgid
	HOOKS=-fno-instrument-functions compile bare privileged.c
	raised bare setuid
	ordinary told/dwell record -o told/run.dwell -- sh -c './dynamic; env ./dynamic.setuid; ./dynamic.setgid; ./dynamic.setuid; nice ./bare.setuid' \
		> told.out 2> told.err || fail "status $?" "$(cat told.err)"
	grep -q '2 programs with hooks were not recorded, .*: .*/dynamic.setuid; record a copy' told.err || fail "$(cat told.err)"
	"$DWELL" report told/run.dwell > told.report 2> told.report.err || true
	grep -q '2 programs were not recorded, as they have rights of their own (set-uid)' told.report.err told.report ||
		fail "$(cat told.report told.report.err)"
	! grep -q ': complete' told.report || fail "$(cat told.report)"
}

hows="setuid setgid"
raised plain capable 2> /dev/null && hows+=" capable"
for how in $hows; do
	test_that "$how: the agent that is linked in joins no recording" joins_nothing plain $how
	test_that "$how: likewise in a dynamic program" joins_nothing dynamic $how
done
test_that "programs that could not be recorded are told" is_told
if strace -u nobody -o trace true 2> /dev/null; then
	for name in plain dynamic sampled; do
		test_that "$name: what the environment names is not opened" opens_nothing $name setuid
	done
else
	skip "what the environment names is not opened" "no strace, or it may not trace"
fi
done_testing
