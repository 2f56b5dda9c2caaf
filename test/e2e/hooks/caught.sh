#!/bin/bash
# Exceptions in every place, and what runs behind main.
. "$(dirname "$0")/../lib.sh"

# What the compiler and the library add: initialisation, exception_ptr, atoi.
others='^(std::|TLS |_GLOBAL__|_sub_I_|__tls_init|__static_init|__cxx_global|thread-local|atoi)'

# caught_by HOW CATCHERS OF_THROWER: who calls after, and thrower
caught_by()
{
	local name=$CXX-$1
	record "$name" "./$CXX-caught" "$1" 200
	exits "$name" 0
	counts_agree "$name" "$others"
	only_called_by "$name" after "$2"
	only_called_by "$name" thrower "$3"
	whole "$name"
}
# A function that catches and is part of its caller: by the call site alone its caller has caught. What it calls next is its caller's then,
# and where its own exit fits nothing, that is said. All calls are counted.
inlined()
{
	local name=$CXX-inlined
	record "$name" "./$CXX-caught" inlined 200
	exits "$name" 0
	report_csv "$name" || grep -q '200 exits match no open call' "$name.report.err" || fail "$(cat "$name.report.err")"
	for function in inlined part_of_it thrower; do
		[ "$(value "$name" $function calls)" = 200 ] || fail "calls of $function:" "$(cat "$name.csv")"
	done
	[ "$(value "$name" after calls)" = 400 ] || fail "calls of after:" "$(cat "$name.csv")"
}
all()
{
	compile "$CXX-caught" caught.cc
	caught_by nested nested nested
	caught_by pointer "keep throw_again pointer" keep
	caught_by thread catches catches
	caught_by far far deep
	caught_by c c c_frame
	inlined
	caught_by function "Whole::Whole() function" "Part::Part()"
}
behind_main()
{
	record "$CXX-local" "./$CXX-caught" local 1
	exits "$CXX-local" 0
	counts_agree "$CXX-local" "$others"
	[ "$(value "$CXX-local" 'Object::~Object()' calls)" = 12 ] || fail "$(cat "$CXX-local.csv")"
	whole "$CXX-local"
	record "$CXX-destructor" "./$CXX-caught" destructor 1
	[ "$(cat "$CXX-destructor.status")" = 134 ] || fail "status $(cat "$CXX-destructor.status"), expected 134"
	counts_agree "$CXX-destructor" "$others"
	whole "$CXX-destructor"
}

for CXX in g++ clang++; do
	command -v $CXX > /dev/null || { skip "$CXX" "not installed"; continue; }
	test_that "$CXX: exceptions in every place" all
	test_that "$CXX: thread_local and static objects, abort in a destructor" behind_main
done
done_testing
