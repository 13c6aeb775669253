"""Initial values of parameters, written in place without a gradient.

Fans: a weight of shape `(out, in, *kernel)` has fan_in `in * prod(kernel)` and fan_out `out * prod(kernel)`.
"""

from tritonflow.nn.init.fans import (  # noqa: F401 (torch's programs name the helpers, too)
    _calculate_correct_fan,
    _calculate_fan_in_and_fan_out,
    calculate_gain,
    kaiming_normal_,
    kaiming_uniform_,
    xavier_normal_,
    xavier_uniform_,
)
from tritonflow.nn.init.fills import constant_, normal_, ones_, trunc_normal_, uniform_, zeros_
from tritonflow.nn.init.older_names import (
    constant,
    dirac,
    eye,
    kaiming_normal,
    kaiming_uniform,
    normal,
    orthogonal,
    sparse,
    uniform,
    xavier_normal,
    xavier_uniform,
)
from tritonflow.nn.init.structured import dirac_, eye_, orthogonal_, sparse_

__all__ = [
    "calculate_gain", "constant", "constant_", "dirac", "dirac_", "eye", "eye_", "kaiming_normal", "kaiming_normal_",
    "kaiming_uniform", "kaiming_uniform_", "normal", "normal_", "ones_", "orthogonal", "orthogonal_", "sparse", "sparse_",
    "trunc_normal_", "uniform", "uniform_", "xavier_normal", "xavier_normal_", "xavier_uniform", "xavier_uniform_", "zeros_",
]  # fmt: skip
