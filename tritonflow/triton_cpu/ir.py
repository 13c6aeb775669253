"""The operations of a kernel as a tree: functions, blocks, operations, values."""

from __future__ import annotations

from dataclasses import dataclass, field

from .locations import Locations
from .types import Type


@dataclass(eq=False, slots=True)
class Value:
    """An SSA value: the result `index` of `op`, or a block argument when `op` is None."""

    name: str
    type: Type
    block: Block
    op: Op | None = None
    index: int = 0
    users: list[Op] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"{self.name}: {self.type}"


@dataclass(eq=False, slots=True)
class Successor:
    """A jump to a block of the function, with the values for its arguments."""

    label: str
    operands: list[Value]


@dataclass(eq=False, slots=True)
class Op:
    name: str
    block: Block
    line: int  # of the TTIR
    text: str
    operands: list[Value] = field(default_factory=list)
    results: list[Value] = field(default_factory=list)
    attrs: dict[str, str] = field(default_factory=dict)
    regions: list[Block] = field(default_factory=list)
    successors: list[Successor] = field(default_factory=list)
    source: str = ""  # 'kernel.py:12', if Triton says

    @property
    def result(self) -> Value:
        return self.results[0]

    def __repr__(self) -> str:
        return f"{self.results} = {self.name} {self.operands}"


@dataclass(eq=False, slots=True)
class Block:
    label: str = ""
    args: list[Value] = field(default_factory=list)
    ops: list[Op] = field(default_factory=list)
    parent: Block | None = None

    @property
    def terminator(self) -> Op:
        return self.ops[-1]


@dataclass(eq=False, slots=True)
class Function:
    name: str
    public: bool
    blocks: list[Block]
    text: list[tuple[int, str]]
    locations: Locations

    @property
    def args(self) -> list[Value]:
        return self.blocks[0].args
