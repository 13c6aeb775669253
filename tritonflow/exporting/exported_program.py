"""`ExportedProgram`: a module's program under torch.export's names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NoReturn, Protocol

from tritonflow import _C
from tritonflow.errors import ArgumentValueError, ExportError
from tritonflow.exporting.dims import ValueRange, parts_of
from tritonflow.exporting.program_inputs import ArgumentLeaf
from tritonflow.exporting.signature import (
    ConstantArgument,
    ExportGraphSignature,
    InputKind,
    InputSpec,
    OutputKind,
    OutputSpec,
    TensorArgument,
)
from tritonflow.exporting.traced import TracedProgram
from tritonflow.framework.tensor import Tensor
from tritonflow.graph.ir import GraphText, Value
from tritonflow.graph.watch.makers import Run
from tritonflow.nn import Module, Parameter

_OF_FX = ("graph", "graph_module", "call_spec", "module_call_graph", "dialect", "verifier", "verifiers", "validate")


class Runner(Protocol):
    """What runs a program: in this process as it was captured, or from a file."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...


class ExportedModule(Module):
    """A program as a module, with the parameters and buffers of the module that was exported, under their names."""

    def __init__(self, program: ExportedProgram) -> None:
        super().__init__()
        object.__setattr__(self, "_run_program", program.runner)
        persistent = program.graph_signature.non_persistent_buffers
        for name, tensor in program.tensors.items():
            owner: Module = self
            *path, last = name.split(".")
            for part in path:
                if part not in owner._modules:
                    owner.add_module(part, Module())
                owner = owner._modules[part]  # type: ignore[assignment]
            if isinstance(tensor, Parameter):
                owner.register_parameter(last, tensor)
            else:
                owner.register_buffer(last, tensor, persistent=name not in persistent)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Run the program."""
        return self._run_program(*args, **kwargs)

    def train(self, mode: bool = True) -> NoReturn:
        """Refused: the mode is part of the program."""
        raise NotImplementedError(f"Calling {'train' if mode else 'eval'}() is not supported yet: export the module in that mode")

    def eval(self) -> NoReturn:
        """Refused: the mode is part of the program."""
        self.train(False)


class ExportedProgram:
    """A module's program: its signature, its tensors, and what runs it. `export_program` makes one, `load_exported` reads one.

    Args:
        runner: what runs it.
        graph_signature: its inputs and outputs.
        tensors: parameters and buffers, by their names in the module.
        constants: other tensors.
        range_constraints: of the symbols in its text, which sizes they may be.
        example_inputs: a tuple and a dict of arguments; None of one that was read from a file.
        text: the program.

    Attributes:
        runner, graph_signature, tensors, range_constraints, example_inputs, text: as given.

    Source: torch.export.ExportedProgram.
    """

    def __init__(
        self,
        runner: Runner,
        graph_signature: ExportGraphSignature,
        tensors: Mapping[str, Tensor],
        constants: Mapping[str, Tensor],
        range_constraints: dict[str, ValueRange],
        example_inputs: tuple[Any, Any] | None,
        text: str,
    ) -> None:
        self.runner, self.tensors, self._others, self.text = runner, dict(tensors), dict(constants), text
        self.graph_signature, self.range_constraints, self.example_inputs = graph_signature, range_constraints, example_inputs

    def module(self, check_guards: bool = True) -> ExportedModule:
        """The program as a module. Its parameters are those of the module that was exported, so that it trains them.

        Args:
            check_guards: as torch has it; arguments are always checked.
        """
        return ExportedModule(self)

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        """Refused, as in torch: `program.module()` is called."""
        raise ExportError("Unable to call ExportedProgram directly. You should use `exported_program.module()` instead.")

    @property
    def state_dict(self) -> dict[str, Tensor]:
        """Parameters and persistent buffers, by name."""
        left_out = self.graph_signature.non_persistent_buffers
        return {name: tensor for name, tensor in self.tensors.items() if name not in left_out}

    @property
    def constants(self) -> dict[str, Tensor]:
        """Tensors that the program reads and `state_dict` does not have, by name."""
        return {**self._others, **{name: self.tensors[name] for name in self.graph_signature.non_persistent_buffers}}

    @property
    def tensor_constants(self) -> dict[str, Tensor]:
        """The same."""
        return self.constants

    def named_parameters(self) -> Iterator[tuple[str, Parameter]]:
        """The parameters with their names."""
        for name in self.graph_signature.parameters:
            yield name, self.tensors[name]  # type: ignore[misc]

    def parameters(self) -> Iterator[Parameter]:
        """The parameters."""
        for _, tensor in self.named_parameters():
            yield tensor

    def named_buffers(self) -> Iterator[tuple[str, Tensor]]:
        """The buffers with their names."""
        for name in self.graph_signature.buffers:
            yield name, self.tensors[name]

    def buffers(self) -> Iterator[Tensor]:
        """The buffers."""
        for _, tensor in self.named_buffers():
            yield tensor

    def run_decompositions(self, decomp_table: Mapping[Any, Any] | None = None) -> ExportedProgram:
        """The program itself: it is functional from the beginning.

        Raises:
            RuntimeError: there is a table: ops are tritonflow's, and not made of others by it.
        """
        if decomp_table:
            raise ExportError("run_decompositions(): a table of decompositions is not built: ops of the program are tritonflow's")
        return self

    def __getattr__(self, name: str) -> Any:
        if name in _OF_FX:
            raise AttributeError(f"ExportedProgram.{name} is of torch.fx, which is not built here: print() shows the program")
        raise AttributeError(f"'ExportedProgram' object has no attribute {name!r}")

    def __str__(self) -> str:
        lines = [f"    {line}" for line in self.text.split("\n")]
        signature = [f"    {line}".rstrip() for line in str(self.graph_signature).split("\n")]
        ranges = ", ".join([f"{name}: {own!r}" for name, own in self.range_constraints.items()])
        return "\n".join(["ExportedProgram:", *lines, "", "Graph signature:", *signature, "", f"Range constraints: {{{ranges}}}"])


def export_program(
    mod: Module,
    args: tuple[Any, ...],
    kwargs: Mapping[str, Any] | None = None,
    *,
    dynamic_shapes: Any = None,
    strict: bool = False,
    preserve_module_call_signature: tuple[str, ...] = (),
    **options: Any,
) -> ExportedProgram:
    """Capture a module as one program for all sizes that are asked for, under torch.export's names.

    The program shares the module's tensors. All else of the module is copied, so that the program stays as it is. It is called by
    `program.module()`, with gradients or without, and written to one file by `save_exported`.

    Args:
        mod: the module, in the mode that the program is to have.
        args, kwargs: an example: containers of tensors, numbers, strings and None. Objects of dataclasses that were given to
            `register_dataclass` are containers, too.
        dynamic_shapes: by the names of the arguments, or in their order, which sizes differ: of a tensor a dict of dimensions, or
            a sequence with an entry for each. An entry is a `Dim`, a hint such as `Dim.AUTO`, the size itself, or None. All others
            are as in the example. Or a `ShapesCollection`.
        strict: both ways capture as `flow.compile` does.
        preserve_module_call_signature: must be empty.

    Raises:
        ValueError: `mod` is no module, or an argument is of a type that a program does not take.
        RuntimeError: the module is no one program for these sizes: the text names the dim, and the line that fixes it. Or it does
            what no program can: decisions by numbers of tensors, attributes that it sets, prints.

    Source: torch.export.export.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.exporting import Dim, export_program
        >>> net = flow.nn.Sequential(flow.nn.Linear(3, 2), flow.nn.ReLU())
        >>> program = export_program(net, (flow.ones(4, 3),), dynamic_shapes=({0: Dim("batch", max=64)},))
        >>> program.module()(flow.ones(7, 3)).shape, [name for name, _ in program.named_parameters()]
        (tritonflow.Size([7, 2]), ['0.weight', '0.bias'])
    """
    if not isinstance(mod, Module):
        raise ArgumentValueError(f"export(): expected `mod` to be an instance of `torch.nn.Module`, got {type(mod)}")
    if not isinstance(args, tuple):
        raise ExportError(f"export(): expecting `args` to be a tuple of example positional inputs, got {type(args)}")
    if preserve_module_call_signature:
        raise ExportError("export(): preserve_module_call_signature is not built: programs have no modules inside")
    traced = TracedProgram(mod, args, kwargs or {}, dynamic_shapes)
    names = _StateNames(traced)
    text = GraphText(traced.graph, names.values)
    lines = list(text.lines())
    signature = ExportGraphSignature(names.inputs, _outputs(traced, text, names))
    return ExportedProgram(
        traced, signature, names.tensors, names.constants, traced.ranges, (args, dict(kwargs or {})), "\n".join(lines)
    )


class _StateNames:
    """What the program calls what it reads.

    Attributes:
        inputs: parameters, buffers, constants and arguments.
        tensors, constants: those of them, by their names in the module.
        values: the names of values of the graph.
        by_impl: the names of buffers by their memory.
    """

    def __init__(self, traced: TracedProgram) -> None:
        module, graph = traced.module, traced.graph
        self.tensors: dict[str, Tensor] = {}
        self.constants: dict[str, Tensor] = {}
        self.inputs: list[InputSpec] = []
        self.by_impl: dict[int, str] = {}
        self._impls: dict[int, str] = {}
        for name, parameter in module.named_parameters(remove_duplicate=False):
            self._add("p", InputKind.PARAMETER, name, parameter)
        persistent = set(module.state_dict())
        for name, buffer in module.named_buffers(remove_duplicate=False):
            self._add("b", InputKind.BUFFER, name, buffer, name in persistent)
            self.by_impl.setdefault(id(buffer.impl), name)
        attributes = {
            id(value): f"{path}.{name}" if path else name
            for path, each in module.named_modules()
            for name, value in vars(each).items()
            if isinstance(value, Tensor)
        }
        for tensor, impl, _ in traced.captured._tensors:
            if id(impl) not in self._impls:
                name = attributes.get(id(tensor), f"lifted_tensor_{len(self.constants)}")
                self._add("c", InputKind.CONSTANT_TENSOR, name, tensor)
        for name, value in traced.inputs.leaves:
            arg = TensorArgument(name) if isinstance(value, Tensor) else ConstantArgument(name, value)
            self.inputs.append(InputSpec(InputKind.USER_INPUT, arg, None))
        self.values: dict[Value, str] = dict(zip(graph.inputs, traced.inputs.tensor_names))
        self.values |= {state.value: self._impls[id(state.impl)] for state in graph.states if id(state.impl) in self._impls}

    def _add(self, letter: str, kind: InputKind, name: str, tensor: Tensor, persistent: bool | None = None) -> None:
        own = f"{letter}_{name.replace('.', '_')}"
        (self.constants if kind is InputKind.CONSTANT_TENSOR else self.tensors)[name] = tensor
        self.inputs.append(InputSpec(kind, TensorArgument(own), name, persistent))
        self._impls.setdefault(id(tensor.impl), own)


def _outputs(traced: TracedProgram, text: GraphText, names: _StateNames) -> list[OutputSpec]:
    """What is written, and the results. One that is made of an output behind the run, such as a view, has a number as its name."""
    graph, captured = traced.graph, traced.captured
    found = [
        OutputSpec(OutputKind.BUFFER_MUTATION, TensorArgument(text.name(state.result)), names.by_impl[id(state.impl)])
        for state in graph.states
        if state.result is not state.value and id(state.impl) in names.by_impl
    ]
    inputs = traced.inputs.tensor_names
    written = graph.outputs[len(graph.outputs) - len(captured._overwritten) :]
    for value, position in zip(written, captured._overwritten):
        found.append(OutputSpec(OutputKind.USER_INPUT_MUTATION, TensorArgument(text.name(value)), inputs[position]))
    outputs = [_C.zeros(v.meta.shape, dtype=v.meta.dtype, device=v.meta.device) for v in captured.before.outputs]
    tensors = {id(tensor): text.name(value) for tensor, value in zip(outputs, graph.outputs)}
    given = traced.inputs.tensors
    tensors |= {id(tensor): name for tensor, name in zip(given, inputs)}
    tensors |= {id(given[position]): text.name(value) for value, position in zip(written, captured._overwritten)}
    tensors |= {id(tensor): f"p_{n}".replace(".", "_") for n, tensor in names.tensors.items() if isinstance(tensor, Parameter)}
    arguments = (traced.inputs.args, traced.inputs.kwargs)
    made = captured._make(Run(outputs, given, captured.numbers, arguments))
    for number, leaf in enumerate(_results(made, "output")):
        if isinstance(leaf.value, Tensor):
            name = tensors.get(id(leaf.value), f"output_{number}")
            found.append(OutputSpec(OutputKind.USER_OUTPUT, TensorArgument(name), None))
        else:
            found.append(OutputSpec(OutputKind.USER_OUTPUT, ConstantArgument("", leaf.value), None))
    return found


def _results(value: Any, name: str) -> Iterator[ArgumentLeaf]:
    parts = parts_of(value)
    if parts is None:
        yield ArgumentLeaf(name, value)
    for key, part in parts or ():
        yield from _results(part, f"{name}_{key}")
