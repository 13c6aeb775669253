"""Evaluation ahead of a loop of what does not change in it: a row's offset, its mean, its mask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from tritonflow.triton_cpu.ir import Value

from . import views
from .analysis import is_root

if TYPE_CHECKING:
    from .lowering import Index, Lowering

# Evaluated for nothing where they are.
_CHEAP = frozenset("tt.splat tt.make_range arith.constant tt.broadcast tt.expand_dims".split())


@contextmanager
def hoisting(
    low: Lowering, values: Iterable[Value], index: Index, varying: frozenset[int], width: int
) -> Iterator[None]:
    """Within the block, what does not depend on the `varying` dimensions of a root's index is not evaluated again."""
    before = low.hoisted
    low.hoisted = dict(before)
    identity: views.Symbolic = tuple(range(len(index)))
    seen: set[tuple[Value, views.Symbolic]] = set()
    low.memo = {}
    for value in values:
        _hoist(low, value, identity, index, varying, width, seen)
    low.memo = {}
    yield
    low.hoisted = before


def _hoist(
    low: Lowering,
    value: Value,
    symbolic: views.Symbolic,
    index: Index,
    varying: frozenset[int],
    width: int,
    seen: set[tuple[Value, views.Symbolic]],
) -> None:
    if (value, symbolic) in seen or not value.type.is_tensor or value in low.pending:
        return
    seen.add((value, symbolic))
    fixed = not any(s is None or s in varying for s in symbolic)
    op = value.op
    if fixed and (value in low.buffers or value in low.inductions or (op is not None and op.name not in _CHEAP)):
        at = views.concrete(symbolic, index)
        low.hoisted[value, at] = low.eval(value, at, width)
        return
    if value in low.buffers or value in low.inductions or op is None or is_root(op):
        return
    for operand in op.operands:
        _hoist(low, operand, views.operand_index(op, value, operand, symbolic), index, varying, width, seen)
