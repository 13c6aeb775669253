"""Optimizers, with `torch.optim`'s interface. A step updates all parameters of a dtype and device in one launch."""

from typing import TYPE_CHECKING

from tritonflow.optim import lr_scheduler
from tritonflow.optim.adadelta import Adadelta
from tritonflow.optim.adafactor import Adafactor
from tritonflow.optim.adagrad import Adagrad
from tritonflow.optim.adam import Adam, AdamW
from tritonflow.optim.adamax import Adamax
from tritonflow.optim.asgd import ASGD
from tritonflow.optim.ftrl import FTRL
from tritonflow.optim.lamb import LAMB
from tritonflow.optim.lbfgs import LBFGS
from tritonflow.optim.muon import Muon
from tritonflow.optim.nadam import NAdam
from tritonflow.optim.optimizer import Optimizer
from tritonflow.optim.radam import RAdam
from tritonflow.optim.rmsprop import RMSprop
from tritonflow.optim.rprop import Rprop
from tritonflow.optim.sgd import SGD
from tritonflow.optim.sparse_adam import SparseAdam
from tritonflow.optim.zero_redundancy import ZeroRedundancyOptimizer

if TYPE_CHECKING:
    from tritonflow.optim import swa_utils

__all__ = [
    "ASGD", "FTRL", "LAMB", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "AdamW", "Adamax", "Muon", "NAdam",
    "Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam", "ZeroRedundancyOptimizer",
    "lr_scheduler", "swa_utils",
]  # fmt: skip


if not TYPE_CHECKING:

    def __getattr__(name):
        """`swa_utils` is imported at its first use: it needs `nn`, which needs this package."""
        if name != "swa_utils":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return import_module("tritonflow.optim.swa_utils")
