/* life [GENERATIONS]: Conway's game of life on a torus, from a pattern that lives for long. Prints how many cells live at the
 * end. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dwell/dwell.h>

/* What is inlined is no call, and in no report. */
#define NOINLINE __attribute__((noinline))

enum { WIDTH = 96, HEIGHT = 64 };

static unsigned char now[HEIGHT][WIDTH], next[HEIGHT][WIDTH];

NOINLINE static int count_neighbours(int y, int x)
{
	int count = -now[y][x];

	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++)
			count += now[(y + dy + HEIGHT) % HEIGHT][(x + dx + WIDTH) % WIDTH];
	return count;
}

NOINLINE static void step(void)
{
	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++) {
			int count = count_neighbours(y, x);

			next[y][x] = count == 3 || (count == 2 && now[y][x]);
		}
	memcpy(now, next, sizeof now);
}

NOINLINE static int count_cells(void)
{
	int count = 0;

	for (int y = 0; y < HEIGHT; y++)
		for (int x = 0; x < WIDTH; x++)
			count += now[y][x];
	return count;
}

int main(int argc, char **argv)
{
	static const char *const pattern[] = {" XX", "XX ", " X "}; /* the R-pentomino */
	int generations = argc > 1 ? atoi(argv[1]) : 1000;

	for (int y = 0; y < 3; y++)
		for (int x = 0; x < 3; x++)
			now[HEIGHT / 2 + y][WIDTH / 2 + x] = pattern[y][x] == 'X';
	for (int i = 0; i < generations; i++) {
		if (i == generations / 2)
			dwell_mark("half of it"); /* nothing, unless dwell records */
		step();
	}
	printf("%d cells live after %d generations\n", count_cells(), generations);
	return 0;
}
