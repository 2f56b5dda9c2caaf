#!/bin/bash
# The C6000 profiler's hooks in Linux programs: libhook.a and its forms. What they record is what the program counted, by the addresses that its
# symbols have.
. "$(dirname "$0")/../lib.sh"
make -s -C "$ROOT" hook BUILD="$BUILD" > make.log 2>&1 || { echo "not ok 1 - make hook"; sed 's/^/# /' make.log; echo 1..1; exit 1; }

# records_agree FORM COMPILER FLAGS ...
records_agree()
{
	local form=$1
	shift
	"$@" -Wall -Wextra -Werror -O1 -falign-functions=4 -I"$ROOT/include" "$ROOT/test/e2e/machines/hook/linux.c" "${library-$BUILD/lib/libhook$form.a}" -o program
	timeout -k 5 60 ${emulator-} ./program > out
	nm program | awk '$2 ~ /[tTrR]/ { print $1, $3 }' > symbols
	od -An -v -tu4 -w12 dump.bin > records
	awk -v form="$form" '
		BEGIN { CONVFMT = "%.0f" }
		function hex(text,    i, value) {
			for (i = 1; i <= length(text); i++)
				value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
			return value
		}
		function complain(what) {
			print "record " count ": " $0 ": " what
			bad = 1
		}
		# The function that a place is in, or the name that it is of.
		function name_of(place,    i, best) {
			for (i = 1; i <= symbols; i++)
				if (address[i] <= place && (!best || address[i] > address[best]))
					best = i
			if (form != ".none" && address[best] != place)
				complain("no symbol")
			sub(/_name$/, "", name[best])
			return name[best]
		}
		FNR == 1 { file++ }
		file == 1 && $2 ~ /^(leaf|node|main)(_name)?$/ { address[++symbols] = hex($1); name[symbols] = $2 }
		file == 2 { said[$1] = $2 }
		file < 3 { next }
		{
			count++
			type = $1 % 4
			time = $3 * 4294967296 + $2
			if (time < before)
				complain("time goes back")
			if (type >= 2) {
				switched = switched " " $1
			} else if (type == 0) {
				stack[++depth] = name_of($1)
				calls[stack[depth]]++
			} else if (!depth || stack[depth--] != name_of($1 - 1)) {
				complain("this is not open")
			}
			before = time
		}
		END {
			print count " records, " calls["leaf"] " and " calls["node"] " calls"
			exit bad || depth || count != said["records"] || count != 2 * (said["leaf"] + said["node"]) + 4 || switched != " 3 4658 4659 17762" ||
				calls["leaf"] != said["leaf"] || calls["node"] != said["node"]
		}' symbols out records
}

# The library's file for another processor, whose programs are emulated.
on_aarch64()
{
	make -s -C "$ROOT" CC=aarch64-linux-gnu-gcc BUILD="$PWD/aarch64" "$PWD/aarch64/lib/libhook.a"
	library=aarch64/lib/libhook.a emulator=qemu-aarch64
	records_agree "" aarch64-linux-gnu-gcc -finstrument-functions -static
}

# A buffer of another size: hook.c is compiled with the program, with the folders of doc/hooks.md.
another_size()
{
	local size=-DMAX_PROFILE_RECORD_NUM=8192
	"$1" -O1 -Wall -Wextra -Werror $size "${@:2}" -I"$ROOT/include" -I"$ROOT" -I"$ROOT/target" -c "$ROOT/classic/target/face/c6000/hook.c" -o hook.o
	library=hook.o
	records_agree "" "$1" $size -finstrument-functions
	[ "$(nm -S program | awk '$4 == "ProfileData" { print $2 }')" = 0000000000018000 ] || fail "$(nm -S program)"
}

for compiler in gcc clang; do
	command -v $compiler > /dev/null || { skip "$compiler" "not installed"; continue; }
	test_that "$compiler: -finstrument-functions" records_agree "" $compiler -finstrument-functions -pie -fPIE
	test_that "$compiler: the same at fixed addresses" records_agree "" $compiler -finstrument-functions -no-pie -fno-pie
	test_that "$compiler: linked statically" records_agree "" $compiler -finstrument-functions -static
	test_that "$compiler: hook.c with the program, with a buffer of another size" another_size $compiler
	test_that "$compiler: the same, circular" another_size $compiler -DHOOK_CIRCULAR
	test_that "$compiler: the circular form" records_agree .circular $compiler -finstrument-functions
	test_that "$compiler: hooks that get names" records_agree .name $compiler -DHOOK_PARM=HOOK_PARM_NAME
	test_that "$compiler: hooks that get nothing" records_agree .none $compiler -DHOOK_PARM=HOOK_PARM_NONE
done
if command -v aarch64-linux-gnu-gcc > /dev/null && command -v qemu-aarch64 > /dev/null; then
	test_that "AArch64" on_aarch64
else
	skip "AArch64" "no aarch64-linux-gnu-gcc or no qemu-aarch64"
fi
done_testing
