/* The main loop: the firmware's work, and between two turns, when there is nothing else to do, the statistics'. */
#include "app.h"
#include "board.h"
#include "statistics.h"

int main(void)
{
	board_begin();
	statistics_begin();
	for (int turn = 0; turn < 1000; turn++) {
		app_turn(turn);
		if (turn % 20 == 0)
			statistics_update();
	}
	statistics_print(board_put);
	return 0;
}
