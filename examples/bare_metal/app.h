#ifndef APP_H
#define APP_H

/* One turn of the main loop. */
void app_turn(int turn);

#endif
