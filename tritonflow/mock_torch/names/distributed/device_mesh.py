"""`torch.distributed.device_mesh`: meshes of `flow.distributed`. To make one begins to use the program's ranks, as in torch."""

from __future__ import annotations

from typing import Any

from tritonflow.distributed import mesh as meshes
from tritonflow.mock_torch import rank_groups

DeviceMesh = meshes.DeviceMesh


def init_device_mesh(
    device_type: str, mesh_shape: Any, *, mesh_dim_names: Any = None, backend_override: Any = None
) -> DeviceMesh:
    """`flow.distributed.init_device_mesh`, which calls `init_process_group` unless the program has."""
    if not rank_groups.state().initialized:
        rank_groups.start(None, None, -1, -1)
    return meshes.init_device_mesh(device_type, mesh_shape, mesh_dim_names=mesh_dim_names)
