"""A program while it is drawn: it runs in torch statement by statement, so that the next one fits what is there.

`statement(weight)` registers what draws a statement: a function of the scene that returns its text, or a `Statement`, or None
where nothing fits. The files beside this one have them by family.
"""

from __future__ import annotations

import math
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import torch

from tests.fuzz.programs import Program, Statement

Drawn = str | Statement | None
DRAWERS: dict[str, dict[str, tuple[Callable[[Any], Drawn], int]]] = {}

# Few shapes: kernels differ by rank, not by size. (3, 4) and (4, 3) broadcast with (4,), (1, 4) and (3, 1).
SHAPES = ((3, 4), (3, 4), (4,), (3, 1), (1, 4), (), (3, 3), (2, 3, 4), (4, 3))
TOLERANCE = {torch.float64: 1e-9, torch.float32: 2e-5, torch.float16: 2e-2, torch.bfloat16: 1e-1}
LARGEST, ELEMENTS, ERRORS = 1e6, 200, 0.3
# Torch's errors where we may compute: kernels that it does not have, casts that it leaves to the caller, one of several views written.
_MORE_THAN_TORCH = re.compile("not implemented|not support|source and destination dtypes match|Output . of .* is a view")
# What rounds: the two sides may differ in the last digit behind it, also where torch's value is on the grid of exact ones.
_ROUNDS = re.compile(
    r"/|div|\*\*|pow|recip|mean|avg|std|var\b|norm|dist|soft|log|exp|sqrt|sin|cos|tan|sigm|gelu|silu|mish|(?<!r)elu|erf|lerp|loss|attention|interp"
    r"|pool|nn\.functional"
)
_WRITES = re.compile(r"\w_\(|\] *[-+*/%]*= |\w+ *[-+*/%]+= ")


def statement(family: str, weight: int = 1) -> Callable[[Callable[[Any], Drawn]], Callable[[Any], Drawn]]:
    """Register what draws a statement."""

    def register(draw: Callable[[Any], Drawn]) -> Callable[[Any], Drawn]:
        DRAWERS.setdefault(family, {}).setdefault(draw.__name__, (draw, weight))  # pytest imports a file once more, for its doctests
        return draw

    return register


class Scene:
    """What a program has so far.

    Attributes:
        rng: its random numbers.
        dtypes: of the floating tensors that it begins with.
        grad: whether gradients are wanted.
        rounded: variables that rounding may have touched, where tensors may be computed by shares; None where they are not.
    """

    def __init__(self, seed: int, families: dict[str, int], errors: float) -> None:
        self.rng = rng = random.Random(seed)
        self.seed, self.errors = seed, errors
        self.values: dict[str, Any] = {"lib": torch}
        self.statements: list[Statement] = []
        self.known: set[str] = set()  # variables that have torch's strides on both sides
        self.has_to_raise = False  # the statement drawn last, or the program ends before it
        self.views: set[str] = set()  # what is one of them, if the statement is taken
        self.rounded: set[str] = set()  # what rounding may have touched
        self.coarsest = 1e-9
        self.count = 0
        self.grad = rng.random() < 0.5
        kinds: list[tuple[str, ...]] = [("float64",)] * 6 + [("float32",)] * 2 + [("float16",), ("float64", "float32"), ("float32", "bfloat16")]
        self.dtypes = rng.choice(kinds)
        self.drawers = [(d, w * factor) for f, factor in families.items() for d, w in DRAWERS[f].values()]

    # ---- what there is

    def tensors(self, wanted: Callable[[torch.Tensor], Any] = lambda t: True) -> list[str]:
        """The names of the tensors for which `wanted` holds."""
        return [n for n, v in self.values.items() if isinstance(v, torch.Tensor) and wanted(v)]

    def pick(self, wanted: Callable[[torch.Tensor], Any] = lambda t: True) -> str:
        """The name of one of them, the later ones more often; raises LookupError if there is none."""
        names = self.tensors(wanted)
        if not names:
            raise LookupError
        return names[max(self.rng.randrange(len(names)), self.rng.randrange(len(names)))]

    def floating(self, wanted: Callable[[torch.Tensor], Any] = lambda t: True) -> str:
        return self.pick(lambda t: t.is_floating_point() and wanted(t))

    def __getitem__(self, name: str) -> torch.Tensor:
        return self.values[name]

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def dim(self, t: torch.Tensor, wrong: float = 0.02) -> int:
        """A dimension, seldom one that is none."""
        if self.rng.random() < wrong:
            return self.rng.choice((t.ndim, -t.ndim - 1))
        n = max(t.ndim, 1)
        return self.rng.randrange(-n, n)

    def is_exact(self, name: str) -> bool:
        """Whether rounding cannot have touched its values, so that they may decide what happens."""
        return name not in self.rounded and _is_on_grid(self[name])

    def is_away_from_zero(self, name: str) -> bool:
        """Whether one may divide by it: what a statement was refused for has other values than are known here."""
        if any(s.reference for s in self.statements):
            return False
        return bool((self[name].detach().double().abs() > 0.2).all())

    # ---- texts

    def number(self) -> str:
        return self.rng.choice(("2", "3", "-1", "0.5", "-1.5", "0.25", "1", "0", "True"))

    def literal(self, shape: tuple[int, ...], dtype: str, low: int = -12, high: int = 12, requires_grad: bool = False) -> str:
        """`lib.tensor(...)` of quarters, of whole numbers or of truth values."""

        def item() -> Any:
            k = self.rng.randint(low, high)
            return k % 2 == 0 if dtype == "bool" else k / 4 if "float" in dtype else abs(k) // 2 if dtype == "uint8" else k // 2

        def nested(sizes: tuple[int, ...]) -> Any:
            return [nested(sizes[1:]) for _ in range(sizes[0])] if sizes else item()

        grad = ", requires_grad=True" if requires_grad else ""
        return f"lib.tensor({nested(shape)}, dtype=lib.{dtype}{grad})"

    # ---- statements

    def begin(self) -> None:
        """Some inputs."""
        for k in range(self.rng.randint(2, 4)):
            dtype = self.dtypes[k % len(self.dtypes)] if k < 2 or self.rng.random() < 0.7 else self.rng.choice(("int64", "int64", "int32", "bool", "uint8"))
            grad = self.grad and "float" in dtype and self.rng.random() < 0.7
            name = f"x{k}"
            self.add(Statement(f"{name} = {self.literal(self.rng.choice(SHAPES), dtype, requires_grad=grad)}"))
            self.known.add(name)

    def step(self) -> bool:
        """Draw one statement; whether the program may go on."""
        draw = self.rng.choices([d for d, _ in self.drawers], [w for _, w in self.drawers])[0]
        try:
            drawn = draw(self)
        except LookupError:
            return True
        if drawn is None:
            return True
        return self.add(drawn if isinstance(drawn, Statement) else Statement(drawn))

    def add(self, drawn: Statement) -> bool:
        before, has_to_raise = dict(self.values), self.has_to_raise
        self.has_to_raise = False
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                exec(drawn.reference or drawn.text, self.values)
            except Exception as error:
                self.values = before
                if not _MORE_THAN_TORCH.search(str(error)) and self.rng.random() < self.errors and not drawn.may_refuse:
                    self.statements.append(drawn)
                return True
        if has_to_raise:
            return False
        made = [n for n, v in self.values.items() if v is not before.get(n)]
        try:
            fit = self._is_fit()
        except RuntimeError:  # torch refuses to look at one of several views after a write
            fit = False
        if not fit:
            self.values = before
            return bool(made) and "_(" not in drawn.text  # what was written stays written
        self.known = (self.known - set(made)) | (self.views & set(made))
        self._note_rounded(drawn.reference or drawn.text, made)
        self.statements.append(drawn)
        return True

    def _note_rounded(self, text: str, made: list[str]) -> None:
        """What is rounded once stays so, whatever torch has of it: of shares, x / x is not exactly 1, nor x - x exactly 0."""
        self.rounded.update(n for n in self.tensors() if not _is_on_grid(self[n]))
        self.rounded.update(f"{n}.grad" for n in self.tensors(lambda t: t.is_leaf and t.grad is not None) if not _is_on_grid(self[n].grad))
        words = set(re.findall(r"\w+", text))
        if _ROUNDS.search(text) or words & self.rounded or "grad" in text and self.rounded:
            written = {self[n].untyped_storage().data_ptr() for n in self.tensors() if n in words} if _WRITES.search(text) else set()
            self.rounded.update(n for n in self.tensors() if n in made or self[n].untyped_storage().data_ptr() in written)

    def _is_fit(self) -> bool:
        """Whether all values are finite and small enough to be compared."""
        for t in [self.values[n] for n in self.tensors()]:
            for x in (t, t.grad if t.is_leaf else None):
                if x is None or not x.numel():
                    continue
                if x.numel() > ELEMENTS or x.ndim > 4 or x.is_complex():
                    return False
                if x.is_floating_point():
                    self.coarsest = max(self.coarsest, TOLERANCE[x.dtype])
                    limit = LARGEST if self.coarsest < 1e-3 else 1e3
                    if not bool((x.detach().abs() < limit).all()):
                        return False
                elif x.dtype != torch.bool and not bool((x.detach().abs() < LARGEST).all()):
                    return False
        return True


def draw(seed: int, families: dict[str, int], length: int = 12, errors: float = ERRORS) -> Program:
    """The program of a seed; `errors` is how many of the statements that raise in torch are taken."""
    scene = Scene(seed, families, errors)
    scene.begin()
    for _ in range(scene.rng.randint(3, length)):
        if not scene.step():
            break
    return Program(seed, scene.statements, scene.coarsest)


def _is_on_grid(t: torch.Tensor) -> bool:
    t = t.detach().double()
    return bool(((t * 4096 == (t * 4096).round()) & (t.abs() < 2**16)).all())


def overlap(target: torch.Tensor, operand: torch.Tensor, elementwise: bool = True) -> bool:
    """Whether an operand has memory of the target, and it is not, where the op is `elementwise`, element by element the target's."""
    if target.untyped_storage().data_ptr() != operand.untyped_storage().data_ptr() or not target.numel() or not operand.numel():
        return False
    a, b = addresses(target), addresses(operand)
    same = target.dtype == operand.dtype and target.stride() == operand.stride()  # torch does not know the same elements by other strides
    if elementwise and same and a.shape == b.shape and torch.equal(a, b):
        return False
    wide = {int(x) + k for x in a.flatten() for k in range(target.element_size())}
    return any(int(x) + k in wide for x in b.flatten() for k in range(operand.element_size()))


def addresses(t: torch.Tensor) -> torch.Tensor:
    """The offset in bytes of each element."""
    count = 1 + sum((n - 1) * s for n, s in zip(t.shape, t.stride()))
    line = torch.arange(t.storage_offset(), t.storage_offset() + count)
    return line.as_strided(t.shape, t.stride()) * t.element_size()


def repeats(t: torch.Tensor) -> bool:
    """Whether several elements share memory."""
    return t.numel() > 0 and len(set(addresses(t).flatten().tolist())) < t.numel()


def broadcasts(a: torch.Size, b: torch.Size) -> bool:
    return all(m == n or 1 in (m, n) for m, n in zip(reversed(a), reversed(b)))


def fits_into(operand: torch.Size, target: torch.Size) -> bool:
    """Whether an operand broadcasts to the target's shape."""
    return len(operand) <= len(target) and all(m in (1, n) for m, n in zip(reversed(operand), reversed(target)))


def prod(shape: Any) -> int:
    return math.prod(shape)
