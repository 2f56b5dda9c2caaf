/* Compiled without hooks: what it calls may throw. */
extern "C" void library_catches(void (*function)(int), int argument);

extern "C" void library_catches(void (*function)(int), int argument)
{
	try {
		function(argument);
	} catch (int) {
	}
}
