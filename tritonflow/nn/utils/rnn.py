"""Sequences of several lengths in one tensor: padded, or packed without padding. Recurrent layers take both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from tritonflow import _C, dtypes
from tritonflow.binding.data_exchange import to_device_of, whole
from tritonflow.binding.new_tensors import tensor
from tritonflow.binding.target import beside
from tritonflow.dtypes import int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError, type_name
from tritonflow.framework.tensor import Tensor

if TYPE_CHECKING:
    from typing_extensions import Self

_UNSORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to"
    " pack_padded_sequence and/or pack_sequence to sidestep this requirement"
)


class _Fields(NamedTuple):
    """Those of a PackedSequence, by which it can be unpacked as a tuple."""

    data: Tensor
    batch_sizes: Tensor
    sorted_indices: Tensor | None
    unsorted_indices: Tensor | None


class PackedSequence(_Fields):
    """Sequences without padding: the first elements of all, then the second ones of those that have one, and so on, the longest
    sequence first. The functions of this module make them. A named tuple of its arguments.

    Args:
        data: the elements, `(elements, *)`.
        batch_sizes: how many sequences have a first element, a second one, and so on: a CPU tensor or a list.
        sorted_indices, unsorted_indices: the order of the sequences, longest first, in terms of the one that was given, and the
            other way round; None where they are the same.

    Raises:
        ValueError: batch_sizes is a tensor on another device.

    Source: torch.nn.utils.rnn.PackedSequence.

    Example:
        >>> import tritonflow as flow
        >>> packed = flow.nn.utils.rnn.pack_sequence([flow.tensor([1, 2, 3]), flow.tensor([4, 5])])
        >>> packed.data.tolist(), packed.batch_sizes.tolist()
        ([1, 4, 2, 5, 3], [2, 2, 1])
    """

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Tensor | None = None, unsorted_indices: Tensor | None = None
    ) -> Self:
        if batch_sizes is None:
            data, batch_sizes = data
        sizes = None
        if isinstance(batch_sizes, (list, tuple)):
            sizes = _numbers(batch_sizes)
            batch_sizes = _vector(sizes)
        if isinstance(batch_sizes, Tensor) and batch_sizes.device.type != "cpu":
            raise ArgumentValueError(f"PackedSequence: batch_sizes should always be on CPU, but it is on {batch_sizes.device}")
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        made = super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)
        if sizes is not None:
            made.sizes = sizes
        return made

    @cached_property
    def sizes(self) -> list[Any]:
        """`batch_sizes` on the host, where they are known while a graph is captured."""
        return _numbers(self.batch_sizes)

    @property
    def order(self) -> list[Any]:
        """`unsorted_indices` on the host. Where they lie on a GPU, and the sequences were not packed here, it is waited for."""
        if "_order" not in self.__dict__:  # `cached_property` would stand between the user's line and an error
            assert self.unsorted_indices is not None
            self._order = _numbers(whole(self.unsorted_indices))
        return self._order

    @property
    def is_cuda(self) -> Any:
        """Whether the elements are on a GPU."""
        return self.data.is_cuda

    def to(self, *args: Any, **kwargs: Any) -> Self:
        """With the elements as `Tensor.to` gives them, the orders on their device; this object itself where nothing changes."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        orders = [None if t is None else to_device_of(t, data) for t in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(data, self.sizes, *orders)

    def cpu(self, *args: Any, **kwargs: Any) -> Self:
        """`to("cpu")`."""
        return self.to(*args, **{"device": "cpu", **kwargs})

    def cuda(self, *args: Any, **kwargs: Any) -> Self:
        """`to("cuda")`."""
        return self.to(*args, **{"device": "cuda", **kwargs})

    def double(self) -> Self:
        """`to(flow.float64)`."""
        return self.to(dtype=dtypes.float64)

    def float(self) -> Self:
        """`to(flow.float32)`."""
        return self.to(dtype=dtypes.float32)

    def half(self) -> Self:
        """`to(flow.float16)`."""
        return self.to(dtype=dtypes.float16)

    def long(self) -> Self:
        """`to(flow.int64)`."""
        return self.to(dtype=dtypes.int64)

    def int(self) -> Self:
        """`to(flow.int32)`."""
        return self.to(dtype=dtypes.int32)

    def short(self) -> Self:
        """`to(flow.int16)`."""
        return self.to(dtype=dtypes.int16)

    def char(self) -> Self:
        """`to(flow.int8)`."""
        return self.to(dtype=dtypes.int8)

    def byte(self) -> Self:
        """`to(flow.uint8)`."""
        return self.to(dtype=dtypes.uint8)

    def pin_memory(self) -> Self:
        """With tensors in pinned memory."""
        orders = [None if t is None else t.pin_memory() for t in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(self.data.pin_memory(), self.sizes, *orders)

    def is_pinned(self) -> Any:
        """Whether the elements are in pinned memory."""
        return self.data.is_pinned()


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Take the padding out of a batch of sequences.

    Args:
        input: `(T, N, *)`, or `(N, T, *)` if batch_first.
        lengths: of the N sequences, from 1 to T, whole numbers; a tensor is read by the host.
        batch_first: which of the two.
        enforce_sorted: refuse lengths that increase; otherwise the sequences are sorted.

    Raises:
        RuntimeError: another number of lengths, lengths out of range, or not sorted; an input without elements.

    Source: torch.nn.utils.rnn.pack_padded_sequence.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
        >>> packed = pack_padded_sequence(flow.tensor([[1, 0], [2, 3]]), [1, 2], batch_first=True, enforce_sorted=False)
        >>> packed.data.tolist(), pad_packed_sequence(packed, batch_first=True)[0].tolist()
        ([2, 1, 3], [[1, 0], [2, 3]])
    """
    if not isinstance(input, Tensor):
        raise ArgumentTypeError(f"pack_padded_sequence(): argument 'input' must be Tensor, not {type_name(input)}")
    if input.ndim < 2:
        raise IndexError(f"pack_padded_sequence(): expected an input of at least 2 dimensions, but got {input.ndim}")
    times, batch = input.shape[batch_first], input.shape[not batch_first]
    counts = _lengths(lengths)
    _check_lengths(counts, times, batch, enforce_sorted)
    if input.numel() == 0:
        raise InvalidArgumentError("Cannot pack empty tensors.")
    order = sorted(range(batch), key=lambda b: -counts[b])
    sizes = [sum(count > t for count in counts) for t in range(max(counts))]
    steps = (batch, 1) if not batch_first else (1, times)
    positions = [t * steps[0] + b * steps[1] for t, size in enumerate(sizes) for b in order[:size]]
    data = input.reshape(times * batch, *input.shape[2:]).index_select(0, _vector(positions, input))
    if enforce_sorted:
        return PackedSequence(data, sizes)
    inverse = _inverse(order)
    packed = PackedSequence(data, sizes, _vector(order, input), _vector(inverse, input))
    packed._order = inverse
    return packed


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """The padded batch of a packed one, in the order in which the sequences were given, and their lengths.

    Args:
        sequence: the packed batch.
        batch_first: whether the result is `(N, T, *)` instead of `(T, N, *)`.
        padding_value: what stands behind the sequences.
        total_length: T, if not that of the longest sequence.

    Raises:
        ValueError: total_length is less than the longest sequence.

    Source: torch.nn.utils.rnn.pad_packed_sequence.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.utils.rnn import pack_sequence, pad_packed_sequence
        >>> padded, lengths = pad_packed_sequence(pack_sequence([flow.tensor([1, 2, 3]), flow.tensor([4, 5])]))
        >>> padded.tolist(), lengths.tolist()
        ([[1, 4], [2, 5], [3, 0]], [3, 2])
    """
    sizes = sequence.sizes
    if total_length is not None and total_length < len(sizes):
        raise ArgumentValueError(
            "Expected total_length to be at least the length of the longest sequence in input, but got"
            f" total_length={total_length} and max sequence length being {len(sizes)}"
        )
    begins = list(accumulate(sizes, initial=0))
    positions = [[begins[t] + b for t in range(len(sizes)) if b < sizes[t]] for b in range(sizes[0])]
    padded = _padded(sequence.data, positions, len(sizes), batch_first, padding_value)
    if total_length is not None and total_length > len(sizes):
        shape = list(padded.shape)
        shape[batch_first] = total_length - len(sizes)
        padded = _C.cat([padded, _C.full(shape, padding_value, dtype=padded.dtype, **beside(padded))], int(batch_first))
    lengths = [len(each) for each in positions]
    order = sequence.unsorted_indices
    if order is None:
        return padded, _vector(lengths)
    padded = padded.index_select(0 if batch_first else 1, order)
    if whole(order).device.type == "cpu":
        return padded, _vector(lengths).index_select(0, whole(order))
    return padded, _vector([lengths[number] for number in sequence.order])


def pad_sequence(
    sequences: Iterable[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """One tensor of several sequences, padded to the length of the longest.

    Args:
        sequences: N tensors `(length, *)`; the result has the dtype of the first one.
        batch_first: whether the result is `(N, T, *)` instead of `(T, N, *)`.
        padding_value: what stands behind the sequences, or in front of them.
        padding_side: 'right' or 'left'.

    Raises:
        RuntimeError: no sequences, sizes that do not fit, an unknown side.

    Source: torch.nn.utils.rnn.pad_sequence.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.rnn.pad_sequence([flow.tensor([1, 2, 3]), flow.tensor([4])], batch_first=True).tolist()
        [[1, 2, 3], [4, 0, 0]]
    """
    if not isinstance(sequences, Iterable):
        kind = type(sequences)
        raise InvalidArgumentError(f"pad_sequence: Expected iterable for input sequences, but got arg of type: {kind}")
    parts = list(sequences)
    if not parts:
        raise InvalidArgumentError("received an empty list of sequences")
    if padding_side not in ("left", "right"):
        raise InvalidArgumentError(f"Expected padding_side to be one of left or right, but got {padding_side}.")
    parts = [_like_first(part, parts[0], number) for number, part in enumerate(parts)]
    counts = [len(part) for part in parts]
    positions = [list(range(end - count, end)) for end, count in zip(accumulate(counts), counts)]
    return _padded(_C.cat(parts), positions, max(counts), batch_first, padding_value, padding_side == "left")


def _like_first(part: Tensor, first: Tensor, number: int) -> Tensor:
    """A sequence with the dtype and the sizes of elements that the first one has."""
    if not isinstance(part, Tensor):
        raise ArgumentTypeError(f"pad_sequence(): expected Tensor as element {number} in argument 0, but got {type_name(part)}")
    if part.ndim == 0:
        raise ShapeError(f"pad_sequence(): expected sequences of at least 1 dimension, but element {number} has none")
    sizes = first.shape[1:]
    if part.shape[1:] != sizes:
        if part.ndim != first.ndim or any(n not in (1, wanted) for n, wanted in zip(part.shape[1:], sizes)):
            raise ShapeError(
                f"pad_sequence(): expected sequences of elements of shape {list(sizes)}, that of the first, but element {number}"
                f" of the list has {list(part.shape[1:])}"
            )
        part = part.expand(len(part), *sizes)
    return part if part.dtype is first.dtype else part.to(first.dtype)


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded batch, views of it.

    Source: torch.nn.utils.rnn.unpad_sequence.

    Example:
        >>> import tritonflow as flow
        >>> [x.tolist() for x in flow.nn.utils.rnn.unpad_sequence(flow.tensor([[1, 2], [3, 0]]), [2, 1], batch_first=True)]
        [[1, 2], [3]]
    """
    each = padded_sequences.unbind(0 if batch_first else 1)
    return [sequence[: max(count, 0)] for sequence, count in zip(each, _numbers(lengths), strict=True)]


def pack_sequence(sequences: Iterable[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack several sequences: `pack_padded_sequence` of `pad_sequence`.

    Source: torch.nn.utils.rnn.pack_sequence.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.rnn.pack_sequence([flow.ones(3, 5), flow.ones(2, 5)]).data.shape
        tritonflow.Size([5, 5])
    """
    parts = list(sequences)
    return pack_padded_sequence(pad_sequence(parts), [len(part) for part in parts], enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """The sequences of a packed batch, in the order in which they were given.

    Source: torch.nn.utils.rnn.unpack_sequence.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.utils.rnn import pack_sequence, unpack_sequence
        >>> [x.tolist() for x in unpack_sequence(pack_sequence([flow.tensor([1, 2, 3]), flow.tensor([4, 5])]))]
        [[1, 2, 3], [4, 5]]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)


def _padded(
    data: Tensor, positions: list[list[int]], times: int, batch_first: bool, padding_value: float, left: bool = False
) -> Tensor:
    """The rows of `data` at the positions of each sequence, and a row of padding wherever a sequence is shorter than `times`."""
    if isinstance(padding_value, int):
        padding_value = float(padding_value)  # as in torch, where -1 is no number of uint8
    padding = _C.full((1, *data.shape[1:]), padding_value, dtype=data.dtype, **beside(data))
    missing = [[len(data)] * (times - len(own)) for own in positions]
    rows = [gap + own if left else own + gap for own, gap in zip(positions, missing)]
    rows = rows if batch_first else [list(column) for column in zip(*rows)]
    taken = _C.cat([data, padding]).index_select(0, _vector([position for row in rows for position in row], data))
    shape = (len(positions), times) if batch_first else (times, len(positions))
    return taken.reshape(*shape, *data.shape[1:])


def _check_lengths(counts: list[int], times: int, batch: int, enforce_sorted: bool) -> None:
    if len(counts) != batch:
        raise ShapeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={batch})")
    if min(counts, default=1) <= 0:
        raise InvalidArgumentError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if max(counts, default=0) > times:
        raise ShapeError(f"Expected lengths of at most {times}, that of the padded sequences, but got {max(counts)}")
    if enforce_sorted and counts != sorted(counts, reverse=True):
        raise InvalidArgumentError(_UNSORTED)


def _lengths(values: Any) -> list[int]:
    """Lengths for the host; floats that are whole are taken, as by torch."""
    ndim = values.ndim if isinstance(values, Tensor) else numpy.ndim(values) if isinstance(values, (int, numpy.ndarray)) else 1
    if ndim != 1:
        raise ShapeError(f"'lengths' argument should be a 1D CPU int64 tensor, but got {ndim}D lengths")
    found = values.tolist() if isinstance(values, Tensor) else values
    return _numbers([int(n) if isinstance(n, float) and n.is_integer() else n for n in found])


def _numbers(values: Tensor | Sequence[int]) -> list[int]:
    """A vector of ints for the host."""
    found = values.tolist() if isinstance(values, Tensor) else values
    try:
        return [index(value) for value in found]
    except TypeError:
        raise ArgumentTypeError(f"expected lengths, sizes and orders to be ints, not {found}") from None


def _vector(values: Sequence[int], like: Tensor | None = None) -> Tensor:
    """On the CPU, or where another tensor is."""
    where = {"device": "cpu"} if like is None else beside(like)
    return tensor(list(values), dtype=int64, **where)


def _inverse(order: list[int]) -> list[int]:
    return sorted(range(len(order)), key=order.__getitem__)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The permutation that undoes another one, a vector of integers; None of None.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.rnn.invert_permutation(flow.tensor([2, 0, 1]))
        tensor([1, 2, 0])
    """
    return None if permutation is None else _C.argsort(permutation)  # type: ignore[no-any-return]
