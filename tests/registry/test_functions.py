"""Public functions that are no ops: what the generator reads of their decorators and docstrings."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import tritonflow as flow
from tritonflow.binding.signature import SchemaError
from tritonflow.registry.emit import docstrings
from tritonflow.registry.functions import family_of, scan_entries
from tritonflow.registry.generate import ROOT
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry

SPREAD = '''
@function("Tensor (Tensor input, Int32 dim=0) ", "Tensor (Tensor input, Tensor other) => SpreadOver", methods="spread", samples="real")
@also("linalg_spread", methods="spread_of")
@also("wide", "Tensor (Tensor input)", reference="torch.std")
def spread(input, dim=0):
    """How far numbers lie apart.

    The largest less the smallest, `max - min`.

    Args:
        input: the input.
        dim: the dimension, of which a long
            text says more.
        other: a second input.

    Shape:
        (n, ...) -> (...).

    Raises:
        IndexError: no such dimension.
        RuntimeError: no numbers.

    Source: numpy.ptp.

    Example:
        >>> import tritonflow as flow
        >>> flow.spread(flow.tensor([1.0, 3.0]))
        tensor(2.)
    """
'''


def scanned(folder: Path, text: str, file: str = "reduction_spread") -> list[Entry]:
    (folder / f"{file}.py").write_text(text)
    return list(scan_entries(folder, ["reduction", "scan_sort"]))


def test_decorator_and_docstring_are_an_entry(tmp_path: Path) -> None:
    spread, other, wide = scanned(tmp_path, SPREAD)
    assert (spread.name, spread.family, spread.is_function) == ("spread", "reduction", True)
    assert [s.functor for s in spread.signatures] == ["spread", "SpreadOver"]
    assert (spread.methods, spread.export, spread.samples) == (("spread",), ("flow",), "real")
    assert spread.doc == "How far numbers lie apart" and spread.help.details == "The largest less the smallest, `max - min`."
    assert dict(spread.help.args)["dim"] == "the dimension, of which a long text says more."
    assert spread.help.raises == (("IndexError", "no such dimension."), ("RuntimeError", "no numbers."))
    assert spread.help.shape == "(n, ...) -> (...)." and docstrings.source_of(spread) == "numpy.ptp"
    assert spread.help.example.endswith("tensor(2.)")
    assert (other.name, other.like, other.export, other.methods) == ("linalg_spread", "spread", ("linalg",), ("spread_of",))
    assert other.signatures[0].parameters == spread.signatures[0].parameters
    assert (wide.reference, len(wide.signatures), other.reference) == ("torch.std", 1, spread.reference)


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ('"spread", samples', 'SPREAD, samples', "spread: what a decorator says of a function is written as literals"),
        ("samples=", "sample=", "spread: unknown key 'sample'; .* did you mean 'samples'"),
        ('"Tensor (Tensor input)",', '"Tensor (Tensor x)",', "wide: another name of spread has its parameters, and no 'x'"),
        ("Tensor input, Int32", "Tensr input, Int32", "spread: unknown type 'Tensr'"),
        ("other: a second", "another: a second", "spread: args 'another': expected one of"),
    ],
)
def test_what_is_wrong_names_the_function(tmp_path: Path, old: str, new: str, text: str) -> None:
    with pytest.raises(SchemaError, match=text):
        scanned(tmp_path, SPREAD.replace(old, new))


def test_a_file_is_called_after_a_family(tmp_path: Path) -> None:
    assert family_of("scan_sort_scans", ["scan", "scan_sort"]) == "scan_sort" and family_of("scan", ["scan", "scan_sort"]) == "scan"
    with pytest.raises(SchemaError, match="^spread.py: a file of functions is called after a family, reduction, scan_sort"):
        scanned(tmp_path, SPREAD, "spread")


def test_every_parameter_of_a_function_is_described() -> None:
    project = Project.read(ROOT)
    functions = [entry for entry in project.entries if entry.is_function and entry.is_public]
    assert len(functions) > 250
    docstrings.check(project)
    one = functions[0]
    object.__setattr__(one.help, "args", ())
    with pytest.raises(SchemaError, match=f"{one.name}: help\\(\\) needs a text for the parameter"):
        docstrings.check(project)


def test_other_names_are_bound_to_the_same_functions() -> None:
    """Of some, not to all: `true_divide` has no rounding mode. In-place forms and methods are those of the name."""
    found = [entry for entry in Project.read(ROOT).entries if entry.like]
    assert len(found) > 30
    for entry in found:
        family = import_module(f"tritonflow._C.functional.{entry.family}")
        own, other = (getattr(family, f"_{name}_slow") for name in (entry.name, entry.like))
        assert set(own.functors) <= set(other.functors), entry.name
        assert all(callable(getattr(flow.Tensor, method)) for method in entry.methods), entry.name


def test_help_of_other_names_and_in_place_forms_follows() -> None:
    assert flow.arccos.__doc__.startswith("The arc cosine.\n\n    Another name of `acos`." if "\n    " in flow.acos.__doc__ else "The arc cosine.")
    text = " ".join(flow.Tensor.clamp_.__doc__.split())
    assert text.startswith("In place: the input within [min, max]") and "The result is written over `input`" in text
    assert "inplace:" not in text and "out:" not in text and "`input` is a leaf that requires grad" in text


def test_an_import_without_docstrings() -> None:
    program = "import tritonflow as flow; assert flow.arccos.__doc__ is flow.relu_.__doc__ is None"
    subprocess.run([sys.executable, "-OO", "-c", program], check=True)
