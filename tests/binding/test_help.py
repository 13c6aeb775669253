"""What help() and inspect.signature show of functions and Tensor methods; the examples in them run."""

from __future__ import annotations

import copy
import doctest
import inspect
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest
import torch

import tritonflow as flow
from tests.sampling import quick_by_turn
from tests.torch_release import is_newer
from tritonflow import _C
from tritonflow.binding.call_signature import LazySignature
from tritonflow.binding.python_signature import python_signatures
from tritonflow.binding.signature import SchemaError
from tritonflow.registry.emit import docstrings
from tritonflow.registry.project import Project
from tritonflow.registry.schema import parse_entry

ROOT = Path(__file__).resolve().parents[2]
PROJECT = Project.read(ROOT)
PUBLIC = [entry for entry in PROJECT.entries if entry.is_public]
PACKAGES = ("", "nn.functional", "linalg", "special", "fft")
SECTIONS = re.compile(r"^(Args|Shape|Dtypes|Returns|Raises|Example):\n((?:    .*\n?|\n)*)", re.MULTILINE)


INTEGERS = (flow.bool, flow.uint8, flow.int64)
DTYPES = (*INTEGERS, flow.float16, flow.float32, flow.complex64)
REFUSED = [  # what a page says of the operands, and which dtypes it refuses so
    ("Complex numbers are refused|(is|are) real,|(is|are) floating(?! or complex)", [flow.complex64]),
    ("(is|are) floating", INTEGERS),
    ("not bool|any dtype but bool|are uint8", [flow.bool]),
    ("integers or bool|are uint8", [flow.float16, flow.float32, flow.complex64]),
]


def package(name: str) -> Any:
    found = flow
    for part in filter(None, name.split(".")):
        found = getattr(found, part)
    return found


def functions(name: str) -> Iterator[tuple[str, FunctionType]]:
    """The functions that are names of a package for users."""
    for short in dir(package(name)):
        value = getattr(package(name), short)
        if isinstance(value, FunctionType) and not short.startswith("_"):
            yield f"{name}.{short}".removeprefix("."), value


def sections_of(function: Callable[..., Any]) -> dict[str, str]:
    """The sections of a help page by their titles."""
    return dict(SECTIONS.findall((inspect.getdoc(function) or "") + "\n"))


def methods_by_hand() -> dict[str, FunctionType]:
    """The methods of Tensor whose pages are not those of functions of the registry."""
    methods = {name: value for name, value in vars(flow.Tensor).items() if isinstance(value, FunctionType) and name[0] != "_"}
    generated = {id(function.__code__) for function in vars(_C).values() if isinstance(function, FunctionType)}
    return {name: method for name, method in methods.items() if id(method.__code__) not in generated}


def faults_of(function: Callable[..., Any]) -> list[str]:
    """What a help page lacks."""
    page = inspect.getdoc(function) or ""
    sections = sections_of(function)
    described = {n.strip(" *") for line in sections.get("Args", "").split("\n") for n in _names(line)}
    parameters = [p for p in inspect.signature(function).parameters.values() if p.name != "self" and p.name[0] != "_"]
    if {"args", "kwargs"} <= described:  # those of a function that is named
        described |= {p.name for p in parameters}
    wanted = {
        "a summary": re.match(r"\S.*[.)]$", page, re.MULTILINE),
        "a default that Python knows": not any("<required>" in repr(p.default) for p in parameters),
        "parameters of its own": not {"extra", "unknown"} & {p.name for p in parameters},
        "an example": ">>> " in page,
        **{f"the parameter {p.name!r}": p.name in described for p in parameters},
    }
    return [what for what, found in wanted.items() if not found]


def _names(line: str) -> list[str]:
    """The parameters that a line of Args describes: `low, high: the range`."""
    match = re.match(r"    ([\w*]+(?:, [\w*]+)*): ", line)
    return match[1].split(", ") if match else []


# ------------------------------------------------------------------------------------------------------------ the pages


def test_the_page_of_every_name_of_the_registry() -> None:
    faults = {}
    for entry in PUBLIC:
        function = getattr(_C, entry.name)
        sections = sections_of(function)
        missing = [title for title in ("Shape", "Raises", "Example") if title not in sections]
        if found := faults_of(function) + missing:
            faults[entry.name] = found
    assert len(PUBLIC) > 500
    assert not faults


def test_the_page_of_an_inplace_form_describes_its_parameters_and_names_the_other_form() -> None:
    forms = [f"{entry.name}_" for entry in PUBLIC if f"{entry.name}_" in entry.methods]
    faults = {name: faults_of(getattr(_C, name)) for name in forms}
    assert len(forms) > 100
    assert {name: found for name, found in faults.items() if found != ["an example"]} == {}
    assert all(f"See `flow.{name[:-1]}`." in _page(name) or "See `" in _page(name) for name in forms)


def _page(name: str) -> str:
    return " ".join((getattr(_C, name).__doc__ or "").split())


def test_the_pages_of_functions_that_are_written_by_hand() -> None:
    generated = {id(value) for value in vars(_C).values()}
    found = {name: f for package in PACKAGES for name, f in functions(package) if id(f) not in generated}
    faults = {name: faults_of(function) for name, function in found.items()}
    assert len(found) > 100
    assert {name: missing for name, missing in faults.items() if missing} == {}


def test_the_pages_of_methods_that_are_written_by_hand() -> None:
    faults = {}
    for name, method in methods_by_hand().items():
        first = next(iter(inspect.signature(method).parameters))
        expected = {f"the parameter {first!r}"} | ({"an example"} if (method.__doc__ or "").startswith("Refused") else set())
        faults[name] = set(faults_of(method)) - expected
    assert len(faults) > 80
    assert {name: missing for name, missing in faults.items() if missing} == {}


@pytest.mark.filterwarnings("ignore::UserWarning")  # of kl_div's mean
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_a_page_says_which_dtypes_a_pointwise_op_takes_and_gives(dtype: flow.dtype) -> None:
    """On the device meta, where an op costs no kernel."""
    wrong = []
    for entry in PUBLIC:
        required = [p for p in entry.signatures[0].parameters if p.required]
        if not entry.ops or any(op.kind != "pointwise" for op in entry.ops) or any(p.type.name != "Tensor" for p in required):
            continue
        said = " ".join(sections_of(getattr(_C, entry.name))["Dtypes"].split())
        refused = any(re.search(pattern, said) for pattern, kinds in REFUSED if dtype in kinds)
        try:
            found = getattr(_C, entry.name)(*[flow.ones(2, dtype=dtype, device="meta") for _ in required])
        except (NotImplementedError, RuntimeError) as error:  # what is refused for another reason stands under Raises
            if not refused and isinstance(error, NotImplementedError) and "bool operands" not in getattr(_C, entry.name).__doc__:
                wrong.append(f"{entry.name} refuses it: {said}")
            continue
        found = found[0] if isinstance(found, tuple) else found  # frexp
        if refused or found.dtype is not result_dtype(said, dtype):
            wrong.append(f"{entry.name} gives {found.dtype}: {said}")
    assert not wrong


def result_dtype(said: str, dtype: flow.dtype) -> flow.dtype:
    """The dtype of the result of operands of one dtype, by the words of a page."""
    if "is bool." in said:
        return flow.bool
    if dtype is flow.bool and "bool gives int64" in said:
        return flow.int64
    if dtype.is_complex and re.search("it is real|result is real", said):
        return flow.float32
    return flow.float32 if dtype in INTEGERS and "give the default dtype" in said else dtype


# Whose functions torch lacks: kernels for language models.
OTHERS = ("oneflow.", "liger_kernel.", "keras_hub.", "transformer_engine.", "transformers.", "trl.", "vllm.")


def test_a_source_is_a_function_of_torch_or_of_a_library_that_is_named() -> None:
    wrong = []
    for entry in PUBLIC:
        source = docstrings.source_of(entry)
        found: Any = torch
        for part in source.split(".")[1:]:
            found = getattr(found, part, None)
        if not source.startswith(OTHERS) and found is None and not is_newer(entry.name):
            wrong.append(source)
    assert not wrong


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"doc": ""}, "myop: help() needs a summary: the first line of 'doc'"),
        ({"signature": "Tensor (Tensor x, Float level) => MyOp"}, "myop: help() needs a text for the parameter 'level'"),
        ({"op": None}, "myop: help() needs shapes"),
        ({"example": ""}, "myop: help() needs an example"),
    ],
)
def test_an_entry_without_its_texts_is_refused(keys: dict[str, Any], message: str) -> None:
    op = {"inputs": ["x"], "pointwise": "exp(x)", "derivative": {"none": "a test"}}
    raw = {"name": "myop", "doc": "it", "signature": "Tensor (Tensor x) => MyOp", "op": op, "example": ">>> 1", **keys}
    entry = parse_entry({key: value for key, value in raw.items() if value is not None})

    class Only:
        entries = (entry,)

    with pytest.raises(SchemaError, match=re.escape(message)):
        docstrings.check(Only())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "keys",
    [{"args": {"y": "no parameter"}}, {"raises": "everything"}, {"example": "flow.exp(x)"}, {"shape": {"x": "any"}}],
    ids=str,
)
def test_a_text_of_the_wrong_form_is_refused(keys: dict[str, Any]) -> None:
    with pytest.raises(SchemaError, match="^myop: "):
        parse_entry({"name": "myop", "signature": "Tensor (Tensor x) => MyOp", **keys})


# -------------------------------------------------------------------------------------------------------- the signatures


@pytest.mark.parametrize(
    ("function", "text"),
    [
        (flow.softmax, "(x: Tensor, dim: int | None = None, dtype: DType | None = None, *, out: Tensor | None = None) -> Tensor"),
        (flow.Tensor.softmax, "(self, dim: int | None = None, dtype: DType | None = None) -> Tensor"),
        (flow.ones(2).softmax, "(dim: int | None = None, dtype: DType | None = None) -> Tensor"),
        (flow.Tensor.neg_, "(self) -> Tensor"),
        (
            flow.max,
            "(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None,"
            " out: Tensor | None = None) -> Tensor | return_types.max",
        ),
        (flow.Tensor.permute, "(self, *dims: int) -> Tensor"),
        (flow.Tensor.add_, "(self, other: Tensor | Scalar, *, alpha: Scalar = 1) -> Tensor"),
        (flow.einsum, "(equation: str | Sequence[Any], *operands: Tensor, out: Tensor | None = None) -> Tensor"),
    ],
)  # fmt: skip
def test_a_signature_is_python(function: Callable[..., Any], text: str) -> None:
    assert str(inspect.signature(function)) == text


def test_a_default_is_the_object_that_counts() -> None:
    parameters = inspect.signature(_C.layer_norm).parameters
    assert parameters["eps"].default == 1e-5 and parameters["weight"].default is None
    assert parameters["input"].default is inspect.Parameter.empty
    assert parameters["out"].kind is inspect.Parameter.KEYWORD_ONLY


def test_a_signature_admits_every_overload() -> None:
    """By keywords and by position, but for stars, which take positions only."""
    refused = []
    for entry in PUBLIC:
        signature = inspect.signature(getattr(_C, entry.name))
        if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in signature.parameters.values()):
            continue
        for overload in entry.signatures:
            form = python_signatures(entry.name, [overload], False)[0]
            required = [p for p in form.parameters if p.required]
            positions = [p.name for p in required if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
            keywords = {p.name: 0 for p in required if p.name not in positions}
            try:
                signature.bind(*positions, **keywords)
                signature.bind(**dict.fromkeys(positions, 0), **keywords)
            except TypeError as error:
                refused.append(f"{entry.name}{form}: {error}")
    assert not refused


def test_a_signature_is_made_when_it_is_read_and_copies_as_others_do() -> None:
    signature = LazySignature.of("f", ("Tensor (Tensor x, Int32 dim=0)",), False, False)
    with pytest.raises(AttributeError):
        object.__getattribute__(signature, "_parameters")
    assert list(signature.parameters) == ["x", "dim", "out"]
    assert signature == copy.copy(signature) == pickle.loads(pickle.dumps(signature))
    assert str(signature.replace(parameters=[])) == "() -> Tensor"


def test_a_method_runs_the_code_of_the_function() -> None:
    method: Any = flow.Tensor.relu
    assert method.__code__ is flow.relu.__code__ and method.__doc__ is flow.relu.__doc__
    assert method.__qualname__ == "Tensor.relu" and method.__module__ == flow.Tensor.__module__
    assert pickle.loads(pickle.dumps(method)) is method


# ----------------------------------------------------------------------------------------------------------- the examples

EXAMPLES = quick_by_turn([entry.name for entry in PUBLIC], (), 0, 15)
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def run_example(name: str, page: str) -> int:
    """How many lines an example has; all of them give what is written there."""
    printed: list[str] = []
    test = doctest.DocTestParser().get_doctest(page, {}, name, None, 0)
    result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=printed.append)
    assert not result.failed, "".join(printed)
    return result.attempted


@pytest.mark.cpu_only  # the examples print tensors, those of another device with its name
@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_runs(name: str) -> None:
    assert run_example(name, getattr(_C, name).__doc__) > 1


@pytest.mark.cpu_only
def test_the_examples_of_methods_that_are_written_by_hand_run() -> None:
    """Many are made by functions, where pytest does not find them."""
    assert sum(run_example(name, method.__doc__ or "") > 1 for name, method in methods_by_hand().items()) > 60
