/* SPDX-License-Identifier: MIT */
#include "port/os/linux/environment.h"

#include "port/os/linux/session.h"
#include "port/os/linux/system.h"

#define AT_SECURE 23

static const char *value_of(const char *entry, const char *name)
{
	while (*name && *entry == *name)
		entry++, name++;
	return !*name && *entry == '=' ? entry + 1 : 0;
}

static const char *find(char **envp, const char *name)
{
	const char *value = 0;

	for (; envp && *envp && !value; envp++)
		value = value_of(*envp, name);
	return value;
}

static void take_out(char **envp, const char *name)
{
	char **kept = envp;

	for (; *envp; envp++)
		if (!value_of(*envp, name))
			*kept++ = *envp;
	*kept = 0;
}

/* As kernels said it before there was AT_SECURE. */
static bool has_other_ids(void)
{
	return system_call3(__NR_getuid, 0, 0, 0) != system_call3(__NR_geteuid, 0, 0, 0) ||
	       system_call3(__NR_getgid, 0, 0, 0) != system_call3(__NR_getegid, 0, 0, 0);
}

/* Behind the arguments on the stack is the environment, and behind that the kernel's own words. The dynamic linker takes names out of the
 * environment in just this case, and leaves a zero for each: the first zero does not end it. */
static bool is_secure(int argc, char **argv)
{
	const uint64_t *word = (const uint64_t *)(argv + argc + 1);

	while (*word)
		word++;
	while (!*word)
		word++;
	for (; *word; word += 2)
		if (*word == AT_SECURE)
			return word[1] != 0;
	return has_other_ids();
}

const char *environment_session(int argc, char **argv, char **envp)
{
	const char *session = find(envp, DWELL_SESSION_ENV);

	if (!session || !is_secure(argc, argv))
		return session;
	take_out(envp, DWELL_SESSION_ENV);
	return 0;
}
