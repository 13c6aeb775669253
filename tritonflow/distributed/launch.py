"""Start a program as several ranks: torchrun, with OneFlow's flags.

    python -m tritonflow.distributed.launch --nproc_per_node 2 train.py --epochs 3

torchrun sets the variables that tritonflow reads: RANK, WORLD_SIZE, LOCAL_RANK, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT. On
several nodes the same command runs on each, with its own `--node_rank`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

_PORT = 29500


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the program on all ranks of this node, and wait until they have ended.

    Raises:
        torch.distributed.elastic.multiprocessing.errors.ChildFailedError: a rank failed.
    """
    from torch.distributed import run

    run.main(torchrun_arguments(sys.argv[1:] if arguments is None else arguments))


def torchrun_arguments(arguments: Sequence[str]) -> list[str]:
    """What torchrun is told.

    One node without a port gets a free one, so that several programs can run at the same time.
    """
    given = _parser().parse_args(arguments)
    told = ["--nnodes", str(given.nnodes), "--nproc-per-node", str(given.nproc_per_node)]
    if given.nnodes == 1 and given.master_port is None:
        told.append("--standalone")
    else:
        told += ["--node-rank", str(given.node_rank), "--master-addr", given.master_addr]
        told += ["--master-port", str(given.master_port or _PORT)]
    if given.module:
        told.append("--module")
    if given.no_python:
        told.append("--no-python")
    if given.redirect_stdout_and_stderr:
        told += ["--redirects", "3"]
    if given.redirect_stdout_and_stderr or given.logdir != "log":
        told += ["--log-dir", given.logdir]
    return [*told, given.training_script, *given.training_script_args]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tritonflow.distributed.launch",
        description="Run a program as several ranks, on this node and on others.",
    )
    parser.add_argument("--nnodes", type=int, default=1, help="how many nodes there are")
    parser.add_argument("--node_rank", "--node-rank", type=int, default=0, help="the number of this node")
    parser.add_argument(
        "--nproc_per_node", "--nproc-per-node", type=int, default=1, help="how many ranks this node has"
    )
    parser.add_argument("--master_addr", "--master-addr", default="127.0.0.1", help="the address of node 0")
    parser.add_argument("--master_port", "--master-port", type=int, help=f"a free port of node 0 ({_PORT})")
    parser.add_argument("-m", "--module", action="store_true", help="the program is a module, as of `python -m`")
    parser.add_argument("--no_python", "--no-python", action="store_true", help="the program is no Python")
    parser.add_argument(
        "--redirect_stdout_and_stderr", action="store_true", help="write what ranks print to files, below --logdir"
    )
    parser.add_argument("--logdir", default="log", help="the folder of these files")
    parser.add_argument("training_script", help="the program")
    parser.add_argument("training_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


if __name__ == "__main__":
    main()
