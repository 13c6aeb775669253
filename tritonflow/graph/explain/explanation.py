"""An explanation: what is known of each kernel of a graph, and of all together, before and after fusion."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path
from typing import Any

from tritonflow.device.provider import facts_of
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.explain import steps as of
from tritonflow.graph.explain.measure import rehearse
from tritonflow.graph.explain.page import page
from tritonflow.graph.explain.report import KernelRow, Report, Totals
from tritonflow.graph.explain.roof_measurement import roof_of
from tritonflow.graph.explain.sizes import SizeTables
from tritonflow.graph.explain.text import table
from tritonflow.graph.explain.why import chosen, sentence
from tritonflow.graph.fusion.decisions import Decision
from tritonflow.graph.ir import Graph
from tritonflow.graph.ir.roof import Products, Roof
from tritonflow.graph.passes import optimize
from tritonflow.graph.passes.emit import emit
from tritonflow.graph.plan.memory import MemoryLayout, plan_memory
from tritonflow.graph.plan.tuning import tune

SHOWN = 60  # rows of the table that is printed


class Explanation(Report):
    """What a graph runs; prints as a table, and in a notebook as a page.

    Attributes:
        parts: what runs behind each time that the program looks at numbers, if it does.
        sizes: of a program for many sizes, what is known of these, and of its steps' plans.
        backward: the explanation of its backward, where calls of a compiled function leave a history.
    """

    parts: Sequence[Explanation] = ()
    sizes: SizeTables | None = None
    backward: Explanation | None = None

    def table(self, sort_by: str | None = None, limit: int | None = None) -> str:
        """The kernels as text.

        Args:
            sort_by: "seconds", "bytes" or "flops": the largest first; None: the order of execution.
            limit: rows at most.

        Raises:
            ValueError: another `sort_by`.
        """
        return table(self, sort_by, limit)

    def to_html(self) -> str:
        """One page that needs nothing else: the graph drawn, each kernel with its ops, lines, source and numbers."""
        return page(self)

    def why(self, number: int | None = None) -> str:
        """Why these are the kernels: every fusion that was done or refused, with its reason or estimated price, by kernel.

        Args:
            number: of the kernel in question; None: all.

        Raises:
            IndexError: there is no such kernel.

        Example:
            >>> import tritonflow as flow
            >>> f = flow.compile(lambda x: flow.relu(x * 2).t() + 1)
            >>> y = f(flow.ones(64, 64))
            >>> print(f.explain().why(1))
            1: scalar_add
                no  scalar_add with [scalar_mul, relu]: their shapes do not lie over each other
        """
        chosen = self.kernels if number is None else [self.kernels[number]]
        return "\n".join("\n    ".join([f"{k.number}: {k.title}", *k.why]) for k in chosen if k.why)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the page to a file; the backward has one of its own, `backward.save(path)`."""
        Path(path).write_text(self.to_html(), encoding="utf-8")

    def __str__(self) -> str:
        text = self.table() if len(self.kernels) <= SHOWN else self.table("seconds", SHOWN)
        more = [*self.parts, *([] if self.backward is None else [self.backward])]
        return "\n\n".join([text, *([] if self.sizes is None else [str(self.sizes)]), *map(str, more)])

    __repr__ = __str__

    def _repr_html_(self) -> str:
        """For notebooks: the page in a frame, whose styles and scripts touch nothing else."""
        style = "width: 100%; height: 640px; border: 0"
        frame = f'<iframe srcdoc="{escape(self.to_html())}" style="{style}"></iframe>'
        more = [*self.parts, *([] if self.backward is None else [self.backward])]
        return frame + "".join([each._repr_html_() for each in more])


def explain(
    name: str,
    before: Graph,
    device: Any,
    inputs: Sequence[Tensor],
    numbers: Sequence[Any],
    names: Mapping[Any, str],
    without: Collection[str] = (),
    tuned: bool = False,
) -> Explanation:
    """Look at a graph and measure it; nothing that it works on changes.

    Args:
        name: for people.
        before: the graph as it was captured; the passes run again.
        device: where it runs.
        inputs, numbers: what to measure with.
        names: what impls of states are called.
        without, tuned: names of passes that do not run, and whether configurations are chosen by measuring.
    """
    decisions: list[Decision] = []
    graph = optimize(before, None, without, decisions)
    graph = tune(graph) if tuned else graph
    called = {number: names[state.impl] for number, state in enumerate(graph.states) if state.impl in names}
    rehearsal = rehearse(graph, device, inputs, numbers)
    layout = rehearsal.layout
    products = [of.products_of(step, facts_of(device)) for step in layout.steps]
    roof = roof_of(device, sorted({each.dtype for each in products if each is not None}))
    kernels, sources = _kernels(graph, layout, rehearsal.steps, products, roof, called, decisions)
    unchanged = replace(emit(before), folds=False)
    totals = _totals(unchanged, plan_memory(unchanged)), _totals(graph, layout)
    return Explanation(name, device, kernels, *totals, seconds=rehearsal.whole, roof=roof, sources=sources)


def _kernels(
    graph: Graph,
    layout: MemoryLayout,
    seconds: list[float],
    products: list[Products | None],
    roof: Roof,
    names: Mapping[int, str],
    decisions: list[Decision],
) -> tuple[list[KernelRow], dict[str, str]]:
    """A row for each step, and the sources that they name."""
    reasons = of.reasons(layout, decisions)
    kernels: list[KernelRow] = []
    sources: dict[str, str] = {}
    times = [time if of.launches_of(step) > of.folded_launches_of(step) else 0.0 for step, time in zip(layout.steps, seconds)]
    for number, (step, time, writers) in enumerate(zip(layout.steps, times, of.writers(layout))):
        found = dict(of.sources_of(step))
        sources.update(found)
        reads, writes = of.operands(step, writers, names)
        cost = of.cost_of_step(step)
        choice = None if step.node is None else graph.choices.get(step.node)
        row = KernelRow(
            number=number,
            title=of.title_of(step),
            kind=of.kind_of(step),
            launches=of.launches_of(step),
            lines=of.lines_of(step),
            reads=reads,
            writes=writes,
            follows=sorted({writer for writer in writers if writer is not None}),
            cost=cost,
            seconds=time,
            share=time / sum(times) if time else 0.0,
            roof=roof.seconds(cost, products[number]) / time if time else 0.0,
            sources=list(found),
            why=[*map(sentence, reasons[number]), *([] if choice is None else [f"tuned: {chosen(choice)}"])],
            choice=choice,
            folded=of.folded_launches_of(step),
        )
        kernels.append(row)
    return kernels, sources


def _totals(graph: Graph, layout: MemoryLayout) -> Totals:
    costs = [of.cost_of_step(step) for step in layout.steps]
    fixed = [*graph.inputs, *graph.outputs, *[state.value for state in graph.states]]
    return Totals(
        launches=sum(map(of.launches_of, layout.steps)),
        bytes=sum(cost.bytes for cost in costs),
        flops=sum(cost.flops for cost in costs),
        arena=layout.arena,
        folded_launches=sum(map(of.folded_launches_of, layout.steps)),
        folded_bytes=layout.folded,
        peak=layout.arena + layout.folded + sum(value.meta.nbytes for value in dict.fromkeys(fixed)),
    )
