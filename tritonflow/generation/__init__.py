"""Programs that generate text: the loop that serves a model, its cache in pages, and the next tokens of a batch.

`Engine` serves requests, `PagedCache` holds keys and values, `PackedTokens` is what a model finds them by. `sample_tokens` draws
the next token of each row of a batch.
"""

from typing import TYPE_CHECKING as _TYPE_CHECKING

from tritonflow.first_use import at_first_use as _at_first_use
from tritonflow.generation.sampling import sample_tokens

if _TYPE_CHECKING:
    from tritonflow.generation.engine import Engine
    from tritonflow.generation.packed import PackedTokens
    from tritonflow.generation.pages import PagedCache
    from tritonflow.generation.request import Request, TokenLogprobs

_AT_FIRST_USE = {
    "Engine": "generation.engine.Engine",
    "PackedTokens": "generation.packed.PackedTokens",
    "PagedCache": "generation.pages.PagedCache",
    "Request": "generation.request.Request",
    "TokenLogprobs": "generation.request.TokenLogprobs",
}

__getattr__ = _at_first_use(__name__, _AT_FIRST_USE)


def __dir__() -> list[str]:
    return sorted({*globals(), *_AT_FIRST_USE})


__all__ = ["Engine", "PackedTokens", "PagedCache", "Request", "TokenLogprobs", "sample_tokens"]
