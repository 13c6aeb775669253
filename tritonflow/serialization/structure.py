"""The structure around the tensors, as JSON.

null, true, 3, "text", [1, 2] and {"a": 1} stand for themselves. Everything else is an object with one key that starts with a dollar
sign, such as {"$tuple": [...]}. A dict of the user's with such a key is written as pairs.
"""

from __future__ import annotations

import base64
import json
import math
import pickle
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from tritonflow import dtypes
from tritonflow.device.device import Device
from tritonflow.dtypes import DType
from tritonflow.framework.size import Size
from tritonflow.framework.tensor import Tensor
from tritonflow.members.torch_names import strided
from tritonflow.nn.modules.state import StateDict


class Encoder:
    """From objects to JSON; tensors are handed to `add_tensor`, which gives each a reference."""

    def __init__(self, add_tensor: Callable[[Tensor, str], Any], allow_pickle: bool) -> None:
        self.add_tensor = add_tensor
        self.allow_pickle = allow_pickle
        self._open: list[int] = []

    def encode(self, value: Any, path: str = "") -> Any:
        """The JSON form of a value; `path` is where it stands, for names of tensors and for errors."""
        kind = type(value)
        if value is None or kind in (bool, int, str):
            return value
        if kind is float:
            return value if math.isfinite(value) else {"$float": repr(value)}
        if isinstance(value, Tensor):
            if value.layout is not strided:
                return {"$sparse": self.encode(value.__reduce_ex__(2)[1][1:], path), "layout": value.layout.name}
            return {"$tensor": self.add_tensor(value, path)}
        if kind in _CONTAINERS:
            if id(value) in self._open:
                raise ValueError(f"cannot save {_where(path)}: it contains itself")
            self._open.append(id(value))
            try:
                return self._encode_container(value, path)
            finally:
                self._open.pop()
        return self._encode_leaf(value, path)

    def _encode_container(self, value: Any, path: str) -> Any:
        def inside(key: Any, item: Any) -> Any:
            return self.encode(item, f"{path}.{key}" if path else str(key))

        kind = type(value)
        if kind is list:
            return [inside(i, item) for i, item in enumerate(value)]
        if kind in (tuple, Size):
            return {_CONTAINERS[kind]: [inside(i, item) for i, item in enumerate(value)]}
        if kind in (set, frozenset):
            return {_CONTAINERS[kind]: [inside("{}", item) for item in sorted(value, key=repr)]}
        if kind is dict and all(type(key) is str and not key.startswith("$") for key in value):
            return {key: inside(key, item) for key, item in value.items()}
        pairs = [[inside("key", key), inside(key, item)] for key, item in value.items()]
        if kind is StateDict:
            return {"$state_dict": pairs, "metadata": self.encode(value._metadata, path)}
        return {_CONTAINERS[kind]: pairs}

    def _encode_leaf(self, value: Any, path: str) -> Any:
        if isinstance(value, DType):
            return {"$dtype": value.name}
        if isinstance(value, Device):
            return {"$device": str(value)}
        if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc":
            data = base64.b64encode(numpy.ascontiguousarray(value).tobytes()).decode()
            return {"$ndarray": data, "dtype": value.dtype.str, "shape": list(value.shape)}
        if isinstance(value, numpy.generic) and value.dtype.kind in "biuf":
            return self.encode(value.item(), path)
        if type(value) is bytes:
            return {"$bytes": base64.b64encode(value).decode()}
        if type(value) is complex:
            return {"$complex": [repr(value.real), repr(value.imag)]}
        if type(value) is slice:
            return {"$slice": [self.encode(v, path) for v in (value.start, value.stop, value.step)]}
        if self.allow_pickle:
            return {"$pickle": base64.b64encode(pickle.dumps(value)).decode()}
        kind = f"{type(value).__module__}.{type(value).__qualname__}"
        instead = "its state_dict()" if hasattr(value, "state_dict") else "plain data"
        raise TypeError(
            f"cannot save {_where(path)} of type {kind} without pickle. help: save {instead}, or give allow_pickle=True"
        )


class Decoder:
    """From JSON to objects.

    Args:
        tensor_of: what is behind the reference to a tensor that the encoder's `add_tensor` gave.
        allow_pickle: whether pickled objects may be unpickled.
    """

    def __init__(self, tensor_of: Callable[[Any], Any], allow_pickle: bool) -> None:
        self.tensor_of = tensor_of
        self.allow_pickle = allow_pickle

    def decode(self, node: Any) -> Any:
        """The object behind a JSON form.

        Raises:
            Exception: a form that `Encoder` does not write, most often ValueError.
        """
        if isinstance(node, list):
            return [self.decode(item) for item in node]
        if not isinstance(node, dict):
            return node
        tag = next((key for key in node if key.startswith("$")), None)
        if tag is None:
            return {key: self.decode(item) for key, item in node.items()}
        body = node[tag]
        if tag in _MAKERS:
            return _MAKERS[tag]([self.decode(item) for item in body])
        if tag in _PAIRS:
            return _PAIRS[tag]((self.decode(key), self.decode(item)) for key, item in body)
        if tag == "$state_dict":
            state = StateDict((self.decode(key), self.decode(item)) for key, item in body)
            state._metadata = self._metadata(node["metadata"])
            return state
        return self._decode_leaf(tag, body, node)

    def _metadata(self, node: Any) -> Any:
        metadata = self.decode(node)
        if not isinstance(metadata, dict):
            raise ValueError("the metadata of a state dict are no dict")
        return metadata

    def _decode_leaf(self, tag: str, body: Any, node: dict[str, Any]) -> Any:
        if tag == "$tensor":
            return self.tensor_of(body)
        if tag == "$sparse":
            return _sparse(node["layout"], *self.decode(body))
        if tag == "$float":
            return float(body)
        if tag == "$dtype":
            return dtypes.from_name(body)
        if tag == "$device":
            return Device(_text(body))
        if tag == "$ndarray":
            return _array(base64.b64decode(body), node["dtype"], node["shape"])
        if tag == "$bytes":
            return base64.b64decode(body)
        if tag == "$complex":
            return complex(float(body[0]), float(body[1]))
        if tag == "$slice":
            return slice(*(self.decode(v) for v in body))
        if tag == "$pickle":
            from tritonflow.serialization import safe_globals  # few files have pickled objects

            data = base64.b64decode(body)
            return pickle.loads(data) if self.allow_pickle else safe_globals.unpickle(data)
        raise ValueError(f"unknown structure {tag!r}; it may come from a newer version")


def numbered(tensors: Sequence[Tensor]) -> Callable[[Any], Tensor]:
    """What a `Decoder` is given where references are numbers of these tensors."""
    return lambda reference: tensors[_number(reference)]


def _sparse(layout: Any, index: Any, entries: Any, shape: Any, coalesced: Any, requires_grad: Any) -> Any:
    """A sparse tensor, whose parts are checked: a file may have been changed."""
    from tritonflow.sparse import creation
    from tritonflow.sparse import tensor as sparse

    options: dict[str, Any] = {"requires_grad": requires_grad is True, "check_invariants": True}
    if layout == "sparse_coo":
        (indices,) = index
        return creation.sparse_coo_tensor(indices, entries, shape, is_coalesced=coalesced is True, **options)
    (found,) = [each for each in sparse.COMPRESSED if each.name == layout]
    compressed, plain = index
    return creation.sparse_compressed_tensor(compressed, plain, entries, shape, layout=found, **options)


def _text(body: Any) -> str:
    if not isinstance(body, str):
        raise TypeError(f"expected a text, not {body!r}")
    return body


def _number(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ValueError(f"{value!r} is no number of something")
    return value


def _array(data: bytes, dtype: Any, shape: Any) -> numpy.ndarray:
    if type(dtype) is not str or not re.fullmatch(r"[<>|=]?[biufc]\d{1,2}", dtype):  # others are little languages
        raise ValueError(f"an array of dtype {dtype!r}")
    return numpy.frombuffer(data, numpy.dtype(dtype)).reshape([_number(n) for n in shape]).copy()


def _size(items: list[Any]) -> Size:
    return Size(map(_number, items))


_CONTAINERS: dict[type, str] = {
    list: "",
    dict: "$dict",
    tuple: "$tuple",
    Size: "$size",
    set: "$set",
    frozenset: "$frozenset",
    OrderedDict: "$ordered_dict",
    StateDict: "$state_dict",
}
_MAKERS: dict[str, Callable[..., Any]] = {"$tuple": tuple, "$size": _size, "$set": set, "$frozenset": frozenset}
_PAIRS: dict[str, Callable[..., Any]] = {"$dict": dict, "$ordered_dict": OrderedDict}


def _where(path: str) -> str:
    return f"the object at {path!r}" if path else "the object"


def to_json(node: Any) -> str:
    """JSON text, without spaces."""
    return json.dumps(node, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
