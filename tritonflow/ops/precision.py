"""The precision policy: how a GPU multiplies matrices of float32, and the filters of convolutions of float32.

- "ieee": multiply-adds of float32, by no matrix unit.
- "tf32x3": three products in TF32, of the first 11 bits of each operand and of the next 11: nearly as exact as float32.
- "tf32": one product in TF32, which has 11 bits of each operand.

The policy is one for the process. Other dtypes do not ask for it, nor do CPUs, whose products are those of "ieee".
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from tritonflow.dtypes import DType, float32
from tritonflow.kernels.facts import DeviceFacts
from tritonflow.settings import settings
from tritonflow.thread_state import thread_state

PRECISIONS = ("ieee", "tf32x3", "tf32")


class Policy(NamedTuple):
    """A precision for each kind of product.

    Attributes:
        matmul: of matrix products, attention included.
        conv: of convolutions and their gradients.
        medium: whether the matrix products' was set as "medium", which allows no more here than "high".
    """

    matmul: str
    conv: str
    medium: bool = False


policy_dependents: list[Callable[[], None]] = []  # called behind a change: plans of the old policy are forgotten
_policy = Policy(settings.matmul_precision, settings.conv_precision)
_lock = threading.Lock()


def policy() -> Policy:
    """The policy of the process, or the one that `fixed` gives this thread."""
    return thread_state.precision or _policy


def change(**values: str | bool) -> None:
    """Replace fields of the policy. Ops that are called from now on follow it, in every thread."""
    global _policy
    with _lock:
        before, _policy = _policy, _policy._replace(**values)  # type: ignore[arg-type]
        if before != _policy:
            for forget in policy_dependents:
                forget()


@contextmanager
def fixed(given: Policy) -> Iterator[None]:
    """A block in which this thread plans by the given policy, whatever others change: what is planned is found by it again."""
    before, thread_state.precision = thread_state.precision, given
    try:
        yield
    finally:
        thread_state.precision = before


def precision(facts: DeviceFacts, dtype: DType, kind: str) -> str:
    """How products of a dtype are computed on a device.

    Args:
        kind: "matmul" or "conv".
    """
    has = facts.architecture
    if dtype is not float32 or not has.tf32:
        return "ieee"
    wanted: str = getattr(policy(), kind)
    return "ieee" if wanted == "tf32x3" and has.tf32 < 3 * has.singles else wanted  # one in float32 takes less time


def product_dtype(facts: DeviceFacts, dtype: DType, kind: str) -> str:
    """What a configuration of kernels is asked for: "tf32x3" or "tf32" for float32 in that precision, else Triton's name."""
    wanted = precision(facts, dtype, kind)
    return dtype.triton if wanted == "ieee" else wanted
