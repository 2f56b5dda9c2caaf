#!/usr/bin/env python3
"""How comments read, room by room: three habits that make a sentence hard, in words of comments of .c and .h files.

    comments.py                 a row for each room, and its limits
    comments.py --check         the rooms that are above their limits (tools/comments.limits), and names of files that are not there;
                                status 1: there are some
    comments.py --lower         writes the limits down to what the rooms have; never up
    comments.py --worst N       the N comments with the most of them, with file and line

pronouns: words that stand for a noun, in percent. tell: what functions and fields do not do (tell, say, ask, know, see, want, hear), per
1,000 words. passives: per 1,000 words. A figure is no reader: a room below its limits may still have riddles.
"""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMITS = os.path.join(ROOT, "tools", "comments.limits")
ROOM_WORDS_MIN = 1000  # smaller rooms count together
GOALS = (6.0, 4.0, 18.0)

PRONOUNS = set(
    "it its that those these this they them their one ones none nobody somebody whoever who whom whose what whichever which "
    "other others another same so such there here".split()
)
TELL = re.compile(r"^(tell|say|ask|know|see|want|hear)(s|ing|n|ed)?$|^(told|said|knew|known|saw|heard)$")
PARTICIPLES = "told said known seen taken given made left kept put found read written begun cut lost held"
PASSIVE = re.compile(rf"\b(?:is|are|was|were|be|been|being)\s+(?:\w+ed|{PARTICIPLES.replace(' ', '|')})\b")
FILE = re.compile(r"(?<![\w<./*-])((?:[\w.-]+/)*[\w-]+\.(?:c|h|S|sh|py|mk|md))(?![\w>*])")
PATH = re.compile(r"`((?:[a-z0-9_]+/)+[a-z0-9_]+\.(?:c|h|cc|S|sh|py|mk))`")
COMMENT = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|/\*(.*?)\*/|//([^\n]*)", re.S)


def room_of(path):
    parts = path.split("/")
    if parts[0] == "classic":
        return "classic"
    return "/".join(parts[:2]) if parts[0] in ("host", "target") and len(parts) > 2 else parts[0]


def comments_of(text):
    for match in COMMENT.finditer(text):
        words = match.group(1) if match.group(1) is not None else match.group(2)
        if words and "SPDX-License-Identifier" not in words:
            yield text.count("\n", 0, match.start()) + 1, re.sub(r"^[ \t]*\*+[ \t]?", "", words, flags=re.M)


def count(comment):
    words = re.findall(r"[A-Za-z']+", comment)
    lower = [word.lower() for word in words]
    return (
        len(words),
        sum(word in PRONOUNS for word in lower),
        sum(bool(TELL.match(word)) for word in lower),
        len(PASSIVE.findall(comment)),
    )


def sources():
    listed = subprocess.run(
        ["git", "-C", ROOT, "ls-files", "--", "core", "host", "target", "include", "classic"], stdout=subprocess.PIPE, text=True, check=True
    )
    return [path for path in listed.stdout.split() if path.endswith((".c", ".h")) and os.path.exists(os.path.join(ROOT, path))]


def each_comment():
    for path in sources():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            for line, comment in comments_of(file.read()):
                yield path, line, comment


def measure():
    """Of each room its words, then pronouns in percent, tell and passives per 1,000."""
    sums = {}
    for path, _, comment in each_comment():
        room = sums.setdefault(room_of(path), [0, 0, 0, 0])
        for i, number in enumerate(count(comment)):
            room[i] += number
    rooms, small = {}, [0, 0, 0, 0]
    for name, room in sorted(sums.items()):
        if room[0] < ROOM_WORDS_MIN:
            small = [a + b for a, b in zip(small, room)]
        else:
            rooms[name] = room
    rooms["rest"] = small
    return {name: (words, 100 * p / words, 1000 * t / words, 1000 * v / words) for name, (words, p, t, v) in rooms.items() if words}


def read_limits():
    limits = {}
    if os.path.exists(LIMITS):
        with open(LIMITS, encoding="utf-8") as file:
            for row in file:
                if row.strip() and not row.startswith("#"):
                    name, *numbers = row.split()
                    limits[name] = tuple(float(number) for number in numbers)
    return limits


def lower():
    limits = read_limits()
    with open(LIMITS, "w", encoding="utf-8") as file:
        file.write("# The most that comments of a room may have (tools/comments.py): pronouns %, tell and passives per 1,000 words.\n")
        file.write(f"# They only fall (comments.py --lower), to {GOALS[0]:g}, {GOALS[1]:g} and {GOALS[2]:g}.\n")
        for name, (_, *found) in measure().items():
            # A tenth, so that the next comment does not have to be the best of all.
            wanted = [max(goal, round(number + 0.05, 1)) for goal, number in zip(GOALS, found)]
            known = limits.get(name, wanted)
            file.write("%-18s %5.1f %5.1f %5.1f\n" % (name, *(min(a, b) for a, b in zip(known, wanted))))


def each_path_in_documents():
    """`host/util/array.h` and the like in Markdown; capitals stand for a name of the reader's choice."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "--", "*.md"], stdout=subprocess.PIPE, text=True, check=True)
    for path in listed.stdout.split():
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            for line, text in enumerate(file, 1):
                for name in PATH.findall(text):
                    if os.path.isdir(os.path.join(ROOT, name.split("/")[0])):
                        yield path, line, name


def missing_files():
    """Files of the tree that a comment or a document names and that are not there: path, line, name. A header of the system is
    written <elf.h>."""
    listed = subprocess.run(["git", "-C", ROOT, "ls-files"], stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    known = {"/".join(path.split("/")[i:]) for path in listed for i in range(path.count("/") + 1)}
    named = [(path, line, name) for path, line, comment in each_comment() for name in FILE.findall(comment)]
    return [row for row in named + list(each_path_in_documents()) if row[2] not in known]


def check():
    limits, bad = read_limits(), 0
    for path, line, name in missing_files():
        print(f"{path}:{line}: names {name}, and no such file is there")
        bad = 1
    for name, (_, *found) in measure().items():
        for what, number, limit in zip(("pronouns %", "tell", "passives"), found, limits.get(name, GOALS)):
            if number > limit:
                print(f"{name}: {what}: {number:.1f}, at most {limit:g}: comments.py --worst 20 shows where")
                bad = 1
    return bad


def show():
    limits = read_limits()
    print("%-18s %6s %9s %6s %9s   at most" % ("room", "words", "pronouns", "tell", "passives"))
    for name, found in measure().items():
        print("%-18s %6d %7.1f %% %6.1f %9.1f   %s" % (name, *found, " ".join("%g" % limit for limit in limits.get(name, GOALS))))


def worst(number):
    found = []
    for path, line, comment in each_comment():
        words, *habits = count(comment)
        found.append((sum(habits) - words / 20, path, line, " ".join(comment.split())))
    for weight, path, line, comment in sorted(found, reverse=True)[:number]:
        print(f"{path}:{line}: {weight:.1f}: {comment[:200]}")


def main(arguments):
    if arguments == ["--check"]:
        return check()
    if arguments == ["--lower"]:
        lower()
    elif len(arguments) == 2 and arguments[0] == "--worst":
        worst(int(arguments[1]))
    elif arguments:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        show()
    return 0


sys.exit(main(sys.argv[1:]))
