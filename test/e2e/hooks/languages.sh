#!/bin/bash
# doc/languages.md: Fortran, D, Rust, and C in a Go program. Each is built with the flags of `dwell cflags`, and without; then recorded by its
# hooks, and by --trace. The calls of each function are those that the program itself counted, under the names that its people know.
# A compiler that is not here is skipped: all of them together take half a gigabyte.
. "$(dirname "$0")/../lib.sh"

[ "$(uname -m)" = x86_64 ] || { echo "1..0 # SKIP the flags and --trace are for x86-64 alone"; exit; }
export XDG_CACHE_HOME=$work/cache HOME=${HOME:-$work} GOCACHE=$work/go GOFLAGS=-mod=mod

# agrees NAME OPTIONS: records NAME, and compares what it counted.
agrees()
{
	RECORD_OPTIONS=$2 record "$1" "./$1"
	[ "$(cat "$1.status")" = 0 ] || fail "exit status $(cat "$1.status")" "$(cat "$1.err")"
	report_csv "$1"
	sed -n 's/^count \(.*\) \([0-9]*\)$/\1\t\2/p' "$1.out" | LC_ALL=C sort > "$1.want"
	[ -s "$1.want" ] || fail "the program counted nothing:" "$(head "$1.out" "$1.err")"
	columns "$1.csv" function calls > "$1.all"
	# Of all that was recorded, those that were counted.
	awk -F '\t' 'NR == FNR { counted[$1]; next } $1 in counted' "$1.want" "$1.all" | LC_ALL=C sort > "$1.got"
	diff "$1.want" "$1.got" || fail "(< counted by the program, > reported)" "$(cat "$1.all")"
	"$DWELL" info "$1.dwell" > "$1.info" || fail "$(cat "$1.info")"
}

# builds NAME FLAGS: the program of a language.
fortran() { gfortran -O2 -fno-inline $2 "$prog/languages/shapes.f90" -o "$1"; }
gdc_d() { gdc -O2 -fno-inline $2 "$prog/languages/shapes.d" -o "$1"; }
ldc_d() { ldc2 -O2 $2 "$prog/languages/shapes.d" -of="$1"; }
rust() { RUSTC_BOOTSTRAP=1 rustc -O --crate-name shapes $2 "$prog/languages/shapes.rs" -o "$1"; }
cgo() { (cd "$prog/languages/cgo" && CGO_ENABLED=1 CGO_CFLAGS="-O2 $2" go build -o "$work/$1" .); }

# both LANGUAGE COMPILER FLAGS_OF BUILD: by the hooks of `dwell cflags FLAGS_OF`, and by --trace
both()
{
	local language=$1 compiler=$2 flags_of=$3 build=$4
	if ! command -v "$compiler" > /dev/null; then
		skip "$language" "no $compiler"
		return
	fi
	with_hooks()
	{
		"$build" "$build-hooks" "$("$DWELL" cflags "$flags_of" 2> flags.log)" > build.log 2>&1 || fail "$(cat flags.log build.log)"
		agrees "$build-hooks" ""
	}
	as_it_is()
	{
		"$build" "$build-plain" "" > build.log 2>&1 || fail "$(cat build.log)"
		agrees "$build-plain" --trace
	}
	test_that "$language: hooks of dwell cflags" with_hooks
	test_that "$language: --trace" as_it_is
}
both "Fortran" gfortran gfortran fortran
both "D, of GCC" gdc gdc gdc_d
both "D, of LLVM" ldc2 ldc2 ldc_d
both "Rust" rustc rustc rust
both "C in a Go program" go gcc cgo

go_has_none()
{
	local status=0
	"$DWELL" cflags go > go.out 2> go.err || status=$?
	[ $status = 2 ] && [ ! -s go.out ] && grep -q 'CGO_CFLAGS' go.err || fail "status $status" "$(cat go.out go.err)"
}
if command -v go > /dev/null; then test_that "Go itself: dwell cflags names cgo's variable" go_has_none; else skip "Go itself" "no go"; fi

# Patterns are the names of reports, and without arguments.
# chooses BUILD PATTERN FUNCTION CALLS: that it is the only one.
chooses()
{
	$1 chosen "" > build.log 2>&1 || fail "$(cat build.log)"
	RECORD_OPTIONS="--trace --only $2" record chosen ./chosen
	report_csv chosen
	columns chosen.csv function calls > chosen.got
	printf '%s\t%s\n' "$3" "$4" | diff - chosen.got
}
if command -v gfortran > /dev/null; then test_that "Fortran: a pattern" chooses fortran "shapes::f*" shapes::fibonacci 1973; else skip "Fortran: a pattern" "no gfortran"; fi
if command -v gdc > /dev/null; then test_that "D: a pattern" chooses gdc_d shapes.Square.area "shapes.Square.area() const" 1000; else skip "D: a pattern" "no gdc"; fi
done_testing
