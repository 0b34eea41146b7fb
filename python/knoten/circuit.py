"""Circuits and their analyses."""
import ctypes
import os
import tempfile
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence, Tuple, Union

from . import _library as c
from .errors import ArgumentError, Diagnostic, Diagnostics, encode
from .results import Results, Table
from .run import Run
from .transient import Transient

Number = Union[str, float, int]


def version() -> str:
    """Of the library."""
    return c.text(c.lib.kn_version())


def _word(value: Number) -> str:
    """A number as a card has it: "1u" stays, 1e-6 gets all its digits."""
    return value if isinstance(value, str) else repr(float(value))


def _names(s: Any) -> Tuple[str, ...]:
    return tuple(c.text(s.names[i]) for i in range(s.count))


def _sets(s: Any) -> Tuple[Tuple[str, ...], ...]:
    return tuple(_names(s.sets[i]) for i in range(s.count))


class Index(NamedTuple):
    """What `knoten check` tells; index is -1 where the circuit has no unique solution."""
    index: int
    degrees_of_freedom: int
    unknowns: int
    singular: bool
    cv_loops: Tuple[Tuple[str, ...], ...]
    li_cutsets: Tuple[Tuple[str, ...], ...]
    v_loops: Tuple[Tuple[str, ...], ...]
    i_cutsets: Tuple[Tuple[str, ...], ...]
    dependent: Tuple[str, ...]
    hidden: Tuple[str, ...]
    floating: Tuple[str, ...]
    report: str
    diagnostics: Tuple[Diagnostic, ...]

    def __str__(self) -> str:
        return self.report

    def _repr_html_(self) -> str:
        import html
        return f"<pre>{html.escape(self.report)}</pre>"


class Comparison(NamedTuple):
    """What one method makes of the circuit at one tolerance; error is relative to the range of the worst waveform."""
    method: str
    reltol: float
    done: bool
    error: float
    worst: str
    steps: int
    newton_iterations: int
    factorizations: int
    seconds: float


def _written(write: Callable[[int], None]) -> str:
    """What a function writes to a FILE of C."""
    libc = ctypes.CDLL(None)
    libc.fopen.restype = ctypes.c_void_p
    libc.fopen.argtypes = [ctypes.c_char_p, ctypes.c_char_p]
    libc.fclose.argtypes = [ctypes.c_void_p]
    handle, path = tempfile.mkstemp()
    os.close(handle)
    try:
        file = libc.fopen(path.encode(), b"w")
        if not file:
            raise OSError(f"cannot write {path}")
        write(file)
        libc.fclose(file)
        with open(path, encoding="utf-8") as back:
            return back.read()
    finally:
        os.unlink(path)


def _frame(rows: Sequence[Dict[str, Any]]) -> Any:
    """A DataFrame where pandas is there, else the rows."""
    try:
        import pandas
    except ImportError:
        return list(rows)
    return pandas.DataFrame(list(rows))


class Circuit:
    """A circuit from the text of a netlist, whose first line is its title.

    >>> divider = Circuit('''divider
    ... .param k=1
    ... V1 a 0 3
    ... R1 a b {k*1k}
    ... R2 b 0 2k
    ... ''')
    >>> round(float(divider.op()["b"][0]), 9)
    2.0
    >>> divider.alter("R2", "1k")
    >>> divider.set("k", 2)
    >>> round(float(divider.op()["b"][0]), 9), divider.get("k")
    (1.0, 2.0)
    """

    def __init__(self, text: str, name: str = "circuit", dialect: Optional[str] = None):
        self._name = name
        if not isinstance(text, str) or "\n" not in text:
            raise (ArgumentError if isinstance(text, str) else TypeError)(
                f"{text!r} is no netlist, a text with a line for its title and one for each element; "
                f"Circuit.open({text!r}) reads a file")
        data = text.encode()
        self._read(lambda d, out: c.lib.kn_circuit_read_text_as(name.encode(), data, len(data), encode(dialect), d, out))

    @classmethod
    def open(cls, path: Union[str, "os.PathLike[str]"], dialect: Optional[str] = None) -> "Circuit":
        """From a file."""
        made = cls.__new__(cls)
        made._name = os.fspath(path)
        made._read(lambda d, out: c.lib.kn_circuit_read_file_as(os.fsencode(path), encode(dialect), d, out))
        return made

    def _read(self, read: Callable[[int, Any], int]) -> None:
        self._handle: Optional[int] = None
        self._diagnostics = Diagnostics()
        out = ctypes.c_void_p()
        status = read(self._diagnostics.handle, ctypes.byref(out))
        self._handle = out.value
        self.diagnostics = self._diagnostics.check(status)

    def __repr__(self) -> str:
        return f"<Circuit {self._name}>"

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            c.lib.kn_circuit_free(self._handle)

    # ---- values ----

    def _number(self, value: Number) -> float:
        return self.get(value) if isinstance(value, str) else float(value)

    def _change(self, function: Callable[..., int], *arguments: Any) -> None:
        d = Diagnostics()
        d.check(function(self._handle, *arguments, d.handle))

    def set(self, parameter: str, value: Number) -> None:
        """Another value for a parameter of the deck, "w", or of an instance, "x1.w"."""
        self._change(c.lib.kn_circuit_set_parameter, parameter.encode(), self._number(value))

    def get(self, formula: str) -> float:
        """The value of a parameter, or of a formula of parameters."""
        d, out = Diagnostics(), ctypes.c_double()
        d.check(c.lib.kn_circuit_parameter(self._handle, formula.encode(), ctypes.byref(out), d.handle))
        return out.value

    def option(self, name: str, value: Number) -> None:
        """Another setting of .options, or "temp" in degrees Celsius."""
        self._change(c.lib.kn_circuit_set_option, name.encode(), self._number(value))

    def alter(self, element: str, value: Number, setting: Optional[str] = None) -> None:
        """Another value of an element, of a source its dc value; or one of its settings."""
        self._change(c.lib.kn_circuit_alter, element.encode(), encode(setting), self._number(value))

    def alter_model(self, model: str, setting: str, value: Number) -> None:
        """Another parameter of a model."""
        self._change(c.lib.kn_circuit_alter_model, model.encode(), setting.encode(), self._number(value))

    def external(self, *sources: str) -> None:
        """These sources get their values from outside from now on."""
        for source in sources:
            self.alter(source, 1, "external")

    def value(self, element: str, setting: Optional[str] = None) -> float:
        """Of an element, or one of its settings."""
        d, out = Diagnostics(), ctypes.c_double()
        d.check(c.lib.kn_circuit_value(self._handle, element.encode(), encode(setting), ctypes.byref(out), d.handle))
        return out.value

    def reset(self) -> None:
        """Back to the values of the deck."""
        self._change(c.lib.kn_circuit_reset)

    # ---- analyses ----

    def run(self, **options: Any) -> Results:
        """What the deck asks for."""
        run = Run(**options)
        return run.finish(run.call(c.lib.kn_run, self._handle, ctypes.byref(run.options), run.diagnostics.handle,
                                   ctypes.byref(run.sink), ctypes.byref(run.summary)))

    def analyse(self, card: str, **options: Any) -> Results:
        """Any analysis, as its card says behind the dot: "ac dec 10 1 1meg"."""
        run = Run(**options)
        return run.finish(run.call(c.lib.kn_analyse, self._handle, card.lstrip(".").encode(), ctypes.byref(run.options),
                                   run.diagnostics.handle, ctypes.byref(run.sink), ctypes.byref(run.summary)))

    def _only(self, name: str, words: Iterable[Any], options: Dict[str, Any]) -> Table:
        card = " ".join([name, *(_word(w) for w in words if w is not None)])
        return self.analyse(card, **options)[0]

    def _transient_card(self, step: Number, stop: Number, start: Optional[Number], longest: Optional[Number],
                        uic: bool) -> str:
        words: List[Number] = [step, stop]
        if start is not None or longest is not None:
            words.append(0 if start is None else start)
        if longest is not None:
            words.append(longest)
        return " ".join(["tran", *(_word(w) for w in words)] + (["uic"] if uic else []))

    def tran(self, step: Number, stop: Number, start: Optional[Number] = None, longest: Optional[Number] = None,
             uic: bool = False, **options: Any) -> Table:
        """A transient.  Options: method, reltol, maxord, step (fixed) and sources={"v1": function of time}."""
        return self.analyse(self._transient_card(step, stop, start, longest, uic), **options)[0]

    def transient(self, step: Number, stop: Number, start: Optional[Number] = None, longest: Optional[Number] = None,
                  uic: bool = False, **options: Any) -> Transient:
        """A transient that waits for the program around it."""
        return Transient(self, self._handle, self._transient_card(step, stop, start, longest, uic), Run(**options))

    def op(self, **options: Any) -> Table:
        """The operating point."""
        return self._only("op", (), options)

    def dc(self, source: str, start: Number, stop: Number, step: Number, *outer: Number, **options: Any) -> Table:
        """Operating points over a source, a parameter or the temperature, and (outer) over another."""
        return self._only("dc", (source, start, stop, step, *outer), options)

    def ac(self, scale: str, points: Optional[int] = None, start: Optional[Number] = None, stop: Optional[Number] = None,
           **options: Any) -> Table:
        """Small signals over the frequency; scale is "dec", "oct" or "lin", or all the words of the card: "dec 10 1 1meg"."""
        words = [word for word in (points, start, stop) if word is not None]
        return self._only("ac", (scale, *(str(w) if isinstance(w, int) else w for w in words)), options)

    def noise(self, output: str, source: str, scale: str, points: int, start: Number, stop: Number,
              **options: Any) -> Results:
        """Noise densities, and their integrals."""
        return self.analyse(f"noise {output} {source} {scale} {points} {_word(start)} {_word(stop)}", **options)

    def tf(self, output: str, source: str, **options: Any) -> Table:
        """Transfer function and resistances at zero frequency."""
        return self._only("tf", (output, source), options)

    def sens(self, output: str, **options: Any) -> Table:
        """Sensitivities of the operating point."""
        return self._only("sens", (output,), options)

    def sweep(self, parameter: str, values: Iterable[Number], card: str,
              pick: Optional[Callable[[Results], Dict[str, Any]]] = None, **options: Any) -> Any:
        """An analysis for each value of a parameter: a DataFrame (without pandas a list of dicts) of the measurements, or
        of what `pick` makes of the results.  The parameter has its old value afterwards."""
        before, rows = self.get(parameter), []
        try:
            for value in values:
                self.set(parameter, value)
                results = self.analyse(card, **options)
                rows.append({parameter: self.get(parameter), **(pick(results) if pick else results.measures)})
        finally:
            self.set(parameter, before)
        return _frame(rows)

    # ---- reports ----

    def check(self) -> Index:
        """The index of the equations, and which loops and cutsets make it so."""
        d, out = Diagnostics(), ctypes.POINTER(c.Index)()
        status = c.lib.kn_index_new(self._handle, d.handle, ctypes.byref(out))
        messages = d.check(status)
        try:
            i = out.contents
            report = _written(lambda file: c.lib.kn_index_write(out, False, file))
            return Index(i.index, i.degrees_of_freedom, i.unknowns, bool(i.singular), _sets(i.cv_loops),
                         _sets(i.li_cutsets), _sets(i.v_loops), _sets(i.i_cutsets), _names(i.dependent), _names(i.hidden),
                         _names(i.floating), report, messages)
        finally:
            c.lib.kn_index_free(out)

    def compare(self, methods: Optional[Sequence[str]] = None, loosest: float = 1e-3, tightest: float = 1e-6) -> Any:
        """Work and error of integration methods on the deck's first .tran: a DataFrame, without pandas a list."""
        d, points = Diagnostics(), []

        def told(context: Any, point: Any) -> None:
            p = point.contents
            points.append(Comparison(c.text(p.method), p.reltol, p.status == 0, p.error, c.text(p.worst), p.steps,
                                     p.newton_iterations, p.factorizations, p.seconds))
        names = ",".join(methods) if methods else None
        d.check(c.lib.kn_compare(self._handle, encode(names), loosest, tightest, d.handle, None, c.Told(told)))
        return _frame([p._asdict() for p in points])
