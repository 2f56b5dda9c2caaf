/* terminal: draws on the terminal by ncurses (terminal.h). */
#include "tui/terminal.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "tui/capability.h"
#include "util/term.h"
#include "util/utf8.h"

#define RESTORE_BYTES_MAX 256u
#define ESCAPE_MS 25 /* the rest of a key's bytes arrives within this time after an escape; later, the escape is a key */
#define EMPTY_READS_MAX 50u /* after so many reads without data in a row, the input has ended */

static const int fatal_signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};
#define FATAL_SIGNAL_COUNT (sizeof fatal_signals / sizeof *fatal_signals)

static struct {
	volatile sig_atomic_t is_taken; /* the terminal is in the view's state */
	volatile sig_atomic_t is_stopped, is_continued;
	const struct loop *loop;
	SCREEN *screen;
	FILE *in;
	bool has_utf8, has_cursor;
	int cursor_row, cursor_column;
	unsigned empty_reads;
	int out_fd, in_fd;
	struct termios before;
	char restore[RESTORE_BYTES_MAX]; /* bytes that restore the terminal */
	size_t restore_bytes;
	struct sigaction fatal_signals[FATAL_SIGNAL_COUNT], stop, go_on, resize; /* the actions from before, to restore */
	attr_t styles[TERMINAL_STYLES];
	short pairs[TERMINAL_STYLES];
} terminal;

/* ---- signals ---- */

/* Does as little as possible, since the process may be broken: restores the
 * terminal, then lets the signal act as without this handler. */
static void restore_and_die(int signal_number)
{
	if (terminal.is_taken) {
		terminal.is_taken = 0;
		if (write(terminal.out_fd, terminal.restore, terminal.restore_bytes) < 0)
			errno = 0;
		tcsetattr(terminal.in_fd, TCSANOW, &terminal.before);
	}
	for (size_t i = 0; i < FATAL_SIGNAL_COUNT; i++)
		if (fatal_signals[i] == signal_number)
			sigaction(signal_number, &terminal.fatal_signals[i], NULL);
	raise(signal_number);
}

/* Handles SIGTSTP, SIGCONT and SIGWINCH: notes the signal for handle_signals, and wakes the loop. */
static void note_signal(int signal_number)
{
	if (signal_number == SIGTSTP)
		terminal.is_stopped = 1;
	else if (signal_number == SIGCONT)
		terminal.is_continued = 1;
	loop_wake(terminal.loop);
}

/* Installs a handler. *before: the action until now. */
static void catch_signal(int signal_number, void (*handler)(int), int flags, struct sigaction *before)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};

	sigaction(signal_number, NULL, before);
	if (before->sa_handler == SIG_IGN)
		return; /* the signal was ignored before: it stays ignored */
	sigemptyset(&action.sa_mask);
	sigaction(signal_number, &action, NULL);
}

static void catch_all(void)
{
	for (size_t i = 0; i < FATAL_SIGNAL_COUNT; i++)
		catch_signal(fatal_signals[i], restore_and_die, SA_NODEFER | SA_ONSTACK, &terminal.fatal_signals[i]);
	catch_signal(SIGTSTP, note_signal, SA_RESTART, &terminal.stop);
	catch_signal(SIGCONT, note_signal, SA_RESTART, &terminal.go_on);
	catch_signal(SIGWINCH, note_signal, SA_RESTART, &terminal.resize);
}

static void release_all(void)
{
	for (size_t i = 0; i < FATAL_SIGNAL_COUNT; i++)
		sigaction(fatal_signals[i], &terminal.fatal_signals[i], NULL);
	sigaction(SIGTSTP, &terminal.stop, NULL);
	sigaction(SIGCONT, &terminal.go_on, NULL);
	sigaction(SIGWINCH, &terminal.resize, NULL);
}

/* Stops the process as without this handler, with the terminal restored. Another thread may
 * have received the signal, but the drawing thread must stop. */
static void stop(void)
{
	struct sigaction ours;
	sigset_t only, before;

	endwin();
	terminal.is_taken = 0;
	sigaction(SIGTSTP, &(struct sigaction){.sa_handler = SIG_DFL}, &ours);
	sigemptyset(&only);
	sigaddset(&only, SIGTSTP);
	pthread_sigmask(SIG_UNBLOCK, &only, &before);
	raise(SIGTSTP);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	sigaction(SIGTSTP, &ours, NULL);
	terminal.is_continued = 1;
}

/* Adapts the drawing to the terminal's size. Returns false if the size has not changed. */
static bool take_size(void)
{
	struct winsize size;

	if (ioctl(terminal.out_fd, TIOCGWINSZ, &size) != 0 || !size.ws_row || !size.ws_col ||
		(size.ws_row == LINES && size.ws_col == COLS))
		return false;
	resizeterm(size.ws_row, size.ws_col);
	clearok(curscr, TRUE);
	return true;
}

/* Stops or continues, if the handlers noted these signals, and adapts to the terminal's size. */
static void handle_signals(void)
{
	if (terminal.is_stopped) {
		terminal.is_stopped = 0;
		stop();
	}
	if (terminal.is_continued) { /* other programs may have changed the terminal meanwhile */
		terminal.is_continued = 0;
		endwin();
		clearok(curscr, TRUE);
		refresh();
		terminal.is_taken = 1;
	}
	take_size();
}

/* ---- begin and end ---- */

static void choose_styles(FILE *out)
{
	static const attr_t plain[TERMINAL_STYLES] = {[TERMINAL_TITLE] = A_BOLD | A_UNDERLINE,
		[TERMINAL_CHOSEN] = A_REVERSE,
		[TERMINAL_HEAD] = A_BOLD,
		[TERMINAL_WARN] = A_BOLD,
		[TERMINAL_KEYS] = A_REVERSE,
		[TERMINAL_FOUND] = A_BOLD | A_UNDERLINE};

	memcpy(terminal.styles, plain, sizeof plain);
	memset(terminal.pairs, 0, sizeof terminal.pairs);
	if (!term_has_colour(out) || !has_colors() || start_color() == ERR)
		return;
	use_default_colors();
	/* Colours that are readable on dark and light backgrounds. */
	if (init_pair(1, COLOR_CYAN, -1) == OK)
		terminal.pairs[TERMINAL_TITLE] = 1;
	if (init_pair(2, COLOR_RED, -1) == OK)
		terminal.pairs[TERMINAL_WARN] = 2;
	if (init_pair(3, COLOR_MAGENTA, -1) == OK)
		terminal.pairs[TERMINAL_FOUND] = 3;
}

static FILE *open_keys(int keys)
{
	int fd = keys < 0 ? open("/dev/tty", O_RDWR | O_CLOEXEC) : fcntl(keys, F_DUPFD_CLOEXEC, 3);

	return fd < 0 ? NULL : fdopen(fd, "r");
}

static void close_keys(void)
{
	if (terminal.in)
		fclose(terminal.in);
	terminal.in = NULL;
}

bool terminal_check(FILE *out, struct diag *diag)
{
	const char *problem = term_is_terminal(out) ? capability_find_problem(fileno(out)) : "standard output is no terminal";
	const char *name = term_is_terminal(out) ? getenv("TERM") : "";
	char shown[64] = "";

	if (!problem)
		return true;
	for (size_t i = 0, used = 0; name && name[i] && used + UTF8_ESCAPE_BYTES < sizeof shown; ) {
		size_t written;
		int columns;

		i += utf8_escape(name + i, strlen(name + i), shown + used, &written, &columns);
		used += written;
	}
	diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "%s%s%s%s", problem, !name ? ": TERM is not set" : *name ? ": TERM is '" : "", shown,
		name && *name ? "'" : "");
	return false;
}

bool terminal_begin(FILE *out, int keys, const struct loop *loop, struct diag *diag)
{
	if (!terminal_check(out, diag))
		return false;
	terminal.loop = loop;
	terminal.in = open_keys(keys);
	if (!terminal.in) {
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "there is no terminal to read keys from");
		return false;
	}
	terminal.in_fd = fileno(terminal.in);
	terminal.out_fd = fileno(out);
	tcgetattr(terminal.in_fd, &terminal.before);
	setlocale(LC_CTYPE, "");
	terminal.has_utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
	catch_all(); /* before ncurses installs its handlers */
	terminal.screen = newterm(NULL, out, terminal.in);
	if (!terminal.screen) {
		release_all();
		close_keys();
		diag_add(diag, DIAG_ERROR, NULL, DIAG_NO_OFFSET, "this terminal cannot be drawn on");
		return false;
	}
	terminal.restore_bytes = capability_get_restore(terminal.restore, sizeof terminal.restore);
	terminal.empty_reads = 0;
	terminal.is_stopped = terminal.is_continued = 0;
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	choose_styles(out);
	terminal_place_cursor(-1, -1);
	terminal.is_taken = 1;
	return true;
}

void terminal_end(void)
{
	if (!terminal.screen)
		return;
	if (terminal.is_taken) {
		curs_set(1);
		endwin();
	}
	terminal.is_taken = 0;
	release_all();
	delscreen(terminal.screen);
	terminal.screen = NULL;
	close_keys();
}

/* ---- keys ---- */

static uint32_t meaning_of(wint_t key)
{
	switch (key) {
	case KEY_UP: return TERMINAL_UP;
	case KEY_DOWN: return TERMINAL_DOWN;
	case KEY_LEFT: return TERMINAL_LEFT;
	case KEY_RIGHT: return TERMINAL_RIGHT;
	case KEY_PPAGE: return TERMINAL_PAGE_UP;
	case KEY_NPAGE: return TERMINAL_PAGE_DOWN;
	case KEY_HOME: case KEY_A1: case KEY_FIND: return TERMINAL_HOME;
	case KEY_END: case KEY_C1: case KEY_SELECT: return TERMINAL_END;
	case KEY_ENTER: return TERMINAL_ENTER;
	case KEY_BACKSPACE: case KEY_DC: return TERMINAL_BACK;
	case KEY_BTAB: return TERMINAL_BACK_TAB;
	case KEY_F(1): return TERMINAL_F1;
	default: return TERMINAL_OTHER;
	}
}

static uint32_t character(wint_t key)
{
	switch (key) {
	case '\r': case '\n': return TERMINAL_ENTER;
	case 0x7f: case '\b': return TERMINAL_BACK;
	case '\t': return TERMINAL_TAB;
	case 0x1b: return TERMINAL_ESCAPE;
	case 0x0c: /* Ctrl-L: redraw everything */
		clearok(curscr, TRUE);
		return TERMINAL_WOKEN;
	default: return key < 0x110000 ? key : TERMINAL_OTHER;
	}
}

/* Returns a key without waiting; TERMINAL_TIME: none. */
static uint32_t read_key(void)
{
	wint_t key;

	switch (get_wch(&key)) {
	case OK: return character(key);
	case KEY_CODE_YES: return meaning_of(key);
	default: return TERMINAL_TIME;
	}
}

uint32_t terminal_get_key(uint64_t until_ns)
{
	for (;;) {
		uint32_t key = read_key(); /* ncurses may have several keys in its buffer */

		if (key != TERMINAL_TIME) {
			terminal.empty_reads = 0;
			return key;
		}
		switch (loop_wait(terminal.loop, terminal.in_fd, until_ns)) {
		case LOOP_TIME: /* SIGWINCH may be blocked while a program is recorded, so check the size here */
			return take_size() ? TERMINAL_WOKEN : TERMINAL_TIME;
		case LOOP_WOKEN:
			handle_signals();
			return TERMINAL_WOKEN;
		case LOOP_INPUT:
			if (++terminal.empty_reads > EMPTY_READS_MAX)
				return TERMINAL_INPUT_ENDED;
			break;
		}
	}
}

void terminal_update(void)
{
	handle_signals();
	terminal_show();
}

/* ---- drawing ---- */

int terminal_rows(void)
{
	return LINES;
}

int terminal_columns(void)
{
	return COLS;
}

bool terminal_has_utf8(void)
{
	return terminal.has_utf8;
}

void terminal_clear(void)
{
	erase();
}

int terminal_put(int row, int column, int columns, const char *text, size_t bytes, enum terminal_style style)
{
	int used = 0;

	if (row < 0 || row >= LINES || column < 0 || column >= COLS)
		return 0;
	if (columns > COLS - column)
		columns = COLS - column;
	attr_set(terminal.styles[style], terminal.pairs[style], NULL);
	move(row, column);
	while (bytes) {
		uint32_t code_point;
		size_t taken = utf8_decode(text, bytes, &code_point);
		wchar_t one[2] = {L'?', 0};
		int wide = 1;

		/* In other locales than UTF-8, only ASCII is safe. */
		if (code_point < 0x80 || (terminal.has_utf8 && code_point != UTF8_INVALID && !utf8_is_unsafe(code_point)))
			one[0] = (wchar_t)code_point;
		if (code_point < 0x20 || code_point == 0x7f)
			one[0] = L'?';
		if (one[0] != L'?')
			wide = wcwidth(one[0]); /* ncurses uses this width */
		if (wide < 0) {
			one[0] = terminal.has_utf8 ? L'\ufffd' : L'?';
			wide = 1;
		}
		if (used + wide > columns)
			break;
		addnwstr(one, 1);
		used += wide;
		text += taken;
		bytes -= taken;
	}
	attr_set(A_NORMAL, 0, NULL);
	return used;
}

void terminal_fill(int row, int column, int columns, enum terminal_style style)
{
	if (row < 0 || row >= LINES || column < 0 || column >= COLS)
		return;
	if (columns > COLS - column)
		columns = COLS - column;
	attr_set(terminal.styles[style], terminal.pairs[style], NULL);
	mvhline(row, column, ' ' | terminal.styles[style], columns);
	attr_set(A_NORMAL, 0, NULL);
}

void terminal_place_cursor(int row, int column)
{
	terminal.has_cursor = row >= 0;
	terminal.cursor_row = row;
	terminal.cursor_column = column < COLS ? column : COLS - 1;
}

void terminal_show(void)
{
	curs_set(terminal.has_cursor ? 1 : 0);
	if (terminal.has_cursor)
		move(terminal.cursor_row, terminal.cursor_column);
	else
		move(LINES - 1, 0);
	refresh();
}
