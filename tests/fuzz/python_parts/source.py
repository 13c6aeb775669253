"""A program of Python as a script: parts, where their bodies stand, how the step is called, and what happens between the calls."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tests.fuzz.python_parts.grammar import Part

MODULES = ("collections contextlib contextvars copy dataclasses enum functools heapq itertools math operator os random re sys tempfile"
    " threading time types warnings weakref").split()  # fmt: skip
IMPORTS = """
import numpy
import tritonflow as flow
import tritonflow.utils.checkpoint
from tritonflow import nn
"""
INPUTS = """
cleanup, outs = [], []
x0, x1, x2 = flow.tensor([1.0, -2.0]), flow.tensor([0.5, 3.0]), flow.tensor([1.0, 2.0, -1.0])
"""
# How the step is called, by the name of the form: the lines around it, where STEP is its definition and FOLLOWS the setups.
FORMS = {
    "function": "SETUP\nSTEP\ncall = wrap(step)",
    "decorated": "SETUP\n@wrap\nSTEP\ncall = step",
    "lambda": "SETUP\nSTEP\ncall = wrap(lambda *args, **kwargs: step(*args, **kwargs))",
    "partial": "SETUP\nSTEP\ncall = wrap(functools.partial(step))",
    "inside": "SETUP\nSTEP\ninner = wrap(step)\ndef call(*args, **kwargs):\n    return inner(*args, **kwargs)",
    "closure": "def make():\n    SETUP\n    STEP\n    CHANGES\n    return step, changes, given\nstep, changes, given = make()\ncall = wrap(step)",
    "method": "class Me:\n    STEP\nme = Me()\nSETUP\ncall = wrap(me.step)",
    "decorated method": "class Me:\n    @wrap\n    STEP\nme = Me()\nSETUP\ncall = me.step",
    "callable": "class Me:\n    STEP\nme = Me()\nSETUP\ncall = wrap(me)",
    "module": "class Me(nn.Module):\n    STEP\nme = Me()\nSETUP\ncall = wrap(me)",
    "forward": "class Me(nn.Module):\n    STEP\nme = Me()\nSETUP\nme.forward = wrap(me.forward)\ncall = me",
    "two": "SETUP\nSTEP\nturns = itertools.cycle([wrap(step), wrap(lambda *args, **kwargs: step(*args, **kwargs))])\n"
    "def call(*args, **kwargs):\n    return next(turns)(*args, **kwargs)",
    "part of a model": "class Me(nn.Module):\n    STEP\nme = Me()\nSETUP\nbody = wrap(me)\nstem, head = nn.Linear(2, 2), nn.Linear(2, 2)\n"
    "def call(x, *args, **kwargs):\n    found = body(stem(x), *args, **kwargs)\n"
    "    head(tensors(found)[0][:2] * 0.5).sum().backward()\n    return found",
    "checkpointed": "SETUP\nSTEP\ninner = wrap(step)\ndef call(x, *args, **kwargs):\n"
    "    return flow.utils.checkpoint.checkpoint(inner, x, *args, use_reentrant=False, **kwargs)",
    "vmapped": "SETUP\nSTEP\ninner = wrap(step)\ndef call(x, *args, **kwargs):\n"
    "    return flow.vmap(lambda row: inner(row, *args, **kwargs))(flow.stack([x, x * 2]))",
    "generator": "SETUP\nSTEP\ninner = wrap(step)\ndef call(*args, **kwargs):\n    return list(inner(*args, **kwargs))",
    "coroutine": "SETUP\nSTEP\ninner = wrap(step)\ndef call(*args, **kwargs):\n"
    "    try:\n        inner(*args, **kwargs).send(None)\n    except StopIteration as stop:\n        return stop.value",
    "graph": "SETUP\nSTEP\ncall = wrap(step)",
}  # fmt: skip
RESULTS = {"tuple": "(y, *also)", "list": "[y, *also]", "dict": "{'y': y, 'also': also}", "none": "None", "namespace": "types.SimpleNamespace(y=y, also=also)"}
NAMES = {"callable": "__call__", "module": "forward", "forward": "forward", "part of a model": "forward"}
# The step as it was written, where a program has it besides.
RAW = {"function": "step", "two": "step", "lambda": "step", "partial": "step", "inside": "step", "closure": "step", "method": "me.step", "callable": "me", "module": "me"}
OF_OBJECTS = ("method", "decorated method", "callable", "module", "forward", "part of a model")
PLACES = ("inline", "function", "nested", "generator", "method", "map")


@dataclass(frozen=True)
class Setting:
    """How something is written, other than usual.

    Attributes:
        key: `form`, `source`, `result`, `sizes`, or a part's number, for where its body stands.
        value: the choice.
    """

    key: str | int
    value: str


@dataclass(frozen=True)
class Event:
    """What happens after the definitions.

    Attributes:
        text: a line. Of a call, its first argument.
        part: the number of the part that it belongs to, or -1.
        arguments: of a call: the expressions by the numbers of the parts that take them.
        around: of a call: a statement around it, such as `with flow.no_grad():`.
        callee: of a call: what is called.
    """

    text: str
    part: int = -1
    arguments: tuple[tuple[int, str], ...] | None = None
    around: str = ""
    callee: str = "call"


@dataclass
class PythonProgram:
    """Parts, settings and events, in this order.

    Attributes:
        seed: which it was drawn from.
        statements: all of them.
    """

    seed: int
    statements: list[Part | Setting | Event]

    def without(self, position: int) -> PythonProgram:
        """Without one of them; what belongs to a part goes with it."""
        gone = self.statements[position]
        rest = self.statements[:position] + self.statements[position + 1 :]
        if isinstance(gone, Part):
            rest = [s for s in rest if not (isinstance(s, Event) and s.part == gone.number or isinstance(s, Setting) and s.key == gone.number)]
        return replace(self, statements=rest)

    def outline(self) -> str:
        """What it is about."""
        return " + ".join([f"{p.family}: {p.name}" for p in self.parts] or [self._setting("form", "function")])

    # ---- what it has

    @property
    def parts(self) -> list[Part]:
        return [s for s in self.statements if isinstance(s, Part)]

    @property
    def form(self) -> str:
        return self._setting("form", "function")

    @property
    def source_is(self) -> str:
        """Where the functions' source is found: a file, linecache or none."""
        return self._setting("source", "file")

    @property
    def kind(self) -> str:
        return "graph" if self.form == "graph" else "dynamic" if self._setting("sizes", "few") == "dynamic" else "compile"

    def _setting(self, key: str | int, usual: str) -> str:
        return next((s.value for s in self.statements if isinstance(s, Setting) and s.key == key), usual)

    # ---- texts

    def definitions(self) -> str:
        """All but the events."""
        setups = [p.setup for p in self.parts if p.setup] + [self._placed_outside(p) for p in self.parts]
        if self.form in ("module", "forward", "part of a model"):
            setups += [f"me.{m} = {m}" for p in self.parts for m in p.modules]
        setups += [f"modules = [{', '.join(m for p in self.parts for m in p.modules)}]"] if self.form == "graph" else []
        setups += [f"optimizers = [{', '.join(p.optimizer for p in self.parts if p.optimizer)}]"] if self.form == "graph" else []
        setup = "\n".join(s for s in setups if s)
        step = self._step()
        if self.form not in OF_OBJECTS and re.search(r"\bme\.", setup + step + "".join(map(self._text, self._events()))):
            setup = "me = nn.Module()\n" + setup
        filled = {"SETUP": setup, "STEP": step, "CHANGES": self._changes()}
        text = FORMS[self.form]
        for word, lines in filled.items():
            text = re.sub(rf"^( *){word}$", lambda match, lines=lines: textwrap.indent(lines, match[1]), text, flags=re.MULTILINE)  # type: ignore[misc]
        if self.form == "closure":
            text = re.sub(r"\bglobal (?=\w+_\d)", "nonlocal ", text)
        return text

    def events(self) -> list[str]:
        """Each as lines to be executed."""
        changes = [e for e in self._events() if e.part >= 0 and e.arguments is None]
        return [f"changes[{changes.index(e)}]()" if self.form == "closure" and e in changes else self._text(e) for e in self._events()]

    def source(self, name: str = "") -> str:
        """A script that runs the program in eager mode and captured, and shows what differs."""
        definitions, events = self.definitions(), self.events()
        shown = name if _is_expression(name) else "outs[-1:]"
        text = "\n".join([definitions, *events, shown])
        helpers = [TENSORS] * ("tensors(" in text) + ["folder = tempfile.mkdtemp()"] * ("{folder}" in text) + [INPUTS]
        wraps = {
            "compile": "wrap = (lambda f: f) if sys.argv[1] == 'eager' else flow.compile",
            "dynamic": "wrap = (lambda f: f) if sys.argv[1] == 'eager' else functools.partial(flow.compile, dynamic=True)",
            "graph": GRAPH + EITHER,
        }[self.kind]
        found = "\n".join([*helpers, wraps, text])
        modules = [m for m in MODULES if m not in ("sys", "random") and re.search(rf"\b{m}\.", found)]
        return SCRIPT.format(
            modules=", ".join(["random", "subprocess", "sys", *modules]), imports=IMPORTS.strip(), wraps=wraps.strip(), inputs="\n".join(map(str.strip, helpers)),
            definitions=definitions, events="\n".join(f"    {event!r}," for event in events), shown=shown,
        )  # fmt: skip

    def _events(self) -> list[Event]:
        return [s for s in self.statements if isinstance(s, Event)]

    def _text(self, event: Event) -> str:
        if event.arguments is None:
            return event.text
        there = {p.number for p in self.parts}
        arguments = [event.text, *[f"k_{n}={self._given(e)}" for n, e in event.arguments if n in there]]
        call = f"outs.append({event.callee}({', '.join(arguments)}))"
        return f"{event.around}\n    {call}" if event.around else call

    def _changes(self) -> str:
        """Of a closure: functions that change its variables, and functions that give arguments."""
        lines, known = [], _assigned("\n".join(p.setup for p in self.parts))
        changes = [e for e in self._events() if e.part >= 0 and e.arguments is None]
        for number, event in enumerate(changes):
            names = sorted(_assigned(event.text) & known)
            body = [f"nonlocal {', '.join(names)}"] * bool(names) + [event.text]
            lines += [f"def change_{number}():", textwrap.indent("\n".join(body), "    ")]
        given = sorted({e for event in self._events() for _, e in event.arguments or () if self._given(e) != e})
        lines += [f"changes = [{', '.join(f'change_{k}' for k in range(len(changes)))}]"]
        return "\n".join([*lines, f"given = {{{', '.join(f'{e!r}: lambda: {e}' for e in given)}}}"])

    def _given(self, expression: str) -> str:
        """An argument. What names a variable of a closure is a function of the closure's."""
        return f"given[{expression!r}]()" if self.form == "closure" and re.search(r"_\d", expression) else expression

    def _step(self) -> str:
        """The function that is captured."""
        more = "".join(f", k_{p.number}=None" for p in self.parts if p.argument)
        own = "self, " if self.form in OF_OBJECTS else ""
        parts = iter(self.parts)
        bodies: list[str] = []
        while (lines := self._next(parts)) is not None:
            bodies.append(lines)
        body = "\n".join(bodies)
        uses_also = "also" in body
        result = RESULTS[self._setting("result", "tuple")] if uses_also else {"none": "None"}.get(self._setting("result", ""), "y")
        word = "yield" if self.form == "generator" else "return"
        head, tail = "also = []\ny = x * 1\n" if uses_also else "y = x * 1\n", f"\n{word} {result}"
        declared = sorted(set(re.findall(r"^ *global (\w+(?:, \w+)*)$", body, re.MULTILINE)))
        body = re.sub(r"^ *global .*\n?", "", body, flags=re.MULTILINE)
        names = f"global {', '.join(declared)}\n" if declared else ""
        define = "async def" if self.form == "coroutine" else "def"
        return f"{define} {NAMES.get(self.form, 'step')}({own}x{more}):\n" + textwrap.indent(f"{names}{head}{body}{tail}", "    ")

    def _next(self, parts: Iterator[Part]) -> str | None:
        """The lines of the next part, and of the parts inside of it."""
        part = next(parts, None)
        if part is None:
            return None
        body = self._placed(part)
        if part.is_wrapper:
            inside = self._next(parts) or "y = y + 1"
            body = re.sub(r"^( *)BODY$", lambda match: textwrap.indent(inside, match[1]), body, flags=re.MULTILINE)
        return body

    def place(self, part: Part) -> str:
        """Where a part's body stands. What assigns names of its own scope, or is around others, stands in the step."""
        place = self._setting(part.number, "inline")
        if part.is_wrapper or not part.body or place == "method" and self.form not in OF_OBJECTS:
            return "inline"
        return place

    def _placed(self, part: Part) -> str:
        more = "".join(f", k_{n}" for n in [part.number] if part.argument)
        also = ", also" if "also" in part.body else ""
        arguments, name = f"(x, y{also}{more})", f"part_{part.number}"
        body = self._body(part)
        return {
            "inline": body,
            "function": f"y = {name}{arguments}",
            "nested": self._function(part) + f"\ny = {name}{arguments}",
            "generator": f"y = next({name}{arguments})",
            "method": f"y = self.{name}{arguments}",
            "map": f"y = list(map(lambda y: {name}{arguments}, [y]))[0]",
        }[self.place(part)]

    def _placed_outside(self, part: Part) -> str:
        place = self.place(part)
        if place == "method":
            return f"{self._function(part)}\nme.{part_name(part)} = {part_name(part)}"
        return self._function(part) if place in ("function", "generator", "map") else ""

    def _function(self, part: Part) -> str:
        more = f", k_{part.number}" if part.argument else ""
        also = ", also" if "also" in part.body else ""
        last = "yield y" if self.place(part) == "generator" else "return y"
        body = self._body(part) if self.place(part) == "nested" else self._graph_body(part)
        return f"def {part_name(part)}(x, y{also}{more}):\n" + textwrap.indent(f"{body}\n{last}", "    ")

    def _body(self, part: Part) -> str:
        body = self._graph_body(part)
        return re.sub(r"\bme\.", "self.", body) if self.form in OF_OBJECTS else body

    def _graph_body(self, part: Part) -> str:
        """A graph zeroes gradients and steps its optimizers by itself."""
        if self.form != "graph" or not part.optimizer:
            return part.body
        return re.sub(rf"^( *)({part.optimizer}\.(?:zero_grad|step)\(\))$", r"\1if not in_graph: \2", part.body, flags=re.MULTILINE)


def _is_expression(text: str) -> bool:
    try:
        ast.parse(text, mode="eval")
    except SyntaxError:
        return False
    return True


def part_name(part: Part) -> str:
    return f"part_{part.number}"


def _assigned(text: str) -> set[str]:
    """The names that lines assign at their own level: variables, functions and classes."""
    found: set[str] = set()
    pending: list[ast.AST] = list(ast.parse(text).body)
    while pending:
        node = pending.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            found.add(node.id)
        elif not isinstance(node, (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            pending.extend(ast.iter_child_nodes(node))
    return found


TENSORS = """
def tensors(value):
    if isinstance(value, flow.Tensor):
        return [value] if value.dtype.is_floating_point else []
    items = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return list({id(t): t for item in items for t in tensors(item)}.values())
"""
GRAPH = """
def as_graph(step):
    class Graph(nn.Graph):
        def __init__(self):
            super().__init__()
            for number, module in enumerate(modules):
                setattr(self, f"module_{number}", module)
            for optimizer in optimizers:
                self.add_optimizer(optimizer)
        def build(self, *args, **kwargs):
            return step(*args, **kwargs)
    return Graph()
in_graph, wrap = True, as_graph
"""
EITHER = "if sys.argv[1] == 'eager':\n    in_graph, wrap = False, lambda f: f\n"
SCRIPT = '''import {modules}
{imports}

if len(sys.argv) == 1:  # this script twice: in eager mode, and captured
    for how in ("eager", "captured"):
        print(how, flush=True)
        subprocess.run([sys.executable, __file__, how])
    sys.exit()
{wraps}
random.seed(0), numpy.random.seed(0), flow.manual_seed(0)
{inputs}
{definitions}

EVENTS = [
{events}
]
for event in EVENTS:
    try:
        exec(event, globals())
    except Exception as error:
        print("   ", event, "raises", repr(error)[:300])
    try:
        print("   ", event, "->", {shown})
    except Exception:
        print("   ", event)
'''
