"""What would run on a GPU, as its compiler says: launches, registers, spills, load widths, matrix instructions. Needs no GPU.

    python bench/gpu_code.py [NAME ...] [--arch 90] [--json FILE]

NAME selects the cases of tritonflow/bench/cases/gpu_kernels.py that contain it. A wave is as many programs as the GPU holds at
once.
"""

from __future__ import annotations

import sys
from collections import Counter
from math import prod
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.device.fake_cuda import GPUS  # noqa: E402
from tests.kernels.compile_sweep import Request  # noqa: E402
from tests.kernels.gpu_code import Code, code_of, launches_of  # noqa: E402
from tritonflow.bench.cases.gpu_kernels import CASES  # noqa: E402
from tritonflow.bench.script import script_parser, write_results  # noqa: E402

SHOWN = "HGMMA QGMMA HMMA FFMA MUFU LDG.*128 LDG LDGSTS.*128 LDGSTS STG.*128 STG LDL STL BAR SHFL".split()


def rows_of(name: str, arch: int) -> list[dict[str, Any]]:
    """A row for each kernel and grid that a case launches, in their order."""
    times = Counter((launched.request, launched.grid) for launched in launches_of(name, arch))
    return [_row(request, grid, count, arch) for (request, grid), count in times.items()]


def _row(request: Request, grid: tuple[int, int, int], times: int, arch: int) -> dict[str, Any]:
    code, programs = code_of(request.compile(arch), arch), prod(grid)
    return {
        "kernel": request.name,
        **({"times": times} if times > 1 else {}),
        "grid": programs,
        "waves": round(programs / (max(code.programs, 1) * GPUS[arch].processors), 2),
        "warps": code.warps,
        "registers": code.registers,
        "stack": code.stack,
        "shared": code.shared,
        "instructions": len(code.text),
        **{kind: count for kind in SHOWN if (count := _count(code, kind))},
        "blocks": {k: v for k, v in request.constexprs.items() if isinstance(v, int) and str(k).isupper()},
    }


def _count(code: Code, kind: str) -> int:
    return code.count(kind.replace(".*", r"\..*\.?") + r"(\.|$)")


def main() -> None:
    parser = script_parser(__doc__, names="parts of names of cases; all unless told")
    parser.add_argument("--arch", type=int, default=90)
    args = parser.parse_args()
    found = {}
    for name in CASES:
        if not args.names or any(wanted in name for wanted in args.names):
            print(f"\n{name}", flush=True)
            found[name] = rows_of(name, args.arch)
            for row in found[name]:
                print("  " + ", ".join(f"{k} {v}" for k, v in row.items()), flush=True)
    write_results(args.json, {"arch": args.arch, "cases": found})


if __name__ == "__main__":
    main()
