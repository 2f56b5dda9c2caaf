/* table: what stands above and below the functions of a recording in dwell report, for people. */
#ifndef DWELL_HOST_CMD_REPORT_TABLE_H
#define DWELL_HOST_CMD_REPORT_TABLE_H

#include "cli/answer.h"

answer_print report_print_head;
answer_print_below report_print_foot;

#endif
