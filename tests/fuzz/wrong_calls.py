"""Calls of every op with one wrong argument: `python tests/fuzz/wrong_calls.py --minutes 60`, or `--seed 17`.

A call with a sample's arguments, one of them replaced, or left out, or one more. It may compute; else it raises an error that is
meant for users, and every tensor is as it was. Nothing may crash, hang, or raise Python's errors about our own code.
"""

from __future__ import annotations

import math
import os
import random
import re
import sys
import warnings
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

if __name__ == "__main__":
    sys.path[:1] = [str(Path(__file__).resolve().parents[2])]
    os.environ.setdefault("TRITONFLOW_MEMORY_LIMIT", str(1 << 30))  # what a size of 2**31 would ask for is refused

import numpy
import torch

import tritonflow as flow
from tests.fuzz.command import main
from tests.fuzz.programs import Difference, array, differs, digest, is_internal
from tests.op_samples import entries, kind_of, samples_of
from tritonflow.device.torch_exchange import from_torch_dtype

VALUES = (
    "None", "True", "-1", "0", "1", "7", "2**31", "-2**31 - 1", "2**63", "2**65", "10**13", "1.5", "-0.5", "math.nan", "math.inf", "1j", "''", "'a'",
    "'sum'", "b'a'", "[]", "()", "[1, 2]", "(0, 0)", "(-1,)", "[-7, 3]", "[[1]]", "[None]", "['a']", "[1.5]", "[2**65]", "{}", "object()",
    "range(2)", "slice(1)", "Ellipsis", "lambda: 0", "numpy.float32(2)", "numpy.int64(9)", "numpy.ones(3)", "numpy.bool_(True)",
    "torch.ones(3)", "torch.tensor(2)", "torch.float32", "torch.Size([2])", "flow.float64", "flow.bool", "flow.device('cpu')", "flow.ones(3)",
    "flow.tensor(2)", "flow.tensor(2.5)", "flow.tensor([True])", "flow.zeros(0)", "flow.ones(2, 1, 3, 2)", "flow.ones(2, 3, dtype=flow.float64)",
    "flow.tensor([0, 99])", "flow.tensor([-7])", "flow.ones(3, dtype=flow.float16)", "flow.ones(1, 3).expand(2, 3)", "[flow.ones(2), 1]",
    "[flow.ones(2), None]", "[flow.ones(2), flow.ones(3)]", "[flow.ones(2), torch.ones(2)]", "flow.nn.Parameter(flow.ones(2))",
)  # fmt: skip
NAMES = {"math": math, "inf": math.inf, "nan": math.nan, "numpy": numpy, "torch": torch, "flow": flow}


@dataclass
class Call:
    """A call, as lines that make its tensors and an expression.

    Attributes:
        name: of the op.
        tensors: the text of each tensor argument.
        text: the call.
        argument: what is wrong with it, for the report.
    """

    name: str
    tensors: dict[str, str]
    text: str
    argument: str
    statements: list[Any] = field(default_factory=list)

    def without(self, position: int) -> Call:
        return self

    def outline(self) -> str:
        return ""

    def source(self, name: str = "") -> str:
        lines = ["import math, numpy, torch, tritonflow as flow", "from math import inf, nan", *[f"{n} = {text}" for n, text in self.tensors.items()], self.text]
        return "\n".join(lines)


@lru_cache
def callable_entries() -> list[Any]:
    return [e for e in entries().values() if e.bind_python and kind_of(e)]


@lru_cache(maxsize=512)
def samples(name: str) -> list[Any]:
    """Small samples of an op, without the sample generators' own wrong calls."""
    rng = numpy.random.default_rng(0)
    for dtype in (torch.float32, torch.int64, torch.bool):
        found = [s for s in samples_of(entries()[name], dtype, rng, False) if _small((s.args, s.kwargs))]
        found = [s for s in found if not re.search("range|differ|do not|not bool|of a floating", s.label)]
        if found:
            return found
    return []


def _small(value: Any) -> bool:
    if isinstance(value, torch.Tensor):
        return value.numel() <= 64
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return all(map(_small, items))


def program(seed: int) -> Call:
    """The ops in turn; which argument and what value by chance."""
    rng = random.Random(seed)
    entry = callable_entries()[seed % len(callable_entries())]
    sample = rng.choice(samples(entry.name))
    tensors: dict[str, str] = {}
    args = [text_of(a, tensors) for a in sample.args]
    kwargs = {k: text_of(v, tensors) for k, v in sample.kwargs.items()}
    for p in rng.choice(entry.signatures).parameters[len(args) :]:  # give some of the others, too, so that they can be wrong
        if rng.random() < 0.5 and p.name not in kwargs and p.name != "inplace":
            kwargs[p.name] = repr(p.default) if isinstance(p.default, (int, float, str, bool, type(None))) else "None"
    places: list[Any] = [*range(len(args)), *kwargs, "more"]
    place, value = rng.choice(places), rng.choice(VALUES)
    if entry.name == "chunk" and "**" in value:
        value = "-3"  # of an empty dimension there are as many chunks as wanted, in torch too
    argument = f"{place} = {value}"
    if place == "more":
        args.append(value) if rng.random() < 0.7 else kwargs.update(no_such_argument=value)
    elif rng.random() < 0.05:
        argument = f"{place} is left out"
        args.pop(place) if isinstance(place, int) else kwargs.pop(place)
    elif isinstance(place, int):
        args[place] = value
    else:
        kwargs[place] = value
    methods = [m for m in entry.methods if not m.startswith("__")]
    given = [f"{k}={v}" for k, v in kwargs.items()]
    if methods and args and args[0] in tensors and rng.random() < 0.5:
        return Call(entry.name, tensors, f"{args[0]}.{rng.choice(methods)}({', '.join([*args[1:], *given])})", argument)
    return Call(entry.name, tensors, f"flow._C.{entry.name}({', '.join([*args, *given])})", argument)


def text_of(value: Any, tensors: dict[str, str]) -> str:
    """An argument as text; a tensor gets a name."""
    if isinstance(value, torch.Tensor):
        name = f"t{len(tensors)}"
        tensors[name] = f"flow.tensor({_rounded(value.tolist())}, dtype=flow.{from_torch_dtype(value.dtype).name.replace('bool_', 'bool')})"
        if 0 in value.shape:
            tensors[name] = f"flow.zeros({tuple(value.shape)}, dtype=flow.{from_torch_dtype(value.dtype).name})"
        return name
    if isinstance(value, torch.dtype):
        return f"flow.{from_torch_dtype(value).name}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(text_of(v, tensors) for v in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' if len(value) == 1 else ''})"
    if isinstance(value, float) and not math.isfinite(value):
        return f"float('{value}')"
    return repr(value)


def _rounded(numbers: Any) -> Any:
    return list(map(_rounded, numbers)) if isinstance(numbers, list) else round(numbers, 3) if isinstance(numbers, float) else numbers


def check(call: Call) -> Difference | None:
    values = dict(NAMES)
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for name, text in call.tensors.items():
            values[name] = eval(text, values)
        before = {name: state(values[name]) for name in call.tensors}
        try:
            result = eval(call.text, values)
            for tensor in result if isinstance(result, (list, tuple)) else [result]:
                if isinstance(tensor, flow.Tensor) and max(tensor.numel(), 0, *tensor.shape) < 10**6:  # of a row of nothing there may be 10**13
                    tensor.tolist()
            return None
        except Exception as error:
            raised = error.with_traceback(None)
        if is_internal(raised):
            return Difference(f"{type(raised).__name__}: {digest(raised)}", f"{call.text}\n  {type(raised).__name__}: {raised}"[:1500])
        for name, (shape, dtype, version, numbers) in before.items():
            after = state(values[name])
            if after[:3] != (shape, dtype, version) or differs(after[3], numbers, 0.0):
                return Difference(f"changed by {call.name}", f"{call.text}\n  raises {raised!r} and changes {name}: {before[name]} {after}")
    return None


def state(t: Any) -> Any:
    return t.shape, t.dtype, t._version, array(t)


if __name__ == "__main__":
    sys.exit(main(__file__, __doc__, program, check))
