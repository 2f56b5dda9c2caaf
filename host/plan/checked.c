/* checked: reports a failed check (checked.h). */
#include "plan/checked.h"

bool check_fail(struct checked *checked, uint32_t place, const char *why)
{
	diag_add(checked->diag, DIAG_ERROR, checked->name, DIAG_NO_OFFSET, "plan: at 0x%llx: %s",
		(unsigned long long)(checked->image.base + place), why);
	checked->bad = true;
	return false;
}
