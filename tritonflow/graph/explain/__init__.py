"""What a graph runs: a table and a page of its kernels, with bytes, operations, times, and how near they come to the roof."""

from tritonflow.graph.explain.explanation import Explanation, explain
from tritonflow.graph.explain.report import KernelRow, Totals

__all__ = ["Explanation", "KernelRow", "Totals", "explain"]
