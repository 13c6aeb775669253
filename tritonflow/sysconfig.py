"""What the runtime was built with, under OneFlow's names."""

from __future__ import annotations

from tritonflow.device import torch_cuda
from tritonflow.wire.world import this_rank

__all__ = ["get_cuda_version", "has_rpc_backend_grpc", "with_cuda"]


def has_rpc_backend_grpc() -> bool:
    """Whether processes exchange messages: where there are several.

    Source: oneflow.sysconfig.has_rpc_backend_grpc.

    Example:
        >>> import tritonflow as flow
        >>> flow.sysconfig.has_rpc_backend_grpc()
        False
    """
    return this_rank().world_size > 1


def with_cuda() -> bool:
    """Whether kernels can be compiled for NVIDIA GPUs, whether there is one or not.

    Source: oneflow.sysconfig.with_cuda.

    Example:
        >>> import tritonflow as flow
        >>> isinstance(flow.sysconfig.with_cuda(), bool)
        True
    """
    return torch_cuda.runtime.is_built()


def get_cuda_version() -> int:
    """0: there is no CUDA library in the runtime.

    Source: oneflow.sysconfig.get_cuda_version.

    Example:
        >>> import tritonflow as flow
        >>> flow.sysconfig.get_cuda_version()
        0
    """
    return 0
