"""Tables of vectors, as NumPy arrays."""
import ctypes
from collections.abc import Mapping
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Sequence, Tuple

import numpy as np

from . import _library as c
from .errors import Diagnostic

QUANTITIES = ("time", "voltage", "current", "other", "frequency", "decibel", "phase", "imaginary", "voltage density",
              "current density", "harmonic", "admittance", "capacitance", "power", "region")
UNITS = {"time": "s", "voltage": "V", "current": "A", "frequency": "Hz", "decibel": "dB", "phase": "degrees",
         "voltage density": "V/sqrt(Hz)", "current density": "A/sqrt(Hz)", "admittance": "S", "capacitance": "F",
         "power": "W"}


class Measurement(NamedTuple):
    """What a .measure card gave; value is NaN where nothing was found."""
    name: str
    value: float
    at: float
    found: bool


class Table(Mapping):
    """Vectors by name, regardless of case, in the order of the result; `out` finds v(out), too."""

    def __init__(self, title: str, plot: str, vectors: Dict[str, np.ndarray], quantities: Sequence[str],
                 sweeps: int = 0, steps: int = 0):
        self.title, self.plot = title, plot
        self.quantities = dict(zip(vectors, quantities))
        self.sweeps, self.steps = sweeps, steps
        self._vectors = vectors
        self._picture: Optional[str] = None
        self._names = {name.lower(): name for name in vectors}
        self.measures: Dict[str, float] = {}
        self.measurements: List[Measurement] = []
        self.diagnostics: Tuple[Diagnostic, ...] = ()

    def _name(self, name: str) -> Optional[str]:
        low = name.lower().replace(" ", "")
        return self._names.get(low) or self._names.get(f"v({low})")

    def __getitem__(self, name: str) -> np.ndarray:
        found = self._name(name)
        if found is None:
            raise KeyError(f"there is no vector '{name}'; there are {', '.join(self._vectors)}")
        return self._vectors[found]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._name(name) is not None

    def __iter__(self) -> Iterator[str]:
        return iter(self._vectors)

    def __len__(self) -> int:
        return len(self._vectors)

    @property
    def rows(self) -> int:
        return len(next(iter(self._vectors.values()))) if self._vectors else 0

    @property
    def scale(self) -> np.ndarray:
        """The vector that the others are over: time, frequency, what is swept."""
        return next(iter(self._vectors.values()))

    def to_dataframe(self) -> Any:
        """A pandas DataFrame with the scale as its index."""
        import pandas
        names = list(self._vectors)
        frame = pandas.DataFrame({name: self._vectors[name] for name in names})
        return frame.set_index(names[0]) if self.rows > 1 else frame

    def __repr__(self) -> str:
        return f"<{self.plot}: {self.rows} rows of {', '.join(list(self._vectors)[:8])}{' ..' if len(self) > 8 else ''}>"

    # ---- notebooks ----

    def _curves(self) -> List[str]:
        """Of the most common quantity behind the scale."""
        names = [n for n in list(self._vectors)[1:] if self.quantities[n] == "voltage"]
        return (names or list(self._vectors)[1:])[:8]

    def plot_figure(self, *names: str) -> Any:
        """A figure of matplotlib: these vectors over the scale, magnitudes in dB over the frequency."""
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        figure = Figure(figsize=(7, 3.5))
        FigureCanvasAgg(figure)
        axes = figure.add_subplot()
        scale = next(iter(self._vectors))
        x = np.real(self.scale)
        for name in names or self._curves():
            y = self[name]
            if np.iscomplexobj(y):
                with np.errstate(divide="ignore"):
                    y = 20 * np.log10(np.abs(y))
            axes.plot(x, y, label=name)
        if self.quantities[scale] == "frequency":
            axes.set_xscale("log")
            axes.set_ylabel("dB")
        axes.set_xlabel(f"{scale} / {UNITS.get(self.quantities[scale], '1')}")
        axes.legend(loc="best")
        axes.grid(True, alpha=0.3)
        figure.tight_layout()
        return figure

    def _repr_svg_(self) -> Optional[str]:
        if self.rows < 2:
            return None
        if self._picture is None:
            from .pictures import by_matplotlib, by_program
            self._picture = by_matplotlib(self) or by_program(self, self._curves()) or ""
        return self._picture or None

    def _overview(self) -> str:
        """Where nothing can draw: the range of each vector, of complex ones that of the magnitude."""
        lines = "".join(f"<tr><td>{name}</td><td>{y[0]:.6g}</td><td>{y.min():.6g}</td><td>{y.max():.6g}</td>"
                        f"<td>{y[-1]:.6g}</td></tr>"
                        for name, y in ((n, np.abs(v) if np.iscomplexobj(v) else v) for n, v in self._vectors.items()))
        return (f"<table><caption>{self.plot}, {self.rows} rows</caption><tr><th></th><th>first</th><th>least</th>"
                f"<th>greatest</th><th>last</th></tr>{lines}</table>")

    def _repr_html_(self) -> Optional[str]:
        if self.rows > 1:
            return None if self._repr_svg_() else self._overview()
        cells = "".join(f"<tr><td>{name}</td><td>{self._vectors[name][0]:.6g}</td></tr>"
                        for name in self._vectors if self.rows == 1)
        return f"<table><caption>{self.plot}</caption>{cells}</table>"


class Results(List[Table]):
    """The tables of a run, in the order of the deck."""

    def __init__(self, tables: Sequence[Table] = (), measurements: Sequence[Measurement] = (),
                 diagnostics: Tuple[Diagnostic, ...] = (), summary: Optional[Dict[str, Any]] = None):
        super().__init__(tables)
        self.measurements = list(measurements)
        self.measures = {m.name: m.value for m in measurements}
        self.diagnostics = diagnostics
        self.summary = summary or {}
        for table in self:
            table.measures, table.measurements, table.diagnostics = self.measures, self.measurements, diagnostics

    def find(self, plot: str) -> Table:
        """The last table whose plot begins so: "Transient", "AC"."""
        for table in reversed(self):
            if table.plot.lower().startswith(plot.lower()):
                return table
        raise KeyError(f"there is no table '{plot}'; there are {', '.join(t.plot for t in self)}")


def _array(pointer: Any, length: int) -> np.ndarray:
    return np.ctypeslib.as_array(pointer, (length,)).copy() if length and pointer else np.zeros(0)


def tables_of(handle: int) -> List[Table]:
    """Copies of what a kn_results holds."""
    out = []
    for number in range(c.lib.kn_results_count(handle)):
        about, v = c.ResultsTable(), c.Vector()
        c.lib.kn_results_table(handle, number, ctypes.byref(about))
        vectors: Dict[str, np.ndarray] = {}
        quantities = []
        for i in range(about.vectors):
            c.lib.kn_results_vector(handle, number, i, ctypes.byref(v))
            values = _array(v.real, v.length)
            vectors[c.text(v.name)] = values + 1j * _array(v.imaginary, v.length) if v.imaginary else values
            quantities.append(QUANTITIES[v.quantity] if v.quantity < len(QUANTITIES) else "other")
        out.append(Table(c.text(about.title), c.text(about.plot), vectors, quantities, about.sweeps, about.steps))
    return out
