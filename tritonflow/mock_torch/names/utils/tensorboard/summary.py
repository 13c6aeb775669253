"""`torch.utils.tensorboard.summary`: of the package that `SummaryWriter` writes with, given arrays for tensors."""

from tritonflow.utils.tensorboard import summary_function as any_name  # noqa: F401
