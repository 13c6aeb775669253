"""`torch.distributed.run`, torchrun: torch's own, whose ranks have tritonflow in torch's place."""

from __future__ import annotations

from typing import Any

from tritonflow.mock_torch.torch_names import shared_module

_theirs: Any = shared_module("torch.distributed.run")


def run(args: Any) -> None:
    """Start the ranks that parsed arguments tell of, and wait until they have ended. `run_path` changes nothing."""
    if not args.no_python:
        program = ["-m", args.training_script] if args.module else [args.training_script]
        if not _theirs.get_use_env(args):
            program.append(f"--local-rank={_theirs.macros.local_rank}")
        args.use_env = args.module = True
        args.run_path = False
        args.training_script, args.training_script_args = "tritonflow.mock_torch", [*program, *args.training_script_args]
    _theirs.run(args)


def main(args: list[str] | None = None) -> None:
    """torchrun's command."""
    run(_theirs.parse_args(args))
