"""`torchao.optim` for foreign programs."""

from tritonflow.optim.adam8bit import Adam8bit, AdamW8bit

__all__ = ("Adam8bit", "AdamW8bit")
