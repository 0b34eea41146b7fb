"""What all runs hand to the library: options, functions of the caller, and where results go."""
import ctypes
import signal
import threading
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union

from . import _library as c
from .errors import Diagnostics, encode
from .results import Measurement, Results, tables_of

# The value at a time, or value and rate.
SourceFunction = Callable[[float], Union[float, Tuple[float, float]]]


class Run:
    """One call of the library.  Exceptions of callbacks wait in `pending` until it has returned."""

    def __init__(self, method: Optional[str] = None, reltol: float = 0, maxord: int = 0, jobs: int = 0, step: float = 0,
                 sources: Optional[Mapping[str, SourceFunction]] = None,
                 breakpoint: Optional[Callable[[float], float]] = None,
                 shorten: Optional[Callable[[float, float], float]] = None,
                 agrees: Optional[Callable[[float, float], Union[bool, float]]] = None):
        self.diagnostics = Diagnostics()
        self.pending: Optional[BaseException] = None
        self.measurements: List[Measurement] = []
        self.summary = c.Summary()
        self.handle = c.lib.kn_results_new()
        if not self.handle:
            raise MemoryError
        self.sink = c.lib.kn_results_sink(self.handle)
        self._sources = {name.lower(): f for name, f in (sources or {}).items()}
        self._breakpoint, self._shorten, self._agrees = breakpoint, shorten, agrees
        self.options = c.Options(size=ctypes.sizeof(c.Options), method=encode(method), reltol=reltol, maxord=maxord,
                                 jobs=jobs, step=step, measured=c.Measured(self._measured))
        self._main = threading.current_thread() is threading.main_thread()
        if self._main:
            self.options.interrupted = c.Interrupted(self._interrupted)
        if sources or breakpoint or shorten or agrees:
            self.partner = c.Partner(size=ctypes.sizeof(c.Partner))
            if sources:
                self.partner.source = c.Source(self._source)
            if breakpoint:
                self.partner.breakpoint = c.Breakpoint(self._next_breakpoint)
            if shorten:
                self.partner.shorten = c.Shorten(self._at_most)
            if agrees:
                self.partner.agrees = c.Agrees(self._accept)
            self.options.partner = ctypes.pointer(self.partner)

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            c.lib.kn_results_free(self.handle)

    def call(self, function: Callable[..., int], *arguments: Any) -> int:
        """Calls the library.  Ctrl-C then ends the run, and is raised behind the call."""
        before = signal.getsignal(signal.SIGINT) if self._main else None
        if not callable(before) or threading.current_thread() is not threading.main_thread():
            return function(*arguments)
        signal.signal(signal.SIGINT, self._note_interrupt)
        try:
            return function(*arguments)
        finally:
            signal.signal(signal.SIGINT, before)

    def _note_interrupt(self, number: int, frame: Any) -> None:
        self.pending = KeyboardInterrupt()

    def finish(self, status: int) -> Results:
        messages = self.diagnostics.check(status, self._take_pending())
        return Results(tables_of(self.handle), self.measurements, messages, self._summary())

    def _take_pending(self) -> Optional[BaseException]:
        pending, self.pending = self.pending, None
        return pending

    def check(self, status: int) -> None:
        self.diagnostics.check(status, self._take_pending())

    def _summary(self) -> Dict[str, Any]:
        s = self.summary
        return {"analyses": s.analyses, "unknowns": s.unknowns, "rows": s.rows, "steps": s.steps_accepted,
                "rejected": s.steps_rejected, "newton_iterations": s.newton_iterations,
                "factorizations": s.factorizations, "seconds": s.seconds, "method": c.text(s.method),
                "choice": c.text(s.choice)}

    # ---- called by the library ----

    def _guard(self, f: Callable[[], Any], otherwise: Any) -> Any:
        if self.pending is not None:
            return otherwise
        try:
            return f()
        except BaseException as error:  # raised again behind the call
            self.pending = error
            return otherwise

    def _interrupted(self, context: Any) -> bool:
        return self.pending is not None

    def _measured(self, context: Any, m: Any) -> None:
        m = m.contents
        self._guard(lambda: self.measurements.append(Measurement(c.text(m.name), m.value, m.at, m.found)), None)

    def _source(self, context: Any, name: bytes, time: float, value: Any, rate: Any) -> bool:
        def ask() -> bool:
            given = self._sources.get(name.decode().lower())
            if given is None:
                raise KeyError(f"no function gives the values of the external source '{name.decode()}'")
            v = given(time)
            if isinstance(v, tuple):
                value[0], rate[0] = v
            else:
                value[0] = v
            return True
        return self._guard(ask, False)

    def _next_breakpoint(self, context: Any, time: float) -> float:
        return self._guard(lambda: float(self._breakpoint(time)), float("inf"))  # type: ignore[misc]

    def _at_most(self, context: Any, time: float, step: float) -> float:
        return self._guard(lambda: float(self._shorten(time, step)), step)  # type: ignore[misc]

    def _accept(self, context: Any, time: float, step: float, again: Any) -> bool:
        def ask() -> bool:
            answer = self._agrees(time, step)  # type: ignore[misc]
            if isinstance(answer, bool):
                return answer
            again[0] = answer
            return False
        return self._guard(ask, True)
