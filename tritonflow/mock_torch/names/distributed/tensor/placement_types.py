"""`torch.distributed.tensor.placement_types`."""

from tritonflow.mock_torch.names.distributed.tensor import Partial, Placement, Replicate, Shard  # noqa: F401
