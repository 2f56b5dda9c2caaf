/* Calls on a second thread, and in a child: leaf is called 3, 5 and 2 times, mid once on each. */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) int leaf(int x)
{
	__asm__ volatile("");
	return x + 1;
}

__attribute__((noinline)) int mid(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += leaf(i);
	return sum;
}

static void *work(void *context)
{
	mid(5);
	return context;
}

int main(void)
{
	pthread_t thread;

	mid(3);
	pthread_create(&thread, NULL, work, NULL);
	pthread_join(thread, NULL);
	if (!fork()) {
		mid(2);
		_exit(0);
	}
	wait(NULL);
	return 0;
}
