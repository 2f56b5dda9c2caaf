/* Hooks that do nothing, in a library of their own, as the C library's are. */
void empty_enter(void *function, void *site);
void empty_exit(void *function, void *site);

void empty_enter(void *function, void *site)
{
	(void)function;
	(void)site;
}

void empty_exit(void *function, void *site)
{
	(void)function;
	(void)site;
}
