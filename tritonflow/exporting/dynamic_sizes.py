"""Whether a captured program is one for all sizes that were asked for; the error names the dim, and the line that fixes it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from tritonflow.errors import ExportError, TritonflowError
from tritonflow.exporting.dims import Asked, Dim, DimHint
from tritonflow.framework.size_guards import SizeGuard
from tritonflow.graph.capture.dimensions import Dimension

if TYPE_CHECKING:
    from tritonflow.graph.api.captured import Captured

Made = Callable[[dict[Dimension, int]], bool]
"""Whether there is a program, made of the captured one, for other sizes of some dimensions."""
_MOST = 1 << 20  # a size that has no end is tried up to here
_CLOSELY = 64  # so many sizes from the least on are tried one by one


class SizeGroup(NamedTuple):
    """Dimensions of tensors that have one size.

    Attributes:
        name: for people.
        said: the `Dim` or hint.
        dimensions: positions of tensors, and dimensions of these.
        size: in the example.
    """

    name: str
    said: Dim | DimHint
    dimensions: list[Dimension]
    size: int

    @property
    def low(self) -> int:
        """The least size that the program must be for: those of 0 and 1 have programs of their own."""
        return max(2, self.said.min)

    @property
    def high(self) -> int:
        """The largest size that is tried."""
        return min(self.said.max, _MOST)

    @property
    def may_be_fixed(self) -> bool:
        """Whether it is no error if the program is for one size."""
        return isinstance(self.said, DimHint) and self.said.kind == "AUTO"

    def sizes(self) -> Iterator[int]:
        """Sizes for which guards are evaluated."""
        yield from range(self.low, min(self.high, self.low + _CLOSELY) + 1)
        size = self.low + _CLOSELY
        while size < self.high:
            yield size
            size *= 2
        yield self.high

    def others(self) -> list[int]:
        """Two other sizes than that of the example, for which programs are made."""
        found = [n for n in (self.low, self.size + 1, self.size - 1) if self.low <= n <= self.high and n != self.size]
        return list(dict.fromkeys([*found[:1], min(2 * self.size + 1, self.high)])) if found else []


def groups_of(asked: Sequence[Asked], names: Sequence[str], shapes: Sequence[Sequence[int]]) -> list[SizeGroup]:
    """The sizes that differ. Dims of one name are one, and so are equal sizes that are `Dim.AUTO`.

    Raises:
        RuntimeError: one Dim has two sizes in the example.
    """
    found: dict[str, SizeGroup] = {}
    for position, own in enumerate(asked):
        for dim, said in own.items():
            size, text = shapes[position][dim], f"L['{names[position]}'].size()[{dim}]"
            if isinstance(said, Dim):
                key = name = said.__name__
            else:
                key, name = f"{said!r} of {size}" if said.kind == "AUTO" else text, text
            group = found.setdefault(key, SizeGroup(name, said, [], size))
            if (group.said.min, group.said.max) != (said.min, said.max):
                raise ExportError(f"export(): the Dim {name!r} is {group.said!r} and {said!r}")
            if group.size != size:
                raise ExportError(f"export(): the Dim {name!r} is {group.size} and {size} in the arguments")
            group.dimensions.append((position, dim))
    return list(found.values())


def first_violated(groups: Sequence[SizeGroup], captured: Captured, made: Made) -> tuple[SizeGroup, str] | None:
    """A group that the program is not for, and why; None if it is for all.

    Args:
        groups: the sizes that differ.
        captured: the program.
        made: says whether it is one for other sizes.
    """
    for group in groups:
        why = _fixed(group, captured) or _by_guards(group, groups, captured) or _by_trial(group, groups, made)
        if why:
            return group, why
    return None


def _fixed(group: SizeGroup, captured: Captured) -> str:
    """Why a size is a number in the program."""
    symbols = [] if captured.template is None else captured.template.dimensions.symbols
    mine = [symbol for symbol in symbols if not set(symbol.dimensions).isdisjoint(group.dimensions)]
    if group.size < 2 or not mine or {each for symbol in mine for each in symbol.dimensions} < set(group.dimensions):
        return _constant(group, [])
    return ""


def _constant(group: SizeGroup, lines: Sequence[str]) -> str:
    at = f" at {', '.join(dict.fromkeys(lines))}" if lines else ""
    return (
        f"You marked {group.name} as dynamic but your code specialized it to be a constant ({group.size}){at}: use Dim.STATIC or"
        " Dim.AUTO there"
    )


def _by_guards(group: SizeGroup, groups: Sequence[SizeGroup], captured: Captured) -> str:
    """Why what was asked of sizes while the program was captured has other answers for some."""
    template = captured.template
    assert template is not None
    symbols = template.dimensions.symbols
    first = len(captured.numbers) - len(symbols)
    own = [k for k, symbol in enumerate(symbols) if not set(symbol.dimensions).isdisjoint(group.dimensions)]
    names = {f"s{k}": g.name for k, s in enumerate(symbols) for g in groups if not set(g.dimensions).isdisjoint(s.dimensions)}
    asked = {f"s{k}" for k in own}
    for guard in template.guards:
        if not isinstance(guard, SizeGuard) or asked.isdisjoint(atom.text for atom in guard.left.symbols()):
            continue
        wrong = []
        for size in group.sizes():
            numbers = list(captured.numbers)
            for k in own:
                numbers[first + k] = size
            if not guard.holds(numbers):
                wrong.append(size)
        if guard.is_pin or len(wrong) >= len(set(group.sizes())) - 1 > 0:
            return _constant(group, [guard.line])
        if wrong:
            text = re.sub(r"\bs\d+\b", lambda found: names.get(found[0], found[0]), str(guard))
            return (
                f"Not all values of {group.name} in the specified range satisfy the generated guard {text} at {guard.line},"
                f" such as {wrong[0]}"
            )
    return ""


def _by_trial(group: SizeGroup, groups: Sequence[SizeGroup], made: Made) -> str:
    """Why ops make another program of other sizes."""
    for size in group.others():
        if _is_made(made, dict.fromkeys(group.dimensions, size)):
            continue
        for other in groups:
            both = dict.fromkeys([*group.dimensions, *other.dimensions], size)
            if other is not group and other.size == group.size and _is_made(made, both):
                return f"The values of {group.name} and {other.name} must always be equal"
        return _constant(group, [])
    return ""


def _is_made(made: Callable[[dict[Dimension, int]], bool], sizes: dict[Dimension, int]) -> bool:
    try:
        return made(sizes)
    except TritonflowError:  # an op that refuses such shapes
        return False

