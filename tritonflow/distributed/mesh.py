"""Device meshes: the ranks of a program in a grid, whose dimensions have names, as torch's users know them.

    mesh = init_device_mesh("cpu", (2, 3), mesh_dim_names=("dp", "tp"))

              tp
            0  1  2     mesh["tp"] on rank 4 is the line of the ranks 3, 4, 5
        dp  3  4  5     mesh["dp"] on rank 4 is the line of the ranks 1, 4

A mesh is taken wherever a placement is. Its tensors are known to its own ranks alone, which ask nobody else. One of a single
dimension is taken for the argument `ranks` of `flow.comm`.

Source: torch.distributed.device_mesh.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from math import prod
from typing import Any

import numpy

from tritonflow.binding.new_tensors import tensor
from tritonflow.comm.groups import ProcessGroup
from tritonflow.dtypes import int32
from tritonflow.errors import InvalidArgumentError
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.wire.world import this_rank

Axes = tuple[int, ...]  # dimensions of the root that are one of a mesh, the outermost first


class _Root:
    """What a mesh and its sub-meshes have in common.

    Attributes:
        placement: the grid of all ranks.
        coordinate: where in it this rank is; None outside of it.
        axes: the dimensions that have names, and those that `_flatten` has joined.
        groups: those that were asked for, by the dimensions that differ among their ranks.
    """

    def __init__(self, placement: Placement, names: tuple[str, ...] | None) -> None:
        self.placement = placement
        self.coordinate = placement.coordinate(this_rank().index)
        self.axes: dict[str, Axes] = {name: (k,) for k, name in enumerate(names or ())}
        self.groups: dict[Axes, ProcessGroup] = {}


class DeviceMesh:
    """Ranks in a grid of any number of dimensions.

    Args:
        device_type: "cpu" or "cuda".
        mesh: numbers of ranks, nested to the grid's dimensions, or a tensor of them; each once.
        mesh_dim_names: of the dimensions.

    Attributes:
        device_type, mesh_dim_names: as given.

    Raises:
        RuntimeError: the ranks form no grid, one occurs twice, the world has no such rank, or the names do not fit.

    Source: torch.distributed.device_mesh.DeviceMesh.

    Example:
        >>> import tritonflow as flow
        >>> mesh = flow.distributed.DeviceMesh("cpu", [[0]], mesh_dim_names=("dp", "tp"))
        >>> mesh.shape, mesh["tp"].shape, mesh.get_group("dp")
        ((1, 1), (1,), ProcessGroup([0]))
        >>> flow.ones(2, placement=mesh["dp"], sbp=flow.sbp.split(0)).is_global
        True
    """

    _root: _Root
    _axes: tuple[Axes, ...]

    def __init__(self, device_type: str, mesh: Any, *, mesh_dim_names: Sequence[str] | None = None) -> None:
        ranks = mesh.numpy() if isinstance(mesh, Tensor) else mesh
        placement = Placement(device_type, ranks, members_only=True)
        self.device_type = device_type
        self.mesh_dim_names = _names(mesh_dim_names, placement.ndim)
        self._root = _Root(placement, self.mesh_dim_names)
        self._axes = tuple([(k,) for k in range(placement.ndim)])

    def _part(self, names: tuple[str, ...], axes: tuple[Axes, ...]) -> DeviceMesh:
        """The sub-mesh of this rank along some dimensions of the root."""
        part = DeviceMesh.__new__(DeviceMesh)
        part.device_type, part.mesh_dim_names, part._root, part._axes = self.device_type, names, self._root, axes
        return part

    # ------------------------------------------------------------------------------------------------------- sizes

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._axes)

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        sizes = self._root.placement.shape
        return tuple([prod([sizes[k] for k in axes]) for axes in self._axes])

    def size(self, mesh_dim: int | None = None) -> int:
        """How many ranks there are, along a dimension if one is given."""
        return prod(self.shape) if mesh_dim is None else self.shape[mesh_dim]

    # ------------------------------------------------------------------------------------------------------- ranks

    @property
    def mesh(self) -> Tensor:
        """The ranks, as a tensor of the grid's shape.

        Raises:
            RuntimeError: it is the sub-mesh of a rank that the whole mesh does not have.
        """
        return tensor(self._ranks(), dtype=int32)

    @cached_property
    def __placement__(self) -> Placement:
        return Placement(self.device_type, self._ranks(), members_only=True)

    def get_rank(self) -> int:
        """The number of this rank in the world."""
        return this_rank().index

    def get_coordinate(self) -> tuple[int, ...] | None:
        """Where in the mesh this rank is; None outside of it."""
        mine, sizes = self._root.coordinate, self._root.placement.shape
        if mine is None:
            return None
        at = [([mine[k] for k in axes], [sizes[k] for k in axes]) for axes in self._axes]
        return tuple([int(numpy.ravel_multi_index(*each)) for each in at])

    def get_local_rank(self, mesh_dim: int | str | None = None) -> int:
        """The number of this rank in the group of a dimension, which may be left out where there is one."""
        return self.get_group(mesh_dim).rank()

    def get_group(self, mesh_dim: int | str | None = None) -> ProcessGroup:
        """This rank's line along a dimension, which may be left out where there is one. Its ranks are in ascending order.

        Raises:
            RuntimeError: there are several dimensions, or this rank is outside of the mesh.
            KeyError: there is no such dimension.
        """
        axes = self._dimension(mesh_dim)
        found = self._root.groups.get(axes)
        if found is None:
            found = self._root.groups[axes] = ProcessGroup(tuple(sorted(self._ranks((axes,)).tolist())))
        return found

    def get_all_groups(self) -> list[ProcessGroup]:
        """This rank's line along each dimension."""
        return [self.get_group(k) for k in range(self.ndim)]

    def _dimension(self, mesh_dim: int | str | None) -> Axes:
        if mesh_dim is None:
            if self.ndim > 1:
                raise InvalidArgumentError(
                    f"the mesh has {self.ndim} dimensions; help: give 'mesh_dim', one of {self.mesh_dim_names or 'their numbers'}"
                )
            return self._axes[0]
        if isinstance(mesh_dim, int):
            return self._axes[mesh_dim]
        return self._named((mesh_dim,))[0]

    def _ranks(self, along: tuple[Axes, ...] | None = None) -> Any:
        """The ranks along dimensions of the root, this mesh's unless given; elsewhere they are where this rank is."""
        root, axes = self._root, self._axes if along is None else along
        order = [k for each in axes for k in each]
        if len(order) < root.placement.ndim and root.coordinate is None:
            raise InvalidArgumentError(
                f"rank {this_rank().index} is outside of the mesh of ranks {root.placement.ranks.tolist()}, and has no part of it"
            )
        here, sizes = root.coordinate or root.placement.shape, root.placement.shape
        ranks = root.placement.ranks[tuple([slice(None) if k in order else here[k] for k in range(len(sizes))])]
        ranks = ranks.transpose([sorted(order).index(k) for k in order])
        return ranks.reshape([prod([sizes[k] for k in each]) for each in axes])

    # ---------------------------------------------------------------------------------------------------- sub-meshes

    def __getitem__(self, mesh_dim_names: str | tuple[str, ...]) -> DeviceMesh:
        """The sub-mesh along one or several dimensions in which this rank is: `mesh["dp"]`, `mesh["dp", "tp"]`.

        Raises:
            RuntimeError: the dimensions have no names, or two of them have a dimension in common.
            KeyError: there is no such name.
        """
        if self.mesh_dim_names is None:
            raise InvalidArgumentError("Cannot slice a DeviceMesh without mesh_dim_names!")
        names = (mesh_dim_names,) if isinstance(mesh_dim_names, str) else tuple(mesh_dim_names)
        if names == self.mesh_dim_names:
            return self
        axes = self._named(names)
        if len({k for each in axes for k in each}) < sum(map(len, axes)):
            raise InvalidArgumentError(f"Slicing overlapping dim_names {names} is not allowed.")
        return self._part(names, axes)

    def _named(self, names: tuple[str, ...]) -> tuple[Axes, ...]:
        """The dimensions of these names: of the mesh itself, and of the whole one those that `_flatten` has joined."""
        own = dict(zip(self.mesh_dim_names or (), self._axes))
        valid = {**self._root.axes, **own} if self._is_root() else own
        for name in names:
            if name not in valid:
                raise KeyError(f"Invalid mesh_dim_names {names} specified. Valid mesh_dim_names are {list(valid)}.")
        return tuple([valid[name] for name in names])

    def _is_root(self) -> bool:
        return self._axes == tuple([(k,) for k in range(self._root.placement.ndim)])

    def _flatten(self, mesh_dim_name: str | None = None) -> DeviceMesh:
        """A mesh of one dimension with the same ranks. The whole mesh then knows its name: `mesh["dp_cp"]`.

        Args:
            mesh_dim_name: default the names of the dimensions, joined by "_".

        Raises:
            RuntimeError: the dimensions have no names.
            ValueError: the whole mesh has other ranks by this name.
        """
        if self.mesh_dim_names is None:
            raise InvalidArgumentError("Cannot flatten a DeviceMesh without mesh_dim_names!")
        name = mesh_dim_name or "_".join(self.mesh_dim_names)
        if self.ndim == 1 and name == self.mesh_dim_names[0]:
            return self
        axes = tuple([k for each in self._axes for k in each])
        if self._root.axes.setdefault(name, axes) != axes:
            raise ValueError(f"{name} already exists for submesh of the {self}. Please specify another valid mesh_dim_name.")
        return self._part((name,), (axes,))

    @staticmethod
    def from_group(
        group: ProcessGroup | list[ProcessGroup],
        device_type: str,
        mesh: Any = None,
        *,
        mesh_dim_names: Sequence[str] | None = None,
    ) -> DeviceMesh:
        """The mesh whose lines are groups: of one, or of `mesh` with one group for each dimension.

        Raises:
            ValueError: the mesh has other lines.
        """
        if isinstance(group, ProcessGroup):
            ranks = list(group.ranks)
            if mesh is not None and list(mesh) != ranks:
                raise ValueError(f"Invalid mesh {mesh} for ProcessGroup with ranks {ranks}")
            return DeviceMesh(device_type, ranks, mesh_dim_names=mesh_dim_names)
        if mesh is None:
            raise ValueError("Must pass mesh if passing multiple ProcessGroups")
        made = DeviceMesh(device_type, mesh, mesh_dim_names=mesh_dim_names)
        lines = [line.ranks for line in made.get_all_groups()]
        if lines != [each.ranks for each in group]:
            raise ValueError(f"Invalid mesh {made}, whose lines are {lines}, for ProcessGroups {group}")
        return made

    # ------------------------------------------------------------------------------------------------------ as a value

    def _key(self) -> tuple[Any, ...]:
        return self._root.placement, self._axes, self.mesh_dim_names, self._root.coordinate

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceMesh) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        names = self.mesh_dim_names
        sizes = ", ".join(f"{name}={n}" for name, n in zip(names, self.shape)) if names else ", ".join(map(str, self.shape))
        return f"DeviceMesh(({sizes}), '{self.device_type}')"


def init_device_mesh(
    device_type: str, mesh_shape: Sequence[int], *, mesh_dim_names: Sequence[str] | None = None
) -> DeviceMesh:
    """The mesh of the ranks from 0 on, in a grid.

    Args:
        device_type: "cpu" or "cuda".
        mesh_shape: the sizes of the dimensions; the last one has neighbouring ranks.
        mesh_dim_names: of the dimensions.

    Raises:
        RuntimeError: there are fewer ranks, or the names do not fit.

    Source: torch.distributed.device_mesh.init_device_mesh.

    Example:
        >>> import tritonflow as flow
        >>> flow.distributed.init_device_mesh("cpu", (1,), mesh_dim_names=("dp",))
        DeviceMesh((dp=1), 'cpu')
    """
    shape = tuple([int(n) for n in mesh_shape])
    _names(mesh_dim_names, len(shape))
    ranks, world = prod(shape), this_rank().world_size
    if min(shape, default=0) < 1 or ranks > world:
        raise InvalidArgumentError(
            f"init_device_mesh(): a mesh of shape {shape} has {ranks} ranks, but the world has {world};"
            " help: torchrun --nproc-per-node starts more"
        )
    return DeviceMesh(device_type, numpy.arange(ranks).reshape(shape), mesh_dim_names=mesh_dim_names)


def _names(names: Sequence[str] | None, ndim: int) -> tuple[str, ...] | None:
    if names is None:
        return None
    found = (names,) if isinstance(names, str) else tuple(names)
    if len(set(found)) < len(found):
        raise InvalidArgumentError(
            f"Each mesh_dim_name must be unique. Found repeated mesh_dim_name in mesh_dim_names {found}"
        )
    if len(found) != ndim:
        raise InvalidArgumentError(
            f"mesh_shape and mesh_dim_names should have same length! Found {len(found)} names for {ndim} dimensions."
        )
    return found
