/* Exceptions on all paths: thrown by libstdc++ and through it, caught, rethrown, nested, across threads, out of constructors and
 * destructors of what is half made. Prints what it caught; always the same. */
#include <algorithm>
#include <any>
#include <atomic>
#include <bitset>
#include <exception>
#include <fstream>
#include <functional>
#include <future>
#include <iomanip>
#include <iostream>
#include <locale>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <typeinfo>
#include <variant>
#include <vector>

static std::map<std::string, long> caught;
static std::atomic<long> destroyed; /* by several threads */

struct Counts {
	~Counts() { destroyed++; }
};

template <typename F> static void tries(const char *what, F &&f)
{
	try {
		f();
		caught[std::string(what) + ": nothing thrown"]++;
	} catch (const std::exception &error) {
		caught[std::string(what) + ": " + error.what()]++;
	} catch (int number) {
		caught[std::string(what) + ": number"] += number;
	} catch (...) {
		caught[std::string(what) + ": something"]++;
	}
}

struct Base {
	virtual ~Base() = default;
};
struct Left : virtual Base {};
struct Right : virtual Base {};
struct Both : Left, Right {};

/* A member whose making fails: those before it are destroyed. */
struct Half {
	Counts first;
	std::string second;
	Counts third;
	explicit Half(int i) : second(std::to_string(i)), third() { if (i % 2) throw std::domain_error("half made"); }
};

struct Throws : std::streambuf {
	int_type overflow(int_type) override { throw std::runtime_error("stream buffer"); }
};

static long deep(int depth)
{
	Counts count;
	std::vector<std::string> kept(3, "kept on the stack");

	if (!depth)
		throw depth;
	return deep(depth - 1) + static_cast<long>(kept.size());
}

static void nested(int depth)
{
	try {
		if (!depth)
			throw std::logic_error("innermost");
		nested(depth - 1);
	} catch (...) {
		std::throw_with_nested(std::runtime_error("level " + std::to_string(depth)));
	}
}

static int levels(const std::exception &error)
{
	try {
		std::rethrow_if_nested(error);
	} catch (const std::exception &inner) {
		return 1 + levels(inner);
	}
	return 1;
}

static void one_round(int round)
{
	tries("at", [] { std::vector<int>(3).at(5); });
	tries("string", [] { std::string("abc").substr(7); });
	tries("stoi", [] { (void)std::stoi("no number"); });
	tries("stoi range", [] { (void)std::stoi("99999999999999"); });
	tries("length", [] { std::string().resize(std::string().max_size() + 1); });
	tries("map", [] { (void)std::map<int, int>().at(1); });
	tries("bitset", [] { std::bitset<8>("0102"); });
	tries("any", [] { (void)std::any_cast<int>(std::any(std::string("text"))); });
	tries("variant", [] { (void)std::get<int>(std::variant<int, std::string>("text")); });
	tries("function", [] { std::function<void()>()(); });
	tries("weak", [] { std::shared_ptr<int>(std::weak_ptr<int>()); });
	tries("cast", [] { Left left; Base &base = left; (void)dynamic_cast<Both &>(base); });
	tries("typeid", [] { Base *nobody = nullptr; (void)typeid(*nobody).name(); });
	tries("new", [] { volatile std::size_t much = static_cast<std::size_t>(-1) / 2; ::operator delete(::operator new(much)); });
	tries("stream", [] { std::ifstream file; file.exceptions(std::ios::failbit); file.open("/no/such/file"); });
	tries("buffer", [] { Throws buffer; std::ostream out(&buffer); out.exceptions(std::ios::badbit); out << "text"; });
	tries("bad bit", [] { Throws buffer; std::ostream out(&buffer); out << "text"; if (out.bad()) throw 1; });
	tries("locale", [] { std::locale("no_SUCH.locale"); });
	tries("regex", [] { std::regex("(unbalanced"); });
	tries("half", [round] { Half half(round); });
	tries("sort", [] { std::vector<int> v(100); int n = 0; std::sort(v.begin(), v.end(), [&n](int a, int b) { if (++n > 50) throw n; return a < b; }); });
	tries("set", [] { auto less = [](int a, int b) { if (a + b > 30) throw std::range_error("in a comparison"); return a < b; };
		std::set<int, decltype(less)> s(less); for (int i = 0; i < 40; i++) s.insert(i); });
	tries("deep", [] { deep(60); });
	tries("nested", [] { try { nested(20); } catch (const std::exception &error) { throw levels(error); } });
	tries("rethrown", [] {
		std::exception_ptr kept;
		try { throw std::underflow_error("kept"); } catch (...) { kept = std::current_exception(); }
		std::rethrow_exception(kept);
	});
	tries("once", [] { std::once_flag flag; std::call_once(flag, [] { throw std::runtime_error("once"); }); });
}

static void threads()
{
	std::vector<std::future<long>> results;

	for (int i = 0; i < 8; i++)
		results.push_back(std::async(std::launch::async, [i] { return i % 2 ? deep(20 + i) : static_cast<long>(i); }));
	for (auto &result : results)
		tries("future", [&result] { if (result.get() % 2 == 0) throw std::runtime_error("even"); });
	tries("promise", [] { std::future<int> result; { std::promise<int> broken; result = broken.get_future(); } result.get(); });
}

int main()
{
	for (int round = 0; round < 200; round++)
		one_round(round);
	for (int round = 0; round < 20; round++)
		threads();
	std::ostringstream text;
	text << std::hex << std::setw(12) << std::setfill('*') << 255 << ' ' << std::fixed << std::setprecision(3) << 3.14159 << ' '
	     << std::put_time(std::gmtime(new std::time_t(86400)), "%Y-%m-%d") << '\n';
	std::cout << text.str() << std::regex_replace("the quick fox", std::regex("(\\w+) (\\w+)"), "$2 $1") << '\n';
	for (const auto &[what, count] : caught)
		std::cout << what << ' ' << count << '\n';
	std::cout << "destroyed " << destroyed << std::endl;
	std::set_terminate([] { std::cout << "terminates" << std::endl; std::_Exit(4); });
	throw std::runtime_error("nobody catches this");
}
