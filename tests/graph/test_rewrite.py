"""User code with probes does what it did, and its sites are given the right operands: in every version of Python.

It needs no torch, so that it runs with every version of Python: `python tests/graph/test_rewrite.py`, and
`python tests/graph/test_rewrite.py long` with the rewritten standard library.
"""

from __future__ import annotations

import contextlib
import difflib
import dis
import functools
import glob
import importlib
import importlib.util
import inspect
import io
import linecache
import math
import multiprocessing
import operator
import os
import sys
import sysconfig
import textwrap
import threading
import tokenize
import traceback
import unittest
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from types import CodeType, FunctionType, ModuleType, SimpleNamespace
from typing import Any
from unittest import mock

VERSION = sys.version_info[:2]
WATCH = SimpleNamespace(tracer=SimpleNamespace(is_on=False))


if importlib.util.find_spec("torch") is None:  # folders take the places of packages, whose own files need torch
    for package in ("tritonflow", "tritonflow.graph", "tritonflow.graph.watch"):
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [os.path.join(os.path.dirname(__file__), "..", "..", *package.split("."))]
from tritonflow.graph.watch import listing, rewrite  # noqa: E402


class Recorder(defaultdict):
    """Events that are noted: their names, the sites' arguments and the operands, unless what they are must not be kept alive."""

    def __init__(self, keeps: bool = True) -> None:
        super().__init__()
        self.keeps = keeps
        self.noted: list[tuple[str, Any, tuple[Any, ...]]] = []

    def __missing__(self, event: str) -> Callable[..., None]:
        def note(watch: Any, argument: Any, operands: tuple[Any, ...]) -> None:
            assert type(operands) is tuple and None not in map(type, operands)
            if self.keeps and event != "enter":
                self.noted.append((event, argument, operands))

        self[event] = note
        return note


@contextlib.contextmanager
def watched(watch: Any = WATCH) -> Iterator[None]:
    rewrite.Current.watch, rewrite.Current.thread = watch, threading.get_ident()
    try:
        yield
    finally:
        rewrite.Current.watch = None


def with_probes(function: FunctionType, recorder: Recorder) -> FunctionType:
    variables = function.__globals__
    code = rewrite.Rewriter(recorder)(function.__code__, variables)
    new = FunctionType(code, variables, function.__name__, function.__defaults__, function.__closure__)
    new.__kwdefaults__ = function.__kwdefaults__
    return new


def compiled(source: str, name: str = "function", file: str = "", **variables: Any) -> FunctionType:
    """The function of a text, with a file name by which tracebacks find its lines."""
    source = textwrap.dedent(source)
    file = file or f"<source {len(linecache.cache)}>"
    linecache.cache[file] = len(source), None, source.splitlines(True), file
    space = {"__name__": "source", **variables}
    exec(compile(source, file, "exec", dont_inherit=True), space)
    return space[name]


def outcome(function: FunctionType, watch: Any = None) -> tuple[Any, ...]:
    """What a function gives or raises, with its traceback and the lines that it runs."""
    lines = []

    def trace(frame: Any, event: str, argument: Any) -> Any:
        if not frame.f_code.co_filename.startswith("<source"):
            return None
        lines.append((event, frame.f_code.co_name, frame.f_lineno))
        return trace

    with watched(watch):
        sys.settrace(trace)
        try:
            result: Any = "gives", repr(function())
        except BaseException as error:
            sys.settrace(None)
            result = "raises", shown(error)
        finally:
            sys.settrace(None)
    return result, lines


def shown(error: BaseException) -> str:
    """A traceback and those of its causes, without the frame that called."""
    text = "".join(traceback.format_exception(type(error), error, error.__traceback__.tb_next))
    return text.replace("__missing__", "")


# ---------------------------------------------------------------------------------------------------------------- programs

# Each is a function without arguments, by the version of Python that can read it.
PROGRAMS: dict[str, tuple[tuple[int, int], str]] = {}


def program(name: str, source: str, since: tuple[int, int] = (3, 10)) -> None:
    if VERSION >= since:
        PROGRAMS[name] = since, source


program("calls", """
    def target(*args, **kwargs):
        return args, kwargs
    def two(a, b=2, *, c=3):
        return a, b, c
    def function():
        a, k = (1, 2), {"b": 5}
        return (target(), target(1), target(1, 2, 3), target(1, x=2), target(*a), target(*a, 3, *a), target(**k), target(1, *a, z=1, **k),
                two(1), two(1, c=4), two(*a, **{"c": 1}), (target if a else two)(1), (lambda q: q)(7), target(target(1), target(x=target(2))),
                (a or target), [target][0](1), max([1, 2], key=lambda x: -x), print(end=""), dict(a=1, **k), (target and two)(3))
""")
program("methods", """
    class Base:
        scale = 2
        def first(self, x, k=1): return self.scale, x, k
        @classmethod
        def second(cls, x): return cls.__name__, x
        @staticmethod
        def third(x): return x
        @property
        def fourth(self): return "property"
    class Derived(Base):
        def __init__(self): super().__init__(); self.name = "d"
        def first(self, x, k=1): return "derived", super().first(x, k=k), super(Derived, self).first(x), super().scale, super().fourth
        def bound(self):
            inner = super().first
            return inner(5)
    def function():
        d = Derived()
        items = []
        items.append(1); items.extend([2, 3]); items.sort(key=lambda x: -x, reverse=False)
        d.third = lambda x: ("own", x)
        return d.first(1), d.first(1, k=3), d.second(2), Base.third(4), d.third(4), d.fourth, d.bound(), items, " a ".strip().upper().join("xy")
""")
program("shadowed super", """
    def super(*arguments): return type("S", (), {"value": len(arguments), "get": lambda self, x: x})()
    class A:
        def one(self): return super().value, super().get(3), super(A, self).value
    def function(): return A().one()
""")
program("decorators", """
    def twice(f): return lambda *a: (f(*a), f(*a))
    def named(name, **more):
        def wrap(f):
            return lambda *a: (name, more, f(*a))
        return wrap
    def function():
        kept = []
        @twice
        @named("x", y=1)
        def inner(a, b=2): return a, b
        @kept.append
        def other(): return 5
        @twice
        class C: pass
        @(lambda f: f)
        def third(z: int = 3, *, w: str = "w") -> None: return z, w
        return inner(1), kept[0](), len(C()), third(), third.__defaults__, third.__kwdefaults__, sorted(third.__annotations__)
""")
program("comprehensions", """
    def function():
        n, x = 3, "kept"
        a = [x * n for x in range(n)]
        b = {x: y for x in range(n) for y in range(x) if y or x}
        c = {x % 2 for x in range(9)}
        d = sum(x for x in a if x > n)
        e = [[y for y in range(x)] for x in range(n)]
        f = [lambda: x for x in range(n)]
        g = [(x, y) for x in range(2) for y in [x + 1]]
        h = [z := i for i in a]
        try:
            k = [1 // q for q in (1, 0)]
        except ZeroDivisionError as error:
            k = str(error), x
        return a, b, c, d, e, [g() for g in f], g, h, z, k, x, max([len(q) for q in e]), dict(zip(a, [i for i in a]))
""")
program("closures", """
    def function():
        count, items, gone = 0, [1], 5
        def up(by=1):
            nonlocal count
            count += by
            items.append(count)
            return lambda: (count, items, [count + i for i in items])
        def late(): return later
        def deleted():
            nonlocal gone
            del gone
            try:
                return gone
            except NameError as error:
                return str(error)
        first = up()
        later = "later"
        return first(), up(3)(), count, late(), deleted(), [lambda: count for _ in range(2)][0]()
""")
program("arguments that are cells", """
    def outer(a, b=2, *c, d=4, **e):
        def inner():
            nonlocal a, d
            a += 1; d = a, b, c, e
            return a, d
        return inner(), a, d
    def function(): return outer(1), outer(1, 2, 3, d=5, f=6)
""")
program("globals", """
    value, gone = 1, 2
    def function():
        global value, gone, made
        value += 1; made = value * 2
        del gone
        try:
            gone
        except NameError as error:
            text = str(error)
        def inner():
            global value
            value = made
            return value
        result = value, made, text, inner(), value
        value, gone = 1, 2
        return result
""")
program("assignments", """
    class Thing: pass
    def function():
        t, d, l = Thing(), {"k": 1}, [1, 2, 3, 4]
        t.x = t.y = 3
        t.x += 1; t.y -= 1; d["k"] *= 5; l[1] **= 2; l[0] //= 1; l[-1] <<= 2; d["j"] = d["k"] % 3
        l[1:3] = [7, 8, 9]; m = l[:]; m[::2] = [0] * len(m[::2]); m[1:] += [5]; l[:2] *= 2
        a, (b, *c), d["n"] = 1, [2, 3, 4], 5
        *e, f = "xyz"
        g, h = h2, _ = a, b
        s = {1}; s |= {2}; s &= {2, 3}; s ^= {9}; s -= {9}
        n = 5; n |= 2; n ^= 1; n &= 6; n >>= 1; n /= 2; n @= M()
        x: int = 3
        t.z: str = "z"
        del t.y, d["j"], l[0], l[:1], x, m[::2]
        return vars(t), d, l, m, a, b, c, e, f, g, h, s, n, h2
    class M:
        def __rmatmul__(self, other): return "matmul", other
        def __matmul__(self, other): return "m"
""")
program("operators", """
    def function():
        a, b, c = 7, 3, [1, 2]
        return (a + b, a - b, a * b, a / b, a // b, a % b, a ** b, a << b, a >> b, a & b, a | b, a ^ b, -a, +a, ~a, not a, a < b, a <= b,
                a == b, a != b, a > b, a >= b, a in c, a not in c, a is b, a is not b, a < 8 < 9, 1 < b < a > 2 != 3, c[0], c[0:1], c[::-1],
                "%s-%r" % (a, b), a and b, a or b, a if b else c, 1 if not c else 2, (a and b) or (c and a), not (a and c))
""")
program("with", """
    import contextlib
    class Manager:
        def __init__(self, log, swallow=False): self.log, self.swallow = log, swallow
        def __enter__(self): self.log.append("enter"); return self
        def __exit__(self, *error): self.log.append(error[0]); return self.swallow
    def early(log):
        for i in range(3):
            with Manager(log) as m:
                if i == 0: continue
                return i, m is not None
    def function():
        log = []
        with Manager(log): log.append(1)
        with Manager(log) as a, Manager(log, True) as b:
            raise ValueError(3)
        with (Manager(log) as (a), contextlib.suppress(KeyError)):
            {}["missing"]
        with contextlib.nullcontext([1]) as [x]:
            pass
        try:
            with Manager(log):
                with contextlib.ExitStack() as stack:
                    stack.callback(log.append, "called")
                    1 // 0
        except ZeroDivisionError as error:
            log.append(str(error))
        return log, early(log), x
""")
program("exceptions", """
    def nested(n):
        try:
            try:
                if n == 0: raise ValueError("a")
                if n == 1: return "returned"
                if n == 2: {}["k"]
                if n == 3: raise TypeError from OSError("cause")
            except ValueError as e:
                raise RuntimeError("b") from e
            except (KeyError, IndexError):
                return "key"
            else:
                return "else"
            finally:
                if n == 5: return "finally"
                n += 10
        except RuntimeError as e:
            return repr(e.__cause__), n
        finally:
            n = 0
    def loops():
        out = []
        for i in range(5):
            try:
                if i == 1: continue
                if i == 3: break
                out.append(i)
            finally:
                out.append(-i)
        else:
            out.append("never")
        return out
    def function():
        try:
            nested(3)
        except TypeError as e:
            cause = repr(e.__cause__)
        try:
            try: raise KeyError(1)
            except KeyError: raise
        except LookupError as error: again = error.args
        return [nested(n) for n in (0, 1, 2, 4, 5)], cause, loops(), again
""")
for _index, _line in enumerate((
    "return undefined_name", "return missing()", "return [1][5]", "return {}[1]", "return None.x", "None.x = 1", "del None.x", "None[0] = 1",
    "return 1 + ''", "return len(1)", "return int('x', base=2)", "return max(*[1, 2], **{'q': 1})", "a, b = 1, 2, 3", "a, *b = ()",
    "return (lambda x: x)()", "assert 1 == 2, 'message'", "assert not [1]", "assert []", "raise ValueError('x') from None", "for x in 5: pass",
    "return [x.y for x in [1]]", "return f'{1:q}'", "import no_such_module_at_all", "from os import no_such_name", "return 'a'.join([1])",
    "x = 1; del x; return x", "return [] < 1", "return 1 in 5", "return print(\n    1,\n    nothing,\n)", "return (\n    [1, 2]\n    [3]\n)",
    "return max(\n    1,\n    key=2,\n)", "l = [1]; l[0:1:0] = [1]", "return {**1}", "return [*1]", "return {1: [].x\n}", "with 5: pass",
)):  # fmt: skip
    program(f"raises {_index}", f"def function():\n    x = 1\n    if x:\n        {_line.replace(chr(10), chr(10) + '    ' * 2)}\n")
program("raises within", """
    class C:
        @property
        def value(self):
            return self.other
        def other(self): return [self.third(i) for i in range(3)]
        def third(self, i):
            return 1 / (i - 2)
    def function():
        try:
            return C().other(
            )()
        finally:
            str()
""")
program("generators", """
    def counting(n):
        got = []
        try:
            for i in range(n):
                got.append((yield i))
        except KeyError as e:
            yield "caught", e.args
        finally:
            got.append("closed")
        return got
    def chained():
        result = yield from counting(2)
        x = yield from [1, 2]
        yield result, x
        yield from (y * 2 for y in "ab")
    def function():
        g = counting(3)
        a = next(g), g.send("s"), g.throw(KeyError(3))
        h = counting(5); next(h); h.close()
        def stop():
            raise StopIteration(1)
            yield
        try:
            list(stop())
        except RuntimeError as e:
            b = str(e)
        return a, list(chained()), b, list(g)
""")
program("async", """
    class Pause:
        def __await__(self): return (yield 1)
    class Manager:
        async def __aenter__(self): await Pause(); return 1
        async def __aexit__(self, *error): return error[0] is ValueError
    async def numbers(n):
        for i in range(n):
            await Pause()
            got = yield i
    async def work(log):
        async with Manager() as one:
            log.append(one)
        async with Manager():
            raise ValueError
        async for i in numbers(3):
            if i == 1: continue
            log.append(i)
        else:
            log.append("else")
        log.append([i async for i in numbers(3) if i])
        log.append([await add(i, 1) for i in range(2)])
        log.append((await add(1, 2), await add(b=3, a=1), await add(*[1], **{"b": 2})))
        g = numbers(2); log.append(await g.asend(None)); await g.aclose()
        log.append(sum([x async for x in (y async for y in numbers(3))]))
        try:
            h = numbers(2)
            async for i in h: raise KeyError(i)
        except KeyError as e: log.append(e.args)
        finally: await h.aclose()
        return log
    async def add(a, b): return a + b
    def function():
        work_ = work([])
        try:
            while True: work_.send(None)
        except StopIteration as stop: return stop.value
""")
program("match", """
    class P:
        __match_args__ = "x", "y"
        def __init__(self, x, y): self.x, self.y = x, y
    class Color: RED = 1
    def which(v):
        match v:
            case 0 | 1: return "small"
            case Color.RED: return "red"
            case str() as s if s.startswith("a"): return s
            case [a, b]: return a, b
            case [first, *rest]: return first, rest
            case {"k": k, **others}: return k, others
            case {"only": None}: return "none"
            case P(x=0): return "zero"
            case P(a, P(b, c)): return a, b, c
            case P(a, y=b): return a, b
            case (int() | float()) as n: return "number", n
            case _: return "other"
    def function():
        return [which(v) for v in (0, 1, "abc", "b", [1, 2], (1, 2, 3), [], {"k": 1, "z": 2}, {"only": None}, P(0, 1), P(1, P(2, 3)), P(1, 2), 3.5, None)]
""")
program("strings", """
    def function():
        a, b, w = 3.14159, "t", 8
        return f"{a}{b!r:>{w}}|{a:.2f}|{b!s}|{b!a:^{w}}|{a=}|{a:{w}.{2}}|{{}}|{[x for x in b]}", f"{b}", f"{'nested' + f'{a:.1f}'}", "%s" % b, "{}".format(a)
""")
program("expressions", """
    def function():
        items = [3, 1, 2]
        if (n := len(items)) > 2 and (m := max(items)):
            a = n, m
        b = [*items, *"xy"], (*items, 1), {*items}, {**{"a": 1}, "b": 2, **{}}, [1, 2, 3], {1, 2, 3}, {"x": 1, "y": 2}
        c = (lambda x, *y, z=4, **w: (x, y, z, w))(1, 2, k=3)
        d = items[0] if items else None, items[-1:] or None, ... , b"x", 1j, -0.0, 0.0, 10 ** 20, (1, (2, 3)), frozenset({1})
        return a, b, c, d, items[0:2], items[slice(1)], items[::-1], (yield_ := 3)
""")
program("loops", """
    def function():
        out, n = [], 0
        while n < 5:
            n += 1
            if n == 2: continue
            if n == 4: break
            out.append(n)
        else: out.append("else")
        while n: n -= 1
        else: out.append("done")
        for i, (a, b) in enumerate(zip("ab", "cd")):
            for j in range(2):
                if j: break
            else: out.append("no")
            out.append((i, a, b))
        else: out.append("end")
        while True:
            if len(out) > 20: break
            out.append(0)
        for out[0] in range(3): pass
        return out, i, j
""")
program("imports", """
    def function():
        import os.path as p, json
        from collections import OrderedDict as O, deque
        import os.path
        return p.join("a", "b"), json.dumps({"a": 1}), O(a=1), deque([1]), os.path.basename("a/b")
""")
program("classes", """
    def function():
        x = 5
        class Meta(type):
            def __new__(mcs, name, bases, space, **kw): return super().__new__(mcs, name, bases, {**space, "kw": kw})
        class A(list, metaclass=Meta, flag=x):
            "its doc"
            x = x2 = 7
            y: int = x
            z = [x for x in range(3)]
            w = [(lambda: x)() for _ in range(1)]
            seen = sorted(k for k in locals() if not k.startswith("__"))
            if y:
                def method(self): return __class__.__name__, self.x, x
            for i in range(2): pass
            del i
            try: missing
            except NameError: caught = True
            class Inner:
                value = x
        return A.x, A.x2, A.y, A.z, A.w, A.seen, A().method(), A.__doc__, A.kw, A.Inner.value, A.caught, A.__qualname__
""")
program("docstrings", """
    def function():
        def a():
            "doc"
        def b(): return "no doc"
        def c(): return 5, "x"
        class D: 'd'
        return a.__doc__, b.__doc__, c.__doc__, (lambda: "x").__doc__, D.__doc__, a.__name__, a.__qualname__
""")
program("locals", """
    def function():
        b, a = 1, 2
        def inner(q, p=3):
            z = 1; y = 2; a
            return list(locals().items())
        return inner(1), sorted(locals())
""")
program("many", "def function():\n    d = {}\n" + "".join(f"    v{i} = {i}.5; d['k{i}'] = v{i}, v{i // 2}\n" for i in range(300))
        + "    f = lambda: (v3, v299)\n    for i in range(3):\n        if i == 1: continue\n        try: d['q'] = v290 + v291\n        finally: d['r'] = i\n"
        + "    return d, f(), dict(" + ", ".join(f"n{i}={i}" for i in range(300)) + "), max(" + ", ".join(map(str, range(300))) + ")\n")  # fmt: skip
program("exception groups", """
    def function():
        out = []
        def go(*errors):
            try:
                try:
                    raise ExceptionGroup("g", list(errors))
                except* ValueError as e:
                    out.append(("value", len(e.exceptions)))
                except* (TypeError, KeyError) as e:
                    out.append(e.exceptions)
                    raise RuntimeError("again")
                else: out.append("else")
                finally: out.append("finally")
            except BaseExceptionGroup as e:
                out.append(repr(e))
        go(ValueError(1)); go(TypeError(1), ValueError(2), ValueError(3)); go(OSError(1), ValueError(2))
        return out
""", (3, 11))  # fmt: skip
program("type parameters", """
    type Alias[T] = list[T]
    def function():
        def first[T](items: list[T], more: T = 1) -> T: return items[0], more
        class Box[T: int, *Ts, **P](list):
            def get[U](self, x: U) -> U: return x, T
        def key[T: (int, str)](a, *, b: T = 2): return a, b
        @(lambda f: f)
        def deco[T](x, y=2, *, z=3): return x, y, z
        type Local[T] = dict[T, Box[T]]
        return first([1]), Box().get(3), key(1), deco(1), str(Local.__value__), first.__type_params__, Box.__type_params__, Alias.__value__
""", (3, 12))  # fmt: skip
program("f-strings within", """
    def function():
        a = {"x": [1, 2]}
        return f"{a["x"][0]:>{a["x"][1]}}{f"{a!r}"}", [x for x in [f"{(lambda: 1)()}"]]
""", (3, 12))  # fmt: skip
program("type defaults", """
    def function():
        def f[T = int, *U = *tuple[int, str]](x: T) -> T: return x
        class C[T = str]: pass
        return f(1), [t.__default__ for t in f.__type_params__], C.__type_params__[0].__default__
""", (3, 13))  # fmt: skip
program("templates", """
    def function():
        a, w = 3, 4
        t = t"x{a}y{a!r:>{w}}{w + 1}"
        return t.strings, t.values, [i.format_spec for i in t.interpolations], all(x for x in [1, 0]), any(x for x in [0]), tuple(x for x in "ab")
""", (3, 14))  # fmt: skip


def check_program(name: str) -> None:
    """A program with probes, watched and not watched, gives what it gave, in the same lines."""
    expected = outcome(compiled(PROGRAMS[name][1]))
    for watch in (None, WATCH):
        recorder = Recorder()
        function = compiled(PROGRAMS[name][1], file=f"<source {len(linecache.cache) - 1}>")
        put_probes(function.__globals__, recorder)
        given = outcome(function, watch)
        assert given[0] == expected[0], f"{given[0]}\n  is not\n{expected[0]}"
        assert given[1] == expected[1], _first_difference(given[1], expected[1])
        assert watch is None or recorder.noted or name.startswith("raises")


def put_probes(space: dict[str, Any], recorder: Recorder) -> None:
    """Give probes to all functions of a module, and to those of its classes."""
    rewriter = rewrite.Rewriter(recorder)
    values = list(space.values())
    members = [member for each in values if isinstance(each, type) for member in vars(each).values()]
    for function in map(_function_of, [*values, *members]):
        if function is not None and function.__globals__ is space:
            function.__code__ = rewriter(function.__code__, space)


def _function_of(member: Any) -> FunctionType | None:
    member = getattr(member, "__func__", getattr(member, "fget", member))
    return member if isinstance(member, FunctionType) else None


def _first_difference(a: list[Any], b: list[Any]) -> str:
    at = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    return f"lines differ at {at}: {a[max(0, at - 2) : at + 3]} is not {b[max(0, at - 2) : at + 3]}"


# ------------------------------------------------------------------------------------------------------------------ events


class Same:
    """What is compared by identity; bound methods by what they are of."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: Any) -> bool:
        methods = type(self.value) is type(other) and hasattr(other, "__self__")
        return other is self.value or bool(methods and other == self.value) or (isinstance(self.value, Any_) and self.value.fits(other))

    def __repr__(self) -> str:
        return f"Same({self.value!r})"


class Any_:
    """What fits a test."""

    def __init__(self, fits: Callable[[Any], bool]) -> None:
        self.fits = fits


class Thing:
    """An object with attributes, items, methods and operators."""

    def method(self, *args: Any, **kwargs: Any) -> Thing:
        return self

    def __enter__(self) -> Thing:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def __getitem__(self, key: Any) -> Any:
        return key

    def __setitem__(self, key: Any, value: Any) -> None:
        pass

    def __delitem__(self, key: Any) -> None:
        pass

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return args[0] if args else self

    def __contains__(self, item: Any) -> bool:
        return True

    def __bool__(self) -> bool:
        return True

    def __iter__(self) -> Iterator[int]:
        return iter((1, 2, 3))

    def __len__(self) -> int:
        return 3

    def keys(self) -> list[str]:
        return ["k"]

    __add__ = __radd__ = __iadd__ = __sub__ = __mod__ = __matmul__ = __imatmul__ = __imod__ = __lt__ = method
    plain = 1


a, b, c, d, i, f, k = Thing(), Thing(), Thing(), {"k": 1}, [1, 2, 3], Thing(), 0
made_by_def = Any_(lambda value: isinstance(value, FunctionType))
a_class = Any_(lambda value: isinstance(value, type))
keys = Any_(lambda value: value in (("k",), ("plain",)))
imported = Any_(lambda value: value == ("path",))
builder = Any_(lambda value: value is __build_class__)
_VARIABLES = "load_global", "store_global", "delete_global", "load_cell", "store_cell", "delete_cell"

# The body of a function of `a`, `b`, `c` (things), `d` (a dict), `i` (a list), `f` (something that can be called) and `k` (0); and the
# events, but for those of variables. Expected operands are compared by identity.
EVENTS: list[tuple[str, list[tuple[str, Any, list[Any]]]]] = [
    ("f()", [("call", None, [f])]),
    ("f(a)", [("call", None, [f, a])]),
    ("f(a, b, c)", [("call", None, [f, a, b, c])]),
    ("f(a)(b)", [("call", None, [f, a]), ("call", None, [a, b])]),
    ("f(f(a), f(b))", [("call", None, [f, a]), ("call", None, [f, b]), ("call", None, [f, a, b])]),
    ("f(a if b else c, b)", [("truth", None, [b]), ("call", None, [f, a, b])]),
    ("(f or a)(b)", [("truth", None, [f]), ("call", None, [f, b])]),
    ("(a if k else f)(b)", [("truth", None, [k]), ("call", None, [f, b])]),
    ("f((x := a), b)", [("call", None, [f, a, b])]),
    ("(lambda x: x)(a)", [("call", None, [made_by_def, a])]),
    ("f([x for x in i], a)", [("iterate", None, [i]), ("call", None, [f, Any_(lambda v: v == [1, 2, 3]), a])]),
    ("i.append(k); del i[-1]", [("load_attribute", "append", [i]), ("call", None, [i.append, k]), ("delete_item", None, [i, -1])]),
    ("a.method(b).method(c)", [("load_attribute", "method", [a]), ("call", None, [a.method, b])] * 1
        + [("load_attribute", "method", [a]), ("call", None, [a.method, c])]),
    ("a.method(b, x=c)", [("load_attribute", "method", [a]), ("call named", ("x",), [a.method, b, c])]),
    ("f(x=a)", [("call named", ("x",), [f, a])]),
    ("f(a, b, x=b, y=c)", [("call named", ("x", "y"), [f, a, b, b, c])]),
    ("f(*i)", [("call_star", None, [f, Any_(lambda v: list(v) == [1, 2, 3])])]),
    ("f(**d)", [("iterate", None, [d]), ("call_star", None, [f, (), Any_(lambda v: v == {"k": 1})])]),
    ("f(a, *i, x=b, **d)", [("iterate", None, [i]), ("iterate", None, [Any_(lambda v: v == {"k": 1})]),
                            ("call_star", None, [f, Any_(lambda v: v == (a, 1, 2, 3)), Any_(lambda v: v == {"k": 1, "x": b})])]),
    ("a.method(*i)", [("load_attribute", "method", [a]), ("call_star", None, [a.method, Any_(lambda v: list(v) == [1, 2, 3])])]),
    ("@f\ndef g(): pass", [("call", None, [f, made_by_def])]),
    ("@f\n@f(a)\ndef g(x=b): pass", [("call", None, [f, a]), ("call", None, [a, made_by_def]), ("call", None, [f, made_by_def])]),
    ("@i.append\ndef g(): pass\ni.pop()", [("load_attribute", "append", [i]), ("call", None, [i.append, made_by_def]),
                                          ("load_attribute", "pop", [i]), ("call", None, [i.pop])]),
    ("@f\nclass g: pass", [("call", None, [builder, made_by_def, "g"]), ("call", None, [f, a_class])]),
    ("class g(Thing): pass", [("call", None, [builder, made_by_def, "g", Thing])]),
    ("with a: f(b)", [("call", None, [f, b])]),
    ("with a as x, b: f(x)", [("call", None, [f, a])]),
    ("try:\n    with a: return f(b)\nfinally: f(c)", [("call", None, [f, b]), ("call", None, [f, c])]),
    ("f(None, None)", [("call", None, [f, None, None])]),
    ("f(None, None, None)", [("call", None, [f, None, None, None])]),
    ("assert k, f(a)", [("truth", None, [k]), ("call", None, [f, a]), ("call", None, [AssertionError, a])]),
    ("assert a", [("truth", None, [a])]),
    ("raise f(a)(ValueError)", [("call", None, [f, a]), ("call", None, [a, ValueError])]),
    ("a.plain", [("load_attribute", "plain", [a])]),
    ("a.x = b", [("store_attribute", "x", [b, a])]),
    ("a.x = a.y = b", [("store_attribute", "x", [b, a]), ("store_attribute", "y", [b, a])]),
    ("a.x = 1; del a.x", [("store_attribute", "x", [1, a]), ("delete_attribute", "x", [a])]),
    ("a.x = b; a.x += c; del a.x", [("store_attribute", "x", [b, a]), ("load_attribute", "x", [a]), ("write_binary", "INPLACE_ADD", [b, c]),
                                    ("store_attribute", "x", [b, a]), ("delete_attribute", "x", [a])]),
    ("a[b]", [("load_item", None, [a, b])]),
    ("a[b] = c", [("store_item", None, [c, a, b])]),
    ("del a[b]", [("delete_item", None, [a, b])]),
    ("a[b] += c", [("load_item", None, [a, b]), ("write_binary", "INPLACE_ADD", [b, c]), ("store_item", None, [b, a, b])]),
    ("a[b][c]", [("load_item", None, [a, b]), ("load_item", None, [b, c])]),
    ("a + b", [("binary", "ADD", [a, b])]),
    ("a - b", [("binary", "SUBTRACT", [a, b])]),
    ("a % b", [("binary", "REMAINDER", [a, b])]),
    ("a @ b", [("binary", "MATRIX_MULTIPLY", [a, b])]),
    ("a %= b", [("write_binary", "INPLACE_REMAINDER", [a, b])]),
    ("a @= b", [("write_binary", "INPLACE_MATRIX_MULTIPLY", [a, b])]),
    ("a < b", [("binary", None, [a, b])]),
    ("a < b < c", [("binary", None, [a, b]), ("binary", None, [b, c])]),
    ("a in b", [("contains", None, [a, b])]),
    ("a not in b", [("contains", None, [a, b])]),
    ("a is b", [("identity", None, [a, b])]),
    ("a and b", [("truth", None, [a])]),
    ("not a", [("truth", None, [a])]),
    ("if a: f(b)", [("truth", None, [a]), ("call", None, [f, b])]),
    ("while a: break", [("truth", None, [a])]),
    ("if a in b: pass", [("contains", None, [a, b])]),
    ("if a is None or b: pass", [("truth", None, [b])]),
    ("if (a is b) if k else c: pass", [("truth", None, [k]), ("truth", None, [c])]),
    ("for x in a: pass", [("iterate", None, [a])]),
    ("[x for x in a]", [("iterate", None, [a])]),
    ("x, y, z = a", [("iterate", None, [a])]),
    ("x, *y = a", [("iterate", None, [a])]),
    ("[*a]", [("iterate", None, [a])]),
    ("{*a}", [("iterate", None, [a])]),
    ("{**d}", [("iterate", None, [d])]),
    ("(yield from a)", [("iterate", None, [a])]),
    ("f'{a}'", [("format", None, [a])]),
    ("f'{a!r}{b}'", [("format", None, [a]), ("format", None, [b])]),
    ("f'{k:{k}}'", [("format", None, [k]), ("format", None, [k, Any_(lambda v: v == "0")])]),
    ("match d:\n    case {'k': 1}: pass", [("iterate", None, [d]), ("match", None, [d, keys])]),
    ("match d:\n    case {'k': 1, **x}: f(x)", [("match", None, [d, keys]), ("call", None, [f, Any_(lambda v: v == {})])]),
    ("match i:\n    case [x, *y]: f(x)", [("iterate", None, [i]), ("call", None, [f, 1])]),
    ("match a:\n    case Thing(plain=1): pass", [("match", None, [a, Thing, keys])]),
    ("import os.path as x; f(x)", [("import_name", "os.path", [0, None]), ("load_attribute", "path", [os]), ("call", None, [f, os.path])]),
    ("from os import path; f(path)", [("import_name", "os", [0, imported]), ("load_attribute", "path", [os]), ("call", None, [f, os.path])]),
    ("try: f(a)\nexcept ValueError: f(b)\nelse: f(c)\nfinally: f(k)", [("call", None, [f, a]), ("call", None, [f, c]), ("call", None, [f, k])]),
    ("try: raise KeyError\nexcept (ValueError, KeyError) as e: f(a)", [("call", None, [f, a])]),
    ("def g(): return f(a)\nreturn g()", [("call", None, [made_by_def]), ("call", None, [f, a])]),
    ("x = (f(y) for y in i); return list(x)", [("iterate", None, [i]), ("call", None, [list, Any_(lambda v: True)]),
        ("call", None, [f, 1]), ("call", None, [f, 2]), ("call", None, [f, 3])]),
]  # fmt: skip
# In some versions an event is not had, because there an instruction does it that has no operands of another.
_ONLY_IN_SOME = ("iterate", "truth", "format", "match", "identity")


def check_events(body: str, expected: list[tuple[str, Any, list[Any]]]) -> None:
    recorder = Recorder()
    source = "def function(a, b, c, d, i, f, k):\n" + textwrap.indent(body, "    ")
    function = with_probes(compiled(source, Thing=Thing), recorder)
    with watched(), contextlib.suppress(ValueError, AssertionError):
        result = function(a, b, c, d, i, f, k)
        if hasattr(result, "send"):
            list(result)
    given = [_unified(*each) for each in recorder.noted if each[0] not in _VARIABLES]
    given = [each for each in given if not (each[0] == "call" and _is_comprehension(each[2][0]))]
    wanted = [(event, argument, [Same(each) for each in operands]) for event, argument, operands in expected]
    for each in given:
        if wanted and _fits(each, wanted[0]):
            del wanted[0]
        else:
            assert each[0] in _ONLY_IN_SOME or body[:5] == "match", f"{body!r} has {each}, not {wanted[:1]}"
    assert not wanted, f"{body!r} has no {wanted} in {given}"


def _unified(event: str, argument: Any, operands: tuple[Any, ...]) -> tuple[str, Any, tuple[Any, ...]]:
    """An event as all versions have it: the names of arguments are an operand in some, and the site's argument in others."""
    if event == "call_named":
        return "call named", operands[-1], operands[:-1]
    if event == "call" and argument is not None:
        return "call named", argument, operands
    if event == "import_name":
        return event, argument[1], operands
    return event, argument, operands


def _fits(given: tuple[str, Any, tuple[Any, ...]], wanted: tuple[str, Any, list[Any]]) -> bool:
    return given[:2] == wanted[:2] and len(given[2]) == len(wanted[2]) and all(map(operator.eq, wanted[2], given[2]))


def _is_comprehension(called: Any) -> bool:
    return getattr(called, "__name__", "") in ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")


def check_slices() -> None:
    """Slices are one object, or, in later versions, their ends lie on the stack."""
    for body, event, operands in (("i[k:2]", "load", [i]), ("i[k:2] = [1, 2]", "store", [[1, 2], i]), ("del i[3:]", "delete", [i])):
        recorder = Recorder()
        function = with_probes(compiled(f"def function(i, k): {body}"), recorder)
        with watched():
            function(i, k)
        [noted] = [each for each in recorder.noted if each[0].startswith((f"{event}_item", f"{event}_slice"))]
        ends = noted[2][len(operands) :]
        assert list(noted[2][: len(operands)]) == operands and noted[2][len(operands) - 1] is i
        assert ends in ((slice(0, 2),), (0, 2), (slice(3, None),)), noted


def check_super() -> None:
    """Of `super().name`, the class and the object are known: in later versions one instruction does it, without an object of `super`."""
    recorder = Recorder()
    source = """
        class Base: value = 1
        class Derived(Base):
            def get(self): return super().value, super(Derived, self).value
        thing = Derived()
        function = Derived.get
    """
    original = compiled(source)
    function = with_probes(original, recorder)
    space = original.__globals__
    with watched():
        assert function(space["thing"]) == (1, 1)
    found = []
    for event, argument, operands in recorder.noted:
        if event == "load_super":
            assert operands[0] is super
            found.append((argument, *operands[1:]))
        elif event == "load_attribute":
            found.append((argument, operands[0].__thisclass__, operands[0].__self__))
    assert found == [("value", space["Derived"], space["thing"])] * 2


def check_variables() -> None:
    """Global variables are known by their dict, those of outer functions by their cells."""
    recorder = Recorder()
    source = """
        value = gone = 1
        def outer():
            free = gone_free = own = 1
            def function():
                global value, gone
                nonlocal free, gone_free
                local = value; value = local; del gone
                free; free = local; del gone_free
                def inner(): return own_of_inner
                own_of_inner = own
                return inner()
            return function
        function = outer()
    """
    original = compiled(source)
    function = with_probes(original, recorder)
    cells = dict(zip(original.__code__.co_freevars, original.__closure__))
    space = original.__globals__
    with watched():
        function()
    given = [each for each in recorder.noted if each[0] in _VARIABLES and each[1] != "own_of_inner"]
    assert [(event, argument[1] if isinstance(argument, tuple) else argument) for event, argument, _ in given] == [
        ("load_global", "value"), ("store_global", "value"), ("delete_global", "gone"),
        ("load_cell", "free"), ("store_cell", "free"), ("delete_cell", "gone_free"), ("load_cell", "own"),
    ]  # fmt: skip
    for event, argument, operands in given:
        if "global" in event:
            assert argument[0] is space and operands == ((1,) if event == "store_global" else ())
        else:
            assert operands[0] is cells[argument] and operands[1:] == ((1,) if event == "store_cell" else ())


# --------------------------------------------------------------------------------------------------------------- structure


def check_structure(code: CodeType, count: int) -> None:
    """With `count` instructions before each, all others, their jumps, places and handlers are those of the code."""
    instructions = listing.instructions(code)
    same = listing.assemble(code, instructions, code.co_consts, code.co_stacksize)
    assert (same.co_code, list(same.co_lines()), _handlers(same)) == (code.co_code, list(code.co_lines()), _handlers(code))
    for each in instructions:
        each.before = listing.words("NOP") * count
    new = listing.assemble(code, instructions, code.co_consts, code.co_stacksize)
    old_listed, new_listed = _listed(code), _listed(new)
    assert len(new_listed) == (count + 1) * len(old_listed)
    begins = {each.begin: index for index, each in enumerate(old_listed)}
    new_begins = {each.begin: index for index, each in enumerate(new_listed)}
    handlers, new_handlers = _by_offset(code), _by_offset(new)
    places, new_places = _places(code), _places(new)
    for index, new_each in enumerate(new_listed):
        old = old_listed[index // (count + 1)]
        assert places[old.offset] == new_places[new_each.offset], (code, old)
        handler, new_handler = handlers[old.offset], new_handlers[new_each.offset]
        assert (handler is None) == (new_handler is None), (code, old)
        if handler is not None:
            assert begins[handler[0]] * (count + 1) == new_begins[new_handler[0]] and handler[1:] == new_handler[1:], (code, old)
        if index % (count + 1) == count:
            assert new_each.name == old.name, (code, old)
            if old.jumps:
                assert begins[old.value] * (count + 1) == new_begins[new_each.value], (code, old)
            else:
                assert new_each.value is old.value or repr(new_each.value) == repr(old.value), (code, old)


class Listed:
    """An instruction as Python itself lists it, with the offset of the first of the words that are its own."""

    def __init__(self, each: Any, begin: int) -> None:
        self.name, self.value, self.offset, self.begin = each.opname, each.argval, each.offset, begin
        self.jumps = each.opcode in dis.hasjrel or each.opcode in dis.hasjabs


def _listed(code: CodeType) -> list[Listed]:
    result, begin = [], None
    for each in dis.get_instructions(code):
        begin = each.offset if begin is None else begin
        if each.opname != "EXTENDED_ARG":
            result.append(Listed(each, begin))
            begin = None
    return result


def _handlers(code: CodeType) -> list[Any]:
    return [] if VERSION < (3, 11) else [tuple(getattr(each, name) for name in _OF_HANDLERS) for each in dis._parse_exception_table(code)]


_OF_HANDLERS = "start", "end", "target", "depth", "lasti"


def _by_offset(code: CodeType) -> list[Any]:
    """For each offset, where an exception goes."""
    result: list[Any] = [None] * len(code.co_code)
    for start, end, *handler in _handlers(code):
        result[start:end] = [handler] * (end - start)
    return result


def _places(code: CodeType) -> list[Any]:
    """For each offset, the line, and the columns where Python knows them."""
    if VERSION >= (3, 11):
        return [place for place in code.co_positions() for _ in range(2)]
    return [line for start, end, line in code.co_lines() for _ in range(start, end)]


def check_height(code: CodeType) -> None:
    """The stack of code with probes is high enough."""
    new = rewrite.Rewriter(Recorder())(code, {})
    assert _height(code) <= code.co_stacksize and _height(new) <= new.co_stacksize, code


def _height(code: CodeType) -> int:
    """How high the stack may be."""
    listed = [each for each in dis.get_instructions(code) if each.opname != "EXTENDED_ARG"]
    begins = {each.begin: index for index, each in enumerate(_listed(code))}
    handlers = _by_offset(code)
    waiting, seen, most = [(0, 0)], set(), 0
    while waiting:
        index, height = waiting.pop()
        while index not in seen:
            seen.add(index)
            each = listed[index]
            argument = each.arg if each.opcode >= dis.HAVE_ARGUMENT else None
            if handlers[each.offset] is not None:
                target, depth, lasti = handlers[each.offset]
                waiting.append((begins[target], depth + 1 + lasti))
            if each.opcode in dis.hasjrel or each.opcode in dis.hasjabs:
                if each.opname != "END_ASYNC_FOR":
                    waiting.append((begins[each.argval], height + dis.stack_effect(each.opcode, argument, jump=True)))
            height += dis.stack_effect(each.opcode, argument, jump=False)
            most = max(most, height, *[waiting_height for _, waiting_height in waiting[-1:]])
            if each.opname in rewrite._FINAL:
                break
            index += 1
    return most


def codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from codes(constant)


def library_files() -> list[str]:
    """Python's own modules, and their tests, where they are installed."""
    folder = sysconfig.get_paths()["stdlib"]
    if not os.path.isdir(folder):
        folder = os.path.dirname(os.__file__)
    return sorted(glob.glob(f"{folder}/*.py") + glob.glob(f"{folder}/*/*.py"))


def module_code(file: str) -> CodeType | None:
    try:
        with tokenize.open(file) as opened:
            return compile(opened.read(), file, "exec", dont_inherit=True)
    except (SyntaxError, UnicodeError, ValueError):
        return None


def check_file(file: str) -> None:
    code = module_code(file)
    for each in [] if code is None else codes(code):
        check_structure(each, 1 + len(each.co_code) % 3)
        check_height(each)


# ------------------------------------------------------------------------------------------------- Python's own modules


def with_probes_in(name: str, recorder: Recorder) -> ModuleType:
    """A module of Python, made once more of code with probes."""
    spec = importlib.util.find_spec(name)
    code = compile(spec.loader.get_source(name), spec.origin or name, "exec", dont_inherit=True)
    module = ModuleType(name)
    module.__spec__, module.__file__, module.__package__ = spec, spec.origin, spec.parent
    if spec.submodule_search_locations:
        module.__path__ = spec.submodule_search_locations
    with mock.patch.dict(sys.modules, {name: module}):
        exec(rewrite.Rewriter(recorder)(code, vars(module)), vars(module))
    return module


_TEXT = "the quick (brown) fox, jumps\n\tover 12.5e3 'lazy' dogs -- again & again\n" * 9


def _json_texts(decoder: Any, encoder: Any) -> Any:
    value = {"a": [1, 2.5, None, True, "x\u1234\n"], "b": {"c": {}, "d": []}, "e": -1e100}
    reader = decoder.JSONDecoder()
    reader.parse_string, reader.scan_once = decoder.py_scanstring, decoder.scanner.py_make_scanner(reader)
    encoder.c_make_encoder = None
    text = encoder.JSONEncoder(indent=1, sort_keys=True).encode(value)
    bad = []
    for each in ("[1,", "{", '{"a" 1}', "nope", '"\\x"'):
        try:
            reader.decode(each)
        except ValueError as error:
            bad.append(str(error))
    return text, reader.decode(text), bad


def _datetime(module: Any) -> Any:
    day = module.datetime(2024, 2, 29, 13, 5, 7, 9, tzinfo=module.timezone(module.timedelta(hours=2)))
    return repr(day), day.isoformat(), day.strftime("%A %d %B %j"), str(day - module.timedelta(days=366.5)), repr(module.date.fromisoformat("2020-01-05"))


def _heap(module: Any) -> Any:
    heap = [7, 3, 9, 1, 5]
    module.heapify(heap)
    module.heappush(heap, 4)
    return module.heappop(heap), heap, list(module.merge([1, 4], [2, 3])), module.nsmallest(3, "hello world"), module.nlargest(2, [3, 1, 2], key=abs)


def _parsed(module: Any) -> Any:
    parser = module.ArgumentParser(prog="p", description=_TEXT)
    parser.add_argument("files", nargs="*")
    parser.add_argument("--number", type=int, default=3, choices=[3, 4])
    return parser.format_help(), sorted(vars(parser.parse_args(["a", "b", "--number", "4"])).items())


def _configured(module: Any) -> Any:
    parser = module.ConfigParser()
    parser.read_string("[a]\nx = 1\ny = %(x)s2\n[b]\nz: yes\n")
    return parser["a"]["y"], parser.getboolean("b", "z"), parser.sections()


def _pickled(module: Any) -> Any:
    import io

    file = io.BytesIO()
    module._Pickler(file, 4).dump(({"a": [1, 2.5, (3,)]}, {1}, b"x" * 300, -(10**30), len))
    return file.getvalue(), module._Unpickler(io.BytesIO(file.getvalue())).load()


# What is asked of each module, the same with probes and without.
MODULES: dict[str, Callable[[Any], Any]] = {
    "textwrap": lambda m: (m.wrap(_TEXT, 20), m.dedent(_TEXT), m.shorten(_TEXT, 30), m.indent(_TEXT, "> ")),
    "difflib": lambda m: ("".join(m.ndiff(_TEXT.splitlines(1), _TEXT.title().splitlines(1))), list(m.unified_diff(list("abcd"), list("bcxd"))),
                          m.get_close_matches("appel", ["ape", "apple", "peach"])),
    "heapq": _heap,
    "ast": lambda m: m.unparse(m.parse(inspect.getsource(textwrap) + inspect.getsource(difflib))),
    "tokenize": lambda m: [tuple(each) for each in m.generate_tokens(iter(inspect.getsource(textwrap).splitlines(True)).__next__)],
    "argparse": _parsed,
    "configparser": _configured,
    "pickle": _pickled,
    "_pydecimal": lambda m: (str(m.Decimal("1") / m.Decimal(7)), str(m.Decimal(2).sqrt()), str(m.Decimal("1.5") ** 3)),
    "statistics": lambda m: (m.mean([1, 2, 4]), m.stdev([1.5, 2, 9]), m.quantiles(range(10)), m.multimode("aab")),
    "fractions": lambda m: (str(m.Fraction(3, 4) + m.Fraction("0.25") ** 2), m.Fraction(3.75).limit_denominator(3)),
    "string": lambda m: (m.Formatter().format("{0:>{1}} {a.real!r}", 1, 5, a=2), m.Template("$a ${b}").substitute(a=1, b=2), m.capwords("a bc")),
    "_pydatetime" if VERSION >= (3, 12) else "datetime": _datetime,
    "shlex": lambda m: (m.split("a 'b c' \"d\" # e", comments=True), m.quote("a b")),
    "copy": lambda m: m.deepcopy({"a": [1, (2, [3])], "b": {4}}),
    "pprint": lambda m: m.pformat({"a" * 9: list(range(40)), "b": {"c": _TEXT}}),
    "html.parser": lambda m: m.HTMLParser().feed("<a href='x'>b &amp; c</a><!-- d -->"),
    "reprlib": lambda m: m.repr([[[list(range(100))]]]),
    "graphlib": lambda m: list(m.TopologicalSorter({"d": {"b", "c"}, "b": {"a"}, "c": {"a", "b"}}).static_order()),
    "random": lambda m: (m.Random(3).sample(range(100), 5), m.Random(3).gauss(0, 1), m.Random(4).choices("abc", k=4)),
    "colorsys": lambda m: [m.rgb_to_hls(0.2, 0.4, 0.4), m.hsv_to_rgb(0.5, 0.5, 0.4)],
    "ipaddress": lambda m: ([str(each) for each in m.ip_network("192.0.2.0/29").hosts()], m.ip_address("::1").exploded),
}  # fmt: skip


def check_module(name: str) -> None:
    if importlib.util.find_spec(name) is None:
        return
    exercise = MODULES[name]
    recorder = Recorder()
    original = importlib.import_module(name)
    with watched():
        given = repr(exercise(with_probes_in(name, recorder)))
    assert given == repr(exercise(original))
    assert len(recorder.noted) > 20


def check_json() -> None:
    recorder = Recorder()
    expected = _json_texts(with_probes_in("json.decoder", Recorder()), with_probes_in("json.encoder", Recorder()))
    with watched():
        assert _json_texts(with_probes_in("json.decoder", recorder), with_probes_in("json.encoder", recorder)) == expected
    assert len(recorder.noted) > 1000


# Tests of Python's own that show how code is executed: they pass with probes as they do without.
OWN_TESTS = (
    "test_grammar", "test_syntax", "test_generators", "test_coroutines", "test_asyncgen", "test_patma", "test_with", "test_exceptions", "test_raise",
    "test_except_star", "test_exception_group", "test_listcomps", "test_genexps", "test_dictcomps", "test_setcomps", "test_scope", "test_super",
    "test_descr", "test_class", "test_decorators", "test_dataclasses", "test_fstring", "test_type_params", "test_type_aliases", "test_call",
    "test_extcall", "test_keywordonlyarg", "test_positional_only_arg", "test_named_expressions", "test_augassign", "test_unpack", "test_unpack_ex",
    "test_contextlib", "test_contextlib_async", "test_functools", "test_itertools", "test_collections", "test_dict", "test_list", "test_set",
    "test_slice", "test_string", "test_richcmp", "test_opcodes", "test_compare", "test_contains", "test_iter", "test_yield_from", "test_typing",
    "test_enum", "test_lambda", "test_global", "test_nonlocal", "test_tstring", "test_annotationlib", "test_pep646_syntax", "test_property",
    "test_metaclass", "test_binop", "test_bool", "test_operator", "test_asyncio.test_locks", "test_asyncio.test_taskgroups", "test_ast", "test_textwrap", "test_difflib", "test_heapq",
)  # fmt: skip


# A call of a site is deeper than the program; and names are looked up in a module that is there under the name of another.
_LEFT_OUT = "test_recursion_in_except_handler", "test_text_annotations"


def _cases(suite: unittest.TestSuite) -> Iterator[unittest.TestCase]:
    for each in suite:
        if isinstance(each, unittest.TestSuite):
            yield from _cases(each)
        elif each.id().rpartition(".")[2] not in _LEFT_OUT:
            yield each


def check_own_test(name: str) -> str:
    """Python's test with probes fails nowhere where it does not fail without."""
    results = []
    for probes in (False, True):
        recorder = Recorder(keeps=False)
        try:
            module = with_probes_in(f"test.{name}", recorder) if probes else importlib.import_module(f"test.{name}")
        except (ImportError, AttributeError, unittest.SkipTest):
            return "is not there"
        suite = unittest.TestSuite()
        with mock.patch.dict(sys.modules, {f"test.{name}": module}):
            suite.addTests(_cases(unittest.defaultTestLoader.loadTestsFromModule(module)))
            result = unittest.TestResult()
            with watched(), contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()), warnings.catch_warnings():
                suite.run(result)
        results.append({str(each): text for each, text in result.failures + result.errors})
    more = {each: text for each, text in results[1].items() if each not in results[0]}
    assert not more, "\n".join(f"{each}: {text}" for each, text in more.items())
    return f"{result.testsRun} tests, {len(results[0])} of which fail without probes, too"


# ----------------------------------------------------------------------------------------------------------------- the run


def pytest_generate_tests(metafunc: Any) -> None:
    for name, values in (("program_name", PROGRAMS), ("module_name", MODULES), ("own_test", OWN_TESTS)):
        if name in metafunc.fixturenames:
            metafunc.parametrize(name, list(values))


def test_programs(program_name: str) -> None:
    check_program(program_name)


def test_events() -> None:
    for body, expected in EVENTS:
        check_events(body, expected)
    check_slices()
    check_super()
    check_variables()


def test_modules(module_name: str) -> None:
    check_module(module_name)


def test_json() -> None:
    check_json()


def test_some_files() -> None:
    for file in library_files()[::150]:
        check_file(file)


try:
    import pytest
except ImportError:
    pass
else:

    @pytest.mark.long
    @pytest.mark.timeout(1800)
    def test_all_files() -> None:
        for file in library_files():
            check_file(file)

    @pytest.mark.long
    @pytest.mark.timeout(1800)
    def test_own_tests(own_test: str) -> None:
        """In a process of its own: Python's test of `ast` makes an interpreter, behind which torch's backward does not run any more."""
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            process.submit(check_own_test, own_test).result()


def main(is_long: bool) -> None:
    """What pytest runs, where there is no pytest."""
    checks = [functools.partial(check_program, each) for each in PROGRAMS] + [functools.partial(check_events, *each) for each in EVENTS]
    checks += [check_slices, check_super, check_variables, check_json, *[functools.partial(check_module, each) for each in MODULES]]
    checks += [functools.partial(check_file, each) for each in library_files()[:: 1 if is_long else 150]]
    checks += [functools.partial(check_own_test, each) for each in OWN_TESTS if is_long]
    failed = 0
    for check in checks:
        try:
            check()
        except Exception:
            failed += 1
            traceback.print_exc()
    print(f"{len(checks) - failed} passed, {failed} failed")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main(sys.argv[1:] == ["long"])


# ------------------------------------------------------------------------------------------------------------------ callees


class Doubled:
    """In the stead of `float` and of `isfinite` something else is called."""

    names = frozenset(("float", "isfinite"))
    functions = {float: lambda *values: ("float", *values), math.isfinite: lambda value: ("isfinite", value)}

    def __getitem__(self, function: Any) -> Any:
        return self.functions.get(function, function)


CALLEES = {
    "float(x)": ("float", 3),
    "float()": ("float",),
    "float(abs(x))": ("float", 3),
    "float(pow(x, 2))": ("float", 9),
    "float(x + 1) + float(x)": ("float", 4, "float", 3),
    "float(float(x))": ("float", ("float", 3)),
    "math.isfinite(x)": ("isfinite", 3),
    "math.isfinite(math.sqrt(x + 1))": ("isfinite", 2.0),
    "isfinite(x)": ("isfinite", 3),
    "float(*[x])": 3.0,  # calls with a star and what is no call are what they are
    "float.fromhex('0x1')": 1.0,
    "[float, pow(x, 2)]": [float, 9],
    "[float, abs(x)]": [float, 3],
    "type(1.0) is float": True,
    "isinstance(x, float)": False,
    "list(map(float, [x]))": [3.0],
    "{float: x}[float]": 3,
    "(math.isfinite, x)": (math.isfinite, 3),
    "(lambda: float(x))()": ("float", 3),
    "float(x if x > 2 else 1)": None,  # a jump between the two: either is right
}


@pytest.mark.parametrize("source", CALLEES)
def test_what_is_called_by_a_name(source: str) -> None:
    function = compiled(f"def function(x):\n    return {source}", math=math, isfinite=math.isfinite)
    code = rewrite.Rewriter(Recorder(), Doubled())(function.__code__, function.__globals__)
    new = FunctionType(code, function.__globals__)
    expected = CALLEES[source]
    for watch in (None, WATCH):
        with watched(watch):
            result = new(3)
        assert result == expected or (expected is None and result in (3.0, ("float", 3)))


def test_what_is_called_by_a_name_of_an_imported_module() -> None:
    """Python 3.11 loads functions of modules that the same file imports as attributes."""
    space: dict[str, Any] = {}
    exec("import math\ndef function(x):\n    return math.isfinite(x), math.isfinite", space)
    code = rewrite.Rewriter(Recorder(), Doubled())(space["function"].__code__, space)
    assert FunctionType(code, space)(3) == (("isfinite", 3), math.isfinite)
