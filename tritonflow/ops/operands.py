"""Launch operands: the leading arguments of a kernel, which each run of a plan gives anew.

A planner says what they are. `Plan.prepare` asks each, once, for its type in the kernel's signature and for its position
among what a run is given: the addresses of inputs, outputs and workspaces, then the dynamic scalars.
"""

from __future__ import annotations

from abc import ABC, ABCMeta, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple, Protocol, TypeAlias, TypeVar, Union

from tritonflow.dtypes import DType, float8_e4m3fn, float8_e5m2
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.meta import TensorMeta

NOT_GIVEN = -1  # the position of the error word, which a run of a plan is not given


class Counts(NamedTuple):
    """How many inputs, outputs and workspaces a plan has."""

    inputs: int
    outputs: int
    workspaces: int


class PlanMemory(Protocol):
    """What operands refer to: the memory of a plan."""

    inputs: tuple[TensorMeta | None, ...]
    outputs: tuple[TensorMeta, ...]
    workspaces: tuple[tuple[int, DType], ...]


class LaunchOperand(ABC):
    """Base of operands.

    Attributes:
        offset: bytes to add to an address.
    """

    __slots__ = ()

    offset: int = 0

    @abstractmethod
    def argument_type(self, plan: PlanMemory) -> str:
        """The type of the argument in the kernel's signature, as Triton spells it."""

    @abstractmethod
    def is_aligned(self, plan: PlanMemory) -> bool:
        """Whether the argument is an address known to be divisible by 16."""

    @abstractmethod
    def position(self, counts: Counts) -> int:
        """Where the argument stands among what a run of the plan is given."""


Operands: TypeAlias = Union[LaunchOperand, None, "tuple[Operands, ...]"]
"""An operand, None for an absent one (a constexpr None in the kernel), or several, where a kernel takes a tuple."""


_interned: dict[tuple[Any, ...], Any] = {}


class Interned(ABCMeta):
    """Classes of which equal objects are one object, as metas are: launches are compared and found by identity."""

    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args, *map(type, args))  # 1.0 equals 1, and is no number of an operand
        made = _interned.get(key)
        if made is None:
            made = _interned.setdefault(key, super().__call__(*args))  # one, too, where several threads miss it
        return made


_Address = TypeVar("_Address", bound="Address")


@dataclass(frozen=True, eq=False, slots=True)
class Address(LaunchOperand, metaclass=Interned):
    """Base of the addresses of a plan's memory: of its first byte.

    Attributes:
        number: of the input, output or workspace.

    Raises:
        ArgumentTypeError, ArgumentValueError: it is no integer, or negative.
    """

    number: int

    def __post_init__(self) -> None:
        _check(self.number, f"{self.__class__.__name__}'s number")

    @classmethod
    def several(cls: type[_Address], count: int, first: int = 0) -> tuple[_Address, ...]:
        """`count` operands, with the numbers from `first` on."""
        return _several(cls, count, first)

    def plus(self, offset: int) -> LaunchOperand:
        """The address so many bytes further."""
        return OffsetAddress(self, offset) if offset else self


def _check(number: int, what: str) -> None:
    if number.__class__ is not int:
        raise ArgumentTypeError(f"{what} must be an integer, not {number!r}")
    if number < 0:
        raise ArgumentValueError(f"{what} must not be negative, as {number} is")


@lru_cache(maxsize=1024)
def _several(kind: type[_Address], count: int, first: int) -> tuple[_Address, ...]:
    return tuple([kind(number) for number in range(first, first + count)])


class Input(Address):
    """The address of an input.

    Example:
        >>> Input(1), Input(0).plus(64)
        (Input(number=1), OffsetAddress(address=Input(number=0), offset=64))
    """

    __slots__ = ()

    def argument_type(self, plan: PlanMemory) -> str:
        meta = plan.inputs[self.number]
        if meta is None:
            raise ArgumentValueError(f"{self} is absent: its operand is None")
        return "*" + meta.dtype.triton

    def is_aligned(self, plan: PlanMemory) -> bool:
        meta = plan.inputs[self.number]
        return meta is not None and meta.aligned

    def position(self, counts: Counts) -> int:
        return self.number


class Float8Input(Input):
    """The address of an input of float8, for a kernel whose matrix units multiply it; others read bytes.

    Example:
        >>> Float8Input(1)
        Float8Input(number=1)
    """

    __slots__ = ()

    def argument_type(self, plan: PlanMemory) -> str:
        meta = plan.inputs[self.number]
        assert meta is not None
        return _FLOAT8[meta.dtype]


_FLOAT8 = {float8_e4m3fn: "*fp8e4nv", float8_e5m2: "*fp8e5"}


class Output(Address):
    """The address of an output."""

    __slots__ = ()

    def argument_type(self, plan: PlanMemory) -> str:
        return "*" + plan.outputs[self.number].dtype.triton

    def is_aligned(self, plan: PlanMemory) -> bool:
        return plan.outputs[self.number].aligned

    def position(self, counts: Counts) -> int:
        return counts.inputs + self.number


class Workspace(Address):
    """The address of a workspace."""

    __slots__ = ()

    def argument_type(self, plan: PlanMemory) -> str:
        _, dtype = plan.workspaces[self.number]
        return "*" + dtype.triton

    def is_aligned(self, plan: PlanMemory) -> bool:
        return True

    def position(self, counts: Counts) -> int:
        return counts.inputs + counts.outputs + self.number


@dataclass(frozen=True, slots=True)
class OffsetAddress(LaunchOperand):
    """So many bytes behind the beginning of an input, output or workspace.

    Raises:
        ArgumentTypeError, ArgumentValueError: the offset is no integer, or negative.
    """

    address: Address
    offset: int

    def __post_init__(self) -> None:
        _check(self.offset, "an address's offset")

    def argument_type(self, plan: PlanMemory) -> str:
        return self.address.argument_type(plan)

    def is_aligned(self, plan: PlanMemory) -> bool:
        return self.offset % 16 == 0 and self.address.is_aligned(plan)

    def position(self, counts: Counts) -> int:
        return self.address.position(counts)


@dataclass(frozen=True, eq=False, slots=True)
class Scalar(LaunchOperand, metaclass=Interned):
    """A dynamic scalar.

    Attributes:
        number: among the dynamic scalars of the op.
        dtype: in which the kernel gets it.

    Raises:
        ArgumentTypeError, ArgumentValueError: the number is no integer, or negative; the dtype is none.
    """

    number: int
    dtype: DType

    def __post_init__(self) -> None:
        _check(self.number, "Scalar's number")
        if not isinstance(self.dtype, DType):
            raise ArgumentTypeError(f"Scalar's dtype must be a dtype, not {self.dtype!r}")

    @staticmethod
    def several(count: int, dtype: DType) -> tuple[Scalar, ...]:
        """The first `count` dynamic scalars, all in one dtype."""
        return _scalars(count, dtype)

    def argument_type(self, plan: PlanMemory) -> str:
        return self.dtype.triton

    def is_aligned(self, plan: PlanMemory) -> bool:
        return False

    def position(self, counts: Counts) -> int:
        return counts.inputs + counts.outputs + counts.workspaces + self.number


@lru_cache(maxsize=1024)
def _scalars(count: int, dtype: DType) -> tuple[Scalar, ...]:
    return tuple([Scalar(number, dtype) for number in range(count)])


@dataclass(frozen=True, eq=False, slots=True)
class ErrorWordAddress(LaunchOperand, metaclass=Interned):
    """The address of the device's error word."""

    def argument_type(self, plan: PlanMemory) -> str:
        return "*i32"

    def is_aligned(self, plan: PlanMemory) -> bool:
        return False

    def position(self, counts: Counts) -> int:
        return NOT_GIVEN


ERROR_WORD = ErrorWordAddress()


def optional(meta: TensorMeta | None, operand: LaunchOperand) -> tuple[LaunchOperand, ...]:
    """The operand of an optional input, for a kernel that takes a tuple of none or one."""
    return () if meta is None else (operand,)


def flatten(operands: Iterable[Operands]) -> list[LaunchOperand]:
    """The operands that are there, in the order in which a kernel takes them."""
    found: list[LaunchOperand] = []
    for operand in operands:
        if isinstance(operand, tuple):
            found += flatten(operand)
        elif operand is not None:
            found.append(operand)
    return found


class Argument(NamedTuple):
    """An argument of a launch: its position among what a run of the plan is given, or NOT_GIVEN, and bytes to add."""

    position: int
    offset: int


def resolve(operands: Sequence[Operands], counts: Counts) -> list[Argument]:
    """The arguments that a plan with so many inputs, outputs and workspaces passes for operands."""
    return [Argument(operand.position(counts), operand.offset) for operand in flatten(operands)]
