"""`torch.distributed.distributed_c10d`: the names of `torch.distributed`."""

from tritonflow.mock_torch.names.distributed import *  # noqa: F403
from tritonflow.mock_torch.names.distributed import _world


def _get_default_group():  # type: ignore[no-untyped-def]
    return _world
