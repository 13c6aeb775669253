"""`torch.distributed.nn`: collectives with gradients."""

from tritonflow.mock_torch.names.distributed.nn.functional import (
    all_gather,
    all_reduce,
    all_to_all,
    all_to_all_single,
    broadcast,
    reduce_scatter,
)

__all__ = ["all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "reduce_scatter"]
