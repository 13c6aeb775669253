"""`torch.distributed.algorithms.join`: ranks whose inputs end early."""

from tritonflow.nn.parallel.join import Join, Joinable  # noqa: F401
