"""ZeRO: each rank holds and updates the optimizer's states of its own rows only (Rajbhandari and others, 2020)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.autograd import enable_grad, no_grad
from tritonflow.boxing.views import whole
from tritonflow.comm.groups import GroupLike, members
from tritonflow.errors import (
    ArgumentTypeError,
    ArgumentValueError,
    InvalidArgumentError,
    NotYetImplementedError,
    type_name,
)
from tritonflow.framework.consistent_meta import ConsistentTensorMeta
from tritonflow.framework.locality import require_local
from tritonflow.framework.placement import Placement
from tritonflow.framework.sbp import split
from tritonflow.framework.tensor import Tensor
from tritonflow.interpreter.shard import from_local
from tritonflow.nn.parallel.buckets import buckets_of
from tritonflow.nn.parallel.join import Joinable
from tritonflow.nn.parallel.packed_rows import PackedRows, even_rows
from tritonflow.nn.parallel.reducer import GradBucket, Reducer, reducer_of
from tritonflow.nn.parameter import Parameter
from tritonflow.optim.dealt_states import DealtStates
from tritonflow.optim.optimizer import Closure, Group, Optimizer, Params
from tritonflow.thread_state import thread_state
from tritonflow.wire.record import Ranks
from tritonflow.wire.world import this_rank

_BUCKET_BYTES = 25 << 20


class ZeroRedundancyOptimizer(Optimizer, Joinable):
    """An optimizer whose states are dealt out to the ranks of `DistributedDataParallel`: each has 1/n of them.

    A step updates this rank's rows of each parameter, and gets the other rows from the other ranks. Weights have the same bits as
    without it.

    Of optimizers that update each element for itself, as AdamW does, each rank has an equal share of the rows of each parameter:
    a consistent tensor that is split(0). Others, as Muon, need whole matrices: each parameter then belongs to one rank, the
    largest ones first, each to the rank that has least.

    Args:
        params: parameters of modules that are wrapped by `DistributedDataParallel`, or groups of them.
        optimizer_class: what makes the updates, as `flow.optim.AdamW`.
        process_group: the ranks; those of the wrapper.
        parameters_as_bucket_view: accepted and ignored: rows are views of the parameters in any case.
        overlap_with_ddp: not supported.
        stage: with 1 gradients are whole on every rank. With 2 backward leaves each rank its rows of the averages, and frees the
            rest: `p.grad` is a consistent tensor, split(0). A step then sends a third less bytes.
        defaults: options of the optimizer.

    Attributes:
        optim: the optimizer of this rank's rows, or parameters.

    Raises:
        TypeError: `optimizer_class` is no class.
        ValueError: `stage` is neither 1 nor 2.
        RuntimeError: a parameter's gradient is averaged by no wrapper, or by one of other ranks; or with stage 2 the optimizer
            needs whole matrices, or the wrapper has a hook or `gradient_as_bucket_view`.
        LocalityError: a parameter is consistent.
        NotImplementedError: `overlap_with_ddp` is set.

    Source: torch.distributed.optim.ZeroRedundancyOptimizer.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))  # in a world of one rank
        >>> optimizer = flow.optim.ZeroRedundancyOptimizer(model.parameters(), flow.optim.AdamW, lr=0.1)
        >>> model(flow.ones(4, 2)).sum().backward()
        >>> optimizer.step()
        >>> [state["exp_avg"].sbp for state in optimizer.optim.state.values()]
        [(tritonflow.sbp.split(dim=0),), (tritonflow.sbp.split(dim=0),)]
    """

    def __init__(
        self,
        params: Params,
        optimizer_class: Callable[..., Any],
        process_group: GroupLike = None,
        parameters_as_bucket_view: bool = False,
        overlap_with_ddp: bool = False,
        *,
        stage: int = 1,
        **defaults: Any,
    ) -> None:
        if not isinstance(optimizer_class, type):
            given = type_name(optimizer_class)
            raise ArgumentTypeError(f"ZeroRedundancyOptimizer(): argument 'optimizer_class' must be a class, not {given}")
        if stage not in (1, 2):
            raise ArgumentValueError(f"ZeroRedundancyOptimizer(): expected stage 1 or 2, got {stage!r}")
        if overlap_with_ddp:
            raise NotYetImplementedError("ZeroRedundancyOptimizer(): overlap_with_ddp=True is not supported; help: stage=2")
        groups = _groups(params)
        found = [p for group in groups for p in group["params"]]
        reducers = _check(found)
        self._ranks = reducers[0].ranks if reducers else members("ZeroRedundancyOptimizer", process_group)
        _check_ranks(self._ranks, reducers, process_group)
        deals_rows = bool(getattr(optimizer_class, "_updates_elements", False))
        shares = _RowShares if deals_rows else _WholeShares
        self._buckets = [shares(self._ranks, bucket) for bucket in buckets_of(found, _BUCKET_BYTES, float("inf"))]
        self._dealt: DealtStates | None = None
        if not deals_rows:
            owners = {id(p): owner for bucket in self._buckets for p, owner in zip(bucket.params, bucket.owners)}  # type: ignore[union-attr]
            self._dealt = DealtStates(self._ranks, [owners[id(p)] for p in found], found)
        self._piece_of = {id(p): piece for bucket in self._buckets for p, piece in zip(bucket.params, bucket.pieces)}
        pieces = [{**group, "params": self._pieces(group["params"])} for group in groups]
        self.optim = optimizer_class(iter(pieces), **defaults)
        super().__init__(groups, self.optim.defaults)
        self._share_options()
        if stage == 2:
            _begin_stage_2(optimizer_class, deals_rows, reducers, self._buckets)

    def _pieces(self, params: Sequence[Tensor]) -> list[Tensor]:
        found = [self._piece_of[id(p)] for p in params]
        return [piece for piece in found if piece is not None]

    @property
    def _reads_found_inf(self) -> bool:  # type: ignore[override]
        return bool(getattr(self.optim, "_reads_found_inf", False))

    def _share_options(self) -> None:
        """The options of the groups, which schedulers and users change, are those of the rows' groups."""
        for own, inner in zip(self.param_groups, self.optim.param_groups):
            own.update({key: value for key, value in inner.items() if key != "params" and key not in own})
            inner.update({key: value for key, value in own.items() if key not in ("params", "param_names")})

    def add_param_group(self, param_group: Group) -> None:
        """Only while it is made: rows are dealt out once.

        Raises:
            NotImplementedError: it is made already.
        """
        if hasattr(self, "_buckets") and len(self.param_groups) == len(self.optim.param_groups):
            raise NotYetImplementedError("ZeroRedundancyOptimizer: add_param_group is not supported once it is made")
        super().add_param_group(param_group)

    def step(self, closure: Closure | None = None) -> Any:
        """Update this rank's rows and get those of the others. All ranks call it.

        Args:
            closure: as of other optimizers.

        Returns:
            The closure's result, or None.

        Raises:
            RuntimeError: it is captured: the ranks would exchange rows once, while a program is made.
        """
        thread_state.observer.forbid("ZeroRedundancyOptimizer exchanges rows outside of programs: step it there")
        loss = None
        if closure is not None:
            with enable_grad():
                loss = closure()
        self.announce("step")
        self._step_rows()
        return loss

    def _step_rows(self) -> None:
        self._share_options()
        with no_grad():
            for bucket in self._buckets:
                bucket.take_gradients()
            self.optim.found_inf = self.found_inf
            try:
                self.optim.step()
            finally:
                self.optim.found_inf = None
            for bucket in self._buckets:
                bucket.drop_gradients()
                bucket.share()

    # --------------------------------------------------------------------------------------------------- checkpoints

    def state_dict(self) -> dict[str, Any]:
        """In a plain optimizer's layout. States are consistent tensors, split(0), whose `full()` is whole. All ranks call it."""
        self._share_options()
        found = self.optim.state_dict()
        if self._dealt is not None:
            numbers = self._stepped_here()
            states = self._dealt.spread({numbers[k]: state for k, state in found["state"].items()})
            return {**super().state_dict(), "state": states}
        for number in self._scalars():
            state = found["state"].get(number, {})
            found["state"][number] = {name: x if name in self.optim._number_names else x.reshape(()) for name, x in state.items()}
        return found  # type: ignore[no-any-return]

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take over what `state_dict` gave, or that of a plain optimizer with whole states, on every rank. All ranks call it.

        Raises:
            ValueError: it is of other parameters.
        """
        states = dict(state_dict["state"])
        if self._dealt is not None:
            self._load_dealt(state_dict, self._dealt)
            return
        for number in self._scalars():
            state = states.get(number, {})
            states[number] = {name: x if name in self.optim._number_names else x.reshape(1) for name, x in state.items()}
        self.optim.load_state_dict({**state_dict, "state": states})
        self._take_options()

    def _scalars(self) -> list[int]:
        """The numbers of parameters without dimensions, which are stepped as one row."""
        params = [p for group in self.param_groups for p in group["params"]]
        return [number for number, p in enumerate(params) if not p.ndim]

    def _stepped_here(self) -> list[int]:
        """The numbers of the parameters that are dealt to this rank, in the order in which its optimizer has them."""
        params = [p for group in self.param_groups for p in group["params"]]
        return [number for number, p in enumerate(params) if self._piece_of[id(p)] is not None]

    def _load_dealt(self, state_dict: dict[str, Any], dealt: DealtStates) -> None:
        groups, count = state_dict["param_groups"], 0
        if [len(group["params"]) for group in groups] != [len(group["params"]) for group in self.param_groups]:
            raise ArgumentValueError("loaded state dict has parameter groups of other sizes than those of the optimizer")
        states, inner = dealt.own(state_dict["state"]), []
        for loaded, own in zip(groups, self.optim.param_groups):
            inner.append({**loaded, "params": list(range(count, count := count + len(own["params"])))})
        numbers = {number: k for k, number in enumerate(self._stepped_here())}
        own_states = {numbers[number]: state for number, state in states.items()}
        self.optim.load_state_dict({**state_dict, "state": own_states, "param_groups": inner})
        self._take_options()

    def _take_options(self) -> None:
        for own, inner in zip(self.param_groups, self.optim.param_groups):
            own.update({key: value for key, value in inner.items() if key not in ("params", "param_names")})

    # ------------------------------------------------------------------------------------------------- uneven inputs

    @property
    def join_ranks(self) -> Ranks:
        """The ranks that have rows."""
        return self._ranks

    def shadow(self, what: str, active: Ranks) -> None:
        """A step with the averages that this rank took part in."""
        self._step_rows()

    def end_join(self, source: int) -> None:
        """All ranks have made the same steps."""


class _Shares:
    """Parameters of one dtype that are stepped by ranks together.

    Attributes:
        params: the parameters.
        pieces: for each of them what this rank steps, None if that is nothing.
    """

    def __init__(self, ranks: Ranks, params: list[Tensor], rows: list[Any]) -> None:
        self.params = params
        self.wholes = [p if p.ndim else p.reshape(1) for p in (p.detach() for p in params)]
        self.rows = PackedRows(ranks, [p.meta.shape for p in self.wholes], rows, params[0].meta.dtype, params[0].device)
        self.pieces: list[Any] = []

    def take_gradients(self) -> None:
        """The pieces get their gradients."""
        raise NotImplementedError

    def drop_gradients(self) -> None:
        """The pieces have no gradients any more."""
        for piece in self.pieces:
            if piece is not None:
                piece.grad = None

    def share(self) -> None:
        """The rows of this rank go to the others, and theirs come."""
        own = [p[first:last].reshape(-1) for p, (first, last) in zip(self.wholes, self.rows.own_rows)]
        vector = _C.empty(self.rows.vector().shape, dtype=self.rows.dtype, device=self.rows.device)
        for piece, window in zip(own, self.rows.own):
            if piece.meta.numel:
                window.of(vector).reshape(-1).copy_(piece)
        self.rows.unpack(self.rows.gather(vector, "rows of parameters"), self.wholes)


class _RowShares(_Shares):
    """Each rank steps an equal share of the rows of each parameter, on the parameter's own memory."""

    def __init__(self, ranks: Ranks, params: list[Tensor]) -> None:
        super().__init__(ranks, params, even_rows([p.meta.shape or (1,) for p in params], len(ranks)))
        self._placement = Placement(params[0].device.type, ranks, members_only=True)
        for p in self.wholes:
            if not p.meta.is_contiguous:
                raise InvalidArgumentError(f"ZeroRedundancyOptimizer: a parameter of size {list(p.meta.shape)} is not contiguous")
        self.pieces = [Parameter(self._global(self._own(k, p), p), p.requires_grad) for k, p in enumerate(self.wholes)]

    def _own(self, k: int, x: Tensor) -> Any:
        """This rank's rows of a whole tensor, as a view."""
        first, last = self.rows.own_rows[k]
        return whole(x.meta).box(((first, last), *[(0, n) for n in x.meta.shape[1:]])).of(x)

    def _global(self, own: Tensor, like: Tensor) -> Tensor:
        meta = ConsistentTensorMeta.get(like.meta.shape, own.meta.dtype, self._placement, (split(0),), own.meta)
        return from_local(own, meta)

    def take_gradients(self) -> None:
        p: Any
        for k, (p, piece, like) in enumerate(zip(self.params, self.pieces, self.wholes)):
            grad = p.grad
            if grad is not None and grad.meta.is_local:
                grad = grad.contiguous().reshape(like.meta.shape)
                grad = self._global(self._own(k, grad), like)
            piece.grad = grad


class _WholeShares(_Shares):
    """Each parameter is stepped by one rank: the largest ones first, each by the rank that has least.

    Attributes:
        owners: which rank it is.
    """

    def __init__(self, ranks: Ranks, params: list[Tensor]) -> None:
        loads, rows, owners = [0] * len(ranks), [[(0, 0)] * len(ranks) for _ in params], [0] * len(params)
        for t in sorted(range(len(params)), key=lambda t: -params[t].meta.numel):
            owner = owners[t] = loads.index(min(loads))
            loads[owner] += params[t].meta.numel
            rows[t][owner] = 0, (params[t].meta.shape or (1,))[0]
        super().__init__(ranks, params, rows)
        self.owners = [ranks[k] for k in owners]
        self.pieces = [p if owner == this_rank().index else None for p, owner in zip(params, self.owners)]

    def take_gradients(self) -> None:
        """They are the parameters, and have them."""

    def drop_gradients(self) -> None:
        """They are the parameters, and have those of the program."""


class RowGradients:
    """Stage 2: leaves each rank its rows of the averages of gradients.

    Attributes:
        earlier: what earlier backward passes left, by parameters.
    """

    def __init__(self, shares: Sequence[_RowShares], reducer: Reducer) -> None:
        self._known = {id(p): (one, k) for one in shares for k, p in enumerate(one.params)}
        self._rows = {}
        for bucket in reducer.buckets:
            params = bucket.parameters()
            shapes = [p.meta.shape or (1,) for p in params]
            even = even_rows(shapes, len(reducer.ranks))
            self._rows[bucket.index()] = PackedRows(reducer.ranks, shapes, even, params[0].meta.dtype, params[0].device)
        self._params = [p for bucket in reducer.buckets for p in bucket.parameters()]
        self.earlier: dict[int, Tensor] = {}

    def set_aside(self) -> None:
        """Backward adds to whole gradients; rows that are there already wait until it has made new ones.

        Raises:
            RuntimeError: a program is being captured, whose runs would exchange nothing.
        """
        thread_state.observer.forbid("ZeroRedundancyOptimizer with stage=2 exchanges gradients outside of programs")
        p: Any
        for p in self._params:
            if p.grad is not None and not p.grad.meta.is_local:
                self.earlier[id(p)] = p.grad
                p.grad = None

    def reduce(self, bucket: GradBucket, divisor: int) -> None:
        """Average the gradients of a bucket, each on the rank that steps its rows."""
        rows, params = self._rows[bucket.index()], bucket.parameters()
        grads = [_C.zeros_like(p) if p.grad is None else p.grad for p in params]
        vector = rows.reduce([g.reshape(shape) for g, shape in zip(grads, rows.shapes)], 1 / divisor, "gradients to rows")
        p: Any
        for p, window in zip(params, rows.own):
            share, k = self._known[id(p)]
            new = share._global(window.of(vector), share.wholes[k])
            before = self.earlier.pop(id(p), None)
            p._grad = new if before is None else _C.add(before, new)


def _begin_stage_2(optimizer_class: type, deals_rows: bool, reducers: list[Reducer], shares: Sequence[Any]) -> None:
    name = "ZeroRedundancyOptimizer(): stage=2"
    if not deals_rows:
        raise InvalidArgumentError(f"{name} gives each rank rows of gradients, but {optimizer_class.__name__} needs whole ones")
    known = {id(p) for one in shares for p in one.params}
    for reducer in reducers:
        if reducer.hook is not None or any(bucket.owns_memory for bucket in reducer.buckets):
            raise InvalidArgumentError(f"{name} wants a DistributedDataParallel without a hook and without gradient_as_bucket_view")
        if any(id(p) not in known for bucket in reducer.buckets for p in bucket.parameters()):
            raise InvalidArgumentError(f"{name} wants all parameters of a DistributedDataParallel that require grad")
    for reducer in reducers:
        reducer.shards = RowGradients(shares, reducer)


def _groups(params: Any) -> list[Group]:
    if isinstance(params, Tensor):
        raise ArgumentTypeError("ZeroRedundancyOptimizer(): expected an iterable of Tensors or dicts in 'params', but got a Tensor")
    found = list(params)
    if not found:
        raise ArgumentValueError("optimizer got an empty parameter list")
    if not isinstance(found[0], dict):
        found = [{"params": found}]
    return [{**group, "params": [p[1] if isinstance(p, tuple) else p for p in _listed(group["params"])]} for group in found]


def _listed(params: Any) -> list[Any]:
    return [params] if isinstance(params, Tensor) else list(params)


def _check(params: list[Tensor]) -> list[Reducer]:
    """What averages the gradients of parameters; nothing need where there is one rank."""
    found: list[Reducer] = []
    for p in params:
        require_local("ZeroRedundancyOptimizer", p)
        reducer = reducer_of(p)
        if reducer is not None:
            if reducer not in found:
                found.append(reducer)
        elif p.requires_grad and this_rank().world_size > 1:
            raise InvalidArgumentError(
                f"ZeroRedundancyOptimizer(): nobody averages the gradient of a parameter of size {list(p.meta.shape)}; help: wrap"
                " its module with DistributedDataParallel before"
            )
    return found


def _check_ranks(ranks: Ranks, reducers: list[Reducer], process_group: GroupLike) -> None:
    given = ranks if process_group is None else members("ZeroRedundancyOptimizer", process_group)
    others = [other for other in (given, *[reducer.ranks for reducer in reducers]) if other != ranks]
    if others:
        raise InvalidArgumentError(
            f"ZeroRedundancyOptimizer(): gradients are averaged over ranks {list(ranks)}, but ranks {list(others[0])} are asked for"
        )
