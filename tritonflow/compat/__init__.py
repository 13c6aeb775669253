"""Names that programs written for OneFlow import: some are elsewhere here, some mean nothing here.

`install` adds them to the package as modules, such as `flow.env` and `flow._oneflow_internal`. A module or name of tritonflow that
exists already stays as it is. Functions and layers that only OneFlow has are imported at their first use. Nothing in tritonflow
uses them.
"""

from __future__ import annotations

import builtins
import contextlib
import importlib
import os
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from types import ModuleType
from typing import Any

from tritonflow import _C, nn
from tritonflow.compat import functional_names
from tritonflow.compat.args_tree import ArgsTree, NamedArg
from tritonflow.compat.local_collectives import FUNCTIONS as LOCAL_COLLECTIVES
from tritonflow.device import torch_cuda
from tritonflow.framework import tensor as tensor_module
from tritonflow.framework.shards import balanced
from tritonflow.framework.tensor import Tensor
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank

ROOT = "tritonflow"


class TensorTuple(list[Any]):
    """A list of tensors, which is what an op with several results returns in OneFlow."""


class lazy_mode:
    """Asked by modules whether a graph is being captured."""

    @staticmethod
    def is_enabled() -> bool:
        """Whether this thread captures one."""
        return thread_state.lazy is not None


class GraphTensor:
    """OneFlow's view of a parameter for the stages of a pipeline; programs import it, and nothing gives one here."""


class AsyncThread:
    """OneFlow's name for a worker on which ops may be issued. Here the VM orders ops by what they read and write."""


@contextlib.contextmanager
def on_thread(thread: AsyncThread) -> Iterator[None]:
    """OneFlow's block whose ops are issued on a worker: here an ordinary block."""
    yield


def _get_rank() -> int:
    return this_rank().index


def _get_local_rank() -> int:
    return this_rank().local_index


def _get_world_size() -> int:
    return this_rank().world_size


def _get_node_size() -> int:
    return this_rank().nodes


def _cpu_broadcast(data: bytes | None, source: int) -> bytes:
    """The bytes that rank `source` gives, on every rank of the world."""
    world = this_rank().world_size
    if world == 1:
        return data or b""
    from tritonflow.wire.verbs import control_gather  # programs on one rank need no wire

    return control_gather(tuple(range(world)), data or b"", "cpu_broadcast")[source]


def _balanced_ranges(total: int, part_size: int) -> list[tuple[int, int]]:
    """Where each of so many pieces begins and ends, whose sizes differ by one at most."""
    return [balanced(total, part_size, k) for k in range(part_size)]


def _balanced_sizes(total: int, part_size: int) -> list[int]:
    return [stop - start for start, stop in _balanced_ranges(total, part_size)]


def parse_boolean_from_env(env_var: str, default: bool) -> bool:
    """Whether an environment variable says yes; `default` where it is not set."""
    text = os.environ.get(env_var)
    return default if text is None else text.lower() in ("1", "true", "yes", "on", "y")


def _sync() -> None:
    importlib.import_module(ROOT).sync()


def _several_ranks() -> bool:
    return this_rank().world_size > 1


def _with_cuda() -> bool:
    return torch_cuda.runtime.is_built()


def _get_cuda_version() -> int:
    return 0


def _is_multi_client() -> bool:
    return True


def _init_method(name: str) -> Callable[..., Tensor]:
    """`Tensor.xavier_normal_` and the like: the function of nn.init."""
    function = getattr(nn.init, name)

    @wraps(function)
    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        return function(self, *args, **kwargs)

    return method


def contiguous_(self: Tensor) -> Tensor:
    """Move the elements of this tensor to memory in which they lie without gaps; views of the memory before keep that.

    Source: oneflow.Tensor.contiguous_.

    Example:
        >>> import tritonflow as flow
        >>> flow.ones(2, 3).T.contiguous_().is_contiguous()
        True
    """
    self.data = self.detach().contiguous()
    return self


def _functional(name: str) -> Any:
    """A function of nn.functional that only OneFlow has."""
    if name in ("ctc_greedy_decoder", "sparse_softmax_cross_entropy"):
        return getattr(_C, name)
    if name == "deform_conv2d":
        return importlib.import_module(f"{ROOT}.compat.deform_conv").deform_conv2d
    raise AttributeError(f"module 'tritonflow.nn.functional' has no attribute {name!r}")


# Layers of compat/layers.py, which `nn` imports at their first use.
LAYERS = ("CombinedMarginLoss", "FusedBatchNorm1d", "FusedBatchNorm2d", "FusedBatchNorm3d", "FusedMLP", "RMSLayerNorm")
METHODS: dict[str, Callable[..., Tensor]] = {"contiguous_": contiguous_} | {
    name: _init_method(name)
    for name in ("kaiming_normal_", "kaiming_uniform_", "orthogonal_", "trunc_normal_", "xavier_normal_", "xavier_uniform_")
}
MODULES: dict[str, dict[str, Any]] = {
    "_C": LOCAL_COLLECTIVES,
    "_oneflow_internal": {"Tensor": Tensor, "TensorTuple": TensorTuple, "_C": _C, "cpu_broadcast": _cpu_broadcast},
    "_oneflow_internal.eager": {"Sync": _sync},
    "_oneflow_internal.eager.multi_client": {"Sync": _sync},
    "_oneflow_internal.exception": {"Exception": builtins.Exception},
    "_oneflow_internal.flags": {"with_cuda": _with_cuda},
    "asyncs": {"Thread": AsyncThread, "thread": on_thread},
    "backends": {},
    "backends.cudnn": {"deterministic": True, "benchmark": False, "enabled": False},
    "env": {
        "get_rank": _get_rank,
        "get_local_rank": _get_local_rank,
        "get_world_size": _get_world_size,
        "get_node_size": _get_node_size,
        "is_multi_client": _is_multi_client,
    },
    "framework.balanced_splitter": {"BalancedPartNums": _balanced_sizes, "BalancedRanges": _balanced_ranges},
    "framework.args_tree": {"ArgsTree": ArgsTree, "NamedArg": NamedArg},
    "framework.graph_build_util": {"lazy_mode": lazy_mode},
    "framework.scope_util": {},
    "nn.graph": {"GraphTensor": GraphTensor},
    "nn.graph.util": {"ArgsTree": ArgsTree, "NamedArg": NamedArg},
    "support": {},
    "support.env_var_util": {"parse_boolean_from_env": parse_boolean_from_env},
    "sysconfig": {"has_rpc_backend_grpc": _several_ranks, "with_cuda": _with_cuda, "get_cuda_version": _get_cuda_version},
}


def install() -> None:
    """Add the modules and names of `MODULES` to the package."""
    for path, names in MODULES.items():
        module = _module(path)
        for name, value in names.items():
            if not hasattr(module, name):
                setattr(module, name, value)
    nn.functional.__getattr__ = _functional  # type: ignore[method-assign]
    _C.__getattr__ = functional_names.find  # type: ignore[method-assign]
    if not hasattr(tensor_module, "TensorTuple"):
        tensor_module.TensorTuple = TensorTuple  # type: ignore[attr-defined]


def _module(path: str) -> ModuleType:
    """The submodule of ours at a dotted path, made if there is none."""
    full = f"{ROOT}.{path}"
    if full not in sys.modules:
        parent, _, name = full.rpartition(".")
        existing = getattr(sys.modules[parent], name, None)
        module = existing if isinstance(existing, ModuleType) else ModuleType(full, "For programs written for OneFlow.")
        sys.modules[full] = module
        setattr(sys.modules[parent], name, module)
    module = sys.modules[full]
    if not hasattr(module, "__path__"):
        module.__path__ = []  # a package, so that `import` looks for what is below it
    return module
