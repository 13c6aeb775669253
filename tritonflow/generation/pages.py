"""The keys and values of all layers, in pages that sequences take, share and give back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from tritonflow import _C
from tritonflow.binding.annotations import DeviceLike
from tritonflow.dtypes import DType, float32
from tritonflow.errors import ArgumentTypeError, ArgumentValueError
from tritonflow.framework.tensor import Tensor


class _Known(NamedTuple):
    """A page whose tokens are known.

    Attributes:
        page: its number.
        prefix: a number for its tokens and all before them.
    """

    page: int
    prefix: int


class PagedCache:
    """Keys and values of all layers in pages of several tokens each.

    A sequence holds a list of pages. Its token number i lies in row `i % page_size` of page `pages[i // page_size]`, in each
    layer. Which pages are free is known on the host.

    Sequences that begin with the same tokens may hold the same pages. A page is free when nobody holds it. Its tokens stay known
    until it is taken for others. Only whole pages are shared, and these are never written again.

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
        self._free = dict.fromkeys(range(pages))  # in the order in which they are taken
        self._holders = [0] * pages
        self._known: dict[tuple[int, tuple[int, ...]], _Known] = {}  # by the prefix before a page, and its tokens
        self._key_of: dict[int, tuple[int, tuple[int, ...]]] = {}
        self._coming: set[int] = set()  # known pages that are not computed yet
        self._prefixes = 0

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
        for _ in range(missing):
            page = next(iter(self._free))
            del self._free[page]
            self._forget(page)
            self._holders[page] = 1
            pages.append(page)
        return True

    def release(self, pages: list[int]) -> None:
        """Take back the pages of a sequence, whose list is empty then. The last of them are taken anew first."""
        for page in reversed(pages):
            self._holders[page] -= 1
            if not self._holders[page]:
                self._free[page] = None
                if page in self._coming:
                    self._forget(page)
        pages.clear()

    def row_of(self, pages: list[int], index: int) -> int:
        """In which row of all pages the token with this number lies."""
        return pages[index // self.page_size] * self.page_size + index % self.page_size

    # -------------------------------------------------------------------------------------------------------- prefixes

    def new_root(self) -> int:
        """A number for the empty prefix: pages are shared below one root only, that of a model and its weights."""
        self._prefixes += 1
        return self._prefixes

    def shared(self, root: int, tokens: Sequence[int]) -> list[int] | None:
        """Pages that hold the first of these tokens, but never the last one; the caller holds them from now on.

        Returns:
            None if one of them is about to be computed for another sequence.
        """
        found, prefix = list[int](), root
        for start in range(0, (len(tokens) - 1) // self.page_size * self.page_size, self.page_size):
            known = self._known.get((prefix, tuple(tokens[start : start + self.page_size])))
            if known is None:
                break
            if known.page in self._coming:
                return None
            found.append(known.page)
            prefix = known.prefix
        for page in found:
            self._free.pop(page, None)
            self._holders[page] += 1
        return found

    def note(self, root: int, pages: Sequence[int], tokens: Sequence[int], computed: int) -> None:
        """Note what a sequence's whole pages hold, so that others can share them. Of these tokens so many are computed."""
        prefix = root
        for index in range(len(tokens) // self.page_size):
            page = pages[index]
            key = (prefix, tuple(tokens[index * self.page_size : (index + 1) * self.page_size]))
            known = self._known.get(key)
            if known is None:
                self._prefixes += 1
                known = self._known[key] = _Known(page, self._prefixes)
                self._key_of[page] = key
                self._coming.add(page)
            if known.page == page and (index + 1) * self.page_size <= computed:
                self._coming.discard(page)
            prefix = known.prefix

    def _forget(self, page: int) -> None:
        key = self._key_of.pop(page, None)
        if key is not None:
            del self._known[key]
            self._coming.discard(page)
