"""What the functions of flow.comm are given. Everything is checked before a byte moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.errors import (
    ArgumentTypeError,
    DeviceMismatchError,
    DTypeError,
    InvalidArgumentError,
    ShapeError,
    type_name,
)
from tritonflow.framework.locality import require_local
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.grad_mode import is_grad_enabled
from tritonflow.interpreter.inplace import refuse_leaf, refuse_overlap
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank


def check_tensor(function: str, name: str, x: Any) -> Tensor:
    """A local tensor.

    Raises:
        ArgumentTypeError: it is no tensor.
        LocalityError: it is a consistent one.
    """
    if not isinstance(x, Tensor):
        raise ArgumentTypeError(f"{function}(): argument '{name}' must be tensor, not {type_name(x)}")
    require_local(f"comm.{function}", x)
    return x


def check_written(function: str, name: str, x: Any) -> Tensor:
    """A local tensor that may be written in place.

    Raises:
        InplaceError: it is a leaf that requires grad, or several of its elements share memory.
    """
    check_tensor(function, name, x)
    refuse_overlap(x.meta)
    if is_grad_enabled():
        refuse_leaf(x, x.requires_grad)
    return x


def check_rank(function: str, name: str, rank: Any, ranks: Ranks | None = None) -> int:
    """The number of a rank, in the world; one of some ranks, if these are given.

    Raises:
        ArgumentTypeError: it is no int.
        InvalidArgumentError: there is no such rank.
    """
    if isinstance(rank, bool) or not isinstance(rank, int):
        raise ArgumentTypeError(f"{function}(): argument '{name}' must be int, not {type_name(rank)}")
    size = this_rank().world_size
    if not 0 <= rank < size:
        raise InvalidArgumentError(f"{function}(): {name}={rank} is not among the {size} ranks of the world")
    if ranks is not None and rank not in ranks:
        raise InvalidArgumentError(f"{function}(): {name}={rank} is not among the ranks {list(ranks)} that take part")
    return rank


def check_list(
    function: str,
    name: str,
    tensors: Any,
    ranks: Ranks,
    like: Tensor | None = None,
    written: bool = False,
    same_shape: bool = True,
) -> list[Tensor]:
    """A list with a local tensor for each of some ranks, all of one shape, dtype and device, those of `like` if that is given.

    Args:
        written: whether they are to be written.
        same_shape: without, each may have a shape of its own.

    Raises:
        ArgumentTypeError: it is no list, or has something else than tensors.
        InvalidArgumentError: it has more or fewer tensors than there are ranks.
        ShapeError, DTypeError, DeviceMismatchError: the tensors differ.
    """
    if not isinstance(tensors, Sequence) or isinstance(tensors, (str, bytes)):
        raise ArgumentTypeError(f"{function}(): argument '{name}' must be list of tensors, not {type_name(tensors)}")
    if len(tensors) != len(ranks):
        raise InvalidArgumentError(
            f"{function}(): expected {len(ranks)} tensors in '{name}', one for each rank, got {len(tensors)}"
        )
    check = check_written if written else check_tensor
    for k, x in enumerate(tensors):
        check(function, f"{name}[{k}]", x)
        check_like(function, f"{name}[{k}]", x, tensors[0] if like is None else like, None if same_shape else x.meta.shape)
    return list(tensors)


def check_like(function: str, name: str, x: Tensor, like: Tensor, shape: tuple[int, ...] | None = None) -> None:
    """Another tensor of the same dtype and device, and of the same shape unless another one is given.

    Raises:
        ShapeError, DTypeError, DeviceMismatchError: it is not.
    """
    shape = like.meta.shape if shape is None else shape
    if x.meta.shape != shape:
        raise ShapeError(f"{function}(): expected '{name}' of size {list(shape)}, got {list(x.meta.shape)}")
    if x.dtype is not like.dtype:
        raise DTypeError(f"{function}(): expected '{name}' of dtype {like.dtype}, got {x.dtype}")
    if x.device != like.device:
        raise DeviceMismatchError(f"{function}(): expected '{name}' on {like.device}, got {x.device}")
