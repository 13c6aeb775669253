"""`torch.backends.mkldnn`: there is none."""

from tritonflow.mock_torch.absent_backend import *  # noqa: F403 (all of it)
