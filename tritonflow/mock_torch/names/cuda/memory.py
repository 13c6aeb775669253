"""`torch.cuda.memory`: the names of `torch.cuda`."""

from tritonflow.cuda import empty_cache, mem_get_info  # noqa: F401
from tritonflow.mock_torch.names.cuda import *  # noqa: F403
