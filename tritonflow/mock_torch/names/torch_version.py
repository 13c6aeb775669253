"""`torch.torch_version`: torch's own class of versions."""

from tritonflow.mock_torch.torch_names import VERSION, shared_module

TorchVersion = shared_module("torch.torch_version").TorchVersion
__version__ = VERSION
