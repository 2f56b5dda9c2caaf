"""A recording, and the questions that it answers."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Callable, Iterable, NamedTuple, Union

from dwell import _library as lib
from dwell._library import native
from dwell._answer import Answer, Message

Path = Union[str, "os.PathLike[str]"]

_LEVELS = ("note", "warning", "error")
_NO_OFFSET = 2**64 - 1


class Question(NamedTuple):
    name: str
    text: str
    parameters: dict[str, str]  # what each does, by name


def version() -> tuple[int, int]:
    """Of the library: (major, minor)."""
    number = native.dwell_read_version()
    return number >> 16, number & 0xFFFF


def questions() -> list[Question]:
    """All that can be asked."""
    found = []
    while pointer := native.dwell_read_question(len(found)):
        info = pointer.contents
        parameters = [info.parameters[i] for i in range(info.parameter_count)]
        found.append(Question(info.name.decode(), info.text.decode(), {p.name.decode(): p.text.decode() for p in parameters}))
    return found


def _bytes_of(text: str | os.PathLike[str], what: str) -> bytes:
    encoded = os.fsencode(text)
    if b"\0" in encoded:
        raise ValueError(f"{what} {text!r}: has a byte 0")
    return encoded


def _value_of(name: str, value: Any) -> bytes:
    if isinstance(value, bool):
        return b"1" if value else b"0"
    return _bytes_of(str(value), name)


def _paths_of(paths: Path | Iterable[Path], what: str) -> list[bytes]:
    alone = isinstance(paths, (str, bytes, os.PathLike))
    return [_bytes_of(path, what) for path in ([paths] if alone else paths)]


def _messages_of(handle: int | None) -> list[Message]:
    found: list[Message] = []
    info = lib.MessageInfo()
    while native.dwell_read_message(handle, len(found), ctypes.byref(info)):
        found.append(Message(_LEVELS[info.level], lib.text(info.text) or "", lib.text(info.file),
                             None if info.offset == _NO_OFFSET else info.offset))
    return found


class Recording:
    """A file. Each question reads it anew, so answers are independent of each other, also on different threads."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        program: str | None = None,
        format: str | None = None,
        clock_hz: int = 0,
        threads: int = 0,
        globals_only: bool = False,
        event: str | None = None,
        progress: Callable[[int, int | None], Any] | None = None,
    ) -> None:
        self.path = os.fspath(path)
        os.stat(self.path)  # as the built-in open does: raises if the file is missing
        if progress is not None and not callable(progress):
            raise TypeError("progress: expected a function")
        for name, number, bits in (("clock_hz", clock_hz, 64), ("threads", threads, 32)):
            if not 0 <= number < 2**bits:
                raise ValueError(f"{name} {number}: expected 0 to {2**bits - 1}")
        self._progress = progress
        self._options = lib.Options(
            ctypes.sizeof(lib.Options),
            _bytes_of(program, "program") if program is not None else None,
            _bytes_of(format, "format") if format is not None else None,
            clock_hz,
            threads,
            lib.Progress(),
            None,
            globals_only,
            _bytes_of(event, "event") if event is not None else None,
        )

    def ask(self, question: str, *, old: Path | Iterable[Path] = (), new: Path | Iterable[Path] = (), **parameters: Any) -> Answer:
        """Any question by name; None is a parameter that is not given. old, new: files of further runs, for "diff".
        Raises DwellError."""
        name = _bytes_of(question, "question")
        if (old or new) and question != "diff":
            raise ValueError(f"{question}: old and new are for diff")
        sides = [(lib.RUN_OLD, path) for path in _paths_of(old, "old")] + [(lib.RUN_NEW, path) for path in _paths_of(new, "new")]
        given = [(key.rstrip("_").encode(), _value_of(key, value)) for key, value in parameters.items() if value is not None]

        def run(take: Any, progress: Any) -> tuple[str | None, list[Message]]:
            array = (lib.Parameter * len(given))(*given)
            options = lib.Options.from_buffer_copy(self._options)
            options.progress = progress
            handle = native.dwell_read_open(os.fsencode(self.path), ctypes.byref(options))
            try:
                for side, path in sides:
                    native.dwell_read_add(handle, path, side)
                status = native.dwell_read_ask(handle, name, array, len(given), take, None)
                error = lib.text(native.dwell_read_error(handle))
                return None if status == lib.OK else error or "cancelled", _messages_of(handle)
            finally:
                native.dwell_read_close(handle)

        return Answer(run, self._progress)

    def functions(self, *, limit: int | None = None, sort: str | None = None, by: str | None = None,
                  thread: str | None = None, time: str | None = None, lines: bool = False, raw: bool = False) -> Answer:
        """Where the time went, function by function; of samples their shares. `time`: a part of it, as "2s..3s"."""
        return self.ask("functions", limit=limit, sort=sort, by=by, thread=thread, time=time, lines=lines, raw=raw)

    def groups(self, group: str = "module", *, limit: int | None = None, by: str | None = None, thread: str | None = None,
               time: str | None = None, raw: bool = False) -> Answer:
        """Self times added up by "module", "thread", "process" or "source"."""
        return self.ask("groups", group=group, limit=limit, by=by, thread=thread, time=time, raw=raw)

    def times(self, times_from: str, *, limit: int | None = None, sort: str | None = None, thread: str | None = None,
              lines: bool = False) -> Answer:
        """Calls of this trace with times of `times_from`, a sampled recording of the same program."""
        return self.ask("times", times_from=times_from, limit=limit, sort=sort, thread=thread, lines=lines)

    def tree(self, *, limit: int | None = None, depth: int | None = None, min: float | None = None, by: str | None = None,
             thread: str | None = None, time: str | None = None, lines: bool = False, raw: bool = False) -> Answer:
        """Where the time went, call path by call path, in preorder: `depth` of a row says how deep."""
        return self.ask("tree", limit=limit, depth=depth, min=min, by=by, thread=thread, time=time, lines=lines, raw=raw)

    def callers(self, function: str, *, limit: int | None = None, by: str | None = None, thread: str | None = None,
                time: str | None = None, lines: bool = False, raw: bool = False) -> Answer:
        """Who calls a function."""
        return self.ask("callers", function=function, limit=limit, by=by, thread=thread, time=time, lines=lines, raw=raw)

    def callees(self, function: str, *, limit: int | None = None, by: str | None = None, thread: str | None = None,
                time: str | None = None, lines: bool = False, raw: bool = False) -> Answer:
        """What a function calls."""
        return self.ask("callees", function=function, limit=limit, by=by, thread=thread, time=time, lines=lines, raw=raw)

    def durations(self, function: str, *, thread: str | None = None) -> Answer:
        """How long the calls of a function took: a row for each range."""
        return self.ask("durations", function=function, thread=thread)

    def slowest(self, function: str | None = None, *, limit: int | None = None, depth: int | None = None, min: float | None = None,
                by: str | None = None, thread: str | None = None, time: str | None = None, lines: bool = False,
                args: bool = False) -> Answer:
        """The slowest calls of a function, or of all, and what each of them did. `time`: those running then, as "2s..3s"."""
        return self.ask("slowest", function=function, limit=limit, depth=depth, min=min, by=by, thread=thread, time=time,
                        lines=lines, args=args)

    def calls(self, *, function: str | None = None, longer: str | None = None, from_: str | None = None, to: str | None = None,
              depth: int | None = None, order: str | None = None, limit: int | None = None, by: str | None = None,
              thread: str | None = None, time: str | None = None, lines: bool = False, args: bool = False) -> Answer:
        """The calls one by one, as they are read: times as "20us", "1.5ms". `time`: those running then, as "2s..3s"."""
        return self.ask("calls", function=function, longer=longer, from_=from_, to=to, depth=depth, order=order, limit=limit, by=by,
                        thread=thread, time=time, lines=lines, args=args)

    def split(self, function: str, *, intervals: int | None = None, thread: str | None = None) -> Answer:
        """Samples: one function in detail, its code in intervals of bytes, each with its share."""
        return self.ask("split", function=function, intervals=intervals, thread=thread)

    def info(self) -> Answer:
        """What the recording is, and how much of it is there: rows of section, row, key, value."""
        return self.ask("info")

    def diff(self, old: Path | Iterable[Path], *, new: Path | Iterable[Path] = (), by: str | None = None, confidence: float | None = None,
             limit: int | None = None, thread: str | None = None) -> Answer:
        """What changed since the old run, or runs; this recording is the first new one, and `new` has others."""
        return self.ask("diff", old=old, new=new, by=by, confidence=confidence, limit=limit, thread=thread)


def open(path: str | os.PathLike[str], **options: Any) -> Recording:
    """A recording: options program, format, clock_hz, threads, globals_only, event, progress, as Recording has them."""
    return Recording(path, **options)
