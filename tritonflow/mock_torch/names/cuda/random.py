"""`torch.cuda.random`: the names of `torch.cuda`."""

from tritonflow.cuda import initial_seed, seed  # noqa: F401
from tritonflow.mock_torch.names.cuda import *  # noqa: F403
