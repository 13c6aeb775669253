"""Placement: over which ranks a consistent tensor lies, and how they are arranged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy

from tritonflow.device.device import DEVICE_TYPES, META, Device, is_gpu
from tritonflow.errors import InvalidArgumentError, PlacementError
from tritonflow.wire.world import this_rank

Coordinate = tuple[int, ...]


class Placement:
    """Ranks in a grid of any number of dimensions, each on a device of one type; equal ones are the same object.

    Args:
        type: "cpu" or "cuda"; on a GPU rank r of a node uses its GPU number r. With "meta" shards have no memory.
        ranks: numbers of ranks in any order, nested to the grid's dimensions; each once. In OneFlow's old form a dict from the
            number of a node to numbers of its ranks.
        hierarchy: the grid's sizes, with the old form.
        members_only: whether its ranks alone have programs that know its tensors, as of a mesh; without, all of the world have.

    Attributes:
        type: as given.
        shape: the grid's sizes.
        order: the ranks, in the order of the grid.
        members_only: as given; False where all ranks of the world are members.

    Raises:
        InvalidArgumentError: the ranks form no grid, one occurs twice, or the world has no such rank.

    Example:
        >>> import tritonflow as flow
        >>> flow.placement("cpu", ranks=[0])
        tritonflow.placement(type="cpu", ranks=[0])
    """

    __slots__ = ("type", "shape", "order", "members_only", "_coordinates", "_devices")
    _known: dict[tuple[Any, ...], Placement] = {}

    type: str
    shape: tuple[int, ...]
    order: tuple[int, ...]
    members_only: bool
    _coordinates: dict[int, Coordinate]
    _devices: dict[int, Device]

    def __new__(
        cls, type: str, ranks: Any, hierarchy: Sequence[int] | None = None, *, members_only: bool = False
    ) -> Placement:
        if type not in DEVICE_TYPES and type != META.type:
            raise InvalidArgumentError(f"placement(): expected one of {', '.join(DEVICE_TYPES)}, meta as type, got {type!r}")
        shape, order = _grid(_ranks_of_nodes(ranks) if isinstance(ranks, Mapping) else ranks)
        if hierarchy is not None:
            shape = _hierarchy(hierarchy, order)
        check_ranks("placement", order)
        key = type, shape, order, members_only and len(order) < this_rank().world_size
        placement = cls._known.get(key)
        if placement is None:
            placement = super().__new__(cls)
            placement.type, placement.shape, placement.order, placement.members_only = key
            placement._coordinates = {rank: _coordinate(k, shape) for k, rank in enumerate(order)}
            placement._devices = {}
            placement = cls._known.setdefault(key, placement)
        return placement

    @staticmethod
    def all(type: str) -> Placement:
        """Every rank of the world: one dimension, or nodes by ranks of a node where there are several nodes."""
        rank = this_rank()
        if rank.nodes == 1:
            return Placement(type, range(rank.world_size))
        return Placement(type, numpy.arange(rank.world_size).reshape(rank.nodes, -1))

    @property
    def ranks(self) -> Any:
        """The ranks, as an array of the grid's shape."""
        return numpy.array(self.order, dtype=numpy.int64).reshape(self.shape)

    @property
    def device_tag(self) -> str:
        """OneFlow's older name of `type`."""
        return self.type

    @property
    def ndim(self) -> int:
        """The number of dimensions of the grid."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return len(self.order)

    @property
    def callers(self) -> tuple[int, ...]:
        """The ranks whose programs know its tensors, ascending. They call together what asks other ranks, such as `numpy()`."""
        return tuple(sorted(self.order)) if self.members_only else tuple(range(this_rank().world_size))

    def everyone(self) -> Placement:
        """One of all callers, where a tensor is gathered for its readers.

        Raises:
            PlacementError: the calling rank is none of them.
        """
        self.require_caller()
        return self if self.members_only else Placement.all(self.type)

    def require_caller(self) -> None:
        """Raise a PlacementError if the calling rank cannot know its tensors."""
        if self.members_only and this_rank().index not in self._coordinates:
            raise PlacementError(f"rank {this_rank().index} is outside of {self}, whose ranks alone have its tensors")

    def coordinate(self, rank: int) -> Coordinate | None:
        """Where in the grid a rank is; None outside of it."""
        return self._coordinates.get(rank)

    def coordinates(self) -> list[Coordinate]:
        """All of them, in the order of `order`."""
        return [self._coordinates[rank] for rank in self.order]

    def device(self) -> Device:
        """The device of the calling rank."""
        index = this_rank().local_index if is_gpu(self.type) else 0
        device = self._devices.get(index)
        if device is None:
            device = self._devices[index] = Device(self.type, index)
        return device

    def on(self, device: Device) -> Placement:
        """The same ranks, each on its device of the type of `device`."""
        return self if self.type == device.type else _made(device.type, self.ranks, self.members_only)

    def __repr__(self) -> str:
        members_only = ", members_only=True" if self.members_only else ""
        return f'tritonflow.placement(type="{self.type}", ranks={self.ranks.tolist()}{members_only})'

    def __reduce__(self) -> tuple[Any, ...]:
        return (_made, (self.type, self.ranks.tolist(), self.members_only))

    def __copy__(self) -> Placement:
        return self

    def __deepcopy__(self, memo: Any) -> Placement:
        return self


def placement_of(value: Any) -> Placement | None:
    """A placement, or that of a mesh, which has one; None of anything else."""
    return value if isinstance(value, Placement) else getattr(value, "__placement__", None)


def _made(type: str, ranks: Any, members_only: bool) -> Placement:
    return Placement(type, ranks, members_only=members_only)


def _ranks_of_nodes(nodes: Mapping[int, Any]) -> list[int]:
    """The ranks of OneFlow's old form {node: its ranks}."""
    size = this_rank().local_size
    return [node * size + int(k) for node, own in nodes.items() for k in ([own] if isinstance(own, int) else own)]


def _hierarchy(sizes: Sequence[int], order: tuple[int, ...]) -> tuple[int, ...]:
    shape = tuple([int(n) for n in sizes])
    if prod(shape) != len(order) or min(shape, default=1) < 1:
        raise InvalidArgumentError(f"placement(): {len(order)} ranks form no grid of the sizes {list(shape)}")
    return shape


def _grid(ranks: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The shape and the ranks of nested sequences; a lone number is a grid of one rank."""
    try:
        array = numpy.asarray(ranks if isinstance(ranks, (int, Sequence, numpy.ndarray)) else list(ranks))
    except ValueError:
        raise InvalidArgumentError(f"placement(): the ranks {ranks} form no grid: rows have different lengths") from None
    if array.dtype.kind not in "iu" or array.size == 0:
        raise InvalidArgumentError(f"placement(): expected numbers of ranks, got {ranks}")
    shape = array.shape or (1,)
    return tuple(map(int, shape)), tuple(map(int, array.reshape(-1)))


def check_ranks(function: str, ranks: Sequence[int]) -> None:
    """Refuse a rank that the world has not, or that occurs twice.

    Raises:
        InvalidArgumentError: there is one.
    """
    size = this_rank().world_size
    for rank in ranks:
        if not 0 <= rank < size:
            raise InvalidArgumentError(f"{function}(): rank {rank} is not among the {size} ranks of the world")
    if len(set(ranks)) < len(ranks):
        raise InvalidArgumentError(f"{function}(): a rank occurs twice in {list(ranks)}")


def _coordinate(position: int, shape: tuple[int, ...]) -> Coordinate:
    coordinate = []
    for k, size in enumerate(shape):
        below = prod(shape[k + 1 :])
        coordinate.append(position // below % size)
    return tuple(coordinate)
