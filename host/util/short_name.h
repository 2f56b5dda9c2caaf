/* short_name: shortens C++ names to what people write, without the parts of the standard library that compilers spell out.
 *
 *     std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >   std::string
 *     std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > > std::map<int, long>
 *     std::vector<std::vector<int, …>, std::allocator<std::vector<int, …> > >           std::vector<std::vector<int>>
 *     work[abi:cxx11](int)                                                              work(int)
 *
 * Drops the last arguments of std's containers and strings if they look like the defaults, and the namespaces of the library's
 * versions (__cxx11, __1). Everything else stays, also a name whose brackets do not match. */
#ifndef DWELL_HOST_UTIL_SHORT_NAME_H
#define DWELL_HOST_UTIL_SHORT_NAME_H

#include <stdbool.h>

/* Returns whether the name may contain anything to leave out: a quick check before make_short_name. */
bool short_name_may_shorten(const char *name);
/* Returns null if the name cannot be shortened, or if out of memory. The caller frees the result. Never longer than the name. */
char *make_short_name(const char *name);

#endif
