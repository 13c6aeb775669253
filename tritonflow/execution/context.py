"""OpContext: what an op is called with besides its tensors (OneFlow's OpExprInterpContext)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tritonflow.framework.tensor import Tensor


@dataclass(slots=True)
class OpContext:
    """What `dispatch` hands to the interpreters; none of them changes it.

    Attributes:
        attrs: the static attributes in the order of the registry.
        dynamic: the dynamic scalars likewise.
        out: the tensor that the only output is written over, or None.
        placement: over which ranks the outputs lie, for an op that makes tensors from none; None for local ones.
        sbp: how they lie there; or how outputs preferably lie, where several ways cost the same.
    """

    attrs: tuple[Any, ...] = ()
    dynamic: tuple[Any, ...] = ()
    out: Tensor | None = None
    placement: Any = None
    sbp: Any = None
