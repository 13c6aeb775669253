"""`torch.utils._contextlib`: torch's own, which is plain Python and computes nothing."""

from tritonflow.mock_torch.torch_names import shared_module

_behind = vars(shared_module("torch.utils._contextlib"))
globals().update((name, value) for name, value in _behind.items() if not name.startswith("__"))
