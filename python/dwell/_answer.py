"""An answer: rows that come in blocks, from a question that runs on a thread of its own while they are taken."""

from __future__ import annotations

import ctypes
import queue
import threading
from typing import Any, Callable, Iterator, NamedTuple

from dwell import _library as lib

_UNITS = ("text", "name", "count", "ns", "ns", "percent", "real", "address", "bytes", "depth")
_BLOCKS_AHEAD = 4
_UNKNOWN = 2**64 - 1  # a size that is not known


class Column(NamedTuple):
    key: str    # "self_ns"
    title: str  # "self"
    unit: str   # "ns", "percent", "count", "text", "name", "real", "address", "bytes", "depth"; "ticks" where the clock is unknown


class Message(NamedTuple):
    level: str  # "note", "warning", "error"
    text: str
    file: str | None
    offset: int | None  # in the file, bytes


class _Block(NamedTuple):
    values: list[list[Any]]  # column by column
    unsure: list[list[bool]] | None


def _column_of(info: lib.ColumnInfo) -> Column:
    return Column(lib.text(info.key) or "", lib.text(info.title) or "", "ticks" if info.is_ticks else _UNITS[info.unit])


def _values_of(rows: lib.Rows, words: memoryview, column: int) -> tuple[list[Any], list[int]]:
    unit, step = rows.columns[column].unit, 2 * rows.column_count
    kind = {lib.MOMENT_NS: "q", lib.PERCENT: "d", lib.REAL: "d"}.get(unit, "Q")
    values = words.cast("B").cast(kind)[2 * column :: step].tolist()
    flags = [word & 0xFFFFFFFF for word in words.cast("B").cast("Q")[2 * column + 1 :: step].tolist()]
    if unit in (lib.TEXT, lib.NAME):
        values = [None if flag & lib.ABSENT else lib.text(ctypes.string_at(at)) for at, flag in zip(values, flags)]
    elif any(flag & lib.ABSENT for flag in flags):
        values = [None if flag & lib.ABSENT else value for value, flag in zip(values, flags)]
    return values, flags


def _block_of(rows: lib.Rows) -> _Block:
    size = rows.row_count * rows.column_count * ctypes.sizeof(lib.Cell)
    words = memoryview(ctypes.string_at(rows.cells, size))
    columns = [_values_of(rows, words, i) for i in range(rows.column_count)]
    unsure = [[bool(flag & lib.UNSURE) for flag in flags] for _, flags in columns]
    return _Block([values for values, _ in columns], unsure if any(map(any, unsure)) else None)


class Answer:
    """Rows of an answer: iterate for dictionaries, once. The question runs while you do; stop early as you like."""

    def __init__(self, ask: Callable[[Any, Any], tuple[str | None, list[Message]]],
                 progress: Callable[[int, int | None], Any] | None = None) -> None:
        self._blocks: queue.Queue[Any] = queue.Queue(_BLOCKS_AHEAD)
        self._stops = False
        self._columns: tuple[Column, ...] = ()
        self.messages: list[Message] = []  # when all rows were taken: losses, damage, what is unsure
        self._take = lib.Take(self._take_rows)
        self._progress = progress
        self._raised: Exception | None = None  # by progress
        self._tell = lib.Progress(self._call_progress) if progress else lib.Progress()
        self._thread = threading.Thread(target=self._run, args=(ask,), daemon=True)
        self._thread.start()
        first = self._blocks.get()
        if isinstance(first, Exception):
            raise first
        self._columns = first

    # On the thread that asks.

    def _put(self, item: Any) -> bool:
        while not self._stops:
            try:
                self._blocks.put(item, timeout=0.1)
                return True
            except queue.Full:
                continue
        return False

    def _take_rows(self, _context: Any, pointer: Any) -> int:
        rows = pointer.contents
        try:
            if not rows.row_count:
                return self._put(tuple(_column_of(rows.columns[i]) for i in range(rows.column_count)))
            return self._put(_block_of(rows))
        except Exception as error:  # a callback must not raise into C
            self._put(error)
            return 0

    def _call_progress(self, _context: Any, done: int, total: int) -> int:
        try:
            return 0 if self._progress(done, None if total == _UNKNOWN else total) is False else 1
        except Exception as error:
            self._raised = error
            return 0

    def _run(self, ask: Callable[[Any, Any], tuple[str | None, list[Message]]]) -> None:
        try:
            error, self.messages = ask(self._take, self._tell)
            self._put(self._raised or (lib.DwellError(error) if error else None))
        except Exception as raised:  # else the caller would wait for ever
            self._put(raised)

    # On the caller's.

    def _next_block(self) -> _Block | None:
        block = self._blocks.get()
        if isinstance(block, _Block):
            return block
        self._blocks.put(None)  # for whoever asks again
        if isinstance(block, Exception):
            raise block
        return None

    def close(self) -> None:
        """Ends the question. Rows that were not taken are gone."""
        self._stops = True
        self._thread.join()

    def __enter__(self) -> Answer:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def __iter__(self) -> Iterator[dict[str, Any]]:
        keys = [column.key for column in self._columns]
        try:
            while block := self._next_block():
                for row in zip(*block.values):
                    yield dict(zip(keys, row))
        finally:
            self.close()

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Rows as tuples, in the order of column_info: quicker than dictionaries."""
        try:
            while block := self._next_block():
                yield from zip(*block.values)
        finally:
            self.close()

    @property
    def column_info(self) -> tuple[Column, ...]:
        return self._columns

    def columns(self) -> dict[str, list[Any]]:
        """All rows that are left, column by column: pandas.DataFrame(answer.columns()), pyarrow.table(answer.columns())."""
        found: dict[str, list[Any]] = {column.key: [] for column in self._columns}
        try:
            while block := self._next_block():
                for values, more in zip(found.values(), block.values):
                    values.extend(more)
        finally:
            self.close()
        return found
