"""Kernels fused and apart, measured beside what the cost model expects: what tritonflow/graph/fusion/price.py is fitted to.

    python bench/fusion.py [NAME ...] [--json FILE]

A case is a program whose ops are one kernel or several. What is printed is the time as one over the time as several, the median
over many rounds in turn on one thread, beside the model's: below 1 fusing is faster. Measured are the cases that have all NAMEs in
theirs. A product's own time, which the model leaves out, is in what is measured.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

os.environ["OMP_NUM_THREADS"] = "1"

import tritonflow as flow
from tritonflow.bench.script import script_parser, write_results
from tritonflow.bench.timing import Effort, alternate, burst_of, warm
from tritonflow.bench.verdict import Quantiles
from tritonflow.graph.capture.capture import Capture
from tritonflow.graph.fusion.group import Fused, fit, fusable, is_row_op
from tritonflow.graph.fusion.price import Work, compare, device_model_of, work_of
from tritonflow.graph.fusion.product import FusedProduct, takes_epilogue
from tritonflow.graph.fusion.reduction import FusedReduction, takes_source, template_of
from tritonflow.graph.ir import Compute, Graph, Node, root
from tritonflow.graph.passes.rewrite import views_where_read
from tritonflow.graph.plan.executable import Executable
from tritonflow.vm.machine import machine

F = flow.nn.functional
EFFORT = Effort(rounds=1000, least=9, burst=0.0, limit=0.5)


class Case(NamedTuple):
    """A program, its inputs' shapes, and how it is several kernels: in so many equal parts; 0: the first op, and the rest; -1: the
    last op, and the rest."""

    name: str
    program: Callable[..., list[Any]]
    shapes: list[tuple[int, ...]]
    parts: int = 2

    def divided(self, count: int) -> list[range]:
        """The numbers of the ops of each kernel."""
        if self.parts < 1:
            middle = 1 if self.parts == 0 else count - 1
            return [range(middle), range(middle, count)]
        step = -(-count // self.parts)
        return [range(start, min(start + step, count)) for start in range(0, count, step)]


def added(*xs: Any) -> list[Any]:
    """A sum of arrays."""
    total = xs[0]
    for x in xs[1:]:
        total = total + x
    return [total]


def chained(function: Callable[[Any], Any], times: int) -> Callable[..., list[Any]]:
    """A function of a function's result, so many times."""

    def program(x: Any) -> list[Any]:
        for _ in range(times):
            x = function(x)
        return [x]

    return program


def lived(count: int) -> Callable[..., list[Any]]:
    """As many values, all of which are there when the last is made."""

    def program(x: Any, y: Any) -> list[Any]:
        made = [x]
        for _ in range(count):
            made.append((made[-1] + y) * x)
        total = y
        for value in reversed(made):
            total = (total - value) * y
        return [total]

    return program


def normalised(x: Any, *others: Any) -> list[Any]:
    """Softmax of products, of whose result others are sums."""
    for other in others:
        x = x * other
    x = F.softmax(x, -1)
    for other in others:
        x = x + other
    return [x]


def reduced(dim: Any, *xs: Any) -> list[Any]:
    """A sum of arrays, summed."""
    return [added(*xs)[0].sum(dim)]


def behind(program: Callable[..., list[Any]]) -> Callable[..., list[Any]]:
    """A program on a product of matrices."""
    return lambda x, w, *others: program(x @ w, *others)


def cases() -> Iterator[Case]:
    """Every case."""
    for size in ((16, 1024), (256, 1024), (1024, 1024)):
        for arrays in (8, 12, 16, 24, 32):
            yield Case(f"arrays {arrays}", added, [size] * arrays)
        for function in (flow.exp, F.gelu, flow.tanh, flow.sqrt):
            for times in (2, 4, 8):
                yield Case(f"chain of {times} {function.__name__}", chained(function, times), [size], times)
        for count in (8, 16, 32):
            yield Case(f"values {count}", lived(count), [size] * 2)
    for size in ((256, 256), (64, 4096)):
        for arrays in (2, 8, 16):
            yield Case(f"rows of {arrays} arrays", normalised, [size] * arrays)
    for arrays in (2, 4, 6, 8, 12, 16):
        for dim in (0, (0, 1)):
            program = partial(reduced, dim)
            yield Case(f"sum of {arrays} arrays over {dim}", program, [(1024, 1024)] * arrays, -1)
    for m, n, k in ((256, 256, 64), (512, 1024, 256), (1024, 1024, 64)):
        for operands in (1, 2, 4, 6, 8, 12, 16):
            yield Case(f"epilogue of {operands}", behind(added), [(m, k), (k, n), *[(m, n)] * operands], 0)
        yield Case("epilogue gelu", behind(chained(F.gelu, 1)), [(m, k), (k, n)], 0)


def divided(graph: Graph, parts: list[range]) -> tuple[Graph, list[Work]]:
    """The graph with a kernel for each part, and what the model knows of them."""
    nodes = graph.computes()
    bodies = [[nodes[k] for k in part] for part in parts]
    kernels: list[Node] = []
    works = []
    for body in bodies:
        others = [node for node in nodes if node not in body]
        read = {root(value) for node in others for value in node.operands()} | set(graph.results())
        wanted = {value for node in body for value in node.outputs if value in read}
        kernels.append(kernel(body, wanted))
        works.append(work(body, wanted))
    return views_where_read(replace(graph, nodes=kernels)), works


def kernel(body: list[Compute], wanted: set[Any]) -> Node:
    """One node for all."""
    if takes_source(body[-1]) and not fusable(body[-1]):
        return FusedReduction(body[:-1], body[-2].outputs[0], body[-1]) if len(body) > 1 else body[0]
    if not fusable(body[0]):
        first = body[0]
        return FusedProduct(first, {first.outputs[0]: None}, body[1:], wanted) if len(body) > 1 else first
    space = fit(body)
    assert space is not None
    return Fused(body, wanted, space)


def work(body: list[Compute], wanted: set[Any]) -> Work:
    """What the model knows of a kernel; of a product, what is behind its sum."""
    device = device_model_of(body[0].outputs[0])
    if takes_source(body[-1]) and not fusable(body[-1]):
        (x,) = body[-1].operands()
        template = template_of(body[-1])
        alone = Work(template, x.meta.numel, read=x.meta.nbytes, arrays=1)
        return work_of(body[:-1], template, (), device) if len(body) > 1 else alone
    if takes_epilogue(body[0]):
        return work_of(body[1:], "product", wanted, device, [body[0].outputs[0]])
    return work_of(body, "rows" if any(map(is_row_op, body)) else "elements", wanted, device)


def measure(case: Case) -> tuple[float, float, str]:
    """The measured ratio of the times together and apart, the model's, and the result's shape."""
    inputs = [flow.randn(*shape) for shape in case.shapes]
    runs, works = [], []
    for apart in (False, True):
        with Capture() as capture:
            graph = capture.finish(case.program(*[capture.input(x.meta) for x in inputs]))
        count = len(graph.computes())
        graph, known = divided(graph, case.divided(count) if apart else [range(count)])
        runs.append(Executable(graph, flow.device("cpu")))
        works.append(known)
    (result,) = graph.results()
    prices = compare(works[1], works[0][0], device_model_of(result))
    shape = "x".join(map(str, result.meta.shape))
    bursts = [warm(burst_of(partial(executable.run, inputs), machine.sync)) for executable in runs]
    times = alternate(dict(zip(("one", "several"), bursts)), EFFORT)
    return Quantiles.of_ratios(times["one"], times["several"]).p50, prices.seconds[1] / prices.seconds[0], shape


def main() -> None:
    """Print a line for each case."""
    arguments = script_parser(__doc__, names="cases that have all these in their names; all unless told").parse_args()
    print(f"{'case':28} {'result':>12} {'measured':>9} {'model':>6}")
    found = []
    for case in cases():
        if all(word in case.name for word in arguments.names):
            measured, model, shape = measure(case)
            found.append({"case": case.name, "result": shape, "measured": measured, "model": model})
            print(f"{case.name:28} {shape:>12} {measured:9.2f} {model:6.2f}", flush=True)
    write_results(arguments.json, {"cases": found})


if __name__ == "__main__":
    main()
