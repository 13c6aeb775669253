"""nn.Graph: a step of a model, captured and run as one instruction."""

from __future__ import annotations

from collections import OrderedDict
from itertools import count
from typing import Any

from tritonflow.errors import ArgumentTypeError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.function import CapturedFunction, modes
from tritonflow.nn import Module
from tritonflow.optim import Optimizer

_numbers: dict[str, Any] = {}


class Graph:
    """Base class of graphs: a subclass sets modules as attributes and says in `build` what a call computes.

    The first call captures `build` (every op, backward and optimizer included), and runs it; later calls with inputs of the
    same shapes and dtypes only run it. Parameters are shared with eager mode. Python numbers among the inputs may differ from
    call to call.

    Raises:
        RuntimeError: in `build`: for what needs the value of a tensor.
        TypeError: an attribute is a tensor or an optimizer; `build` returns something that is no tensor.

    Source: https://oneflow.readthedocs.io/en/v0.9.0/graph.html

    Example:
        >>> import tritonflow as flow
        >>> class Double(flow.nn.Graph):
        ...     def build(self, x):
        ...         return x + x
        >>> Double()(flow.ones(2)).tolist()
        [2.0, 2.0]
    """

    def __init__(self) -> None:
        name = type(self).__name__
        self._name = f"{name}_{next(_numbers.setdefault(name, count()))}"
        self._modules: OrderedDict[str, Module] = OrderedDict()
        self._captured = CapturedFunction(self._step, self._name, lambda: modes(self._modules.values()))

    @property
    def name(self) -> str:
        """The class's name and a running number."""
        return self._name

    def build(self, *args: Any, **kwargs: Any) -> Any:
        """What a call computes; implemented by subclasses."""
        raise NotImplementedError(f"{type(self).__name__} does not implement build()")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph; captures it first, where it must."""
        if "_captured" not in self.__dict__:
            raise RuntimeError(f"super().__init__() was not called in {type(self).__name__}.__init__()")
        return self._captured(*args, **kwargs)

    def _step(self, *args: Any, **kwargs: Any) -> Any:
        return self.build(*args, **kwargs)

    def __setattr__(self, name: str, value: Any) -> None:
        if "_modules" not in self.__dict__ and isinstance(value, (Module, Tensor, Optimizer)):
            raise AttributeError(f"cannot assign attributes before {type(self).__name__}.__init__() calls super().__init__()")
        if isinstance(value, Tensor):
            raise ArgumentTypeError(
                f"'{self._name}' nn.Graph is not allowed to set Tensor attribute named '{name}'. Please use nn.Module to hold the"
                " tensor, then add the nn.Module to nn.Graph."
            )
        if isinstance(value, Optimizer):
            raise ArgumentTypeError(
                f"'{self._name}' nn.Graph is not allowed to set Optimizer attribute named '{name}'. Please use add_optimizer(...)"
                " instead."
            )
        if isinstance(value, Module):
            self._modules[name] = value
        object.__setattr__(self, name, value)
