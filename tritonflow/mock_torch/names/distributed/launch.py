"""`torch.distributed.launch`: torchrun, by whose older flags a program is told its `--local-rank`."""

from __future__ import annotations

from tritonflow.mock_torch.names.distributed.run import run
from tritonflow.mock_torch.torch_names import shared_module


def main(args: list[str] | None = None) -> None:
    """The command."""
    run(shared_module("torch.distributed.launch").parse_args(args))


launch = run
