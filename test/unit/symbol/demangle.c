#include "check.h"

#include <stdlib.h>
#include <time.h>

#include "symbol/symbol.h"

static void check_name(const char *mangled, const char *want)
{
	char *name = make_symbol_display_name(mangled);

	CHECK_STR(name, want);
	free(name);
}

TEST(names)
{
	check_name("main", "main");
	check_name("", "");
	check_name("_", "_");
	check_name("_Z", "_Z");
	check_name("_start", "_start");
	check_name("__libc_start_main", "__libc_start_main");
	check_name("_Z1fv", "f()");
	check_name("_ZN5space3boxIiE3getEi", "space::box<int>::get(int)");
	check_name("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size() const");
	check_name("_ZN1aC1Ev", "a::a()");
	check_name("_Zli2_xy", "operator\"\" _x(unsigned long long)");
	check_name("_ZTV1a", "vtable for a");
	check_name("_GLOBAL__sub_I_main", "_GLOBAL__sub_I_main");
	check_name("_Z1fvx!", "_Z1fvx!");
}

TEST(suffixes_stay_and_versions_go)
{
	check_name("work.part.0", "work.part.0");
	check_name("work.constprop.0.isra.3", "work.constprop.0.isra.3");
	check_name("_Z4workv.part.0", "work() [clone .part.0]");
	check_name("_Z4workv.cold", "work() [clone .cold]");
	check_name("memcpy@@GLIBC_2.14", "memcpy");
	check_name("memcpy@GLIBC_2.2.5", "memcpy");
	check_name("JS:*parse /app/node_modules/@scope/parser.js:7:2", "JS:*parse /app/node_modules/@scope/parser.js:7:2"); /* no linker's */
	check_name("_Z1fv@@V1", "f()");
	check_name("@", "@");
}

TEST(rust)
{
	/* as rustc 1.5x wrote them, with a hash; and as later ones do */
	check_name("_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "core::fmt::Write::write_fmt");
	check_name("_ZN3app4main17h3f0c4d2e5b6a7980E.llvm.12345", "app::main");
	check_name("_ZN47_$LT$app..Point$u20$as$u20$core..fmt..Debug$GT$3fmt17h01234567890abcdeE",
		"<app::Point as core::fmt::Debug>::fmt");
	check_name("_RNvCsdwtnLmmrTDe_3app4main", "app::main");
	check_name("_RNvNtNtCs1234_7mycrate3foo3bar3baz", "mycrate::foo::bar::baz");
	check_name("_RINvCs1234_7mycrate3maxlE", "mycrate::max::<i32>");
	check_name("_RNvMCs1234_7mycrateNtB2_3Foo3new", "<mycrate::Foo>::new");
	check_name("_RNvC7mycrateu8gdel_5qa", "mycrate::g\xc3\xb6" "del"); /* what is not ASCII */
	check_name("_ZN3app4main1hE", "app::main::h"); /* no hash: C++ */
	check_name("_R", "_R");
	check_name("_RNv", "_RNv");
}

TEST(d)
{
	check_name("_Dmain", "D main");
	check_name("_D3app3fibFiZi", "app.fib(int)");
	check_name("_D3app3Box4areaMFZi", "app.Box.area()");
	check_name("_D3app3Box6__ctorMFiZCQuQs", "app.Box.this(int)");
	check_name("_D3app3Box3getMxFNaZi", "app.Box.get() const");
	check_name("_D3app__T4ListTiZQi4pushMFNbNfiZv", "app.List!(int).List.push(int)");
	check_name("_D3std5stdio4File__T5writeTAyaTlTaZQpMFNfQolaZv",
		"std.stdio.File.write!(immutable(char)[], long, char).write(immutable(char)[], long, char)");
	check_name("_D3app3fibFiZi.part.0", "app.fib(int) [clone .part.0]");
	check_name("_D3app3fibFiZi!", "_D3app3fibFiZi!");
	check_name("_D", "_D");
	check_name("_Dsomething", "_Dsomething");
	check_name("_DYNAMIC", "_DYNAMIC");
}

TEST(fortran)
{
	check_name("__shapes_MOD_box_area", "shapes::box_area");
	check_name("__shapes_MOD___copy_shapes_Box", "shapes::__copy_shapes_Box");
	check_name("__shapes.circles_MOD_area", "shapes.circles::area"); /* of a submodule */
	check_name("__shapes_MOD_fib.constprop.0", "shapes::fib.constprop.0");
	check_name("MAIN__", "MAIN__");
	check_name("work_", "work_");
	check_name("__shapes_MOD_", "__shapes_MOD_");
	check_name("___MOD_f", "___MOD_f");
	check_name("__Shapes_MOD_f", "__Shapes_MOD_f"); /* C's, perhaps: gfortran writes small letters */
	check_name("shapes_MOD_f", "shapes_MOD_f");
}

static void check_plain(const char *mangled, const char *want)
{
	char *name = make_symbol_plain_name(mangled);

	CHECK_STR(name ? name : "(none)", want);
	free(name);
}

TEST(plain_names)
{
	check_plain("_Z1fv", "f");
	check_plain("_ZN5space3boxIiE3getEi", "space::box<int>::get");
	check_plain("_ZNKSt6vectorIiSaIiEE4sizeEv", "std::vector<int, std::allocator<int> >::size");
	check_plain("_Z3maxIiET_S0_S0_", "max<int>");
	check_plain("_ZN1aclEi", "a::operator()");
	check_plain("_Z1fv.constprop.0", "f");
	check_plain("_D3app3Box4areaMFZi", "app.Box.area");
	check_plain("_D3app3Box3getMxFNaZi", "app.Box.get");
	check_plain("_D3app__T4ListTiZQi4pushMFNbNfiZv", "app.List!(int).List.push");
	check_plain("_D3app4listS3app__T4ListTiZQi", "app.list");
	check_plain("_D3app3fibFiZi.part.0", "app.fib");
	check_plain("_Dmain", "D main");
	check_plain("__shapes_MOD_fib", "shapes::fib");
	check_plain("__shapes_MOD_fib.constprop.0.isra.0", "shapes::fib");
	check_plain("__shapes_MOD_.isra.0", "shapes::.isra.0");
	check_plain("read [disk]", "read");
	check_plain("finish_task_switch.isra.0 [kernel]", "finish_task_switch");
	check_plain(" [disk]", "(none)");
	check_plain("]", "(none)");
	check_plain("main", "(none)");
	check_plain("f.constprop.0.isra.0", "f");
	check_plain("f.isra.0.constprop.0", "f");
	check_plain("f.part.0", "(none)");
	check_plain("f.part.0.constprop.0", "(none)");
	check_plain("f.constprop.0.cold", "(none)");
	check_plain(".isra.0", "(none)");
	check_plain("", "(none)");
	check_plain("_Zx!", "(none)");
}

/* f(name<int>, name<int>, …), longer than libiberty takes by itself; and longer than is taken at all. */
TEST(templates_have_long_names)
{
	static const char part[] = "24a_rather_long_class_nameIiE", shown[] = "a_rather_long_class_name<int>, ";

	for (size_t times = 30; times <= 600; times += 190) {
		char *mangled = malloc(sizeof part * times + 64), *end = stpcpy(mangled, "_Z1f"), *name;

		for (size_t i = 0; i < times; i++)
			end = stpcpy(end, part);
		name = make_symbol_display_name(mangled);
		if (strlen(mangled) <= 16384) {
			CHECK(!strncmp(name, "f(a_rather_long_class_name<int>, a_", 35));
			CHECK_EQ(strlen(name), strlen(shown) * times - 2 + strlen("f()"));
		} else {
			CHECK_STR(name, mangled);
		}
		free(name);
		free(mangled);
	}
}

/* Text without end from few bytes, recursion without end, and simply long: each costs the same small bound. */
static void check_bounded(const char *mangled)
{
	clock_t began = clock();
	char *name = make_symbol_display_name(mangled);

	CHECK(name);
	CHECK(name && strlen(name) <= SYMBOL_DISPLAY_BYTES_MAX + 3);
	CHECK((clock() - began) / CLOCKS_PER_SEC < 2);
	free(name);
}

/* prefix, then times × part, then suffix */
static void check_repeated(const char *prefix, const char *part, size_t times, const char *suffix)
{
	char *mangled = malloc(strlen(prefix) + times * strlen(part) + strlen(suffix) + 1), *end = stpcpy(mangled, prefix);

	for (size_t i = 0; i < times; i++)
		end = stpcpy(end, part);
	stpcpy(end, suffix);
	check_bounded(mangled);
	free(mangled);
}

TEST(long_names)
{
	static const size_t lengths[] = {100, 500, 1000, 1023, 1024, 1025, 4096, 16383, 16384, 65535, 65536, 65537, 1 << 20};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		check_repeated("", "n", lengths[i], "");
		check_repeated("_Z1f", "i", lengths[i], "");
		check_repeated("_Z1f", "P", lengths[i], "i");
		check_repeated("_Z1f", "F", lengths[i], "");
		check_repeated("_ZN", "1a", lengths[i] / 2, "E");
		check_repeated("_Z1fI", "1aI", lengths[i] / 3, "E");
		check_repeated("_Z", "Z", lengths[i], "");
		check_repeated("_Z1fDp", "Dp", lengths[i] / 2, "");
		check_repeated("_Z1fX", "cv", lengths[i] / 2, "");
		check_repeated("_Z1fI", "RT_", lengths[i] / 3, "E");
		check_repeated("_Z1fI", "RT_1aIiE", lengths[i] / 8, "Eii");
		check_repeated("_RNv", "C1a", lengths[i] / 3, "");
		check_repeated("_R", "I", lengths[i], "");
		check_repeated("_RINvC1a1b", "R", lengths[i], "lE");
		check_repeated("_D1a", "FS1b", lengths[i] / 4, ""); /* each read twice, in the other */
		check_repeated("_D1a", "__T1bZFS1b", lengths[i] / 10, "");
		check_repeated("_D1a", "__T1bS1234", lengths[i] / 10, "");
		check_repeated("_D", "3abc__T1bS", lengths[i] / 10, "");
		check_repeated("_D1aFHii", "HQcQe", lengths[i] / 5, "Zv"); /* each twice as long as the last */
		check_repeated("_D1aFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1b", "A", lengths[i], "");
		check_repeated("_D1aFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1bFS1b", "HiHi", lengths[i] / 4, "");
		check_repeated("_D1aF", "P", lengths[i], "iZv");
		check_repeated("_D1aF", "H", lengths[i], "iZv");
		check_repeated("_D1aF", "Qb", lengths[i] / 2, "Zv");
		check_repeated("_D1aFG", "1", lengths[i], "iZv");
		check_repeated("_D", "1a", lengths[i] / 2, "FZv");
		check_repeated("_DQ", "A", lengths[i], "b");
		check_repeated("__m_MOD_", "a", lengths[i], "");
	}
	{
		char *name = malloc((1 << 20) + 1), *shown;

		memset(name, 'n', 1 << 20);
		name[1 << 20] = 0;
		shown = make_symbol_display_name(name);
		CHECK_EQ(strlen(shown), SYMBOL_DISPLAY_BYTES_MAX + 3);
		CHECK_STR(shown + SYMBOL_DISPLAY_BYTES_MAX, "...");
		free(shown);
		free(name);
	}
}

/* f(a<X, X>) where X is the parameter before, each twice as long as the last. */
TEST(text_without_end)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char mangled[1024], *end = stpcpy(mangled, "_Z1f1aIiiE"), *name;

	for (size_t i = 0; i < 60; i++) { /* S_ is a, S0_ is a<int, int>, S1_ is a<S0_, S0_>, … */
		char number[4] = "", substitution[16];

		if (i >= 36)
			snprintf(number, sizeof number, "%c%c", digits[i / 36], digits[i % 36]);
		else
			snprintf(number, sizeof number, "%c", digits[i]);
		snprintf(substitution, sizeof substitution, "S%s_", number);
		end += snprintf(end, 32, "S_I%s%sE", substitution, substitution);
	}
	CHECK((size_t)(end - mangled) < sizeof mangled);
	check_bounded(mangled);
	name = make_symbol_display_name(mangled);
	CHECK_EQ(strlen(name), SYMBOL_DISPLAY_BYTES_MAX + 3); /* the test is one: it did grow */
	free(name);
}

static void check_any_bytes(const char *alphabet, const char *prefix)
{
	size_t letters = strlen(alphabet), begun = strlen(prefix);
	uint32_t seed = 3;

	for (int round = 0; round < 20000; round++) {
		char mangled[200] = "";
		size_t bytes = begun + 1 + (size_t)round % 190;

		strcpy(mangled, prefix);
		for (size_t i = begun; i < bytes; i++) {
			seed = seed * 1664525u + 1013904223u;
			mangled[i] = alphabet[(seed >> 16) % letters];
		}
		check_bounded(mangled);
	}
}

TEST(any_bytes)
{
	check_any_bytes("_ZNSIEPKRFLXTDIJCabcdefgilmnopstuvxyz0123456789.$@\xff", "_Z");
	check_any_bytes("_TDSSSFFMQQQABbcdefiHHPAZZ1111112345x", "_D1a");
	check_any_bytes("FSH1bQcQdZ", "_D1aF");
	check_any_bytes("TS1bQcQd_TZ", "_D1a__T1b");
}

int main(void)
{
	RUN(names);
	RUN(suffixes_stay_and_versions_go);
	RUN(rust);
	RUN(d);
	RUN(fortran);
	RUN(plain_names);
	RUN(templates_have_long_names);
	RUN(long_names);
	RUN(text_without_end);
	RUN(any_bytes);
	return tap_done();
}
