"""Checks of the Python package against the program PROGRAM: checks.py PROGRAM SOURCE, in a scratch folder."""
import gzip
import math
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import unittest
import warnings

import numpy as np

import knoten

PROGRAM, SOURCE = sys.argv[1:3]

RC = """RC
V1 a 0 external
R1 a b 1k
C1 b 0 100n
"""


class Results(unittest.TestCase):
    def test_rows_are_the_program_s_to_the_last_bit(self):
        for deck in ("schmitt-trigger.cir", "cv-loop.cir", "rectifier.cir"):
            path = os.path.join(SOURCE, "examples", deck)
            if not os.path.exists(path):
                continue
            subprocess.run([PROGRAM, "-q", "-o", "program.raw", path], check=True, stdout=subprocess.DEVNULL)
            theirs = knoten.read_raw("program.raw")
            ours = knoten.Circuit.open(path).run()
            self.assertEqual([t.plot for t in theirs], [t.plot for t in ours])
            for a, b in zip(theirs, ours):
                self.assertEqual([n.lower() for n in a], [n.lower() for n in b])
                for name in a:
                    np.testing.assert_array_equal(a[name], b[name])
                    self.assertGreater(len(a[name]), 0)

    def test_names_are_found_as_people_write_them(self):
        table = knoten.Circuit("t\nV1 Out 0 2\nR1 Out 0 1\n").op()
        for name in ("v(out)", "V(OUT)", "out", "v( out )"):
            self.assertEqual(table[name][0], 2)
        self.assertIn("i(v1)", table)
        with self.assertRaisesRegex(KeyError, "there are .*i\\(v1\\)"):
            table["v(nothing)"]

    def test_small_signals_are_complex(self):
        c = knoten.Circuit("t\nV1 a 0 ac 1\nR1 a b 1k\nC1 b 0 1u\n")
        ac = c.ac("lin", 5, 100, 500)
        np.testing.assert_allclose(ac["b"], 1 / (1 + 2j * np.pi * ac["frequency"] * 1e-3), rtol=1e-9)
        densities = c.noise("v(b)", "V1", "dec", 5, 1, 1e3)
        f = densities[0]["frequency"]
        expected = np.sqrt(4 * 1.380649e-23 * 300.15 * 1e3 / (1 + (2 * np.pi * f * 1e-3) ** 2))
        np.testing.assert_allclose(densities[0]["onoise_spectrum"], expected, rtol=1e-6)
        self.assertAlmostEqual(c.tf("v(b)", "v1").measures.get("none", 1), 1)

    def test_sweeps_are_frames(self):
        c = knoten.Circuit("t\n.param r=1\nI1 0 a 2\nR1 a 0 {r}\n")
        frame = c.sweep("r", [1, "2", 3], "op", pick=lambda r: {"v": r[0]["a"][0]})
        values = [row["v"] for row in frame] if isinstance(frame, list) else list(frame["v"])
        np.testing.assert_allclose(values, [2, 4, 6])
        self.assertEqual(c.get("r"), 1)
        dc = c.dc("i1", 0, 2, 1)
        np.testing.assert_allclose(dc["a"], [0, 1, 2], atol=1e-12)


class Errors(unittest.TestCase):
    def test_exceptions_carry_places_and_hints(self):
        with self.assertRaises(knoten.DeckError) as caught:
            knoten.Circuit("t\nR1 a 0 1k\nQ1 a b c nomodel\nR1 a 0 2\n", name="mine.cir")
        errors = [d for d in caught.exception.diagnostics if d.severity == "error"]
        self.assertGreaterEqual(len(errors), 2)
        self.assertEqual(errors[0].where.file, "mine.cir")
        self.assertEqual(errors[0].where.line, 3)
        with self.assertRaises(knoten.CircuitError):
            knoten.Circuit("t\nV1 a 0 1\nV2 a 0 2\nR1 a 0 1\n").op()
        with self.assertRaises(knoten.ArgumentError):
            knoten.Circuit("t\nV1 a 0 1\nR1 a 0 1\n").tran(1e-6, 1e-3, method="bfd")
        with self.assertRaises(knoten.DeckError):
            knoten.Circuit("t\nV1 a 0 1\nR1 a 0 1\n").alter("r7", 1)
        with self.assertRaises(knoten.FileError):
            knoten.Circuit.open("there is none.cir")

    def test_warnings_are_python_s(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            knoten.Circuit("t\nV1 a 0 1\nR1 a 0 1\n.save v(nowhere)\n").op()
        self.assertTrue(any(issubclass(w.category, knoten.Warning) and "nowhere" in str(w.message) for w in caught))

    def test_exceptions_of_callbacks_come_out(self):
        def broken(time):
            raise ZeroDivisionError("mine")
        with self.assertRaisesRegex(ZeroDivisionError, "mine"):
            knoten.Circuit(RC).tran("1u", "1m", sources={"V1": broken})
        with self.assertRaisesRegex(KeyError, "V1"):
            knoten.Circuit(RC).tran("1u", "1m", sources={"V2": math.sin})
        with self.assertRaises(knoten.DeckError):
            knoten.Circuit(RC).tran("1u", "1m")

    def test_a_path_is_no_netlist(self):
        with self.assertRaisesRegex(knoten.ArgumentError, r"Circuit.open\('rectifier.cir'\)"):
            knoten.Circuit("rectifier.cir")
        for wrong in (None, pathlib.Path("rectifier.cir")):
            with self.assertRaisesRegex(TypeError, "Circuit.open"):
                knoten.Circuit(wrong)

    def test_places_have_the_numbers_that_are_known(self):
        with self.assertRaisesRegex(knoten.DeckError, "^deck:1: the netlist has a title"):
            knoten.Circuit("title\n", name="deck")
        with self.assertRaisesRegex(knoten.DeckError, "^deck:2:8: "):
            knoten.Circuit("t\nR1 a 0 zz\n", name="deck")
        self.assertEqual(repr(knoten.Circuit(RC, name="low pass")), "<Circuit low pass>")

    def test_interrupts_end_a_run(self):
        long = knoten.Circuit("t\nV1 a 0 sin(0 1 1meg)\nR1 a b 1k\nC1 b 0 1n\n")
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            long.tran("1n", "10")
        self.assertLess(time.monotonic() - begun, 20)
        timer.join()


class CoSimulation(unittest.TestCase):
    def test_functions_are_sources(self):
        for source in (lambda t: math.sin(2e4 * t), lambda t: (math.sin(2e4 * t), 2e4 * math.cos(2e4 * t))):
            table = knoten.Circuit(RC).tran("1u", "1m", sources={"v1": source}, reltol=1e-6)
            t, a = table["time"], 2.0
            expected = (np.sin(2e4 * t) - a * np.cos(2e4 * t) + a * np.exp(-t / 1e-4)) / (1 + a * a)
            self.assertLess(np.abs(table["b"] - expected).max(), 1e-5)

    def test_a_run_that_waits_follows_what_is_set(self):
        circuit, v = knoten.Circuit(RC), 0.0
        with circuit.transient("1u", "1m", reltol=1e-6) as run:
            for k, now in enumerate(run.every(5e-5)):
                self.assertAlmostEqual(now, k * 5e-5, delta=1e-18)
                self.assertAlmostEqual(run["v(b)"], v, delta=1e-5)
                run["V1"] = k % 3
                v = k % 3 + (v - k % 3) * math.exp(-0.5)
        self.assertEqual(k, 19)
        self.assertEqual(run.table["time"][-1], 1e-3)
        with self.assertRaises(ValueError):
            run.time

    def test_steps_can_be_refused_and_shortened(self):
        seen = []

        def agrees(time, step):
            seen.append(step)
            return True if len(seen) % 10 else step / 4
        table = knoten.Circuit(RC).tran("1u", "1m", sources={"V1": lambda t: math.sin(2e4 * t)}, agrees=agrees,
                                        shorten=lambda time, step: 2e-5)
        self.assertLessEqual(max(seen), 2e-5 * (1 + 1e-9))
        self.assertEqual(table["time"][-1], 1e-3)

    def test_ended_early_it_has_the_rows_so_far(self):
        run = knoten.Circuit(RC).transient("1u", "1m")
        run.advance(2e-4)
        self.assertEqual(run.end()["time"][-1], 2e-4)

    def test_threads_have_circuits_of_their_own(self):
        out = [None] * 4

        def work(k):
            c = knoten.Circuit(f"t\nV1 a 0 pulse(0 {k + 1} 0 1n 1n 1 2)\nR1 a b 1k\nC1 b 0 100n\n")
            out[k] = c.tran("1u", "0.3m", reltol=1e-6)["b"][-1] / (k + 1)
        threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        np.testing.assert_allclose(out, 1 - math.exp(-3), atol=1e-5)


def ltspice(complex_values, double, fast):
    """A raw file as LTspice writes it: UTF-16, times double and the others float."""
    time, v = np.array([0, -1e-3, 2e-3]), np.array([0.5, 1.25, -2.0])
    flags = ("complex " if complex_values else "real ") + ("double " if double else "") + ("fastaccess" if fast else "")
    first, kind = ("frequency", "<c16") if complex_values else ("time", "<f8")
    other = "<c16" if complex_values else "<f8" if double else "<f4"
    head = (f"Title: * t\nDate: now\nPlotname: Transient Analysis\nFlags: {flags.strip()}\nNo. Variables: 2\n"
            f"No. Points: 3\nOffset: 0\nCommand: LT\nVariables:\n\t0\t{first}\t{first}\n\t1\tV(out)\tvoltage\nBinary:\n")
    columns = [time.astype(kind), v.astype(other)]
    body = (b"".join(col.tobytes() for col in columns) if fast
            else b"".join(columns[0][i].tobytes() + columns[1][i].tobytes() for i in range(3)))
    return head.encode("utf-16-le") + body, v


class RawFiles(unittest.TestCase):
    def test_what_is_written_is_read(self):
        c = knoten.Circuit("title of it\nV1 a 0 ac 1 sin(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n.ac dec 5 1 1k\n.tran 10u 2m\n")
        tables = c.run()
        for ascii in (False, True):
            knoten.write_raw("x.raw", tables, ascii=ascii)
            back = knoten.read_raw("x.raw")
            self.assertEqual(len(back), 2)
            for a, b in zip(tables, back):
                self.assertEqual((a.title, a.plot, list(a)), (b.title, b.plot, list(b)))
                for name in a:
                    np.testing.assert_array_equal(a[name], b[name])
                self.assertEqual(a.quantities, b.quantities)
        with open("x.raw", "rb") as plain, gzip.open("x.raw.gz", "wb") as packed:
            packed.write(plain.read())
        self.assertEqual(len(knoten.read_raw("x.raw.gz")), 2)
        knoten.write_csv("x.csv", tables[-1])
        with open("x.csv") as f:
            self.assertIn("v(b)", f.readline())

    def test_ltspice_s_are_read(self):
        for complex_values in (False, True):
            for double in (False, True):
                for fast in (False, True):
                    data, v = ltspice(complex_values, double, fast)
                    with open("lt.raw", "wb") as f:
                        f.write(data)
                    table = knoten.read_raw("lt.raw")[0]
                    np.testing.assert_array_equal(table["V(out)"], v)
                    if not complex_values:
                        np.testing.assert_array_equal(table["time"], [0, 1e-3, 2e-3])

    def test_steps_of_ltspice_have_the_values_of_its_log(self):
        rows = [(abs(1e-6 * i) * (-1 if i == 2 else 1), r * i) for r in (1.0, 2.0, 5.0) for i in range(4)]
        head = ("Title: * t\nDate: now\nPlotname: Transient Analysis\nFlags: real forward stepped\nNo. Variables: 2\n"
                "No. Points: 12\nOffset: 0\nCommand: LT\nVariables:\n\t0\ttime\ttime\n\t1\tV(out)\tvoltage\nBinary:\n")
        with open("steps.raw", "wb") as f:
            f.write(head.encode("utf-16-le") + b"".join(np.float64(t).tobytes() + np.float32(v).tobytes() for t, v in rows))
        log = "Circuit: * t\n\n.step rload=1000 temp=27\n.step rload=2000 temp=27\n.step rload=5e+003 temp=27\n\nDate: now\n"
        for encoding in ("utf-16", "utf-16-le", "utf-8"):
            with open("steps.log", "wb") as f:
                f.write(log.encode(encoding))
            table = knoten.read_raw("steps.raw")[0]
            self.assertEqual((list(table), table.steps), (["time", "rload", "temp", "V(out)"], 2))
            np.testing.assert_array_equal(table["rload"], np.repeat([1000, 2000, 5000], 4))
            self.assertEqual((table.quantities["time"], table.quantities["V(out)"]), ("time", "voltage"))
            program = os.environ.get("KNOTEN")
            if program:
                drawn = subprocess.run([program, "plot", "steps.raw", "v(out)*1k/rload"], capture_output=True, text=True)
                self.assertIn("rload = 5 k, temp = 27", drawn.stdout + drawn.stderr)
        for wrong in ("", log.replace(".step rload=2000 temp=27\n", ""), log.replace("=2000", "=npn2")):
            with open("steps.log", "w") as f:
                f.write(wrong)
            self.assertEqual(list(knoten.read_raw("steps.raw")[0]), ["time", "V(out)"])
            if program:
                drawn = subprocess.run([program, "plot", "steps.raw", "v(out)"], capture_output=True, text=True)
                self.assertIn("run 3", drawn.stdout + drawn.stderr)

    def test_ngspice_s_are_read(self):
        try:
            with open("ng.cir", "w") as f:
                f.write("t\nV1 a 0 1 ac 1\nR1 a b 1k\nR2 b 0 1k\n.op\n.ac lin 3 1 3\n.end\n")
            subprocess.run(["ngspice", "-b", "-r", "ng.raw", "ng.cir"], check=True, timeout=20, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL)
        except FileNotFoundError:
            self.skipTest("no ngspice")
        tables = knoten.read_raw("ng.raw")
        for table in tables:
            np.testing.assert_allclose(np.abs(table["b"]), 0.5)

    def test_broken_ones_are_errors(self):
        data, _ = ltspice(False, True, False)
        for bad in (b"", b"hello\n", data[:-3], data[:100]):
            with open("bad.raw", "wb") as f:
                f.write(bad)
            with self.assertRaises(knoten.FileError):
                knoten.read_raw("bad.raw")


class Words(unittest.TestCase):
    def test_ac_takes_the_words_of_its_card(self):
        c = knoten.Circuit("t\nV1 a 0 ac 1\nR1 a b 1k\nC1 b 0 1u\n")
        self.assertTrue((c.ac("dec 5 1 1meg")["b"] == c.ac("dec", 5, 1, "1meg")["b"]).all())
        with self.assertRaisesRegex(knoten.DeckError, "ac"):
            c.ac("dec 5")


class Notebooks(unittest.TestCase):
    def test_tables_show_themselves(self):
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            self.skipTest("no matplotlib")
        c = knoten.Circuit("t\nV1 a 0 ac 1 sin(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n")
        for table in (c.tran("10u", "2m"), c.ac("dec", 5, 1, 1e5)):
            self.assertIn("<svg", table._repr_svg_())
            self.assertIsNone(table._repr_html_())
        op = c.op()
        self.assertIsNone(op._repr_svg_())
        self.assertIn("<td>v(b)</td>", op._repr_html_())

    def test_without_matplotlib(self):
        """By the program, which needs gnuplot; without both the ranges of the vectors."""
        import shutil
        from unittest import mock
        c = knoten.Circuit("t\nV1 a 0 ac 1 sin(0 1 1k)\nR1 a b 1k\nC1 b 0 1u\n")
        with mock.patch.dict("sys.modules", {"matplotlib": None, "matplotlib.figure": None,
                                             "matplotlib.backends": None, "matplotlib.backends.backend_agg": None}):
            for table in (c.tran("10u", "2m"), c.ac("dec", 5, 1, 1e5)):
                picture = table._repr_svg_()
                if shutil.which("gnuplot"):
                    self.assertIn("<svg", picture)
                    self.assertIn("v(b)", picture)
                    self.assertIsNone(table._repr_html_())
            with mock.patch("knoten.pictures.program", lambda: None):
                table = c.tran("10u", "2m", reltol=1e-6)
                self.assertIsNone(table._repr_svg_())
                self.assertIn("<td>v(a)</td><td>0</td><td>-0.99", table._repr_html_())

    def test_frames(self):
        try:
            import pandas  # noqa: F401
        except ImportError:
            self.skipTest("no pandas")
        frame = knoten.Circuit("t\nV1 a 0 sin(0 1 1k)\nR1 a 0 1k\n").tran("10u", "1m").to_dataframe()
        self.assertEqual(frame.index.name, "time")
        self.assertIn("v(a)", frame)

    def test_reports_show_themselves(self):
        c = knoten.Circuit("t\nV1 a 0 sin(0 1 1k)\nC1 a 0 1u\nR1 a 0 1k\n.tran 10u 1m\n")
        self.assertIn("V1", str(c.check()))
        self.assertIn("<pre>", c.check()._repr_html_())
        self.assertIn("bdf", str(c.compare(["bdf"], 1e-3, 1e-3)))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
