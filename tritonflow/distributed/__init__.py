"""Programs on several processes: `python -m tritonflow.distributed.launch` starts them, `restart` begins anew behind a failure.

`init_device_mesh` lays the ranks out in a grid, and `new_group` names some of them. `global_mean` is a loss over the tokens of all.
`checkpoint` saves and loads what they have.
"""

from typing import TYPE_CHECKING

from tritonflow.comm.groups import ProcessGroup, new_group
from tritonflow.distributed.mesh import DeviceMesh, init_device_mesh
from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.nn.parallel.fully_shard import (
    CPUOffloadPolicy,
    FSDPModule,
    MixedPrecisionPolicy,
    OffloadPolicy,
    fully_shard,
)
from tritonflow.nn.parallel.global_mean import global_mean
from tritonflow.wire.connection import restart

if TYPE_CHECKING:
    from tritonflow.distributed import checkpoint

if not TYPE_CHECKING:  # which would take any name for one of the package
    __getattr__ = _at_first_use(__name__, {"checkpoint": "distributed.checkpoint."})

__all__ = [
    "CPUOffloadPolicy", "DeviceMesh", "FSDPModule", "MixedPrecisionPolicy", "OffloadPolicy", "ProcessGroup", "checkpoint",
    "fully_shard", "global_mean", "init_device_mesh", "new_group", "restart",
]  # fmt: skip
