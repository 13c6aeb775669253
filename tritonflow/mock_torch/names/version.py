"""`torch.version`: the release of torch whose interface this is."""

from tritonflow.mock_torch.torch_names import VERSION as __version__  # noqa: F401
from tritonflow.version import cuda, debug, git_version, hip, xpu  # noqa: F401
