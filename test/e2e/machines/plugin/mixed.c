/* One of two files that are linked, of which one has calls, or both; and in both a static function of the same name. */
#include "saw.h"

void other_file(void);
extern const char *name_in_other_file;

ALONE static void same_name(void)
{
}

#ifdef OTHER
const char *name_in_other_file;

ALONE void other_file(void)
{
	same_name();
	name_in_other_file = last_name;
}
#else
int main(void)
{
	same_name();
	const char *const name = last_name;
	SAW("+main +same_name - ");
	other_file();
	SAW(BOTH ? "+other_file +same_name - - " : "");
	/* One string, also where nothing is optimised. */
	SAME(name, name_in_other_file);
	return finish();
}
#endif
