"""`torch.xpu`: there is none."""

from tritonflow.mock_torch.absent_device import *  # noqa: F403 (all of it)
