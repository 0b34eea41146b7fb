"""libknoten through ctypes: where it is found, and what its structs and functions look like (include/knoten.h)."""
import ctypes
import ctypes.util
import os
import pathlib
from ctypes import CFUNCTYPE, POINTER, c_bool, c_char_p, c_double, c_int, c_long, c_size_t, c_void_p
from typing import Iterator

NAME = "libknoten.so.0"


def _places() -> Iterator[str]:
    """What the environment says; beside the sources; where libraries are."""
    told = os.environ.get("KNOTEN_LIBRARY")
    if told:
        yield told
        return
    here = pathlib.Path(__file__).resolve().parent
    yield str(here / NAME)
    yield str(here.parent.parent / "build" / NAME)
    yield NAME
    for folder in (pathlib.Path.home() / ".local" / "lib", pathlib.Path("/usr/local/lib")):
        yield str(folder / NAME)


def _load() -> ctypes.CDLL:
    tried = []
    for place in _places():
        if os.sep in place and not os.path.exists(place):
            tried.append(place)
            continue
        try:
            return ctypes.CDLL(place)
        except OSError as error:
            tried.append(str(error))
    raise ImportError("libknoten is not found; build and install knoten, or say in KNOTEN_LIBRARY where "
                      + NAME + " is. Tried: " + "; ".join(tried))


class Location(ctypes.Structure):
    _fields_ = [("file", c_char_p), ("line", c_int), ("column", c_int), ("width", c_int)]


class Diagnostic(ctypes.Structure):
    _fields_ = [("severity", c_int), ("code", c_char_p), ("where", Location), ("text", c_char_p), ("hint", c_char_p),
                ("source_line", c_char_p)]


class Column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("quantity", c_int)]


class Table(ctypes.Structure):
    _fields_ = [("title", c_char_p), ("plot", c_char_p), ("columns", POINTER(Column)), ("column_count", c_size_t),
                ("sweeps", c_size_t), ("steps", c_size_t)]


Begin = CFUNCTYPE(c_int, c_void_p, POINTER(Table))
Row = CFUNCTYPE(c_int, c_void_p, POINTER(c_double))
End = CFUNCTYPE(c_int, c_void_p, c_int)


class Sink(ctypes.Structure):
    _fields_ = [("context", c_void_p), ("begin", Begin), ("row", Row), ("end", End)]


class Measurement(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("value", c_double), ("at", c_double), ("begin", c_double), ("end", c_double),
                ("unit", c_char_p), ("found", c_bool), ("goal", c_double), ("lowest", c_double), ("highest", c_double),
                ("weight", c_double)]


Source = CFUNCTYPE(c_bool, c_void_p, c_char_p, c_double, POINTER(c_double), POINTER(c_double))
Breakpoint = CFUNCTYPE(c_double, c_void_p, c_double)
Shorten = CFUNCTYPE(c_double, c_void_p, c_double, c_double)
Agrees = CFUNCTYPE(c_bool, c_void_p, c_double, c_double, POINTER(c_double))


class Partner(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("context", c_void_p), ("source", Source), ("breakpoint", Breakpoint),
                ("shorten", Shorten), ("agrees", Agrees)]


Interrupted = CFUNCTYPE(c_bool, c_void_p)
Measured = CFUNCTYPE(None, c_void_p, POINTER(Measurement))


class Options(ctypes.Structure):
    """Members that are not used here are pointers all the same."""
    _fields_ = [("size", c_size_t), ("method", c_char_p), ("reltol", c_double), ("maxord", c_int),
                ("interrupted", Interrupted), ("progress", c_void_p), ("context", c_void_p), ("measured", Measured),
                ("stepped", c_void_p), ("attempted", c_void_p), ("even", c_void_p), ("devices", POINTER(Sink)),
                ("bias", c_void_p), ("jobs", c_int), ("seed", c_void_p), ("crew", c_void_p), ("journal", c_char_p),
                ("resume", c_bool), ("summarised", c_void_p), ("step", c_double), ("partner", POINTER(Partner))]


class Summary(ctypes.Structure):
    _fields_ = [("analyses", c_int), ("unknowns", c_int), ("rows", c_long), ("steps_accepted", c_long),
                ("steps_rejected", c_long), ("newton_iterations", c_long), ("factorizations", c_long),
                ("seconds", c_double), ("method", c_char_p), ("choice", ctypes.c_char * 160)]


class ResultsTable(ctypes.Structure):
    _fields_ = [("title", c_char_p), ("plot", c_char_p), ("vectors", c_size_t), ("rows", c_size_t), ("sweeps", c_size_t),
                ("steps", c_size_t)]


class Vector(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("quantity", c_int), ("length", c_size_t), ("real", POINTER(c_double)),
                ("imaginary", POINTER(c_double))]


class Set(ctypes.Structure):
    _fields_ = [("names", POINTER(c_char_p)), ("count", c_size_t)]


class Sets(ctypes.Structure):
    _fields_ = [("sets", POINTER(Set)), ("count", c_size_t)]


class Index(ctypes.Structure):
    _fields_ = [("index", c_int), ("topological", c_int), ("numerical", c_int), ("degrees_of_freedom", c_int),
                ("unknowns", c_int), ("singular", c_bool), ("cv_loops", Sets), ("li_cutsets", Sets), ("v_loops", Sets),
                ("i_cutsets", Sets), ("dependent", Set), ("hidden", Set), ("floating", Set)]


class Compared(ctypes.Structure):
    _fields_ = [("method", c_char_p), ("reltol", c_double), ("status", c_int), ("error", c_double), ("worst", c_char_p),
                ("steps", c_long), ("newton_iterations", c_long), ("factorizations", c_long), ("seconds", c_double)]


Told = CFUNCTYPE(None, c_void_p, POINTER(Compared))

_FUNCTIONS = {
    "kn_version": (c_char_p,),
    "kn_diagnostics_new": (c_void_p,),
    "kn_diagnostics_free": (None, c_void_p),
    "kn_diagnostics_count": (c_size_t, c_void_p),
    "kn_diagnostics_get": (POINTER(Diagnostic), c_void_p, c_size_t),
    "kn_circuit_read_file_as": (c_int, c_char_p, c_char_p, c_void_p, POINTER(c_void_p)),
    "kn_circuit_read_text_as": (c_int, c_char_p, c_char_p, c_size_t, c_char_p, c_void_p, POINTER(c_void_p)),
    "kn_circuit_free": (None, c_void_p),
    "kn_circuit_set_parameter": (c_int, c_void_p, c_char_p, c_double, c_void_p),
    "kn_circuit_set_option": (c_int, c_void_p, c_char_p, c_double, c_void_p),
    "kn_circuit_alter": (c_int, c_void_p, c_char_p, c_char_p, c_double, c_void_p),
    "kn_circuit_alter_model": (c_int, c_void_p, c_char_p, c_char_p, c_double, c_void_p),
    "kn_circuit_reset": (c_int, c_void_p, c_void_p),
    "kn_circuit_parameter": (c_int, c_void_p, c_char_p, POINTER(c_double), c_void_p),
    "kn_circuit_value": (c_int, c_void_p, c_char_p, c_char_p, POINTER(c_double), c_void_p),
    "kn_raw_file": (c_int, c_char_p, c_bool, c_void_p, POINTER(Sink)),
    "kn_csv_file": (c_int, c_char_p, c_void_p, POINTER(Sink)),
    "kn_sink_free": (None, POINTER(Sink)),
    "kn_run": (c_int, c_void_p, POINTER(Options), c_void_p, POINTER(Sink), POINTER(Summary)),
    "kn_analyse": (c_int, c_void_p, c_char_p, POINTER(Options), c_void_p, POINTER(Sink), POINTER(Summary)),
    "kn_results_new": (c_void_p,),
    "kn_results_free": (None, c_void_p),
    "kn_results_sink": (Sink, c_void_p),
    "kn_results_count": (c_size_t, c_void_p),
    "kn_results_table": (c_bool, c_void_p, c_size_t, POINTER(ResultsTable)),
    "kn_results_vector": (c_bool, c_void_p, c_size_t, c_size_t, POINTER(Vector)),
    "kn_index_new": (c_int, c_void_p, c_void_p, POINTER(POINTER(Index))),
    "kn_index_free": (None, POINTER(Index)),
    "kn_index_write": (None, POINTER(Index), c_bool, c_void_p),
    "kn_compare": (c_int, c_void_p, c_char_p, c_double, c_double, c_void_p, c_void_p, Told),
    "kn_transient_begin": (c_int, c_void_p, c_char_p, POINTER(Options), c_void_p, POINTER(Sink), POINTER(c_void_p)),
    "kn_transient_advance": (c_int, c_void_p, c_double),
    "kn_transient_step": (c_int, c_void_p),
    "kn_transient_time": (c_double, c_void_p),
    "kn_transient_stop": (c_double, c_void_p),
    "kn_transient_read": (c_int, c_void_p, c_char_p, POINTER(c_double)),
    "kn_transient_set": (c_int, c_void_p, c_char_p, c_double),
    "kn_transient_breakpoint": (c_int, c_void_p, c_double),
    "kn_transient_end": (c_int, c_void_p, POINTER(Summary)),
}

lib = _load()
for _name, (_result, *_arguments) in _FUNCTIONS.items():
    _function = getattr(lib, _name)
    _function.restype = _result
    _function.argtypes = _arguments


def text(raw: "bytes | None") -> str:
    return raw.decode("utf-8", "replace") if raw else ""
