#include "record/session/control.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "target/port/os/linux/session.h"

#define PROGRAM_HEADERS_MAX 128u
#define NOTES_MAX 65536u

static bool get(const struct control *control, uint64_t address, void *to, size_t bytes)
{
	return pread(control->memory, to, bytes, (off_t)address) == (ssize_t)bytes;
}

static bool put(const struct control *control, uint64_t address, const void *from, size_t bytes)
{
	return pwrite(control->memory, from, bytes, (off_t)address) == (ssize_t)bytes;
}

static bool read_block(struct control *control, uint64_t address)
{
	struct dwell_control *block = &control->block;

	if (!get(control, address, block, sizeof *block) || block->magic != DWELL_CONTROL_MAGIC)
		return false;
	block->session[sizeof block->session - 1] = 0;
	control->address = address;
	return true;
}

/* The block that a note in [at, at + bytes) of the process tells of, 0 when none does. */
static uint64_t find_note(const struct control *control, uint64_t at, uint64_t bytes)
{
	unsigned char *notes = bytes <= NOTES_MAX ? malloc(bytes) : NULL;
	uint64_t found = 0;

	if (notes && get(control, at, notes, bytes)) {
		for (uint64_t i = 0; !found && bytes - i >= sizeof(Elf64_Nhdr);) {
			Elf64_Nhdr note;
			uint64_t name = i + sizeof note, text, next;
			int64_t distance;

			memcpy(&note, notes + i, sizeof note);
			text = name + (((uint64_t)note.n_namesz + 3) & ~UINT64_C(3));
			next = text + (((uint64_t)note.n_descsz + 3) & ~UINT64_C(3));
			if (next > bytes)
				break;
			if (note.n_type == DWELL_CONTROL_NOTE_TYPE && note.n_namesz == sizeof DWELL_CONTROL_NOTE &&
				!memcmp(notes + name, DWELL_CONTROL_NOTE, sizeof DWELL_CONTROL_NOTE) && note.n_descsz == sizeof distance) {
				memcpy(&distance, notes + text, sizeof distance);
				found = at + text + (uint64_t)distance;
			}
			i = next;
		}
	}
	free(notes);
	return found;
}

/* Looks at the file that is mapped from its beginning at start. */
static uint64_t find_in_image(const struct control *control, uint64_t start)
{
	Elf64_Ehdr elf;
	Elf64_Phdr headers[PROGRAM_HEADERS_MAX];
	uint64_t bias = 0, found = 0;

	if (!get(control, start, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) || elf.e_ident[EI_CLASS] != ELFCLASS64 ||
		elf.e_phentsize != sizeof *headers || elf.e_phnum > PROGRAM_HEADERS_MAX ||
		!get(control, start + elf.e_phoff, headers, elf.e_phnum * sizeof *headers))
		return 0;
	for (unsigned i = 0; i < elf.e_phnum; i++)
		if (headers[i].p_type == PT_LOAD && headers[i].p_offset == 0) {
			bias = start - headers[i].p_vaddr;
			break;
		}
	for (unsigned i = 0; !found && i < elf.e_phnum; i++)
		if (headers[i].p_type == PT_NOTE)
			found = find_note(control, bias + headers[i].p_vaddr, headers[i].p_filesz);
	return found;
}

static FILE *open_maps(pid_t pid)
{
	char path[64];

	snprintf(path, sizeof path, "/proc/%ld/maps", (long)pid);
	return fopen(path, "re");
}

/* Of several agents in one process (linked and preloaded) the one that has hooks. */
static enum control_problem find_block(struct control *control, FILE *maps)
{
	enum control_problem problem = CONTROL_NO_AGENT;
	uint64_t start, end, offset, best = 0;
	unsigned long inode;
	char line[4352];

	while (fgets(line, sizeof line, maps)) {
		uint64_t address;

		if (sscanf(line, "%lx-%lx r%*3s %lx %*s %lu", &start, &end, &offset, &inode) != 4 || offset || !inode ||
			!(address = find_in_image(control, start)))
			continue;
		if (!read_block(control, address) || control->block.version != DWELL_CONTROL_VERSION ||
			control->block.session_version != DWELL_SESSION_VERSION || control->block.machine != cpu_here()->elf_machine) {
			if (!best)
				problem = CONTROL_OTHER;
			continue;
		}
		if (!best || control->block.hooked_modules)
			best = address;
		problem = CONTROL_FOUND;
	}
	if (problem == CONTROL_FOUND && !read_block(control, best))
		problem = CONTROL_GONE;
	return problem;
}

/* What the process takes itself for. */
static uint32_t read_own_pid(pid_t pid)
{
	char path[64], line[512];
	uint32_t own = (uint32_t)pid;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, "NSpid:", 6) && strrchr(line, '\t'))
			own = (uint32_t)strtoul(strrchr(line, '\t'), NULL, 10);
	if (file)
		fclose(file);
	return own;
}

enum control_problem control_find(struct control *control, pid_t pid)
{
	enum control_problem problem;
	char path[64];
	FILE *maps;

	*control = (struct control){.pid = pid, .own_pid = read_own_pid(pid)};
	snprintf(path, sizeof path, "/proc/%ld/mem", (long)pid);
	control->memory = open(path, O_RDWR | O_CLOEXEC);
	if (control->memory < 0)
		return errno == ENOENT || errno == ESRCH ? CONTROL_GONE : CONTROL_DENIED;
	maps = open_maps(pid);
	problem = maps ? find_block(control, maps) : errno == ENOENT || errno == ESRCH ? CONTROL_GONE : CONTROL_DENIED;
	if (maps)
		fclose(maps);
	if (problem != CONTROL_FOUND)
		control_close(control);
	return problem;
}

void control_close(struct control *control)
{
	int error = errno;

	if (control->memory >= 0)
		close(control->memory);
	control->memory = -1;
	errno = error;
}

bool control_read(struct control *control)
{
	return read_block(control, control->address);
}

bool control_request(struct control *control, const char *session, uint32_t *number)
{
	const struct dwell_control *block = &control->block;
	char name[DWELL_CONTROL_PATH_BYTES] = {0};

	snprintf(name, sizeof name, "%s", session);
	*number = block->request + 1 ? block->request + 1 : 1;
	return put(control, control->address + offsetof(struct dwell_control, request_session), name, sizeof name) &&
	       put(control, control->address + offsetof(struct dwell_control, request_pid), &control->own_pid, sizeof control->own_pid) &&
	       put(control, control->address + offsetof(struct dwell_control, request), number, sizeof *number);
}

/* One block of sites. What is behind a gate tells whether it is still one. */
static bool open_sites(struct control *control, const struct dwell_site_block *block)
{
	const uint8_t on = DWELL_SITE_ON;

	for (uint32_t i = 0; i < block->count && i < DWELL_SITES_A_BLOCK; i++) {
		const struct dwell_site *site = &block->sites[i];
		uint32_t distance = dwell_site_distance(block, site);
		uint8_t found[5];

		if (site->what & DWELL_SITE_MUTED)
			continue;
		if (get(control, block->base + site->gate, found, sizeof found) && found[0] == dwell_site_off(site) &&
			!memcmp(found + 1, &distance, sizeof distance) && !put(control, block->base + site->gate, &on, 1))
			return false;
	}
	return true;
}

#define SITE_BLOCKS_MAX 4096u /* as many as we would follow */

static bool open_all_sites(struct control *control)
{
	struct dwell_site_block *block = malloc(sizeof *block);
	uint64_t address = control->block.site_blocks;
	bool done = block != NULL;

	for (uint32_t i = 0; done && address && i < SITE_BLOCKS_MAX; i++) {
		done = get(control, address, block, sizeof *block) && (!block->base || open_sites(control, block));
		address = block->next;
	}
	free(block);
	return done;
}

bool control_open_gates(struct control *control)
{
	uint32_t count;

	if (!control_read(control))
		return false;
	count = control->block.gate_count;
	if (count > DWELL_CONTROL_GATES_MAX)
		return false;
	for (uint32_t i = 0; i < count; i++) {
		struct dwell_gate gate;
		uint8_t found, on;

		if (!get(control, control->block.gates + i * sizeof gate, &gate, sizeof gate))
			return false;
		on = (uint8_t)gate.on;
		/* Not filled in yet, or the memory of something else by now: leave it. */
		if (!gate.address || !get(control, gate.address, &found, 1) || found != (uint8_t)gate.off)
			continue;
		if (!put(control, gate.address, &on, 1))
			return false;
	}
	return open_all_sites(control);
}
