"""What a capture has of tensors that lie over ranks: boxings, and what all ranks must have decided alike.

Types are global, memory is this rank's: the consistent interpreter stands around the lazy one, as it does around the eager one.
So a rank's graph has its own ops on its own shards. Where a shard goes to another layout it has a `Boxing`, at the same point of
the program on all ranks. The trace says in which order ops were placed and boxings recorded. It is equal on ranks that captured
the same program, whatever shards they have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

from tritonflow.boxing.agreement import said
from tritonflow.boxing.placed import Placed
from tritonflow.boxing.routes import Route
from tritonflow.boxing.steps import moved_meta
from tritonflow.errors import CaptureError
from tritonflow.execution import lazy
from tritonflow.execution.context import OpContext
from tritonflow.execution.op_expr import op_expr
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.placement import Placement
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.capture.answers import AskError
from tritonflow.graph.ir import Boxing, Value
from tritonflow.interpreter.boxed_view import BoxedImpl
from tritonflow.interpreter.grad_node import AccumulateGrad
from tritonflow.interpreter.layout import seen_alike
from tritonflow.vm.failure import SourceLine, caller, describe
from tritonflow.wire.record import Ranks

if TYPE_CHECKING:
    from tritonflow.graph.capture.capture import Capture


class TraceEntry(NamedTuple):
    """A decision that all ranks have made.

    Attributes:
        digest: equal where they decided alike.
        says: what it was, for people.
        source_line: of the program.
    """

    digest: bytes
    says: Callable[[], str]
    source_line: SourceLine | None

    def text(self) -> str:
        """For people, with the line."""
        return self.says() + (f", at {describe(self.source_line)}" if self.source_line else "")


class OverRanks:
    """The boxings and the trace of a capture.

    Attributes:
        entries: the trace.
        groups: the ranks that call such ops, too: those of each.
        boxings: of the trace those of boxings.
        ranks: of each boxing those that have something of the tensor.
        moves, orders: by which routes, and in which order, this rank would move the boxings of each program of the capture
            (`graph/ranks/proposals.py`).
    """

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self.entries: list[TraceEntry] = []
        self.groups: set[Ranks] = set()
        self.boxings: list[TraceEntry] = []
        self.ranks: list[set[int]] = []
        self.moves: list[dict[int, list[int]]] = []
        self.orders: list[list[tuple[int, ...]]] = []
        self._unit = ""
        self._questions = 0
        self._boxed: dict[Any, tuple[Tensor, int, Value, Value]] = {}  # what went, its version and value then, what it became

    @property
    def digest(self) -> bytes:
        """Equal on all ranks that have captured the same program."""
        return blake2b(b"".join([entry.digest for entry in self.entries]), digest_size=16).digest()

    def placed(self, placed: Placed, numbers: Sequence[Any] = ()) -> None:
        """Note an op that was placed, and its numbers, of those that runs look up only the kind."""
        self.groups.add(placed.placement.callers)
        text = ", ".join([repr(n) if isinstance(n, (bool, int, float, complex)) else type(n).__name__ for n in numbers])
        self._note(placed.digest + text.encode(), lambda: said(placed) + (text and f" with {text}"))

    def told(self, text: str, placement: Placement) -> None:
        """Note what eager mode would tell the other ranks of a placement, as the data of a new tensor: they are to have it, too."""
        self.groups.add(placement.callers)
        self._note(text.encode(), lambda: text)

    def answer(self, value: Any, what: str, ranks: Ranks) -> dict[int, Any]:
        """What each rank says of this, which all of them ask, by rank.

        Raises:
            AskError: that is not known yet.
        """
        found: dict[int, Any] | None = self._capture.answers.find(self._questions, (value, what, ranks))
        if found is None:
            raise AskError((value, what, ranks))
        self._questions += 1
        return found

    def shard(self, x: Tensor) -> Tensor:
        """This rank's shard of a tensor.

        Raises:
            CaptureError: it is a view of a boxed copy, made outside.
        """
        impl = x.impl
        if impl.__class__ is not BoxedImpl:
            return self.without_history(x, x.meta.local)
        if not impl.is_lazy:
            raise CaptureError(
                "a view of a global tensor whose elements had to move between ranks, made outside of the program, is a copy that"
                " eager mode renews: make the view inside, or clone() it"
            )
        impl.renew()
        return Tensor(x.meta.local, impl.shard.impl, x.ptr)

    def without_history(self, x: Tensor, meta: TensorMeta) -> Tensor:
        """A tensor, or its shard, of which autograd records nothing. What the capture meets is the tensor itself."""
        if isinstance(x._node, AccumulateGrad):
            self._capture.gradients.use(x)
        found = Tensor(meta, x.impl, x.ptr)
        if not x.impl.is_lazy:
            found._view = (x, None, (), x.impl.version)
        return found

    @contextmanager
    def gathering(self, unit: str) -> Iterator[None]:
        """A block in which the parameters of a unit are gathered, which a backward may do again if the unit has a name."""
        before, self._unit = self._unit, unit and f"{unit}, {len(self.entries)}"  # others may have its name
        try:
            yield
        finally:
            self._unit = before

    def box(self, route: Route, shard: Tensor, what: str) -> Tensor:
        """Record that a shard goes to another layout."""
        return self._capture.tensor(self._box(route, self._capture.read(shard), shard.meta, what))

    def box_once(self, x: Tensor, route: Route, shard: Tensor, what: str, reused: bool) -> Tensor:
        """The same for the shard of a tensor: a second time only if it was written.

        Which tensors are the same must not depend on this rank's shards, of which values may be equal where others' are not.

        Args:
            reused: whether other tensors on its memory are the same on all ranks if they are so here.
        """
        key = (x.impl, *seen_alike(x), route.digest) if reused else (id(x), route.digest)
        value, version = self._capture.read(shard), x.impl.version
        known = self._boxed.get(key)
        if known is None or known[1:3] != (version, value):
            known = self._boxed[key] = x, version, value, self._box(route, value, shard.meta, what)
        return self._capture.tensor(known[3])

    def _box(self, route: Route, value: Value, meta: TensorMeta, what: str) -> Value:
        capture = self._capture
        if capture.reads is not None and capture.reads.all:
            raise CaptureError(
                f"{capture.program} looks at a number of a tensor, and moves a global tensor behind it ({route}): the ranks could"
                " not know that all go on alike"
            )
        self.groups.add(tuple(sorted({*route.source.placement.callers, *route.target.placement.callers})))
        unit = self._unit
        name = unit.rpartition(", ")[0]
        says = f"{route} of {route.tensor_text}" + (what and f" for {what}") + (name and f" of unit '{name}'")
        self._note(route.digest.to_bytes(8, "little") + unit.encode(), lambda: says)
        self.boxings.append(self.entries[-1])
        numbers = (len(self.ranks),)
        self.ranks.append({*route.source.placement.order, *route.target.placement.order})
        node = capture.add(Boxing(value, route, moved_meta(route, meta), what, numbers, capture.source_line or caller(4), unit))
        return node.outputs[0]

    def empty(self, meta: TensorMeta) -> Tensor:
        """A tensor that nothing has been written to."""
        made: Tensor = lazy.apply(op_expr("empty"), (), OpContext((meta.shape, meta.dtype, meta.device)))
        return made

    def forget(self) -> None:
        """Let go of what was captured; the trace stays."""
        del self._capture
        self._boxed.clear()

    def _note(self, digest: bytes, says: Callable[[], str]) -> None:
        self.entries.append(TraceEntry(digest, says, self._capture.source_line or caller(4)))
