"""Raw files: those of ngspice, Xyce, LTspice and knoten are read; knoten's writer writes."""
import ctypes
import gzip
import os
import re
from typing import Any, Dict, List, Tuple, Union

import numpy as np

from . import _library as c
from .errors import Diagnostics, FileError
from .results import QUANTITIES, Results, Table

Path = Union[str, "os.PathLike[str]"]


class _Reader:
    """LTspice writes its header in UTF-16; the first of its vectors is double, the others float unless flags say double."""

    def __init__(self, data: bytes, path: str):
        self.data, self.at, self.path = data, 0, path
        self.wide = data[:2] in (b"T\0", b"\xff\xfe")
        if data[:2] == b"\xff\xfe":
            self.at = 2

    def fail(self, why: str) -> FileError:
        return FileError(f"{self.path}: {why}")

    def line(self) -> str:
        end_mark = b"\n\0" if self.wide else b"\n"
        end = self.data.find(end_mark, self.at)
        while self.wide and end >= 0 and (end - self.at) % 2:
            end = self.data.find(end_mark, end + 1)
        if end < 0:
            end = len(self.data)
        line = self.data[self.at:end]
        self.at = end + len(end_mark)
        return line.decode("utf-16-le" if self.wide else "latin-1").rstrip("\r\n")

    def header(self) -> Tuple[Dict[str, str], List[Tuple[str, str]], bool]:
        head: Dict[str, str] = {}
        vectors: List[Tuple[str, str]] = []
        while self.at < len(self.data):
            line = self.line()
            key, _, rest = line.partition(":")
            key = key.strip().lower()
            if key in ("binary", "values"):
                return head, vectors, key == "binary"
            if key == "variables":
                first = rest.split()
                for k in range(int(head.get("no. variables", "0"))):
                    words = first if k == 0 and len(first) >= 3 else self.line().split()
                    if len(words) < 3:
                        raise self.fail("a line of its list of variables cannot be read")
                    vectors.append((words[1], words[2].lower()))
            elif key:
                head[key] = rest.strip()
        raise self.fail("it ends within its header")

    def binary(self, names: int, points: int, is_complex: bool, flags: str) -> np.ndarray:
        lt = self.wide
        if is_complex:
            kinds = [np.dtype("<c16")] * names
        elif lt and "double" not in flags:
            kinds = [np.dtype("<f8")] + [np.dtype("<f4")] * (names - 1)
        else:
            kinds = [np.dtype("<f8")] * names
        row = np.dtype([(str(k), kind) for k, kind in enumerate(kinds)])
        size = row.itemsize * points
        if len(self.data) - self.at < size:
            raise self.fail(f"it ends before its {points} points do")
        block = self.data[self.at:self.at + size]
        self.at += size
        kind = complex if is_complex else float
        if lt and "fastaccess" in flags:
            out, at = np.empty((names, points), kind), 0
            for k, each in enumerate(kinds):
                out[k] = np.frombuffer(block, each, points, at)
                at += each.itemsize * points
            return out
        rows = np.frombuffer(block, row)
        return np.array([rows[str(k)] for k in range(names)], kind).reshape(names, points)

    def values(self, names: int, points: int, is_complex: bool) -> np.ndarray:
        out = np.empty((names, points), complex if is_complex else float)
        for i in range(points):
            for k in range(names):
                words: List[str] = []
                while not words and self.at < len(self.data):
                    words = self.line().split()
                if not words:
                    raise self.fail(f"it ends before its {points} points do")
                if is_complex:
                    real, _, imaginary = words[-1].partition(",")
                    out[k, i] = complex(float(real), float(imaginary))
                else:
                    out[k, i] = float(words[-1])
        return out


def _steps(name: str, scale: np.ndarray) -> Dict[str, np.ndarray]:
    """What the runs of LTspice's .step have, from the log beside the file: a line ".step r1=1000" for each."""
    stem = re.sub(r"\.raw$", "", re.sub(r"\.gz$", "", name, flags=re.I), flags=re.I)
    try:
        with open(stem + ".log", "rb") as file:
            data = file.read()
    except OSError:
        return {}
    text = data.decode("utf-16" if data[:2] == b"\xff\xfe" else "utf-16-le" if data[1:2] == b"\0" else "utf-8", "replace")
    lines = re.findall(r"^\s*\.step[ \t]+(.*?)\s*$", text, re.M | re.I)
    begins = np.flatnonzero(np.r_[True, np.diff(scale.real) < 0])
    try:
        runs = [{key: float(value) for key, value in (word.split("=") for word in line.split())} for line in lines]
    except ValueError:
        return {}
    if len(runs) < 2 or len(runs) != len(begins) or any(list(run) != list(runs[0]) for run in runs):
        return {}
    lengths = np.diff(np.r_[begins, len(scale)])
    return {key: np.repeat([run[key] for run in runs], lengths) for key in runs[0]}


def _quantity(kind: str) -> str:
    known = {"time": "time", "voltage": "voltage", "current": "current", "frequency": "frequency",
             "device_current": "current", "subckt_current": "current", "decibel": "decibel", "phase": "phase"}
    return known.get(kind, "other")


def read_raw(path: Path) -> Results:
    """The tables of a raw file; .gz is opened, too.  LTspice's times of compressed points are made positive."""
    name = os.fspath(path)
    try:
        with (gzip.open(name) if name.endswith(".gz") else open(name, "rb")) as file:
            data = file.read()
    except (OSError, EOFError) as error:
        raise FileError(f"{name}: {error}") from error
    reader, tables = _Reader(data, name), []
    while reader.at < len(data) and data[reader.at:].strip():
        head, vectors, binary = reader.header()
        flags = head.get("flags", "").lower()
        is_complex = "complex" in flags
        try:
            points = int(head["no. points"])
        except (KeyError, ValueError):
            raise reader.fail("its header does not say how many points there are") from None
        block = (reader.binary(len(vectors), points, is_complex, flags) if binary
                 else reader.values(len(vectors), points, is_complex))
        columns: Dict[str, np.ndarray] = {}
        steps: Dict[str, np.ndarray] = {}
        kinds: Dict[str, str] = {}
        for k, (vector, kind) in enumerate(vectors):
            values = block[k]
            if kind in ("time", "frequency"):
                values = np.abs(values.real) if kind == "time" else values.real
            key = vector if vector not in columns else f"{vector}#{k}"
            columns[key], kinds[key] = np.ascontiguousarray(values), kind
            if k == 0 and reader.wide and "stepped" in flags:
                steps = _steps(name, columns[key])
                columns.update(steps)
        tables.append(Table(head.get("title", ""), head.get("plotname", ""), columns,
                            ["other" if key in steps else _quantity(kinds.get(key, "")) for key in columns],
                            steps=len(steps)))
    if not tables:
        raise reader.fail("it is no raw file")
    return Results(tables)


def _write(tables: Any, make: Any) -> None:
    diagnostics, sink = Diagnostics(), c.Sink()
    diagnostics.check(make(diagnostics.handle, ctypes.byref(sink)))
    try:
        for table in [tables] if isinstance(tables, Table) else tables:
            _write_table(table, sink, diagnostics)
    finally:
        c.lib.kn_sink_free(ctypes.byref(sink))


def _write_table(table: Table, sink: Any, diagnostics: Diagnostics) -> None:
    columns, parts = [], []
    for name, values in table.items():
        quantity = QUANTITIES.index(table.quantities[name])
        columns.append(c.Column(name.encode(), quantity))
        parts.append(np.real(values))
        if np.iscomplexobj(values):
            columns.append(c.Column(name.encode(), QUANTITIES.index("imaginary")))
            parts.append(np.imag(values))
    array = (c.Column * len(columns))(*columns)
    about = c.Table(table.title.encode(), table.plot.encode(), array, len(columns), table.sweeps, table.steps)
    rows = np.ascontiguousarray(np.array(parts, float).T)
    diagnostics.check(sink.begin(sink.context, ctypes.byref(about)))
    status = 0
    for row in rows:
        status = status or sink.row(sink.context, row.ctypes.data_as(ctypes.POINTER(ctypes.c_double)))
    diagnostics.check(sink.end(sink.context, status))


def write_raw(path: Path, tables: "Table | Results", ascii: bool = False) -> None:
    """A raw file that ngspice, gwave and the like read."""
    _write(tables, lambda d, sink: c.lib.kn_raw_file(os.fsencode(path), ascii, d, sink))


def write_csv(path: Path, tables: "Table | Results") -> None:
    """A CSV file."""
    _write(tables, lambda d, sink: c.lib.kn_csv_file(os.fsencode(path), d, sink))
