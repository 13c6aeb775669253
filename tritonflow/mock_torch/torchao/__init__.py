"""What programs find as `torchao`: `quantization` and `optim`, of which they use these names most."""

from tritonflow.mock_torch.torchao import optim, quantization

__all__ = ("optim", "quantization")
