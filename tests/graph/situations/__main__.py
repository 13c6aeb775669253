"""Prints how many situations are right, how many are programs, and why the others are not, as tables of Markdown."""

from __future__ import annotations

import re
from collections import Counter

from tests.graph.situations.compare import Outcome, outcome
from tests.graph.situations.left_out import LEFT_OUT, looked_at
from tests.graph.situations.situation import THEMES, Situation, situations

# Why calls fell back, by what the warning says.
REASONS = (
    (r"`if`|`while`|`assert`|`bool\(", "Python branches on a number of a tensor"),
)


def reason_of(text: str) -> str:
    """A warning's text as one of a few reasons."""
    for pattern, reason in REASONS:
        if re.search(pattern, text):
            return reason
    return re.sub(r"\s+", " ", text)[:100]


def by_theme(outcomes: dict[Situation, Outcome]) -> list[str]:
    lines = ["| theme | situations | right | a program | eager mode |", "|---|---|---|---|---|"]
    for theme in (*THEMES, "all"):
        chosen = [each for one, each in outcomes.items() if theme in (one.theme, "all")]
        right = [each for each in chosen if each.right]
        compiled = sum(each.compiled for each in right)
        lines.append(f"| {theme.replace('_', ' ')} | {len(chosen)} | {len(right)} | {compiled} | {len(right) - compiled} |")
    return lines


def by_reason(outcomes: dict[Situation, Outcome]) -> list[str]:
    reasons = Counter(reason_of(each.reasons[0]) if each.reasons else "nothing was captured" for each in outcomes.values() if each.right and not each.compiled)
    return ["| why eager mode | situations |", "|---|---|", *(f"| {reason} | {count} |" for reason, count in reasons.most_common())]


def wrong(outcomes: dict[Situation, Outcome]) -> list[str]:
    return ["| wrong | what differs |", "|---|---|", *(f"| {one.id} | {each.difference} |" for one, each in outcomes.items() if not each.right)]


def left_out() -> list[str]:
    lines = ["| why left out | tests of torch |", "|---|---|"]
    return [*lines, *(f"| {reason} | {count} |" for reason, count in LEFT_OUT.items()), f"| looked at in all | {looked_at()} |"]


def main() -> None:
    outcomes = {each: outcome(each) for each in situations()}
    for table in (by_theme(outcomes), by_reason(outcomes), wrong(outcomes), left_out()):
        print("\n".join(table), end="\n\n")


if __name__ == "__main__":
    main()
