"""Generated bindings of small registries, run against functors that only record their arguments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tritonflow.device.device import Device
from tritonflow.dtypes import float32
from tritonflow.framework.meta import TensorMeta, contiguous_stride
from tritonflow.framework.tensor import Tensor
from tritonflow.functional.emit import binding
from tritonflow.functional.project import Functor, Project
from tritonflow.functional.schema import parse_entries
from tritonflow.functional.signature import snake

_numbers = itertools.count()


class _NotLocal(TensorMeta):
    """The meta of a tensor that prints without its numbers."""

    is_local = False


def make_tensor(*shape: int) -> Tensor:
    """A tensor without memory."""
    meta = _NotLocal(shape, contiguous_stride(shape), float32, Device("cpu"), True)
    return Tensor(meta, SimpleNamespace(is_lazy=False), 0)


def build_binding(signatures: str | list[str], name: str = "f", methods: list[str] | None = None) -> SimpleNamespace:
    """The generated functions of one entry. Each returns (functor, arguments); functors in the texts are A, B, C ...

    The functions are attributes; `source` is the generated text.
    """
    texts = [signatures] if isinstance(signatures, str) else signatures
    tag = f"Test{next(_numbers)}"
    renamed = [f"{text} => {tag}{letter}" for text, letter in zip(texts, "ABCDEFGH")]
    entries = parse_entries([{"name": name, "signature": renamed, "methods": methods or []}])
    functors = {f"{tag}{letter}": Functor("recorded", letter) for letter in "ABCDEFGH"}
    source = binding.emit(Project(entries, {}, functors))
    source = re.sub(r"^from tritonflow\.(_C|functional\.functors)\b.*\n(  .*\n)*", "", source, flags=re.MULTILINE)
    namespace: dict[str, Any] = {"__name__": "generated", "_return_types": SimpleNamespace()}
    namespace |= {f"_{snake(name)}": _recorder(functor.function) for name, functor in functors.items()}
    exec(binding.emit_return_types(Project(entries, {}, functors)), vars(namespace["_return_types"]))
    exec(compile(source, f"<binding of {name}>", "exec"), namespace)
    return SimpleNamespace(**{k: v for k, v in namespace.items() if not k.startswith("__")}, source=source)


def _recorder(letter: str) -> Callable[..., Any]:
    def record(*args: Any, **kwargs: Any) -> Any:
        return (letter, *args, *kwargs.items())

    return record
