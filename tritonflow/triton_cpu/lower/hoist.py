"""Values that a loop does not change, such as a row's offset or mean, are evaluated ahead of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from tritonflow.triton_cpu.ir import Value

from . import views
from .analysis import is_root
from .evaluate import LazyEvaluator
from .lanes import Index

# Evaluating these costs nothing.
_CHEAP = frozenset("tt.splat tt.make_range arith.constant tt.broadcast tt.expand_dims".split())


@contextmanager
def hoisting(
    lazy: LazyEvaluator, values: Iterable[Value], index: Index, varying: frozenset[int], width: int
) -> Iterator[None]:
    """Around a loop: values that do not depend on the `varying`
    dimensions are evaluated ahead of it.
    """
    outer = lazy.hoisted
    lazy.hoisted = dict(outer)
    identity: views.Symbolic = tuple(range(len(index)))
    seen: set[tuple[Value, views.Symbolic]] = set()
    try:
        with lazy.memo_scope():
            for value in values:
                _hoist(lazy, value, identity, index, varying, width, seen)
        yield
    finally:
        lazy.hoisted = outer


def _hoist(
    lazy: LazyEvaluator,
    value: Value,
    symbolic: views.Symbolic,
    index: Index,
    varying: frozenset[int],
    width: int,
    seen: set[tuple[Value, views.Symbolic]],
) -> None:
    known = lazy.values
    if (value, symbolic) in seen or not value.type.is_tensor or value in known.pending:
        return
    seen.add((value, symbolic))
    fixed = not any(s is None or s in varying for s in symbolic)
    op = value.op
    if fixed and (value in known.buffers or value in known.inductions or (op is not None and op.name not in _CHEAP)):
        at = views.concrete(symbolic, index)
        lazy.hoisted[value, at] = lazy.eval(value, at, width)
        return
    if value in known.buffers or value in known.inductions or op is None or is_root(op):
        return
    for operand in op.operands:
        _hoist(lazy, operand, views.operand_index(op, value, operand, symbolic), index, varying, width, seen)
