"""The meta cache: what planners inferred of the metas of ops' results, on disk for the next process that captures the same program.

A capture asks a planner for each op; planners import the kernels of their families, and these import Triton. The key of an
answer is everything that it depends on. So a file that another program wrote under the same name has fewer answers, but none is
wrong.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tritonflow import disk_cache, versions
from tritonflow.device.device import Device
from tritonflow.dtypes import from_name, get_default_dtype
from tritonflow.execution.lazy import infer
from tritonflow.execution.op_expr import OpExpr
from tritonflow.framework.meta import TensorMeta
from tritonflow.graph.capture.sized_metas import SizedQuestion, integers_of, written
from tritonflow.graph.ir.canonical import NotCanonicalError, fields_of, name_of, text_of
from tritonflow.settings import settings

_KIND = "inferred"
_MOST = 10_000  # answers in a file; where there are more, those that this program did not use are dropped
Metas = tuple[TensorMeta | None, ...]


class MetaCache:
    """Metas of ops' results: from the file, or from the ops' planners.

    Args:
        name, metas: of a program and of its inputs, by which the file is found.
    """

    def __init__(self, name: str, metas: Iterable[TensorMeta]) -> None:
        self._known: dict[Any, Metas] = {}
        self._used: dict[Any, Metas] = {}
        self._sized: dict[str, Any] = {}  # answers with symbolic sizes, as they are written, by the texts of questions
        self._key: str | None = None
        self._complete = True  # whether the file has all of them
        if settings.keep_plans:
            text = json.dumps([versions.fingerprint(), name, [fields_of(meta) for meta in metas]])
            self._key = hashlib.sha256(text.encode()).hexdigest()
            data = disk_cache.read(_KIND, self._key)
            if data is not None:
                self._known, self._sized = _parsed(data)

    def __call__(
        self, op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None
    ) -> Metas:
        """The metas of an op's results.

        Raises:
            RuntimeError: a shape depends on data; or whatever the op has against these inputs.
        """
        try:
            what = [name_of(op), text_of(attrs), [kind.__name__ for kind in kinds], get_default_dtype().name]
        except NotCanonicalError:
            return infer(op, metas, attrs, kinds, over)
        key = (json.dumps(what), metas, over)
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = infer(op, metas, attrs, kinds, over)
            self._complete = False
        self._used[key] = found
        return found

    def sized(
        self, op: OpExpr, metas: Metas, attrs: tuple[Any, ...], kinds: tuple[type, ...], over: TensorMeta | None
    ) -> Metas:
        """The metas of an op's results, where sizes may be symbolic; the planner's questions about them are not asked here.

        Raises:
            RuntimeError: a shape depends on data; or whatever the op has against these inputs.
        """
        integers = integers_of((*metas, over), attrs)
        if not integers:
            return self(op, metas, attrs, kinds, over)
        try:
            what = [name_of(op), text_of(attrs), [kind.__name__ for kind in kinds], get_default_dtype().name]
            question = SizedQuestion(integers, json.dumps(what), (*metas, over))
        except NotCanonicalError:
            return infer(op, metas, attrs, kinds, over)
        answer = self._sized.get(question.text)
        found = None if answer is None else question.metas(answer)
        if found is None:
            found = infer(op, metas, attrs, kinds, over)
            self._sized[question.text] = written(found)
            self._complete = False
        return found

    def store(self) -> None:
        """Write the file, if it lacks something."""
        if self._key is not None and not self._complete:
            self._complete = True
            known = self._known if len(self._known) <= _MOST else self._used
            sized = self._sized if len(self._sized) <= _MOST else {}
            disk_cache.write(_KIND, self._key, _text(known, sized))


def _text(known: dict[Any, Metas], sized: dict[str, Any]) -> bytes:
    table: dict[TensorMeta | None, int] = {None: 0}

    def numbers(metas: Metas) -> list[int]:
        return [table.setdefault(meta, len(table)) for meta in metas]

    rows = [[what, numbers(metas), *numbers((over,)), numbers(made)] for (what, metas, over), made in known.items()]
    return json.dumps([[fields_of(meta) for meta in table if meta is not None], rows, sized]).encode()


def _parsed(data: bytes) -> tuple[dict[Any, Metas], dict[str, Any]]:
    fields, rows, sized = json.loads(data)
    table = [None, *[_meta(*each) for each in fields]]

    def metas(numbers: list[int]) -> Metas:
        return tuple([table[number] for number in numbers])

    return {(what, metas(given), table[over]): metas(made) for what, given, over, made in rows}, sized


def _meta(shape: list[int], stride: list[int], dtype: str, device: str, aligned: bool) -> TensorMeta:
    return TensorMeta.get(tuple(shape), tuple(stride), from_name(dtype), Device(device), aligned)
