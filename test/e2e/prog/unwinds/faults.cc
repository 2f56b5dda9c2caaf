/* What faults throws, as Ada, Go and Java programs have it: -fnon-call-exceptions. A function of one load is moved as a whole where
 * a plan may do that: then the load would throw in code that has no landing pad. */
#include <csignal>
#include <cstdio>

#define PLAIN __attribute__((noinline, noclone))

static void on_fault(int, siginfo_t *, void *)
{
	throw 7;
}

PLAIN static int caught_here(const int *word)
{
	try {
		return *word;
	} catch (...) {
		return -7;
	}
}

PLAIN static int load(const int *word)
{
	return *word;
}

PLAIN static int caught_there(const int *word)
{
	try {
		return load(word) + 1;
	} catch (int number) {
		return -number - 1;
	}
}

int main()
{
	struct sigaction action = {};
	int three = 3;

	action.sa_sigaction = on_fault;
	action.sa_flags = SA_SIGINFO | SA_NODEFER;
	sigaction(SIGSEGV, &action, nullptr);
	for (int i = 0; i < 2; i++)
		printf("%d %d\n", caught_here(&three), caught_there(&three));
	for (int i = 0; i < 2; i++)
		printf("%d %d\n", caught_here(nullptr), caught_there(nullptr));
	return 0;
}
