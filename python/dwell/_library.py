"""libdwell-read as ctypes sees it: dwell/read.h, declaration by declaration."""

from __future__ import annotations

import ctypes
import os

SONAME = "libdwell-read.so.1"

OK, FAILED, CANCELLED = range(3)
TEXT, NAME, COUNT, NS, MOMENT_NS, PERCENT, REAL, ADDRESS, BYTES, DEPTH = range(10)
ABSENT, UNSURE = 1, 2
RUN_NEW, RUN_OLD = range(2)


class DwellError(Exception):
    """What the library could not do, and why."""


Progress = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_uint64, ctypes.c_uint64)


class Options(ctypes.Structure):
    _fields_ = [
        ("size", ctypes.c_size_t),
        ("program", ctypes.c_char_p),
        ("format", ctypes.c_char_p),
        ("clock_hz", ctypes.c_uint64),
        ("threads", ctypes.c_uint32),
        ("progress", Progress),
        ("progress_context", ctypes.c_void_p),
        ("globals_only", ctypes.c_int),
        ("event", ctypes.c_char_p),
    ]


class ParameterInfo(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("text", ctypes.c_char_p), ("kind", ctypes.c_int), ("is_required", ctypes.c_int)]


class Question(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("text", ctypes.c_char_p),
        ("parameters", ctypes.POINTER(ParameterInfo)),
        ("parameter_count", ctypes.c_size_t),
    ]


class ColumnInfo(ctypes.Structure):
    _fields_ = [("key", ctypes.c_char_p), ("title", ctypes.c_char_p), ("unit", ctypes.c_int), ("is_ticks", ctypes.c_int)]


class Cell(ctypes.Structure):
    _fields_ = [("value", ctypes.c_uint64), ("flags", ctypes.c_uint32), ("reserved", ctypes.c_uint32)]


class Rows(ctypes.Structure):
    _fields_ = [
        ("columns", ctypes.POINTER(ColumnInfo)),
        ("column_count", ctypes.c_size_t),
        ("cells", ctypes.POINTER(Cell)),
        ("row_count", ctypes.c_size_t),
    ]


class Parameter(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char_p), ("value", ctypes.c_char_p)]


class MessageInfo(ctypes.Structure):
    _fields_ = [("level", ctypes.c_int), ("text", ctypes.c_char_p), ("file", ctypes.c_char_p), ("offset", ctypes.c_uint64)]


Take = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.POINTER(Rows))


def _name() -> str:
    """What to load: as the environment says, or from where `make install` put it with this file (share/dwell/lib), or found by the loader."""
    installed = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "lib", SONAME)
    return os.environ.get("DWELL_READ_LIBRARY") or (installed if os.path.exists(installed) else SONAME)


def _load() -> ctypes.CDLL:
    name = _name()
    try:
        native = ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"dwell needs {SONAME}, which 'make install' installs: {error}") from None
    for function, result, *arguments in (
        (native.dwell_read_version, ctypes.c_uint32),
        (native.dwell_read_open, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Options)),
        (native.dwell_read_add, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int),
        (native.dwell_read_close, None, ctypes.c_void_p),
        (native.dwell_read_question, ctypes.POINTER(Question), ctypes.c_size_t),
        (native.dwell_read_ask, ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Parameter), ctypes.c_size_t,
            Take, ctypes.c_void_p),
        (native.dwell_read_message, ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(MessageInfo)),
        (native.dwell_read_error, ctypes.c_char_p, ctypes.c_void_p),
    ):
        function.restype = result
        function.argtypes = arguments
    if native.dwell_read_version() >> 16 != 1:
        raise ImportError(f"{name} has version {native.dwell_read_version() >> 16}, this package needs 1")
    return native


native = _load()


def text(value: bytes | None) -> str | None:
    """Names may hold any byte; those that are no UTF-8 come back as they were with errors='surrogateescape'."""
    return None if value is None else value.decode("utf-8", "surrogateescape")
