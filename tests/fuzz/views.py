"""Statements that make views."""

from __future__ import annotations

from tests.fuzz.programs import Statement
from tests.fuzz.scene import Drawn, Scene, prod, statement


def view(s: Scene, name: str, text: str) -> Statement:
    made = s.fresh()
    if name in s.known:
        s.views.add(made)
    return Statement(f"{made} = {name}{text}")


def a_slice(s: Scene, n: int) -> str:
    """A slice, sometimes empty, sometimes reaching out of the tensor."""
    start = s.rng.choice(("", "", "0", "1", "-2", "2"))
    stop = s.rng.choice(("", "", "", str(n), "-1", "2", "9"))
    step = s.rng.choice(("", "", "", ":1", ":2"))
    return f"{start}:{stop}{step}"


def basic_index(s: Scene, shape: tuple[int, ...]) -> str:
    """Integers, slices, None and an ellipsis."""
    items: list[str] = []
    for n in shape[: s.rng.randint(0, len(shape))]:
        items.append(a_slice(s, n) if s.rng.random() < 0.6 else str(s.rng.randrange(-n, n + (s.rng.random() < 0.03)) if n else 0))
    if s.rng.random() < 0.2:
        items.insert(s.rng.randint(0, len(items)), "None")
    if s.rng.random() < 0.2:
        items.append("...") if s.rng.random() < 0.7 or len(items) > 1 else items.insert(0, "...")
    return ", ".join(items) or "..."


@statement("views", 5)
def indexed(s: Scene) -> Drawn:
    x = s.pick()
    return view(s, x, f"[{basic_index(s, tuple(s[x].shape))}]")


@statement("views", 2)
def transposed(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 2)
    t = s[x]
    if t.ndim == 2 and s.rng.random() < 0.5:
        return view(s, x, s.rng.choice((".t()", ".T", ".mT")))
    if s.rng.random() < 0.5:
        return view(s, x, f".transpose({s.dim(t)}, {s.dim(t)})")
    order = list(range(t.ndim))
    s.rng.shuffle(order)
    return view(s, x, f".permute({', '.join(map(str, order))})")


@statement("views")
def moved(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    return view(s, x, f".{s.rng.choice(('movedim', 'swapaxes', 'swapdims'))}({s.dim(s[x])}, {s.dim(s[x])})")


@statement("views", 2)
def expanded(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim <= 2)
    shape = [n if n != 1 else s.rng.choice((1, 3, 4)) for n in s[x].shape]
    if s.rng.random() < 0.4:
        shape.insert(0, 2)
    if s.rng.random() < 0.2:
        shape[-1:] = [-1] if shape else []
    return view(s, x, f".expand({', '.join(map(str, shape)) or '()'})")


@statement("views", 2)
def squeezed(s: Scene) -> Drawn:
    x = s.pick()
    if s.rng.random() < 0.5:
        return view(s, x, f".unsqueeze({s.dim(s[x])})")
    return view(s, x, f".squeeze({s.dim(s[x]) if s.rng.random() < 0.7 else ''})")


@statement("views", 2)
def reshaped(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.numel() > 0)
    count = s[x].numel()
    shape = s.rng.choice([d for d in ((-1,), (count,), (1, -1), (-1, 1), (2, -1), (3, -1), (-1, 4), (2, 2, -1)) if count % abs(prod(d)) == 0])
    if x in s.known:
        return view(s, x, f".{s.rng.choice(('reshape', 'view'))}({', '.join(map(str, shape))})")
    return f"{s.fresh()} = {x}.reshape({', '.join(map(str, shape))}).clone()"


@statement("views")
def flattened(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    tail = "" if x in s.known else ".clone()"
    return view(s, x, f".flatten({s.rng.choice(('', '0, 1', '-2', '1'))}){tail}")


@statement("views", 2)
def diagonal(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 2)
    return view(s, x, f".diagonal({s.rng.choice(('', '1', '-1', '0, 0, 1', '0, -1, -2'))})")


@statement("views", 2)
def unfolded(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    dim = s.dim(s[x])
    return view(s, x, f".unfold({dim}, {s.rng.randint(1, 3)}, {s.rng.randint(1, 2)})")


@statement("views", 2)
def narrowed(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1)
    dim = s.dim(s[x], 0)
    n = s[x].shape[dim]
    if s.rng.random() < 0.5:
        return view(s, x, f".select({dim}, {s.rng.randint(-n, max(n - 1, 0))})")
    least = int(s[x].requires_grad and n > 0)  # torch's gradient of a write through an empty view has no history
    start = s.rng.randint(0, n - least)
    return view(s, x, f".narrow({dim}, {start}, {s.rng.randint(least, n - start)})")


@statement("views")
def split(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim >= 1 and t.numel() > 0)
    dim = s.dim(s[x], 0)
    a = s.fresh()
    if s.rng.random() < 0.4:
        return f"{a} = {x}.chunk(2, {dim})[-1]"
    return f"{a} = {x}.split({s.rng.randint(1, 2)}, {dim})[0]" if s.rng.random() < 0.6 else f"{a} = lib.unbind({x}, {dim})[0]"


@statement("views", 2)
def strided(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.numel() > 0)
    if x not in s.known:
        return None
    room = s[x].untyped_storage().nbytes() // s[x].element_size()
    for _ in range(10):
        shape = [s.rng.randint(1, 4) for _ in range(s.rng.randint(0, 3))]
        strides = [s.rng.randint(0, 4) for _ in shape]
        offset = s.rng.randrange(room)
        if offset + sum((n - 1) * k for n, k in zip(shape, strides)) < room:
            return view(s, x, f".as_strided({tuple(shape)}, {tuple(strides)}, {offset})")
    return None


@statement("views")
def detached(s: Scene) -> Drawn:
    x = s.pick()
    return view(s, x, s.rng.choice((".detach()", ".data", ".contiguous().clone()", f".view_as({x})")))


@statement("views")
def repeated(s: Scene) -> Drawn:
    x = s.pick(lambda t: t.ndim <= 2 and t.numel() <= 12)
    shape = [s.rng.randint(1, 2) for _ in range(max(s[x].ndim, 1))]
    return f"{s.fresh()} = {x}.{s.rng.choice(('repeat', 'tile'))}({', '.join(map(str, shape))})"
