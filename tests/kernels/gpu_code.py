"""What Triton's compiler makes for a GPU of a kernel: registers, spills, the widths of its loads, its matrix instructions."""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import triton

import tritonflow as flow
from tests.kernels.compile_sweep import GPU, Launched, sweep
from tritonflow.bench.cases.gpu_kernels import CASES
from tritonflow.kernels.facts import architecture_of

TOOLS = Path(triton.__file__).parent / "backends" / "nvidia" / "bin"


@dataclass(frozen=True)
class Code:
    """A kernel's machine code.

    Attributes:
        registers: of a thread.
        stack: bytes of a thread, where registers spill.
        shared: bytes of a program.
        warps: of a program.
        instructions: how often each stands in the code, by its whole name, as in LDG.E.128.
        text: the code, an instruction a line.
        loops: the instructions of each loop, as slices of `text`.
    """

    arch: int
    registers: int
    stack: int
    shared: int
    warps: int
    instructions: Counter[str]
    text: tuple[str, ...]
    loops: tuple[slice, ...]

    def count(self, pattern: str) -> int:
        """How many instructions have names that match, as `count(r"LDG.*\\.128")`."""
        return sum(n for name, n in self.instructions.items() if re.match(pattern, name))

    @property
    def programs(self) -> int:
        """Programs that a multiprocessor holds at once."""
        has = architecture_of(self.arch)
        by_registers = has.registers // (-(-self.registers // 8) * 8 * 32 * self.warps)
        by_shared = has.shared_memory // (self.shared + 1024)
        return min(by_registers, by_shared, has.warps // self.warps, 32)


def code_of(compiled: Any, arch: int) -> Code:
    """The code of a kernel that `Request.compile` made. Skips a test where Triton's release brings no disassembler."""
    if not (TOOLS / "nvdisasm").exists() or not (TOOLS / "cuobjdump").exists():
        pytest.skip("this release of Triton brings no disassembler")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(compiled.asm["cubin"])
        lines = _output("nvdisasm", "-c", str(file)).splitlines()
        usage = _output("cuobjdump", "-res-usage", str(file))
    found = re.search(r"REG:(\d+) STACK:(\d+)", usage)
    assert found is not None, usage
    text: list[str] = []
    labels: dict[str, int] = {}
    for line in lines:
        if m := re.match(r"(\.L_\w+):", line):
            labels[m[1]] = len(text)
        elif m := re.search(r"/\*[0-9a-f]{4,}\*/\s+(.*?);", line):
            text.append(m[1])
    names = Counter(re.sub(r"^@!?U?P\w+\s+", "", line).split()[0] for line in text)
    metadata = compiled.metadata
    shared, warps = metadata.shared, metadata.num_warps
    return Code(arch, int(found[1]), int(found[2]), shared, warps, names, tuple(text), tuple(_loops(text, labels)))


def spilled(compiled: Any) -> int:
    """Bytes of registers that the compiler stores on a thread's stack.

    The stack may have others: of sin, cos and functions of theirs, whose large arguments are reduced by a table on it.
    """
    text = compiled.asm["ptx"]
    target = re.search(r"^\.target (sm_(\d+)\w*)", text, re.M)
    assert target is not None
    tool = "ptxas-blackwell" if int(target[2]) >= 100 and (TOOLS / "ptxas-blackwell").exists() else "ptxas"
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.ptx"
        file.write_text(text)
        command = [str(TOOLS / tool), "-v", f"--gpu-name={target[1]}", str(file), "-o", str(Path(folder) / "kernel.cubin")]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    found = re.findall(r"(\d+) bytes spill stores", said)
    assert found, said
    return sum(map(int, found))


def stack_of(compiled: Any) -> int:
    """Bytes of the stack of a thread. Skips a test as `code_of` does."""
    if not (TOOLS / "cuobjdump").exists():
        pytest.skip("this release of Triton brings no disassembler")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "kernel.cubin"
        file.write_bytes(compiled.asm["cubin"])
        found = re.search(r"STACK:(\d+)", _output("cuobjdump", "-res-usage", str(file)))
    assert found is not None
    return int(found[1])


def _loops(text: list[str], labels: dict[str, int]) -> Iterator[slice]:
    """From each label to a jump back to it. A program ends in a jump to itself, which is no loop."""
    for end, line in enumerate(text):
        if (m := re.search(r"BRA.*\((\.L_\w+)\)", line)) and labels[m[1]] < end:
            yield slice(labels[m[1]], end + 1)


def _output(tool: str, *arguments: str) -> str:
    return subprocess.run([str(TOOLS / tool), *arguments], capture_output=True, text=True, check=True).stdout


def launches_of(name: str, arch: int = 90) -> list[Launched]:
    """What the call of a case launches on an H200, in its order."""

    def make(*shape: int, dtype: str = "float32", grad: bool = False, high: int | None = None) -> flow.Tensor:
        return flow.empty(shape, dtype=getattr(flow, dtype), device=GPU, requires_grad=grad)

    with sweep(arch) as found:
        call: Callable[[], Any] = CASES[name].build(flow, make)
        call()  # the first call of an optimizer makes its states
        found.launches.clear()
        call()
        flow.sync()
    return found.launches
