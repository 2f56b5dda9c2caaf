#!/bin/bash
# dwell is installed into a folder of its own, and doc/build-systems.md is done as it says: all of its commands that name this file are run. Then
# what these CMake and Meson projects record is compared with what the programs do, and a run that is not recorded must leave no gmon.out.
. "$(dirname "$0")/../lib.sh"

for tool in cmake ninja meson pkg-config; do
	command -v $tool > /dev/null || { skip "build systems" "no $tool"; done_testing; exit; }
done
# As a reader has it: the example projects, and `make` in dwell's folder.
cp -r "$ROOT/examples" "$ROOT/README.md" .
printf '%%:\n\t@flock "%s/makes.lock" $(MAKE) -s -C "%s" BUILD="%s" $@\napp: app.c\n\t$(CC) $(CFLAGS) $< -o $@\nMakefile: ;\n' "$BUILD" "$ROOT" "$BUILD" > Makefile
mkdir home
export HOME=$work/home PATH=${PATH#"$BUILD":}
unset CC CXX CFLAGS CXXFLAGS LDFLAGS CMAKE_PREFIX_PATH PKG_CONFIG_PATH
export CMAKE_GENERATOR=Ninja
installed=$HOME/.local

# The commands of the page, each once, in its order.
awk -v test="test/e2e/packages/build_systems.sh" '
	/^<!-- not run: / { marked = index($0, ": " test " ") > 0; next }
	/^```/ { inside = !inside && marked; if (!inside) marked = 0; next }
	inside' "$ROOT/doc/build-systems.md" > commands
page()
{
	[ "$(wc -l < commands)" -gt 30 ] || fail "few commands: $(cat commands)"
	bash -ex commands < /dev/null
	[ ! -e gmon.out ] || fail "gmon.out"
}
test_that "all commands of the page" page
PATH=$installed/bin:$PATH DWELL=$installed/bin/dwell
export CMAKE_PREFIX_PATH=$installed PKG_CONFIG_PATH=$installed/lib/pkgconfig
test_that "dwell is the one that was installed" test "$(command -v dwell)" = "$DWELL"

# plain COMMAND ...: as it runs by itself
plain()
{
	rm -f gmon.out
	"$@" > plain.out
	[ ! -e gmon.out ] || fail "$1 wrote gmon.out"
	! nm "$1" | grep -wE '_?mcount|monstartup|__xray_init' || fail "a run time of a compiler's own was linked"
}
# calls RECORDING FUNCTION: how often it was called
calls()
{
	"$DWELL" report --csv "$1" | columns /dev/stdin function calls | awk -F '\t' -v name="$2" '$1 == name { print $2 }'
}
# words FOLDER [FLAGS OF CMAKE]: a folder that is there already is configured anew with these flags, which does not look at the compilers again
words()
{
	local folder=$1
	shift
	[ $# = 0 ] || { cmake -S examples/cmake -B "$folder" "$@" && cmake --build "$folder"; }
	plain "$folder/words" README.md
	"$DWELL" record -o words.dwell "$folder/words" README.md
	[ "$(calls words.dwell table_count)" = "$(wc -w < README.md)" ] || fail "$("$DWELL" report words.dwell)"
	[ "$(calls words.dwell main)" = 1 ] # C++
	[ "$(calls words.dwell 'mark: file counted')" = 1 ] || fail "no mark"
	whole words
	"$folder/slowest" words.dwell | grep -q ' ms  '
}
life()
{
	[ -d "$1" ] || { meson setup "$@" && meson compile -C "$1"; }
	plain "$1/life" 100
	"$DWELL" record -o life.dwell "$1/life" 100
	[ "$(calls life.dwell count_neighbours)" = $((100 * 96 * 64)) ] || fail "$("$DWELL" report life.dwell)"
	[ "$(calls life.dwell step)" = 100 ]
	whole life
	"$1/slowest" life.dwell | grep -q count_neighbours
}
test_that "CMake, GCC" words cmake-build
test_that "CMake, GCC, flags from outside" words cmake-flags
test_that "CMake, GCC, without the flags" plain cmake-plain/words README.md
test_that "Meson, GCC" life meson-build
test_that "Meson, GCC, flags from outside" life meson-flags
if command -v clang > /dev/null; then
	test_that "CMake, Clang" words cmake-clang -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release
	test_that "CMake, Clang, flags from outside" words cmake-clang -DTRACE=OFF -DCMAKE_BUILD_TYPE= \
		-DCMAKE_C_FLAGS="$(dwell cflags clang)" -DCMAKE_CXX_FLAGS="$(dwell cflags clang++)"
	test_that "Meson, Clang" env CC=clang bash -ec "$(declare -f fail columns plain calls life whole; declare -p csv_rules); DWELL=$DWELL; life meson-clang examples/meson"
else
	skip "Clang" "not installed"
fi

# Link-time optimisation compiles when it links. What it leaves of functions is its affair.
test_that "CMake, GCC, link-time optimisation" words cmake-flags -DTRACE=ON -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON \
	-DCMAKE_C_FLAGS=-fno-inline -DCMAKE_CXX_FLAGS=-fno-inline

# Where GCC cannot be given dwell's file.
without_specs()
{
	mkdir alone
	cp "$(readlink -f "$(command -v dwell)")" "$installed/lib/libdwell.so.1" alone
	flags=$(alone/dwell cflags gcc)
	[[ $flags != *specs* ]] || fail "$flags"
	# shellcheck disable=SC2086
	gcc -O2 -pthread $flags app.c -o without
	plain ./without 100
	alone/dwell record -o without.dwell ./without 100
	[ "$(calls without.dwell is_prime)" = 100 ]
}
test_that "GCC without dwell's file of specs" without_specs

# The option that the page shows for a project of one's own, and with no more than bin in PATH.
own()
{
	local state
	mkdir own
	{
		printf 'cmake_minimum_required(VERSION 3.18)\nproject(own C)\nfind_package(Threads REQUIRED)\n'
		printf 'add_executable(app ../examples/first/app.c)\ntarget_link_libraries(app PRIVATE Threads::Threads)\n'
		awk '/^option\(DWELL "Compile so/, /^endif/' "$ROOT/doc/build-systems.md"
	} > own/CMakeLists.txt
	grep -q dwell::trace own/CMakeLists.txt
	for state in ON OFF; do
		env -u CMAKE_PREFIX_PATH cmake -S own -B own/build -DDWELL=$state -DCMAKE_BUILD_TYPE=RelWithDebInfo
		cmake --build own/build
		cp own/build/app own/$state
		plain own/$state 100
	done
	[ "$(sed -n 's/^dwell_DIR:PATH=//p' own/build/CMakeCache.txt)" = "$installed/lib/cmake/dwell" ] || fail "$(grep dwell_DIR own/build/CMakeCache.txt)"
	"$DWELL" record -o own.dwell own/ON 100
	[ "$(calls own.dwell is_prime)" = 100 ] || fail "$("$DWELL" report own.dwell)"
	! grep -q specs= own/build/build.ninja || fail "dwell without the option"
}
test_that "CMake: an option of one's own, dwell found by PATH" own

# The targets that the example has no use for; and what is asked for in vain.
targets()
{
	mkdir targets
	cat > targets/CMakeLists.txt <<-'END'
	cmake_minimum_required(VERSION 3.18)
	project(targets C)
	find_package(Threads REQUIRED)
	find_package(dwell 1.0 REQUIRED COMPONENTS trace every dwell_static read_static command)
	find_package(dwell 1.0 EXACT REQUIRED)
	add_executable(app ../examples/first/app.c)
	target_link_libraries(app PRIVATE dwell::trace dwell::dwell_static Threads::Threads -static)
	add_executable(inlined inlined.c)
	target_compile_options(inlined PRIVATE -O2)
	target_link_libraries(inlined PRIVATE dwell::every)
	add_executable(slowest ../examples/read/slowest.c)
	target_link_libraries(slowest PRIVATE dwell::read_static)
	message(STATUS "dwell is ${dwell_VERSION}")
	foreach(asked "99" "0.1" "1.99" "2.0")
		find_package(dwell ${asked} QUIET)
		message(STATUS "dwell ${asked}: ${dwell_FOUND}")
	endforeach()
	find_package(dwell QUIET COMPONENTS nonsense)
	message(STATUS "dwell nonsense: ${dwell_FOUND}")
	END
	cat > targets/inlined.c <<-'END'
	static inline int tiny(int n)
	{
	    return n * 2;
	}
	int main(int count, char **words)
	{
	    int sum = count;

	    for (int i = 0; i < 100; i++)
	        sum += tiny(sum + words[0][0]);
	    return sum == 1;
	}
	END
	sed -i "s/dwell 1.0 EXACT/dwell $(dwell -V | cut -d' ' -f2) EXACT/" targets/CMakeLists.txt
	cmake -S targets -B targets/build > targets.log || fail "$(cat targets.log)"
	grep -q "dwell is $(dwell -V | cut -d' ' -f2)" targets.log
	for asked in 99 0.1 1.99 2.0 nonsense; do
		grep -qE "dwell $asked: (0|FALSE)$" targets.log || fail "$(cat targets.log)"
	done
	cmake --build targets/build
	plain targets/build/app 100
	"$DWELL" record -o static.dwell targets/build/app 100
	[ "$(calls static.dwell is_prime)" = 100 ]
	targets/build/slowest static.dwell | grep -q is_prime
	grep -qF "set(_dwell_gcc_every $(dwell cflags --every gcc))" "$installed/lib/cmake/dwell/dwell-config.cmake"
	plain targets/build/inlined
	"$DWELL" record -o inlined.dwell targets/build/inlined
	[ "$(calls inlined.dwell tiny)" = 100 ] || fail "$("$DWELL" report inlined.dwell)"
	readelf -d targets/build/slowest > needs
	! grep libdwell needs
}
# One line for a project with static libraries: functions of the library have hooks, which target_link_libraries of the program alone
# does not give them.
whole_project()
{
	mkdir -p project/lib
	{
		echo 'cmake_minimum_required(VERSION 3.18)'
		echo 'project(whole C)'
		awk '/^option\(DWELL "Compile the whole/, /^endif/' "$ROOT/doc/build-systems.md"
		echo 'add_subdirectory(lib)'
		echo 'add_executable(app main.c)'
		echo 'target_link_libraries(app PRIVATE work)'
	} > project/CMakeLists.txt
	grep -q 'link_libraries(dwell::trace)' project/CMakeLists.txt || fail "doc/build-systems.md has no line for a whole project"
	echo 'add_library(work STATIC work.c)' > project/lib/CMakeLists.txt
	printf 'int in_library(int n) { return n + 1; }\n' > project/lib/work.c
	printf 'int in_library(int n);\nint main(void) { int n = 0; while (n < 100) n = in_library(n); return 0; }\n' > project/main.c
	cmake -S project -B whole-build -DDWELL=ON -DCMAKE_AR="$(command -v gcc-ar)" -DCMAKE_RANLIB="$(command -v gcc-ranlib)" > cmake.log 2>&1 && cmake --build whole-build >> cmake.log 2>&1 || fail "$(cat cmake.log)"
	"$DWELL" record -o whole.dwell whole-build/app
	[ "$(calls whole.dwell in_library)" = 100 ] || fail "$("$DWELL" report whole.dwell)"
}
test_that "CMake: one line for a whole project" whole_project
test_that "CMake: static targets, versions and components" targets

# CMake finds all of it where the folder is then. The old folder must not be what it finds: that is gone.
moved()
{
	mkdir elsewhere
	cat > elsewhere/CMakeLists.txt <<-'END'
	cmake_minimum_required(VERSION 3.18)
	project(elsewhere C)
	find_package(dwell REQUIRED)
	find_package(Threads REQUIRED)
	add_executable(app ../examples/first/app.c)
	target_link_libraries(app PRIVATE dwell::dwell dwell::trace Threads::Threads)
	add_executable(slowest ../examples/read/slowest.c)
	target_link_libraries(slowest PRIVATE dwell::read)
	add_custom_target(profile COMMAND dwell::command record -o elsewhere.dwell -- $<TARGET_FILE:app> 100)
	END
	mv "$installed" "$work/moved"
	local DWELL=$work/moved/bin/dwell
	CMAKE_PREFIX_PATH=$work/moved cmake -S elsewhere -B elsewhere/build
	cmake --build elsewhere/build
	plain elsewhere/build/app 100
	cmake --build elsewhere/build --target profile
	cp elsewhere/build/elsewhere.dwell .
	[ "$(calls elsewhere.dwell is_prime)" = 100 ] || fail "$("$DWELL" report elsewhere.dwell)"
	whole elsewhere
	elsewhere/build/slowest elsewhere.dwell | grep -q is_prime
	mv "$work/moved" "$installed"
}
test_that "CMake: the installed folder was moved" moved
done_testing
