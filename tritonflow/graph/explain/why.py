"""Decisions about fusion as text."""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.graph.explain.text import amount, duration, short
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.price import ANY, Prices
from tritonflow.graph.ir import Compute


def sentence(decision: Decision) -> str:
    """Which ops, whether they became one kernel, and for what reason or price."""
    head = f"{'yes' if decision.taken else 'no':3} {_names(decision.ops)} {decision.how} {_names(decision.others)}"
    return f"{head}: {decision.reason if decision.prices is None else _numbers(decision.prices)}"


def _names(ops: Sequence[Compute]) -> str:
    names = [op.op.name for op in ops]
    return names[0] if len(names) == 1 else f"[{short(', '.join(names), 60)}]"


def _numbers(prices: Prices) -> str:
    before, after = prices.seconds
    work, saved = prices.together, sum(work.bytes for work in prices.apart) - prices.together.bytes
    operations, chain, _ = work.arithmetic
    parts = [
        f"{duration(after)} together, {duration(before)} apart",
        f"{amount(saved, 'B')} and {sum(each.launches for each in prices.apart) - work.launches} launch less",
        f"{work.arrays} arrays, {operations} operations an element, {chain} one after the other",
    ]
    if work.live and prices.values < ANY:
        parts.append(f"{work.live} values for the registers of {prices.values}")
    return "; ".join(parts)
