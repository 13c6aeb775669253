"""`flow.library`: ops of one's own under names, as programs for torch define them.

`triton_op` and `custom_op` make an op of a Python function, `pointwise_op` one of a scalar function. docs/own_kernels.md shows
how, from a kernel to an op with a derivative that is captured and explained.
"""

from tritonflow.library.custom_op import CustomOp
from tritonflow.library.names import (
    Library,
    custom_op,
    define,
    impl,
    impl_abstract,
    register_autocast,
    register_autograd,
    register_fake,
    register_kernel,
    register_sbp,
    register_vmap,
    triton_op,
    wrap_triton,
)
from tritonflow.library.opcheck import opcheck
from tritonflow.library.pointwise_op import pointwise_op
from tritonflow.library.table import find_op, put

__all__ = [
    "CustomOp", "Library", "custom_op", "define", "find_op", "impl", "impl_abstract", "opcheck", "pointwise_op", "put",
    "register_autocast", "register_autograd", "register_fake", "register_kernel", "register_sbp", "register_vmap", "triton_op",
    "wrap_triton",
]  # fmt: skip
