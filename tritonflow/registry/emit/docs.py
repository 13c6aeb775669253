"""docs/ops.md: the table of ops."""

from __future__ import annotations

from tritonflow.registry.emit import HEADER
from tritonflow.registry.op_schema import Op
from tritonflow.registry.project import Project
from tritonflow.registry.schema import Entry


def emit(project: Project) -> str:
    """The text of docs/ops.md."""
    bound = [e for e in project.entries if e.bind_python]
    return "\n".join(
        [
            "# Ops",
            "",
            f"<!-- {HEADER} -->",
            "",
            "`help(flow.softmax)` shows parameters, shapes, dtypes, errors and an example of a name.",
            "",
            f"{len(bound)} functional names over {len(project.ops)} ops;"
            " an op marked *d* is differentiable, one marked *i* has an in-place form. Under `flow.autocast` tensor arguments are"
            " cast first to what the column *autocast* says: its dtype (lower), float32, or the widest dtype of them."
            " With float32_result nothing is cast first: the function reads half types and gives float32.",
            "",
            "| name | signatures | methods | ops | autocast | reference |",
            "|---|---|---|---|---|---|",
            *(_row(project, entry) for entry in sorted(bound, key=lambda e: e.name)),
            "",
            *_over_ranks(project),
            "",
        ]
    )


def _over_ranks(project: Project) -> list[str]:
    """The section about rules, with the ops of each."""
    ops: dict[str, list[str]] = {}
    for op in project.ops.values():
        if op.kind != "consistent":
            ops.setdefault(_rule(op), []).append(op.name)
    split = sum(len(names) for rule, names in ops.items() if not rule.startswith("broadcast"))
    return [
        "## Over ranks",
        "",
        "By these rules ops on consistent tensors split, or keep partial sums"
        " ([their language](design/consistent.md#factor-strings-say-rules))."
        f" {split} of {sum(map(len, ops.values()))} ops do more than broadcast; their fused gradients are pointwise.",
        "",
        "| rule | ops |",
        "|---|---|",
        *(f"| {rule} | {', '.join(sorted(ops[rule]))} |" for rule in sorted(ops)),
    ]


def _rule(op: Op) -> str:
    return f"broadcast: {op.broadcast_only}" if op.broadcast_only else f"`{op.sbp}`".replace("|", "\\|")


def _row(project: Project, entry: Entry) -> str:
    signatures = "<br>".join(f"`{s}`" for s in entry.signatures)
    methods = ", ".join(f"`{m}`" for m in entry.methods)
    ops = ", ".join(_op(project, op) for op in entry.ops)
    doc = f"`{entry.name}`" + (f"<br>{entry.doc.strip()}" if entry.doc else "")
    return f"| {doc} | {signatures} | {methods} | {ops} | {entry.autocast} | {entry.reference} |".replace("||", "\\|\\|")


def _op(project: Project, op: Op) -> str:
    marks = "d" * (op.name in project.derivatives) + "i" * (op.name in project.inplace_ops)
    return f"{op.name} ({op.kind}" + (f", *{marks}*)" if marks else ")")
