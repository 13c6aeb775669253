"""Programs on several processes: `python -m tritonflow.distributed.launch` starts them, `restart` begins anew behind a failure.

`init_device_mesh` lays the ranks out in a grid, and `new_group` names some of them. `checkpoint` saves and loads what they have.
"""

from tritonflow.comm.groups import ProcessGroup, new_group
from tritonflow.distributed import checkpoint
from tritonflow.distributed.mesh import DeviceMesh, init_device_mesh
from tritonflow.wire.connection import restart

__all__ = ["DeviceMesh", "ProcessGroup", "checkpoint", "init_device_mesh", "new_group", "restart"]
