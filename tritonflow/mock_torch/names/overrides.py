"""`torch.overrides`, beside `flow.overrides`: modes, which see every call, are refused."""

from __future__ import annotations

import contextlib
from typing import Any

from tritonflow.errors import NotYetImplementedError
from tritonflow.overrides import has_torch_function_unary, has_torch_function_variadic  # noqa: F401


class TorchFunctionMode:
    """A mode that would see every call; entering one is refused."""

    def __enter__(self) -> Any:
        raise NotYetImplementedError(
            f"{type(self).__name__}: modes of __torch_function__ are not in tritonflow; help: for dtypes and devices there are"
            " set_default_dtype() and `with torch.device(...)`"
        )

    def __exit__(self, *error: object) -> None:
        return None


def _no_mode() -> Any:
    return contextlib.nullcontext()


enable_reentrant_dispatch = _no_mode
