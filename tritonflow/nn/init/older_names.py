"""torch's older names without the underscore, which warn."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from tritonflow.nn.init.fans import kaiming_normal_, kaiming_uniform_, xavier_normal_, xavier_uniform_
from tritonflow.nn.init.fills import constant_, normal_, uniform_
from tritonflow.nn.init.structured import dirac_, eye_, orthogonal_, sparse_


def _deprecated(function: Callable[..., Any]) -> Callable[..., Any]:
    """torch's older name without the underscore."""
    new = function.__name__
    old = new.removesuffix("_")

    @functools.wraps(function)
    def renamed(*args: Any, **kwargs: Any) -> Any:
        warnings.warn(f"`nn.init.{old}` is now deprecated in favor of `nn.init.{new}`.", FutureWarning, stacklevel=2)
        return function(*args, **kwargs)

    renamed.__name__ = old
    renamed.__doc__ = f"`{new}` under its older name, with a FutureWarning.\n\nSource: torch.nn.init.{old}."
    return renamed


uniform = _deprecated(uniform_)
normal = _deprecated(normal_)
constant = _deprecated(constant_)
eye = _deprecated(eye_)
dirac = _deprecated(dirac_)
xavier_uniform = _deprecated(xavier_uniform_)
xavier_normal = _deprecated(xavier_normal_)
kaiming_uniform = _deprecated(kaiming_uniform_)
kaiming_normal = _deprecated(kaiming_normal_)
orthogonal = _deprecated(orthogonal_)
sparse = _deprecated(sparse_)
