"""Agreement: behind a capture over ranks they tell each other what they have captured, once.

A call that finds its program asks nobody. Where one rank captures and others do not, it comes to this gather while they begin a
collective: the wire's sentinel sees that, and the error says which rank captures.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from tritonflow.errors import RankError
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ranks.proposals import fits, moved_otherwise
from tritonflow.vm.failure import add_note

if TYPE_CHECKING:
    from tritonflow.graph.capture.over_ranks import OverRanks
    from tritonflow.wire.record import Ranks

_WHAT = "a capture"
Known = dict[tuple[Any, ...], bool | str]  # by traces and what ranks propose, whether they can do so; or why they have no program


class UnlikeError(Exception):
    """Ranks cannot have a program together: another one could not capture it, or they would move different things."""


def agree(
    name: str, why: str, over_ranks: OverRanks | None, given: Sequence[Tensor], refused: Exception | None, known: Known
) -> bool:
    """Compare a capture with those of the other ranks that its tensors lie over, or that call ops on them.

    A trace that they have agreed on is told once, also one that no program can have. So a rank may capture it again alone, for a
    batch of another size.

    Args:
        name: of what is captured.
        why: it is.
        over_ranks: what the capture has of tensors over ranks; None if it met none.
        given: the tensors among the arguments.
        refused: why it has failed; None if it has not.
        known: what the ranks have agreed on.

    Returns:
        Whether ranks can move boxings as they propose.

    Raises:
        RankError: ranks have captured different programs, on all of them with the first difference.
        UnlikeError: this rank has a program, and another one has none; or it is one of several groups of ranks; or, on all ranks,
            a call whose backward is a program of its own was cut for moves on which they do not agree.
    """
    groups = _groups(over_ranks, given)
    if not groups:
        return True
    from tritonflow.wire import verbs
    from tritonflow.wire.world import this_rank

    digest, orders, moves = (b"", [], []) if over_ranks is None else (over_ranks.digest, over_ranks.orders, over_ranks.moves)
    reason = None if refused is None else f"{type(refused).__name__}: {refused}"
    if len(groups) > 1:
        _refuse(groups, reason, known)
        return True
    trace = digest, reason, *[tuple(order) for order in orders if order], *[str(each) for each in moves if each]
    if trace in known:
        return _as_known(known[trace])
    (everyone,) = groups
    own = pickle.dumps((digest, orders, moves, reason))
    try:
        told = dict(zip(everyone, map(pickle.loads, verbs.control_gather(everyone, own, _WHAT))))
        failed = {rank: said for rank, (*_, said) in told.items() if said is not None}
        if not failed and len({digest for digest, *_ in told.values()}) > 1:
            texts = [entry.text() for entry in over_ranks.entries] if over_ranks is not None else []
            traces = map(pickle.loads, verbs.control_gather(everyone, pickle.dumps(texts), _WHAT))
            raise RankError(_difference(name, dict(zip(everyone, traces))))
    except RankError as error:
        add_note(error, f"{name} is captured on rank {this_rank().index}" + (f", because of {why}" if why else ""))
        raise
    if failed and refused is None:
        rank, reason = next(iter(failed.items()))
        raise UnlikeError(f"rank {rank} cannot capture it: {reason}")
    if failed:
        if len(failed) == len(told):
            known[trace] = True
        return True  # there is nothing to move
    known[trace] = over_ranks is None or _settled(over_ranks, told)
    return _as_known(known[trace])


def _settled(over_ranks: OverRanks, told: dict[int, Any]) -> bool | str:
    """Whether ranks can move boxings as they propose, or why they can have no program. All find the same."""
    orders = {rank: orders for rank, (_, orders, _, _) in told.items()}
    number = moved_otherwise({rank: moves for rank, (_, _, moves, _) in told.items()}, over_ranks.ranks)
    if number is None:
        return fits(orders, over_ranks.ranks)
    if max(map(len, orders.values())) == 1:
        return False
    return (
        f"ranks would move different things: {over_ranks.boxings[number].text()} is read by other ops, or in another dtype, on some"
        " of them; help: let all ranks read it alike"
    )


def _as_known(known: bool | str) -> bool:
    if isinstance(known, str):
        raise UnlikeError(known)
    return known


def _groups(over_ranks: OverRanks | None, given: Sequence[Tensor]) -> list[Ranks]:
    """The groups of ranks that this one captures with, but those inside of another one."""
    from tritonflow.wire.world import this_rank

    found = {x.meta.placement.callers for x in given if not x.meta.is_local}  # type: ignore[attr-defined]
    if over_ranks is not None:
        found |= over_ranks.groups
    found = {group for group in found if len(group) > 1 and this_rank().index in group}
    return sorted([group for group in found if not any(set(group) < set(other) for other in found)])


def _refuse(groups: Sequence[Ranks], reason: str | None, known: Known) -> None:
    """Tell all groups that this rank has no program, as it would have to agree on one with each of them.

    They come in the order of their ranks, so that no circle of ranks waits.

    Raises:
        UnlikeError: there was no other reason.
    """
    from tritonflow.wire import verbs

    listed = " and ".join([str(list(group)) for group in groups])
    several = f"it moves tensors within ranks {listed}, and ranks agree on a program within one group"
    told = *groups, reason
    for group in () if told in known else groups:
        verbs.control_gather(group, pickle.dumps((b"", [], [], reason or several)), _WHAT)
    known[told] = True
    if reason is None:
        raise UnlikeError(several)


def _difference(name: str, traces: dict[int, list[str]]) -> str:
    """The first decision that ranks made differently."""
    number, said = next((k, said) for k, said in enumerate(zip_longest(*traces.values())) if len(set(said)) > 1)
    lines = [f"  rank {rank}: {text or 'nothing more'}" for rank, text in zip(traces, said)]
    return "\n".join(
        [f"ranks capture different programs of {name}: they differ at decision {number} about a global tensor", *lines,
         "  help: all ranks run the same ops on global tensors; a condition on a rank, or on a tensor of one, is the usual cause"]
    )  # fmt: skip
