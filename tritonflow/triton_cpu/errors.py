"""What can go wrong between a Triton kernel and machine code, and in a launch whose memory accesses are checked."""

from __future__ import annotations

from tritonflow.errors import CompileError


class SourceError(CompileError):
    """An error about one line of TTIR; whoever knows fills in the line, and where in the kernel's source it comes from."""

    def __init__(self, what: str, line: int | None = None, text: str = "") -> None:
        super().__init__(what)
        self.what, self.line, self.text = what, line, text
        self.source = ""

    def about(self, line: int, text: str) -> None:
        """It is about this operation, unless it says already which one."""
        if self.line is None:
            self.line, self.text = line, text

    def __str__(self) -> str:
        places = [self.source] if self.source else []
        places += [f"TTIR line {self.line}"] if self.line is not None else []
        where = f" ({'; '.join(places)})" if places else ""
        return f"{self.what}{where}" + (f"\n    {self.text.strip()[:200]}" if self.text else "")


class ParseError(SourceError):
    """TTIR text whose layout is not known."""


class UnsupportedError(SourceError):
    """An operation, type or form that the CPU lowering does not have."""

    def __init__(self, what: str, line: int | None = None, text: str = "") -> None:
        super().__init__(f"not supported by the CPU lowering: {what}", line, text)


class OutOfBoundsError(IndexError):
    """A load, store or atomic of a checked launch (`TRITONFLOW_CPU_CHECK`) outside of the memory of its tensors."""
