"""What programs find as `torchao`: its `quantization`, of which `flow.quantization` has the names that they use most."""

from tritonflow.mock_torch.torchao import quantization

__all__ = ("quantization",)
