"""`torch.utils._typing_utils`: torch's own, which is plain Python and computes nothing."""

from tritonflow.mock_torch.torch_names import shared_module

_behind = vars(shared_module("torch.utils._typing_utils"))
globals().update((name, value) for name, value in _behind.items() if not name.startswith("__"))
