"""Formulas of docstrings as MathML, which browsers draw without a script.

A docstring has a formula as an indented block in plain text, `m = beta1 m + (1 - beta1) g^2`. Greek names become letters, `x_i` and
the digits behind a name are written below, `^` above, `sqrt(x)` is a root. A block that is a program or prose is none.
"""

from __future__ import annotations

import re
from html import escape

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "eps": "ε", "eta": "η", "lambd": "λ", "lambda": "λ", "mu": "μ",
    "pi": "π", "rho": "ρ", "sigma": "σ", "theta": "θ", "phi": "φ",
}  # fmt: skip
SIGNS = {"*": "·", "-": "−", "<=": "≤", ">=": "≥", "!=": "≠", "...": "…", "'": "′"}
TOKEN = re.compile(
    r"(?P<gap> {3,})|(?P<space> +)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)|(?P<name>[A-Za-z]\w*?(?=_[{(])|[A-Za-z]\w*)"
    r"|(?P<below>_[{(])|(?P<sign>\.\.\.|<=|>=|!=|[-+*/=<>^()\[\]{}|,;:.'])"
)
NO_FORMULA = re.compile(
    r"#|\*\*|\+=|:=|`|\"|>>>|\w\.\w*[a-z]\w*\(|:\s*$|\bdef\b|\bpred\b|: \w+\[|\w: [A-Z]|\bcombine_fn\b|\.\. ", re.M
)
CLOSING = {"(": ")", "[": "]", "{": "}"}
WORDS = (
    "if", "else", "where", "sum", "over", "of", "and", "so", "for", "is", "with", "at", "times", "instead", "ceil", "alike", "the",
    "one", "them", "next", "step", "in", "first", "unless", "vector", "columns", "rows", "count", "ranks", "batch",
)  # fmt: skip


def mathml(block: str) -> str | None:
    """A block as MathML, a row for each line; or nothing, where it is no formula."""
    if "=" not in block or NO_FORMULA.search(block):
        return None
    rows = []
    for line in block.splitlines():
        tokens = tokens_of(line)
        if tokens is None or not balanced(tokens):
            return None
        cells = "".join(f"<mtd>{sequence(part)}</mtd>" for part in split(tokens))
        rows.append(f"<mtr>{cells}</mtr>")
    return f'<math display="block" class="formula"><mtable>{"".join(rows)}</mtable></math>'


def tokens_of(line: str) -> list[tuple[str, str]] | None:
    """Kinds and texts of what a line has, or nothing where it has other signs."""
    tokens, position = [], len(line) - len(line.lstrip())
    if position:
        tokens.append(("indent", line[:position]))
    while position < len(line):
        match = TOKEN.match(line, position)
        if match is None:
            return None
        tokens.append((match.lastgroup or "", match[0]))
        position = match.end()
    return tokens


def balanced(tokens: list[tuple[str, str]]) -> bool:
    """Whether each bracket is closed."""
    open_ones = []
    for _, text in tokens:
        if text[-1] in CLOSING:
            open_ones.append(CLOSING[text[-1]])
        elif text in CLOSING.values() and (not open_ones or open_ones.pop() != text):
            return False
    return not open_ones


def split(tokens: list[tuple[str, str]]) -> list[list[tuple[str, str]]]:
    """The formulas of a line, which wide gaps part; one before `=` only lines it up."""
    parts: list[list[tuple[str, str]]] = [[]]
    for position, token in enumerate(tokens):
        if token[0] != "gap":
            parts[-1].append(token)
        elif tokens[position + 1 : position + 2] != [("sign", "=")]:
            parts.append([])
    return parts


def sequence(tokens: list[tuple[str, str]]) -> str:
    """The elements of a formula, one after another."""
    elements: list[str] = []
    position = 0
    while position < len(tokens):
        element, position = operand(tokens, position)
        while position < len(tokens) and element and tokens[position][1] in ("^", "_{", "_("):
            over = tokens[position][1] == "^"
            inner, position = operand(tokens, position + 1) if over else inside(tokens, position)
            element = f"<{'msup' if over else 'msub'}>{element}{inner}</{'msup' if over else 'msub'}>"
        elements.append(element)
    return "".join(elements)


def inside(tokens: list[tuple[str, str]], position: int) -> tuple[str, int]:
    """What brackets hold, without them, and the position behind."""
    depth, end = 1, position + 1
    while depth:
        depth += tokens[end][1][-1] in CLOSING
        depth -= tokens[end][1] in CLOSING.values()
        end += 1
    return f"<mrow>{sequence(tokens[position + 1 : end - 1])}</mrow>", end


def operand(tokens: list[tuple[str, str]], position: int) -> tuple[str, int]:
    """One element, and the position behind it: a name, a number, a sign, or all of a bracket."""
    kind, text = tokens[position]
    behind = position + 1
    if kind == "indent":
        return '<mspace width="2em"/>', behind
    if kind == "space":
        before, after = tokens[position - 1] if position else ("", ""), tokens[behind] if behind < len(tokens) else ("", "")
        between = {before[0], after[0]} <= {"name", "number"} or before[1] in WORDS or after[1] in WORDS
        return ('<mspace width="0.3em"/>' if between else ""), behind
    if text == "sqrt" and tokens[behind : behind + 1] == [("sign", "(")]:
        inner, behind = inside(tokens, behind)
        return f"<msqrt>{inner}</msqrt>", behind
    if text in CLOSING:
        inner, behind = inside(tokens, position)
        return f'<mrow><mo stretchy="false">{text}</mo>{inner}<mo stretchy="false">{CLOSING[text]}</mo></mrow>', behind
    if kind == "number":
        return f"<mn>{text}</mn>", behind
    if kind == "name":
        return name(text), behind
    return f"<mo>{escape(SIGNS.get(text, text))}</mo>", behind


def name(text: str) -> str:
    """A letter with what stands below it; words, functions and long names are upright."""
    if text in WORDS:
        return f"<mtext>{text}</mtext>"
    match = re.fullmatch(r"([A-Za-z]|" + "|".join(GREEK) + r")(?:_(\w+)|(\d+))", text)
    if match:
        below = match[2] or match[3]
        return f"<msub>{name(match[1])}<{'mn' if below.isdigit() else 'mi'}>{below}</{'mn' if below.isdigit() else 'mi'}></msub>"
    upright = ' mathvariant="normal"' if len(text) > 1 and text not in GREEK else ""
    return f"<mi{upright}>{GREEK.get(text, text)}</mi>"
