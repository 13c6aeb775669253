"""Inference of ten models on a CPU: compiled, beside torch eager, torch.compile (freezing), ONNX Runtime and OpenVINO.

    python bench/inference.py [NAME ...] [--batch 1 16] [--threads 2] [--rounds 9] [--kinds KIND ...] [--json FILE]

Models: bench/inference_models.py. Each library runs in a process of its own, which is stopped while another one has its turn, so
that no thread spins behind its call. In each round every library runs a burst of calls. Printed are the median and the 99th
percentile of a call's milliseconds, the median and the least of its processor time (of all threads of the process), the time of
the first call with all that makes it ready (a compiler, a session), the peak of memory above that of the process before, and how
far the result is from torch's, as a share of its largest element. The last column is the median over the rounds of the processor
time divided by that of the rival with the least median. Processor time is what to compare where others use the machine.

ONNX Runtime and OpenVINO run what torch.onnx.export writes. A library that is not installed is left out. "bf16" in a kind means
that weights and activations are bfloat16 (OpenVINO: its hint).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy

OURS, RIVALS = ("compiled", "compiled bf16"), ("torch", "torch.compile", "onnxruntime", "openvino", "torch bf16", "openvino bf16")
PACKAGES = {"onnxruntime": "onnxruntime", "openvino": "openvino", "openvino bf16": "openvino"}
BURST_SECONDS = 0.4

Call = Callable[[], Any]

# --------------------------------------------------------------------------------------------------- a process of one kind


def torch_model(name: str, batch: int, folder: Path) -> tuple[Any, tuple[Any, ...]]:
    """torch's model in evaluation, with the weights that all begin with, and its inputs."""
    import torch

    from inference_models import MODELS

    torch.manual_seed(0)
    model = MODELS[name].build(torch).eval()
    weights = folder / f"{name}.pth"
    if weights.exists():
        model.load_state_dict(torch.load(weights))
    else:
        torch.save(model.state_dict(), weights)
    return model, tuple(map(torch.from_numpy, MODELS[name].inputs(batch)))


def onnx_file(name: str, batch: int, folder: Path) -> Path:
    """The model as torch.onnx.export writes it."""
    import torch

    path = folder / f"{name}.{batch}.onnx"
    if not path.exists():
        model, inputs = torch_model(name, batch, folder)
        torch.onnx.export(model, inputs, path, dynamo=True, verbose=False)
    return path


def ours(name: str, batch: int, folder: Path, threads: int, half: bool) -> tuple[Call, Call]:
    """A compiled module of tritonflow."""
    import tritonflow as flow
    from inference_models import MODELS

    model: Any = MODELS[name].build(flow).eval()
    model.load_state_dict(flow.load(str(folder / f"{name}.pth")))
    inputs = [flow.tensor(array) for array in MODELS[name].inputs(batch)]
    if half:
        model = model.to(flow.bfloat16)
        inputs = [x.to(flow.bfloat16) if x.is_floating_point() else x for x in inputs]
    compiled = flow.compile(model)

    def call() -> Any:
        with flow.no_grad():
            result = compiled(*inputs)
        result.view(-1)[0].item()  # until it is computed
        return result

    return call, lambda: call().float().numpy()


def torch_call(name: str, batch: int, folder: Path, threads: int, half: bool, frozen: bool) -> tuple[Call, Call]:
    """torch in eager mode, or compiled with freezing."""
    import torch

    torch.set_num_threads(threads)
    model, inputs = torch_model(name, batch, folder)
    if half:
        model = model.to(torch.bfloat16)
        inputs = tuple(x.to(torch.bfloat16) if x.is_floating_point() else x for x in inputs)
    if frozen:
        import torch._inductor.config

        torch._inductor.config.freezing = True
        model = torch.compile(model)

    def call() -> Any:
        with torch.no_grad():
            return model(*inputs)

    return call, lambda: call().float().numpy()


def onnxruntime_call(name: str, batch: int, folder: Path, threads: int) -> tuple[Call, Call]:
    """A session of ONNX Runtime."""
    import onnxruntime

    from inference_models import MODELS

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    session = onnxruntime.InferenceSession(str(folder / f"{name}.{batch}.onnx"), options, providers=["CPUExecutionProvider"])
    given = dict(zip([each.name for each in session.get_inputs()], MODELS[name].inputs(batch)))
    return (lambda: session.run(None, given)), (lambda: session.run(None, given)[0])


def openvino_call(name: str, batch: int, folder: Path, threads: int, half: bool) -> tuple[Call, Call]:
    """A model compiled by OpenVINO for one request at a time."""
    import openvino

    from inference_models import MODELS

    hints = {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "bf16" if half else "f32", "INFERENCE_NUM_THREADS": threads}
    model = openvino.Core().compile_model(str(folder / f"{name}.{batch}.onnx"), "CPU", hints)
    given = list(MODELS[name].inputs(batch))
    return (lambda: model(given)), (lambda: model(given)[0])


def call_of(kind: str, name: str, batch: int, folder: Path, threads: int) -> tuple[Call, Call]:
    """What a kind calls, and what gives the result as an array."""
    library, _, dtype = kind.partition(" ")
    half = dtype == "bf16"
    if library == "compiled":
        return ours(name, batch, folder, threads, half)
    if library == "onnxruntime":
        return onnxruntime_call(name, batch, folder, threads)
    if library == "openvino":
        return openvino_call(name, batch, folder, threads, half)
    return torch_call(name, batch, folder, threads, half, library == "torch.compile")


def peak_mib() -> float:
    """The most memory that this process has held since `forget_peak`."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def forget_peak() -> None:
    """Let the peak begin anew: a process starts with that of the one that has started it."""
    Path("/proc/self/clear_refs").write_text("5")


def serve(kind: str, name: str, batch: int, folder: Path, threads: int) -> None:
    """Answer lines of stdin with lines of JSON: "first", or how many calls a burst has."""
    answers, sys.stdout = sys.stdout, sys.stderr
    forget_peak()
    before = peak_mib()
    call: Call | None = None
    for line in sys.stdin:
        if call is None:
            start = time.perf_counter()
            call, result = call_of(kind, name, batch, folder, threads)
            call()
            answer: dict[str, Any] = {"first_s": time.perf_counter() - start}
            numpy.save(folder / f"{kind}.npy", result())
            start = time.perf_counter()
            call()
            answer["call_s"] = time.perf_counter() - start
        else:
            walls, processors = [], []
            for _ in range(int(line)):
                start, processor = time.perf_counter(), time.process_time()
                call()
                walls.append(time.perf_counter() - start)
                processors.append(time.process_time() - processor)
            answer = {"walls": walls, "processors": processors, "memory_mib": peak_mib() - before}
        print(json.dumps(answer), file=answers, flush=True)


# ------------------------------------------------------------------------------------------------------------- all of them


class Worker:
    """A process of one kind, which is stopped unless it is asked something."""

    def __init__(self, kind: str, name: str, batch: int, folder: Path, threads: int) -> None:
        caches = folder / f"cache.{kind}"
        caches.mkdir(mode=0o700, exist_ok=True)
        environment = dict(
            os.environ, OMP_NUM_THREADS=str(threads), TRITONFLOW_NUM_THREADS=str(threads),
            TRITONFLOW_CACHE_DIR=str(caches), TORCHINDUCTOR_CACHE_DIR=str(caches / "inductor"),
            PYTHONPATH=os.pathsep.join(filter(None, [str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH")])),
        )  # fmt: skip
        command = [sys.executable, __file__, name, "--serve", kind, "--batch", str(batch), "--threads", str(threads)]
        self.log = open(folder / f"{kind}.log", "w+")
        self.process = subprocess.Popen(
            [*command, "--folder", str(folder)], env=environment, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip

    def ask(self, what: str) -> dict[str, Any]:
        """Let it run for one answer.

        Raises:
            RuntimeError: it has ended; the text is the last line that it printed.
        """
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.send_signal(signal.SIGCONT)
        try:
            print(what, file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            self.process.wait()
            self.log.seek(0)
            raise RuntimeError(self.log.read().strip().rpartition("\n")[2] or f"exit status {self.process.returncode}")
        self.process.send_signal(signal.SIGSTOP)
        return dict(json.loads(line))

    def close(self) -> None:
        """End the process."""
        self.process.send_signal(signal.SIGCONT)
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()
        self.log.close()


def measure(name: str, batch: int, kinds: Sequence[str], threads: int, rounds: int) -> dict[str, dict[str, Any]]:
    """What a call takes, by kind; {"error": ...} for one that fails."""
    found: dict[str, dict[str, Any]] = {}
    workers: dict[str, Worker] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        torch_model(name, batch, folder)
        if any(kind in PACKAGES for kind in kinds):
            onnx_file(name, batch, folder)
        for kind in kinds:
            worker = Worker(kind, name, batch, folder, threads)
            try:
                found[kind] = worker.ask("first")
                workers[kind] = worker
            except RuntimeError as error:
                found[kind] = {"error": str(error)}
                worker.close()
        bursts: dict[str, list[dict[str, Any]]] = {kind: [] for kind in workers}
        order = list(workers)
        for _ in range(rounds):
            for kind in order:
                count = max(3, min(200, round(BURST_SECONDS / found[kind]["call_s"])))
                bursts[kind].append(workers[kind].ask(str(count)))
            order = order[1:] + order[:1]
        for kind, worker in workers.items():
            worker.close()
            found[kind] |= _numbers(bursts[kind], folder / f"{kind}.npy", folder / "torch.npy")
        if workers:
            rivals = [kind for kind in RIVALS if kind in workers]
            best = min(rivals, key=lambda kind: found[kind]["processor_ms"], default=None)
            for kind in workers if best else ():
                pairs = zip(bursts[kind], bursts[best])  # type: ignore[index]
                found[kind]["ratio"] = float(numpy.median([_processor(a) / _processor(b) for a, b in pairs]))
    return found


def _processor(burst: dict[str, Any]) -> float:
    return float(numpy.median(burst["processors"]))


def _numbers(bursts: list[dict[str, Any]], result: Path, reference: Path) -> dict[str, Any]:
    """The figures of a kind."""
    walls = numpy.concatenate([burst["walls"] for burst in bursts]) * 1e3
    processors = numpy.concatenate([burst["processors"] for burst in bursts]) * 1e3
    off = None
    if reference.exists():
        expected = numpy.load(reference)
        off = float(numpy.abs(numpy.load(result) - expected).max() / numpy.abs(expected).max())
    return {
        "p50_ms": float(numpy.median(walls)), "p99_ms": float(numpy.quantile(walls, 0.99)),
        "processor_ms": float(numpy.median(processors)), "least_processor_ms": float(processors.min()),
        "memory_mib": bursts[-1]["memory_mib"], "calls": len(walls), "off": off,
    }  # fmt: skip


def show(name: str, batch: int, found: dict[str, dict[str, Any]]) -> None:
    """Print the lines of a model."""
    for kind, values in found.items():
        if "error" in values:
            print(f"{name:16} {batch:3} {kind:14} failed: {values['error']}", flush=True)
            continue
        times = f"{values['p50_ms']:9.2f} {values['p99_ms']:9.2f} {values['processor_ms']:9.2f} {values['least_processor_ms']:9.2f}"
        off = "-" if values["off"] is None else f"{values['off']:.0e}"
        rest = f"{values['first_s']:8.1f} {values['memory_mib']:7.0f} {off:>7} {values.get('ratio', float('nan')):6.2f}"
        print(f"{name:16} {batch:3} {kind:14} {times} {rest}", flush=True)


def summary(results: dict[str, dict[str, dict[str, Any]]]) -> None:
    """Print what ours comes to beside the best rival of each model."""
    for kind in OURS:
        ratios = [found[kind]["ratio"] for found in results.values() if "ratio" in found.get(kind, {})]
        if ratios:
            print(f"{kind}: median {numpy.median(ratios):.2f} of the best rival's processor time, {max(ratios):.2f} at most")


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    from tritonflow.bench.script import script_parser, write_results

    parser = script_parser(__doc__, names="models; all unless told")
    parser.add_argument("--batch", type=int, nargs="+", default=[1, 16])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--kinds", nargs="+", choices=(*OURS, *RIVALS), default=["compiled", *RIVALS[:4]], metavar="KIND")
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        serve(options.serve, options.names[0], options.batch[0], options.folder, options.threads)
        return {}
    from inference_models import MODELS

    kinds = [kind for kind in options.kinds if importlib.util.find_spec(PACKAGES.get(kind, "torch"))]
    results: dict[str, Any] = {}
    heads = "".join(f" {head:>9}" for head in ("p50 ms", "p99 ms", "cpu ms", "least cpu"))
    print(f"{'model':16} {'n':>3} {'kind':14}{heads} {'first s':>8} {'MiB':>7} {'off':>7} {'ratio':>6}")
    for name in options.names or MODELS:
        for batch in options.batch:
            found = results[f"{name} {batch}"] = measure(name, batch, kinds, options.threads, options.rounds)
            show(name, batch, found)
            write_results(options.json, {"load": os.getloadavg(), "models": results}, threads=options.threads)
    summary(results)
    return results


if __name__ == "__main__":
    main()
