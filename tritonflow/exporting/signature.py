"""What the inputs and outputs of an exported program are, under torch.export's names."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any


class InputKind(Enum):
    """What an input is."""

    USER_INPUT = auto()
    PARAMETER = auto()
    BUFFER = auto()
    CONSTANT_TENSOR = auto()


class OutputKind(Enum):
    """What an output is: a result, or what a buffer or an argument is behind the run."""

    USER_OUTPUT = auto()
    BUFFER_MUTATION = auto()
    USER_INPUT_MUTATION = auto()


@dataclass(frozen=True)
class TensorArgument:
    """A tensor of the program.

    Attributes:
        name: what the program calls it.
    """

    name: str


@dataclass(frozen=True)
class ConstantArgument:
    """A value that is part of the program.

    Attributes:
        name: what the program calls it; empty for a result.
        value: it.
    """

    name: str
    value: Any


@dataclass(frozen=True)
class InputSpec:
    """An input.

    Attributes:
        kind: what it is.
        arg: its name.
        target: of what is no argument, the name in the module.
        persistent: of a buffer, whether `state_dict` has it.
    """

    kind: InputKind
    arg: TensorArgument | ConstantArgument
    target: str | None
    persistent: bool | None = None

    def __str__(self) -> str:
        target = "" if self.target is None else f" target={self.target!r}"
        return f"{self.arg.name}: {self.kind.name}{target}{'' if self.persistent is None else f' persistent={self.persistent}'}"


@dataclass(frozen=True)
class OutputSpec:
    """An output.

    Attributes:
        kind: what it is.
        arg: its name.
        target: the buffer or argument whose new value it is.
    """

    kind: OutputKind
    arg: TensorArgument | ConstantArgument
    target: str | None

    def __str__(self) -> str:
        return f"{self.arg.name}: {self.kind.name}{'' if self.target is None else f' target={self.target!r}'}"


def _name(arg: TensorArgument | ConstantArgument) -> Any:
    return arg.name if isinstance(arg, TensorArgument) else arg.value


@dataclass(frozen=True)
class ExportGraphSignature:
    """The inputs and outputs of a program. It is functional: what it writes into buffers and arguments are outputs.

    Attributes:
        input_specs: parameters, buffers, constants, and arguments.
        output_specs: buffers and arguments that are written, and results.

    Source: torch.export.ExportGraphSignature.

    Example:
        >>> import tritonflow as flow
        >>> from tritonflow.exporting import export_program
        >>> print(export_program(flow.nn.Linear(2, 3), (flow.ones(4, 2),)).graph_signature)
        # inputs
        p_weight: PARAMETER target='weight'
        p_bias: PARAMETER target='bias'
        input: USER_INPUT
        <BLANKLINE>
        # outputs
        %5: USER_OUTPUT
    """

    input_specs: list[InputSpec]
    output_specs: list[OutputSpec]

    def _inputs(self, kind: InputKind) -> Iterator[InputSpec]:
        return iter([spec for spec in self.input_specs if spec.kind is kind])

    def _mutations(self, kind: OutputKind) -> dict[str, str]:
        return {spec.arg.name: spec.target for spec in self.output_specs if spec.kind is kind and spec.target is not None}

    def _inputs_to(self, kind: InputKind) -> dict[str, str]:
        return {spec.arg.name: spec.target for spec in self._inputs(kind) if spec.target is not None}

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters in the module."""
        return tuple(self.inputs_to_parameters.values())

    @property
    def buffers(self) -> tuple[str, ...]:
        """Names of the buffers in the module."""
        return tuple(self.inputs_to_buffers.values())

    @property
    def non_persistent_buffers(self) -> tuple[str, ...]:
        """Those that `state_dict` does not have."""
        return tuple([str(spec.target) for spec in self._inputs(InputKind.BUFFER) if not spec.persistent])

    @property
    def lifted_tensor_constants(self) -> tuple[str, ...]:
        """Names of tensors that are neither."""
        return tuple(self.inputs_to_lifted_tensor_constants.values())

    @property
    def user_inputs(self) -> tuple[Any, ...]:
        """Names of the arguments; of one that is no tensor, its value."""
        return tuple([_name(spec.arg) for spec in self._inputs(InputKind.USER_INPUT)])

    @property
    def user_outputs(self) -> tuple[Any, ...]:
        """Names of the results; of one that is no tensor, its value."""
        return tuple([_name(spec.arg) for spec in self.output_specs if spec.kind is OutputKind.USER_OUTPUT])

    @property
    def inputs_to_parameters(self) -> dict[str, str]:
        """By the program's names those of the module."""
        return self._inputs_to(InputKind.PARAMETER)

    @property
    def inputs_to_buffers(self) -> dict[str, str]:
        """By the program's names those of the module."""
        return self._inputs_to(InputKind.BUFFER)

    @property
    def inputs_to_lifted_tensor_constants(self) -> dict[str, str]:
        """By the program's names those of the module."""
        return self._inputs_to(InputKind.CONSTANT_TENSOR)

    @property
    def buffers_to_mutate(self) -> dict[str, str]:
        """By the names of outputs the buffers that they are behind the run."""
        return self._mutations(OutputKind.BUFFER_MUTATION)

    @property
    def user_inputs_to_mutate(self) -> dict[str, str]:
        """By the names of outputs the arguments that they are behind the run."""
        return self._mutations(OutputKind.USER_INPUT_MUTATION)

    def __str__(self) -> str:
        inputs, outputs = ("\n".join(map(str, specs)) for specs in (self.input_specs, self.output_specs))
        return f"# inputs\n{inputs}\n\n# outputs\n{outputs}"
