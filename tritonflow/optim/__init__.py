"""Optimizers, with `torch.optim`'s interface. A step updates all parameters of a dtype and device in one launch."""

from typing import TYPE_CHECKING

from tritonflow.first_use import at_first_use as _at_first_use
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

if TYPE_CHECKING:
    from tritonflow.optim import swa_utils
    from tritonflow.optim.adam8bit import Adam8bit, AdamW8bit
    from tritonflow.optim.zero_redundancy import ZeroRedundancyOptimizer

__all__ = [
    "ASGD", "FTRL", "LAMB", "LBFGS", "SGD", "Adadelta", "Adafactor", "Adagrad", "Adam", "Adam8bit", "AdamW", "AdamW8bit",
    "Adamax", "Muon", "NAdam", "Optimizer", "RAdam", "RMSprop", "Rprop", "SparseAdam", "ZeroRedundancyOptimizer",
    "lr_scheduler", "swa_utils",
]  # fmt: skip


if not TYPE_CHECKING:  # which would take any name for one of the package
    __getattr__ = _at_first_use(  # what needs `nn`, which needs this package, and what few programs use
        __name__,
        {
            "swa_utils": "optim.swa_utils.", "ZeroRedundancyOptimizer": "optim.zero_redundancy.ZeroRedundancyOptimizer",
            "Adam8bit": "optim.adam8bit.Adam8bit", "AdamW8bit": "optim.adam8bit.AdamW8bit",
        },
    )  # fmt: skip
