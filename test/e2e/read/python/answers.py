"""How answers behave: answers.py FILE"""

import inspect
import sys
import threading

import dwell

path = sys.argv[1]
recording = dwell.open(path)

# What a question can be told, its method takes, and nothing else.
for question in dwell.questions():
    method = inspect.signature(getattr(dwell.Recording, question.name))
    taken = {name.rstrip("_") for name in method.parameters} - {"self", "old", "new"}
    assert taken == set(question.parameters), f"{question.name}: {taken ^ set(question.parameters)}"

# Static functions as addresses, if that is asked of the recording.
named = {row["function"] for row in recording.functions()}
addresses = {row["function"] for row in dwell.open(path, globals_only=True).functions()} - named
assert addresses and all("+0x" in name for name in addresses), addresses

# Columns and rows are the same answer.
columns = recording.functions().columns()
rows = list(recording.functions())
assert len(rows) > 3 and columns == {key: [row[key] for row in rows] for key in rows[0]}
assert list(recording.functions().rows()) == [tuple(row.values()) for row in rows]
assert [column.unit for column in recording.functions().column_info if column.key == "self_ns"] == ["ns"]

# Single calls stream, also when nobody wants the rest; several answers at once are independent.
calls = sum(row["calls"] for row in rows)
first, second = recording.calls(), recording.calls(order="exit")
one, two = iter(first), iter(second)
for _ in range(3000):
    assert next(one)["depth"] >= 0 and next(two)["depth"] >= 0
one.close()
first.close()
assert 3000 + sum(1 for _ in two) == calls
before = threading.active_count()
with recording.calls() as answer:
    next(iter(answer))
assert threading.active_count() <= before
assert sum(1 for _ in recording.calls(limit=10)) == 10

# Progress is told, and cancels.
told = []
assert len(list(dwell.open(path, progress=lambda done, total: told.append((done, total))).functions())) == len(rows)
assert told and all(done <= total for done, total in told)
for threads in (1, 2):
    try:
        list(dwell.open(path, threads=threads, progress=lambda done, total: False).functions())
        raise AssertionError("it was cancelled")
    except dwell.DwellError as error:
        assert str(error) == "cancelled", error

# What progress raises, the answer raises.
def raise_it(done, total):
    raise RuntimeError("from progress")


try:
    list(dwell.open(path, threads=1, progress=raise_it).functions())
    raise AssertionError("progress raised")
except RuntimeError as error:
    assert str(error) == "from progress"

# What is no text or no number of the right size is refused at once.
for wrong, kind in (
    (lambda: recording.ask(None), TypeError),
    (lambda: recording.ask(5), TypeError),
    (lambda: recording.ask("functions", thread="main\0"), ValueError),
    (lambda: recording.ask("functions", old=[path]), ValueError),
    (lambda: recording.diff(path, new=5), TypeError),
    (lambda: dwell.open(path, threads=-1), ValueError),
    (lambda: dwell.open(path, threads=2**32), ValueError),
    (lambda: dwell.open(path, progress=5), TypeError),
):
    try:
        wrong()
        raise AssertionError("a wrong value was taken")
    except kind:
        pass
assert list(recording.diff(path, new=path))  # a path alone

# Errors say what is wrong.
for question, parameters, words in (
    ("nonsense", {}, "no question 'nonsense'"),
    ("functions", {"nonsense": 1}, "no parameter 'nonsense'"),
    ("functions", {"limit": "many"}, "expected a whole number"),
    ("\udc80", {}, "no question '"),
    ("callers", {}, "needs the parameter 'function'"),
    ("callers", {"function": "nobody at all"}, "nobody at all"),
):
    try:
        recording.ask(question, **parameters)
        raise AssertionError(question)
    except dwell.DwellError as error:
        assert words in str(error), error
try:
    dwell.open("/nowhere/at.all")
    raise AssertionError("it is not there")
except FileNotFoundError:
    pass

# What was lost is a message beside the answer.
answer = dwell.open(path).functions()
list(answer)
assert all(message.level in ("note", "warning") for message in answer.messages)
assert dwell.version()[0] == 1 and {"functions", "calls"} <= {question.name for question in dwell.questions()}
