/* Calls functions of std::string, which libstdc++ exports and the compiler inlines. */
#include <cstddef>
#include <cstdio>
#include <string>

extern "C" __attribute__((noinline)) int distance(const std::string &a, const std::string &b)
{
	int count = 0;

	for (std::size_t i = 0; i < a.size() && i < b.size(); i++)
		count += a[i] != b[i];
	return count;
}

int main()
{
	std::string a = "hello", b = "world";
	int sum = 0;

	for (int i = 0; i < 100; i++)
		sum += distance(a, b);
	std::printf("%d\n", sum);
	return 0;
}
