/* Why a program has no hooks that can be used: by what it is made of, not by what it speaks of. (Those that have them:
 * test/e2e/read/messages.sh.) */
#include "check.h"
#include "record/program/explain.h"

/* This program speaks of hooks, as dwell does, and of what spoils them. */
static const char *volatile spoken[] = {"__fentry__", "__patchable_function_entries", "__cyg_profile_func_enter", ".lto_priv",
	"GNU GIMPLE", "\0\0\0\0\x41\xff\xd2", "\x4d\x01\xda\x41\xff\xd2", "\xeb\x09\x66\x0f\x1f\x84\0\0\x02\0\0"};

TEST(strings_are_no_hooks)
{
	const char *why = explain_why_hooks_unfound("/proc/self/exe");

	CHECK(spoken[0][0] == '_');
	if (why)
		printf("# %s\n", why);
	CHECK(!why);
}

int main(void)
{
	RUN(strings_are_no_hooks);
	return tap_done();
}
