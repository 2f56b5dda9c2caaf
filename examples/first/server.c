/* A program to attach to: threads that answer requests, most of them fast. Now and then one is slow; which, and why?
 *
 *   server [SECONDS]        for so long (10), and prints how many requests it answered */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define NOINLINE __attribute__((noinline))
#define THREADS 2
#define PRICES 4000

static atomic_uint requests;
static atomic_bool over;
static unsigned prices[PRICES];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int by_price(const void *left, const void *right)
{
	unsigned a = *(const unsigned *)left, b = *(const unsigned *)right;

	return (a > b) - (a < b);
}

/* What makes a request slow: one in 500 sorts for all others. Not as its last act, which would be a jump: it would seem to be
 * over. */
NOINLINE static unsigned reload_prices(unsigned seed)
{
	for (unsigned i = 0; i < PRICES; i++)
		prices[i] = seed = seed * 1664525 + 1013904223;
	qsort(prices, PRICES, sizeof *prices, by_price);
	return prices[0];
}

NOINLINE static unsigned parse_request(const char *text)
{
	unsigned number = 0;

	for (; *text; text++)
		if (*text >= '0' && *text <= '9')
			number = number * 10 + (unsigned)(*text - '0');
	return number;
}

NOINLINE static unsigned look_up(unsigned number)
{
	unsigned low = 0, high = PRICES, lowest = 0;

	pthread_mutex_lock(&lock);
	if (number % 500 == 1)
		lowest = reload_prices(number);
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (prices[middle] < number)
			low = middle + 1;
		else
			high = middle;
	}
	pthread_mutex_unlock(&lock);
	return low + lowest;
}

NOINLINE static unsigned handle_request(unsigned number)
{
	char text[32];

	snprintf(text, sizeof text, "GET /%u", number);
	return look_up(parse_request(text));
}

static void *serve(void *unused)
{
	volatile unsigned result = 0;

	(void)unused;
	while (!over) {
		result += handle_request(++requests);
		usleep(500);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, serve, NULL))
			return 1;
	sleep(argc > 1 ? (unsigned)atoi(argv[1]) : 10);
	over = true;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%u requests answered\n", requests);
	return 0;
}
