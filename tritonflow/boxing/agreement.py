"""Agreement: before ranks move data for an op for the first time, they compare what each of them has decided."""

from __future__ import annotations

from collections import defaultdict

from tritonflow.boxing.placed import Placed
from tritonflow.errors import RankError
from tritonflow.framework.sbp import nd_text
from tritonflow.wire import verbs
from tritonflow.wire.record import rank_names
from tritonflow.wire.world import this_rank

# The digests, by rank. Simulated worlds have them in common, as they have the plans, which are found again in the next one.
_agreed: defaultdict[int, set[bytes]] = defaultdict(set)


def require_agreement(placed: Placed) -> None:
    """Compare the op, its metas, attributes and signature over the ranks of its placement; once for each that is new.

    Raises:
        RankError: on every rank, naming the ops that the ranks came with.
    """
    ranks = placed.placement.order
    if len(ranks) == 1 or this_rank().index not in ranks:
        return
    agreed = _agreed[this_rank().index]
    if placed.digest in agreed:
        return
    told = verbs.control_gather(tuple(sorted(ranks)), placed.digest + said(placed).encode(), f"{placed.op.name}: a new plan")
    if any(answer[: len(placed.digest)] != placed.digest for answer in told):
        raise RankError(_difference(told, sorted(ranks), len(placed.digest)))
    agreed.add(placed.digest)


def said(placed: Placed) -> str:
    """The op and how it lies, for people."""
    inputs = ", ".join("none" if sbp is None else nd_text(sbp) for sbp in placed.signature.inputs)
    shapes = ", ".join(str(list(meta.shape)) for meta in placed.outputs)
    return f"{placed.op.name} of {inputs}, giving {shapes}"[:200]


def _difference(told: list[bytes], ranks: list[int], start: int) -> str:
    texts: dict[bytes, list[int]] = {}
    for rank, answer in zip(ranks, told):
        texts.setdefault(answer, []).append(rank)
    lines = [f"  {rank_names(those)}: {answer[start:].decode()}" for answer, those in texts.items()]
    return "\n".join(
        [
            "ranks disagree about an op on global tensors",
            *lines,
            "  help: all ranks run the same ops on global tensors, with the same arguments",
        ]
    )
