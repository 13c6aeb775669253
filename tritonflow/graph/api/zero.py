"""ZeRO in a training graph: parameters, gradients and states of optimizers are split over the ranks that would have copies of them.

    before the capture    weight B            ->  weight S(0), and its states
    in the program        weight S(0) -> B,   which the modules compute with; its gradient P -> S(0); the step on S(0)
    behind `build`        weight B -> S(0),   where it wrote the whole one

So the program has the collectives of ZeRO by itself, and adds as plain data parallelism does. The method is that of Rajbhandari and
others, 2020 (https://arxiv.org/abs/1910.02054).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from itertools import groupby
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.errors import CaptureError, LocalityError
from tritonflow.framework.module_version import module_version
from tritonflow.framework.sbp import NdSbp, split
from tritonflow.framework.tensor import Tensor
from tritonflow.nn import Module
from tritonflow.nn.utils.stateless import replaced
from tritonflow.optim import Optimizer
from tritonflow.thread_state import thread_state
from tritonflow.wire.world import this_rank


class Zero(NamedTuple):
    """What `GraphConfig.enable_zero` was given."""

    stage: int
    shard_min_size: int
    shard_restore_level: int


class _Share(NamedTuple):
    """A parameter that was split.

    Attributes:
        parameter: it.
        meta: what it became.
        sbp: how it lay.
    """

    parameter: Tensor
    meta: Any
    sbp: NdSbp


class WholeParameter(Tensor):
    """A parameter as `build` has it: gathered from the shares.

    Its gradient is that of the parameter, so `build` may clip it. It counts as a leaf, so autocast casts it once.

    Args:
        parameter: in shares.
        sbp: how it lies when it is whole.
    """

    __slots__ = ()
    __class__ = Tensor  # type: ignore[assignment] # as Parameter's

    def __init__(self, parameter: Tensor, sbp: NdSbp) -> None:
        whole = _C.to_global(parameter, sbp=sbp)
        super().__init__(whole.meta, whole.impl, whole.ptr)
        self._node, self._output_nr = whole._node, whole._output_nr
        self._gather_node = whole._node
        self.parameter, self._gathered = parameter, (whole.meta, whole.impl, whole.impl.version)

    @property
    def is_leaf(self) -> bool:
        """Whether no op has changed it since it was gathered."""
        return self._node is self._gather_node

    @property
    def grad(self) -> Any:
        """The gradient of the shares: a tensor of the same shape, which lies as they do."""
        return self.parameter.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        self.parameter.grad = value

    def leave(self) -> None:
        """Give the shares what was written since it was gathered, and be a tensor as others are: it may be a result.

        Raises:
            CaptureError: it was given other memory.
        """
        meta, impl, version = self._gathered
        if self.impl is not impl or self.meta is not meta:
            raise CaptureError(
                f"build() sets `data` of a parameter of shape {tuple(meta.shape)}, of which enable_zero() has shares: write into it"
                " with copy_(), or convert the module outside"
            )
        if impl.version != version:
            with no_grad():
                self.parameter.copy_(_C.to_global(self.detach(), sbp=self.parameter.meta.sbp))  # type: ignore[attr-defined]
        object.__dict__["__class__"].__set__(self, Tensor)


class Shares:
    """The parameters that a graph has split. They stay so behind it."""

    def __init__(self) -> None:
        self._shares: list[_Share] = []
        self._known: list[tuple[Tensor, Any]] = []  # parameters, and the metas that they were left with

    def lay_out(self, name: str, optimizers: Sequence[Optimizer], zero: Zero) -> None:
        """Split the parameters of optimizers, and their states, that are not split yet. Outside of captures, on all ranks.

        Args:
            name: of the graph.
            optimizers: its optimizers.
            zero: what is wanted.

        Raises:
            LocalityError: a parameter is local, and there are several ranks; nothing was split.
        """
        found = [(o, p) for o in optimizers for group in o.param_groups for p in group["params"]]
        if len(found) == len(self._known) and all(p is q and p.meta is meta for (_, p), (q, meta) in zip(found, self._known)):
            return
        local = [p for _, p in found if p.meta.is_local]
        if local and this_rank().world_size > 1:
            raise LocalityError(
                f"{name}: enable_zero() splits the states of parameters over their ranks, and {len(local)} parameters are local,"
                f" the first of shape {tuple(local[0].shape)}; help: module.to_global(placement, flow.sbp.broadcast)"
            )
        self._shares = [share for share in self._shares if share.parameter.meta is share.meta]
        with no_grad():
            for optimizer, p in found:
                sbp = None if p.meta.is_local else split_sbp(p.meta, zero.shard_min_size)
                if sbp is not None:
                    self._shares.append(_split(p, sbp, optimizer.state.get(p, {})))
        module_version.advance()
        self._known = [(p, p.meta) for _, p in found]

    @contextmanager
    def whole(self, modules: Mapping[str, Module], again: bool) -> Iterator[None]:
        """A block in a capture in which modules compute with parameters as they lay before.

        Their gradients go to the shares, and so does what is written.

        Args:
            modules: by name.
            again: whether a backward may gather the parameters again. Those of one layer come together.
        """
        layers = {id(p): f"{name}.{path}".rpartition(".")[0] for name, m in modules.items() for path, p in m.named_parameters()}
        gathered: dict[int, WholeParameter] = {}
        for layer, shares in groupby(self._shares, lambda share: layers[id(share.parameter)]):
            with thread_state.observer.over_ranks.gathering(layer if again else ""):
                gathered.update((id(share.parameter), WholeParameter(share.parameter, share.sbp)) for share in shares)
        with ExitStack() as blocks:
            for module in modules.values():
                named = module.named_parameters(remove_duplicate=False)
                blocks.enter_context(replaced(module, {path: gathered[id(p)] for path, p in named if id(p) in gathered}))
            yield
        for each in gathered.values():
            each.leave()


def split_sbp(meta: Any, least: int) -> NdSbp | None:
    """How a parameter lies over its ranks where one dimension of the placement more splits it; None if it stays as it is.

    What is broadcast over the whole placement is split by rows over the last dimension. Otherwise the first dimension that
    broadcasts, beside one that splits, splits as that does.

    Args:
        meta: of the parameter.
        least: a share has at least so many elements.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.graph.api.zero import split_sbp
        >>> everyone = flow.placement.all("cpu")
        >>> split_sbp(flow.ones(6, 4, placement=everyone, sbp=flow.sbp.broadcast).meta, least=1)  # one rank has nothing to share
    """
    sbp, sizes = list(meta.sbp), meta.placement.shape
    if all(one.is_broadcast for one in sbp):
        position, one = len(sbp) - 1, split(0)
    else:
        beside = [(k, j) for k, found in enumerate(sbp) if found.is_broadcast for j in (k - 1, k + 1) if 0 <= j < len(sbp)]
        fitting = [(k, sbp[j]) for k, j in beside if sbp[j].is_split]
        if not fitting:
            return None
        position, one = fitting[0]
    sbp[position] = one
    shape = list(meta.shape)
    for found, size in zip(sbp, sizes):
        if found.is_split:
            if found.dim >= len(shape):
                return None
            shape[found.dim] //= size  # the smallest share
    count = 1
    for n in shape:
        count *= n
    return tuple(sbp) if sizes[position] > 1 and count >= least else None


def _split(p: Any, sbp: NdSbp, state: dict[str, Any]) -> _Share:
    before: NdSbp = p.meta.sbp
    for name, value in state.items():
        if isinstance(value, Tensor) and value.meta.shape == p.meta.shape:
            state[name] = value.to_global(p.meta.placement, sbp)  # type: ignore[attr-defined]
    grad = p.grad
    p.data = p.detach().to_global(sbp=sbp)
    p.grad = None if grad is None else grad.to_global(sbp=sbp)
    return _Share(p, p.meta, before)
