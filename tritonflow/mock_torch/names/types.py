"""`torch.types`: names for annotations."""

import builtins
import os
from collections.abc import Sequence
from typing import Any, Union

import tritonflow as flow

Device = Union[flow.device, str, int, None]  # noqa: UP007
DeviceLikeType = Union[str, flow.device, int]  # noqa: UP007
FileLike = Union[str, os.PathLike, Any]  # noqa: UP007
Number = Union[builtins.int, builtins.float, builtins.bool]  # noqa: UP007
Storage = Any
Tensor = flow.Tensor
_TensorOrTensors = Union[flow.Tensor, Sequence[flow.Tensor]]  # noqa: UP007
_bool, _complex, _device, _dtype, _float, _int = (
    builtins.bool,
    complex,
    flow.device,
    flow.dtype,
    builtins.float,
    builtins.int,
)
_layout, _qscheme, _size, _dispatchkey = Any, Any, Union[flow.Size, Sequence[builtins.int]], str  # noqa: UP007
