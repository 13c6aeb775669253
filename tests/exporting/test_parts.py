"""The parts of which an exported program is made: the linker, the runner over threads, and formulas of sizes."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from typing import Any

import numpy
import pytest

from tritonflow.errors import CompileError
from tritonflow.exporting.numbers import Formulas
from tritonflow.exporting.runner import MOST_THREADS
from tritonflow.exporting.shared_object import linked
from tritonflow.exporting.targets import _emitted, _target, compiled
from tritonflow_program.variant import Values, _calculated

SQUARE = """
@first = internal constant [2 x double] [double 2.0, double 3.0]
@second = internal global [2 x ptr] [ptr @first, ptr getelementptr (i8, ptr @first, i64 8)]
@calls = internal global i64 0
declare double @pow(double, double)
define double @kernel(double %x, i64 %which) nounwind {
  %at = getelementptr [2 x ptr], ptr @second, i64 0, i64 %which
  %p = load ptr, ptr %at
  %e = load double, ptr %p
  %n = load i64, ptr @calls
  %m = add i64 %n, 1
  store i64 %m, ptr @calls
  %y = call double @pow(double %x, double %e)
  ret double %y
}
"""


def test_linker(tmp_path: Path) -> None:
    """Functions of other libraries, constants, addresses in data, and two objects with one name inside."""
    target = _target("baseline")
    other = SQUARE.replace("2.0, double 3.0", "0.5, double 1.0")
    data = linked([("square", _emitted(SQUARE, target)), ("root", _emitted(other, target))], "kernel")
    (tmp_path / "library.so").write_bytes(data)
    library = ctypes.CDLL(str(tmp_path / "library.so"))
    for name, exponents in (("square", (2.0, 3.0)), ("root", (0.5, 1.0))):
        function = library[name]
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_double, ctypes.c_int64]
        assert [function(7.0, k) for k in range(2)] == [math.pow(7.0, e) for e in exponents]


def test_linker_refuses_what_it_cannot(tmp_path: Path) -> None:
    target = _target("baseline")
    local = "@v = thread_local global i64 0\ndefine i64 @kernel() nounwind {\n %x = load i64, ptr @v\n ret i64 %x\n}\n"
    for data in (b"nothing", _emitted(local, target)):
        with pytest.raises(CompileError):
            linked([("f", data)], "kernel")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The runner, and a kernel that notes which programs ran: args are counts, a word to set, and where to set it."""
    path = tmp_path_factory.mktemp("runner") / "library.so"
    kernel = """
define void @kernel(i64 %begin, i64 %end, i32 %x, i32 %y, i32 %z, ptr %args, ptr %scratch) nounwind {
entry:
  %counts = load ptr, ptr %args
  %word_at = getelementptr ptr, ptr %args, i64 1
  %word = load ptr, ptr %word_at
  %bad_at = getelementptr i64, ptr %args, i64 2
  %bad = load i64, ptr %bad_at
  store i64 %begin, ptr %scratch
  br label %head
head:
  %i = phi i64 [ %begin, %entry ], [ %next, %go ]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %go, label %done
go:
  %at = getelementptr i64, ptr %counts, i64 %i
  %r = atomicrmw add ptr %at, i64 1 monotonic
  %is = icmp eq i64 %i, %bad
  %value = zext i1 %is to i32
  %s = atomicrmw or ptr %word, i32 %value monotonic
  %next = add i64 %i, 1
  br label %head
done:
  ret void
}
"""
    runner = compiled([], "baseline").library
    path.with_name("runner.so").write_bytes(runner)
    path.write_bytes(linked([("k0", _emitted(kernel, _target("baseline")))], "kernel"))
    library = ctypes.CDLL(str(path))
    function = ctypes.CDLL(str(path.with_name("runner.so"))).tritonflow_run
    function.restype = ctypes.c_int64
    function.argtypes = [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_int64]
    return function, ctypes.cast(library.k0, ctypes.c_void_p).value, library


@pytest.mark.parametrize("threads", [1, 2, 3, 7, MOST_THREADS])
def test_every_program_runs_once(run: Any, threads: int) -> None:
    function, kernel, _ = run
    totals = [1, 5, 1000, 64, 3, 17] * 8
    counts = [numpy.zeros(n, numpy.int64) for n in totals]
    word, scratch = numpy.zeros(1, numpy.int32), numpy.zeros(threads * 8, numpy.int64)
    args = [numpy.array([c.ctypes.data, word.ctypes.data, -1], numpy.int64) for c in counts]
    rows = [[kernel, n, n, 1, 1, k % 3 == 0, a.ctypes.data, 0, word.ctypes.data] for k, (n, a) in enumerate(zip(totals, args))]
    table = numpy.array(rows, numpy.int64)
    for _ in range(5):
        assert function(table.ctypes.data, len(rows), threads, scratch.ctypes.data, 64) == -1
    assert all((each == 5).all() for each in counts)


@pytest.mark.parametrize("threads", [1, 4])
def test_a_run_ends_behind_its_error(run: Any, threads: int) -> None:
    function, kernel, _ = run
    counts = numpy.zeros((3, 50), numpy.int64)
    words, scratch = numpy.zeros(3, numpy.int32), numpy.zeros(threads * 8, numpy.int64)
    args = [numpy.array([c.ctypes.data, words[k:].ctypes.data, 20 if k == 1 else -1], numpy.int64) for k, c in enumerate(counts)]
    table = numpy.array([[kernel, 50, 50, 1, 1, 0, a.ctypes.data, 0, words[k:].ctypes.data] for k, a in enumerate(args)], numpy.int64)
    assert function(table.ctypes.data, 3, threads, scratch.ctypes.data, 64) == 1
    assert (counts[:2] == 1).all() and (counts[2] == 0).all() and list(words) == [0, 1, 0]


SOURCES = ["n[1]", "3*n[1] + 2*n[0]", "-((-n[1])//16)", "((n[0]*n[1])%7)", "min(n[0], 3)*n[1] + -1", "max(n[1], 2)", "((n[0] + -9)//4)"]


@pytest.mark.parametrize("source", SOURCES)
def test_formulas(source: str) -> None:
    """What stands in the text gives what the expression gives, for all sizes."""
    runs = [(a, b) for a in range(5) for b in range(1, 40, 3)]
    sizes = [tuple([run[k] for run in runs]) for k in range(2)]
    values = [eval(source, {"n": run, "min": min, "max": max}) for run in runs]
    formulas = Formulas(sizes, runs)
    token = formulas.token(values, source)
    assert "table" not in " ".join(formulas.lines)
    for run, wanted in zip(runs, values):
        found = Values()
        for line in formulas.lines:
            operation, *operands = line.split()
            found.all.append(run[int(operands[0])] if operation == "size" else _calculated(operation, *map(found.of, operands)))
        assert found.of(token) == wanted


def test_what_has_no_formula_is_a_table() -> None:
    formulas = Formulas([(1, 2, 3)], [(1,), (2,), (3,)])
    assert formulas.token([5, 1, 9]) == "#0" and formulas.lines == ["table 5 1 9"]
    assert formulas.token([5, 1, 9], "n[0] + 7") == "#0"  # an expression that gives something else
    assert formulas.token([4, 4, 4]) == "4"
