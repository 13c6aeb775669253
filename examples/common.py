"""What the examples share: their options, the training step as eager code or as a graph, progress, and checkpoints.

A checkpoint holds all that the rest of a run depends on: model, optimizer, schedule, loss scale, the random generator (of which
dropout and the order of the data come), and what has been measured. So a run that was broken off and resumed ends with the
very numbers of one that was not, and a run can be begun in eager mode and go on as a graph.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import islice
from pathlib import Path
from typing import Any, Generic, TypeVar

from tqdm import tqdm

import tritonflow as flow
from tritonflow import nn
from tritonflow.utils.data import DataLoader


class Defaults(argparse.HelpFormatter):
    """`--help` with the defaults of the options that have one."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        has_none = any(action.default is nothing for nothing in (None, False, argparse.SUPPRESS))
        return action.help if has_none else f"{action.help} (default: %(default)s)"


M = TypeVar("M", bound=nn.Module)
AMP_DTYPES = {"bfloat16": flow.bfloat16, "float16": flow.float16}


def parser_of(description: str | None, *, epochs: int, steps: int | None = None) -> argparse.ArgumentParser:
    """The options that every example has; `description` is a module's docstring."""
    parser = argparse.ArgumentParser(description=(description or "").splitlines()[0], formatter_class=Defaults)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--eager", action="store_true", help="run each training step op by op, as is done unless told")
    kind.add_argument("--graph", action="store_true", help="run each training step as a graph")
    parser.add_argument(
        "--amp",
        nargs="?",
        choices=AMP_DTYPES,
        const=True,
        help="mixed precision; bfloat16 on a CPU unless told, float16 on a GPU",
    )
    parser.add_argument("--epochs", type=int, default=epochs, help="passes over the data")
    parser.add_argument("--steps", type=int, default=steps, help="at most so many steps an epoch")
    parser.add_argument("--seed", type=int, default=0, help="of the split of the data, the weights, dropout and the order")
    parser.add_argument("--device", default="cuda" if flow.cuda.is_available() else "cpu", help="where it runs")
    parser.add_argument("--checkpoint", type=Path, help="file that the state of the run is written to after each epoch")
    parser.add_argument("--resume", action="store_true", help="go on from the checkpoint, if there is one")
    return parser


def parse(parser: argparse.ArgumentParser, arguments: Sequence[str] | None) -> argparse.Namespace:
    """The options, checked against each other, with the seed planted."""
    options = parser.parse_args(arguments)
    if options.resume and options.checkpoint is None:
        parser.error("--resume needs --checkpoint FILE")
    if options.amp is not None:
        options.amp = AMP_DTYPES.get(options.amp) or flow.get_autocast_dtype(flow.device(options.device).type)
    flow.manual_seed(options.seed)
    return options


def progress(items: Any, name: str, unit: str, **options: Any) -> Any:
    """The items, with a bar on terminals that is erased in the end."""
    return tqdm(items, desc=name, unit=unit, leave=False, **{"disable": None, **options})


def loss_of(logits: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
    """Mean cross entropy of logits `(..., classes)` at labels `(...)`."""
    return nn.functional.cross_entropy(logits.flatten(0, -2), labels.flatten())


class Step(nn.Graph):
    """A training step as a graph."""

    def __init__(self, training: Training[Any]) -> None:
        super().__init__()
        self.model = training.model
        self.add_optimizer(training.optimizer, lr_sch=training.schedule)
        self.set_grad_scaler(training.scaler)
        if training.amp is not None:
            self.config.enable_amp(dtype=training.amp)

    def build(self, x: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
        loss = loss_of(self.model(x), labels)
        loss.backward()
        return loss


class Training(Generic[M]):
    """A classifier being trained.

    Args:
        options: from `parse`.
        model: from a batch to logits.
        optimizer: over its parameters; its groups' "clip_grad_max_norm" is heeded.
        schedule: of its learning rate, stepped after each step; a graph follows it by itself.

    Attributes:
        step: from a batch and its labels to the loss, the parameters updated.
        history: a dict of measurements for each epoch done.
    """

    def __init__(self, options: argparse.Namespace, model: M, optimizer: flow.optim.Optimizer, schedule: Any = None) -> None:
        self.options = options
        self.model, self.optimizer, self.schedule, self.amp = model, optimizer, schedule, options.amp
        self.scaler = flow.amp.GradScaler(enabled=options.amp is flow.float16)
        self.random = flow.default_generator(flow.device("cpu")), flow.default_generator(flow.device(options.device))
        self.history: list[dict[str, float]] = []
        if options.resume:
            self.resume(options.checkpoint)
        self.graph = Step(self) if options.graph else None
        self.step: Callable[..., flow.Tensor] = self.graph or self.eager_step

    def eager_step(self, x: flow.Tensor, labels: flow.Tensor) -> flow.Tensor:
        """A training step, op by op."""
        with nullcontext() if self.amp is None else flow.autocast(x.device.type, dtype=self.amp):
            loss = loss_of(self.model(x), labels)
        self.optimizer.zero_grad()
        self.scaler.scale(loss).backward()
        self.scaler.unscale_(self.optimizer)
        self.optimizer.clip_grad()
        self.scaler.step(self.optimizer)
        self.scaler.update()
        if self.schedule is not None:
            self.schedule.step()
        return loss.detach()

    def run(self, batches: DataLoader[list[flow.Tensor]], evaluate: Callable[[], dict[str, float]]) -> None:
        """Train for the epochs that are left; after each, `evaluate` in evaluation mode, print, and write the checkpoint."""
        count = sum(p.numel() for p in self.model.parameters())
        kind = "graph" if self.options.graph else "eager"
        print(f"{count:,} parameters on {self.options.device}, {kind}{'' if self.amp is None else f', {self.amp}'}")
        if len(self.history) >= self.options.epochs:
            figures = figures_of(self.history[-1])
            print(f"nothing is left to do: the run had {len(self.history)} epochs; the last one: {figures}")
            print(f"help: --epochs {len(self.history) + 1} trains on, and without --resume a new run begins")
        while len(self.history) < self.options.epochs:
            self.model.train()
            measured = self.epoch(batches)
            self.model.eval()
            with flow.no_grad():
                measured.update(evaluate())
            self.history.append(measured)
            print(f"epoch {len(self.history):2}/{self.options.epochs}   {figures_of(measured)}", flush=True)
            if self.options.checkpoint is not None:
                self.save(self.options.checkpoint)

    def epoch(self, batches: DataLoader[list[flow.Tensor]]) -> dict[str, float]:
        """One pass over the data, or `options.steps` steps of it: the mean of the steps' losses, and samples per second."""
        steps = min(len(batches), self.options.steps or len(batches))
        name = f"epoch {len(self.history) + 1:2}/{self.options.epochs}"
        losses: list[flow.Tensor] = []
        samples, start = 0, time.perf_counter()
        with progress(islice(batches, steps), name, "step", total=steps) as bar:
            for x, labels in bar:
                losses.append(self.step(x.to(self.options.device), labels.to(self.options.device)))
                samples += len(x)
                if bar.n % 10 == 0:  # now and then: reading a loss waits for the device
                    bar.set_postfix(loss=f"{losses[-1].item():.3f}", refresh=False)
        mean = flow.stack(losses).mean().item()
        return {"loss": mean, "samples/s": samples / (time.perf_counter() - start)}

    # --------------------------------------------------------------------------------------------------- checkpoints

    def parts(self) -> dict[str, Any]:
        """What has a state dictionary."""
        parts = {"model": self.model, "optimizer": self.optimizer, "schedule": self.schedule, "scaler": self.scaler}
        return {name: part for name, part in parts.items() if part is not None}

    def states(self) -> dict[str, Any]:
        """Their state dictionaries; a graph has those of the optimizer and the schedule that it steps."""
        states = {name: part.state_dict() for name, part in self.parts().items()}
        if self.graph is not None:
            own = self.graph.state_dict()
            (states["optimizer"],) = own["optimizers"]
            if self.schedule is not None:
                (states["schedule"],) = own["lr_schedulers"]
        return states

    def save(self, path: Path) -> None:
        """Write a checkpoint, which replaces the last one once it is whole."""
        random = [generator.get_state() for generator in self.random]
        flow.save({**self.states(), "random": random, "history": self.history, "seed": self.options.seed}, path)

    def resume(self, path: Path) -> None:
        """Go on from a checkpoint, or begin if there is none, and say which."""
        if path.exists():
            self.load(path)
            print(f"resumed {path} behind epoch {len(self.history)}")
        else:
            print(f"there is no {path} yet: the run begins")

    def load(self, path: Path) -> None:
        """Take over a checkpoint.

        Raises:
            SystemExit: it is of a run with another seed, that is another split of the data.
        """
        state = flow.load(path, map_location=self.options.device)
        if state["seed"] != self.options.seed:
            raise SystemExit(f"{path} is of a run with --seed {state['seed']}, not {self.options.seed}")
        for name, part in self.parts().items():
            part.load_state_dict(state[name])
        for generator, drawn in zip(self.random, state["random"]):
            generator.set_state(drawn)
        self.history = state["history"]


def figures_of(measured: dict[str, float]) -> str:
    """What was measured in an epoch, in one line."""
    return ", ".join(f"{name} {value:,.5g}" for name, value in measured.items())


def accuracy(model: nn.Module, data: Any, device: str) -> dict[str, float]:
    """Mean loss, and the share of samples that get the right label."""
    loss, correct = 0.0, 0
    for x, labels in progress(DataLoader(data, batch_size=256), "held out", "batch"):
        logits, labels = model(x.to(device)), labels.to(device)
        loss += loss_of(logits, labels).item() * len(labels)
        correct += int((logits.argmax(dim=1) == labels).sum().item())
    return {"held-out loss": loss / len(data), "accuracy": correct / len(data)}
