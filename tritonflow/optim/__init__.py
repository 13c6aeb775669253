"""Optimizers, with `torch.optim`'s interface. A step updates all parameters of a dtype and device in one launch."""

from tritonflow.optim import lr_scheduler
from tritonflow.optim.adam import Adam, AdamW
from tritonflow.optim.optimizer import Optimizer
from tritonflow.optim.sgd import SGD

__all__ = ["SGD", "Adam", "AdamW", "Optimizer", "lr_scheduler"]
