#!/bin/bash
# Which hooks a program has, found before it runs; and programs with hooks of two kinds, or with some of their own.
. "$(dirname "$0")/../lib.sh"

if [ "$(uname -m)" != x86_64 ]; then
	skip "which hooks" "not on this processor"
	done_testing
	exit
fi
specs=$("$DWELL" cflags gcc)
calls="-pg -mfentry -minstrument-return=nop5"
cat > leaf.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int leaf(int x);
__attribute__((noinline)) int leaf(int x) { __asm__ volatile("" : "+r"(x)); return x + 1; }
int main(int argc, char **argv)
{
	int s = 0;
	for (int i = 0; i < (argc > 1 ? atoi(argv[1]) : 1000); i++)
		s = leaf(s);
	printf("%d\n", s);
	return 0;
}
END

# counts NAME LEAF: main once, leaf so often, and no other function; times of both.
counts()
{
	report_csv "$1"
	columns "$1.csv" function calls total_ns | awk -F '\t' '{ print $1, $2, $3 != "" }' | sort > "$1.got"
	printf 'leaf %s 1\nmain 1 1\n' "$2" | diff - "$1.got" || fail "$(cat "$1.err")"
	whole "$1"
}

# Compiled and linked in two commands, as README says: recorded, not sampled, also where all that tells is nops.
built()
{
	local name=$1
	shift
	${CC:-gcc} -O2 "$@" -c leaf.c -o leaf.o
	case " $* " in *" -fno-pie "*) gcc -no-pie leaf.o -o "$name" ;; *) gcc leaf.o -o "$name" ;; esac
	record "$name" "./$name"
	exits "$name" 0
	counts "$name" 1000
	strip -s "$name"
	record "$name" "./$name"
	exits "$name" 0
	"$DWELL" info "$name.dwell" | grep -q '^hooks' || fail "stripped: not traced" "$(cat "$name.err")"
}
test_that "gcc, what dwell cflags prints" built pie $specs
test_that "the same, not position-independent" built fixed $specs -fno-pie
test_that "-mnop-mcount, not position-independent" built nops $calls -mnop-mcount -fno-pie
test_that "-pg -mfentry -minstrument-return" built calls $calls

# unused NAME TEXT: sampled, and the reason says what hooks it has.
unused()
{
	record "$1" "./$1"
	grep -q "^dwell: .*$2.*: sampled at" "$1.err" || fail "$(cat "$1.err")"
}
gprof()
{
	gcc -O2 -pg -mno-fentry leaf.c -o gprof # GCC 15 calls __fentry__ by default
	unused gprof "its functions call mcount, the hook of gprof"
}

# A compiler that warns of every program: of an option that it was given, or of how it was installed.
warns()
{
	[ "$("$DWELL" cflags "$1")" = "$2" ] || fail "$("$DWELL" cflags "$1" 2>&1)"
}
test_that "flags for a compiler that warns of everything: gcc" warns "gcc -Wmissing-include-dirs -I/nowhere" "$specs"
test_that "likewise: clang" warns "clang -fno-tree-ter" "$("$DWELL" cflags clang)"

test_that "-pg alone: says what hooks these are" gprof
none()
{
	gcc -O2 leaf.c -o none
	record none ./none
	grep -q '^dwell: ./none: no hooks: sampled at 997 Hz; with --trace' none.err || fail "$(cat none.err)"
}
test_that "no hooks: says so" none

# Nops at an entry that nobody put there for a hook, as assembly code and libraries have them: beside functions with hooks of each kind they are no
# hook, and there is nothing to warn of. One of them calls hooks itself; one has an instruction that the agent does not know.
cat > plain_nops.S <<'END'
	.macro function name:req, nop:vararg
	.globl \name
	.type \name, @function
\name:	.cfi_startproc
	.byte \nop
	.endm
	.macro end name:req
	ret
	.cfi_endproc
	.size \name, . - \name
	.endm
	function five, 0x0f, 0x1f, 0x44, 0, 0
	end five
	function singles, 0x90, 0x90, 0x90, 0x90, 0x90
	end singles
	function six, 0x66, 0x0f, 0x1f, 0x44, 0, 0
	end six
	function ten, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0
	jmp five
	end ten
	function unknown, 0x66, 0x0f, 0x1f, 0x44, 0, 0
	jmp 1f
	.byte 0x06
1:	end unknown
	function hooked, 0x0f, 0x1f, 0x44, 0, 0
	sub $8, %rsp
	.cfi_adjust_cfa_offset 8
	lea hooked(%rip), %rdi
	mov 8(%rsp), %rsi
	call *__cyg_profile_func_enter@GOTPCREL(%rip)
	lea hooked(%rip), %rdi
	mov 8(%rsp), %rsi
	call *__cyg_profile_func_exit@GOTPCREL(%rip)
	add $8, %rsp
	.cfi_adjust_cfa_offset -8
	end hooked
	.section .note.GNU-stack, "", @progbits
END
cat > calls_nops.c <<'END'
void five(void), singles(void), six(void), ten(void), unknown(void), hooked(void);
int leaf(int x);
__attribute__((noinline)) int leaf(int x) { five(), singles(), six(), ten(), unknown(), hooked(); return x + 1; }
int main(void) { return leaf(0) - 1; }
END
# only_nops NAME FLAGS: with the hooks of the compiler, and as the program is.
only_nops()
{
	local name=$1
	shift
	gcc -O2 -c plain_nops.S -o plain_nops.o
	${CC:-gcc} -O2 "$@" -c calls_nops.c -o calls_nops.o
	gcc calls_nops.o plain_nops.o -o "$name"
	record "$name" "./$name"
	exits "$name" 0
	[ ! -s "$name.err" ] || fail "$(cat "$name.err")"
	report_csv "$name"
	columns "$name.csv" function calls | sort > "$name.got"
	printf 'hooked\t1\nleaf\t1\nmain\t1\n' | diff - "$name.got"
	whole "$name"
}
test_that "nops at entries beside what dwell cflags prints" only_nops nops-sites $specs
test_that "nops at entries beside -finstrument-functions" only_nops nops-every -finstrument-functions -fno-tree-ter
test_that "nops at entries beside patchable entries" only_nops nops-entries -fpatchable-function-entry=5

if command -v rustc > /dev/null; then
	cat > app.rs <<-'END'
	#[no_mangle] #[inline(never)] pub fn leaf(x: u64) -> u64 { std::hint::black_box(x) + 1 }
	fn main() { let mut s = 0; for _ in 0..1000 { s = leaf(s); } println!("{}", s); }
	END
	export RUSTC_BOOTSTRAP=1
	rust_mcount()
	{
		rustc -O -Z instrument-mcount app.rs -o rust-mcount 2> rust.log || fail "$(cat rust.log)"
		unused rust-mcount "Rust's -Z instrument-mcount.*instrument-xray=always"
	}
	rust_xray()
	{
		rustc -O -Z instrument-xray=always app.rs -o rust-xray 2> rust.log || fail "$(cat rust.log)"
		record rust-xray ./rust-xray
		exits rust-xray 0
		report_csv rust-xray
		[ "$(value rust-xray leaf calls)" = 1000 ] || fail "$(cat rust-xray.csv)"
	}
	test_that "Rust, -Z instrument-mcount: says what hooks these are, and what would do" rust_mcount
	test_that "Rust, -Z instrument-xray=always" rust_xray
else
	skip "Rust" "no rustc"
fi

# Two kinds in one function: one of them counts. doubled NAME SAID FLAGS: said, or with - nothing is.
doubled()
{
	local name=$1 said=$2
	shift 2
	${CC:-gcc} -O2 "$@" leaf.c -o "$name"
	record "$name" "./$name"
	if [ "$said" = - ]; then
		exits "$name" 0
	else
		grep -q "$said" "$name.err" || fail "not said:" "$(cat "$name.err")"
	fi
	counts "$name" 1000
}
two="some functions have hooks of two kinds: those of -finstrument-functions were used"
every="-finstrument-functions -fno-tree-ter"
test_that "hooks and patched sites" doubled two-sites "$two" $specs $every
test_that "hooks and calls of __fentry__" doubled two-calls "$two" $calls $every
test_that "the same, without a PLT" doubled two-plt "$two" $calls $every -fno-plt
test_that "the same, not position-independent" doubled two-fixed "$two" $calls $every -fno-pie -no-pie
test_that "hooks and patchable entries" doubled two-entries "$two" -fpatchable-function-entry=5 $every
test_that "hooks and sites, the agent linked, static" doubled two-static "$two" $specs $every -static "$BUILD/libdwell.a" -Wl,-u,dwell_start
for nops in 5 16 7,2; do
	test_that "patchable entries, $nops, and calls of __fentry__" doubled "entry-calls-$nops" - $calls -fpatchable-function-entry=$nops
	test_that "patchable entries, $nops, and patched sites" doubled "entry-sites-$nops" - $specs -fpatchable-function-entry=$nops
done
if command -v clang > /dev/null; then
	CC=clang test_that "clang: hooks and sleds" doubled two-xray "$two" $("$DWELL" cflags clang) -finstrument-functions -Wno-unused-command-line-argument
fi

# A program that has hooks of its own of one kind keeps them, and is recorded by those of the other: its calls go to a stub then, and do not
# have all modules looked at each time.
cat > own.c <<'END'
void __fentry__(void);
__attribute__((naked, no_instrument_function)) void __fentry__(void) { __asm__("ret"); }
END
own_fentry()
{
	gcc -O2 $every -c leaf.c -o leaf.o
	gcc -O2 -c own.c -o own.o
	gcc leaf.o own.o -rdynamic -o own
	record own ./own 100000
	exits own 0
	counts own 100000
	"$DWELL" info own.dwell | grep -q '^hooks *-finstrument-functions$' || fail "$("$DWELL" info own.dwell)"
	# Calls of its own function stay calls of it.
	gcc -O2 $calls -c leaf.c -o leaf.o
	gcc leaf.o own.o -rdynamic -o own-calls
	RECORD_OPTIONS=--stream record own-calls ./own-calls
	grep -q 'hook functions of its own' own-calls.err || fail "$(cat own-calls.err)"
}
own_enter()
{
	cat > enter.c <<-'END'
	#define OFF __attribute__((no_instrument_function))
	OFF void __cyg_profile_func_enter(void *function, void *site) { (void)function, (void)site; }
	OFF void __cyg_profile_func_exit(void *function, void *site) { (void)function, (void)site; }
	END
	gcc -O2 $specs $every -c leaf.c -o leaf.o
	gcc -O2 -c enter.c -o enter.o
	gcc leaf.o enter.o -rdynamic -o own-enter
	record own-enter ./own-enter 1000
	exits own-enter 0
	counts own-enter 1000
}
# A program of two files, one of them a library of 60 functions. says COMPILER MAIN-FLAGS LIBRARY-FLAGS [LINK-FLAGS]: the report of a run
says()
{
	$1 $2 -O1 -c user.c -o user.o && $1 $3 -O1 -c library.c -o library.o && $1 $2 ${4-} user.o library.o -o parts || fail "$1 $2"
	record parts ./parts
	"$DWELL" report parts.dwell | grep -o '[0-9]* % of the code is in functions without hooks' || [ $? = 1 ]
}
library_without_hooks()
{
	local compiler flags said
	printf '%s\n' 'int all(int x);' 'int main(void) { return all(3) == 7; }' > user.c
	awk 'BEGIN {
		for (i = 0; i < 60; i++) {
			printf "int of_%d(int x) { volatile int s = x; for (int k = 0; k < x; k++) s += k * %d; return s %% %d; }\n", i, i, i + 3
			sum = sum "+ of_" i "(x)"
		}
		print "int all(int x); int all(int x) { return 0" sum "; }"
	}' > library.c
	while read -r compiler flags; do
		command -v $compiler > /dev/null || continue
		said=$(says $compiler "$flags" "")
		between 90 "${said%% *}" 99 "percent of the code without hooks, by $compiler $flags"
		grep -q "^dwell: parts.dwell: $said" parts.err || fail "record does not say it" "$(cat parts.err)"
		said=$(says $compiler "$flags" "$flags")
		[ ! "$said" ] || fail "by $compiler $flags everywhere: $said"
		! grep 'without hooks' parts.err || fail "record, by $compiler $flags everywhere"
	done <<-END
	gcc $specs
	gcc -finstrument-functions -fno-tree-ter
	gcc -finstrument-functions -fno-tree-ter -fno-plt
	clang $("$DWELL" cflags clang)
	END
}
test_that "a library that was compiled without hooks" library_without_hooks
test_that "a __fentry__ of the program's own, and other hooks" own_fentry
test_that "enter and exit hooks of the program's own, and patched sites" own_enter
done_testing
