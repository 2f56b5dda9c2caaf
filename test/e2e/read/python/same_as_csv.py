"""Every question's answer beside the CSV of its command: same_as_csv.py DWELL FILE..."""

import csv
import io
import subprocess
import sys

import dwell

COMMANDS = {"functions": "report", "durations": "histogram", "split": "report", "groups": "report", "times": "report"}
OPTIONS = [{}, {"limit": 3}, {"by": "wall"}, {"raw": True}, {"thread": "*"}, {"min": 5.0}, {"depth": 2}, {"confidence": 80.0}, {"lines": True}, {"args": True}, {"intervals": 3}, {"by": "cpu"}, {"sort": "calls"}, {"longer": "1us"}, {"order": "exit"}, {"from": "1us", "to": "1ms"}, {"time": "1us..1ms"}]


def csv_of(tool, command, parameters, operands):
    given = []
    for name, value in parameters.items():
        given += [f"--{value}"] if name == "by" and command != "diff" else [f"--{name}"] if value is True else [f"--{name}", str(value)]
    done = subprocess.run([tool, command, "--csv", *given, *operands], capture_output=True)
    if done.returncode == 2:
        return None
    return list(csv.DictReader(io.StringIO(done.stdout.decode("utf-8", "surrogateescape"))))


def same(column, value, text):
    """A cell and what CSV has of it, which rounds numbers and escapes what is no text."""
    if value is None:
        return text == ""
    if column.unit in ("percent", "real"):
        return abs(float(text) - value) <= 5.1e-5 + 5.1e-6 * abs(value)
    if column.unit == "address":
        return int(text, 0) == value
    if column.unit in ("text", "name"):
        return text.lstrip("'") == value or "\\x" in text or any(ord(letter) < 32 for letter in value)
    return int(text) == value


def compare(tool, path, question, parameters, function, old):
    command = COMMANDS.get(question, question)
    of = {"function": function} if function else {"old": old} if old else {"times_from": "samples.dwell"} if question == "times" else {}
    operands = ["--group", "module"] if question == "groups" else ["--split", function] if question == "split" else [function] if function else [*old, "--"] if old else ["--times-from", "samples.dwell"] if question == "times" else []
    want = csv_of(tool, command, parameters, operands + [path])
    try:
        answer = dwell.open(path).ask(question, **of, **parameters)
        rows = list(answer)
    except dwell.DwellError as error:
        assert want is None, f"{path} {question} {parameters}: {error}, but the command answers"
        return 0
    assert want is not None, f"{path} {question} {parameters}: the command refuses"
    assert len(rows) == len(want), f"{path} {question} {parameters}: {len(rows)} rows, not {len(want)}"
    for number, (row, line) in enumerate(zip(rows, want)):
        assert list(row) == list(line), f"{path} {question} {parameters}: columns {list(row)}, not {list(line)}"
        for column in answer.column_info:
            assert same(column, row[column.key], line[column.key]), (
                f"{path} {question} {parameters}: row {number}, {column}: {row[column.key]!r}, not {line[column.key]!r}")
    return len(rows)


def main(tool, *paths):
    compared = {}
    for path in paths:
        names = [row["function"] for row in dwell.open(path).functions(limit=2)]
        for question in dwell.questions():
            is_of_function = question.name in ("callers", "callees", "durations", "slowest", "split")
            for parameters in OPTIONS:
                if not set(parameters) <= set(question.parameters):
                    continue
                for function in names + [None] * (question.name == "slowest") if is_of_function else [None]:
                    old = [path, path] if question.name == "diff" else []
                    rows = compare(tool, path, question.name, parameters, function, old)
                    compared[question.name] = compared.get(question.name, 0) + rows
    assert set(compared) == {question.name for question in dwell.questions()} and all(compared.values()), compared


main(*sys.argv[1:])
