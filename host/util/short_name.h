/* short_name: C++ names as people write them: what a compiler spells out of the standard library without being asked is left out.
 *
 *     std::__cxx11::basic_string<char, std::char_traits<char>, std::allocator<char> >   std::string
 *     std::map<int, long, std::less<int>, std::allocator<std::pair<int const, long> > > std::map<int, long>
 *     std::vector<std::vector<int, …>, std::allocator<std::vector<int, …> > >           std::vector<std::vector<int>>
 *     work[abi:cxx11](int)                                                              work(int)
 *
 * Last arguments of the containers and strings of std are left out where they are what these have by default; so are the namespaces of
 * its versions (__cxx11, __1). All else stays as it is; so does a name whose brackets do not fit. */
#ifndef DWELL_HOST_UTIL_SHORT_NAME_H
#define DWELL_HOST_UTIL_SHORT_NAME_H

#include <stdbool.h>

/* Whether there may be anything to leave out: a quick look. */
bool short_name_is_worth_it(const char *name);
/* Null when nothing is left out, or there is no memory; else to be freed. Never longer than the name. */
char *make_short_name(const char *name);

#endif
