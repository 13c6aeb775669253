"""Draws a program of Python: parts that fit together, a form, and events."""

from __future__ import annotations

import random
from dataclasses import replace

from tests.fuzz.python_parts import (  # noqa: F401 (they register parts)
    aliases,
    arguments,
    closures,
    containers,
    control,
    functions,
    gradients,
    modules,
    objects,
    optimizers,
    surroundings,
    syntax,
    variables,
)
from tests.fuzz.python_parts.grammar import PARTS, Part, chosen
from tests.fuzz.python_parts.source import FORMS, PLACES, RAW, Event, PythonProgram, Setting

WEIGHTS = {"variables": 4, "closures": 3, "objects": 5, "containers": 5, "functions": 4, "control": 4, "arguments": 5, "aliases": 4, "modules": 4,
    "gradients": 2, "optimizers": 3, "surroundings": 4, "syntax": 4}  # fmt: skip
BACKWARD = "sum(t.sum() for t in tensors(outs[-1:]) if t.requires_grad).backward()"
# What happens to tensors that every program has.
CHANGES = ("with flow.no_grad(): x0.mul_(0.5)", "x0.requires_grad_(not x0.requires_grad) if x0.is_leaf else None", "x1.requires_grad_(True)", "x0 = flow.tensor([2.0, 0.5])",
    "flow.to_torch(x0.detach()).add_(1)", "with flow.no_grad(): [t.add_(1) for t in tensors(outs[-1:])]", "with flow.no_grad(): [t.mul_(2) for t in tensors(outs[:1])]",
    BACKWARD, "x0.grad = None", "flow.manual_seed(<<1|2>>)", "outs.clear()", "with flow.no_grad(): x1.add_(outs[-1]) if outs else None")  # fmt: skip
INPUTS = ("x0",) * 10 + ("x1",) * 5 + ("x1.clone()", "x0[:]", "x0 * 2", "x2", "x0.double()", "x0.detach()", "flow.ones(2, 2)[0]", "outs[-1] if outs and isinstance(outs[-1], flow.Tensor) else x0")
# Inputs of programs that are called with many sizes.
SIZED = ("x0", "x1", "x2", "x0.repeat(2)", "flow.cat([x0, x1, x2])", "x2 * 2", "x2[:<<1|2|3>>]", "flow.ones(<<4|5|6|8>>)", "x0.new_zeros(0)", "flow.arange(<<3.0|4.0|9.0>>)")
AROUND = ("",) * 20 + ("with flow.no_grad():",) * 4 + ("with flow.inference_mode():", "with flow.autocast('cpu', dtype=flow.bfloat16):", "for _ in range(2):")
RARE = ("checkpointed", "vmapped", "generator", "coroutine")
CALLS = (4, 8)


def drawn(seed: int) -> PythonProgram:
    """The program of a seed."""
    rng = random.Random(seed)
    form = rng.choice([f for f in FORMS if f not in RARE] * 3 + ["graph", "part of a model"] * 3 + list(RARE))
    found = parts(rng, form)
    settings = [Setting("form", form)] * (form != "function")
    sizes = random.Random(seed).choice(("few", "few", "many", "dynamic"))  # of its own, so that other programs stay
    settings += [Setting("sizes", sizes)] * (sizes != "few" and form != "graph")
    settings += [Setting("source", rng.choice(("linecache", "none")))] * (rng.random() < 0.4)
    whole = form not in ("graph", "part of a model", "vmapped")
    settings += [Setting("result", rng.choice(("list", "dict", "namespace", "none")))] * (whole and rng.random() < 0.25)
    settings += [Setting(p.number, rng.choice(PLACES[1:])) for p in found if rng.random() < 0.4]
    happenings = events(rng, form, found)
    if sizes != "few" and form not in ("graph", "part of a model"):
        happenings = [with_another_size(rng, event) for event in happenings]
    return PythonProgram(seed, [*found, *settings, *happenings])


def with_another_size(rng: random.Random, event: Event) -> Event:
    """A call with an input that may have any size; other events as they are."""
    return event if event.arguments is None else replace(event, text=chosen(rng.choice(SIZED), rng))


def parts(rng: random.Random, form: str) -> list[Part]:
    """One to four; seldom more."""
    names = [(family, name) for family, each in PARTS.items() for name in each]
    weights = [WEIGHTS[family] / len(PARTS[family]) for family, _ in names]
    found: list[Part] = []
    for number in range(rng.choice((1, 1, 2, 2, 3, 4))):
        for _ in range(20):
            family, name = rng.choices(names, weights)[0]
            part = PARTS[family][name]
            if fits(part, form, found):
                found.append(part.drawn(number, rng))
                break
    return found


def fits(part: Part, form: str, others: list[Part]) -> bool:
    if form == "graph":
        return part.graph and not (part.optimizer and any(p.optimizer for p in others))
    return not (form == "closure" and ("globals()" in part.setup + part.body or "import " in part.setup))


def events(rng: random.Random, form: str, found: list[Part]) -> list[Event]:
    """Calls, and what happens between them: changes of the parts most of all."""
    made: list[Event] = []
    changes = [(p.number, text) for p in found for text in p.changes]
    if form != "graph" and rng.random() < 0.25:
        made.append(Event("x0.requires_grad_(True)"))
    for number in range(rng.randint(*CALLS)):
        if number and changes and rng.random() < 0.6:
            part, text = rng.choice(changes)
            made.append(Event(chosen(text, rng), part))
        if number and form != "graph" and rng.random() < 0.25:
            made.append(Event(chosen(rng.choice(CHANGES), rng)))
        made.append(call(rng, form, found))
        if form != "graph" and rng.random() < 0.15:
            made.append(Event(BACKWARD))
    return made


def call(rng: random.Random, form: str, found: list[Part]) -> Event:
    given = tuple((p.number, rng.choice(p.argument)) for p in found if p.argument and rng.random() < 0.95)
    trains = any(p.family in ("gradients", "optimizers") for p in found)
    around = "" if trains or form in ("graph", "part of a model") else rng.choice(AROUND)
    callee = RAW.get(form, "call") if rng.random() < 0.1 else "call"
    return Event(rng.choice(INPUTS[:15] if form == "graph" else INPUTS), -1, given, around, callee)
