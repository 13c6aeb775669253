"""The keys and values of all layers, in pages that sequences take and give back."""

from __future__ import annotations

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType, float32
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.tensor import Tensor


class PagedCache:
    """Keys and values of all layers in pages of several tokens each.

    A sequence holds a list of pages. Its token number i lies in row `i % page_size` of page `pages[i // page_size]`, in each
    layer. Which pages are free is known on the host.

    Args:
        layers: of the model, that have attention.
        heads: of keys and values.
        size: of a head.
        pages: how many there are, for all sequences together.
        page_size: tokens of a page; best a power of two.
        dtype: of keys and values; float32 unless given.
        device: where they lie.

    Attributes:
        keys, values: for each layer a tensor, (pages, page_size, heads, size).
        free_pages: how many pages no sequence holds.

    Raises:
        ValueError: a number below 1.

    Source: Kwon et al., Efficient memory management for large language model serving with PagedAttention, 2023.

    Example:
        >>> import tritonflow as flow
        >>> cache = flow.generation.PagedCache(layers=2, heads=2, size=64, pages=8, page_size=16)
        >>> pages = []
        >>> cache.grow(pages, 20), len(pages), cache.free_pages
        (True, 2, 6)
        >>> cache.release(pages)
        >>> cache.free_pages
        8
    """

    def __init__(
        self, layers: int, heads: int, size: int, pages: int, page_size: int = 16, *, dtype: DType | None = None,
        device: DeviceLike | None = None,
    ) -> None:  # fmt: skip
        given = {"layers": layers, "heads": heads, "size": size, "pages": pages, "page_size": page_size}
        for name, number in given.items():
            if isinstance(number, bool) or not isinstance(number, int):
                raise ArgumentTypeError(f"PagedCache: {name} must be an int, not {type(number).__name__}")
            if number < 1:
                raise ArgumentValueError(f"PagedCache: {name} must be at least 1, not {number}")
        self.pages, self.page_size = pages, page_size
        shape = (pages, page_size, heads, size)
        dtype = dtype or float32
        self.keys: list[Tensor] = [_C.zeros(shape, dtype=dtype, device=device) for _ in range(layers)]
        self.values: list[Tensor] = [_C.zeros(shape, dtype=dtype, device=device) for _ in range(layers)]
        self._free = list(range(pages))[::-1]

    @property
    def free_pages(self) -> int:
        """How many pages no sequence holds."""
        return len(self._free)

    def pages_of(self, length: int) -> int:
        """How many pages so many tokens take."""
        return -(-length // self.page_size)

    def grow(self, pages: list[int], length: int) -> bool:
        """Append free pages to those of a sequence, until they hold so many tokens.

        Returns:
            Whether there were enough. If not, nothing has changed.
        """
        missing = self.pages_of(length) - len(pages)
        if missing > len(self._free):
            return False
        if missing > 0:
            pages += [self._free.pop() for _ in range(missing)]
        return True

    def release(self, pages: list[int]) -> None:
        """Take back the pages of a sequence, whose list is empty then."""
        self._free += pages[::-1]
        pages.clear()

    def row_of(self, pages: list[int], index: int) -> int:
        """In which row of all pages the token with this number lies."""
        return pages[index // self.page_size] * self.page_size + index % self.page_size
