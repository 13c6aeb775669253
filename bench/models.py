"""Training steps of other people's models: eager and compiled, beside torch eager and torch.compile.

    python bench/models.py [NAME ...] [--rounds 5] [--quick] [--json FILE]

The models are those of torchvision, timm, transformers and diffusers, their sources untouched (`flow.mock_torch`). A model whose
package is absent is named as left out. Each kind of step has a process of its own with two threads, and its own empty caches of
kernels. The processes take turns: a round has each of them run consecutive steps, of which the first is not counted. What is
printed are medians over the rounds of the time of a step, and this time divided by torch eager's. Beside them stand the time of the
first step, most of it compiling, and the peak of memory above that of the process before its model was built. All
begin with the weights of torch's model. The last column is how far the loss of the third step is from that of torch eager.
`--quick` has tiny models and one round, to see that all works.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of_steps
from tritonflow.bench.verdict import Quantiles

THREADS = 2
KINDS = ("torch", "torch.compile", "eager", "compiled")
STEPS = Effort(burst=0.5, calls=3)


# --------------------------------------------------------------------------------------------------- a process of one kind


def step_of(name: str, kind: str, quick: bool, weights: Path) -> Callable[[], Any]:
    """A training step, which gives its loss; torch's writes the weights that the others begin with."""
    import torch

    import tritonflow as flow
    from model_cases import CASES

    lib: Any = torch if kind.startswith("torch") else flow
    torch.set_num_threads(THREADS)
    lib.manual_seed(0)
    case = CASES[name]
    model = case.build(lib, quick).train()
    for module in model.modules():
        if isinstance(module, lib.nn.Dropout):
            module.p = 0.0
    if weights.exists():
        model.load_state_dict(lib.load(str(weights)))
    else:
        torch.save(model.state_dict(), weights)
    batch = {key: lib.tensor(array) for key, array in case.batch(quick).items()}
    optimizer = lib.optim.AdamW(model.parameters(), lr=1e-4)

    def step() -> Any:
        optimizer.zero_grad()
        loss = case.loss(lib, model, batch)
        loss.backward()
        optimizer.step()
        return loss.detach()

    if kind == "torch.compile":
        model.compile()
    return lib.compile(step) if kind == "compiled" else step


def peak_mib() -> float:
    """The most memory that this process has held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def serve(name: str, kind: str, quick: bool, weights: Path) -> None:
    """Run steps when told on stdin: "first" for three of them, or how many a burst has; a line of JSON for each."""
    answers, sys.stdout = sys.stdout, sys.stderr  # models print, too
    import torch  # noqa: F401

    import tritonflow  # noqa: F401

    before = peak_mib()
    step = step_of(name, kind, quick, weights)
    for line in sys.stdin:
        start = time.perf_counter()
        if line.strip() == "first":
            losses = [step().item()]
            answer = {"first_s": time.perf_counter() - start, "losses": losses + [step().item() for _ in range(2)]}
        else:
            answer = {"step_s": burst_of_steps(step)(int(line)), "memory_mib": peak_mib() - before}
        print(json.dumps(answer), file=answers, flush=True)


# ------------------------------------------------------------------------------------------------------------ all of them


class Worker:
    """A process that runs the steps of one kind."""

    def __init__(self, name: str, kind: str, quick: bool, folder: Path) -> None:
        caches = folder / f"{name}.{kind}"
        caches.mkdir(mode=0o700)
        (caches / "tritonflow").mkdir(mode=0o700)
        root = str(Path(__file__).parents[1])
        environment = dict(
            os.environ,
            OMP_NUM_THREADS=str(THREADS),
            OMP_WAIT_POLICY="passive",  # threads of a process whose turn it is not must not spin
            TRITONFLOW_NUM_THREADS=str(THREADS),
            TRITONFLOW_CACHE_DIR=str(caches / "tritonflow"),
            TORCHINDUCTOR_CACHE_DIR=str(caches / "inductor"),
            PYTHONPATH=os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")])),
        )
        command = [sys.executable, __file__, name, "--serve", kind, "--weights", str(folder / f"{name}.pth")]
        self.log = open(folder / f"{name}.{kind}.log", "w+")
        self.process = subprocess.Popen(
            command + ["--quick"] * quick, env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip

    def ask(self, what: str) -> dict[str, Any]:
        """Send a line; the answer, or an error with the end of what the process printed."""
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.write(what + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if line:
            return dict(json.loads(line))
        self.process.wait()
        self.log.seek(0)
        raise RuntimeError(self.log.read().strip().rpartition("\n")[2] or f"exit status {self.process.returncode}")

    def burst(self, count: int) -> float:
        """Seconds of a step, of so many; the most memory until then is noted."""
        answer = self.ask(str(count))
        self.memory_mib = float(answer["memory_mib"])
        return float(answer["step_s"])

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        self.log.close()


def measure(name: str, rounds: int, quick: bool) -> dict[str, dict[str, Any]]:
    """What each kind of step takes, by kind; {"error": ...} for one that fails."""
    found: dict[str, dict[str, Any]] = {}
    workers: dict[str, Worker] = {}
    with tempfile.TemporaryDirectory() as folder:
        for kind in KINDS:
            worker = Worker(name, kind, quick, Path(folder))
            try:
                found[kind] = worker.ask("first")
                workers[kind] = worker
            except RuntimeError as error:
                found[kind] = {"error": str(error)}
                worker.close()
        effort = replace(STEPS, rounds=rounds, least=rounds, **({"burst": 0.0} if quick else {}))
        times = alternate({kind: worker.burst for kind, worker in workers.items()}, effort)
        for kind, worker in workers.items():
            found[kind] |= {"memory_mib": worker.memory_mib, "step_s": Quantiles.of(times[kind]).p50}
            worker.close()
    return found


def show(name: str, found: dict[str, dict[str, Any]]) -> None:
    """Print the lines of a model."""
    base = found["torch"]
    for kind, values in found.items():
        if "error" in values:
            print(f"{name:14} {kind:14} failed: {values['error']}", flush=True)
            continue
        ratio = f"{values['step_s'] / base['step_s']:5.2f}" if "step_s" in base else "    -"
        off = abs(values["losses"][-1] / base["losses"][-1] - 1) if "losses" in base else float("nan")
        columns = f"{1e3 * values['step_s']:9.1f} {ratio} {values['first_s']:8.1f} {values['memory_mib']:8.0f} {off:9.1e}"
        print(f"{name:14} {kind:14} {columns}", flush=True)


def summary(results: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Print the median over the models of each kind's time divided by torch eager's."""
    for kind in KINDS[1:]:
        pairs = [(found[kind], found["torch"]) for found in results.values()]
        ratios = [ours["step_s"] / base["step_s"] for ours, base in pairs if "step_s" in ours and "step_s" in base]
        if ratios:
            median, most = Quantiles.of(ratios).p50, max(ratios)
            print(f"{kind}: median {median:.2f} of torch's time, {most:.2f} at most, {len(ratios)} models")


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    parser = script_parser(__doc__, names="models; all unless told")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="tiny models, one round")
    parser.add_argument("--serve", choices=KINDS, help=argparse.SUPPRESS)
    parser.add_argument("--weights", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        serve(options.names[0], options.serve, options.quick, options.weights)
        return {}
    from model_cases import CASES

    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:THREADS])  # workers inherit it
    results: dict[str, Any] = {}
    print(f"{'model':14} {'step':14} {'ms':>9} ratio {'first s':>8} {'MiB':>8} {'loss off':>9}")
    for name in options.names or CASES:
        if importlib.util.find_spec(CASES[name].package) is None:
            print(f"{name:14} left out: {CASES[name].package} is not installed")
            continue
        results[name] = measure(name, 1 if options.quick else options.rounds, options.quick)
        show(name, results[name])
    summary(results)
    write_results(options.json, {"quick": options.quick, "models": results}, threads=THREADS)
    return results


if __name__ == "__main__":
    main()
