"""TTIR text to the tree of `ir.py`.

Triton's Python bindings show neither dense constants nor most types, so the printed module is the
interface. Each line is one operation, or opens or closes a region. `locations.py` has removed the
locations.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from .errors import ParseError, UnsupportedError
from .ir import Block, Function, Op, Successor, Value
from .locations import Locations
from .types import Type, is_known, is_pointer, pointee

_NAME = r"%[\w$.-]+(?:#\d+)?"
_RESULTS = re.compile(r"((?:%[\w$.-]+(?::\d+)?(?:, )?)+) = (.*)$")
_FUNCTION = re.compile(r"tt\.func\s+(?:(public|private)\s+)?@(\"[^\"]*\"|[\w$.-]+)\(")
_TENSOR = re.compile(r"tensor<((?:\d+x)+)(.*?)(?:, #.*)?>$")
_FOR = re.compile(rf"scf\.for (unsigned )?(%[\w$.-]+) = ({_NAME}) to ({_NAME}) step ({_NAME})\s*(.*)\{{$")
_ITER_ARGS = re.compile(r"iter_args\((.*?)\) -> \((.*)\)")
_WHILE = re.compile(r"scf\.while\s*(?:\((.*?)\) )?: \((.*?)\) -> (.*?) \{$")
_IF = re.compile(rf"scf\.if ({_NAME})(?: -> \((.*)\))? \{{$")
_GENERIC = re.compile(r'"([\w.]+)"\((.*?)\)(?: <\{(.*?)\}>)?(.*)$')
_PLAIN = re.compile(r"([\w.]+)\s*(.*)$")
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')


def parse(text: str) -> dict[str, Function]:
    """All functions of a printed module, by name."""
    locations = Locations(text)
    with locations.named():
        return _Parser(locations.lines, locations).module()


def parse_function(function: Function) -> Function:
    """A new tree of one function.

    A callee is parsed again for each call, which so has its own values.
    """
    return next(iter(_Parser(function.text, function.locations).module().values()))


def parse_type(text: str) -> Type:
    text = text.strip()
    match = _TENSOR.match(text)
    if match is None:
        return Type(None, text)
    return Type(tuple(int(d) for d in match.group(1)[:-1].split("x")), match.group(2))


def split_top(text: str, separator: str = ",") -> list[str]:
    """Split at separators that are outside every bracket and string."""
    parts: list[str] = []
    depth, start, quoted = 0, 0, False
    for i, char in enumerate(text):
        if char == '"' and text[i - 1 : i] != "\\":
            quoted = not quoted
        elif quoted or (char == ">" and text[i - 1 : i] == "-"):
            continue
        elif char in "<({[":
            depth += 1
        elif char in ">)}]":
            depth -= 1
        elif char == separator and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    if text[start:].strip():
        parts.append(text[start:].strip())
    return parts


def _split_types(text: str) -> tuple[str, str]:
    """`body : types` at the last colon outside every bracket."""
    depth, position = 0, -1
    for i, char in enumerate(text):
        if char in "<({[":
            depth += 1
        elif char in ">)}]" and not (char == ">" and text[i - 1] == "-"):
            depth -= 1
        elif char == ":" and depth == 0 and text[i - 1] == " ":
            position = i
    return (text[:position].strip(), text[position + 1 :].strip()) if position >= 0 else (text.strip(), "")


def _attributes(text: str) -> dict[str, str]:
    attrs = {}
    for item in split_top(text):
        key, _, value = item.partition("=")
        attrs[key.strip()] = re.sub(r"\s*:\s*[\w]+$", "", value.strip()) if value else "unit"
    return attrs


class _Parser:
    def __init__(self, lines: list[tuple[int, str]], locations: Locations) -> None:
        self.locations = locations
        self.lines = [(n, line) for n, line in lines if line and not line.startswith("//")]
        self.position = 0
        self.number, self.text = 0, ""
        self.scopes: list[dict[str, Value]] = []

    def fail(self, reason: str) -> ParseError:
        return ParseError(reason, self.number, self.text)

    def next(self) -> str:
        if self.position >= len(self.lines):
            raise self.fail("the text ends inside a region")
        self.number, self.text = self.lines[self.position]
        self.position += 1
        return self.text

    # ---- values

    def value(self, name: str) -> Value:
        """The value of an SSA name."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        raise self.fail(f"{name} is used before it is defined")

    def define(self, name: str, type_: Type, block: Block, op: Op | None = None, index: int = 0) -> Value:
        if not is_known(type_.elem):
            raise UnsupportedError(f"type {type_}", self.number, self.text)
        value = self.scopes[-1][name] = Value(name, type_, block, op, index)
        return value

    # ---- functions and blocks

    def module(self) -> dict[str, Function]:
        functions: dict[str, Function] = {}
        while self.position < len(self.lines):
            line = self.next()
            if line.startswith("tt.func"):
                function = self.function(line)
                functions[function.name] = function
        return functions

    def function(self, line: str) -> Function:
        match = _FUNCTION.match(line)
        if match is None:
            raise self.fail("the function's header has an unknown layout")
        first = self.position - 1
        entry = Block("entry")
        self.scopes.append({})
        for argument in split_top(_balanced(line, match.end() - 1)):
            name, _, type_text = argument.partition(":")
            type_ = parse_type(re.sub(r"\s*\{.*\}$", "", type_text.strip()))
            entry.args.append(self.define(name.strip(), type_, entry, None, len(entry.args)))
        blocks = [entry]
        while True:
            end = self.block(blocks[-1])
            if not end.startswith("^"):
                break
            blocks.append(self.labelled(end))
        self.scopes.pop()
        name = match.group(2).strip('"')
        return Function(name, match.group(1) != "private", blocks, self.lines[first : self.position], self.locations)

    def labelled(self, line: str, parent: Block | None = None) -> Block:
        """`^bb1(%x: i32):  // preds: ...`"""
        block = Block(line[1:].split("(")[0].split(":")[0], parent=parent)
        if "(" in line.split("//")[0]:
            for argument in split_top(_balanced(line, line.index("("))):
                name, _, type_text = argument.partition(":")
                block.args.append(self.define(name.strip(), parse_type(type_text), block, None, len(block.args)))
        return block

    def block(self, block: Block) -> str:
        """Read operations up to the line that ends the block, and return that line."""
        while True:
            line = self.next()
            if line.startswith(("}", "^")):
                return line
            self.operation(line, block)

    def region(self, parent: Block, args: Sequence[tuple[str, Type]] = ()) -> tuple[Block, str]:
        blocks, end = self.blocks(parent, args)
        if len(blocks) > 1:
            raise UnsupportedError("a region with several blocks", self.number, self.text)
        return blocks[0], end

    def blocks(self, parent: Block, args: Sequence[tuple[str, Type]] = ()) -> tuple[list[Block], str]:
        """The blocks of a region, and the line that ends it.

        A first block with arguments has a label.
        """
        block = Block(parent=parent)
        self.scopes.append({})
        for name, type_ in args:
            block.args.append(self.define(name, type_, block, None, len(block.args)))
        blocks, end = [block], self.block(block)
        while end.startswith("^"):
            block = self.labelled(end, parent)
            end = self.block(block)
            blocks.append(block)
        self.scopes.pop()
        return blocks if blocks[0].ops or len(blocks) == 1 else blocks[1:], end

    # ---- operations

    def operation(self, line: str, block: Block) -> None:
        match = _RESULTS.match(line)
        names, rest = (match.group(1), match.group(2)) if match else ("", line)
        op = Op("", block, self.number, line, source=self.locations.source(self.number))
        if rest.startswith("scf.for"):
            types = self.scf_for(op, rest)
        elif rest.startswith("scf.while"):
            types = self.scf_while(op, rest)
        elif rest.startswith("scf.if"):
            types = self.scf_if(op, rest)
        elif rest.startswith("cf."):
            types = self.branch(op, rest)
        elif rest.startswith('"'):
            types = self.generic(op, rest)
        else:
            types = self.plain(op, rest, bool(names))
        self.results(op, names, types)
        for operand in op.operands:
            operand.users.append(op)
        for successor in op.successors:
            for operand in successor.operands:
                operand.users.append(op)
        block.ops.append(op)

    def results(self, op: Op, names: str, types: list[Type]) -> None:
        if not names:
            return
        flat: list[str] = []
        for name in names.split(", "):
            base, _, count = name.partition(":")
            flat += [f"{base}#{k}" for k in range(int(count))] if count else [base]
        if len(flat) != len(types):
            raise self.fail(f"{op.name} has {len(flat)} results and {len(types)} result types")
        for k, (name, type_) in enumerate(zip(flat, types, strict=True)):
            op.results.append(self.define(name, type_, op.block, op, k))

    def scf_for(self, op: Op, text: str) -> list[Type]:
        match = _FOR.match(re.sub(r"\{[^{}]*\} \{$", "{", text))
        if match is None:
            raise self.fail("scf.for has an unknown layout")
        op.name = "scf.for"
        op.attrs["unsigned"] = "true" if match.group(1) else "false"
        op.operands = [self.value(match.group(k)) for k in (3, 4, 5)]
        args = [(match.group(2), op.operands[0].type)]
        types: list[Type] = []
        carried = _ITER_ARGS.search(match.group(6))
        if carried:
            types = [parse_type(t) for t in split_top(carried.group(2))]
            for item, type_ in zip(split_top(carried.group(1)), types, strict=True):
                name, _, init = item.partition(" = ")
                op.operands.append(self.value(init))
                args.append((name, type_))
        block, _ = self.region(op.block, args)
        op.regions = [block]
        return types

    def scf_while(self, op: Op, text: str) -> list[Type]:
        match = _WHILE.match(text)
        if match is None:
            raise self.fail("scf.while has an unknown layout")
        op.name = "scf.while"
        args = []
        for item, type_ in zip(split_top(match.group(1) or ""), split_top(match.group(2)), strict=True):
            name, _, init = item.partition(" = ")
            op.operands.append(self.value(init))
            args.append((name, parse_type(type_)))
        before, _ = self.region(op.block, args)
        after, _ = self.region(op.block)
        op.regions = [before, after]
        return _type_list(match.group(3))

    def scf_if(self, op: Op, text: str) -> list[Type]:
        match = _IF.match(text)
        if match is None:
            raise self.fail("scf.if has an unknown layout")
        op.name = "scf.if"
        op.operands = [self.value(match.group(1))]
        then, end = self.region(op.block)
        op.regions = [then]
        if end.startswith("} else"):
            otherwise, _ = self.region(op.block)
            op.regions.append(otherwise)
        return _type_list(match.group(2) or "")

    def branch(self, op: Op, text: str) -> list[Type]:
        op.name = text.split()[0]
        if op.name not in ("cf.br", "cf.cond_br"):
            raise UnsupportedError(op.name, self.number, self.text)
        if op.name == "cf.cond_br":
            op.operands = [self.value(re.findall(_NAME, text)[0])]
        for target in re.finditer(r"\^([\w]+)(?:\((.*?) : .*?\))?", text):
            values = [self.value(name) for name in re.findall(_NAME, target.group(2) or "")]
            op.successors.append(Successor(target.group(1), values))
        return []

    def generic(self, op: Op, text: str) -> list[Type]:
        """`"tt.reduce"(%a, %b) <{axis = 0 : i32}> ({` and its region."""
        match = _GENERIC.match(text)
        if match is None:
            raise self.fail("the operation has an unknown layout")
        op.name = match.group(1)
        op.operands = [self.value(name) for name in split_top(match.group(2))]
        op.attrs = _attributes(match.group(3) or "")
        tail = match.group(4)
        if tail.rstrip().endswith("({"):
            op.regions, tail = self.blocks(op.block)
            if len(op.regions) > 1 and op.name != "tt.map_elementwise":
                raise UnsupportedError(f"{op.name} with several blocks", op.line, op.text)
        return _type_list(tail.rsplit("->", 1)[1]) if "->" in tail else []

    def plain(self, op: Op, text: str, has_results: bool) -> list[Type]:
        match = _PLAIN.match(text)
        if match is None:
            raise self.fail("the operation has an unknown layout")
        op.name, rest = match.group(1), match.group(2)
        if rest.endswith("{"):
            raise UnsupportedError(f"{op.name} with a region", self.number, self.text)
        if op.name == "arith.constant":
            return [self.constant(op, rest)]
        if op.name == "ub.poison":  # any value will do
            op.name, op.attrs["value"] = "arith.constant", "0"
            return [parse_type(rest.lstrip(": "))]
        strings: list[str] = []  # replaced by their numbers, since they may hold anything

        def take_out(match: re.Match[str]) -> str:
            strings.append(match.group(0))
            return f'"{len(strings) - 1}"'

        body, types = _split_types(_STRING.sub(take_out, rest))
        for braces in re.findall(r"\{([^{}]*)\}", body):
            op.attrs.update(_attributes(braces))
        body = re.sub(r"\{[^{}]*\}", "", body).strip()
        for item in split_top(body):
            key, equals, value = item.partition(" = ")
            if equals and re.fullmatch(r"\w+", key.split()[-1]):
                op.attrs[key.split()[-1]] = value.strip()
        op.attrs = {key: strings[int(v.strip('"'))] if v.startswith('"') else v for key, v in op.attrs.items()}
        op.attrs["body"] = body
        if strings:
            op.attrs["text"] = _decoded(strings[0][1:-1])
        op.operands = [self.value(name) for name in re.findall(_NAME, body)]
        return self.result_types(op, types, has_results)

    def constant(self, op: Op, text: str) -> Type:
        value, _, type_text = text.rpartition(" : ")
        if not type_text or not value:
            value, type_text = text, "i1"
        match = re.match(r"dense<(.*)>$", value.strip())
        op.attrs["value"] = match.group(1) if match else value.strip()
        if op.attrs["value"].startswith(("[", '"')):
            raise UnsupportedError("a constant tensor of different values", self.number, self.text)
        return parse_type(type_text)

    def result_types(self, op: Op, types: str, has_results: bool) -> list[Type]:
        if not has_results:
            return []
        if op.name == "tt.split":
            return [parse_type(types.rsplit("->", 1)[1])] * 2
        if "->" in types:
            return _type_list(types.rsplit("->", 1)[1])
        if " to " in types:
            return [parse_type(types.rsplit(" to ", 1)[1])]
        parts = [parse_type(t) for t in split_top(types)]
        if not parts:
            raise self.fail(f"{op.name} has no type")
        if op.name in ("arith.cmpi", "arith.cmpf"):
            op.attrs["predicate"] = op.attrs["body"].split(",")[0].split()[0]
            return [Type(parts[0].shape, "i1")]
        if op.name == "tt.load":
            if not is_pointer(parts[0].elem):
                raise UnsupportedError(f"load from {parts[0]}", self.number, self.text)
            return [Type(parts[0].shape, pointee(parts[0].elem))]
        if op.name == "arith.select":
            return [parts[-1]]
        return [parts[0]]


def _decoded(text: str) -> str:
    """MLIR's escapes in a string: a backslash before itself, or before two hexadecimal digits."""
    data = re.sub(
        rb"\\(\\|[0-9A-Fa-f]{2})", lambda m: m[1] if m[1] == b"\\" else bytes.fromhex(m[1].decode()), text.encode()
    )
    return data.decode(errors="replace")


def _balanced(text: str, start: int) -> str:
    """The text between the parenthesis at `start` and the one that closes it."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return text[start + 1 : i]
    return text[start + 1 :]


def _type_list(text: str) -> list[Type]:
    text = text.strip()
    if text.startswith("("):
        text = text[1 : text.rindex(")")]
    return [parse_type(t) for t in split_top(text)]
