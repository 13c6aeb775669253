"""What moves between ranks, as nodes.

A capture records a `Boxing`: a value by a route to another layout. The pass `emit` makes of each what this rank does in it: ops on
its shards, and a start and a done for each collective.

    %1 = box input0 S0 -> B          %2, %3 = start gather of input0, -
                               ->    %1, %4 = done %2, input0, %3

All ranks start the same collectives in the same order. So each start takes the token of the collective before it, and no pass drops
one, read or not. A start waits for nobody; what is received is there behind its done, and what is sent is not written before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from tritonflow.dtypes import uint8
from tritonflow.framework.meta import TensorMeta, contiguous_meta
from tritonflow.graph.ir.nodes import Node, NodeVisitor, Value
from tritonflow.vm.failure import SourceLine

if TYPE_CHECKING:
    from tritonflow.boxing.routes import Route
    from tritonflow.wire.verbs import Verb

T = TypeVar("T")


class Boxing(Node):
    """A shard by a route: this rank's shard of its target.

    Attributes:
        route: from where to where.
        what: the op that needs it; empty where the program asks for it.
        numbers: the how many-th of its capture it is; of several that became one, of each.
        unit: of which it gathers a parameter that a backward may gather again; empty where it does nothing of the kind.
    """

    __slots__ = ("route", "what", "numbers", "unit")
    moves = True
    route: Route
    what: str
    numbers: tuple[int, ...]
    unit: str

    def __init__(
        self, shard: Value, route: Route, meta: TensorMeta, what: str, numbers: tuple[int, ...], source_line: SourceLine | None,
        unit: str = "",
    ) -> None:  # fmt: skip
        self._fill(
            inputs=(shard,), route=route, what=what, numbers=numbers, unit=unit, source_line=source_line, outputs=(Value(meta),)
        )

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.boxing(self)

    def text(self, inputs: str) -> str:
        return f"box {inputs} {self.route}" + (f" for {self.what}" if self.what else "")


class CollectiveStart(Node):
    """A collective begins: (sent or None, token) to (received, if there is something; token).

    Attributes:
        verb: what this rank does in it.
        what: for people; the same text on all ranks.
    """

    __slots__ = ("verb", "what")
    moves = True
    verb: Verb
    what: str

    def __init__(
        self, verb: Verb, what: str, sent: Value | None, token: Value | None, received: TensorMeta | None, device: Any,
        source_line: SourceLine | None,
    ) -> None:  # fmt: skip
        metas = [*([] if received is None else [received]), contiguous_meta((0,), uint8, device)]
        outputs = tuple([Value(meta) for meta in metas])
        self._fill(inputs=(sent, token), verb=verb, what=what, source_line=source_line, outputs=outputs)

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.start(self)

    def name(self) -> str:
        return self.verb.name

    def text(self, inputs: str) -> str:
        return f"start {self.verb.name} of {inputs}: {self.what}"

    @property
    def token(self) -> Value:
        """What the next start takes."""
        return self.outputs[-1]

    @property
    def received(self) -> Value | None:
        """Where it is received."""
        return self.outputs[0] if len(self.outputs) > 1 else None


class CollectiveDone(Node):
    """A collective is over: (received or None, sent or None, its token) to (received, if there is something; a token)."""

    __slots__ = ()
    moves = True

    def __init__(self, start: CollectiveStart) -> None:
        inputs = (start.received, start.inputs[0], start.token)
        outputs = tuple([Value(value.meta) for value in start.outputs])
        self._fill(inputs=inputs, source_line=start.source_line, outputs=outputs)

    def accept(self, visitor: NodeVisitor[T]) -> T:
        return visitor.done(self)

    def name(self) -> str:
        return "done"

    def aliases(self) -> Sequence[tuple[int, Value]]:
        return ((0, self.outputs[0]),) if self.inputs[0] is not None else ()
