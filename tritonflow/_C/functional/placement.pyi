# Generated from op_registry.yaml by `python tritonflow/registry/generate.py`; do not edit.
# fmt: off
# ruff: noqa: I001
from collections.abc import Callable, Sequence
from typing import Any
from tritonflow.distributed.mesh import DeviceMesh
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import Sbp
from tritonflow.framework.tensor import Tensor

_methods: dict[str, Callable[..., Any]]

def to_global(input: Tensor, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None, *,
        grad_sbp: Sbp | Sequence[Sbp] | None = None, check_meta: bool | None = None, copy: bool = False,
        out: Tensor | None = None) -> Tensor: ...
def to_local(input: Tensor, *, grad_sbp: Sbp | Sequence[Sbp] | None = None, copy: bool = False,
        out: Tensor | None = None) -> Tensor: ...
def local_to_global(input: Tensor, placement: Placement | DeviceMesh, sbp: Sbp | Sequence[Sbp],
        shape: Sequence[int] | None = None, *, grad_sbp: Sbp | Sequence[Sbp] | None = None, check_meta: bool | None = None,
        copy: bool = False, out: Tensor | None = None) -> Tensor: ...
def global_to_global(input: Tensor, placement: Placement | DeviceMesh | None = None, sbp: Sbp | Sequence[Sbp] | None = None, *,
        grad_sbp: Sbp | Sequence[Sbp] | None = None, check_meta: bool = False, copy: bool = False,
        out: Tensor | None = None) -> Tensor: ...
