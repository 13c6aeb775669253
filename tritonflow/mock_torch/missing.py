"""What stands for a name of torch that tritonflow lacks: it can be imported, subclassed and named, and raises when it is used."""

from __future__ import annotations

import sys
from abc import ABCMeta
from typing import Any

from tritonflow.errors import MissingNameError

_NO_NAMES = object()


class MissingName(ABCMeta):
    """The class of the stand-ins. A stand-in is a class, so that it can be a base class and a part of an annotation."""

    torch_name: str
    real: Any

    def __call__(cls, *args: Any, **options: Any) -> Any:
        raise missing_error(cls.torch_name)

    def __bool__(cls) -> bool:
        if "torch_name" in cls.__dict__:
            raise missing_error(cls.torch_name)
        return True  # a subclass that a program defines

    def __getitem__(cls, item: Any) -> Any:
        return cls  # Name[int] in an annotation

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("__") or "torch_name" not in cls.__dict__:
            raise AttributeError(f"type object {cls.__name__!r} has no attribute {name!r}")
        if cls.real is not _NO_NAMES and not hasattr(cls.real, name):
            raise AttributeError(f"{cls.torch_name} has no attribute {name!r}")
        return missing(f"{cls.torch_name}.{name}", getattr(cls.real, name, _NO_NAMES))

    def __repr__(cls) -> str:
        if "torch_name" in cls.__dict__:
            return f"<{cls.torch_name}, which tritonflow lacks>"
        return super().__repr__()


def missing(torch_name: str, real: Any = _NO_NAMES) -> MissingName:
    """A stand-in for a name such as `torch.linalg.svd`; `real` is what torch has there, if that is known."""
    module, _, name = torch_name.rpartition(".")
    stand_in = MissingName(name, (), {"torch_name": torch_name, "__module__": module})
    type.__setattr__(stand_in, "real", real)  # behind: ABCMeta asks the values of a class that it makes for attributes
    return stand_in


def missing_error(torch_name: str) -> MissingNameError:
    """The error that a use of the name raises; it names the line that uses it."""
    frame = sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__") in (__name__, "abc"):
        frame = frame.f_back
    return MissingNameError(
        f"{torch_name} is not in tritonflow, which runs in torch's place here (flow.mock_torch). It is used at"
        f" {frame.f_code.co_filename}:{frame.f_lineno}. help: `python -m tritonflow.mock_torch --report PATH` lists all"
        " names that a program misses; a function of your own can be set instead, as an attribute of torch's module"
    )
