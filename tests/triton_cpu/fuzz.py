"""Random kernels, natively and in Triton's interpreter: `python tests/triton_cpu/fuzz.py --minutes 60`, or `--seed 17`.

What differs is made smaller, statement by statement, and printed as source together with its seed. Each kernel runs in
a forked child, so that one that crashes or hangs is a finding as any other.
"""

# ruff: noqa: E402 (run as a program it has to make its own package importable first)

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import importlib.util
import itertools
import os
import re
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Iterator
from dataclasses import replace
from math import prod
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[:1] = [str(ROOT)]
    os.environ.setdefault("TRITONFLOW_NUM_THREADS", "2")

import torch

from tests.triton_cpu.fuzz_generator import Generator
from tests.triton_cpu.fuzz_program import FLOATS, INPUT_SIZE, INTEGERS, Program, Statement, Value, triton_type
from tests.triton_cpu.support import run
from tests.triton_interpreter import interpreting
from tritonflow import triton_cpu
from tritonflow.settings import settings

_TORCH = {"i1": torch.bool, "f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32, "f64": torch.float64}
_TORCH |= {name: getattr(torch, name.replace("i", "int").replace("u", "uint")) for name in INTEGERS}
# A child may take so long of its own time and, on a machine that is busy with other work, so long by the clock.
_SECONDS, _PATIENCE = 60, 1200
_OVERTIME = (signal.SIGPROF, signal.SIGALRM)


def torch_type(dtype: str) -> torch.dtype:
    return _TORCH[dtype]


def inputs(program: Program) -> dict[str, object]:
    """The arguments that a program reads, from its seed."""
    generator = torch.Generator().manual_seed(program.seed)
    values: dict[str, object] = {"n": 17 * (program.seed % 16), "k": program.seed % 8}
    for dtype in INTEGERS:
        bits = torch.randint(-(2**63), 2**63 - 1, (INPUT_SIZE,), generator=generator)
        small = torch.randint(-4, 8, (INPUT_SIZE,), generator=generator)
        values[f"x_{dtype}"] = torch.where(bits & 4 == 0, bits >> 8, small).to(torch_type(dtype))
    for dtype in (*FLOATS, "bf16"):
        numbers = torch.randint(-32, 33, (INPUT_SIZE,), generator=generator) / 4
        values[f"x_{dtype}"] = numbers.to(torch_type(dtype))
    return values


def outputs(program: Program) -> dict[str, object]:
    made: dict[str, object] = {"counts": torch.zeros(64, dtype=torch.int32)}
    for name, value in program.outputs.items():
        made[f"o_{name}"] = torch.zeros(8 * prod(value.shape), dtype=torch_type(value.dtype))
    return made


def load(source: str, folder: Path, name: str) -> ModuleType:
    path = folder / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def difference(program: Program, cpu: str | None = None) -> str:
    """How the native results differ from the interpreter's; empty where they do not."""
    source = program.source()
    with tempfile.TemporaryDirectory() as name, settings.override(cache_dir=Path(name)):
        folder = Path(name)
        kernel = load(source, folder, "native").kernel
        arguments = inputs(program)
        native, interpreted = ({**arguments, **outputs(program)} for _ in range(2))
        types = {"n": "i32", "k": "i32"}
        names = kernel.arg_names
        try:
            run(kernel, program.grid, *(native[a] for a in names), types=types, cpu=cpu)
        except Exception as error:
            return f"{type(error).__name__}: {_first_line(error)}"
        with interpreting(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            twin = load(source, folder, "interpreted").kernel
            try:
                twin[program.grid](*(interpreted[a] for a in names))
            except Exception as error:
                return f"the interpreter fails: {type(error).__name__}: {_first_line(error)}"
    found = [_differs(native[f"o_{n}"], interpreted[f"o_{n}"], v) for n, v in program.outputs.items() if f"o_{n}" in names]
    if "counts" in names:
        found.append(_differs(native["counts"], interpreted["counts"], Value("counts", "i32")))
    return "; ".join(filter(None, found))


def _first_line(error: BaseException) -> str:
    lines = [line for line in str(error).strip().splitlines() if line.strip()]
    return " / ".join(lines[-3:])[:400]


def _differs(got: object, want: object, value: Value) -> str:
    assert isinstance(got, torch.Tensor) and isinstance(want, torch.Tensor)
    if value.exact or not got.dtype.is_floating_point:
        if got.dtype in (torch.uint16, torch.uint32, torch.uint64):
            got, want = (t.view(getattr(torch, str(t.dtype).removeprefix("torch.u"))) for t in (got, want))
        bad = (got != want) & ~((got != got) & (want != want))
    else:
        bad = ~((got.double() - want.double()).abs() <= 16 * value.error)
    if not bool(bad.any()):
        return ""
    k = int(bad.nonzero()[0, 0])
    return f"{value.name}[{k}] is {got[k].item()}, not {want[k].item()} ({int(bad.sum())} differ)"


# ---- in a child


def isolated(program: Program, cpu: str | None = None) -> str:
    """`difference` in a forked child, which may crash or hang."""
    receive, send = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(receive)
        faulthandler.disable()  # its parent tells of a crash
        for number in _OVERTIME:
            signal.signal(number, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_PROF, _SECONDS)
        signal.alarm(_PATIENCE)
        try:
            text = difference(program, cpu)
        except BaseException:
            text = traceback.format_exc()[-600:]
        with contextlib.suppress(OSError):
            os.write(send, text.encode()[:4000])
        os._exit(0)
    os.close(send)
    with os.fdopen(receive, "rb") as pipe:
        text = pipe.read().decode(errors="replace")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status):
        return "hangs" if os.WTERMSIG(status) in _OVERTIME else f"dies of signal {os.WTERMSIG(status)}"
    return text


def kind(found: str) -> str:
    """Findings of one kind have one cause, probably."""
    if " is " in found and found.endswith("differ)"):
        return "differs"
    return found.split(":")[0] + re.sub(r"[\d.]+|v\d+", "#", found)[-60:]


# ---- reduction


def _places(statements: list[Statement]) -> Iterator[tuple[list[Statement], int]]:
    for position in reversed(range(len(statements))):
        yield statements, position
        for _, body, _ in statements[position].blocks:
            yield from _places(body)


def _simpler(statement: Statement) -> Iterator[list[Statement]]:
    yield []
    if len(statement.blocks) == 2:
        yield [replace(statement, blocks=statement.blocks[:1])]
    if statement.blocks and not statement.lines:
        yield statement.blocks[0][1]
    if len(statement.defines) == 1 and not statement.blocks:
        value = statement.defines[0]
        made = f"tl.full({list(value.shape)}, 1, {triton_type(value.dtype)})" if value.shape else "1"
        if statement.lines != [f"{value.name} = {made}"]:
            yield [Statement(statement.defines, [f"{value.name} = {made}"])]


def reduced(program: Program, wanted: str, cpu: str | None = None, seconds: float = 120) -> Program:
    """A smaller program with a finding of the same kind: statements are left out or become constants, while that helps."""
    deadline = time.monotonic() + seconds
    smaller = True
    while smaller:
        smaller = False
        for statements, position in list(_places(program.statements)):
            if time.monotonic() > deadline:
                return program
            if position >= len(statements):
                continue
            original = statements[position]
            for replacement in _simpler(original):
                statements[position : position + 1] = replacement
                if kind(isolated(program, cpu)) == wanted:
                    smaller = True
                    break
                statements[position : position + len(replacement)] = [original]
    return program


# ---- the command


def check(seed: int, cpu: str | None = None) -> str:
    """A report of what is wrong with the program of a seed; empty where nothing is."""
    program = Generator(seed).program()
    found = isolated(program, cpu)
    if not found:
        return ""
    reduced(program, kind(found), cpu)
    return f"seed {seed}: {found}\nreduced to: {isolated(program, cpu)}\ngrid {program.grid}, {_scalars(program)}\n{program.source()}"


def _scalars(program: Program) -> str:
    return ", ".join(f"{name} = {inputs(program)[name]}" for name in ("n", "k"))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--seed", type=int, help="only this one")
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--failures", type=int, default=20, help="where to stop")
    parser.add_argument("--cpu", help="a lower target")
    parser.add_argument("--print", action="store_true", help="print the source of --seed")
    options = parser.parse_args()
    if options.print:
        print(Generator(options.seed).program().source())
        return 0
    deadline, failures, count, kinds = time.monotonic() + 60 * options.minutes, 0, 0, set()
    triton_cpu.empty_launcher(0)  # the front end and LLVM are loaded once, by the parent
    for seed in [options.seed] if options.seed is not None else itertools.count(options.start):
        found = isolated(Generator(seed).program(), options.cpu)
        count += 1
        if found:
            failures += 1
            if kind(found) in kinds and kind(found) != "differs":  # reduced once
                print(f"seed {seed}: {found[:200]}", flush=True)
            else:
                kinds.add(kind(found))
                print(check(seed, options.cpu), flush=True)
        if time.monotonic() > deadline or failures == options.failures:
            break
    print(f"{count} programs, {failures} failures")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())
