/* The PROFILE functions beside what calls them, in plain C, without a pragma: they have no calls themselves, and what they change
 * is seen by those who could have known that the function itself changes nothing. */
static int entries, exits;

__attribute__((noinline)) static int computes(int a)
{
	return a * 2;
}

int main(void)
{
	entries = 0;
	int sum = computes(3);
	const int after_one = entries;
	sum += computes(4);
	return !(after_one == 1 && entries == 2 && exits == 2 && sum == 14);
}

void __PROFILE_ENTRY(const char *name);
void __PROFILE_ENTRY(const char *name)
{
	entries += name[0] == 'c' && name[8] == 0;
}

void __PROFILE_EXIT(void);
void __PROFILE_EXIT(void)
{
	exits++;
}
