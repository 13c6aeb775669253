"""Views that were made before: found by the tensor's meta, and by what the user gave.

A view is another meta and address over the same impl; nothing runs. Its meta, byte offset and normalised attributes follow from the
tensor's meta and the arguments alone. So they are found under the arguments as they were given, and nothing is checked, wrapped or
inferred again (docs/design/fast_path.md).
"""

from __future__ import annotations

from typing import Any

from tritonflow.execution.op_expr import OpExpr, plan_key
from tritonflow.framework.tensor import Tensor, make_tensor

Cuts = tuple[list[tuple[Any, ...]], int, tuple[int, ...]]
"""The views that split a tensor: the attributes of each, the dimension, their sizes in it."""

_FEW_PARTS = 64


def view1(op: OpExpr, x: Tensor, given: tuple[Any, ...]) -> Tensor | None:
    """A view by its attributes, or by what a user gave for them (`keep_view`). None where it is not cached."""
    try:
        meta, offset, attrs = op.plans[x.meta, given]
    except KeyError:
        return None
    impl = x.impl
    view = make_tensor(meta, impl, x.ptr + offset)
    view._view = (x, op, attrs, impl.version)
    return view


def keep_view(op: OpExpr, x: Tensor, given: tuple[Any, ...], attrs: tuple[Any, ...]) -> None:
    """Let `view1` find what it finds under `attrs` under what a user gave for them, too."""
    cleared = op.cleared
    plan = op.plans.get(plan_key((x.meta,), attrs))
    if plan is not None:
        op.keep(plan_key((x.meta,), given), plan, cleared)


def split1(op: OpExpr, x: Tensor, given: tuple[Any, ...]) -> tuple[tuple[Tensor, ...], int, tuple[int, ...]] | None:
    """The views of a split, its dimension and sizes; None where it is not cached."""
    try:
        plans, dim, sizes = op.plans[x.meta, given]
    except KeyError:
        return None
    impl, ptr = x.impl, x.ptr
    version = impl.version
    views = []
    for meta, offset, attrs in plans:
        view = make_tensor(meta, impl, ptr + offset)
        view._view = (x, op, attrs, version)
        views.append(view)
    return tuple(views), dim, sizes


def keep_split(op: OpExpr, x: Tensor, given: tuple[Any, ...], cuts: Cuts) -> None:
    """Let `split1` find a split of few parts, if `view1` finds each of its views."""
    cleared = op.cleared
    chunks, dim, sizes = cuts
    if len(chunks) <= _FEW_PARTS:
        plans = [op.plans.get(plan_key((x.meta,), attrs)) for attrs in chunks]
        if None not in plans:
            op.keep(plan_key((x.meta,), given), (plans, dim, sizes), cleared)
