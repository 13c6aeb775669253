"""Every op of the registry beside torch on the CPU, at three sizes, forward and backward.

    python bench/ops.py [NAME ...] [--json FILE] [--quick] [--below 0.7]

A NAME selects ops whose names begin with it. Two threads on either side, or `--threads=1` with processor times, where others use
the machine. The table has torch's time / ours, above 1 we are faster: the median of rounds in which the two alternate. `--quick`:
the medium size, few rounds. `--below` prints only the ops with a ratio under that number, the slowest first: each of them needs a
cause. Ops without a call here, or without one in torch, are listed at the end with the reason.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

THREADS = "1" if "--threads=1" in sys.argv else "2"  # both libraries read it when they are imported
os.environ["OMP_NUM_THREADS"] = os.environ["TRITONFLOW_NUM_THREADS"] = THREADS

import torch  # noqa: E402

import tritonflow as flow  # noqa: E402
from op_inputs import Size, builder_of  # noqa: E402
from tritonflow.functional import schema  # noqa: E402

REGISTRY = Path(__file__).resolve().parents[1] / "op_registry.yaml"
SIZES = (Size("small", 1 << 10), Size("medium", 100_000), Size("large", 1 << 22))
# One thread's processor time, or the time that passes: others on the machine do not change the former.
clock = time.process_time if THREADS == "1" else time.perf_counter
BURST = 0.005  # seconds of one measurement, at least
ROUNDS, QUICK_ROUNDS, LIMIT = 15, 3, 3.0  # rounds of a case, and the seconds after which no further one begins
Call = Callable[[], Any]


@dataclass
class Row:
    """Ratios, torch's time / ours, and our microseconds, by size and direction ("medium", "medium backward")."""

    op: str
    ratio: dict[str, float] = field(default_factory=dict)
    ours_us: dict[str, float] = field(default_factory=dict)
    problem: str = ""


# ---- both sides of a call


def attribute(root: Any, path: str) -> Any:
    for part in path.split("."):
        root = getattr(root, part, None)
    return root


def function_of(package: Any, entry: Any, path: str) -> Any:
    """The public function of an entry, that of nn.functional first, or the method where there is no function."""
    name = entry.name
    places = (path, name, f"nn.functional.{name}", name.replace("_", ".", 1), f"Tensor.{name}")
    if "nn.functional" in entry.export:
        places = (f"nn.functional.{name}", *places)
    return next((f for f in (attribute(package, place) for place in places if place) if callable(f)), None)


def both_of(entry: Any) -> tuple[Any, Any]:
    """(our function, torch's)."""
    reference = entry.reference or ""
    path = reference.removeprefix("torch.") if reference.startswith("torch.") else ""
    return function_of(flow, entry, ""), function_of(torch, entry, path)


def moved(value: Any) -> Any:
    """torch's arguments as ours, with the same numbers in memory of their own."""
    if isinstance(value, torch.Tensor):
        return flow.from_torch(value.clone())
    if isinstance(value, torch.dtype):
        return getattr(flow, str(value).removeprefix("torch."))
    if isinstance(value, (list, tuple)):
        return value.__class__(moved(item) for item in value)
    return {key: moved(item) for key, item in value.items()} if isinstance(value, dict) else value


def leaves(value: Any) -> Iterator[Any]:
    """The tensors of arguments or of a result."""
    if isinstance(value, (torch.Tensor, flow.Tensor)):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from leaves(item)
    elif isinstance(value, dict):
        yield from leaves(list(value.values()))


def call_of(function: Any, arguments: tuple[Any, ...]) -> Call:
    keywords = arguments[-1] if arguments and isinstance(arguments[-1], dict) else {}
    positional = arguments[:-1] if keywords else arguments
    return lambda: function(*positional, **keywords)


def backward_of(function: Any, arguments: tuple[Any, ...], package: Any, first: bool) -> Call | None:
    """The call that computes the gradients of the floating-point arguments, or of the first one, where the op has any."""
    wanted = [t for t in leaves(arguments) if t.is_floating_point()]
    wanted, others = (wanted[:1], wanted[1:]) if first else (wanted, [])
    for t in wanted:
        t.requires_grad_()
    for t in others:
        t.requires_grad_(False)
    results = [t for t in leaves(call_of(function, arguments)()) if t.requires_grad]
    if not wanted or not results:
        return None
    y = results[0]
    g = package.ones_like(y)
    return lambda: package.autograd.grad(y, wanted, g, retain_graph=True, allow_unused=True)


# ---- measuring


def seconds(call: Call, repeats: int) -> float:
    start = clock()
    for _ in range(repeats):
        call()
    return (clock() - start) / repeats


def repeats_for(call: Call) -> int:
    call()
    return max(1, round(BURST / max(seconds(call, 1), 1e-7)))


def compared(ours: Call, theirs: Call, rounds: int) -> tuple[float, float]:
    """(torch's time / ours, our seconds), medians."""
    counts = repeats_for(ours), repeats_for(theirs)
    pairs: list[tuple[float, float]] = []
    start = time.perf_counter()
    while len(pairs) < rounds and (len(pairs) < 3 or time.perf_counter() - start < LIMIT):
        pairs.append((seconds(ours, counts[0]), seconds(theirs, counts[1])))
    return statistics.median([b / a for a, b in pairs]), statistics.median([a for a, _ in pairs])


def measure(entry: Any, sizes: tuple[Size, ...], rounds: int) -> Row:
    row = Row(entry.name)
    kind = entry.samples.get("kind") if isinstance(entry.samples, dict) else entry.samples
    tensors = sum(p.type.name == "Tensor" for p in entry.signatures[0].parameters)
    build = builder_of(entry.name, kind, tensors)
    functions = both_of(entry)
    if build is None or None in functions:
        row.problem = "no call in bench/op_inputs.py" if build is None else "no such function of torch or of tritonflow"
        return row
    for size in sizes:
        torch.manual_seed(0)
        arguments = build(size)
        for direction in ("", " backward"):
            try:
                calls = _calls(functions, arguments, direction)
                if calls is None:
                    continue
                ratio, ours = compared(*calls, rounds)
            except Exception as problem:  # one op must not end the run
                row.problem = f"{size.name}{direction}: {problem.__class__.__name__}: {str(problem)[:90]}"
                break
            row.ratio[size.name + direction] = round(ratio, 3)
            row.ours_us[size.name + direction] = round(ours * 1e6, 1)
    return row


def _calls(functions: tuple[Any, Any], arguments: tuple[Any, ...], direction: str) -> tuple[Call, Call] | None:
    """Both sides of a direction; None where the op has no gradients, or writes over its input."""
    ours, theirs = moved(arguments), copied(arguments)
    if not direction:
        return call_of(functions[0], ours), call_of(functions[1], theirs)
    if functions[1].__name__.endswith("_"):
        return None
    for first in (False, True):
        try:
            calls = backward_of(functions[0], ours, flow, first), backward_of(functions[1], theirs, torch, first)
            return calls if all(calls) and all(call() for call in calls) else None
        except (RuntimeError, NotImplementedError):  # without a gradient of some argument, here or in torch
            continue
    return None


def copied(value: Any) -> Any:
    """torch's arguments in memory of their own."""
    if isinstance(value, torch.Tensor):
        return value.clone()
    if isinstance(value, (list, tuple)):
        return value.__class__(copied(item) for item in value)
    return {key: copied(item) for key, item in value.items()} if isinstance(value, dict) else value


# ---- printing


def table(rows: list[Row], columns: list[str]) -> str:
    lines = [f"{'op':34s}" + "".join(f"{column:>17s}" for column in columns)]
    for row in rows:
        cells = [f"{row.ratio[c]:.2f}" if c in row.ratio else "" for c in columns]
        lines.append(f"{row.op:34s}" + "".join(f"{cell:>17s}" for cell in cells))
    return "\n".join(lines)


def report(rows: list[Row], columns: list[str], below: float | None) -> None:
    measured = [row for row in rows if row.ratio]
    if below is not None:
        slow = [row for row in measured if min(row.ratio.values()) < below]
        print(f"{len(slow)} of {len(measured)} ops have a ratio below {below}; each needs a cause")
        print(table(sorted(slow, key=lambda row: min(row.ratio.values())), columns))
    else:
        print(table(measured, columns))
    for column in columns:
        found = [row.ratio[column] for row in measured if column in row.ratio]
        if found:
            print(f"median of {len(found)}, {column}: {statistics.median(found):.2f}")
    for row in rows:
        if row.problem:
            print(f"not measured: {row.op}: {row.problem}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--below", type=float)
    parser.add_argument("--threads", choices=("1", "2"), default="2")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    torch.set_num_threads(int(THREADS))
    sizes = SIZES[1:2] if options.quick else SIZES
    rounds = QUICK_ROUNDS if options.quick else ROUNDS
    entries = [e for e in schema.load(REGISTRY) if e.bind_python]
    if options.names:
        entries = [e for e in entries if e.name.startswith(tuple(options.names))]
    rows = []
    for entry in entries:
        rows.append(measure(entry, sizes, rounds))
        print(f"\r{len(rows)} of {len(entries)}: {entry.name:40s}", end="", flush=True, file=sys.stderr)
    print("\r", end="", file=sys.stderr)
    columns = [f"{size.name}{direction}" for size in sizes for direction in ("", " backward")]
    report(rows, columns, options.below)
    if options.json:
        machine = {"torch": torch.__version__, "threads": THREADS}
        options.json.write_text(json.dumps({"machine": machine, "ops": [asdict(row) for row in rows]}, indent=1) + "\n")


if __name__ == "__main__":
    main()
