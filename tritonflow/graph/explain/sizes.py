"""What is known of a program for many sizes: which sizes differ and what was asked of them, and how many plans its steps have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tritonflow.framework.expression import Atom, position_of
from tritonflow.framework.size_guards import Condition, SizeGuard, narrowed
from tritonflow.framework.symbolic_int import MOST

Dimensions = Mapping[str, Sequence[tuple[int, int]]]


@dataclass(frozen=True)
class SizeRow:
    """A size.

    Attributes:
        name, where: what it is called in conditions, and where it stands in a call.
        low, high: the numbers that the program is right for, as far as comparisons with plain numbers say.
        asked: what must be so of it, and the line of the user's that asked.
        is_pinned: whether the number itself was asked for.
    """

    name: str
    where: str
    low: int
    high: int
    asked: list[tuple[str, str]]
    is_pinned: bool

    @property
    def range(self) -> str:
        """For people."""
        if self.low == self.high:
            return f"{self.low}"
        return f"{self.low}.." if self.high >= MOST else f"{self.low}..{self.high}"


@dataclass(frozen=True)
class StepRow:
    """A step of the program.

    Attributes:
        title, line: the ops in it, and the line that the last one comes from.
        served: of each of its plans, for how many sizes programs were made with it.
    """

    title: str
    line: str
    served: list[int]


@dataclass(frozen=True)
class SizeTables:
    """What is known of a program for many sizes.

    Attributes:
        sizes: that differ from call to call.
        graphs: how many there are behind the passes.
        steps: of all these graphs.
    """

    sizes: list[SizeRow]
    graphs: int
    steps: list[StepRow]

    def __str__(self) -> str:
        return "\n".join([*self._sizes(), *self._steps()])

    def _sizes(self) -> Iterator[str]:
        yield "sizes that are others in other calls:"
        for size in self.sizes:
            yield f"  {size.name:4} {size.range:>12}  {size.where}"
            for condition, line in size.asked:
                yield f"  {'':4} {'':>12}    {condition}  {line}".rstrip()

    def _steps(self) -> Iterator[str]:
        plans = sum(len(step.served) for step in self.steps)
        yield f"graphs behind the passes: {self.graphs}; steps: {len(self.steps)}; plans of them: {plans}"
        for step in self.steps:
            if len(step.served) > 1:
                yield f"  {step.title}: plans for {', '.join(map(str, step.served))} sizes  {step.line}".rstrip()


def size_rows(atoms: Iterable[Atom], asked: Sequence[Condition], dimensions: Dimensions) -> list[SizeRow]:
    """A row for each symbol.

    Args:
        atoms: the symbols.
        asked: what the capture has asked.
        dimensions: by the names of symbols, the positions of tensors and their dimensions that have such a size.
    """
    return [_row(atom, asked, dimensions) for atom in sorted(atoms, key=position_of)]


def _row(atom: Atom, asked: Sequence[Condition], dimensions: Dimensions) -> SizeRow:
    guards = [guard for guard in asked if isinstance(guard, SizeGuard) and atom in guard.left.symbols()]
    known = narrowed(atom, guards)
    where = ", ".join([f"dimension {dim} of tensor {k}" for k, dim in dimensions.get(atom.text, ())])
    conditions = [(f"{guard}, the number is needed" if guard.is_pin else f"{guard}", guard.line) for guard in guards]
    is_pinned = any(guard.is_pin for guard in guards)
    return SizeRow(atom.text, where or f"number {position_of(atom)} of the call", known.low, known.high, conditions, is_pinned)
