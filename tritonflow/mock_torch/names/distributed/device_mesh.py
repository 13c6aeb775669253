"""`torch.distributed.device_mesh`: the mesh of all ranks in a line."""

from __future__ import annotations

from typing import Any

import tritonflow as flow
from tritonflow.errors import NotYetImplementedError
from tritonflow.wire.world import this_rank


class DeviceMesh:
    """All ranks in a line. Grids of ranks are `flow.placement`s."""

    def __init__(self, device_type: str, mesh: Any = None, *, mesh_dim_names: Any = None, **options: Any) -> None:
        ranks = list(range(this_rank().world_size)) if mesh is None else list(mesh.tolist() if hasattr(mesh, "tolist") else mesh)
        if ranks != list(range(this_rank().world_size)):
            raise NotYetImplementedError(f"DeviceMesh({ranks}): meshes other than all ranks in a line; help: flow.placement")
        self.device_type, self.mesh = device_type, flow.tensor(ranks)
        self.mesh_dim_names = tuple(mesh_dim_names) if mesh_dim_names is not None else None

    ndim = 1

    @property
    def shape(self) -> tuple[int, ...]:
        """How many ranks there are."""
        return tuple(self.mesh.shape)

    def size(self, mesh_dim: int | None = None) -> int:
        """How many ranks there are."""
        return int(self.mesh.numel())

    def get_group(self, mesh_dim: Any = None) -> Any:
        """The group of all ranks."""
        from tritonflow.mock_torch.names import distributed

        return distributed.group.WORLD

    def get_rank(self) -> int:
        """The number of this rank."""
        return this_rank().index

    def get_local_rank(self, mesh_dim: Any = None) -> int:
        """The number of this rank in the line."""
        return this_rank().index

    def get_coordinate(self) -> list[int]:
        """The number of this rank in the line."""
        return [this_rank().index]

    def __getitem__(self, name: Any) -> DeviceMesh:
        names = (name,) if isinstance(name, str) else tuple(name)
        if names != self.mesh_dim_names:
            raise KeyError(f"Invalid mesh_dim_name {name!r} specified; this mesh has {self.mesh_dim_names}")
        return self

    def __repr__(self) -> str:
        return f"DeviceMesh({self.device_type!r}, {self.mesh.tolist()}, mesh_dim_names={self.mesh_dim_names})"


def init_device_mesh(device_type: str, mesh_shape: Any, *, mesh_dim_names: Any = None, **options: Any) -> DeviceMesh:
    """The mesh of all ranks in a line.

    Raises:
        NotYetImplementedError: another shape.
    """
    if tuple(mesh_shape) != (this_rank().world_size,):
        raise NotYetImplementedError(
            f"init_device_mesh({tuple(mesh_shape)}): the mesh of all {this_rank().world_size} ranks in a line alone;"
            " help: flow.placement"
        )
    return DeviceMesh(device_type, mesh_dim_names=mesh_dim_names)
