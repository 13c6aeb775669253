"""Every op of the registry against its reference: values, shapes, dtypes, errors, strides of views, in-place forms.

One test per op and dtype; its samples come from the seed that a failure prints. The ordinary run has a selection: float32 in
every memory layout, and two more dtypes in plain ones, for each op others. `-m long` has every sample in float32 and in one more dtype,
of entries that are put together from ops in one dtype; `-m hours` in all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.op_references import reference_of
from tests.op_samples import (
    DTYPES,
    Sample,
    entries,
    kind_of,
    reason_without,
    samples_of,
    tested_entries,
    thinned,
    tolerance_of,
)
from tests.ops.allowed import MISSING_DTYPES, MORE_DTYPES, MORE_THAN_TORCH
from tests.ops.sides import WIDER, attempt, compare, compare_with_exact, is_unsupported, narrowed, ours, twins, widened
from tests.poison import poisoned
from tests.sampling import by_turn
from tests.torch_release import is_newer, marks_of
from tritonflow import _C, dtypes
from tritonflow.device.torch_exchange import from_torch_dtype
from tritonflow.errors import TritonflowError

ORDINARY = (torch.bfloat16, torch.int64, torch.bool)  # beside float32, by turn
MINIMUM = 12
KEPT = 6  # how many samples of an entry with ops of its own the ordinary run keeps in float32
KEPT_OTHERWISE = 4


@pytest.fixture(autouse=True, scope="module")
def _poisoned() -> Iterator[None]:
    """An element that a kernel leaves unwritten is a wrong result here."""
    with poisoned():
        yield


def _cases() -> list[Any]:
    cases = []
    for entry in tested_entries():
        few = [torch.float32, *by_turn(entry.name, ORDINARY, 1 if entry.ops else 0)]
        many = [torch.float32, *by_turn(entry.name, DTYPES[1:], 1)] if entry.ops else by_turn(entry.name, DTYPES, 1)
        for dtype in DTYPES:
            name = f"{entry.name}-{str(dtype).removeprefix('torch.')}"
            marks = marks_of(entry.name)
            if dtype in few:
                cases.append(pytest.param(entry.name, dtype, False, id=name, marks=marks))
            when = pytest.mark.long if dtype in many else pytest.mark.hours
            cases.append(pytest.param(entry.name, dtype, True, id=f"{name}-all", marks=[when, *marks]))
    return cases


def selected(entry: Any, dtype: torch.dtype, rng: numpy.random.Generator) -> list[Sample]:
    """The samples of the ordinary run."""
    samples = list(samples_of(entry, dtype, rng, dtype == torch.float32))
    return thinned(samples, KEPT if entry.ops and dtype == torch.float32 else KEPT_OTHERWISE)


@pytest.mark.parametrize(("name", "dtype", "every"), _cases())
def test_op(name: str, dtype: torch.dtype, every: bool, rng: numpy.random.Generator) -> None:
    entry = entries()[name]
    failures = []
    for sample in samples_of(entry, dtype, rng) if every else selected(entry, dtype, rng):
        for check in (check_function, check_inplace):
            try:
                check(entry, sample, dtype)
            except AssertionError as error:
                failures.append(str(error))
    if failures:
        shown = "\n\n".join(failures[:6])
        pytest.fail(f"{len(failures)} checks of {name} failed:\n{shown}", pytrace=False)


def check_function(entry: Any, sample: Sample, dtype: torch.dtype) -> None:
    """The functional form."""
    function = getattr(_C, entry.name)
    run(entry, reference_of(entry), function, sample, dtype, f"{entry.name}{sample}")


def check_inplace(entry: Any, sample: Sample, dtype: torch.dtype) -> None:
    """The method with a trailing underscore: the result, that it is the tensor itself, and the memory around it."""
    method = next((m for m in entry.methods if m.endswith("_") and not m.startswith("_")), None)
    if method is None or not sample.args or not isinstance(sample.args[0], torch.Tensor):
        return
    if not hasattr(torch.Tensor, method):
        return
    context = f"x.{method}{sample}"
    if sample.label.startswith("expanded") and 0 in sample.args[0].stride():
        _, error = attempt(getattr(flow.Tensor, method), ours(sample.args), ours(sample.kwargs))
        assert error is not None, f"{context} wrote to elements that share memory"
        return  # torch refuses most of these, not all

    reference = reference_of(entry) if entry.reference.startswith("op_references.") else None

    def torch_method(x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        better = reference and reference(x.clone(), *args, **kwargs)
        result = getattr(x, method)(*args, **kwargs)
        assert result is x
        if better is not None:
            x.copy_(better)
        return result, whole(x)

    def our_method(x: Any, *args: Any, **kwargs: Any) -> Any:
        before = x._version
        result = getattr(x, method)(*args, **kwargs)
        assert result is x, f"{context} returned another tensor"
        assert x._version > before, f"{context} left the version counter as it was"
        return result, flow.from_torch(whole(flow.to_torch(x)))

    run(entry, torch_method, our_method, sample, dtype, context)


def whole(t: torch.Tensor) -> torch.Tensor:
    """The memory from a tensor's first to its last element, with what lies between them."""
    count = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
    return t.as_strided((count,), (1,)) if t.numel() else t.reshape(-1)


def sharing(results: Any, arguments: Any) -> list[list[str]]:
    """For each result, how it shares memory with each argument."""

    def relation(result: Any, argument: Any) -> str:
        if result is argument:
            return "is"
        return "shares" if result.numel() and argument.numel() and storage(result) == storage(argument) else ""

    return [[relation(r, a) for a in tensors_in(arguments)] for r in tensors_in(results)]


def storage(t: Any) -> int:
    """What tells the storages of two tensors apart."""
    return t.untyped_storage().data_ptr() if isinstance(t, torch.Tensor) else id(t.impl.block)


def tensors_in(value: Any) -> list[Any]:
    """The tensors of either side among nested arguments or results."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [t for v in value for t in tensors_in(v)]
    return [value] if isinstance(value, (torch.Tensor, flow.Tensor)) else []


def run(entry: Any, reference: Any, function: Any, sample: Sample, dtype: torch.dtype, context: str) -> None:
    """Call both and compare results, or errors."""
    theirs, given = (twins(sample.args), twins(sample.kwargs)), (ours(sample.args), ours(sample.kwargs))
    expected, torch_error = attempt(reference, *theirs)
    half = dtype in (torch.float16, torch.bfloat16)
    actual, error = attempt(function, *given)
    dtype_name = str(dtype).removeprefix("torch.")
    if torch_error is not None and is_unsupported(torch_error) and not half:
        if error is None:
            more = dtype_name in MORE_DTYPES.get(entry.name, ()) or (entry.name, sample.label) in MORE_THAN_TORCH
            assert more, f"{context}: torch has no kernel for it ({torch_error}); we return {actual!r}"
        else:
            clear = isinstance(error, (TritonflowError, IndexError, TypeError, ValueError))
            assert clear, f"{context}: torch has no kernel for it; we fail with {type(error).__name__}: {error}"
        return
    if torch_error is not None and is_unsupported(torch_error):
        if error is None:
            expected, torch_error = attempt(reference, widened(sample.args, dtype), widened(sample.kwargs, dtype))
            if torch_error is None:
                compare(actual, narrowed(expected, dtype), tolerance_of(entry), context)
        return
    if torch_error is not None:
        if error is None and (entry.name, sample.label) not in MORE_THAN_TORCH:
            raise AssertionError(f"{context}: torch raises {type(torch_error).__name__}: {torch_error}; we return {actual!r}")
        return
    if error is not None:
        lacking = isinstance(error, NotImplementedError) and dtype_name in MISSING_DTYPES.get(entry.name, ())
        if not lacking:
            raise AssertionError(f"{context}: {type(error).__name__}: {error}")
        return
    shared, expected_shared = sharing(actual, given), sharing(expected, theirs)
    if function is getattr(_C, entry.name):
        assert shared == expected_shared, f"{context}: memory shared with arguments {shared}, torch has {expected_shared}"
    op_class, exact, wide_error = tolerance_of(entry), None, None
    if dtype in WIDER and op_class != "exact":
        exact, wide_error = attempt(reference, widened(sample.args, dtype), widened(sample.kwargs, dtype))
    if exact is None or wide_error is not None:
        compare(actual, expected, op_class, context)
    else:
        compare_with_exact(actual, exact, expected, dtype, op_class, context)
    if isinstance(expected, torch.Tensor) and any(op.kind == "view" for op in entry.ops) and expected.numel():
        assert actual.stride() == expected.stride(), f"{context}: strides {actual.stride()}, torch has {expected.stride()}"


# ----------------------------------------------------------------------------------------- nothing goes untested


@pytest.mark.parametrize("name", [e.name for e in entries().values() if e.bind_python])
def test_entry_has_samples_or_a_reason(name: str) -> None:
    entry = entries()[name]
    assert bool(kind_of(entry)) != bool(reason_without(entry)), (
        f"{name}: name a generator under 'samples:' in op_registry.yaml (tests/op_samples has them), or give the reason why there"
        " is none and where the op is tested instead: 'samples: {none: <reason>}'"
    )


def test_references_exist() -> None:
    missing = [e.name for e in tested_entries() if reference_of(e) is None and not is_newer(e.name)]
    assert not missing, "give another 'reference:' in op_registry.yaml, if need be a function of tests/op_references.py"


@pytest.mark.parametrize("name", [e.name for e in tested_entries()])
def test_enough_samples(name: str) -> None:
    rng = numpy.random.default_rng(0)
    entry = entries()[name]
    count = sum(len(list(samples_of(entry, dtype, rng))) for dtype in (torch.float32, *ORDINARY))
    assert count >= MINIMUM, f"{name} has {count} samples"


@pytest.mark.parametrize("name", [e.name for e in tested_entries()])
def test_methods_exist(name: str) -> None:
    for method in entries()[name].methods:
        assert hasattr(flow.Tensor, method), method


def test_dtypes_are_covered() -> None:
    assert {from_torch_dtype(d) for d in DTYPES} == set(dtypes.ALL)
