/* control: finds the control block by the ELF notes of the files in the process, and writes requests into the block. */
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

/* Reads from the process's memory. False: the process has ended, or has no memory at the address. */
static bool read_process(const struct control *control, uint64_t address, void *to, size_t bytes)
{
	return remote_read(&control->image, address, to, bytes);
}

/* Writes to the process's memory. False: as for reading. */
static bool write_process(const struct control *control, uint64_t address, const void *from, size_t bytes)
{
	return remote_write(&control->image, address, from, bytes);
}

/* Reads the control block at an address, and keeps the address. False: there is no control block. */
static bool read_block(struct control *control, uint64_t address)
{
	struct dwell_control *block = &control->block;

	if (!read_process(control, address, block, sizeof *block) || block->magic != DWELL_CONTROL_MAGIC)
		return false;
	block->session[sizeof block->session - 1] = 0;
	control->address = address;
	return true;
}

/* The address of the control block according to a note in [at, at + bytes) of the process; 0: no such note. */
static uint64_t find_note(const struct control *control, uint64_t at, uint64_t bytes)
{
	unsigned char *notes = bytes <= NOTES_MAX ? malloc(bytes) : NULL;
	uint64_t found = 0;

	if (notes && read_process(control, at, notes, bytes)) {
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
				!memcmp(notes + name, DWELL_CONTROL_NOTE, sizeof DWELL_CONTROL_NOTE) &&
				note.n_descsz == sizeof distance) {
				memcpy(&distance, notes + text, sizeof distance);
				found = at + text + (uint64_t)distance;
			}
			i = next;
		}
	}
	free(notes);
	return found;
}

/* Searches the notes of a file whose beginning is mapped at start. Returns the address of the control block; 0: no note. */
static uint64_t find_in_image(const struct control *control, uint64_t start)
{
	Elf64_Ehdr elf;
	Elf64_Phdr headers[PROGRAM_HEADERS_MAX];
	uint64_t bias = 0, found = 0;

	if (!read_process(control, start, &elf, sizeof elf) || memcmp(elf.e_ident, ELFMAG, SELFMAG) ||
		elf.e_ident[EI_CLASS] != ELFCLASS64 || elf.e_phentsize != sizeof *headers || elf.e_phnum > PROGRAM_HEADERS_MAX ||
		!read_process(control, start + elf.e_phoff, headers, elf.e_phnum * sizeof *headers))
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

/* Finds the control block. A process may have several agents (linked and preloaded): prefers an agent that has found hooks. */
static enum control_problem find_block(struct control *control)
{
	enum control_problem problem = CONTROL_NO_AGENT;
	uint64_t best = 0;

	for (size_t i = 0; i < control->image.map_count; i++) {
		const struct remote_mapping *mapping = &control->image.maps[i];
		uint64_t address;

		if (mapping->access[0] != 'r' || mapping->offset || !mapping->inode ||
			!(address = find_in_image(control, mapping->low)))
			continue;
		if (!read_block(control, address) || control->block.version != DWELL_CONTROL_VERSION ||
			control->block.session_version != DWELL_SESSION_VERSION ||
			control->block.machine != cpu_native()->elf_machine) {
			if (!best)
				problem = CONTROL_MISMATCH;
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

/* The process's pid in its own PID namespace. */
static uint32_t read_own_pid(pid_t pid)
{
	char path[64], line[512];
	uint32_t own = (uint32_t)pid;
	FILE *file;

	snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof line, file))
		if (!strncmp(line, "NStgid:", 7) && strrchr(line, '\t'))
			own = (uint32_t)strtoul(strrchr(line, '\t'), NULL, 10);
	if (file)
		fclose(file);
	return own;
}

enum control_problem control_find(struct control *control, pid_t pid)
{
	enum control_problem problem;

	*control = (struct control){.pid = pid, .own_pid = read_own_pid(pid), .image.memory = -1};
	if (!remote_image_open(&control->image, pid))
		return errno == ENOENT || errno == ESRCH ? CONTROL_GONE : CONTROL_DENIED;
	problem = find_block(control);
	if (problem == CONTROL_NO_AGENT && !control->image.map_count)
		problem = CONTROL_GONE;
	return problem;
}

void control_close(struct control *control)
{
	int error = errno;

	remote_image_close(&control->image);
	errno = error;
}

bool control_read(struct control *control)
{
	return read_block(control, control->address);
}

bool control_request(struct control *control, const char *session, uint32_t *number)
{
	const struct dwell_control *block = &control->block;
	uint64_t at = control->address;
	char name[DWELL_CONTROL_PATH_BYTES] = {0};

	snprintf(name, sizeof name, "%s", session);
	*number = block->request + 1 ? block->request + 1 : 1;
	return write_process(control, at + offsetof(struct dwell_control, request_session), name, sizeof name) &&
	       write_process(
		       control, at + offsetof(struct dwell_control, request_pid), &control->own_pid, sizeof control->own_pid) &&
	       write_process(control, at + offsetof(struct dwell_control, request), number, sizeof *number);
}
