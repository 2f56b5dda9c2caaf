#!/usr/bin/env python3
"""Runs the commands of the documentation, and compares the outputs that it shows with what comes out.

tools/check-docs.sh [--update] [PAGE ...]

Pages are README.md and doc/*.md. Each begins in a folder of its own that holds examples/first. After the README and
doc/getting-started.md, the others find what these two left there: app, app.dwell and so on. One shell runs all commands of a page,
on a terminal of 100 columns.

A fenced block says in its first line what it is:

  sh         commands, a line each. All must succeed
  console    commands behind "$ ", and what each prints
  any other  no commands: c, make, cmake, python, text ...

A comment in the line before a block says what else holds for it:

  <!-- varies -->            of times, addresses and dates only that they are there counts; lines may come in any order. Of the columns
                             of a table of functions any may have no room
  <!-- varies: numbers -->   the same of all numbers, "1 call" is "6 calls", and a call may be "still running at the end"
  <!-- exit N -->            the last command ends with status N
  <!-- exit 0 or 1 -->       each ends so: what is recorded may be incomplete, which is status 1
  <!-- not run: REASON -->   see REASONS, or the path of the test that runs it
  <!-- needs: COMMAND -->    is run where this command is installed
  <!-- setup ... -->         commands that the reader does not see, up to a line "-->"

A line "..." in an output stands for any lines. --update replaces outputs that do not agree, but for those with "...".
"""
import concurrent.futures
import fcntl
import itertools
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time

ROOT, BUILD = os.environ["ROOT"], os.environ["BUILD"]
COLUMNS = 100
REASONS = {
	"installs": "changes the system: test/check/install.sh installs into a folder",
	"asks for keys": "waits for somebody who types",
	"needs a target": "a board, a console or an emulator that is not here",
	"needs your files": "stands for files of the reader's",
	"needs another tool": "a tool that is not always here",
	"takes minutes": "is a test or a benchmark by itself",
	"is part of a file": "shows the inside of something",
}
UNITS = r"(?:ns|us|ms|s|min|h|%|B|KB|MB|GB|KiB|MiB)"
LONGEST = 120


class Block:
	def __init__(self, page, line, kind, directives):
		self.page, self.line, self.kind, self.directives = page, line, kind, directives
		self.lines = []  # as they stand in the page, with their numbers

	def where(self, line=None):
		return f"{self.page}:{line or self.line}"

	def option(self, name):
		for directive in self.directives:
			if directive == name or directive.startswith(name + ":") or directive.startswith(name + " "):
				return directive[len(name):].lstrip(": ") or True
		return None


def blocks_of(page, complain):
	"""The blocks of a page; text that looks like a block of no kind is complained of."""
	found, block, directives, setup, blank_before = [], None, [], None, True
	for number, line in enumerate(open(os.path.join(ROOT, page), encoding="utf-8").read().split("\n"), 1):
		if block:
			if line.startswith("```"):
				found.append(block)
				block = None
			else:
				block.lines.append((number, line))
		elif setup:
			if line == "-->":
				found.append(setup)
				setup = None
			else:
				setup.lines.append((number, line))
		elif line == "<!-- setup":
			setup = Block(page, number, "sh", [])
		elif line.startswith("```"):
			kind = line[3:].strip()
			if not kind:
				complain(f"{page}:{number}: a block without a kind (sh, console, text ...)")
			block = Block(page, number, kind, directives)
			directives = []
		else:
			comment = re.fullmatch(r"<!-- (.*) -->", line)
			directives = [part.strip() for part in comment.group(1).split(";")] if comment else []
			if re.match(r"( {4}|\t)\S", line) and blank_before:
				complain(f"{page}:{number}: an indented block: fence it, and say what it is")
		blank_before = not line.strip()
	return found


class Shell:
	"""One shell on a terminal, which gets a command at a time."""

	def __init__(self, folder):
		self.master, slave = pty.openpty()
		fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
		environment = {key: value for key, value in os.environ.items()
			if not key.startswith(("DWELL", "MAKE", "LD_")) and key not in ("COLUMNS", "LINES", "CC", "CFLAGS")}
		environment.update(PATH=BUILD + ":" + environment["PATH"], LC_ALL="C.UTF-8", TZ="UTC", NO_COLOR="1", TERM="xterm",
			XDG_CACHE_HOME=os.path.join(folder, ".cache"), HOME=folder)
		environment.setdefault("RUSTUP_HOME", os.path.expanduser("~/.rustup"))  # a rustc that looks for its compiler there
		self.process = subprocess.Popen(["bash", "--norc"], cwd=folder, stdin=subprocess.PIPE, stdout=slave, stderr=slave,
			env=environment, start_new_session=True)
		os.close(slave)
		self.folder = folder

	def run(self, command):
		"""What it prints, and its exit status; None when it takes too long."""
		self.process.stdin.write(f"{{ {command}\n}} < /dev/null; printf '\\n\\001%d\\001' $?\n".encode())
		self.process.stdin.flush()
		text, until = b"", time.time() + LONGEST
		while b"\001" not in text or not re.search(rb"\n\001(\d+)\001", text):
			if time.time() > until or not select.select([self.master], [], [], until - time.time())[0]:
				return text.decode("utf-8", "replace"), None
			try:
				text += os.read(self.master, 65536)
			except OSError:
				return text.decode("utf-8", "replace"), None
		text, status = re.fullmatch(rb"(.*?)\r?\n\001(\d+)\001.*", text, re.S).groups()
		text = text.decode("utf-8", "replace").replace("\r\n", "\n")
		lines = [line.split("\r")[-1].replace("\033[K", "").rstrip() for line in text.split("\n")]
		while lines and not lines[-1]:
			lines.pop()
		return re.sub(re.escape(os.path.dirname(self.folder)) + r"/\d\d", "/home/me", "\n".join(lines)), int(status)

	def close(self):
		for number in (signal.SIGTERM, signal.SIGKILL):
			try:
				os.killpg(self.process.pid, number)
			except ProcessLookupError:
				break
			time.sleep(0.05)
		self.process.wait()
		os.close(self.master)


def masked(line, numbers):
	line = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", "DATE", line)
	line = re.sub(r"0x[0-9a-f]+", "ADDRESS", line)
	line = re.sub(rf"[~<]?-?\d[\d,]*(?:\.\d+)? ?{UNITS}\b(?!\w)|[~<]?-?\d[\d,]*(?:\.\d+)? ?%", "VALUE", line)
	line = re.sub(r"[█▉▊▋▌▍▎▏#]+", "BAR", line)
	if numbers:
		line = re.sub(r"\b\d[\d,]*(?:\.\d+)?", "N", line)
		line = re.sub(r"\bN (call|event|function|sample|thread)s?\b", r"N \1", line)
		line = re.sub(r" = +(?=\S)", " ", line)
		line = line.replace(", still running at the end", "")  # a snapshot on a busy machine is a moment later
	return re.sub(r"\s+", " ", line).strip()


def titles_of(line):
	return re.split(r" {2,}", line.strip()) if re.search(r"  function$", line) else []


def without_widths(lines, numbers):
	"""Masked lines. How wide a time is decides which columns have room: of a table of functions count all columns, those without room, too, and
	of each row what is no time."""
	out, titles = [], []
	for line in lines:
		missing = re.fullmatch(r"\(no room for (.*)\)", line)
		cells = [cell for cell in re.split(r" {2,}", line.strip()) if cell != "?"]  # a function that is too short to tell
		if titles_of(line):
			titles = titles_of(line)
			out.append(titles)
		elif missing and titles:
			titles += missing.group(1).split(", ")
			titles = []
		elif titles and len(cells) == len(titles):
			cells = [masked(cell, numbers) for cell in cells]
			out.append("  ".join(cell for cell in cells if not re.fullmatch(r"<?VALUE", cell)))
		else:
			titles = titles if line.strip() and titles else []
			out.append(masked(line, numbers))
	return ["columns: " + ", ".join(sorted(line)) if isinstance(line, list) else line for line in out]


def agrees(shown, printed, varies):
	"""Whether what a page shows is what was printed; else why not."""
	open_ended = "..." in shown
	if varies:
		numbers = varies == "numbers"
		shown, printed = (without_widths(lines, numbers) for lines in (shown, printed))
	wanted = [line for line in shown if line != "..."]
	if not open_ended and not varies:
		return wanted == printed
	if not open_ended:
		return sorted(wanted) == sorted(printed)
	rest = list(printed)
	for line in wanted:
		if line not in rest:
			return False
		rest.remove(line)
	return True


class Check:
	def __init__(self, update):
		self.update, self.failures, self.commands, self.outputs, self.compares = update, [], 0, 0, comparable()

	def complain(self, text):
		self.failures.append(text)
		print(text)

	def command(self, shell, block, line, command, last):
		printed, status = shell.run(command)
		self.commands += 1
		allowed = [int(number) for number in re.findall(r"\d+", block.option("exit") or "0")]
		wanted = allowed if last or len(allowed) > 1 else [0]
		if status is None:
			self.complain(f"{block.where(line)}: still running after {LONGEST} s: {command}")
		elif status not in wanted:
			self.complain(f"{block.where(line)}: exit status {status}, expected {' or '.join(map(str, wanted))}: {command}\n    " + printed.replace("\n", "\n    "))
		return printed

	def page(self, page, folder, changes):
		shell = Shell(folder)
		for block in blocks_of(page, self.complain):
			reason = block.option("not run")
			if reason and reason not in REASONS and not os.path.exists(os.path.join(ROOT, str(reason).split()[0])):
				self.complain(f"{block.where()}: not run: neither a reason nor a test: {reason}")
			if reason or block.kind not in ("sh", "console"):
				continue
			needed = block.option("needs")
			lacking = f"no {needed}" if needed and not shutil.which(needed) else what_lacks(" ".join(line for _, line in block.lines))
			if lacking:
				print(f"{block.where()}: not run: {lacking}")
				continue
			commands = self.split(block)
			for index, (first, command, shown, begin, end) in enumerate(commands):
				printed = self.command(shell, block, first, command, index + 1 == len(commands))
				if block.kind == "sh":
					continue
				self.outputs += 1
				lines = printed.split("\n") if printed else []
				varies = block.option("varies")
				if (varies and not self.compares) or agrees(shown, lines, varies):
					continue
				if self.update and "..." not in shown:
					changes.append((begin, end, lines))
				else:
					self.complain(f"{block.where(first)}: $ {command}\n  shown:\n    " + "\n    ".join(shown) + "\n  printed:\n    " +
						"\n    ".join(lines))
		shell.close()

	def split(self, block):
		"""[(line, command, what is shown, from line, before line)]"""
		found = []
		for number, line in block.lines:
			if block.kind == "sh":
				if found and found[-1][1].endswith("\\"):
					found[-1] = (found[-1][0], found[-1][1] + "\n" + line, [], 0, 0)
				elif line.strip():
					found.append((number, line, [], 0, 0))
			elif line.startswith("$ "):
				found.append((number, line[2:], [], number + 1, number + 1))
			elif found and found[-1][1].endswith("\\") and line.startswith("> "):
				found[-1] = (found[-1][0], found[-1][1] + "\n" + line[2:], [], number + 1, number + 1)
			elif found:
				first, command, shown, begin, _ = found[-1]
				found[-1] = (first, command, shown + [line], begin, number + 1)
			else:
				self.complain(f"{block.where(number)}: a console begins with a command: $ ...")
		return found


def what_lacks(commands):
	"""Why this machine cannot run them; None if it can."""
	yama = "/proc/sys/kernel/yama/ptrace_scope"
	if re.search(r"dwell (attach|top)\b.*\$!", commands) and os.geteuid() != 0 and os.path.exists(yama) and open(yama).read().strip() != "0":
		return "kernel.yama.ptrace_scope forbids to attach to other processes"
	if ("--trace" in commands or "--sites" in commands) and os.uname().machine != "x86_64":
		return "--trace is for x86-64"
	return None


def comparable():
	"""Whether recordings made here look like those in the pages: the compiler decides which functions there are, the system which times."""
	gcc = subprocess.run(["gcc", "-dumpversion"], capture_output=True, text=True).stdout.strip()
	paranoid = int(open("/proc/sys/kernel/perf_event_paranoid").read()) if os.path.exists("/proc/sys/kernel/perf_event_paranoid") else 9
	if os.uname().machine == "x86_64" and gcc.split(".")[0] == "12" and (paranoid <= 2 or os.geteuid() == 0):
		return True
	print("not GCC 12 on x86-64 with perf events: outputs of recordings are not compared")
	return False


def check_links(pages, complain):
	"""Each link leads to a file, and to a heading in it."""
	def anchors(path):
		text = re.sub(r"```.*?```", "", open(path, encoding="utf-8").read(), flags=re.S)
		return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in re.findall(r"^#+ +(.*)$", text, re.M)}

	for page in pages:
		text = re.sub(r"```.*?```", "", open(os.path.join(ROOT, page), encoding="utf-8").read(), flags=re.S)
		for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`\n]*`", "", text)):
			if re.match(r"[a-z]+:", target):
				continue
			path, _, anchor = target.partition("#")
			full = os.path.normpath(os.path.join(ROOT, os.path.dirname(page), path)) if path else os.path.join(ROOT, page)
			if not os.path.exists(full):
				complain(f"{page}: a link to nothing: {target}")
			elif anchor and os.path.exists(full) and full.endswith(".md") and anchor not in anchors(full):
				complain(f"{page}: a link to no heading: {target}")


def check_paths(page, complain):
	"""Files and folders that a page names are there; those of capitals (host/cmd/NAME.c) are still to be made."""
	text = open(os.path.join(ROOT, page), encoding="utf-8").read()
	for path in re.findall(r"`((?:classic|core|doc|examples|host|include|mk|python|target|test|tools)/[^`\s]*)`", text):
		if not re.search(r"[A-Z*]{2}|\*", path) and not os.path.exists(os.path.join(ROOT, path)):
			complain(f"{page}: a path of nothing: {path}")


def check_width(pages, complain):
	for page in pages:
		inside = False
		for number, line in enumerate(open(os.path.join(ROOT, page), encoding="utf-8").read().split("\n"), 1):
			if line.startswith("```") or line == "<!-- setup" or line == "-->":
				inside = not inside
			elif len(line) > 100 and not inside and not line.startswith("|"):
				complain(f"{page}:{number}: {len(line)} columns, more than 100")
	if len(open(os.path.join(ROOT, "README.md"), encoding="utf-8").read().split("\n")) > 201:
		complain("README.md: more than 200 lines")


def check_commands(page, complain):
	"""A page has each of dwell's commands."""
	text = open(os.path.join(ROOT, page), encoding="utf-8").read()
	said = subprocess.run([os.path.join(BUILD, "dwell"), "help"], capture_output=True, text=True).stdout
	names = re.findall(r"^.{11}([a-z0-9]+) +[A-Z][a-z]+s ", said, re.M)
	if len(names) < 20:
		complain("dwell help lists no commands")
	for name in names:
		if f"`dwell {name}`" not in text:
			complain(f"{page}: no word of dwell {name}")


def check_pictures(complain):
	for name in ("page.png", "terminal.svg"):
		path = os.path.join(ROOT, "doc/pictures", name)
		if not os.path.exists(path) or not 1000 < os.path.getsize(path) < 150000:
			complain(f"doc/pictures/{name}: is missing, or too large: tools/pictures.sh makes it")


def check_messages(page, complain):
	"""The messages that a page explains are those that dwell prints: each part of the code in a table's first cell is in a text of the source."""
	literal = r'"((?:[^"\\\n]|\\.)*)"'
	texts = []
	for folder, _, files in itertools.chain(*(os.walk(os.path.join(ROOT, room)) for room in ("host", "classic/host"))):
		for name in files:
			if name.endswith((".c", ".h")):
				source = open(os.path.join(folder, name), encoding="utf-8").read().replace("\\\n", "\n")
				texts += ["".join(re.findall(literal, run.group(0))) for run in re.finditer(rf"{literal}(?:\s*{literal})*", source)]
	texts += [open(os.path.join(ROOT, "tools/deps.sh"), encoding="utf-8").read()]
	everything = "\n".join(texts)
	for number, line in enumerate(open(os.path.join(ROOT, page), encoding="utf-8").read().split("\n"), 1):
		cell = re.match(r"\| (`.*?) \|", line)
		for code in re.findall(r"`([^`]*)`", cell.group(1)) if cell else []:
			for part in re.split(r" ?… ?", code):
				if part and part not in everything:
					complain(f"{page}:{number}: dwell has no message with this text: {part}")


def main():
	arguments = [argument for argument in sys.argv[1:] if argument != "--update"]
	pages = ["README.md", "doc/getting-started.md"]
	pages += sorted(name for name in ("doc/" + entry for entry in os.listdir(os.path.join(ROOT, "doc")))
		if name.endswith(".md") and name not in pages)
	check = Check("--update" in sys.argv)
	check_links([*pages, "DESIGN.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"], check.complain)
	for page in ("CONTRIBUTING.md", "DESIGN.md"):
		check_paths(page, check.complain)
	check_commands("doc/README.md", check.complain)
	check_pictures(check.complain)
	check_messages("doc/troubleshooting.md", check.complain)
	check_width([*pages, "SECURITY.md"], check.complain)
	work = os.path.realpath(tempfile.mkdtemp(prefix="dwell-docs."))
	made = {}

	# Folders have names of one length: some tables are as wide as the paths in them.
	def run(number, page):
		folder = os.path.join(work, f"{number:02}")
		shutil.copytree(os.path.join(work, "00"), folder, symlinks=True)
		check.page(page, folder, made.setdefault(page, []))
		shutil.rmtree(folder, ignore_errors=True)

	try:
		first = os.path.join(work, "00")
		shutil.copytree(os.path.join(ROOT, "examples", "first"), first)
		os.symlink(ROOT, os.path.join(first, "dwell"))
		for page in pages[:2]:
			check.page(page, first, made.setdefault(page, []))
		chosen = [page for page in pages[2:] if not arguments or page in arguments]
		with concurrent.futures.ThreadPoolExecutor(1 if check.update else 3) as pool:
			list(pool.map(run, range(1, len(chosen) + 1), chosen))
	finally:
		shutil.rmtree(work, ignore_errors=True)
	for page, changes in made.items():
		path = os.path.join(ROOT, page)
		lines = open(path, encoding="utf-8").read().split("\n")
		for begin, end, new in reversed(changes):
			lines[begin - 1:end - 1] = new
		if changes:
			open(path, "w", encoding="utf-8").write("\n".join(lines))
			print(f"{page}: {len(changes)} outputs written")
	print(f"{len(pages)} pages, {check.commands} commands run, {check.outputs} outputs compared, {len(check.failures)} failed")
	return bool(check.failures)


sys.exit(main())
