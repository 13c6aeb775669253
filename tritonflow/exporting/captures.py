"""The programs of a function for the sizes that are asked for, or why they cannot be exported."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, NamedTuple

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.errors import CaptureError, ExportError
from tritonflow.exporting.arguments import Arguments, FunctionResults
from tritonflow.exporting.sizes import Sizes
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.call import Call
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.compiled_graph import capturing
from tritonflow.graph.api.compiled_module import CompiledModule
from tritonflow.graph.api.config import GraphConfig
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.api.graph import Graph
from tritonflow.graph.ir.concrete import OtherProgramError
from tritonflow.graph.ir.nodes import Words
from tritonflow.graph.plan.binding import BoundSchedule
from tritonflow.graph.watch.makers import Run
from tritonflow.nn import Module
from tritonflow.settings import settings


class ExportSource(NamedTuple):
    """What is exported: the function that users wrote, what it is called, and the modules whose parameters have names."""

    function: Callable[..., Any]
    name: str
    modules: dict[str, Module]
    config: GraphConfig


def source_of(model: Any) -> ExportSource:
    """What a function, a module, an `nn.Graph`, or what `flow.compile` made of one, stands for."""
    if isinstance(model, Graph):
        if model.training:
            raise ExportError(f"export(): {model.name} steps an optimizer: export a graph that evaluates")
        return ExportSource(_built(model), model.name, dict(model._modules), model.config)
    if issubclass(type(model), CompiledModule):
        model = model._orig_mod
    if isinstance(model, CapturedFunction):
        return ExportSource(model.function, model.name, dict(model.roots), model.config)
    if not callable(model):
        raise ExportError(f"export(): a {type(model).__name__} cannot be called")
    name = getattr(model, "__qualname__", type(model).__name__)
    return ExportSource(model, name, {"": model} if isinstance(model, Module) else {}, GraphConfig())


def _built(graph: Graph) -> Callable[..., Any]:
    """What a graph computes: `build`, with the casts that its configuration asks for."""

    @wraps(graph.build)
    def built(*args: Any, **kwargs: Any) -> Any:
        with graph._autocast():
            return graph.build(*args, **kwargs)

    return built


class ForSizes(NamedTuple):
    """The program for one combination of sizes: what was captured, and a call of it."""

    captured: Captured
    call: Call

    @property
    def binding(self) -> BoundSchedule:
        """Its schedule: one for all sizes for which it differs in numbers alone."""
        return self.captured.executable._binding  # type: ignore[no-any-return]

    @property
    def folded(self) -> Any:
        """The memory of values that are computed once; None where there are none."""
        return self.captured.executable._folded_memory

    @property
    def numbers(self) -> Sequence[Any]:
        """Of its runs."""
        return self.captured.executable._numbers  # type: ignore[no-any-return]


class Captures:
    """Captures a function as often as its sizes need.

    Args:
        source: the function.
        arguments: of a call.
        sizes: which are asked for.

    Attributes:
        results: what it returns.
        by_combination: the program for each.
    """

    def __init__(self, source: ExportSource, arguments: Arguments, sizes: Sizes) -> None:
        self.source, self._arguments, self._sizes = source, arguments, sizes
        self.results = FunctionResults()
        self._function = CapturedFunction(
            self._called, source.name, modules=source.modules, config=source.config, entry=lambda: source.function
        )
        self.by_combination: dict[tuple[int, ...], ForSizes] = {}

    def _called(self, *tensors: Tensor) -> list[Tensor]:
        """What is captured."""
        return self.results.taken(self._arguments.call(self.source.function, tensors), tensors)

    def capture(self) -> None:
        """Capture for all sizes; the largest ones first, as a size of 1 or 0 is no symbol.

        Raises:
            ExportError: there is something that no exported program does; the text names it.
        """
        combinations = sorted(self._sizes.combinations(), reverse=True)
        with no_grad(), settings.override(keep_plans=False), capturing:  # schedules on disk name kernels without their source
            if len(combinations) > 1:
                self._function.programs.expect(self._call(combinations[-1]))
            for combination in combinations:
                self.by_combination[combination] = self._captured(self._call(combination))

    def _call(self, combination: Sequence[int]) -> Call:
        """A call of some sizes, with zeros."""
        shapes = self._sizes.shapes(combination)
        given = [_C.zeros(shape, dtype=x.meta.dtype) for shape, x in zip(shapes, self._arguments.tensors)]
        return self._function._call(tuple(given), {})

    def _captured(self, call: Call) -> ForSizes:
        function = self._function
        try:
            found = function.programs.find(call) or function._capture(call)
        except (CaptureError, NotImplementedError) as error:
            raise ExportError(f"export(): {self.source.name} is no one program: {error}") from error
        if found is None:
            raise ExportError(f"export(): {self.source.name} cannot be captured")
        try:
            self._check(found[0])
        except OtherProgramError as error:
            raise ExportError(f"export(): {self.source.name} lays out results in another way for other sizes: {error}") from error
        return ForSizes(*found)

    def results_of(self, each: ForSizes) -> dict[int, int]:
        """By the numbers of outputs, which result each is."""
        captured = each.captured
        outputs: list[Any] = [object() for _ in captured.executable._binding.outputs]
        made = captured._make(Run(outputs, each.call.given, each.call.numbers, each.call.held))
        numbers = {id(output): number for number, output in enumerate(outputs)}
        try:
            return {numbers[id(result)]: k for k, result in enumerate(made)}
        except KeyError:
            raise ExportError("export(): a result is no output of the program: clone() it") from None

    def _check(self, captured: Captured) -> None:
        """Refuse what an exported program does not do."""
        name = self.source.name
        check_program(captured, name)
        if captured.over_ranks is not None or captured.executable.communicates:
            raise ExportError(f"export(): {name} computes over ranks, and an exported program has one")
        if captured.executable.provider.device.type != "cpu":
            raise ExportError(f"export(): {name} runs on {captured.executable.provider.device}: programs are exported for CPUs")
        for node in captured.before.nodes:
            if isinstance(node, Words) or any("rand" in op.op.name or "dropout" in op.op.name for op in node.ops()):
                raise ExportError(f"export(): {name} draws random numbers ({node.name()}): call eval(), or pass what is drawn")
        if captured._overwritten:
            names = ", ".join(self._arguments.names[k] for k in captured._overwritten if k < len(self._arguments.names))
            raise ExportError(f"export(): {name} writes its argument {names}: let it return what it writes")


def check_program(captured: Captured, name: str) -> None:
    """Refuse what no program has that stands without its source: decisions, gradients, steps, and what lives in Python.

    Raises:
        ExportError: says what.
    """
    if captured.path is not None:
        raise ExportError(f"export(): {name} decides by numbers of tensors: use where() or masks")
    if captured.left:
        raise ExportError(f"export(): {name} leaves gradients: export a program that evaluates")
    if captured._optimizers:
        raise ExportError(f"export(): {name} steps an optimizer: export a program that evaluates")
    if captured.lifted:
        slots = ", ".join(slot.name for slot in captured.lifted)
        raise ExportError(f"export(): {name} keeps {slots} from call to call: keep it in a buffer, or pass and return it")
    if captured._stores is not None:
        raise ExportError(
            f"export(): {name} sets or prints something in each call, which a program without Python cannot: keep it in a"
            " buffer, or return it"
        )
