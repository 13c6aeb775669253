"""`python -m tritonflow.mock_torch program.py ...`: a program for torch, run by tritonflow."""

from __future__ import annotations

import argparse
import sys

from tritonflow.mock_torch.program import run_module, run_program
from tritonflow.mock_torch.reporting import report
from tritonflow.mock_torch.torch_modules import options


def main(arguments: list[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m tritonflow.mock_torch",
        usage="%(prog)s [--verbose] (program.py | -m module) [arguments] | --report PATH_OR_PACKAGE",
        description="Run a program that says `import torch` with tritonflow in torch's place.",
    )
    parser.add_argument(
        "--verbose", action="store_true", help="print each name that tritonflow lacks when it is asked for"
    )
    parser.add_argument("--report", metavar="PATH", help="list the names that a file, folder or package would miss")
    parser.add_argument("-m", dest="module", nargs=argparse.REMAINDER, help="run a module, with its arguments")
    parser.add_argument("program", nargs=argparse.REMAINDER, help="a file, and its arguments")
    chosen = parser.parse_args(arguments)
    options.verbose = chosen.verbose
    if chosen.report:
        print(report(chosen.report))
    elif chosen.module:
        sys.path[0:1] = [""]
        run_module(chosen.module[0], chosen.module[1:])
    elif chosen.program:
        del sys.path[0]
        run_program(chosen.program[0], chosen.program[1:])
    else:
        parser.print_help()
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
