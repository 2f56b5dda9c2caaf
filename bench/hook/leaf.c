/* A leaf function, compiled three times with LEAF as its name; see leaf.h. As small as functions get: what is left is the hooks.
 * Each is in a section of its own, so that one knows where it ends. */
#include "leaf.h"

#define STRING(x) #x
#define SECTION(name) __attribute__((section(STRING(name##_code))))
#define SECTION_OF(name) SECTION(name)

SECTION_OF(LEAF) int LEAF(int x)
{
#ifdef LEAF_IS_LONG
	/* Its first instructions and its last are not the same ones. */
	x ^= x >> 7;
	x = x * 9 + 5;
	x ^= x >> 3;
#endif
	return x * 3 + 1;
}
