"""Errors of compiling a Triton kernel, and of checked launches."""

from __future__ import annotations

from tritonflow.errors import CompileError


class SourceError(CompileError):
    """An error about one line of TTIR. Callers that know the line, or its source line, add it."""

    def __init__(self, what: str, line: int | None = None, text: str = "") -> None:
        super().__init__(what)
        self.what, self.line, self.text = what, line, text
        self.source = ""

    def about(self, line: int, text: str) -> None:
        """Add the operation that the error is about, if it has none."""
        if self.line is None:
            self.line, self.text = line, text

    def __str__(self) -> str:
        lines = [self.source] if self.source else []
        lines += [f"TTIR line {self.line}"] if self.line is not None else []
        where = f" ({'; '.join(lines)})" if lines else ""
        return f"{self.what}{where}" + (f"\n    {self.text.strip()[:200]}" if self.text else "")


class ParseError(SourceError):
    """TTIR text whose layout is not known."""


class UnsupportedError(SourceError):
    """An operation, type or form that the CPU lowering does not have."""

    def __init__(self, what: str, line: int | None = None, text: str = "") -> None:
        super().__init__(f"not supported by the CPU lowering: {what}", line, text)


class OutOfBoundsError(IndexError):
    """An access of a checked launch (`TRITONFLOW_CPU_CHECK`)
    outside of the memory of its tensors.
    """
