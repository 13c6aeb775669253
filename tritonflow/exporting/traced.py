"""The program of a module, captured once for the sizes that it was exported for, and run in this process."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from tritonflow import _C
from tritonflow.autograd import no_grad
from tritonflow.errors import CaptureError, ExportError
from tritonflow.exporting.captures import check_program
from tritonflow.exporting.dims import Asked, ValueRange, asked, names_of
from tritonflow.exporting.dynamic_sizes import SizeGroup, first_violated, groups_of
from tritonflow.exporting.program_inputs import Expected, ProgramInputs, check
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.compiled_graph import capturing
from tritonflow.graph.api.compiled_module import CompiledModule
from tritonflow.graph.api.function import CapturedFunction
from tritonflow.graph.capture.dimensions import Dimension
from tritonflow.graph.ir import Graph
from tritonflow.nn import Module


class TracedProgram:
    """A module's program.

    The module is copied, but for its tensors, which the two share: what is done to the module afterwards, such as `eval()`, does
    not change the program. Modes around a call, such as `no_grad()`, have captures of their own, of that copy.

    Args:
        module: it.
        args, kwargs: an example.
        dynamic_shapes: which sizes differ.

    Attributes:
        module: the copy.
        inputs: the example.
        asked: of each tensor in it, by dimension, what differs.
        expected: what arguments must be.
        captured: the program, as it was captured without gradients.

    Raises:
        RuntimeError: the module is no one program for these sizes.
    """

    def __init__(self, module: Module, args: Sequence[Any], kwargs: Mapping[str, Any], dynamic_shapes: Any) -> None:
        if issubclass(type(module), CompiledModule):
            module = module._orig_mod
        self.name = type(module).__qualname__
        attributes = [value for each in module.modules() for value in vars(each).values() if isinstance(value, Tensor)]
        shared = {id(tensor): tensor for tensor in (*module.parameters(), *module.buffers(), *attributes)}
        self.module = copy.deepcopy(module, shared)
        self.signature = inspect.signature(self.module.forward)
        self.inputs = ProgramInputs(self.signature, args, kwargs)
        self.asked = asked(self.inputs.bound, dynamic_shapes)
        self._shapes = [tuple(tensor.meta.shape) for tensor in self.inputs.tensors]
        self.captured = self._captured()
        self.expected = list(self._expected())

    def _captured(self) -> Captured:
        """The program; sizes that may differ and cannot are fixed ones from then on."""
        names = self.inputs.tensor_names
        while True:
            groups = groups_of(self.asked, names, self._shapes)
            captured = self._capture(groups)
            violated = first_violated(groups, captured, self._is_made) if groups else None
            if violated is None:
                return captured
            group, why = violated
            if not group.may_be_fixed:
                raise ExportError(f"export(): Constraints violated ({group.name})! {why}")
            for position, dim in group.dimensions:
                del self.asked[position][dim]

    def _capture(self, groups: Sequence[SizeGroup]) -> Captured:
        self._function: CapturedFunction[..., Any] = CapturedFunction(self.module, self.name, modules={"": self.module})
        function = self._function
        with no_grad(), capturing:
            if groups:
                other = {each: group.size + 2 + k for k, group in enumerate(groups) for each in group.dimensions}
                function.programs.expect(self._call(other))
            try:
                found = function._capture(self._call({}))
            except (CaptureError, NotImplementedError) as error:
                raise ExportError(f"export(): {self.name} is no one program: {error}") from error
        if found is None:
            raise ExportError(f"export(): {self.name} cannot be captured")
        check_program(found[0], self.name)
        return found[0]

    def _call(self, sizes: dict[Dimension, int]) -> Any:
        """The example as a call; tensors of other sizes are zeros."""
        tensors: dict[int, Any] = {}
        for k, x in enumerate(self.inputs.tensors):
            shape = [sizes.get((k, dim), n) for dim, n in enumerate(x.meta.shape)]
            is_own = all(position != k for position, _ in sizes)
            tensors[id(x)] = x if is_own else _C.zeros(shape, dtype=x.meta.dtype, device=x.meta.device)
        args, kwargs = copy.deepcopy((self.inputs.args, self.inputs.kwargs), tensors)
        return self._function._call(args, kwargs)

    def _is_made(self, sizes: dict[Dimension, int]) -> bool:
        with no_grad(), capturing:
            programs, call = self._function.programs, self._call(sizes)
            return (programs.find(call) or programs.made_for(call)) is not None

    def _expected(self) -> Any:
        """What each argument must be."""
        said = iter(self.asked)
        for name, value in self.inputs.leaves:
            if isinstance(value, Tensor):
                own: Asked = next(said)
                yield Expected(name, value.meta.dtype, tuple([own.get(dim, n) for dim, n in enumerate(value.meta.shape)]), None)
            else:
                yield Expected(name, None, (), value)

    @property
    def size_names(self) -> list[dict[int, str]]:
        """Of each tensor in the example, by dimension, what a size is called that differs."""
        return names_of(self.asked, self.inputs.tensor_names)

    @property
    def graph(self) -> Graph:
        """The program, with symbols for sizes that differ."""
        template = self.captured.template
        return self.captured.before if template is None else template.graph

    @property
    def ranges(self) -> dict[str, ValueRange]:
        """Of the symbols in the program, which sizes these may be."""
        template, found = self.captured.template, {}
        for number, symbol in enumerate(() if template is None else template.dimensions.symbols):
            position, dim = symbol.dimensions[0]
            said = self.asked[position].get(dim)
            if said is not None:
                found[f"s{number}"] = ValueRange(said.min, said.max)
        return found

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run it.

        Raises:
            ValueError, AssertionError: the arguments are not of the kind that it was exported for.
            RuntimeError: a variable that the module's Python reads has changed.
        """
        inputs = ProgramInputs(self.signature, args, kwargs)
        check(inputs.leaves, self.expected)
        function = self._function
        if function.programs.find(function._call(inputs.args, inputs.kwargs)) is None:
            with capturing:  # another thread's capture puts probes into functions
                changed = self.captured.python.changed()
            if changed:
                raise ExportError(f"{self.name} was exported for another value of what it reads: {changed}; export it again")
        return function(*inputs.args, **inputs.kwargs)
