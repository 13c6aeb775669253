"""`torch.distributed.optim`: the optimizer whose states are dealt out to ranks."""

from tritonflow.optim import ZeroRedundancyOptimizer  # noqa: F401
