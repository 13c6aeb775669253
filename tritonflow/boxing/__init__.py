"""Boxing: moves a consistent tensor from one placement and sbp to another."""

from tritonflow.boxing import nccl
from tritonflow.boxing.explain import explain

__all__ = ["explain", "nccl"]
