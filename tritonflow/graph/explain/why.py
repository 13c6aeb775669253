"""Decisions about fusion and configurations as text."""

from __future__ import annotations

from collections.abc import Sequence

from tritonflow.graph.explain.text import amount, duration, short
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.fusion.price import ANY, Prices
from tritonflow.graph.ir import Compute
from tritonflow.ops.tuning import Choice, Config


def sentence(decision: Decision) -> str:
    """Which ops, whether they became one kernel, and for what reason or price."""
    head = f"{'yes' if decision.taken else 'no':3} {_names(decision.ops)} {decision.how} {_names(decision.others)}"
    return f"{head}: {decision.reason if decision.prices is None else _numbers(decision.prices)}"


def chosen(choice: Choice) -> str:
    """Which configuration a kernel has, and what was measured."""
    rule, best, measured = choice.seconds[0], choice.seconds[choice.number], len(choice.seconds)
    if choice.number:
        what = changes(choice.candidates[choice.number], choice.candidates[0])
        return f"{what}: {duration(best)} instead of {duration(rule)}, the fastest of {measured} measured"
    if measured == 1:
        return f"by the rule: {duration(rule)} are too short to measure others"
    if not choice.settled:
        return f"by the rule: {duration(rule)} at best, but times of others beside it were too uneven to tell"
    return f"by the rule: {duration(rule)}, and none of {measured - 1} others is clearly faster"


def changes(config: Config, rule: Config) -> str:
    """What a configuration has otherwise than another.

    >>> changes({"constexprs": {"BLOCK_M": 64, "BLOCK_N": 32}, "num_warps": 4}, {"constexprs": {"BLOCK_M": 64}, "num_warps": 8})
    'BLOCK_N 32, num_warps 4'
    """
    have, known = ({**each["constexprs"], **each} for each in (config, rule))
    return ", ".join(f"{name} {value}" for name, value in have.items() if name != "constexprs" and known.get(name) != value)


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
    if work.live and prices.registers < ANY:
        parts.append(f"{work.live} values for the registers of {prices.registers}")
    return "; ".join(parts)
