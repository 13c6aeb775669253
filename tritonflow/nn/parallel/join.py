"""Join: ranks whose inputs end early go on with the collectives of those that have some left.

What takes part announces each of its collectives: all ranks tell each other what comes next. A rank that has reached the end of
the block announces nothing any more, and does its part of what the others announce, until all have reached the end.

    rank 0   "gradients"   "gradients"   end           rank 1, whose inputs end first, averages zeros in the third step
    rank 1   "gradients"   end, and its part of ...
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tritonflow.comm.groups import everyone
from tritonflow.errors import ArgumentValueError, RankError
from tritonflow.thread_state import thread_state
from tritonflow.wire.record import Ranks
from tritonflow.wire.verbs import control_gather


class Joinable:
    """What can take part in `Join`: a module or an optimizer whose steps have collectives.

    Attributes:
        joined: the block that it takes part in; None outside of one.
        join_ranks: who takes part.
    """

    joined: Join | None = None

    @property
    def join_ranks(self) -> Ranks:
        """Who takes part."""
        return everyone()

    def announce(self, what: str) -> Ranks:
        """Tell the other ranks which collective comes next; which ranks have inputs left."""
        return self.join_ranks if self.joined is None else self.joined.announce(self, what)

    def shadow(self, what: str, active: Ranks) -> None:
        """This rank's part of a collective that other ranks have announced, without an input.

        Args:
            what: as it was announced.
            active: the ranks that have inputs left.
        """
        raise NotImplementedError

    def end_join(self, source: int) -> None:
        """All ranks have reached the end; take over what rank `source` has, which was among the last."""


class Join:
    """A block in which ranks may have different numbers of inputs.

        with Join([model]):
            for x in inputs:            # fewer on some ranks
                model(x).sum().backward()

    Args:
        joinables: `DistributedDataParallel` and `ZeroRedundancyOptimizer` objects that are used in the block, with the same
            ranks. One that averages comes before one that steps.
        enable: False makes the block do nothing.
        throw_on_early_termination: raise on all ranks when the first one has no input left.

    Raises:
        ValueError: there is no joinable, or their ranks differ.
        RuntimeError: a rank has no input left, and that is to be an error; or ranks announce different things.

    Source: torch.distributed.algorithms.Join.

    Example:
        >>> import tritonflow as flow
        >>> model = flow.nn.parallel.DistributedDataParallel(flow.nn.Linear(2, 1))
        >>> with flow.nn.parallel.Join([model]):  # in a world of one rank
        ...     for x in flow.ones(3, 4, 2):
        ...         model(x).sum().backward()
    """

    def __init__(
        self, joinables: Sequence[Joinable], enable: bool = True, throw_on_early_termination: bool = False, **options: Any
    ) -> None:
        if not joinables:
            raise ArgumentValueError("Join expects at least one joinable")
        if len({joinable.join_ranks for joinable in joinables}) > 1:
            raise ArgumentValueError(f"Join(): joinables are of different ranks: {[j.join_ranks for j in joinables]}")
        self._joinables, self._enable, self._throws = list(joinables), enable, throw_on_early_termination
        self._ranks = joinables[0].join_ranks
        self._active = self._ranks
        self.options = options

    def __enter__(self) -> Join:
        if self._enable:
            for joinable in self._joinables:
                joinable.joined = self
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            if self._enable and kind is None:
                self._shadow()
        finally:
            for joinable in self._joinables:
                joinable.joined = None

    def announce(self, joinable: Joinable, what: str) -> Ranks:
        """Tell the other ranks what comes next; which ranks have inputs left.

        Raises:
            RuntimeError: a program is being captured, whose runs would tell nobody.
        """
        thread_state.observer.forbid("Join tells ranks what comes next in each step, outside of programs")
        self._tell(f"{self._joinables.index(joinable)} {what}")
        return self._active

    def _shadow(self) -> None:
        while found := self._tell(""):
            number, _, what = found.partition(" ")
            self._joinables[int(number)].shadow(what, self._active)
        for joinable in self._joinables:
            joinable.end_join(self._active[0])

    def _tell(self, text: str) -> str:
        """What the ranks with inputs left do next; empty if there are none.

        Raises:
            RankError: they do different things.
            RuntimeError: some have none left, and that is to be an error.
        """
        told = dict(zip(self._ranks, control_gather(self._ranks, text.encode(), "what comes next in Join")))
        active = tuple([rank for rank, its in told.items() if its])
        if not active:
            return ""
        if self._throws and len(active) < len(told):
            ended = [rank for rank in told if rank not in active]
            raise RuntimeError(f"Detected at least one rank that exhausted inputs: {ended}. Throwing across all ranks.")
        texts = {rank: told[rank].decode() for rank in active}
        if len(set(texts.values())) > 1:
            raise RankError(f"Join: ranks do different things: {texts}")
        self._active = active
        return texts[active[0]]
