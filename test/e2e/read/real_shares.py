#!/usr/bin/env python3
"""real_shares.py REPORT.csv SAMPLES.folded: "8 of 10", so many of the ten functions with most samples have their share between from and to.

A sample counts for the innermost function of its stack that the trace has with times, and for none outside of all: so does its share of the report."""
import csv
import math
import sys

rows = {row["function"]: row for row in csv.DictReader(open(sys.argv[1])) if row["self_low"] and row["self_percent"]}
inside = 1 - float(rows.pop("(outside)", {"self_percent": 0})["self_percent"]) / 100
count = {}
for line in open(sys.argv[2]):
	stack, _, weight = line.rpartition(" ")
	for frame in reversed(stack.split(";")):
		if frame in rows:
			count[frame] = count.get(frame, 0) + float(weight)
			break
total = sum(count.values()) or 1
samples = total / max(min(count.values(), default=1), 1)
held = tried = 0
for function, weight in sorted(count.items(), key=lambda item: -item[1])[:10]:
	share = weight / total
	if share < 0.02:
		break
	sigma = math.sqrt(share * (1 - share) / samples)
	low, high = (float(rows[function][key]) / 100 / inside for key in ("self_low", "self_high"))
	tried += 1
	held += low - 2 * sigma <= share <= high + 2 * sigma
print(f"{held} of {tried}")
