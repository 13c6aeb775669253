"""`torch.distributed.algorithms`: inputs that end early, and hooks of averages."""

from tritonflow.nn.parallel.join import Join  # noqa: F401
