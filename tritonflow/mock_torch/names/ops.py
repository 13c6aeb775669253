"""`torch.ops`: ops that a program defined by `torch.library`; torch's own have no other names here than the public ones."""

from __future__ import annotations

from typing import Any

from tritonflow import library
from tritonflow.mock_torch import torchvision_ops
from tritonflow.mock_torch.missing import missing, missing_error
from tritonflow.nn.functional import grouped_mm

loaded_libraries: set[str] = set()
# Ops of packages that are ours under another name: the package's own reads sizes of groups on the host.
_HAD = {"transformers::grouped_mm_fallback": grouped_mm}


def load_library(path: str) -> None:
    """Refused but for torchvision's, whose ops for detection and images we have: a library of C++ ops calls torch.

    Raises:
        OSError: it is another library.
    """
    if torchvision_ops.is_library(path):
        torchvision_ops.define_ops(path)
        loaded_libraries.add(path)
        return
    raise OSError(f"{path}: a C++ library of ops for torch cannot be loaded into tritonflow")


class AtenOp(str):
    """The name of an op of torch's own, by which `FlopCounterMode` counts; calling it is an error."""

    def __getattr__(self, name: str) -> AtenOp:
        """The op: overloads, such as `default`, are not told apart."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __call__(self, *args: Any, **options: Any) -> Any:
        raise missing_error(f"torch.ops.{self}")


class OpNamespace:
    """The ops of a namespace, such as `torch.ops.mine`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if self.name == "aten":
            return AtenOp(f"aten.{name}")
        full = f"{self.name}::{name}"
        found = _HAD.get(full) or library.find_op(full)
        return missing(f"torch.ops.{self.name}.{name}") if found is None else found

    def __repr__(self) -> str:
        return f"<torch.ops.{self.name}, of tritonflow>"


def any_name(name: str) -> OpNamespace | None:
    """What a name is that this file does not have."""
    return None if name.startswith("_") else OpNamespace(name)
