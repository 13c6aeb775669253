"""Every kernel, in every dtype, agrees with Triton's interpreter: integers, bools and uniform random numbers bit for bit.

The launches are those of the registry's ops with their samples, whose sizes are ragged and whose tensors have all
layouts, forward, backward and in place (`op_calls`); `twice` does them both ways and says what floating results may differ
by. The ordinary run takes an op of each family of kernels; `-m long` every op in a half of the dtypes; `-m hours` more samples of
each, and all of it as for CPUs with less than this one.
"""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch

import tritonflow as flow
from tests.kernels.op_calls import FAMILIES, calls_of, large_calls, more_calls, templates
from tests.kernels.twice import LONG_SUMS, Found, twice
from tests.op_samples import DTYPES, entries, tested_entries
from tests.ops.sides import twin
from tests.sampling import by_turn
from tritonflow.errors import TritonflowError
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion.group import FusedNode
from tritonflow.graph.passes import optimize

TARGETS = (
    pytest.param("host", marks=pytest.mark.long),
    *(pytest.param(target, marks=pytest.mark.hours) for target in ("avx2", "baseline")),
)
QUICK_DTYPES = (torch.float32, torch.bfloat16, torch.int64)
QUICK_RANDOM = (f"rand, {flow.bfloat16}", f"randn, {flow.float32}", f"dropout, {flow.float32}", "wide randint", "randperm")

# Kernels that no CPU launches; tests of their own interpret them.
FOR_GPUS = ("index_sorted.", "sort_keys.", "matmul_persistent.", "matmul_stream_k.", "cast_together.", "norm.gradients", "norm.finish_gradients",
            "scan_sort.merge_runs", "padded.padded_last")  # fmt: skip
# That take the interpreter minutes; for CPUs they are the kernels of smaller sizes.
MINUTES = ("long sum", "long argmax", "long lists of indices", "backward of an embedding")


def on_cpu(x: torch.Tensor) -> flow.Tensor:
    return flow.from_torch(twin(x))


def call_op(found: Found, name: str, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool, limit: int) -> None:
    """Call an op with its samples; what it refuses is the business of its own tests."""
    for call in calls_of(entries()[name], dtype, rng, thorough, limit, "cpu"):
        found.where = call.name
        try:
            call.run(on_cpu)
        except (TritonflowError, IndexError):
            continue


def check(found: Found) -> None:
    count = len(found.differences)
    assert not count, "\n".join([f"{count} pieces of memory of {found.launches} launches:", *found.differences[:10]])


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.sampled(most=8)
def test_an_op_of_each_family(name: str, rng: numpy.random.Generator) -> None:
    with twice() as found:
        for dtype in QUICK_DTYPES:
            call_op(found, name, dtype, rng, False, 1)
    assert found.launches
    check(found)


@pytest.mark.parametrize("name", QUICK_RANDOM)
def test_random_numbers(name: str) -> None:
    with twice() as found:
        more_calls("cpu", on_cpu)[name]()
    assert found.launches
    check(found)


@pytest.mark.parametrize("dtype", (flow.float32, flow.bfloat16), ids=str)
def test_random_numbers_in_fused_kernels(dtype: Any) -> None:
    """In flat, strided, row and product programs."""
    F = flow.nn.functional
    x, v, w = (flow.randn(*s, dtype=dtype) for s in ((6, 12), (12,), (20, 12)))

    def program(x: Any, v: Any, w: Any) -> Any:
        return [F.dropout(y, 0.5) for y in (x.abs(), x * v, flow.softmax(x, -1), F.linear(x, w, w[:, 0]))]

    with Capture() as capture:
        graph = optimize(capture.finish(list(program(*[capture.input(t.meta) for t in (x, v, w)]))))
    nodes = [node for node in graph.nodes if isinstance(node, FusedNode)]
    assert len(nodes) == 4
    inputs = [[_some(value.meta) for value in node.operands()] for node in nodes]
    with twice() as found:
        for node, tensors in zip(nodes, inputs):
            plan = node.plan().prepare(x.device)
            outputs = [flow.empty(m.shape, dtype=m.dtype) for m in plan.outputs]
            plan.run(*[t.ptr for t in (*tensors, *outputs)], *node.dynamic)
    assert found.launches == 4
    check(found)


def _some(meta: Any) -> Any:
    """A tensor of this meta, strides as well: a kernel reads all that they reach."""
    if meta.dtype is flow.int64:
        return flow.tensor([3, 2**32 - 2])
    size = 1 + sum((n - 1) * step for n, step in zip(meta.shape, meta.stride))
    return flow.randn(size, dtype=meta.dtype).as_strided(meta.shape, meta.stride)


@pytest.mark.long
@pytest.mark.parametrize("name", [entry.name for entry in tested_entries() if entry.ops])
def test_every_op(name: str, rng: numpy.random.Generator) -> None:
    """A few samples in float32, one in each of two other dtypes, for each op others. What is put together from ops is in hours."""
    with twice() as found:
        call_op(found, name, torch.float32, rng, True, 4)
        for dtype in by_turn(name, DTYPES[1:], 2):
            call_op(found, name, dtype, rng, True, 1)
    check(found)


@pytest.mark.hours
@pytest.mark.parametrize("target", ("host", "avx2", "baseline"))
@pytest.mark.parametrize("name", [entry.name for entry in tested_entries()])
def test_more_samples_of_every_op(name: str, target: str, rng: numpy.random.Generator) -> None:
    """A few in every dtype, more in float32, in every layout."""
    with twice(target) as found:
        for dtype in DTYPES:
            call_op(found, name, dtype, rng, True, 8 if dtype is torch.float32 else 3)
    check(found)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", more_calls("cpu", on_cpu))
def test_every_random_number_and_optimizer(name: str, target: str) -> None:
    with twice(target) as found:
        more_calls("cpu", on_cpu)[name]()
    check(found)


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", [name for name in large_calls("cpu", on_cpu) if name not in MINUTES])
def test_large_sizes(name: str, target: str) -> None:
    with twice(target) as found:
        found.sums = LONG_SUMS
        large_calls("cpu", on_cpu)[name]()
    check(found)


@pytest.mark.long
def test_no_kernel_is_forgotten() -> None:
    """Among what CPUs launch; the ordinary run looks at what GPUs do (test_compile_ops), which compiles nothing."""
    with twice(interpret=False) as found:
        for entry in tested_entries():
            for dtype in (torch.float32, torch.int64):
                call_op(found, entry.name, dtype, numpy.random.default_rng(0), False, 2)
        for call in (*more_calls("cpu", on_cpu).values(), *large_calls("cpu", on_cpu).values()):
            call()
    missing = sorted(name for name in set(templates()) - found.kernels if not name.startswith(FOR_GPUS))
    assert not missing, f"no call launches {missing}: add a sample to an op, or a call to op_calls"
