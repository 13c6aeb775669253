"""Samples for the registry-driven op tests: `samples_of(entry, dtype, rng)`.

An entry of `op_registry.yaml` names a generator under `samples:`, or a mapping `{kind: <generator>, <parameter>: [values]}` whose
values are passed as keywords in turn. Without one a pointwise op gets `real` or `pairs`, by its signature; an entry that
cannot be compared says why, and where it is tested instead: `{none: <reason>}`. Nothing goes untested by being forgotten.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy
import torch

from tests.op_samples import (
    creation,
    images,
    indexing,
    layers,
    linear,
    losses,
    neural,
    pointwise,
    reductions,
    statistics,
    views,
)
from tests.op_samples.maker import DTYPES, FLOATING, INTEGRAL, KINDS, LAYOUTS, Maker, Sample, describe, laid_out
from tritonflow.ops.registry import OPS
from tritonflow.registry.op_schema import TOLERANCE_CLASSES
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry

ROOT = Path(__file__).resolve().parents[2]


@lru_cache
def entries() -> dict[str, Entry]:
    """The registry and the functions that are no ops, by functional name."""
    return {entry.name: entry for entry in Project.read(ROOT).entries}


@lru_cache
def tested_entries() -> tuple[Entry, ...]:
    """The entries that Python users can call and that have samples."""
    return tuple(e for e in entries().values() if e.bind_python and kind_of(e))


def kind_of(entry: Entry) -> str | None:
    """The name of the entry's sample generator; None if it has none."""
    given = entry.samples
    if isinstance(given, dict):
        given = given.get("kind")
    if given is None and not reason_without(entry):
        given = _default(entry)
    return given if given in KINDS else None


def reason_without(entry: Entry) -> str:
    """Why the entry has no samples, and where it is tested instead; empty if it should have some."""
    return entry.samples.get("none", "") if isinstance(entry.samples, dict) else ""


def _default(entry: Entry) -> str | None:
    """By the signature of a pointwise op."""
    types = [p.type.name for p in entry.signatures[0].parameters if p.required]
    if entry.ops and all(op.kind == "pointwise" for op in entry.ops):
        if types[:1] == ["Tensor"] and "Tensor" not in types[1:]:
            return "real"
        if types == ["Tensor", "Tensor"]:
            return "pairs"
    return None


def tolerance_of(entry: Entry) -> str:
    """The class of `tritonflow.testing.TOLERANCES` that an entry's results are compared in: the widest of its ops'."""
    said = [entry.tolerance or "exact", *(OPS[op.name].tolerance for op in entry.ops)]
    return max(said, key=TOLERANCE_CLASSES.index)


def samples_of(
    entry: Entry, dtype: torch.dtype, rng: numpy.random.Generator, thorough: bool = True
) -> Iterator[Sample]:
    """The samples of an entry for one dtype."""
    name = kind_of(entry)
    assert name is not None, f"{entry.name} has no samples"
    options: dict[str, Any] = {**(entry.samples if isinstance(entry.samples, dict) else {}), "kind": name}
    yield from KINDS[name](Maker(dtype, rng, thorough), entry, options)


@lru_cache
def with_ops() -> frozenset[str]:
    """Tested entries with ops of their own: the others are put together from these, and the ordinary run has fewer tests of them."""
    return frozenset(entry.name for entry in tested_entries() if entry.ops)


def thinned(samples: list[Sample], count: int) -> list[Sample]:
    """At most about `count` samples: one of every label, then others spread evenly."""
    if len(samples) <= count:
        return samples
    first = {sample.label: k for k, sample in reversed(list(enumerate(samples)))}
    kept = set(first.values())
    others = [k for k in range(len(samples)) if k not in kept]
    room = max(count - len(kept), 0)
    kept.update(others[k * len(others) // room] for k in range(room))
    return [samples[k] for k in sorted(kept)]


__all__ = [
    "DTYPES", "FLOATING", "INTEGRAL", "KINDS", "LAYOUTS", "Maker", "Sample", "creation", "describe", "entries", "images", "indexing",
    "kind_of", "laid_out", "layers", "linear", "losses", "neural", "pointwise", "reason_without", "reductions", "samples_of", "statistics",
    "tested_entries", "thinned", "tolerance_of", "views", "with_ops",
]  # fmt: skip
