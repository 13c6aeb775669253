"""Prints how many situations are right, how many are programs, and why the others are not, as tables of Markdown.

python -m tests.graph.situations              all of them
python -m tests.graph.situations hooks/ grad  those with one of these parts in their ids
"""

from __future__ import annotations

import re
import sys
from collections import Counter

from tests.graph.situations.compare import Outcome, outcome
from tests.graph.situations.left_out import TESTS, left_out_by_reason
from tests.graph.situations.situation import THEMES, Situation, situations

# Why calls fell back, by what the warning says.
REASONS = {
    "`if`": "Python branches on a number of a tensor",
    r"depends on the values|mask or a bound|repeat_interleave": "a shape depends on numbers of a tensor",
    r"generator cannot be": "a generator of random numbers is seeded or looked at",
    r"was set to|then set to": "a tensor of a module is set to one that the program computes",
    r"address\(\)|data_ptr|storage_offset|as_strided": "addresses and strides of arguments",
    r"needs the value": "Python needs a number of a tensor: item(), tolist(), numpy(), an index, a copy",
    r"backward\(\)": "backward() goes on outside of the function",
    r"LR\.step": "a scheduler's step",
    "^the function raises ": "the function raises an error, in eager mode, too",
    "^$": "each call raises an error, or nothing was captured",
}


def reason_of(outcome: Outcome) -> str:
    """Why there is no program: the text of the warning, as one of a few reasons."""
    text = outcome.reasons[0] if outcome.reasons else ""
    return next((reason for pattern, reason in REASONS.items() if re.search(pattern, text)), text.partition(", at ")[0])


def by_theme(outcomes: dict[Situation, Outcome]) -> list[str]:
    heads = ("theme", "situations", "right", "a program", "eager mode", "wrong: an error", "wrong in silence")
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for theme in (*THEMES, "all"):
        chosen = [each for one, each in outcomes.items() if theme in (one.theme, "all")]
        right = [each for each in chosen if each.right]
        programs, errors = sum(each.compiled for each in right), sum(each.raised for each in chosen)
        counts = (len(chosen), len(right), programs, len(right) - programs, errors, len(chosen) - len(right) - errors)
        lines.append(f"| {theme.replace('_', ' ')} | {' | '.join(map(str, counts))} |")
    return lines


def by_reason(outcomes: dict[Situation, Outcome]) -> list[str]:
    reasons = Counter(reason_of(each) for each in outcomes.values() if each.right and not each.compiled)
    return ["| why eager mode | situations |", "|---|---|", *(f"| {reason} | {count} |" for reason, count in reasons.most_common())]


def wrong(outcomes: dict[Situation, Outcome]) -> list[str]:
    rows = [f"| {one.id} | {each.difference.splitlines()[0]} |" for one, each in outcomes.items() if not each.right]
    return ["| wrong | what differs |", "|---|---|", *rows]


def left_out(outcomes: dict[Situation, Outcome]) -> list[str]:
    lines = ["| why torch's tests are left out | tests |", "|---|---|"]
    return [*lines, *(f"| {reason} | {count} |" for reason, count in left_out_by_reason().items())]


def by_file(outcomes: dict[Situation, Outcome]) -> list[str]:
    """Torch's files: their tests, where these were counted, and the situations that stand for them."""
    stand_for = Counter(one.source for one in outcomes)
    lines = ["| torch's file | its tests | left out | situations |", "|---|---|---|---|"]
    for file in sorted({*TESTS, *stand_for}):
        tests, without = TESTS.get(file, (0, {}))
        lines.append(f"| {file} | {tests or ''} | {sum(without.values()) or ''} | {stand_for[file]} |")
    counted = sum(tests for tests, _ in TESTS.values())
    return [*lines, f"| all | {counted} | {sum(left_out_by_reason().values())} | {len(outcomes)} |"]


def main(parts_of_ids: list[str]) -> None:
    chosen = [one for one in situations() if not parts_of_ids or any(part in one.id for part in parts_of_ids)]
    outcomes = {one: outcome(one) for one in chosen}
    tables = [by_theme, by_reason, wrong] if parts_of_ids else [by_theme, by_reason, wrong, left_out, by_file]
    for table in tables:
        print("\n".join(table(outcomes)), end="\n\n")


if __name__ == "__main__":
    main(sys.argv[1:])
