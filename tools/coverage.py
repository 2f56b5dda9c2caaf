#!/usr/bin/env python3
"""How much of each room the unit tests run, and how much only the other tests do. `make coverage` calls it.

tools/coverage.py BUILD UNIT OTHER

BUILD holds objects that were compiled with --coverage. UNIT and OTHER are folders with what ran, each as GCOV_PREFIX left it there:
the counts of BUILD/obj/host/io/gdb.o are in UNIT/obj/host/io/gdb.gcda. A line or function counts once, though several objects may
have it. Of a function that the compiler knows nothing of, as nothing in the room calls it, nothing is counted.
"""
import json
import os
import shutil
import subprocess
import sys
import tempfile


def room_of(source):
	parts = source.split("/")
	if parts[0] == "classic":
		return "classic/" + room_of("/".join(parts[1:]))
	return "/".join(parts[:2]) if parts[0] in ("host", "target") and len(parts) > 2 else parts[0]


def notes_of(build):
	"""What the compiler wrote of each object, as paths below the folder; without the tests' own."""
	for folder, folders, files in os.walk(build):
		folders[:] = sorted(name for name in folders if os.path.join(folder, name) not in [f"{build}/{tests}" for tests in ("obj/test", "obj/bench", "made")])
		yield from (os.path.relpath(os.path.join(folder, name), build) for name in files if name.endswith(".gcno"))


def counts_of(build, ran):
	"""{(source, line)} and {(source, function)}, each with whether it ran."""
	lines, functions = {}, {}
	with tempfile.TemporaryDirectory() as work:
		names = []
		for number, note in enumerate(notes_of(build)):
			name, data = os.path.join(work, f"{number}.gcno"), os.path.join(ran, note[:-4] + "gcda")
			shutil.copy(os.path.join(build, note), name)
			if os.path.exists(data):
				shutil.copy(data, name[:-4] + "gcda")
			names.append(name)
		for begin in range(0, len(names), 100):
			gcov = subprocess.run(["gcov", "--json-format", "--stdout", *names[begin:begin + 100]], capture_output=True)
			if gcov.returncode:
				sys.exit(f"{build}: gcov cannot read what ran; were objects compiled meanwhile? Run make coverage again\n" +
					gcov.stderr.decode(errors="replace").replace(work + "/", ""))
			for text in gcov.stdout.splitlines():
				for file in json.loads(text)["files"]:
					source = file["file"]
					if room_of(source) not in ("core", "host", "include") and not source.startswith(("host/", "target/", "classic/")):
						continue
					for line in file["lines"]:
						key = source, line["line_number"]
						lines[key] = lines.get(key, False) or line["count"] > 0
					for function in file["functions"]:
						key = source, function["name"]
						functions[key] = functions.get(key, False) or function["execution_count"] > 0
	return lines, functions


def main():
	build, unit, other = (os.path.normpath(path) for path in sys.argv[1:4])
	by_unit, by_other = counts_of(build, unit), counts_of(build, other)
	rooms = {}  # [lines, of these by unit tests, only by others, and the same of functions]
	for kind in (0, 1):
		for key, ran in by_unit[kind].items():
			for name in (room_of(key[0]), "all"):
				row = rooms.setdefault(name, [0] * 6)
				row[3 * kind] += 1
				row[3 * kind + 1] += ran
				row[3 * kind + 2] += not ran and by_other[kind].get(key, False)
	width = max(20, *map(len, rooms))
	print(f"{'room':<{width}} {'lines':>7} {'unit':>7} {'others':>7} {'none':>7}   {'functions':>9} {'unit':>7} {'others':>7} {'none':>7}")
	for name in sorted(rooms, key=lambda name: (name == "all", name)):
		cells = []
		for total, first, second in (rooms[name][:3], rooms[name][3:]):
			cells += [total] + [f"{100 * count / (total or 1):.1f} %" for count in (first, second, total - first - second)]
		print("{:<{}} {:>7} {:>7} {:>7} {:>7}   {:>9} {:>7} {:>7} {:>7}".format(name, width, *cells))
	print("unit: unit tests run it; others: only command lines or end-to-end tests do; none: no test does")


main()
