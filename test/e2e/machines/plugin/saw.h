/*
 * PROFILE functions that keep a log, and a program that says what the log must be: "+name" for an entry, "-" for an exit. They
 * leave nonsense in every register that they may destroy. For Linux on x86-64, and for ARM without anything.
 */
#ifdef __cplusplus
extern "C" {
#endif

/* The log since the last SAW must be that. Says where it is not, and counts. */
#define SAW(text) saw(__FILE__, __LINE__, text, text)
/* One of two, where the optimiser has a choice. */
#define SAW_EITHER(text, other) saw(__FILE__, __LINE__, text, other)
void saw(const char *file, int line, const char *expected, const char *other);

/* For everything else: a result, an argument. */
#define SAME(a, b) same(__FILE__, __LINE__, #a " == " #b, (a) == (b))
void same(const char *file, int line, const char *text, int is_so);

/* How many calls are open: entries without an exit. It can be set, where exits are known to be missing. */
extern int depth;

/* What the last entry found: the first four integer argument registers, and where the function returns to. Null where the entries
 * are ordinary calls, which do not know. */
extern unsigned long last_registers[4];
extern void *last_return;
extern const char *last_name;
/* Whether they do know. */
extern int knows_registers;

/* How many entries found the stack misaligned, or could not be followed from there to main. */
extern int misaligned, lost;

/* Reports, and the exit status of the program. */
int finish(void);

#define NOINLINE __attribute__((noinline))
#define ALONE __attribute__((noipa))

#ifdef __cplusplus
}
#endif
