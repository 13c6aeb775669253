"""Whether the programs of all ranks fit together: their messages, replayed without bytes.

In training nothing needs it: the order of starts follows from a trace that all ranks have compared. It proves that passes keep it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tritonflow.errors import RankError
from tritonflow.graph.ir import CollectiveDone, CollectiveStart, Graph, Value
from tritonflow.wire.record import Ranks
from tritonflow.wire.verbs import Verb


class ProgramStart(NamedTuple):
    """A start in a program: the how many-th of its ranks, and which done waits for it."""

    number: int
    verb: Verb
    what: str
    token: Value

    def text(self) -> str:
        """For people."""
        return f"{self.verb.name}, {self.what}"


def verify_ranks(programs: Mapping[int, Graph]) -> None:
    """Replay the collectives of programs behind all passes, one of each rank.

    Raises:
        RankError: two ranks differ in what a collective is or in a message's size; a message is not sent or not received; ranks
            wait for one another; a rank does not wait for a collective of its own.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.graph.ranks.verify import verify_ranks
        >>> def program():
        ...     x = flow.ones(4, placement=flow.placement.all("cpu"), sbp=flow.sbp.split(0))
        ...     double = flow.compile(lambda x: (x * 2).to_global(sbp=flow.sbp.broadcast))
        ...     y = double(x)
        ...     return double.captures()[0].graph
        >>> verify_ranks(dict(enumerate(flow.testing.simulate(2)(program)())))
    """
    _Replay({rank: _steps(graph) for rank, graph in programs.items()}).run()


Steps = list[ProgramStart | Value]  # a start, or the token of the start that is waited for


def _steps(graph: Graph) -> Steps:
    found: Steps = []
    counts: dict[Ranks, int] = {}
    for node in graph.nodes:
        if isinstance(node, CollectiveStart):
            ranks = node.verb.ranks
            counts[ranks] = counts.get(ranks, 0) + 1
            found.append(ProgramStart(counts[ranks], node.verb, node.what, node.token))
        elif isinstance(node, CollectiveDone) and node.inputs[2] is not None:
            found.append(node.inputs[2])
    return found


class _Replay:
    def __init__(self, steps: Mapping[int, Steps]) -> None:
        self.left = {rank: list(reversed(found)) for rank, found in steps.items()}
        self.flying: dict[int, dict[Value, ProgramStart]] = {rank: {} for rank in steps}
        self.letters: dict[tuple[Ranks, int, int, int], int] = {}  # of whom, which, from whom, to whom: how many bytes
        self.said: dict[tuple[Ranks, int], tuple[int, str]] = {}  # which rank has said first what a collective is

    def run(self) -> None:
        while any(self.left.values()):
            if not any(self.advance(rank) for rank in self.left):
                waiting = {rank: self.flying[rank][steps[-1]].text() for rank, steps in self.left.items() if steps}  # type: ignore[index]
                raise RankError(f"ranks wait for messages that nobody sends: {waiting}")
        for rank, flying in self.flying.items():
            for start in flying.values():
                raise RankError(f"rank {rank} does not wait for {start.text()}")
        for (_, number, source, target), nbytes in self.letters.items():
            raise RankError(f"rank {target} does not receive {nbytes} bytes of rank {source} in collective {number}")

    def advance(self, rank: int) -> bool:
        """Go on with a rank as far as it comes; whether it came further."""
        steps, moved = self.left[rank], False
        while steps and self.step(rank, steps[-1]):
            steps.pop()
            moved = True
        return moved

    def step(self, rank: int, step: ProgramStart | Value) -> bool:
        if isinstance(step, ProgramStart):
            self.start(rank, step)
            return True
        start = self.flying[rank].get(step)
        if start is None:
            raise RankError(f"rank {rank} waits for a collective that it has not started")
        wanted = [(part.peer, part.nbytes) for part in start.verb.receives if part.peer != rank and part.nbytes]
        keys = [(start.verb.ranks, start.number, peer, rank) for peer, _ in wanted]
        if not all(key in self.letters for key in keys):
            return False
        for key, (peer, nbytes) in zip(keys, wanted):
            if self.letters.pop(key) != nbytes:
                raise RankError(f"rank {rank} expects {nbytes} bytes of rank {peer} in {start.text()}, which sends others")
        del self.flying[rank][step]
        return True

    def start(self, rank: int, start: ProgramStart) -> None:
        ranks, number = start.verb.ranks, start.number
        other, said = self.said.setdefault((ranks, number), (rank, start.text()))
        if said != start.text():
            raise RankError(f"collective {number} of {list(ranks)} is {said} on rank {other}, and {start.text()} on rank {rank}")
        self.flying[rank][start.token] = start
        for part in start.verb.sends:
            if part.peer != rank and part.nbytes:
                self.letters[ranks, number, rank, part.peer] = part.nbytes
