#!/usr/bin/env python3
"""What callgrind.out and gmon.out say of pairs of functions, as CSV: read as their formats are, without dwell.

usage: pairs.py callgrind FILE          caller,function,calls,total_ns; (self),function,,self_ns
       pairs.py gmon FILE PROGRAM       caller,function,calls
"""
import re
import struct
import subprocess
import sys


def callgrind(path):
    names, own, function, callee, calls, edges = {}, {}, None, None, None, []

    def name(text):
        number, rest = re.fullmatch(r"\((\d+)\) ?(.*)", text).groups()
        if rest:
            names[number] = rest
        return number

    for line in open(path):
        key, _, value = line.rstrip("\n").partition("=")
        if key == "fn":
            function = name(value)
        elif key == "cfn":
            callee = name(value)
        elif key == "calls":
            calls = int(value.split()[0])
        elif re.match(r"\d+ \d+", line):
            cost = int(line.split()[1])
            if calls is None:
                own[function] = own.get(function, 0) + cost
            else:
                edges.append((function, callee, calls, cost))
            calls = None
        elif key.startswith("summary: "):
            summary = int(key.split()[1])
    assert summary == sum(own.values()), "summary"
    for caller, function, calls, cost in edges:
        print(f"{names[caller]},{names[function]},{calls},{cost}")
    for function, cost in own.items():
        print(f"(self),{names[function]},,{cost}")


def gmon(path, program):
    names = {}
    for line in subprocess.run(["nm", program], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        words = line.split()
        if len(words) == 3 and words[1] in "tTwW" and not words[2].endswith(".localalias"):
            names[int(words[0], 16)] = words[2]
    data, at, arcs = open(path, "rb").read(), 20, {}
    while at < len(data):
        if data[at] == 1:
            caller, function, calls = struct.unpack_from("<QQI", data, at + 1)
            arcs[caller, function] = arcs.get((caller, function), 0) + calls
            at += 21
        else:
            at += 41 + 2 * struct.unpack_from("<I", data, at + 17)[0]
    for (caller, function), calls in arcs.items():
        print(f"{names[caller]},{names[function]},{calls}")


{"callgrind": callgrind, "gmon": gmon}[sys.argv[1]](*sys.argv[2:])
