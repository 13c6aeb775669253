"""`torch.utils.hooks`."""

from tritonflow.framework.hooks import *  # noqa: F403
