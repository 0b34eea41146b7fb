"""Pictures of tables: by matplotlib where it is there, else by the program `knoten plot`, which draws through gnuplot."""
import io
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any, Optional, Sequence

import numpy as np

from . import _library as c


def program() -> Optional[str]:
    """The program beside the library, or on the path."""
    folder = pathlib.Path(getattr(c.lib, "_name", "")).parent
    for place in (folder / "knoten", folder.parent / "bin" / "knoten"):
        if os.sep in str(place) and place.is_file() and os.access(place, os.X_OK):
            return str(place)
    return shutil.which("knoten")


def by_matplotlib(table: Any) -> Optional[str]:
    try:
        figure = table.plot_figure()
    except ImportError:
        return None
    out = io.StringIO()
    figure.savefig(out, format="svg")
    return out.getvalue()


def by_program(table: Any, names: Sequence[str]) -> Optional[str]:
    from .raw import write_raw
    command = program()
    if not command:
        return None
    with tempfile.TemporaryDirectory() as folder:
        data, picture = os.path.join(folder, "table.raw"), os.path.join(folder, "table.svg")
        write_raw(data, table)
        decibels = ["--db"] if any(np.iscomplexobj(table[name]) for name in names) else []
        done = subprocess.run([command, "plot", "-q", data, *names, *decibels, "-o", picture],
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
        if done.returncode != 0 or not os.path.exists(picture):
            return None
        with open(picture, encoding="utf-8") as file:
            return file.read()
