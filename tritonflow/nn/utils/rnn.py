"""Sequences of several lengths in one tensor: padded, or packed without padding. Recurrent layers take both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from operator import index
from typing import Any

from tritonflow import _C
from tritonflow.dtypes import int64
from tritonflow.errors import ArgumentTypeError, ArgumentValueError, InvalidArgumentError, ShapeError
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.data_exchange import tensor

_UNSORTED = (
    "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass `enforce_sorted=False` to"
    " pack_padded_sequence and/or pack_sequence to sidestep this requirement"
)


class PackedSequence:
    """Sequences without padding: the first elements of all, then the second ones of those that have one, and so on, the longest
    sequence first. The functions of this module make them.

    Args:
        data: the elements, `(elements, *)`.
        batch_sizes: how many sequences have a first element, a second one, and so on: a CPU tensor or a list.
        sorted_indices, unsorted_indices: the order of the sequences, longest first, in terms of the one that was given, and the
            other way round; None where they are the same.

    Source: torch.nn.utils.rnn.PackedSequence.

    Example:
        >>> import tritonflow as flow
        >>> packed = flow.nn.utils.rnn.pack_sequence([flow.tensor([1, 2, 3]), flow.tensor([4, 5])])
        >>> packed.data.tolist(), packed.batch_sizes.tolist()
        ([1, 4, 2, 5, 3], [2, 2, 1])
    """

    def __init__(
        self,
        data: Tensor,
        batch_sizes: Tensor | Sequence[int],
        sorted_indices: Tensor | None = None,
        unsorted_indices: Tensor | None = None,
    ) -> None:
        self.data = data
        self.sizes = _numbers(batch_sizes)  # on the host, so that they are known while a graph is captured
        self.sorted_indices = sorted_indices
        if unsorted_indices is None and sorted_indices is not None:
            unsorted_indices = _vector(_inverse(_numbers(sorted_indices)), sorted_indices.device)
        self.unsorted_indices = unsorted_indices

    @property
    def batch_sizes(self) -> Tensor:
        """How many sequences have a first element, a second one, and so on."""
        return _vector(self.sizes)

    @property
    def is_cuda(self) -> bool:
        """Whether the elements are on a GPU."""
        return bool(self.data.is_cuda)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """With the elements as `Tensor.to` gives them, the orders on their device; this object itself where nothing changes."""
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        orders = [None if t is None else t.to(data.device) for t in (self.sorted_indices, self.unsorted_indices)]
        return PackedSequence(data, self.sizes, *orders)

    def cpu(self) -> PackedSequence:
        """`to("cpu")`."""
        return self.to("cpu")

    def cuda(self) -> PackedSequence:
        """`to("cuda")`."""
        return self.to("cuda")

    def __repr__(self) -> str:
        orders = f"sorted_indices={self.sorted_indices}, unsorted_indices={self.unsorted_indices}"
        return f"PackedSequence(data={self.data}, batch_sizes={self.batch_sizes}, {orders})"


def pack_padded_sequence(
    input: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Take the padding out of a batch of sequences.

    Args:
        input: `(T, N, *)`, or `(N, T, *)` if batch_first.
        lengths: of the N sequences, from 1 to T; a tensor is read by the host.
        batch_first: which of the two.
        enforce_sorted: refuse lengths that increase; otherwise the sequences are sorted.

    Raises:
        RuntimeError: another number of lengths, lengths out of range, or not sorted.

    Source: torch.nn.utils.rnn.pack_padded_sequence.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence
        >>> packed = pack_padded_sequence(flow.tensor([[1, 0], [2, 3]]), [1, 2], batch_first=True, enforce_sorted=False)
        >>> packed.data.tolist(), pad_packed_sequence(packed, batch_first=True)[0].tolist()
        ([2, 1, 3], [[1, 0], [2, 3]])
    """
    times, batch = input.shape[batch_first], input.shape[not batch_first]
    counts = _numbers(lengths)
    _check_lengths(counts, times, batch, enforce_sorted)
    order = sorted(range(batch), key=lambda b: -counts[b])
    sizes = [sum(count > t for count in counts) for t in range(max(counts))]
    steps = (batch, 1) if not batch_first else (1, times)
    positions = [t * steps[0] + b * steps[1] for t, size in enumerate(sizes) for b in order[:size]]
    data = input.reshape(times * batch, *input.shape[2:]).index_select(0, _vector(positions, input.device))
    return PackedSequence(data, sizes, None if enforce_sorted else _vector(order, input.device))


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
    order = range(sizes[0]) if sequence.unsorted_indices is None else _numbers(sequence.unsorted_indices)
    positions = [[begins[t] + b for t in range(len(sizes)) if b < sizes[t]] for b in order]
    padded = _padded(sequence.data, positions, total_length or len(sizes), batch_first, padding_value)
    return padded, _vector([len(each) for each in positions])


def pad_sequence(
    sequences: Iterable[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """One tensor of several sequences, padded to the length of the longest.

    Args:
        sequences: N tensors `(length, *)`.
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
    counts = [len(part) for part in parts]
    positions = [list(range(end - count, end)) for end, count in zip(accumulate(counts), counts)]
    return _padded(_C.cat(parts), positions, max(counts), batch_first, padding_value, padding_side == "left")


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor | Sequence[int], batch_first: bool = False) -> list[Tensor]:
    """The sequences of a padded batch, views of it.

    Source: torch.nn.utils.rnn.unpad_sequence.

    Example:
        >>> import tritonflow as flow
        >>> [x.tolist() for x in flow.nn.utils.rnn.unpad_sequence(flow.tensor([[1, 2], [3, 0]]), [2, 1], batch_first=True)]
        [[1, 2], [3]]
    """
    each = padded_sequences.unbind(0 if batch_first else 1)
    return [sequence[:count] for sequence, count in zip(each, _numbers(lengths))]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Pack several sequences: `pack_padded_sequence` of `pad_sequence`.

    Source: torch.nn.utils.rnn.pack_sequence.

    Example:
        >>> import tritonflow as flow
        >>> flow.nn.utils.rnn.pack_sequence([flow.ones(3, 5), flow.ones(2, 5)]).data.shape
        tritonflow.Size([5, 5])
    """
    return pack_padded_sequence(pad_sequence(sequences), [len(s) for s in sequences], enforce_sorted=enforce_sorted)


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
    padding = _C.full((1, *data.shape[1:]), padding_value, dtype=data.dtype, device=data.device)
    missing = [[len(data)] * (times - len(own)) for own in positions]
    rows = [gap + own if left else own + gap for own, gap in zip(positions, missing)]
    rows = rows if batch_first else [list(column) for column in zip(*rows)]
    taken = _C.cat([data, padding]).index_select(0, _vector([position for row in rows for position in row], data.device))
    return taken.reshape(len(rows), len(rows[0]), *data.shape[1:])


def _check_lengths(counts: list[int], times: int, batch: int, enforce_sorted: bool) -> None:
    if len(counts) != batch:
        raise ShapeError(f"Expected `len(lengths)` to be equal to batch_size, but got {len(counts)} (batch_size={batch})")
    if min(counts) <= 0:
        raise InvalidArgumentError("Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0")
    if max(counts) > times:
        raise ShapeError(f"Expected lengths of at most {times}, that of the padded sequences, but got {max(counts)}")
    if enforce_sorted and counts != sorted(counts, reverse=True):
        raise InvalidArgumentError(_UNSORTED)


def _numbers(values: Tensor | Sequence[int]) -> list[int]:
    """A vector of ints for the host."""
    found = values.tolist() if isinstance(values, Tensor) else values
    try:
        return [index(value) for value in found]
    except TypeError:
        raise ArgumentTypeError(f"expected lengths, sizes and orders to be ints, not {found}") from None


def _vector(values: Sequence[int], device: Any = "cpu") -> Tensor:
    return tensor(list(values), dtype=int64, device=device)


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
