/* Any bytes as a program file: if a plan is made of it, the check must find nothing wrong with it. */
#include <stdint.h>
#include <stdlib.h>

#include "plan/check.h"
#include "plan/plan.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes file = {data, size};
	struct diag *diag = make_diag();
	struct plan plan;

	if (plan_make_of_bytes(file, "fuzz", &plan, diag) && !plan_check(file, plan.bytes, "fuzz", diag)) {
		diag_print(diag, stderr);
		abort();
	}
	plan_free(&plan);
	free_diag(diag);
	return 0;
}
