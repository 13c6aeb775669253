"""`torch.utils.data`: its loader has no state."""

from tritonflow.utils.data.loader import StatelessLoader as DataLoader  # noqa: F401
