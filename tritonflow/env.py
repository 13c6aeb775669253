"""What a process knows of the ranks of its program, under OneFlow's names."""

from __future__ import annotations

from tritonflow.wire.world import this_rank

__all__ = ["get_local_rank", "get_node_size", "get_rank", "get_world_size", "is_multi_client"]


def get_rank() -> int:
    """The number of this process among all of the program, from 0.

    Source: oneflow.env.get_rank.

    Example:
        >>> import tritonflow as flow
        >>> flow.env.get_rank()
        0
    """
    return this_rank().index


def get_local_rank() -> int:
    """The number of this process among those of its machine, from 0.

    Source: oneflow.env.get_local_rank.

    Example:
        >>> import tritonflow as flow
        >>> flow.env.get_local_rank()
        0
    """
    return this_rank().local_index


def get_world_size() -> int:
    """How many processes the program has.

    Source: oneflow.env.get_world_size.

    Example:
        >>> import tritonflow as flow
        >>> flow.env.get_world_size()
        1
    """
    return this_rank().world_size


def get_node_size() -> int:
    """How many machines they run on.

    Source: oneflow.env.get_node_size.

    Example:
        >>> import tritonflow as flow
        >>> flow.env.get_node_size()
        1
    """
    return this_rank().nodes


def is_multi_client() -> bool:
    """Whether every process runs the program: always.

    Source: oneflow.env.is_multi_client.

    Example:
        >>> import tritonflow as flow
        >>> flow.env.is_multi_client()
        True
    """
    return True
