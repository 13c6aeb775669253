"""The functions behind the layers, under torch's names: `flow.nn.functional.relu(x)`.

Functions of the binding that are exported to `nn.functional` are here as they are. composed_functions.py has pools that it
cannot bind. distillation.py, a loss that checkpoints, is imported at its first use.
Everything here is a public name, and functional.pyi lists them.
"""
# ruff: noqa: F401

from tritonflow._C.nn_functional_names import *  # noqa: F403 (these functions, and nothing else)
from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.nn.composed_functions import (
    adaptive_max_pool1d_with_indices,
    adaptive_max_pool2d_with_indices,
    adaptive_max_pool3d_with_indices,
    fractional_max_pool2d,
    fractional_max_pool2d_with_indices,
    fractional_max_pool3d,
    fractional_max_pool3d_with_indices,
    max_pool1d_with_indices,
    max_pool2d_with_indices,
    max_pool3d_with_indices,
)
from tritonflow.nn.in_place import celu_, elu_, hardtanh_, leaky_relu_, rrelu_, selu_, threshold_
from tritonflow.nn.multi_head_attention import multi_head_attention_forward

_AT_FIRST_USE = {"linear_jsd_loss": "nn.distillation.linear_jsd_loss"}

__getattr__ = _at_first_use(__name__, _AT_FIRST_USE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_AT_FIRST_USE})
