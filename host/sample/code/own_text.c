/* own_text: see own_text.h. */
#include "sample/code/own_text.h"

#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util/array.h"

static bool read_segments(struct own_text *text, Elf *elf)
{
	size_t count = 0;

	elf_getphdrnum(elf, &count);
	for (size_t i = 0; i < count; i++) {
		GElf_Phdr segment;

		if (!gelf_getphdr(elf, (int)i, &segment) || segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) || !segment.p_filesz ||
			segment.p_vaddr > UINT64_MAX - segment.p_filesz)
			continue;
		if (!array_reserve(&text->segments, &text->segment_capacity, text->segment_count + 1, sizeof *text->segments))
			return false;
		text->segments[text->segment_count++] =
			(struct own_segment){.address = segment.p_vaddr, .offset = segment.p_offset, .bytes = segment.p_filesz};
		if (text->segment_count == 1 || segment.p_vaddr < text->low)
			text->low = segment.p_vaddr;
		if (segment.p_vaddr + segment.p_filesz > text->high)
			text->high = segment.p_vaddr + segment.p_filesz;
	}
	return true;
}

bool own_text_read(struct own_text *text, const char *path, struct diag *diag)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat info;
	Elf *elf = NULL;
	bool good = true;

	if (fd < 0 || fstat(fd, &info) < 0) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "cannot read its symbols: %s", strerror(errno));
		good = false;
	} else {
		text->device = info.st_dev;
		text->inode = info.st_ino;
		elf_version(EV_CURRENT);
		elf = elf_begin(fd, ELF_C_READ, NULL);
		good = elf && elf_kind(elf) == ELF_K_ELF;
		if (!good)
			diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET,
				"no ELF program: what runs it has no symbols of it (a script? profile its interpreter)");
	}
	if (good && !read_segments(text, elf)) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "out of memory");
		good = false;
	}
	if (good && !text->segment_count) {
		diag_add(diag, DIAG_ERROR, path, DIAG_NO_OFFSET, "has no text that could be executed");
		good = false;
	}
	if (elf)
		elf_end(elf);
	if (fd >= 0)
		close(fd);
	return good;
}

static struct own_process *find(const struct own_text *text, uint32_t pid)
{
	for (size_t i = text->process_count; i--;)
		if (text->processes[i].pid == pid)
			return &text->processes[i];
	return NULL;
}

static void drop(struct own_text *text, struct own_process *process)
{
	free(process->maps);
	*process = text->processes[--text->process_count];
}

static struct own_process *add(struct own_text *text, uint32_t pid)
{
	struct own_process *process = find(text, pid);

	if (process) /* its end was not told */
		drop(text, process);
	if (!array_reserve(&text->processes, &text->process_capacity, text->process_count + 1, sizeof *text->processes)) {
		text->starved = true;
		return NULL;
	}
	process = &text->processes[text->process_count++];
	*process = (struct own_process){.pid = pid, .threads = 1};
	return process;
}

void own_text_begin(struct own_text *text, uint32_t pid)
{
	add(text, pid);
}

static void copy_process(struct own_text *text, uint32_t pid, uint32_t parent_pid)
{
	struct own_process *process = add(text, pid), *parent = process ? find(text, parent_pid) : NULL;

	if (!parent || !parent->map_count)
		return;
	if (!array_reserve(&process->maps, &process->map_capacity, parent->map_count, sizeof *process->maps)) {
		text->starved = true;
		return;
	}
	memcpy(process->maps, parent->maps, parent->map_count * sizeof *parent->maps);
	process->map_count = parent->map_count;
}

/* Whatever else was there is there no more. */
static void unmap(struct own_process *process, uint64_t low, uint64_t high)
{
	for (size_t i = process->map_count; i--;)
		if (process->maps[i].low < high && process->maps[i].high > low)
			process->maps[i] = process->maps[--process->map_count];
}

static void map(struct own_text *text, struct own_process *process, const struct perf_record *record)
{
	const struct own_segment *segment = text->segments, *end = segment + text->segment_count;
	struct stat info;

	unmap(process, record->map.low, record->map.high);
	if (stat(record->map.path, &info) < 0 || info.st_dev != text->device || info.st_ino != text->inode)
		return;
	/* Mappings are of whole pages: the segment begins in it, or around it. */
	while (segment < end && !(segment->offset < record->map.offset + (record->map.high - record->map.low) &&
				       segment->offset + segment->bytes > record->map.offset))
		segment++;
	if (segment == end)
		return;
	if (!array_reserve(&process->maps, &process->map_capacity, process->map_count + 1, sizeof *process->maps)) {
		text->starved = true;
		return;
	}
	process->maps[process->map_count++] = (struct own_map){.low = record->map.low,
		.high = record->map.high,
		.address = segment->address + (record->map.offset - segment->offset)};
}

void own_text_tell(struct own_text *text, const struct perf_record *record)
{
	struct own_process *process = find(text, record->pid);

	switch (record->kind) {
	case PERF_PROCESS:
		copy_process(text, record->pid, record->parent_pid);
		break;
	case PERF_THREAD:
		if (process)
			process->threads++;
		break;
	case PERF_THREAD_END:
		if (process && !--process->threads)
			drop(text, process);
		break;
	case PERF_EXEC:
		if (process) {
			process->map_count = 0;
			process->threads = 1;
		}
		break;
	case PERF_MAP:
		if (process)
			map(text, process, record);
		break;
	default:
		break;
	}
}

uint64_t own_text_offset(const struct own_text *text, uint32_t pid, uint64_t address)
{
	const struct own_process *process = find(text, pid);

	for (size_t i = 0; process && i < process->map_count; i++) {
		const struct own_map *map = &process->maps[i];
		uint64_t at = map->address + (address - map->low);

		if (address >= map->low && address < map->high)
			return at >= text->low && at < text->high ? at - text->low : OWN_TEXT_OUTSIDE;
	}
	return OWN_TEXT_OUTSIDE;
}

void own_text_clear(struct own_text *text)
{
	while (text->process_count)
		drop(text, text->processes);
	free(text->processes);
	free(text->segments);
	*text = (struct own_text){0};
}
