#!/usr/bin/env python3
"""Compares calls by address: those that dwell recorded of a program, and what callgrind counted.

    counts_by_address.py PROGRAM SITES.csv REPORT.csv CALLGRIND

SITES.csv is of dwell symbols --sites, REPORT.csv of dwell report. CALLGRIND is of valgrind --tool=callgrind --dump-instr=yes
--collect-jumps=yes --compress-strings=no --compress-pos=no: how often each instruction was run. A function was entered as often as its first
one was, but for jumps back to it from the function itself. So a tail call is an entry, whatever callgrind takes it for.

Prints how many functions have calls, and how many calls there were; or where the two differ, with status 1.
"""
import csv
import os
import struct
import sys


def is_jump(image, at):
    """Whether an instruction of an ELF file, 64 bits, is a direct jump and not a call."""
    headers, size, count = struct.unpack_from("<Q14xHH", image, 32)
    for i in range(count):
        kind, _, offset, low, _, length = struct.unpack_from("<IIQQQQ", image, headers + i * size)
        if kind == 1 and low <= at < low + length:
            return image[offset + at - low] in (0xE9, 0xEB) or image[offset + at - low] & 0xF0 == 0x70 or image[offset + at - low] == 0x0F
    return False


def read_instructions(path, program):
    """How often each of the program's instructions was run, and the jumps that were taken: {to: {from: times}}."""
    with open(program, "rb") as file:
        image = file.read()
    runs, jumps = {}, {}
    is_ours, call, jump, called_from = False, None, None, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.strip()
            if line.startswith("ob="):
                is_ours = os.path.realpath(line[3:]) == program
            elif line.startswith("calls="):
                times, to = line[6:].split()[:2]
                call = int(to, 16), int(times)
            elif line.startswith(("jump=", "jcnd=")):
                times, to = line[5:].split()[:2]
                jump = int(to, 16), int(times.split("/")[0])
            elif line.startswith("0x"):
                fields = line.split()
                at = int(fields[0], 16)
                # Some jumps are calls to callgrind. Such a one is shown again behind it.
                if is_ours and (jump or (call and is_jump(image, at))):
                    to, times = jump or call
                    came = jumps.setdefault(to, {})
                    came[at] = came.get(at, 0) + times
                elif is_ours and not call and at != called_from:
                    runs[at] = runs.get(at, 0) + int(fields[2])
                called_from = at if call else None
                call = jump = None
    return runs, jumps


def main(program, sites_path, report_path, callgrind_path):
    with open(sites_path, encoding="utf-8", newline="") as file:
        functions = [(int(row["address"], 16), int(row["size"]), row["name"]) for row in csv.DictReader(file) if row["state"] == "timed"]
    with open(report_path, encoding="utf-8", newline="") as file:
        recorded = {row["function"]: int(row["calls"]) for row in csv.DictReader(file) if row["calls"]}  # but (outside)
    runs, jumps = read_instructions(callgrind_path, os.path.realpath(program))
    called = total = 0
    wrong = []
    for start, size, name in functions:
        again = sum(times for at, times in jumps.get(start, {}).items() if start <= at < start + size)
        expected, found = runs.get(start, 0) - again, recorded.get(name, 0)
        called += expected != 0
        total += expected
        if expected != found:
            wrong.append(f"{name} at {start:#x}: {found} calls, callgrind counted {expected}")
    print("\n".join(wrong or [f"{called} functions, {total} calls"]))
    return 1 if wrong or not total else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:5]))
