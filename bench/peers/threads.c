/* threads ROUNDS: four threads, each with a search tree of its own that grows and is searched. Prints a checksum and what it took:
 * processor seconds of all of them, and wall seconds. */
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

#include "took.h"

#define THREADS 4
#define KEYS 4000

struct node {
	uint32_t key;
	struct node *left, *right;
};

struct worker {
	pthread_t thread;
	uint32_t random;
	unsigned rounds;
	unsigned long sum;
	struct node nodes[KEYS];
	size_t used;
};

static uint32_t next_random(struct worker *worker)
{
	worker->random ^= worker->random << 13;
	worker->random ^= worker->random >> 17;
	worker->random ^= worker->random << 5;
	return worker->random;
}

static struct node *make_node(struct worker *worker, uint32_t key)
{
	struct node *node = &worker->nodes[worker->used++];

	*node = (struct node){.key = key};
	return node;
}

static struct node *insert(struct worker *worker, struct node *node, uint32_t key)
{
	if (!node)
		return make_node(worker, key);
	if (key < node->key)
		node->left = insert(worker, node->left, key);
	else
		node->right = insert(worker, node->right, key);
	return node;
}

static unsigned find(const struct node *node, uint32_t key)
{
	if (!node || node->key == key)
		return 0;
	return 1 + find(key < node->key ? node->left : node->right, key);
}

static unsigned long run_round(struct worker *worker)
{
	struct node *root = NULL;
	unsigned long sum = 0;

	worker->used = 0;
	for (int i = 0; i < KEYS; i++)
		root = insert(worker, root, next_random(worker));
	for (int i = 0; i < KEYS; i++)
		sum += find(root, next_random(worker));
	return sum;
}

static void *work(void *context)
{
	struct worker *worker = context;

	for (unsigned i = 0; i < worker->rounds; i++)
		worker->sum = worker->sum * 31 + run_round(worker);
	return NULL;
}

int main(int argc, char **argv)
{
	struct took took = took_begin();
	struct worker *workers = calloc(THREADS, sizeof *workers);
	unsigned long sum = 0;

	for (unsigned i = 0; workers && i < THREADS; i++) {
		workers[i].rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 10;
		workers[i].random = i + 1;
		if (pthread_create(&workers[i].thread, NULL, work, &workers[i]))
			return 1;
	}
	for (unsigned i = 0; workers && i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		sum = sum * 31 + workers[i].sum;
	}
	free(workers);
	took_print(&took, sum);
	return 0;
}
