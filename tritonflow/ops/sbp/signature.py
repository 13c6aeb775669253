"""Signatures: with which sbp of its inputs an op gives which sbp of its outputs, over one dimension of a placement.

A rule says them of an op. Over a placement with several dimensions an op has any one of them for each dimension.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import product
from typing import Any, NamedTuple

from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.sbp import NdSbp, Sbp, broadcast
from tritonflow.framework.shards import Box
from tritonflow.ops.op_def import OpDef
from tritonflow.ops.rule import find_rule

Metas = tuple[TensorMeta | None, ...]


class SbpSignature(NamedTuple):
    """One possibility, over one dimension of a placement.

    Attributes:
        inputs: the sbp of each input, None for an absent one; as many as there are tensors.
        outputs: the sbp of each output.
        even: all ranks that split by this signature divide this number, so that their pieces are equally large; 0: any number.
        full: whether no rank's piece may be empty, as of inputs whose maxima become partial.
        decomposed: whether the op is put together from the ops of its decomposition, whose outputs need not lie as `outputs` says.
    """

    inputs: tuple[Sbp | None, ...]
    outputs: tuple[Sbp, ...]
    even: int = 0
    full: bool = False
    decomposed: bool = False


class NdSignature(NamedTuple):
    """A signature for every dimension of a placement: an nd-sbp for each tensor."""

    inputs: tuple[NdSbp | None, ...]
    outputs: tuple[NdSbp, ...]
    decomposed: bool


class Local(NamedTuple):
    """The op that a rank runs on its shards.

    Attributes:
        attrs: its static attributes.
        dynamic: its dynamic scalars. It is the very tuple of the logical op where the shard changes none of them.
        more: dynamic scalars behind those. They depend on nothing but the shard.
    """

    attrs: tuple[Any, ...]
    dynamic: tuple[Any, ...]
    more: tuple[Any, ...] = ()


class Shards(NamedTuple):
    """What a rank has when it runs an op.

    Attributes:
        metas: the logical metas of the inputs.
        inputs: the box of each input, None for an absent one.
        outputs: the box of each output.
        signature: by which the op was placed.
        coordinate: the rank's coordinate in the placement.
    """

    metas: Metas
    inputs: tuple[Box | None, ...]
    outputs: tuple[Box, ...]
    signature: NdSignature
    coordinate: tuple[int, ...]


Rule = Callable[[OpDef, Metas, tuple[Any, ...]], Sequence[SbpSignature]]
Localizer = Callable[[OpDef, tuple[Any, ...], tuple[Any, ...], Shards], Local]

_localizers: dict[str, Localizer] = {}  # by the name of their rule, "file.function"


def localizer(rule: Rule) -> Callable[[Localizer], Localizer]:
    """Register what makes the local attributes and dynamic scalars of ops with this rule; without one they are the logical ones."""

    def register(function: Localizer) -> Localizer:
        _localizers[f"{rule.__module__.rpartition('.')[2]}.{rule.__name__}"] = function
        return function

    return register


def signatures(definition: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> list[SbpSignature]:
    """What the op can do over one dimension of a placement, the best first.

    All-broadcast is always among them. It is the last, but where tensors that every rank has could become one that is split or
    partial: that would have to be gathered again, so no such signature stands before it.
    """
    found = list(_rule(definition)(definition, metas, attrs))
    whole = SbpSignature(tuple([None if m is None else broadcast for m in metas]), (broadcast,) * len(definition.outputs))
    before = [s for s in dict.fromkeys(found) if s.inputs != whole.inputs]
    return [*before, whole, *[s for s in dict.fromkeys(found) if s.inputs == whole.inputs and s != whole]]


def localize(definition: OpDef, attrs: tuple[Any, ...], dynamic: tuple[Any, ...], shards: Shards) -> Local:
    """The attributes and dynamic scalars with which a rank runs the op on its shards."""
    _rule(definition)  # imports the file, which registers it
    function = _localizers.get(definition.sbp)
    return Local(attrs, dynamic) if function is None else function(definition, attrs, dynamic, shards)


def has_localizer(definition: OpDef) -> bool:
    """Whether what a rank runs may differ from the logical op in attributes or dynamic scalars."""
    _rule(definition)
    return definition.sbp in _localizers


def nd_signatures(
    definition: OpDef, metas: Metas, attrs: tuple[Any, ...], mesh: tuple[int, ...]
) -> list[NdSignature]:
    """Every signature over a mesh: one 1-d signature for each of its dimensions, where the sizes allow it.

    Along a dimension of one rank nothing is split, so no signature of it is decomposed.
    """
    found = signatures(definition, metas, attrs)
    choices = [found if size != 1 else [s for s in found if not s.decomposed] for size in mesh]
    combinations = [c for c in product(*choices) if _fits(c, metas, mesh)]
    return [_combined(c) for c in combinations]


def _combined(combination: tuple[SbpSignature, ...]) -> NdSignature:
    inputs = tuple([None if s[0] is None else tuple(s) for s in zip(*[c.inputs for c in combination])])
    outputs = tuple([tuple(s) for s in zip(*[c.outputs for c in combination])])
    return NdSignature(inputs, outputs, any(c.decomposed for c in combination))


def _fits(combination: tuple[SbpSignature, ...], metas: Metas, mesh: tuple[int, ...]) -> bool:
    """Whether the pieces are as large as the signatures ask: mesh dimensions that split the same dimension count together."""
    for signature in set(combination):
        ranks = 1
        for other, count in zip(combination, mesh):
            if other == signature:
                ranks *= count
        if signature.even and signature.even % ranks:
            return False
        if signature.full and not _all_full(signature, metas, ranks):
            return False
    return True


def _all_full(signature: SbpSignature, metas: Metas, ranks: int) -> bool:
    for sbp, meta in zip(signature.inputs, metas):
        if sbp is not None and sbp.dim is not None and meta is not None and meta.shape[sbp.dim] < ranks:
            return False
    return True


def _broadcast_only(definition: OpDef, metas: Metas, attrs: tuple[Any, ...]) -> Sequence[SbpSignature]:
    return ()


_rules: dict[str, Rule] = {"broadcast": _broadcast_only}


def _rule(definition: OpDef) -> Rule:
    """The rule that the registry names; its file is imported for the first op that needs it."""
    rule = _rules.get(definition.sbp)
    if rule is None:
        rule = _rules[definition.sbp] = _find(definition.sbp)
    return rule


def _find(name: str) -> Rule:
    if "->" in name:
        factors = import_module("tritonflow.ops.sbp.factors")
        rule: Rule = factors.rule_of(name)
        return rule
    found: Rule = find_rule("sbp", name)
    return found
