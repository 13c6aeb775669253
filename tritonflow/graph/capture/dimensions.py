"""Which sizes of a call are symbols of a program for many sizes: of tensors, and ints among the arguments. All others are fixed.

The strides of a tensor without gaps follow from its sizes and from the order in which its dimensions lie in memory. Those of other
tensors, such as parts of larger ones, are numbers of their own: they are symbols where they differ.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from tritonflow.framework.marked_sizes import SizeMark
from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.size_context import SizeContext
from tritonflow.framework.symbolic_int import MOST

Dimension = tuple[int, int]  # the position of a tensor, and a dimension of it; behind its dimensions come their strides


class SizeSymbol(NamedTuple):
    """A size or a stride of tensors.

    Attributes:
        dimensions: which have it.
        low, high: its range.
    """

    dimensions: tuple[Dimension, ...]
    low: int = 1
    high: int = MOST


@dataclass(frozen=True)
class Dimensions:
    """The symbols of a program.

    Attributes:
        symbols: sizes of tensors.
        numbers: the positions of ints among a call's numbers.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.graph.capture.dimensions import varying
        >>> first, second = ([flow.ones(n, 8).meta, flow.ones(n).meta] for n in (4, 6))
        >>> dimensions = varying([(first, []), (second, [])])
        >>> dimensions.symbols[0].dimensions, dimensions.sizes(second)
        (((0, 0), (1, 0)), [6])
    """

    symbols: tuple[SizeSymbol, ...] = ()
    numbers: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.symbols or self.numbers)

    def sizes(self, metas: Sequence[TensorMeta]) -> list[int] | None:
        """The numbers of the symbols for tensors with these metas; None where one symbol would be two numbers, or out of range."""
        found: list[int] = []
        for dimensions, low, high in self.symbols:
            sizes = {_number(metas[position], dim) for position, dim in dimensions}
            if len(sizes) > 1 or not low <= min(sizes) <= high:
                return None
            found += sizes
        return found

    def symbolic(self, metas: Sequence[TensorMeta], context: SizeContext, first: int) -> list[TensorMeta]:
        """The metas with symbols, which are the numbers of a run from position `first` on."""
        symbols = {}
        for number, (dimensions, low, high) in enumerate(self.symbols):
            symbol = context.symbol(f"s{number}", first + number, low, high)
            symbols.update(dict.fromkeys(dimensions, symbol))
        return [_symbolic(position, meta, symbols) for position, meta in enumerate(metas)]

    def without(self, dimensions: Collection[Dimension], numbers: Collection[int]) -> Dimensions:
        """The same, where the sizes of some dimensions, and some ints, are numbers."""
        left = [s._replace(dimensions=tuple([each for each in s.dimensions if each not in dimensions])) for s in self.symbols]
        kept = [symbol for symbol in left if symbol.dimensions]
        return Dimensions(tuple(kept), tuple([number for number in self.numbers if number not in numbers]))

    def marked(self, metas: Sequence[TensorMeta], marks: Sequence[dict[int, SizeMark]]) -> Dimensions:
        """The same with what the user has said of dimensions of the tensors."""
        said = {(position, dim): mark for position, each in enumerate(marks) for dim, mark in each.items()}
        if not said:
            return self
        found = self.without(said, ())
        more = [
            SizeSymbol((dimension,), mark.low, mark.high)
            for dimension, mark in said.items()
            if mark.is_dynamic and metas[dimension[0]].is_local
        ]
        return replace(found, symbols=(*found.symbols, *more))

    def with_equal_sizes(self, metas: Sequence[TensorMeta], marks: Sequence[dict[int, SizeMark]]) -> Dimensions:
        """The same, where sizes of which the user has said nothing are one with a symbol that is equal to them."""
        taken = {dimension for symbol in self.symbols for dimension in symbol.dimensions}
        free = [
            (position, dim)
            for position, meta in enumerate(metas)
            for dim in range(meta.ndim if meta.is_local else 0)
            if (position, dim) not in taken and dim not in marks[position]
        ]
        symbols = list(self.symbols)
        for position, dim in free:
            size = metas[position].shape[dim]
            for k, symbol in enumerate(symbols):
                first, own = symbol.dimensions[0]
                if metas[first].shape[own] == size:
                    symbols[k] = symbol._replace(dimensions=(*symbol.dimensions, (position, dim)))
                    break
        return replace(self, symbols=tuple(symbols))

    def fixed(self, metas: Sequence[TensorMeta]) -> tuple[Any, ...]:
        """What two calls of one program have in common: the metas but for the sizes that are symbols."""
        free = {dimension for symbol in self.symbols for dimension in symbol.dimensions}
        return tuple([_fixed(meta, {dim for k, dim in free if k == position}) for position, meta in enumerate(metas)])


def _number(meta: TensorMeta, dim: int) -> int:
    """A size, or a stride."""
    return meta.shape[dim] if dim < meta.ndim else meta.stride[dim - meta.ndim]


def _symbolic(position: int, meta: TensorMeta, symbols: dict[Dimension, Any]) -> TensorMeta:
    numbers = [symbols.get((position, k), n) for k, n in enumerate((*meta.shape, *meta.stride))]
    if not any((position, k) in symbols for k in range(2 * meta.ndim)):
        return meta
    shape, stride, order = tuple(numbers[: meta.ndim]), tuple(numbers[meta.ndim :]), _order(meta)
    if order is not None:
        steps = dict(zip(order, contiguous_stride(tuple([shape[dim] for dim in order]))))
        stride = tuple([steps[dim] for dim in range(meta.ndim)])
    return TensorMeta.get(shape, stride, meta.dtype, meta.device, meta.aligned)


def _order(meta: TensorMeta) -> tuple[int, ...] | None:
    """The dimensions as they lie in memory, the outermost first; None if there are gaps between elements."""
    if meta.stride == contiguous_stride(meta.shape):
        return tuple(range(meta.ndim))
    order = tuple(sorted(range(meta.ndim), key=lambda dim: (-meta.stride[dim], -meta.shape[dim])))
    steps = contiguous_stride(tuple([meta.shape[dim] for dim in order]))
    return order if steps == tuple([meta.stride[dim] for dim in order]) else None


def _fixed(meta: TensorMeta, free: set[int]) -> Any:
    if not free:
        return meta
    order = _order(meta)
    numbers = meta.shape if order is not None else (*meta.shape, *meta.stride)
    return tuple([None if k in free else n for k, n in enumerate(numbers)]), order, meta.dtype, meta.device, meta.aligned


def kind_of(metas: Iterable[TensorMeta]) -> tuple[Any, ...]:
    """What calls have in common that may run one program for many sizes."""
    return tuple([_kind(meta) if meta.is_local else meta for meta in metas])


def _kind(meta: TensorMeta) -> tuple[Any, ...]:
    order = _order(meta)
    steps = () if order is not None else tuple([min(step, 2) for step in meta.stride])  # programs know those of 0 and 1
    return meta.ndim, meta.dtype, meta.device, meta.aligned, order, steps


def varying(calls: Sequence[tuple[Sequence[TensorMeta], Sequence[Any]]]) -> Dimensions:
    """The sizes and ints that differ between calls of one kind, of which the last is to be captured; all, if there is one call.

    Equal sizes of tensors are one symbol. A size of 0 or 1 stays a number: a program decides much by it.

    Args:
        calls: of each the metas of its tensors, and its numbers.
    """
    found: dict[tuple[int, ...], list[Dimension]] = {}
    steps: dict[tuple[int, ...], list[Dimension]] = {}
    for position, metas in enumerate(zip(*[metas for metas, _ in calls])):
        if metas[-1].is_local:
            for dim, sizes in enumerate(zip(*[meta.shape for meta in metas])):
                if sizes[-1] > 1 and _vary(sizes):
                    found.setdefault(sizes, []).append((position, dim))
            for dim, strides in enumerate(zip(*[meta.stride for meta in metas])) if _order(metas[-1]) is None else ():
                if strides[-1] > 1 and _vary(strides):
                    steps.setdefault(strides, []).append((position, metas[-1].ndim + dim))
    numbers = [k for k, values in enumerate(zip(*[numbers for _, numbers in calls])) if {*map(type, values)} == {int}]
    differing = [k for k in numbers if _vary([numbers[k] for _, numbers in calls])]
    symbols = [SizeSymbol(tuple(dimensions)) for dimensions in found.values()]
    symbols += [SizeSymbol(tuple(dimensions), low=2) for dimensions in steps.values()]
    return Dimensions(tuple(symbols), tuple(differing))


def _vary(values: Sequence[int]) -> bool:
    return len(values) == 1 or len(set(values)) > 1
