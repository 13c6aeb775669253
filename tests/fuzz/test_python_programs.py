"""Whether the fuzzer of Python's programs finds mistakes, finds none where there is none, and has parts that are programs."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import tritonflow as flow
from tests.fuzz import python_programs
from tests.fuzz.command import report
from tests.fuzz.python_parts import drawing, runner
from tests.fuzz.python_parts.grammar import PARTS, Part, chosen
from tests.fuzz.python_parts.source import FORMS, Event, PythonProgram, Setting

BROKEN = ("SyntaxError", "NameError", "UnboundLocalError", "IndentationError")


def a_program(part: Part, form: str = "function", source: str = "file", calls: int = 1) -> PythonProgram:
    """A part alone with all of its changes, each between two calls."""
    rng = random.Random(0)
    made = part.drawn(0, rng)
    events = [Event("x0", arguments=tuple((0, a) for a in made.argument[:1])) for _ in range(calls)]
    for text in made.changes:
        arguments = tuple((0, rng.choice(made.argument)) for _ in made.argument[:1])
        events += [Event(chosen(text, rng), 0), Event("x0", arguments=arguments)]
    return PythonProgram(0, [made, Setting("form", form), Setting("source", source), *events])


@pytest.mark.parametrize("family", PARTS)
def test_parts_are_programs(family: str) -> None:
    """In eager mode each is what it says, and the same when it is run again."""
    for number, part in enumerate(PARTS[family].values()):
        fitting = [form for form in FORMS if drawing.fits(part, form, []) and form not in drawing.RARE]
        program = a_program(part, fitting[number % len(fitting)], ("file", "linecache", "none")[number % 3])
        story = runner.run(program, "eager")
        errors = [m.error for m in story.moments if m.error is not None]
        assert story.moments[0].error is None, program.definitions()
        assert not [e for e in errors if type(e).__name__ in BROKEN], f"{program.definitions()}\n{errors}"
        assert runner.compare(story, runner.run(program, "eager")) is None


def test_a_program_that_is_not_captured_differs_in_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_wrap", lambda kind, values: lambda f: lambda *args, **kwargs: f(*args, **kwargs))
    for seed in range(60):
        program = python_programs.program(seed)
        if program.kind == "compile":
            found, _ = runner.check(program)
            assert found is None, f"{found}\n{program.source()}"


def frozen(function: Callable[..., Any]) -> Callable[..., Any]:
    """A wrong capture: it returns the first call's values again."""
    kept: list[Any] = []

    def again(*args: Any, **kwargs: Any) -> Any:
        if not kept:
            kept.append(function(*args, **kwargs))
        return kept[0].clone()

    return again


def copied(function: Callable[..., Any]) -> Callable[..., Any]:
    """A wrong capture: results are copies."""

    def call(*args: Any, **kwargs: Any) -> Any:
        result = function(*args, **kwargs)
        return tuple(t.clone() if isinstance(t, flow.Tensor) else t for t in result) if isinstance(result, tuple) else result.clone()

    return call


@pytest.mark.parametrize(
    "wrong, family, name, kind",
    [
        (frozen, "variables", "a number", "values of outs"),
        (frozen, "closures", "a counter", "values of outs"),
        (frozen, "surroundings", "print", "kind of printed"),
        (copied, "aliases", "the input is returned", "identity of outs"),
        (copied, "aliases", "a view of the input", "memory of outs"),
        (copied, "aliases", "the result and a view of it", "memory of outs"),
    ],
)
def test_a_wrong_capture_is_found(monkeypatch: pytest.MonkeyPatch, wrong: Any, family: str, name: str, kind: str) -> None:
    monkeypatch.setattr(runner, "_wrap", lambda how, values: (lambda f: f) if how == "eager" else wrong)
    found, _ = runner.check(a_program(PARTS[family][name], calls=2))
    assert found is not None and found.kind == kind


def test_what_is_wrong_is_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """The report is a script that shows the difference by itself."""
    monkeypatch.setattr(runner, "_wrap", lambda how, values: (lambda f: f) if how == "eager" else frozen)
    kind, text = report(7, lambda seed: a_program(PARTS["variables"]["a counter"], "method", "none", calls=3), python_programs.check)
    assert kind == "values of outs: variables: a counter"
    assert text.count("    'outs.append(call(") == 2 and "class Me" not in text


@pytest.mark.long
def test_a_script_runs(tmp_path: Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(a_program(PARTS["variables"]["a number"], "closure", calls=2).source("outs[-1]"))
    done = subprocess.run([sys.executable, script], capture_output=True, text=True)
    eager, captured = done.stdout.removeprefix("eager\n").split("captured\n")
    assert eager == captured and eager.count("->") == 6, done.stdout + done.stderr


def test_why_calls_run_in_eager_mode_is_said() -> None:
    program = a_program(PARTS["control"]["a number of an array"], calls=2)
    assert python_programs.check(program) is None
    assert "eager mode: " in python_programs.remarks()[0]
