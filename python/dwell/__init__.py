"""Reads what dwell recorded, and what other profilers did.

    import dwell

    for function in dwell.open("app.dwell").functions(limit=5):
        print(function["function"], function["self_ns"])

A recording is a file; a question (dwell.questions() lists them) gives
an answer: rows as dictionaries, as they come. `answer.columns()` gives them column by column, as pandas.DataFrame and
pyarrow.table take them. Keys and units are those of dwell's CSV (doc/csv.md): `_ns` is nanoseconds, `_percent` from 0 to
100. What is not known is None.

Needs libdwell-read.so.1: the file that DWELL_READ_LIBRARY names, or the one that was installed together with this package, or
where the dynamic linker finds it.
"""

from __future__ import annotations

from dwell._answer import Answer, Column, Message
from dwell._library import DwellError
from dwell._recording import Question, Recording, open, questions, version

__all__ = ["Answer", "Column", "DwellError", "Message", "Question", "Recording", "open", "questions", "version"]
