// Methods, templates, recursion, and exceptions that are caught some frames above. Prints how often it called each.
module shapes;
import std.stdio;

long areas, pushes, fibonaccis, fails, tries;

class Square
{
	int side;
	this(int side) { this.side = side; }
	pragma(inline, false) int area() const { areas++; return side * side; }
}

struct List(T)
{
	T[8] items;
	size_t count;
	pragma(inline, false) void push(T item) { pushes++; items[count++ % items.length] = item; }
}

// What is behind the calls keeps the compiler from making loops of them.
pragma(inline, false) int fibonacci(int n)
{
	fibonaccis++;
	return n < 2 ? n : (fibonacci(n - 1) ^ fibonacci(n - 2)) / 3;
}

pragma(inline, false) int fail(int depth)
{
	fails++;
	if (depth == 0)
		throw new Exception("the bottom");
	return fail(depth - 1) / 3;
}

pragma(inline, false) int attempt(int depth)
{
	tries++;
	try
		return fail(depth);
	catch (Exception e)
		return depth;
}

void main()
{
	List!int list;
	int total;

	foreach (i; 0 .. 1000)
		list.push(new Square(i).area());
	foreach (i; 0 .. 50)
		total += attempt(i % 5);
	total += fibonacci(15);
	writeln("total ", total + list.items[0]);
	writeln("count shapes.Square.area() const ", areas);
	writeln("count shapes.List!(int).List.push(int) ", pushes);
	writeln("count shapes.fibonacci(int) ", fibonaccis);
	writeln("count shapes.fail(int) ", fails);
	writeln("count shapes.attempt(int) ", tries);
	writeln("count D main 1");
}
