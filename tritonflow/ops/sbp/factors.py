"""Factor strings: a rule as the dimensions of inputs and outputs, in the manner of einsum.

    m k, n k, +n? -> m n

Dimensions of one name are one factor. A factor that every rank has a piece of splits the tensors that have it; the others are
broadcast. An output without it is partial, as the product over m k, n k is a sum over pieces of k.

    ...       any number of dimensions, aligned from the right: each is a factor; an input of size 1 there is broadcast
    k!        may not be split
    k:max     what makes an output of pieces of k; a sum unless said. A maximum of no elements is none: no piece may be empty
    +n        an input that is added: a share of it where an output is partial
    n?        an input that may be absent
    | 0+2, 1  behind a bar: inputs, by position, in which the op is linear; those joined by + take partial sums together
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

from tritonflow.framework.sbp import Sbp, broadcast, partial, partial_sum, split
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.sbp.signature import Metas, Rule, SbpSignature

ELLIPSIS = "..."
_DIMENSION = re.compile(r"(?P<name>\.\.\.|[a-z]+)(?P<fixed>!?)(:(?P<op>sum|max|min))?")


class Operand(NamedTuple):
    """An input or output of a factor string.

    Attributes:
        dims: the names of its dimensions.
        added: whether it is added to what the others make.
    """

    dims: tuple[str, ...]
    added: bool

    def position(self, factor: str, ndim: int) -> int | None:
        """Which dimension of a tensor a factor is, None if it has none; those of "..." are called ...1, ...2 from the right."""
        names = list(self.dims)
        if ELLIPSIS in names:
            at = names.index(ELLIPSIS)
            names[at : at + 1] = [f"{ELLIPSIS}{k}" for k in range(ndim - len(names) + 1, 0, -1)]
        return names.index(factor) if factor in names else None

    def repeated(self, ndim: int) -> int:
        """How many dimensions "..." stands for in a tensor."""
        return ndim - len(self.dims) + 1 if ELLIPSIS in self.dims else 0


class Factors(NamedTuple):
    """A parsed factor string.

    Attributes:
        inputs, outputs: the operands.
        fixed: the factors that may not be split.
        combined: for a factor what makes one tensor of partial outputs, where it is no sum.
        linear: sets of inputs that take partial sums together.
    """

    inputs: tuple[Operand, ...]
    outputs: tuple[Operand, ...]
    fixed: frozenset[str]
    combined: dict[str, str]
    linear: tuple[frozenset[int], ...]


@cache
def parse(text: str) -> Factors:
    """The parts of a factor string.

    Raises:
        ValueError: says what is wrong.
    """
    dims, _, linear = text.partition("|")
    sides = dims.split("->")
    if len(sides) != 2:
        raise ValueError(f"factor string {text!r}: expected inputs -> outputs")
    fixed: set[str] = set()
    combined: dict[str, str] = {}
    inputs, outputs = [tuple([_operand(o, fixed, combined, text) for o in side.split(",")]) for side in sides]
    sets = [frozenset(map(int, each.split("+"))) for each in linear.split(",") if each.strip()]
    return Factors(inputs, outputs, frozenset(fixed), combined, tuple(sets))


def _operand(text: str, fixed: set[str], combined: dict[str, str], whole: str) -> Operand:
    words = text.strip().removesuffix("?").removeprefix("+").split()
    dims = []
    for word in words:
        found = _DIMENSION.fullmatch(word)
        if found is None:
            raise ValueError(f"factor string {whole!r}: {word!r} is no dimension")
        dims.append(found["name"])
        if found["fixed"]:
            fixed.add(found["name"])
        if found["op"]:
            combined[found["name"]] = found["op"]
    return Operand(tuple(dims), text.strip().startswith("+"))


@cache
def rule_of(text: str) -> Rule:
    """The rule that a factor string says."""
    factors = parse(text)

    def rule(op: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
        return signatures_of(factors, metas)

    return rule


def signatures_of(factors: Factors, metas: Metas) -> list[SbpSignature]:
    """A signature for every factor, and for every set of linear inputs."""
    found = [s for s in (_split(factors, metas, name) for name in _names(factors, metas)) if s is not None]
    return [*found, *linear(factors.linear, metas, len(factors.outputs))]


def linear(sets: Sequence[frozenset[int]], metas: Metas, outputs: int) -> list[SbpSignature]:
    """Partial sums of the inputs of each set give partial sums; integers wrap around, so only floating ones do."""
    found = []
    for chosen in sets:
        if all(m is None or m.dtype.is_floating_point for k, m in enumerate(metas) if k in chosen):
            inputs = [None if m is None else partial_sum if k in chosen else broadcast for k, m in enumerate(metas)]
            if partial_sum in inputs:
                found.append(SbpSignature(tuple(inputs), (partial_sum,) * outputs))
    return found


def _names(factors: Factors, metas: Metas) -> Iterator[str]:
    """The factors that may be split: those of "..." first, then as they are written."""
    repeated = max([o.repeated(m.ndim) for o, m in zip(factors.inputs, metas) if m is not None], default=0)
    if ELLIPSIS not in factors.fixed:
        yield from [f"{ELLIPSIS}{k}" for k in range(repeated, 0, -1)]
    written = dict.fromkeys(name for operand in factors.inputs for name in operand.dims)
    yield from [name for name in written if name != ELLIPSIS and name not in factors.fixed]


def _split(factors: Factors, metas: Metas, name: str) -> SbpSignature | None:
    """The signature that splits a factor; None where no input has it."""
    positions = [None if m is None else o.position(name, m.ndim) for o, m in zip(factors.inputs, metas)]
    sizes = [m.shape[p] for m, p in zip(metas, positions) if m is not None and p is not None]
    if not sizes:
        return None
    size = next((n for n in sizes if n != 1), 1)
    outputs = [_output(o, name, factors, metas) for o in factors.outputs]
    reduced = any(sbp.is_partial for sbp in outputs)
    inputs: list[Sbp | None] = []
    for operand, meta, position in zip(factors.inputs, metas, positions):
        if meta is None:
            inputs.append(None)
        elif position is not None:
            inputs.append(split(position) if meta.shape[position] == size else broadcast)
        else:
            inputs.append(partial_sum if operand.added and reduced else broadcast)
    extremum = any(sbp.op in ("max", "min") for sbp in outputs)
    return SbpSignature(tuple(inputs), tuple(outputs), full=extremum)


def _output(operand: Operand, name: str, factors: Factors, metas: Metas) -> Sbp:
    repeated = max([o.repeated(m.ndim) for o, m in zip(factors.inputs, metas) if m is not None], default=0)
    dims = len(operand.dims) - (ELLIPSIS in operand.dims) + (repeated if ELLIPSIS in operand.dims else 0)
    position = operand.position(name, dims)
    return partial(factors.combined.get(name, "sum")) if position is None else split(position)
