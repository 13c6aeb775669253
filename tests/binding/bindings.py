"""Generated bindings of small registries, run against functors that only record their arguments."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tritonflow.binding.signature import snake
from tritonflow.device.device import Device
from tritonflow.dtypes import float32
from tritonflow.framework.meta import contiguous_meta
from tritonflow.framework.tensor import Tensor
from tritonflow.registry.emit import binding
from tritonflow.registry.project import Functor, Project
from tritonflow.registry.schema import parse_entries

_numbers = itertools.count()


def make_tensor(*shape: int) -> Tensor:
    """A tensor without memory, which prints without numbers as lazy ones do."""
    return Tensor(contiguous_meta(shape, float32, Device("cpu")), SimpleNamespace(is_lazy=True), 0)


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
    source = re.sub(r"^from tritonflow\.(_C|functions)\b.*\n(  .*\n)*", "", source, flags=re.MULTILINE)
    namespace: dict[str, Any] = {"__name__": "generated", "_return_types": SimpleNamespace()}
    namespace |= {f"_{snake(name)}": _recorder(functor.function) for name, functor in functors.items()}
    exec(binding.emit_return_types(Project(entries, {}, functors)), vars(namespace["_return_types"]))
    exec(compile(source, f"<binding of {name}>", "exec"), namespace)
    return SimpleNamespace(**{k: v for k, v in namespace.items() if not k.startswith("__")}, source=source)


def _recorder(letter: str) -> Callable[..., Any]:
    def record(*args: Any, **kwargs: Any) -> Any:
        return (letter, *args, *kwargs.items())

    return record
