// Half of the calls of inner throw an exception, which catcher catches.
import core.stdc.stdio;

__gshared int sum;

pragma(inline, false) void after()
{
	sum++;
}

pragma(inline, false) void inner(int turn)
{
	if (turn % 2 == 0)
		throw new Exception("even");
	sum += turn;
}

pragma(inline, false) void middle(int turn)
{
	inner(turn);
	sum++;
}

pragma(inline, false) void catcher()
{
	foreach (turn; 1 .. 1001)
	{
		try
			middle(turn);
		catch (Exception e)
			after();
	}
}

void main()
{
	catcher();
	printf("sum %d\n", sum);
}
