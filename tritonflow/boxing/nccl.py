"""OneFlow's settings of its own NCCL transport, for programs that have them. They do nothing here.

torch.distributed carries the bytes of all collectives, and no result depends on how. So there is nothing to fuse, and no stream to choose.

Example:
    >>> import tritonflow as flow
    >>> flow.boxing.nccl.enable_use_compute_stream(True)
    >>> flow.boxing.nccl.set_fusion_threshold_mbytes(16)
"""

from __future__ import annotations

from tritonflow.errors import ArgumentTypeError, type_name

__all__ = [
    "allow_fuse_all_gather", "allow_fuse_all_reduce", "allow_fuse_broadcast", "allow_fuse_mixed_ops", "allow_fuse_reduce",
    "allow_fuse_reduce_scatter", "disable_group_boxing_by_dst_parallel", "enable_all_to_all", "enable_use_buffer_to_fuse_all_reduce",
    "enable_use_compute_stream", "set_fusion_max_ops_num", "set_fusion_threshold_mbytes", "set_stream_num",
]  # fmt: skip


def _require(kind: type, name: str, value: object) -> None:
    if type(value) is not kind:
        raise ArgumentTypeError(f"flow.boxing.nccl.{name}(): expected {kind.__name__}, not {type_name(value)}")


def set_fusion_threshold_mbytes(value: int) -> None:
    """Do nothing: in OneFlow up to how many megabytes are sent at once."""
    _require(int, "set_fusion_threshold_mbytes", value)


def set_fusion_max_ops_num(value: int) -> None:
    """Do nothing: in OneFlow how many collectives are sent at once."""
    _require(int, "set_fusion_max_ops_num", value)


def set_stream_num(value: int) -> None:
    """Do nothing: in OneFlow how many streams collectives have."""
    _require(int, "set_stream_num", value)


def allow_fuse_all_reduce(value: bool = True) -> None:
    """Do nothing: in OneFlow whether several of these collectives are sent at once."""
    _require(bool, "allow_fuse_all_reduce", value)


def allow_fuse_reduce_scatter(value: bool = True) -> None:
    """Do nothing: in OneFlow whether several of these collectives are sent at once."""
    _require(bool, "allow_fuse_reduce_scatter", value)


def allow_fuse_all_gather(value: bool = True) -> None:
    """Do nothing: in OneFlow whether several of these collectives are sent at once."""
    _require(bool, "allow_fuse_all_gather", value)


def allow_fuse_reduce(value: bool = True) -> None:
    """Do nothing: in OneFlow whether several of these collectives are sent at once."""
    _require(bool, "allow_fuse_reduce", value)


def allow_fuse_broadcast(value: bool = True) -> None:
    """Do nothing: in OneFlow whether several of these collectives are sent at once."""
    _require(bool, "allow_fuse_broadcast", value)


def allow_fuse_mixed_ops(value: bool = True) -> None:
    """Do nothing: in OneFlow whether collectives of different kinds are sent at once."""
    _require(bool, "allow_fuse_mixed_ops", value)


def enable_use_buffer_to_fuse_all_reduce(value: bool = True) -> None:
    """Do nothing: in OneFlow whether sums that are sent at once are copied to one buffer."""
    _require(bool, "enable_use_buffer_to_fuse_all_reduce", value)


def enable_all_to_all(value: bool = True) -> None:
    """Do nothing: in OneFlow whether NCCL's own all-to-all is called."""
    _require(bool, "enable_all_to_all", value)


def enable_use_compute_stream(value: bool = True) -> None:
    """Do nothing: in OneFlow whether collectives are on the stream of kernels."""
    _require(bool, "enable_use_compute_stream", value)


def disable_group_boxing_by_dst_parallel(value: bool = True) -> None:
    """Do nothing: in OneFlow whether moves of one tensor to several layouts are one move."""
    _require(bool, "disable_group_boxing_by_dst_parallel", value)
