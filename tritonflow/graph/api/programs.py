"""The programs that a function was captured as, by kinds of calls."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import Any

from tritonflow.framework.marked_sizes import marks_of
from tritonflow.framework.meta import TensorMeta
from tritonflow.framework.size_guards import SizeGuard
from tritonflow.graph.api.call import Call, CallKind
from tritonflow.graph.api.captured import Captured
from tritonflow.graph.api.template import ProgramTemplate
from tritonflow.graph.capture.dimensions import Dimension, Dimensions, kind_of, varying
from tritonflow.graph.path.program import Walk
from tritonflow.settings import settings

CACHE_SIZE = 16
MOST_SIZES = 1 << 20
MOST_OUTCOMES, MOST_WAYS = 16, 256
_MOST_INTS = 64
_FEW_CALLS = 4  # of 16 programs together
_MOST_PARTS = 1024  # of programs that have served fewer calls
_MOST_SEEN = 8
_MOST_FAMILIES = 64
_MOST_GONE = 4096
_MOST_IDLE = 4  # templates with the same symbols that are right for one size each
_TOLD_AT = 8  # programs that were made again


class _Family:
    """Calls that differ in sizes alone.

    A capture with symbols takes twice the time of one for its sizes. Where four with the same symbols were right for one size each,
    the next calls are captured for theirs, unless the user has asked for symbols.

    Attributes:
        templates: programs for several sizes, the latest first.
        is_static: whether no size is to be a symbol any more.
        pins: sizes whose numbers were asked for.
    """

    def __init__(self) -> None:
        self.templates: list[ProgramTemplate] = []
        self.is_static = False
        self.pins: list[SizeGuard] = []
        self._seen: list[tuple[list[TensorMeta], list[Any]]] = []
        self._pinned: set[Dimension] = set()
        self._pinned_numbers: set[int] = set()

    def note(self, captured: Captured) -> None:
        """A program for one of these calls was captured, or made."""
        self._seen = [*self._seen[-_MOST_SEEN:], (captured.metas, captured.numbers)]
        template = captured.template
        if template is not None and template not in self.templates:
            self.templates.insert(0, template)
            del self.templates[CACHE_SIZE:]
            dimensions, numbers = template.pinned()
            self._pinned |= dimensions
            self.pins += template.pins
            self._pinned_numbers |= numbers

    def dimensions(self, call: Call, all_of_them: bool, with_equal_sizes: bool) -> Dimensions | None:
        """The sizes that are to be symbols."""
        if self.is_static:
            return None
        metas, marks = [tensor.meta for tensor in call.given], list(map(marks_of, call.given))
        seen = [] if all_of_them else [each for each in self._seen if len(each[0]) == len(metas)]
        found = Dimensions()
        if seen or all_of_them:
            found = varying([*seen, (metas, call.numbers)]).without(self._pinned, self._pinned_numbers)
        found = found.marked(metas, marks)
        if with_equal_sizes:
            found = found.with_equal_sizes(metas, marks)
        is_asked_for = all_of_them or any(mark.is_dynamic for each in marks for mark in each.values())
        if not is_asked_for and self._are_idle(found):
            self.is_static = True
            return None
        return found or None

    def _are_idle(self, dimensions: Dimensions) -> bool:
        """Whether enough templates with these symbols were not right for other sizes, and none was."""
        idle = sum(template.has(dimensions) and template.refused > 0 for template in self.templates)
        return idle >= _MOST_IDLE and not any(template.made for template in self.templates)


class Programs:
    """A cache: of each kind of call a few programs, the latest first. Kinds that were not called for long go.

    Calls that differ in sizes alone are of several kinds, and of one family, which may have templates: each makes programs for
    several kinds.

    Args:
        dynamic: whether sizes are symbols: None, those that were seen to differ; True, all; False, none.
        most: how many sizes are kept, if `settings.program_cache_bytes` are enough for so many.

    Example:
        >>> from tritonflow.graph.api.programs import Programs
        >>> bool(Programs())
        False
    """

    def __init__(self, dynamic: bool | None = None, most: int = MOST_SIZES) -> None:
        self.dynamic, self.most = dynamic, most
        self._kinds: OrderedDict[tuple[Any, ...], list[Captured]] = OrderedDict()  # by the keys of calls
        self._families: OrderedDict[tuple[Any, ...], _Family] = OrderedDict()
        self._nbytes: dict[tuple[Any, ...], int] = {}  # of the programs, by their keys
        self._total = 0  # of these
        self._gone: OrderedDict[int, None] = OrderedDict()  # hashes of the keys of some that went
        self._made_again = 0
        self._unused: dict[tuple[Any, ...], int] = {}  # by keys of calls, captures in a row none of which has served another call

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def __iter__(self) -> Iterator[Captured]:
        return iter([captured for each in self._kinds.values() for captured in each])

    def find(self, call: Call, walk: Walk | None = None, but: Collection[Any] = ()) -> tuple[Captured, Call] | None:
        """The program for a call, and the call as its own.

        Args:
            walk: what has been done of it: the program goes on there.
            but: programs that are left out.
        """
        captures = self._kinds.get(call.key)
        if captures is None:
            return None
        self._kinds.move_to_end(call.key)
        for captured in captures:
            if captured in but:
                continue
            own = captured.call_of(call)
            if own is None or (walk is not None and not captured.follows(walk, own)):
                continue
            if not captured.difference(own.numbers, own.given):
                if self._unused:
                    self._unused.pop(call.key, None)
                return captured, own
        return None

    def note_capture(self, call: Call) -> None:
        """A call was captured from its beginning."""
        self._unused[call.key] = self._unused.get(call.key, 0) + 1

    def serve_nobody(self, call: Call) -> bool:
        """Whether such calls were captured so often, and none by a program that was there, that another capture is in vain."""
        return self._unused.get(call.key, 0) >= CACHE_SIZE

    def add(self, call: Call, captured: Captured) -> None:
        """Put in a program for a call."""
        captures = self._kinds.setdefault(call.key, [])
        captures.insert(0, captured)
        del captures[MOST_WAYS if captured.path else CACHE_SIZE if captured.template is None else _MOST_INTS :]
        self._family(call).note(captured)
        self._count_bytes(call.key, captures)
        self._note_return(call, captured)
        while len(self._kinds) > self._most or (self._total > settings.program_cache_bytes and len(self._kinds) > CACHE_SIZE):
            self._drop_oldest()

    def _count_bytes(self, key: tuple[Any, ...], captures: list[Captured]) -> None:
        """Note what the programs of a kind take: each that has a backward counts twice."""
        nbytes = 0
        for each in captures:
            own = each.executable.nbytes + (each.executable.arena_bytes if each.template is None else 0)
            nbytes += own * (1 if each.backward is None else 2)
        self._total += nbytes - self._nbytes.get(key, 0)
        self._nbytes[key] = nbytes

    def _drop_oldest(self) -> None:
        """Drop the programs of the kind that was not called for longest."""
        key, _ = self._kinds.popitem(last=False)
        self._total -= self._nbytes.pop(key, 0)
        self._unused.pop(key, None)
        self._gone[hash(key)] = None
        if len(self._gone) > _MOST_GONE:
            self._gone.popitem(last=False)

    def _note_return(self, call: Call, captured: Captured) -> None:
        """Tell once that programs are made again and again for want of memory."""
        if captured.template is None or self._gone.pop(hash(call.key), self) is self or self._most < MOST_SIZES:
            return
        self._made_again += 1
        if self._made_again == _TOLD_AT:
            captured.template.tell_of_memory()

    def has_many_ways(self, call: Call, walk: Walk) -> bool:
        """Whether the program is captured for so many numbers, where a run of a call has come to, that it may go on like that.

        So it is, too, where the latest programs have served hardly any call but those that they were captured with: a capture takes
        as long as some ten calls in eager mode. These are 16, or two and more that have many parts, as captures take longer then.
        """
        paths = [captured.path for captured in self.of_kind(call) if captured.path is not None]
        alike = [path for path in paths if path.begins_as(walk)]
        outcomes = {path.outcome(len(walk.steps) - 1) for path in alike}
        latest = paths[:CACHE_SIZE]
        are_long = len(latest) > 1 and sum([len(path.steps) for path in latest]) > _MOST_PARTS
        in_vain = (are_long or len(latest) == CACHE_SIZE) and sum([path.runs - 1 for path in latest]) < _FEW_CALLS
        return len(outcomes) >= MOST_OUTCOMES or len(paths) >= MOST_WAYS or in_vain

    def forget(self, call: Call) -> None:
        """Drop the programs for calls of a kind."""
        self._kinds.pop(call.key, None)
        self._total -= self._nbytes.pop(call.key, 0)

    @property
    def _most(self) -> int:
        """How many kinds are kept: many where templates make their programs."""
        return self.most if any(family.templates for family in self._families.values()) else CACHE_SIZE

    def is_full(self, call: Call) -> bool:
        """Whether a program for a call makes that of another kind go."""
        return call.key not in self._kinds and len(self._kinds) >= self._most

    # ---- many sizes

    def expect(self, call: Call) -> None:
        """Note that calls of such sizes will come: what differs in a capture from them is a symbol."""
        family = self._family(call)
        family._seen = [*family._seen[-_MOST_SEEN:], ([tensor.meta for tensor in call.given], call.numbers)]

    def made_for(
        self, call: Call, walk: Walk | None = None, tried: set[Any] | None = None
    ) -> tuple[Captured, Call] | None:
        """A program for a call, made of what was captured for other sizes.

        Args:
            walk: what has been done of the call: the program goes on there.
            tried: programs, and templates, that are left out; a template that makes one is put in.
        """
        for template in self._family(call).templates:
            if (tried and template in tried) or (walk is not None and template.path is None):
                continue
            own = template.call_of(call)
            if own is None or (template.path is not None and walk is not None and not template.path.follows(walk, own.numbers)):
                continue
            captured = template.program(own)
            if captured is not None:
                self.add(call, captured)
                if tried is not None:
                    tried.add(template)
                return self.find(call, walk, tried or ())
        return None

    def dimensions(self, call: Call, with_equal_sizes: bool = False) -> Dimensions | None:
        """The sizes that are to be symbols when a call is captured.

        Args:
            with_equal_sizes: whether others that are equal to one of them are, too.
        """
        if self.dynamic is False:
            return None
        return self._family(call).dimensions(call, bool(self.dynamic), with_equal_sizes)

    def take_sizes_for_numbers(self, call: Call) -> None:
        """From now on no size of such calls is a symbol."""
        self._family(call).is_static = True

    def pins_of(self, call: Call) -> list[SizeGuard]:
        """What asked for the numbers of sizes, so that such calls are captured for each."""
        return self._family(call).pins

    def _family(self, call: Call) -> _Family:
        structure, metas, *rest = call.key
        key = (structure, kind_of(metas), *rest)
        family = self._families.setdefault(key, _Family())
        self._families.move_to_end(key)
        if len(self._families) > _MOST_FAMILIES:
            self._families.popitem(last=False)
        return family

    # ---- what there is

    def of_kind(self, call: Call) -> list[Captured]:
        """The programs for calls of one kind, the latest first."""
        return self._kinds.get(call.key, [])

    def last(self) -> Captured | None:
        """The program for the kind of call that was made last."""
        return next((captures[0] for captures in reversed(self._kinds.values())), None)

    def what_is_new(self, call: Call) -> str:
        """What there is in a call for which no program is right; there are some."""
        last, kind = CallKind._make(next(reversed(self._kinds))), call.kind
        if last == kind:
            latest = self._kinds[call.key][0]
            own = latest.call_of(call)
            if own is None:
                return "what kind of values its states have"
            return latest.difference(own.numbers, own.given) or "what numbers of tensors have decided"
        if last.structure != kind.structure:
            return "the structure of the inputs"
        if last.metas != kind.metas:
            return "; ".join(f"{a!r} became {b!r}" for a, b in zip(last.metas, kind.metas) if a is not b)
        return "a mode around the call, whether inputs require gradients, or a setting of the graph"
