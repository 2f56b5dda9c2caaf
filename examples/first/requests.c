/* A server: two threads answer requests. Two questions about it: where does its time go, and why is one request in 10,000 slow?
 *
 *   requests [COUNT]        answers so many (40,000), and prints how long the slowest one took */
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define NOINLINE __attribute__((noinline))
#define THREADS 2
#define BODY_BYTES 16384
#define PRICES 100000
#define ROUNDS 100
#define RELOAD_EVERY 10000

static unsigned long request_count = 40000;
static atomic_ulong next_request;
static atomic_ulong slowest_ns;
static unsigned prices[PRICES];
static pthread_mutex_t prices_lock = PTHREAD_MUTEX_INITIALIZER;

static unsigned long now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (unsigned long)now.tv_sec * 1000000000ul + (unsigned long)now.tv_nsec;
}

/* Works out all prices anew, while the other thread waits for the lock: one request in 10,000 is slow, and maybe the one beside
 * it. */
NOINLINE static unsigned reload_prices(unsigned seed)
{
	unsigned price = 0;

	for (unsigned i = 0; i < PRICES; i++) {
		for (unsigned round = 0; round < ROUNDS; round++)
			seed = seed * 1664525 + 1013904223;
		prices[i] = price += 1 + seed % (UINT_MAX / PRICES);
	}
	return prices[0];
}

NOINLINE static unsigned find_price(unsigned wanted)
{
	unsigned low = 0, high = PRICES;

	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (prices[middle] < wanted)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

NOINLINE static unsigned look_up_price(unsigned long number)
{
	unsigned price = 0;

	pthread_mutex_lock(&prices_lock);
	if (number % RELOAD_EVERY == 0)
		price = reload_prices((unsigned)number);
	price += find_price((unsigned)number * 2654435761u);
	pthread_mutex_unlock(&prices_lock);
	return price;
}

/* The hot loop: most of the time that the program is on a processor. */
NOINLINE static unsigned checksum_body(const unsigned char *body)
{
	unsigned sum = 1;

	for (unsigned i = 0; i < BODY_BYTES; i++)
		sum = (sum << 5) - sum + body[i];
	return sum;
}

NOINLINE static unsigned long parse_request(const char *text)
{
	unsigned long number = 0;

	for (; *text; text++)
		if (*text >= '0' && *text <= '9')
			number = number * 10 + (unsigned)(*text - '0');
	return number;
}

NOINLINE static unsigned handle_request(unsigned long number, unsigned char *body)
{
	char text[48];
	unsigned result;

	snprintf(text, sizeof text, "GET /prices/%lu", number);
	body[number % BODY_BYTES]++;
	result = look_up_price(parse_request(text));
	return result + checksum_body(body);
}

NOINLINE static void *serve(void *unused)
{
	unsigned char body[BODY_BYTES] = {0};
	volatile unsigned results = 0;
	unsigned long number;

	(void)unused;
	while ((number = ++next_request) <= request_count) {
		unsigned long began_ns = now_ns(), took_ns, slowest;

		results += handle_request(number, body);
		took_ns = now_ns() - began_ns;
		slowest = slowest_ns;
		while (took_ns > slowest && !atomic_compare_exchange_weak(&slowest_ns, &slowest, took_ns))
			;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	if (argc > 1)
		request_count = strtoul(argv[1], NULL, 10);
	for (int i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, serve, NULL))
			return 1;
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	printf("%lu requests answered, the slowest in %.1f ms\n", request_count, (double)slowest_ns / 1e6);
	return 0;
}
