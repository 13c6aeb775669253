"""Names that programs written for OneFlow import: some are elsewhere here, some mean nothing here.

Modules that only OneFlow has are files of `names`, under OneFlow's paths; `install` has imports find them. Functions that only
OneFlow has are imported at their first use, and so are layers (`nn/__init__.py`). Nothing in tritonflow uses them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import tritonflow
from tritonflow import _C, framework, nn
from tritonflow.compat import functional_names
from tritonflow.framework import tensor as tensor_module
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import graph as nn_graph

NAMES = Path(__file__).parent / "names"
# Those of nn.functional that only OneFlow has: where they are.
FUNCTIONS = {
    "ctc_greedy_decoder": "_C.ctc_greedy_decoder",
    "deform_conv2d": "compat.deform_conv.deform_conv2d",
    "sparse_softmax_cross_entropy": "_C.sparse_softmax_cross_entropy",
}


class TensorTuple(list[Any]):
    """A list of tensors, which is what an op with several results returns in OneFlow."""


class GraphTensor:
    """OneFlow's view of a parameter for the stages of a pipeline; programs import it, and nothing gives one here."""


def _init_method(name: str) -> Callable[..., Tensor]:
    """`Tensor.xavier_normal_` and the like: the function of nn.init."""
    function = getattr(nn.init, name)

    @wraps(function)
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


def contiguous_(self: Tensor) -> Tensor:
    """Move the elements of this tensor to memory in which they lie without gaps; views of the memory before keep that.

    Source: oneflow.Tensor.contiguous_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).T.contiguous_().is_contiguous()
        True
    """
    self.data = self.detach().contiguous()
    return self


METHODS: dict[str, Callable[..., Tensor]] = {"contiguous_": contiguous_} | {
    name: _init_method(name)
    for name in ("kaiming_normal_", "kaiming_uniform_", "orthogonal_", "trunc_normal_", "xavier_normal_", "xavier_uniform_")
}


def install() -> None:
    """Have imports find the modules of `names`, and `flow._C` and `nn.functional` the functions that only OneFlow has."""
    for package, folder in ((tritonflow, ""), (framework, "framework"), (nn_graph, "nn/graph"), (nn.modules, "nn/modules")):
        paths = vars(package).setdefault("__path__", [])
        if str(NAMES / folder) not in paths:
            paths.append(str(NAMES / folder))
    nn_graph.GraphTensor = GraphTensor  # type: ignore[attr-defined]
    vars(nn.functional)["_AT_FIRST_USE"].update(FUNCTIONS)
    _C.__getattr__ = functional_names.find  # type: ignore[method-assign]
    tensor_module.TensorTuple = TensorTuple  # type: ignore[attr-defined]
