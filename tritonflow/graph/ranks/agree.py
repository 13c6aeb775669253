"""Agreement: behind a capture over ranks they tell each other what they have captured, once.

A call that finds its program asks nobody. Where one rank captures and others do not, it comes to this gather while they begin a
collective: the wire's sentinel sees that, and the error says which rank captures.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from tritonflow.errors import RankError
from tritonflow.framework.tensor import Tensor
from tritonflow.vm.failure import add_note

if TYPE_CHECKING:
    from tritonflow.graph.capture.over_ranks import OverRanks


class UnlikeError(Exception):
    """Another rank could not capture what this one has captured."""


def agree(
    name: str, why: str, over_ranks: OverRanks | None, given: Sequence[Tensor], refused: Exception | None, known: set[bytes]
) -> None:
    """Compare a capture with those of the other ranks that its tensors lie over, or that call ops on them.

    What only moves local tensors, such as gradients, is told once: a rank may capture it again alone, for a batch of another size.

    Args:
        name: of what is captured.
        why: it is.
        over_ranks: what the capture has of tensors over ranks; None if it met none.
        given: the tensors among the arguments.
        refused: why it has failed; None if it has not.
        known: the digests of such traces that the ranks have agreed on.

    Raises:
        RankError: ranks have captured different programs, on all of them with the first difference.
        UnlikeError: this rank has a program, and another one has none.
    """
    ranks = {rank for x in given if not x.meta.is_local for rank in x.meta.placement.callers}  # type: ignore[attr-defined]
    if over_ranks is not None:
        ranks |= over_ranks.callers
    if len(ranks) < 2:
        return
    from tritonflow.wire import verbs
    from tritonflow.wire.world import this_rank

    if this_rank().index not in ranks:
        return
    everyone, what = tuple(sorted(ranks)), "a capture"
    digest = b"" if over_ranks is None else over_ranks.digest
    is_local = over_ranks is not None and not over_ranks.places_ops and all(x.meta.is_local for x in given)
    if is_local and refused is None and digest in known:
        return
    own = pickle.dumps((digest, None if refused is None else f"{type(refused).__name__}: {refused}"))
    try:
        told = dict(zip(everyone, map(pickle.loads, verbs.control_gather(everyone, own, what))))
        failed = {rank: reason for rank, (_, reason) in told.items() if reason is not None}
        if not failed and len({digest for digest, _ in told.values()}) > 1:
            texts = [entry.text() for entry in over_ranks.entries] if over_ranks is not None else []
            traces = map(pickle.loads, verbs.control_gather(everyone, pickle.dumps(texts), what))
            raise RankError(_difference(name, dict(zip(everyone, traces))))
    except RankError as error:
        add_note(error, f"{name} is captured on rank {this_rank().index}" + (f", because of {why}" if why else ""))
        raise
    if failed and refused is None:
        rank, reason = next(iter(failed.items()))
        raise UnlikeError(f"rank {rank} cannot capture it: {reason}")
    if is_local and refused is None:
        known.add(digest)


def _difference(name: str, traces: dict[int, list[str]]) -> str:
    """The first decision that ranks made differently."""
    number, said = next((k, said) for k, said in enumerate(zip_longest(*traces.values())) if len(set(said)) > 1)
    lines = [f"  rank {rank}: {text or 'nothing more'}" for rank, text in zip(traces, said)]
    return "\n".join(
        [f"ranks capture different programs of {name}: they differ at decision {number} about a global tensor", *lines,
         "  help: all ranks run the same ops on global tensors; a condition on a rank, or on a tensor of one, is the usual cause"]
    )  # fmt: skip
