"""What is done once in Triton's front end changes none of its results, and nothing of Triton outside of a compilation."""

from __future__ import annotations

import contextlib
import gc
import inspect
import threading
import time
import warnings
from typing import Any

import pytest
import triton
import triton.language as tl
from triton.compiler import code_generator
from triton.runtime.jit import JITFunction

from tritonflow import triton_compat
from tritonflow.kernels import elementwise
from tritonflow.kernels.functions import activation, error
from tritonflow.triton_compat import internals, repeated_work, ttir


@triton.jit
def _summed(x, out, n, BLOCK: tl.constexpr):
    """A loop whose state is carried, a branch, and twice the same callee."""
    total = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        at = start + tl.arange(0, BLOCK)
        value = tl.load(x + at, mask=at < n, other=0.0)
        if start > 0:
            total += activation.relu(value)
        else:
            total -= activation.relu(value)
    tl.store(out, tl.sum(total))


@triton.jit
def _wrong(x, BLOCK: tl.constexpr):
    tl.store(x + tl.arange(0, BLOCK), unknown_name)  # noqa: F821 (what the test is about)


def _pointwise(function: JITFunction) -> tuple[Any, ...]:
    signature: dict[str, Any] = {
        "xs": ("*fp32",),
        "outs": ("*fp32",),
        "n": "i32",
        **dict.fromkeys(("FN", "COMPUTE", "BLOCK", "CACHE"), "constexpr"),
    }
    return elementwise.flat, signature, {"FN": function, "COMPUTE": tl.float32, "BLOCK": 64, "CACHE": ""}


PROGRAMS = [
    _pointwise(error.erfinv),
    (_summed, {"x": "*fp32", "out": "*fp32", "n": "i32", "BLOCK": "constexpr"}, {"BLOCK": 32}),
    _pointwise(activation.relu),
]


def _texts() -> list[str]:
    return [triton_compat.lower_to_ttir(*program) for program in PROGRAMS]


def test_the_same_text_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    first, again = _texts(), _texts()

    def fresh(load_dialects: Any) -> Any:
        context = internals.ir.context()
        internals.ir.load_dialects(context)
        load_dialects(context)
        return context

    monkeypatch.setattr(ttir, "repeated_work_saved", contextlib.nullcontext)
    monkeypatch.setattr(ttir, "shared_context", fresh)
    assert first == again == _texts()


def test_changed_source_is_parsed_anew() -> None:
    before = repeated_work._parsed(_summed._src)
    assert repeated_work._parsed(_summed._src) is before
    assert repeated_work._parsed(_summed._src.replace("+=", "-=")) is not before


def test_triton_is_as_it_was_behind_a_compilation_and_an_error() -> None:
    parse = JITFunction.parse
    _texts()
    with pytest.raises(Exception, match="unknown_name"):
        triton_compat.lower_to_ttir(_wrong, {"x": "*fp32", "BLOCK": "constexpr"}, {"BLOCK": 32})
    assert code_generator.warnings is warnings and code_generator.inspect is inspect
    assert JITFunction.parse is parse is repeated_work._parse
    assert _texts() == _texts()


class _Yields:
    """Garbage in a circle, whose end lets other threads run: within the making of a tree, where the collector comes by."""

    def __init__(self) -> None:
        self.itself = self

    def __del__(self) -> None:
        time.sleep(0)


def test_threads_that_parse_at_a_time() -> None:
    """Without the lock CPython 3.11.7 raises "AST constructor recursion depth mismatch" within a second."""
    errors: list[BaseException] = []
    end = time.monotonic() + 1

    def parse(number: int) -> None:
        count = 0
        while time.monotonic() < end and not errors:
            _Yields()
            count += 1
            try:
                repeated_work._parsed("x = " + " + ".join(f"a{number}_{count}_{k} * b" for k in range(60)))
            except SystemError as error:
                errors.append(error)

    before = gc.get_threshold()
    gc.set_threshold(5)
    try:
        threads = [threading.Thread(target=parse, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        gc.set_threshold(*before)
        repeated_work._parsed.cache_clear()
    assert not errors
