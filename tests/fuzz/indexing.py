"""Statements that read and write by tensors of indices and masks."""

from __future__ import annotations

from typing import Any

import torch

from tests.fuzz.programs import Statement
from tests.fuzz.scene import Drawn, Scene, fits_into, overlap, repeats, statement
from tests.fuzz.views import a_slice
from tests.fuzz.writes import guarded, write


def integers(s: Scene, n: int, shape: tuple[int, ...], distinct: bool = False, negative: bool = True, dtype: str | None = None) -> str:
    """A tensor of indices into a dimension of size n, as text; seldom with one that is too large."""
    count = 1
    for size in shape:
        count *= size
    if distinct:
        chosen = s.rng.sample(range(n), count)
    else:
        chosen = [s.rng.randrange(n) for _ in range(count)]
    if negative:
        chosen = [k - n if s.rng.random() < 0.2 else k for k in chosen]
    if s.rng.random() < 0.03 and chosen:
        chosen[s.rng.randrange(count)] = s.rng.choice((n, -n - 1))
    numbers = iter(chosen)

    def nested(sizes: tuple[int, ...]) -> Any:
        return [nested(sizes[1:]) for _ in range(sizes[0])] if sizes else next(numbers)

    return f"lib.tensor({nested(shape)}, dtype=lib.{dtype or s.rng.choice(('int64', 'int64', 'int32'))})"


def advanced_index(s: Scene, t: torch.Tensor, distinct: bool) -> str:
    """Index tensors, lists and masks among slices, integers and None; `distinct`: no element twice."""
    items, rest, shape, used = [], list(t.shape), None, False
    while rest and (s.rng.random() < 0.75 or not used):
        n = rest.pop(0)
        kind = s.rng.random()
        if kind < 0.15 and n:
            items.append(str(s.rng.randrange(-n, n)))
        elif kind < 0.4:
            items.append(a_slice(s, n))
        elif kind < 0.55:
            if used and distinct:
                items.append(":")
                continue
            dims = [n]
            if rest and s.rng.random() < 0.3:
                dims.append(rest.pop(0))
            items.append(s.literal(tuple(dims), "bool"))
            if used:
                return ", ".join(items[:-1]) + (",") if len(items) > 1 else items[0]
            used, shape = True, ()
        elif n:
            if shape is None:
                sizes = [(), (1,), (2,), (2,), (3,)] + ([] if distinct else [(2, 2), (0,), (2, 1)])
                shape = s.rng.choice([x for x in sizes if not distinct or all(k <= n for k in x)])
            sub = distinct and not used
            if distinct and used:
                items.append(":")
                continue
            text = integers(s, n, shape, distinct=sub)
            if len(shape) == 1 and s.rng.random() < 0.4:
                text = text[text.index("(") + 1 : text.rindex(", dtype")]
            items.append(text)
            used = True
        if s.rng.random() < 0.07:
            items.append("None")
    if s.rng.random() < 0.1:
        items.append("...")
    return ", ".join(items) or "..."


@statement("indexing", 5)
def read(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    return f"{s.fresh()} = {x}[{advanced_index(s, s[x], False)}]"


@statement("indexing", 6)
def assigned(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1 and not repeats(t))
    index = advanced_index(s, s[x], True)
    try:
        part = eval(f"x[{index}]", {"x": s[x].detach(), "lib": torch})
    except Exception:
        return Statement(f"{x}[{index}] = {s.number()}")
    op = s.rng.choice(("=", "=", "=", "+=", "*="))
    if s.rng.random() < 0.35:
        return guarded(s, x, Statement(f"{x}[{index}] {op} {s.number()}"))
    if s.rng.random() < 0.3 and "float" in str(s[x].dtype):
        shape = tuple(part.shape)[s.rng.randint(0, part.ndim) :]
        return guarded(s, x, Statement(f"{x}[{index}] {op} {s.literal(shape, str(s[x].dtype)[6:])}"))
    y = s.pick(lambda t: fits_into(t.shape, part.shape) or s.rng.random() < 0.02)
    if s[y].requires_grad and not part.is_floating_point():
        return None  # torch takes the integers for tensors with a gradient from then on
    if y != x and not overlap(s[x], s[y], elementwise=False):  # torch refuses itself even where it has no elements
        return guarded(s, x, Statement(f"{x}[{index}] {op} {y}"))
    return guarded(s, x, Statement(f"{x}[{index}] {op} {y}", f"{x}[{index}] {op} {y}.clone()", may_refuse=True))


@statement("indexing")
def permuted(s: Scene) -> Drawn:
    """`x[p] = x`, of all rows."""
    x = s.pick(lambda t: t.ndim >= 1 and not repeats(t) and t.shape[0] > 1)
    n = s[x].shape[0]
    index = f"lib.tensor({s.rng.sample(range(n), n)})"
    return guarded(s, x, Statement(f"{x}[{index}] = {x}", f"{x}[{index}] = {x}.clone()", may_refuse=True))


def along(s: Scene, x: str, source: str | None, distinct: bool) -> tuple[int, str, tuple[int, ...]]:
    """A dimension, and a tensor of indices along it that fits gather and scatter."""
    t = s[x]
    dim = s.dim(t, 0)
    limits = [min(a, b) for a, b in zip(t.shape, s[source].shape)] if source else list(t.shape)
    count = s[source].shape[dim] if source and t.ndim else t.shape[dim] if t.ndim else 1
    shape = [s.rng.randint(1, n) if n else 0 for n in limits]
    if t.ndim:
        shape[dim] = min(s.rng.randint(1, 3), count) if count else 0
    if not distinct or not t.ndim:
        return dim, integers(s, t.shape[dim] if t.ndim else 1, tuple(shape), negative=False, dtype="int64"), tuple(shape)
    shape[dim] = min(shape[dim], t.shape[dim])
    line = torch.tensor(s.rng.sample(range(t.shape[dim]), shape[dim]))
    view = [1] * t.ndim
    view[dim] = -1
    return dim, f"lib.tensor({line.view(view).expand(shape).tolist()})", tuple(shape)


@statement("indexing", 2)
def gathered(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.numel() > 0)
    dim, index, _ = along(s, x, None, False)
    return f"{s.fresh()} = {x}.gather({dim}, {index})"


@statement("indexing", 3)
def scattered(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.numel() > 0)
    t = s[x]
    source = s.pick(lambda y: y.ndim == t.ndim and y.dtype == t.dtype and y.numel() > 0)
    op = s.rng.choice(("scatter_", "scatter_add_", "scatter_add_", "scatter", "scatter_add"))
    dim, index, _ = along(s, x, source, "add" not in op)
    if not op.endswith("_"):
        return f"{s.fresh()} = {x}.{op}({dim}, {index}, {source})"
    if op == "scatter_" and s.rng.random() < 0.3:
        return guarded(s, x, write(s, x, [], f"{x}.scatter_({dim}, {index}, {s.number()})"))
    return guarded(s, x, write(s, x, [source], f"{x}.{op}({dim}, {index}, {{0}})", elementwise=False))


@statement("indexing", 3)
def index_add(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1 and t.numel() > 0)
    t = s[x]
    dim = s.dim(t, 0)
    near = s.tensors(lambda y: y.ndim == t.ndim and y.ndim > 0 and all(a == b or k == dim % t.ndim for k, (a, b) in enumerate(zip(y.shape, t.shape))))
    source = s.rng.choice(near) if near and s.rng.random() < 0.9 else s.pick()
    count = s[source].shape[dim] if s[source].ndim == t.ndim else s.rng.randint(1, 3)
    index = integers(s, t.shape[dim], (count,), negative=s.rng.random() < 0.05)
    alpha = s.rng.choice(("", "", ", alpha=2"))
    if s.rng.random() < 0.3:
        return f"{s.fresh()} = {x}.index_add({dim}, {index}, {source}{alpha})"
    return guarded(s, x, write(s, x, [source], f"{x}.index_add_({dim}, {index}, {{0}}{alpha})", elementwise=False))


@statement("indexing", 2)
def selected(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1 and t.numel() > 0)
    dim = s.dim(s[x], 0)
    return f"{s.fresh()} = {x}.index_select({dim}, {integers(s, s[x].shape[dim], (s.rng.randint(0, 4),), negative=False)})"


@statement("indexing", 2)
def masked(s: Scene) -> Drawn:
    x = s.pick()
    mask = s.literal(tuple(s[x].shape)[s.rng.randint(0, s[x].ndim) :], "bool")
    if s.rng.random() < 0.5:
        return f"{s.fresh()} = {x}.masked_fill({mask}, {s.number()})"
    y = s.fresh()  # torch saves x, of which the derivative needs no element
    return Statement(f"{y} = {x}.masked_select({mask})", f"{y} = {x}.clone().masked_select({mask})")


@statement("indexing")
def found(s: Scene) -> Drawn:
    x = s.pick()
    return f"{s.fresh()} = {s.rng.choice(('lib.nonzero({0})', '{0}.argwhere()')).format(x)}" if s.is_exact(x) else None
