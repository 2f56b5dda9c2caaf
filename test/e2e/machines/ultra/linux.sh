# Sourced by the drivers of osProfile… on Linux, behind lib.sh: the host, the program by both libraries, and a run of it.
build_fetch || { echo "not ok 1 - the host"; echo 1..1; exit 1; }
for form in PROF PROF_d; do
	gcc -O2 -Wall -Wextra -Werror -I"$ROOT/include" "$ultra/linux.c" "$ultra/ratio.c" "$BUILD/lib/libultra.$form.a" -pthread -o "$form" || exit 1
done

# bias FETCHED: of the program's own text
bias()
{
	local start
	start=$(readelf -lW "./$2" | awk '$1 == "LOAD" && /R E/ { print $3; exit }')
	awk -v name="$PWD/$2" '$1 == "segment" && $5 == name { print $2 }' "$1" | perl -e 'no warnings; printf "%x\n", hex(<STDIN>) - hex($ARGV[0])' "$start"
}

run() # PROGRAM ARGUMENTS: in the background, with $port; no test waits for its end
{
	port=$(free_port)
	OSPROF_LINK=${link-tcp-listen:}$port "./$1" "${@:2}" > out 2> err &
	program=$!
	[ -n "${link-}" ] || listens $port
}

ends()
{
	kill -USR1 $program
	wait $program || fail "status $?" "$(cat out err)"
	[ ! -s err ] || fail "$(cat err)"
}
