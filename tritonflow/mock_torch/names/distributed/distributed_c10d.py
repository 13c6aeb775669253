"""`torch.distributed.distributed_c10d`: the names of `torch.distributed`."""

from tritonflow.comm.groups import ProcessGroup
from tritonflow.mock_torch import rank_groups
from tritonflow.mock_torch.names.distributed import *  # noqa: F403


def _get_default_group() -> ProcessGroup:
    """That of all ranks.

    Raises:
        ValueError: `init_process_group` was not called.
    """
    rank_groups.require_initialized()
    return rank_groups.WORLD


def _get_process_group_name(pg: ProcessGroup) -> str:
    """Its ranks as a word."""
    return pg.group_name
