"""Types that the annotations of public functions name."""

from __future__ import annotations

from types import EllipsisType
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias, Union

import numpy

from tritonflow.device.device import Device
from tritonflow.framework.tensor import Tensor

if TYPE_CHECKING:
    from tritonflow.distributed.mesh import DeviceMesh
    from tritonflow.framework.placement import Placement

Scalar: TypeAlias = bool | int | float | complex
Number: TypeAlias = int | float  # what `item()` gives; a complex tensor gives a complex number
DeviceLike: TypeAlias = Device | str
PlacementLike: TypeAlias = "Placement | DeviceMesh"
Index: TypeAlias = Union[
    None, SupportsIndex, slice, EllipsisType, Tensor, "numpy.ndarray[Any, Any]", list[Any], tuple[Any, ...], range
]
