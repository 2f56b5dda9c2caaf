/* The system tells of one library by several names: one is shown. */
#include "check.h"
#include "util/file_name.h"

#include <string.h>

static void shows(const char *path, const char *want)
{
	int length;
	const char *name = file_name_shown(path, &length);

	CHECK_EQ(length, strlen(want));
	CHECK(!strncmp(name, want, strlen(want)));
}

TEST(one_name)
{
	shows("/usr/lib/x86_64-linux-gnu/liblzma.so.5.4.1", "liblzma.so.5");
	shows("/lib/x86_64-linux-gnu/liblzma.so.5", "liblzma.so.5");
	shows("libpython3.11.so.1.0", "libpython3.11.so.1");
	shows("/usr/lib/libc.so.6", "libc.so.6");
	shows("/usr/lib/libdl.so", "libdl.so");
	shows("/opt/a.so.1.2/app", "app");
	shows("app", "app");
	shows("/", "");
	shows("", "");
	/* What is no version stays. */
	shows("lib.so.", "lib.so.");
	shows("lib.so.x.1", "lib.so.x.1");
	shows("lib.so.1.debug", "lib.so.1.debug");
	shows("libLLVM-14.so.1.2.dwo3", "libLLVM-14.so.1.2.dwo3");
	shows(".so.1.2", ".so.1.2");
}

int main(void)
{
	RUN(one_name);
	return tap_done();
}
