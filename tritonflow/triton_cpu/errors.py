"""What can go wrong between a Triton kernel and machine code."""

from __future__ import annotations


class CompileError(Exception):
    """A kernel that cannot be compiled for the host."""


class ParseError(CompileError):
    """TTIR text whose layout is not known."""

    def __init__(self, line: int, text: str, reason: str) -> None:
        super().__init__(f"TTIR line {line}: {reason}\n    {text.strip()[:200]}")
        self.line = line


class UnsupportedError(CompileError):
    """An operation, type or form that the CPU lowering does not have."""

    def __init__(self, what: str, line: int | None = None, text: str = "") -> None:
        where = f" (TTIR line {line})" if line is not None else ""
        shown = f"\n    {text.strip()[:200]}" if text else ""
        super().__init__(f"not supported by the CPU lowering: {what}{where}{shown}")
        self.line = line
