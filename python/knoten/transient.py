"""Transients that wait for the program around them."""
import ctypes
from typing import Any, Iterator, Optional

from . import _library as c
from .results import Table, tables_of
from .run import Run


class Transient:
    """A transient under way.

    >>> import knoten
    >>> circuit = knoten.Circuit('''heater
    ... I1 0 t external
    ... R1 t 0 10
    ... C1 t 0 1m
    ... ''')
    >>> with circuit.transient("1m", "50m") as run:
    ...     for time in run.every(1e-3):
    ...         run["I1"] = 2 if run["v(t)"] < 10 else 0
    >>> bool(abs(run.table["v(t)"][-1] - 10) < 2)
    True
    """

    def __init__(self, circuit: Any, handle: Any, card: str, run: Run):
        self._circuit, self._run = circuit, run
        self._handle: Optional[int] = None
        self.table: Optional[Table] = None
        out = ctypes.c_void_p()
        status = c.lib.kn_transient_begin(handle, card.encode(), ctypes.byref(run.options), run.diagnostics.handle,
                                          ctypes.byref(run.sink), ctypes.byref(out))
        self._handle = out.value
        if status != 0:
            self._free()
        run.check(status)

    def _free(self) -> int:
        handle, self._handle = self._handle, None
        return c.lib.kn_transient_end(handle, ctypes.byref(self._run.summary)) if handle else 0

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            self._free()

    def __enter__(self) -> "Transient":
        return self

    def __exit__(self, kind: Any, value: Any, trace: Any) -> None:
        if kind is None:
            self.end()
        else:
            self._free()

    def _alive(self) -> int:
        if self._handle is None:
            raise ValueError("the transient has ended")
        return self._handle

    @property
    def time(self) -> float:
        """Where it is, in s."""
        return c.lib.kn_transient_time(self._alive())

    @property
    def stop(self) -> float:
        """Where it ends, in s."""
        return c.lib.kn_transient_stop(self._alive())

    def advance(self, time: float) -> float:
        """On to a time, exactly, or to the end; returns the time."""
        self._run.check(self._run.call(c.lib.kn_transient_advance, self._alive(), time))
        return self.time

    def step(self) -> float:
        """On by one step of the method; returns the time."""
        self._run.check(self._run.call(c.lib.kn_transient_step, self._alive()))
        return self.time

    def every(self, period: float) -> Iterator[float]:
        """Yields the time at the start and every so many seconds, and goes on behind each of them."""
        count, stop = 0, self.stop
        while self.time < stop:
            yield self.time
            count += 1
            self.advance(min(count * period, stop))

    def steps(self) -> Iterator[float]:
        """Yields the time after each step."""
        stop = self.stop
        while self.time < stop:
            yield self.step()

    def __getitem__(self, vector: str) -> float:
        """Whatever .save could name: v(out), v(a,b), i(r1), @m1[gm], v(a)*i(v1)."""
        value = ctypes.c_double()
        self._run.check(c.lib.kn_transient_read(self._alive(), vector.encode(), ctypes.byref(value)))
        return value.value

    def __setitem__(self, source: str, value: float) -> None:
        """Another value of an external source from here on."""
        self._run.check(c.lib.kn_transient_set(self._alive(), source.encode(), value))

    def breakpoint(self, time: float) -> None:
        """A source function jumps or bends at a later time."""
        self._run.check(c.lib.kn_transient_breakpoint(self._alive(), time))

    def end(self) -> Table:
        """Ends it where it is; the rows so far."""
        if self._handle is not None:
            complete = self.time >= self.stop
            status = self._free()
            self._run.check(0 if status == 7 and not complete else status)
            self.table = tables_of(self._run.handle)[0]
            self.table.measurements = self._run.measurements
            self.table.measures = {m.name: m.value for m in self._run.measurements}
        assert self.table is not None
        return self.table
