"""Initializers and constants of a model: parameters, buffers, and numbers that the host knows."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import tritonflow as flow
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module, Parameter
from tritonflow.onnx.reading.dtypes import tensor_of
from tritonflow.onnx.reading.values import MOST_KNOWN, Known

STATISTICS = {
    "BatchNormalization": (3, 4), "QuantizeLinear": (1, 2), "DequantizeLinear": (1, 2), "QLinearMatMul": (1, 2, 4, 5, 6, 7),
    "QLinearConv": (1, 2, 4, 5, 6, 7),
}  # fmt: skip
"""Inputs that are no parameters although they are floating."""

SETTINGS = {
    "Clip": (1, 2), "Resize": (1, 2), "Upsample": (1,), "Pad": (2,), "Dropout": (1,), "OneHot": (2,), "Range": (0, 1, 2),
}  # fmt: skip
"""Inputs that are read as numbers of the host."""


class Constants:
    """Registers what a model has as constants with the module.

    Args:
        root: the module.
        nodes: all nodes, which say what a constant is used for.
    """

    def __init__(self, root: Module, nodes: Iterable[Any]) -> None:
        self.root = root
        self.uses: dict[str, set[str]] = {}
        for node in nodes:
            for position, name in enumerate(node.input):
                self.uses.setdefault(name, set()).add(_use(node.op_type, position))

    def initializer(self, proto: Any) -> Any:
        """An initializer: known numbers, or where the parameter or buffer is."""
        tensor, uses = self._tensor(proto, proto.name), self.uses.get(proto.name, set())
        floating = tensor.dtype.is_floating_point
        if _is_small(tensor) and (not floating or uses == {"setting"}):
            return self._known(proto.name, tensor)
        is_parameter = floating and not uses <= {"setting", "statistic"}
        return self._hold(proto.name, tensor, is_parameter, persistent=True)

    def node(self, proto: Any) -> Any:
        """What a Constant node gives."""
        import onnx  # a model is at hand, so that it is there

        name, attribute = proto.output[0], proto.attribute[0]
        value = onnx.helper.get_attribute_value(attribute)
        if attribute.name == "value":
            tensor = self._tensor(value, name)
        elif attribute.name in ("value_int", "value_ints", "value_float", "value_floats"):
            dtype = flow.int64 if "int" in attribute.name else flow.float32
            tensor = flow.tensor(list(value) if attribute.name.endswith("s") else value, dtype=dtype)
        else:
            raise NotImplementedError(f"the constant {name!r} is a {attribute.name}, which flow.onnx.load does not support")
        if _is_small(tensor) and tensor.dtype not in (flow.float16, flow.bfloat16):
            return self._known(name, tensor)
        return self._hold(name, tensor, is_parameter=False, persistent=False)

    def _tensor(self, proto: Any, name: str) -> Tensor:
        import onnx.numpy_helper  # a model is at hand, so that it is there

        try:
            return tensor_of(onnx.numpy_helper.to_array(proto))
        except TypeError as error:
            raise TypeError(f"the constant {name!r}: {error}") from error
        except ValueError as error:
            raise ValueError(f"this is no valid ONNX model: the data of {name!r} do not fit its shape: {error}") from error

    def _known(self, name: str, tensor: Tensor) -> Known:
        holder = self._hold(name, tensor, is_parameter=False, persistent=False)
        numbers = tensor.reshape(-1).tolist()
        return Known(tuple(numbers), tensor.ndim, tensor.dtype, holder)

    def _hold(self, name: str, tensor: Tensor, is_parameter: bool, persistent: bool) -> tuple[Module, str]:
        module, leaf = self._find(name)
        if is_parameter:
            module.register_parameter(leaf, Parameter(tensor))
        else:
            module.register_buffer(leaf, tensor, persistent=persistent)
        return module, leaf

    def _find(self, name: str) -> tuple[Module, str]:
        """The module and the name in it: dots lead to modules within modules."""
        *path, leaf = [each or "_" for each in name.split(".")]
        module = self.root
        for each in path:
            child = module._modules.get(each)
            if child is None:
                if hasattr(module, each):
                    return self._flat(name)
                child = Module()
                module.add_module(each, child)
            module = child
        return self._flat(name) if hasattr(module, leaf) else (module, leaf)

    def _flat(self, name: str) -> tuple[Module, str]:
        """A name in the module itself, where that of the model is taken: a graph within a node may use it again."""
        leaf = name.replace(".", "_")
        while hasattr(self.root, leaf):
            leaf += "_"
        return self.root, leaf


def _use(op: str, position: int) -> str:
    if position in STATISTICS.get(op, ()):
        return "statistic"
    return "setting" if position in SETTINGS.get(op, ()) else "operand"


def _is_small(tensor: Tensor) -> bool:
    wide = (flow.int64, flow.int32, flow.bool, flow.float32, flow.float64)
    return tensor.ndim <= 1 and tensor.numel() <= MOST_KNOWN and tensor.dtype in wide
