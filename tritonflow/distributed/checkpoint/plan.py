"""The plan of a save: which rank writes which box of which tensor. Every rank computes the same plan from metas; nothing is asked.

    weight (10, 4), S(0) over ranks 0 to 3    boxes of 3, 3, 2 and 2 rows, each written by the one rank that has it
    weight, B over ranks 0 to 3               one box, written by whoever has least to write so far
    a local tensor                            one box, written by the lowest of the ranks that save the name

Only where ranks save different names, as the stages of a pipeline do, they tell each other what they have.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

from tritonflow.boxing.pieces import Layout, box_numel
from tritonflow.dtypes import from_name
from tritonflow.errors import CheckpointFolderError
from tritonflow.framework.meta import numel_of
from tritonflow.framework.shards import Box, Shape
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.rank_metas import ask_all
from tritonflow.wire.record import Ranks

T = TypeVar("T")


class SavedTensor(NamedTuple):
    """A tensor of a state, as all ranks that have it know it.

    Attributes:
        name: its path in the state, joined by dots.
        shape: of the whole tensor.
        dtype: its name.
        layout: how it lies over ranks; None of a local tensor.
    """

    name: str
    shape: Shape
    dtype: str
    layout: Layout | None

    @staticmethod
    def of(name: str, x: Tensor) -> SavedTensor:
        """What there is to know of a tensor.

        Raises:
            CheckpointFolderError: it has no elements of its own to be saved.
        """
        meta: Any = x.meta
        if x.is_meta or x.is_lazy:
            raise CheckpointFolderError(f"{name!r} is on the meta device or not computed yet: it has no data")
        if meta.is_local:
            return SavedTensor(name, tuple(meta.shape), meta.dtype.name, None)
        if any(one.is_partial for one in meta.sbp):
            raise CheckpointFolderError(
                f"{name!r} is partial over {meta.placement}: no rank has its elements. help: to_global(sbp=flow.sbp.broadcast)"
            )
        return SavedTensor(name, tuple(meta.shape), meta.dtype.name, Layout(tuple(meta.shape), meta.placement, tuple(meta.sbp)))

    def nbytes(self, box: Box) -> int:
        """The size of a box."""
        return box_numel(box) * from_name(self.dtype).itemsize


class SavedBox(NamedTuple):
    """A box of a tensor, and the rank that writes it. A rank writes at most one box of a tensor."""

    name: str
    box: Box
    rank: int


def deal(holders: Mapping[SavedTensor, Ranks]) -> list[SavedBox]:
    """All boxes, dealt to ranks that hold them: the largest first, each to the one that has least to write so far.

    Args:
        holders: the ranks that have each tensor among their states.

    Example:
        >>> deal({SavedTensor("step", (), "float32", None): (0, 1)})
        [SavedBox(name='step', box=(), rank=0)]
    """
    bytes_of: dict[int, int] = defaultdict(int)
    boxes = [
        (tensor.nbytes(box), tensor.name, box, held) for tensor, ranks in holders.items() for box, held in _boxes(tensor, ranks)
    ]
    dealt = []
    for nbytes, name, box, held in sorted(boxes, key=lambda each: (-each[0], each[1], each[2])):
        rank = min(held, key=lambda one: (bytes_of[one], one))
        bytes_of[rank] += nbytes
        dealt.append(SavedBox(name, box, rank))
    return sorted(dealt)


def _boxes(tensor: SavedTensor, ranks: Ranks) -> Iterable[tuple[Box, Ranks]]:
    """The distinct boxes of a tensor that have elements, and who holds each. A tensor without elements is one box."""
    whole = tuple([(0, n) for n in tensor.shape])
    if tensor.layout is None:
        return [(whole, (min(ranks),))]
    if not numel_of(tensor.shape):
        return [(whole, (min(tensor.layout.placement.order),))]
    return _held(tensor.layout)


@lru_cache(maxsize=4096)
def _held(layout: Layout) -> tuple[tuple[Box, Ranks], ...]:
    found: dict[Box, list[int]] = defaultdict(list)
    for rank, holding in layout.holdings().items():
        if box_numel(holding.box):
            found[holding.box].append(rank)
    return tuple([(box, tuple(held)) for box, held in found.items()])


def holders_of(lists: list[list[SavedTensor]]) -> dict[SavedTensor, Ranks]:
    """The ranks that have each tensor, given what each of them saves.

    Raises:
        CheckpointFolderError: two ranks have different tensors of one name.
    """
    found: dict[SavedTensor, list[int]] = defaultdict(list)
    first: dict[str, tuple[int, SavedTensor]] = {}
    different = []
    for rank, tensors in enumerate(lists):
        for tensor in tensors:
            at, other = first.setdefault(tensor.name, (rank, tensor))
            if other != tensor:
                different.append(f"{tensor.name!r} is {_text(other)} on rank {at} and {_text(tensor)} on rank {rank}")
            found[tensor].append(rank)
    if different:
        raise CheckpointFolderError(
            "\n  ".join(["tensors differ between ranks; help: names of their own for what each rank has for itself", *different])
        )
    return {tensor: tuple(ranks) for tensor, ranks in found.items()}


def _text(tensor: SavedTensor) -> str:
    return f"{tensor.dtype}{list(tensor.shape)}, {'local' if tensor.layout is None else tensor.layout}"


def agreed(call: Callable[[], T], what: str) -> list[T]:
    """What a call gives on every rank of the world, all of which call this. Where it fails on some, all raise.

    Raises:
        CheckpointFolderError: what the call raised here or on other ranks, whose numbers it says.
    """
    failure: Exception | None = None
    told: tuple[bool, Any]
    try:
        told = True, call()
    except Exception as error:
        text = str(error) if isinstance(error, CheckpointFolderError) else f"{type(error).__name__}: {error}"
        failure, told = error, (False, text)
    answers: list[Any] = ask_all(told, what)
    ranks_of: dict[str, list[int]] = defaultdict(list)
    for rank, (fine, answer) in enumerate(answers):
        if not fine:
            ranks_of[answer].append(rank)
    if not ranks_of:
        return [answer for _, answer in answers]
    if [len(ranks) for ranks in ranks_of.values()] == [len(answers)] and isinstance(failure, CheckpointFolderError):
        raise failure
    lines = [f"{_names(ranks)}: {text}" for text, ranks in ranks_of.items()] if len(answers) > 1 else list(ranks_of)
    raise CheckpointFolderError(f"{what}: " + "\n".join(lines)) from failure


def _names(ranks: list[int]) -> str:
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, ranks))}"
