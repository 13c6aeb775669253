"""`safetensors.safe_open` for foreign modules: what it reads are tritonflow's tensors."""

from __future__ import annotations

import os
from types import TracebackType
from typing import Any

import safetensors

from tritonflow.binding import data_exchange


class _Slice:
    """A tensor of a file, of which a part can be read."""

    def __init__(self, behind: Any, device: Any) -> None:
        self._behind, self._device = behind, device

    def get_shape(self) -> list[int]:
        """The sizes of the whole tensor."""
        return list(self._behind.get_shape())

    def get_dtype(self) -> str:
        """The dtype as the file names it, such as "F32"."""
        return str(self._behind.get_dtype())

    def __getitem__(self, index: Any) -> Any:
        return _ours(self._behind[index], self._device)


class SafeOpen:
    """A safetensors file, opened for reading tensors of tritonflow.

    Args:
        filename: the file.
        framework: "pt" or "np"; the latter gives arrays.
        device: where tensors go.
        options: as of safetensors.

    Source: safetensors.safe_open.
    """

    def __init__(
        self, filename: str | os.PathLike[str], framework: str = "pt", device: Any = "cpu", **options: Any
    ) -> None:
        self._arrays = framework in ("np", "numpy")
        self._device = device
        self._file = safetensors.safe_open(filename, framework=framework, **options)

    def __enter__(self) -> SafeOpen:
        self._file.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._file.__exit__(kind, error, traceback)

    def keys(self) -> list[str]:
        """The names of the tensors."""
        return list(self._file.keys())

    def offset_keys(self) -> list[str]:
        """The names of the tensors, as they lie in the file."""
        return list(self._file.offset_keys())

    def metadata(self) -> dict[str, str] | None:
        """What the file says of itself."""
        return self._file.metadata()  # type: ignore[no-any-return]

    def get_tensor(self, name: str) -> Any:
        """A tensor by its name."""
        value = self._file.get_tensor(name)
        return value if self._arrays else _ours(value, self._device)

    def get_tensors(self) -> dict[str, Any]:
        """All tensors by their names."""
        values = self._file.get_tensors()
        return values if self._arrays else {name: _ours(value, self._device) for name, value in values.items()}

    def get_slice(self, name: str) -> Any:
        """A tensor of which parts can be read."""
        value = self._file.get_slice(name)
        return value if self._arrays else _Slice(value, self._device)


def _ours(tensor: Any, device: Any) -> Any:
    made = data_exchange.from_torch(tensor.contiguous())
    return made if str(device) == "cpu" else made.to(device)
