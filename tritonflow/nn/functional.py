"""The functions behind the layers, under torch's names: `flow.nn.functional.relu(x)`.

Every op that the registry exports here is available as it is; what is made of several ops is defined below.
"""

from __future__ import annotations

from typing import Any

from tritonflow import _C

globals().update({name: getattr(_C, name) for name in _C.EXPORTS["nn.functional"]})


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module 'tritonflow.nn.functional' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(n for n in globals() if not n.startswith("_"))
