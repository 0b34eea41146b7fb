"""Circuit simulation of SPICE netlists as differential-algebraic equations.

>>> import knoten
>>> low_pass = knoten.Circuit('''RC low-pass
... .param r=1k
... V1 in 0 pwl(0 0 1n 1) ac 1
... R1 in out {r}
... C1 out 0 100n
... ''')
>>> tran = low_pass.tran("1u", "1m", reltol=1e-6)
>>> round(float(tran["v(out)"][-1]), 4)
1.0

The names of vectors are those of the results of the program; each is an array, complex over the frequency:

>>> ac = low_pass.ac("dec", 10, 1, "1meg")
>>> abs(ac["v(out)"][0]) > 0.99
True

What a deck's ``.measure`` cards found is in ``measures``, what is wrong with a deck in an exception:

>>> knoten.Circuit("no ground" + chr(10) + "R1 a" + chr(10))
Traceback (most recent call last):
    ...
knoten.errors.DeckError: circuit:2:5: resistor 'R1': expected 2 nodes, found 1
"""
from .circuit import Circuit, Comparison, Index, version
from .errors import (ArgumentError, CircuitError, ConvergenceError, DeckError, Diagnostic, Error, FileError, Interrupted,
                     Location, Warning)
from .raw import read_raw, write_csv, write_raw
from .results import Measurement, Results, Table
from .transient import Transient

__version__ = version()

__all__ = ["ArgumentError", "Circuit", "CircuitError", "Comparison", "ConvergenceError", "DeckError", "Diagnostic", "Error",
           "FileError", "Index", "Interrupted", "Location", "Measurement", "Results", "Table", "Transient", "Warning",
           "read_raw", "version", "write_csv", "write_raw"]
