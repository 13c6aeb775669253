"""Programs as lists of statements, run with torch or with tritonflow as `lib`, and what the two leave compared.

A statement is one line of Python. Programs are compared where they end: every variable with its gradient, and which statements
raised. The memory of all kernels is poisoned.
"""

from __future__ import annotations

import re
import textwrap
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy
import torch

import tritonflow as flow
from tests import where
from tests.poison import poisoned
from tritonflow.errors import TritonflowError


@dataclass(frozen=True)
class Statement:
    """A line of a program.

    Attributes:
        text: the line; `lib` is torch or tritonflow.
        reference: the line for torch, where torch's own result depends on the order in which it writes.
        may_refuse: whether an error is right, too: then torch skips the statement.
    """

    text: str
    reference: str = ""
    may_refuse: bool = False


@dataclass
class Program:
    """Statements, and how near results have to be."""

    seed: int
    statements: list[Statement]
    tolerance: float

    def without(self, position: int) -> Program:
        return Program(self.seed, self.statements[:position] + self.statements[position + 1 :], self.tolerance)

    def outline(self) -> str:
        """What it calls: programs with one outline fail for one cause, probably."""
        texts = [s.text.split(" = lib.tensor(")[0] for s in self.statements]
        words = re.findall(r"\.(\w+)\(|(\] ?[-+*]?=) |( [-+*/%]+=? )|([gvx]\d+\[)", "\n".join(texts))
        return " ".join("".join(groups) for groups in words if groups[0] not in ("tensor", "clone"))

    def source(self, name: str = "") -> str:
        """A program that a person can paste."""
        body = "\n".join(_shown(s) for s in self.statements)
        last = f"print({name})\n" if name else ""
        header = "import torch, tritonflow as flow\nfor lib in (torch, flow):\n"
        return header + textwrap.indent(f"{body}\n{last}", "    ")


def _shown(statement: Statement) -> str:
    note = f"  # may refuse; torch: {statement.reference}" if statement.reference else ""
    return statement.text + note


@dataclass
class Outcome:
    """What a program left."""

    values: dict[str, Any]
    errors: dict[int, Exception] = field(default_factory=dict)


def run(program: Program, lib: Any, skipped: Any = ()) -> Outcome:
    """Run with a library. A statement that raises is passed over."""
    outcome = Outcome({"lib": lib})
    for number, statement in enumerate(program.statements):
        if number in skipped:
            continue
        text = statement.reference if lib is torch and statement.reference else statement.text
        values = dict(outcome.values)
        try:
            exec(text, values)
            where.settle()
        except Exception as error:
            outcome.errors[number] = error.with_traceback(None)
        else:
            outcome.values = values
    return outcome


# ------------------------------------------------------------------------------------------------------------ differences


@dataclass(frozen=True)
class Difference:
    """What is wrong: its kind, by which a smaller program is recognised; the variable; the details."""

    kind: str
    text: str
    name: str = ""


def difference(program: Program) -> Difference | None:
    """How the results differ from torch's; None where they do not."""
    with poisoned(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return judge(program, run(program, flow))


def judge(program: Program, ours: Outcome) -> Difference | None:
    """How what a program left with tritonflow differs from what it leaves with torch."""
    refused = {k for k, error in ours.errors.items() if program.statements[k].may_refuse or _is_allowed(program, k, error)}
    expected = run(program, torch, refused)
    for k in refused:
        if is_internal(ours.errors[k]):
            return Difference("internal error", f"{program.statements[k].text}: {ours.errors[k]!r}")
    alone = {k for k in expected.errors if k not in ours.errors and _is_more(program, k, expected.errors[k])}
    first_alone = min(alone, default=len(program.statements))  # behind which torch has not done what we have
    for k in sorted(k for k in {*ours.errors, *expected.errors} - refused - alone if k < first_alone):
        found = _compare_errors(program.statements[k].text, ours.errors.get(k), expected.errors.get(k))
        if found is not None:
            return found
    unknown = _forgets(program)
    errors = (*expected.errors.values(), *ours.errors.values())
    unknown |= any("modified by an inplace" in str(e) for e in errors)  # what backward gave before is by its order
    unknown |= _says(program, ".data")  # a write there is in what torch has saved, but not in our copies
    half_done = any("out of bounds" in str(e) or "out of range" in str(e) for e in expected.errors.values())  # torch writes up to a wrong index
    values = _without_gradients(program, expected.values) if unknown else expected.values
    return None if alone or half_done else compare(ours.values, values, program.tolerance, unknown)


def _says(program: Program, text: str) -> bool:
    return any(text in statement.text for statement in program.statements)


_WRITTEN = re.compile(r"(v\d+)(?:\[.*\])? *[-+*/%]+= |(v\d+)\[.*\] *= |(v\d+)\.\w+_\(|(v\d+) = \w+\.prod\(")


def _forgets(program: Program) -> bool:
    """Whether torch may have lost a history: behind a write under no_grad it finds those of views anew, from their base."""
    return _says(program, "lib.no_grad(): ") or _asks_a_written_view(program)


def _asks_a_written_view(program: Program) -> bool:
    """Whether gradients by a variable, or a view of one, are asked that was written: a view of it is in torch one of its base alone.

    Or by a product, of whose result torch's gradient is made, and ours of the factors.
    """
    texts = "\n".join(statement.text for statement in program.statements)
    asked = {name for names in re.findall(r"autograd\.grad\(.*?, \[(.*?)\]", texts) for name in re.findall(r"v\d+", names)}
    written = {name for found in _WRITTEN.findall(texts) for name in found}
    for made, source in re.findall(r"(?m)^(v\d+) = (.*)", texts):  # a view of it, too
        written |= {made} if written & set(re.findall(r"v\d+", source)) else set()
    return not asked.isdisjoint(written)


def _without_gradients(program: Program, values: dict[str, Any]) -> dict[str, Any]:
    """Without what statements make of gradients, for programs in which torch may have lost a history."""
    found: set[str] = set()
    for statement in program.statements:
        words = set(re.findall(r"\w+", statement.text))
        if "grad" in words - {"requires_grad"} or words & found:
            found |= set(re.findall(r"^\(?(\w+)", statement.text))
    return {name: value for name, value in values.items() if name not in found}


# (a pattern of the statement, a pattern of our error): what we do not have, or do on purpose otherwise; each with its reason.
ALLOWED = (
    (r"", r"not implemented for", "no kernel for a dtype, and the error says so"),
    (r"backward|grad", r"an input of scaled_dot_product_attention_backward", "torch's other attention saves what it makes of them"),
    (r"", r"which is an input of cross_entropy_backward", "torch keeps the log_softmax instead, which is as large again"),
    (r"backward|grad", r"`scatter_backward` has been released", "scatter and scatter_add are one op here, which saves its index"),
    (r"backward|grad", r"`index_put_backward` has been released", "index_add is index_put here, which saves its index"),
    (r"backward|grad", r"an output of scaled_dot_product_attention_backward", "as flash attention, which torch runs for other dtypes"),
    (r"backward|grad", r"an input of matmul_backward", "torch folds a batch into a matrix, and saves the copy"),
    (r"conv_transpose", r"Output size is too small", "torch gives nothing for bfloat16, and refuses float32"),
    (r"", r"is a part of an expanded global", "a write that could not come back to where several elements lie, and the error says so"),
    (r"cat\(", r"Dimension out of range", "torch's cat passes over empty vectors, whatever the dimension"),
    (r"", r"is a view of an expanded tensor", "its gradient after the write is not supported, and the error says so"),
    (r"bool\)", r"Subtraction, the `-` operator", "as torch"),
)
# (a pattern of the statement, a pattern of torch's error): torch raises and we compute.
MORE_THAN_TORCH = (
    (r"", r"not implemented for", "torch has no kernel for a dtype"),
    (r"", r"output of a function that returns multiple views", "its gradient is tested in tests/autograd/test_parts.py"),
    (r"", r"A view was created in no_grad mode", "torch's gradients are views, ours have memory of their own"),
    (r"^g?v\d+\b", r"^a leaf Variable that requires grad", "torch takes a view that was written by index for a leaf until its grad_fn is read"),
    (r"^gv\d+", r"more than one element of the written-to tensor", "a gradient that torch expands has memory of its own"),
    (r"index_add_\(.*alpha", r"some elements of the input tensor and the written-to tensor", "alpha times the source has memory of its own"),
    (r"backward|grad", r"backward through the graph a second time", "torch saves the number of x * 2 as a tensor and frees it, ours is part of the node"),
    (r"backward|grad", r"which is output 0 of Logsumexp", "our logsumexp saves no output"),
    (r"", r"returned an invalid gradient at index", "torch's backward of scatter_add, where src is longer than the index"),
    (r"", r"expected m1 and m2 to have the same dtype|expected .* but found|expected dtype [\w:]+ for `\w+` but got", "torch's own words are checked elsewhere"),
)


# Of gather, index_add and nll_loss torch saves an operand for its shape alone, of conv one that has no gradient; of mse_loss both,
# where we save the difference; those of addcmul and addcdiv it reads for any gradient, where we read what is asked for; the input
# of logsumexp, where we save what its exponentials are.
SAVES_MORE = re.compile(r"(gather|index_add_?|nll_loss|mse_loss|conv\dd|conv_transpose\dd|addcmul_|addcdiv_|logsumexp)\(")


def _is_allowed(program: Program, number: int, error: Exception) -> bool:
    if "modified by an inplace operation" in str(error) and any(s.reference or ".data" in s.text for s in program.statements):
        return True  # autograd saved what was written, for torch a copy; torch counts no writes to `x.data`, and its gradient is wrong
    if "appears to not have been used in the graph" in str(error) and _says(program, ".data"):
        return True  # a write there is for us one to the views of x, too, whose histories are found anew
    if re.search(r"a hook on a tensor that doesn't require gradient|can't retain_grad", str(error)) and _says(program, "conv"):
        return True  # the gradient of a convolution is for torch a function of its input, too
    return any(re.search(a, program.statements[number].text) and re.search(b, str(error)) for a, b, _ in ALLOWED)


def _is_more(program: Program, number: int, error: Exception) -> bool:
    if "modified by an inplace operation" in str(error) and any(SAVES_MORE.search(s.text) for s in program.statements):
        return True
    if "appears to not have been used in the graph" in str(error) and _forgets(program):
        return True
    text = program.statements[number].text
    if program.statements[number].may_refuse and "refer to a single memory location" in str(error):
        return True  # we copy the operand, or each element is read before it is written
    return any(re.search(a, text) and re.search(b, str(error)) for a, b, _ in MORE_THAN_TORCH)


def _compare_errors(text: str, ours: Exception | None, expected: Exception | None) -> Difference | None:
    if type(ours) is type(expected) and str(ours) == str(expected):
        return None  # Python's own words, of None * 2 for one
    if ours is not None and is_internal(ours):
        return Difference(f"internal error {type(ours).__name__} {digest(ours)}", f"{text}\n  we raise {ours!r}")
    if ours is not None and expected is None:
        return Difference(f"we raise {type(ours).__name__} {digest(ours)}", f"{text}\n  we raise {ours!r}, torch does not")
    if ours is None and expected is not None:
        return Difference(f"torch raises {digest(expected)}", f"{text}\n  torch raises {expected!r}, we do not")
    return None


_INTERNAL = re.compile(
    r"'NoneType'|object (is not|has no|cannot)|list index|tuple index|pop from|unsupported operand|not enough values|too many values"
    r"|unhashable|must be real number|cannot unpack|_impl|bad operand|invalid literal|takes \d+ positional arguments? but|LLVM|ttir"
    r"|unexpected keyword argument '\w+'$|missing \d+ required|struct|PyCapsule|ctypes|argument out of range|int too large"
)
_PROGRAMS_OWN = (NameError,)  # of statements whose variables a reduction took away


def is_internal(error: BaseException) -> bool:
    """Whether an error is not meant for users: no documented class, or Python's words about our own code."""
    if isinstance(error, TritonflowError) or isinstance(error, _PROGRAMS_OWN) and not isinstance(error, UnboundLocalError):
        return False
    if isinstance(error, (AttributeError, KeyError, AssertionError, RecursionError, SystemError, UnboundLocalError, MemoryError)):
        return True
    if not isinstance(error, (TypeError, ValueError, IndexError, RuntimeError, NotImplementedError, OverflowError)):
        return not isinstance(error, (ZeroDivisionError, BufferError, StopIteration))
    return bool(_INTERNAL.search(str(error))) or type(error).__module__ not in ("builtins", "tritonflow.errors", "numpy")


def digest(error: Any) -> str:
    """The words of an error without its numbers and names."""
    return re.sub(r"[\d.]+|'[^']*'|\[[^\]]*\]", "#", str(error).splitlines()[0] if str(error) else "")[:60]


def compare(ours: dict[str, Any], expected: dict[str, Any], tolerance: float, unknown: bool = False) -> Difference | None:
    """The variables of two runs; `unknown` says that torch may have lost a history, and with it gradients, which are left out."""
    arrays = {name: {n: array(v) for n, v in parts(value).items()} for name, value in expected.items() if not hidden(name)}
    scale = max([1.0, *(_size(a) for each in arrays.values() for a in each.values())])
    for name, wanted in arrays.items():
        if name not in ours:
            return Difference("missing", f"{name} is missing", name)
        got = {n: array(v) for n, v in parts(ours[name]).items()}
        where = expected[name]
        kind = _kind(ours[name])
        if where is None and unknown:
            continue
        if kind != _kind(where) and kind != _other_kind(name, expected):
            return Difference("other kind", f"{name} is {_kind(ours[name])}, not {_kind(where)}", name)
        for part, value in wanted.items():
            if unknown and part.endswith("grad"):
                continue
            text = differs(got.get(part), value, tolerance * scale)
            if text:
                full = f"{name}.{part}" if part else name
                return Difference(f"values {text.split()[0]}", f"{full}: {text}", full)
    return None


def hidden(name: str) -> bool:
    return name == "lib" or name.startswith("_")


def parts(value: Any) -> dict[str, Any]:
    """A tensor and its gradient; nested tensors."""
    if isinstance(value, (tuple, list)):
        return {f"[{k}]{n}": v for k, item in enumerate(value) for n, v in parts(item).items()}
    if not isinstance(value, (torch.Tensor, flow.Tensor)):
        return {"": value} if isinstance(value, (int, float, bool, type(None), numpy.ndarray)) else {}
    found = {"": value}
    if value.is_leaf and value.requires_grad:
        found["grad"] = value.grad
    return found


_REQUIRES = " requires grad"


def _kind(value: Any) -> str:
    """What has to be alike besides numbers."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(_kind, value))}]"
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        dtype = value.dtype.name if isinstance(value, flow.Tensor) else str(value.dtype).removeprefix("torch.")
        # torch says it of integers, too, where something that requires grad was written by index
        needs = value.requires_grad and getattr(value.dtype, "is_floating_point", False)
        return f"{dtype}{list(value.shape)}{_REQUIRES if needs else ''}"
    return type(value).__name__


def _other_kind(name: str, values: dict[str, Any]) -> str:
    """What a gradient, or what is made of one, may be as well: what depends on nothing may say that it requires grad, or not.

    Here a product of one factor says so; in torch, whatever a convolution's backward is given says so.
    """
    kind = _kind(values[name])
    if not any(other.startswith("g") for other in values) or not isinstance(values[name], torch.Tensor):
        return kind
    if not kind.endswith(_REQUIRES):
        return kind + _REQUIRES
    leaves = [v for v in values.values() if isinstance(v, torch.Tensor) and v.requires_grad and v.is_leaf]
    try:
        second = torch.autograd.grad(values[name].sum(), leaves, retain_graph=True, allow_unused=True)
    except RuntimeError:  # what it was computed from is released or written: nobody can tell
        return kind.removesuffix(_REQUIRES)
    return kind if any(g is not None and g.any() for g in second) else kind.removesuffix(_REQUIRES)


def array(value: Any) -> Any:
    """Its numbers, exactly: integers as integers, everything else in float64. What is no tensor is itself."""
    if isinstance(value, flow.Tensor):
        value = flow.to_torch(value.detach())
    if not isinstance(value, torch.Tensor):
        return value
    value = value.detach()
    return (value.double() if value.is_floating_point() else value).clone().numpy()


def _size(value: Any) -> float:
    if not isinstance(value, numpy.ndarray) or value.dtype.kind != "f":
        return 0.0
    finite = numpy.abs(value[numpy.isfinite(value)])
    return float(finite.max()) if finite.size else 0.0


def differs(got: Any, want: Any, limit: float) -> str:
    """How two arrays differ; empty if they do not."""
    if type(got) is type(want) is float and abs(got - want) <= limit:
        return ""
    if not isinstance(want, numpy.ndarray) or not isinstance(got, numpy.ndarray):
        return "" if type(got) is type(want) and (got == want or got != got) else f"differ: {got!r} for {want!r}"
    if got.shape != want.shape:
        return f"differ in shape: {got.shape} for {want.shape}"
    with numpy.errstate(all="ignore"):
        wrong = got != want
        if want.dtype.kind == "f":
            wrong &= ~(numpy.isnan(got) & numpy.isnan(want)) & ~(numpy.abs(got - want) <= limit)
    if not wrong.any():
        return ""
    if got.size > 40:
        at = tuple(int(k) for k in numpy.argwhere(wrong)[0])
        return f"differ: {got[at]} for {want[at]} at {at}, {int(wrong.sum())} of {got.size}"
    return f"differ: {got.tolist()} for {want.tolist()}"
