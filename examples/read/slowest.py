"""The five slowest functions of a recording, by their own time: python3 slowest.py app.dwell"""

import sys

import dwell

for row in dwell.open(sys.argv[1]).functions(limit=5, sort="self", by="wall"):
    print(f"{row['self_ns'] / 1e6:10.3f} ms  {row['function']}")
