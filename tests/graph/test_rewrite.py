"""User code with probes does what it did, and its sites are given the right operands: in every version of Python.

It needs no torch, so that it runs with every version of Python: `python tests/graph/test_rewrite.py`, and
`python tests/graph/test_rewrite.py long` with the rewritten standard library.
"""

from __future__ import annotations

import contextlib
import dis
import functools
import importlib.util
import linecache
import operator
import os
import sys
import sysconfig
import textwrap
import threading
import traceback
import unittest
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

VERSION = sys.version_info[:2]


if importlib.util.find_spec("torch") is None:  # folders take the places of packages, whose own files need torch
    for package in ("tritonflow", "tritonflow.graph", "tritonflow.graph.watch"):
        sys.modules[package] = ModuleType(package)
        sys.modules[package].__path__ = [os.path.join(os.path.dirname(__file__), "..", "..", *package.split("."))]
from tritonflow.graph.watch import rewrite  # noqa: E402


class Recorder(defaultdict):
    """Events that are noted: their names, the sites' arguments and the operands."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[tuple[str, Any, tuple[Any, ...]]] = []

    def __missing__(self, event: str) -> Callable[..., None]:
        def note(watch: Any, argument: Any, operands: tuple[Any, ...]) -> None:
            assert type(operands) is tuple and all([type(each) is not None for each in operands])
            self.noted.append((event, argument, operands))

        self[event] = note
        return note


@contextlib.contextmanager
def watched(watch: Any = "the watch") -> Iterator[None]:
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
    exec(compile(source, file, "exec"), space)
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
    for watch in (None, "the watch"):
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
