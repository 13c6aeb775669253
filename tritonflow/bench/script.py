"""What the scripts of `bench/` share: their arguments, and the file of their results.

    parser = script_parser(__doc__, names="cases; all unless told")
    arguments = parser.parse_args()
    write_results(arguments.json, {"cases": found}, threads=2)
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tritonflow.bench import machine
from tritonflow.settings import settings


def script_parser(doc: str | None, names: str = "", has_json: bool = True) -> argparse.ArgumentParser:
    """The arguments that scripts have in common: `--json FILE`, and names of what is measured.

    Args:
        doc: the script's docstring, which its help shows as it is.
        names: what the help says of names, where the script takes any.
        has_json: whether it writes results.
    """
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    if names:
        parser.add_argument("names", nargs="*", metavar="NAME", help=names)
    if has_json:
        parser.add_argument("--json", type=Path, metavar="FILE", help="where the numbers go as well")
    return parser


def write_results(path: Path | None, found: Mapping[str, Any], **facts: Any) -> None:
    """Write what was found as JSON, behind when and by what it was measured; without a path nothing.

    Args:
        facts: what else stands in the head, such as the number of threads.
    """
    if path is not None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"about": {**machine.about(), **facts}, **found}, indent=1) + "\n")


def is_a_rank(arguments: argparse.Namespace, measure: Callable[[], Any]) -> bool:
    """Whether `on_ranks` has started this process, whose arguments have `rank_writes`. Then it measures, and rank 0 writes."""
    path: Path | None = arguments.rank_writes
    if path is None:
        return False
    results = measure()
    if os.environ["RANK"] == "0":
        path.write_text(json.dumps(results))
    return True


def on_ranks(script: str, world: int) -> Any:
    """Start a script as so many ranks of one thread each; what rank 0 writes to the file that `--rank-writes` names, as JSON."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "results.json"
        command = [sys.executable, "-m", "tritonflow.distributed.launch", "--nproc_per_node", str(world), script]
        environment = {**os.environ, "OMP_NUM_THREADS": "1", type(settings).num_threads.variable: "1"}
        subprocess.run([*command, "--rank-writes", str(path)], check=True, env=environment)
        return json.loads(path.read_text())
