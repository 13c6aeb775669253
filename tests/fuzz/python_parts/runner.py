"""Runs a program of Python in eager mode, again in eager mode, and captured, and compares all that it leaves after each event."""

from __future__ import annotations

import contextlib
import io
import linecache
import os
import random
import re
import sys
import tempfile
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy
import torch

import tritonflow as flow
from tests import where
from tests.fuzz.programs import Difference, differs, digest, is_internal
from tests.fuzz.python_parts.snapshot import WRITTEN_VIEW, Snapshot, Value
from tests.fuzz.python_parts.source import GRAPH, IMPORTS, INPUTS, MODULES, TENSORS, PythonProgram
from tests.poison import poisoned
from tritonflow.errors import AutogradError, CaptureError, VersionError
from tritonflow.functions.random_generator import default_generator

_TOLERANCE = 1e-4
_STEP_OUTSIDE = re.compile(r"\bo_\d+\.step\(")
_HIDDEN = re.compile(r"^(__.*|wrap|wrapped|call|inner|body|step|changes|given|cleanup|folder|modules|optimizers|tensors|flow|nn|in_graph|as_graph|make)$")
_FALLBACK = "runs in eager mode: "


@dataclass
class Moment:
    """What there is after an event."""

    event: str
    values: dict[str, Value]
    error: BaseException | None = None


@dataclass
class Story:
    """What became of a program.

    Attributes:
        moments: one for each event, and one for the definitions.
        fallbacks: why calls were not captured that raise nothing.
        raises: whether a call was not captured as it raises something, in eager mode, too.
        captures: how often the step was captured.
    """

    moments: list[Moment] = field(default_factory=list)
    fallbacks: list[str] = field(default_factory=list)
    raises: bool = False
    captures: int = 0


def check(program: PythonProgram) -> tuple[Difference | None, list[str]]:
    """How a captured program differs, and remarks: why it runs in eager mode, or why it says nothing."""
    text = program.definitions()
    if "checkpoint.checkpoint(inner" in text and "backward()" in text:
        return None, ["no program: backward() in a checkpoint computes the checkpoint again, inside of itself"]
    with poisoned():
        eager, again = run(program, "eager"), run(program, "eager")
        if eager.moments[0].error is not None:
            return None, [f"no program: {eager.moments[0].error!r}"]
        if (uneven := compare(eager, again)) is not None:
            return None, [f"eager mode differs from itself: {uneven.text[:100]}"]
        captured = run(program, program.kind)
    if program.kind == "graph":
        eager, captured = until_otherwise(eager), until_otherwise(captured)
    else:
        eager, captured = until_backward_fails(eager, captured)
    found = compare(eager, captured)
    refused = next((m.error for m in captured.moments if isinstance(m.error, CaptureError)), None) if program.kind == "graph" else None
    if refused is not None:
        return (found if found is not None and not found.kind.startswith("raises") else None), [f"refused: {digest(refused)}"]
    if captured.fallbacks:
        return found, [f"{'some calls' if captured.captures else 'all calls'} in eager mode: {captured.fallbacks[0]}"]
    return found, _how_often(captured)


def until_otherwise(story: Story) -> Story:
    """The part of a story in which an nn.Graph does what eager mode does.

    A graph steps its optimizers behind `build`, so a call that fails steps none; and it leaves no gradients to a step outside.
    """
    for number, moment in enumerate(story.moments):
        if moment.error is not None or _STEP_OUTSIDE.search(moment.event):
            return replace(story, moments=story.moments[:number])
    return story


def until_backward_fails(eager: Story, captured: Story) -> tuple[Story, Story]:
    """The parts of the stories before eager mode's backward fails, or a program says that what its backward reads has changed.

    What eager mode's has left until then, a program does not leave. The stories also end where a result is written that eager mode
    has as a view of an `autograd.Function`: that of a module with a full backward hook, which a program has as any other result.
    """
    for number, (one, other) in enumerate(zip(eager.moments, captured.moments)):
        is_backward, both_fail = "backward(" in one.event, isinstance(one.error, AutogradError) and other.error is not None
        is_lost = WRITTEN_VIEW in one.values.values() and WRITTEN_VIEW not in other.values.values()
        if (is_backward and (one.error is not None or _says_changed(other.error))) or both_fail or is_lost:
            return replace(eager, moments=eager.moments[:number]), replace(captured, moments=captured.moments[:number])
    return eager, captured


def _says_changed(error: Exception | None) -> bool:
    """Of a variable, or of a parameter that was written by `.data`: what a checkpoint then computes with is another one."""
    return isinstance(error, VersionError) or "was changed between the call and backward()" in str(error)


def _how_often(story: Story) -> list[str]:
    """Whether a program was captured once or a few times, or in most of its calls."""
    calls = sum("outs.append(" in m.event for m in story.moments)
    if not story.captures:
        return ["no call that raises nothing"] if story.raises else ["no call"]
    return ["captured", "captured in most calls"][: 2 if story.captures > 2 and 2 * story.captures > calls else 1]


def run(program: PythonProgram, kind: str) -> Story:
    """Once, from a fresh state."""
    story = Story()
    with _module(program, kind) as (values, name, file), warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        texts = [program.definitions(), *program.events()]
        for number, text in enumerate(texts):
            printed = io.StringIO()
            error = _do(text, values, file if number == 0 else f"<event {number}>", printed)
            story.moments.append(Moment(text, _look(values, name, printed.getvalue(), kind_of=program.kind), error))
            whys = [reason(str(w.message)) for w in warned if _FALLBACK in str(w.message)]
            warned.clear()
            if error is None:
                story.fallbacks += whys
            else:
                story.raises |= bool(whys)
            if number == 0 and error is not None or isinstance(error, CaptureError) and kind == "graph":
                break
        story.captures = sum(_captures(each) for each in values["wrapped"])
    return story


def reason(text: str) -> str:
    """Why a call is not captured, without what is particular to the program."""
    text = re.sub(r"`[^`]*`", lambda m: m[0] if len(m[0]) < 24 else "`...`", text.split(_FALLBACK, 1)[1].splitlines()[0])
    return re.sub(r"_\d+|\d+|'[^']*'|/\S+|<program[^>]*>", "#", text)[:110]


def _do(text: str, values: dict[str, Any], file: str, printed: io.StringIO) -> BaseException | None:
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(text, file, "exec"), values)
            where.settle()
    except Exception as error:
        return error.with_traceback(None)
    return None


@contextlib.contextmanager
def _module(program: PythonProgram, kind: str) -> Any:
    """A module of Python's for a run, with or without a source; afterwards everything is as it was."""
    name = f"fuzz_program_{program.seed}"
    module = types.ModuleType(name)
    text = program.definitions()
    with tempfile.TemporaryDirectory() as folder:
        file = {"file": str(Path(folder) / f"{name}.py"), "linecache": f"<program {program.seed}>", "none": "<string>"}[program.source_is]
        if program.source_is == "file":
            Path(file).write_text(text)
        if program.source_is == "linecache":
            linecache.cache[file] = (len(text), None, [line + "\n" for line in text.splitlines()], file)
        sys.modules[name] = module
        seed_all()
        values = module.__dict__
        try:
            exec(f"import {', '.join(MODULES)}\n{IMPORTS}{INPUTS}{TENSORS}", values)
            values.update(folder=folder, in_graph=False, wrapped=[])
            values["wrap"] = _wrap(kind, values)
            yield values, name, file
        finally:
            for undo in reversed(values["cleanup"]):
                with contextlib.suppress(Exception):
                    undo()
            del sys.modules[name]
            linecache.cache.pop(file, None)
            for key in [k for k in os.environ if k.startswith("FUZZ_") and k != "FUZZ_MINUTES"]:
                del os.environ[key]


def seed_all() -> None:
    random.seed(0)
    numpy.random.seed(0)
    flow.manual_seed(0)


def _captures(wrapped: Any) -> int:
    """How many programs a captured function has, and as the method of objects."""
    function = getattr(wrapped, "_captured", wrapped)
    bound = getattr(function, "_bound", {})
    return len(function.captures()) + sum(map(_captures, bound.values()))


def _wrap(kind: str, values: dict[str, Any]) -> Callable[..., Any]:
    """How a step is called. Ops are not fused: their kernels are eager mode's, and compiled already."""
    if kind == "graph":
        exec(GRAPH, values)  # says that it is one
        return _unfused(values["as_graph"], values["wrapped"])
    if kind == "dynamic":
        return _unfused(partial(flow.compile, dynamic=True), values["wrapped"])
    return _unfused(flow.compile, values["wrapped"]) if kind == "compile" else lambda f: f


def _unfused(capture: Callable[[Any], Any], made: list[Any]) -> Callable[[Any], Any]:
    def wrapped(function: Any) -> Any:
        captured = capture(function)
        inner = getattr(captured, "_captured", captured)
        made.append(inner)
        for allow in ("pointwise", "add_to_output", "prologues", "attention", "reductions"):
            getattr(inner.config, f"allow_fuse_{allow}")(False)
        return captured

    wrapped.__name__ = getattr(capture, "__name__", "compile")
    return wrapped


def _look(values: dict[str, Any], name: str, printed: str, kind_of: str) -> dict[str, Value]:
    snapshot = Snapshot(name, shared=kind_of != "graph")
    for key in sorted((k for k in values if not _HIDDEN.match(k)), key=_in_order):
        if not isinstance(values[key], types.ModuleType) or key.startswith("settings"):
            snapshot.add(key, values[key])
    for key in ("step", "make"):
        if key in values:
            snapshot.add(key, values[key])
    state = default_generator(flow.device(where.device)).get_state()
    return {
        **snapshot.found,
        "random state": Value("ours", state.numpy() if isinstance(state, (flow.Tensor, torch.Tensor)) else None),
        "random state of Python": Value(str(hash(random.getstate()))),
        "random state of NumPy": Value(str(hash(numpy.random.get_state()[1].tobytes()) ^ numpy.random.get_state()[2])),  # type: ignore[union-attr, operator]
        "printed": Value(repr(printed)),
        "grad mode": Value(str(flow.is_grad_enabled())),
        "environment": Value(str(sorted((k, v) for k, v in os.environ.items() if k.startswith("FUZZ_")))),
    }


def _in_order(name: str) -> tuple[int, str]:
    """Inputs come first, then results, then the rest."""
    return (0 if re.match(r"x\d$", name) else 1 if name == "outs" else 2, name)


# ------------------------------------------------------------------------------------------------------------ differences


def compare(wanted: Story, got: Story) -> Difference | None:
    """The first difference of two stories."""
    for number, (ours, theirs) in enumerate(zip(got.moments, wanted.moments)):
        at = f"after event {number}, {theirs.event if number else 'the definitions'}"
        if type(ours.error) is not type(theirs.error):
            if ours.error is not None and is_internal(ours.error) or isinstance(ours.error, CaptureError):
                kind = f"raises {type(ours.error).__name__} {_words(ours.error)}"
            else:
                words = "" if ours.error is None else f": {_words(ours.error)}"
                kind = f"raises {type(ours.error).__name__}, not {type(theirs.error).__name__}{words}"
            return Difference(kind, f"{at}: captured {ours.error!r}, eager mode {theirs.error!r}", "")
        found = _compare_values(ours.values, theirs.values)
        if found is not None:
            what, path, text = found
            kind = f"{what} of {_root(path)}" + " after an error" * (theirs.error is not None)
            return Difference(kind, f"{at}: {path}: {text}", shown(what, path, theirs.values, ours.values))
    return None


def _words(error: BaseException) -> str:
    """What an error says, without the function's name and the line of the program."""
    return digest(str(error).split(": ", 1)[-1])


def shown(what: str, path: str, *values: dict[str, Value]) -> str:
    """An expression of the program's that is not the same in eager mode."""
    for value in values:
        if what == "identity" and path in value and value[path].kind.startswith("is "):
            return f"{path} {value[path].kind}"
        if what == "memory":
            others = (p for p, v in value.items() if p != path and set(v.memory) & set(value[path].memory))
            if (other := next(others, None)) is not None:
                return f"{path}.data_ptr() - {other}.data_ptr()"
    return path


def _root(path: str) -> str:
    """The name of a path, without numbers."""
    return re.sub(r"\d+", "#", re.split(r"[.\[<]", path)[0]) + (".grad" if path.endswith(".grad") else "")


def _compare_values(ours: dict[str, Value], theirs: dict[str, Value]) -> tuple[str, str, str] | None:
    largest = max([1.0, *(_largest(v.numbers) for v in theirs.values())])
    for path, wanted in theirs.items():
        got = ours.get(path)
        if got is None:
            return "missing", path, f"missing, wanted {wanted.kind}"
        if got.kind != wanted.kind:
            what = "identity" if "is " in (got.kind[:3], wanted.kind[:3]) else "kind"
            return what, path, f"{got.kind}, wanted {wanted.kind}"
        scale = min(largest, max(1.0, _largest(wanted.numbers)))
        text = differs(got.numbers, wanted.numbers, _TOLERANCE * scale)
        if text:
            return "values", path, text
        if got.memory != wanted.memory:
            return "memory", path, f"elements lie at {got.memory}, wanted {wanted.memory}"
    extra = [path for path in ours if path not in theirs]
    return ("more", extra[0], f"there is {ours[extra[0]].kind}, not in eager mode") if extra else None


def _largest(numbers: Any) -> float:
    if not isinstance(numbers, numpy.ndarray) or numbers.dtype.kind != "f":
        return 0.0
    finite = numpy.abs(numbers[numpy.isfinite(numbers)])
    return float(finite.max()) if finite.size else 0.0
