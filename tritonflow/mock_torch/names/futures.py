"""`torch.futures`."""

from tritonflow.mock_torch.torch_futures import Future, collect_all, wait_all

__all__ = ["Future", "collect_all", "wait_all"]
