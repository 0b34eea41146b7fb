"""What the library has to say: diagnostics, and exceptions that carry them."""
import ctypes
import warnings
from typing import List, NamedTuple, Optional, Tuple

from ._library import lib, text


class Location(NamedTuple):
    """A place in a deck; line and column count from 1, 0 means the whole."""
    file: str
    line: int
    column: int


class Diagnostic(NamedTuple):
    """One message: severity is "note", "warning" or "error", code short and stable."""
    severity: str
    code: str
    where: Location
    text: str
    hint: str
    source_line: str

    def __str__(self) -> str:
        place = [self.where.file] + [str(number) for number in self.where[1:] if number > 0]
        return f"{':'.join(place)}: {self.text}" if self.where.file else self.text


class Warning(UserWarning):
    """A warning of the library."""


class Error(Exception):
    """Something failed; all messages are in `diagnostics`."""

    def __init__(self, message: str, diagnostics: Tuple[Diagnostic, ...] = ()):
        super().__init__(message)
        self.diagnostics = diagnostics


class DeckError(Error):
    """The netlist, or a card, has errors."""


class CircuitError(Error):
    """The circuit has no unique solution."""


class ConvergenceError(Error):
    """Newton's method or the step control gave up."""


class FileError(Error, OSError):
    """A file cannot be read or written."""


class ArgumentError(Error, ValueError):
    """An argument that cannot be."""


class Interrupted(Error):
    """The run was ended by its partner."""


_KINDS = {1: DeckError, 2: CircuitError, 3: ConvergenceError, 4: MemoryError, 5: FileError, 6: ArgumentError, 7: Interrupted}
_SEVERITIES = ("note", "warning", "error")
OK = 0


class Diagnostics:
    """Collects the messages of calls of the library."""

    def __init__(self) -> None:
        self.handle = lib.kn_diagnostics_new()
        self._told = 0
        if not self.handle:
            raise MemoryError

    def __del__(self) -> None:
        if getattr(self, "handle", None):
            lib.kn_diagnostics_free(self.handle)

    def all(self, first: int = 0) -> List[Diagnostic]:
        out = []
        for i in range(first, lib.kn_diagnostics_count(self.handle)):
            d = lib.kn_diagnostics_get(self.handle, i).contents
            where = Location(text(d.where.file), d.where.line, d.where.column)
            out.append(Diagnostic(_SEVERITIES[d.severity], text(d.code), where, text(d.text), text(d.hint),
                                  text(d.source_line)))
        return out

    def check(self, status: int, pending: Optional[BaseException] = None) -> Tuple[Diagnostic, ...]:
        """Raises what a status means; new warnings are warned of, and all new messages returned."""
        new = tuple(self.all(self._told))
        self._told += len(new)
        if pending is not None:
            raise pending
        if status == OK:
            for d in new:
                if d.severity == "warning":
                    warnings.warn(str(d) + (f" ({d.hint})" if d.hint else ""), Warning, stacklevel=4)
            return new
        kind = _KINDS.get(status, Error)
        if kind is MemoryError:
            raise MemoryError("memory is exhausted")
        errors = [d for d in new if d.severity == "error"]
        message = "; ".join(str(d) for d in errors) or "the run was ended"
        raise kind(message, new)


def encode(value: "str | None") -> Optional[bytes]:
    return None if value is None else value.encode()


def double() -> ctypes.c_double:
    return ctypes.c_double()
