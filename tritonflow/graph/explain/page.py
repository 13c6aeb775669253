"""An explanation as one HTML page: the graph drawn as SVG, a table, and the details of the kernel under the pointer.

The page has everything in it: no scripts, styles, fonts or pictures from elsewhere. Where scripts are off, the drawing and the
table are there all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from tritonflow.graph.explain.layout import Drawing, draw
from tritonflow.graph.explain.report import KernelRow, Report
from tritonflow.graph.explain.text import amount, duration, roof_text, short

WIDTH, HEIGHT, GAP, DROP, MARGIN = 196, 46, 18, 30, 24
FAR = 3 * (HEIGHT + DROP)  # edges longer than this are drawn faintly
ZOOM = "".join(f"<button>{name}</button>" for name in ("+", "−", "width", "all"))
KINDS = {
    "product": "products and convolutions", "reduction": "reductions", "fused": "fused pointwise", "optimizer": "optimizer",
    "copy": "copies", "other": "other",
}  # fmt: skip


def page(report: Report) -> str:
    """The text of the page."""
    kernels = report.kernels
    drawing = draw([kernel.follows for kernel in kernels], WIDTH, HEIGHT, GAP, DROP)
    style, script = (_file(f"page.{kind}") for kind in ("css", "js"))
    title, roof = escape(report.name), f"{roof_text(report.roof)}, as measured on this machine"
    parts = [
        f'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>\n{style}</style></head><body>",
        f"<h1>{title}</h1><p>on {report.device}; each kernel timed alone; the roof is {roof}</p>",
        *_totals(report),
        *_strip(kernels),
        f'<main><div class="graph"><div class="zoom">{ZOOM}</div>',
        *_svg(kernels, drawing),
        '</div><div class="details"></div></main>',
        *_table(kernels),
        f'<script type="application/json" id="data">{_data(report)}</script><script>\n{script}</script></body></html>\n',
    ]
    return "\n".join(parts)


def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")


def _totals(report: Report) -> Iterator[str]:
    before, after = report.before, report.after
    cards = [
        ("a run", duration(report.seconds), f"{len(report.kernels)} steps"),
        ("launches", f"{after.launches:,}", f"an op a kernel: {before.launches:,}"),
        ("read and written", amount(after.bytes, "B"), f"an op a kernel: {amount(before.bytes, 'B')}"),
        ("memory at its peak", amount(after.peak, "B"), f"an op a kernel: {amount(before.peak, 'B')}"),
        ("between kernels", amount(after.arena, "B"), f"an op a kernel: {amount(before.arena, 'B')}"),
        ("operations", amount(after.flops), f"{amount(after.flops / report.seconds)} a second"),
    ]
    yield '<div class="totals">'
    yield from (f"<div><span>{name}</span><b>{value}</b><span>{note}</span></div>" for name, value, note in cards)
    yield "</div>"


def _strip(kernels: list[KernelRow]) -> Iterator[str]:
    """Every kernel as wide as it takes time, and what the colours mean."""
    yield '<div class="strip">'
    for k in kernels:
        yield f'<i class="{k.kind}" data-kernel="{k.number}" style="flex:{k.share:.6f} 0 0" title="{escape(k.title)}"></i>'
    yield '</div><div class="legend">'
    for kind, name in KINDS.items():
        share = sum(k.share for k in kernels if k.kind == kind)
        if any(k.kind == kind for k in kernels):
            yield f'<span><i class="{kind}"></i>{name} {share:.0%}</span>'
    yield "</div>"


# ---- the drawing


def _svg(kernels: list[KernelRow], drawing: Drawing) -> Iterator[str]:
    width, height = drawing.width + 2 * MARGIN, drawing.height + 2 * MARGIN
    yield f'<svg viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" height="{height:.0f}" role="img">'
    positions = [(x + MARGIN, y + MARGIN) for x, y in drawing.positions]
    for kernel in kernels:
        yield from (_edge(source, kernel.number, positions) for source in kernel.follows)
    most = max((kernel.share for kernel in kernels), default=0.0) or 1.0
    for kernel, (x, y) in zip(kernels, positions):
        yield _box(kernel, x, y, kernel.share / most)
    yield "</svg>"


def _edge(source: int, target: int, positions: list[tuple[float, float]]) -> str:
    x1, y1 = positions[source][0] + WIDTH / 2, positions[source][1] + HEIGHT
    x2, y2 = positions[target][0] + WIDTH / 2, positions[target][1]
    bend = (y2 - y1) / 2
    far = " far" if y2 - y1 > FAR else ""
    path = f"M{x1:.1f} {y1:.1f}C{x1:.1f} {y1 + bend:.1f} {x2:.1f} {y2 - bend:.1f} {x2:.1f} {y2:.1f}"
    return f'<path class="edge{far}" data-from="{source}" data-to="{target}" d="{path}"/>'


def _box(kernel: KernelRow, x: float, y: float, share: float) -> str:
    result = kernel.writes[0] if kernel.writes else kernel.reads[0] if kernel.reads else ""
    numbers = f"{duration(kernel.seconds)} · {kernel.roof:.0%} of the roof"
    return (
        f'<g class="kernel {kernel.kind}" id="k{kernel.number}" data-kernel="{kernel.number}"'
        f' transform="translate({x:.1f} {y:.1f})">'
        f"<title>{escape(kernel.title)}\n{escape(kernel.source_line)}</title>"
        f'<rect class="box" width="{WIDTH}" height="{HEIGHT}" rx="6"/><rect class="tint" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
        f'<rect class="share" y="{HEIGHT - 4}" width="{max(WIDTH * share, 2):.1f}" height="4" rx="2"/>'
        f'<text x="8" y="14">{escape(short(kernel.title, 24))}</text>'
        f'<text class="small" x="8" y="26">{escape(short(result, 33))}</text>'
        f'<text class="small" x="8" y="38">{numbers}</text></g>'
    )


# ---- the table, and what the script shows


def _table(kernels: list[KernelRow]) -> Iterator[str]:
    heads = ["", "kernel", "result", "launches", "read", "written", "operations", "time", "share", "roof", "line"]
    yield (
        '<div class="table"><table><thead><tr>' + "".join(f"<th>{head}</th>" for head in heads) + "</tr></thead><tbody>"
    )
    for k in kernels:
        cells = [
            (str(k.number), k.number), (f"{k.launches}", k.launches), (amount(k.cost.read, "B"), k.cost.read),
            (amount(k.cost.written, "B"), k.cost.written), (amount(k.cost.flops), k.cost.flops),
            (duration(k.seconds), k.seconds * 1e9), (f"{k.share:.1%}", k.share), (f"{k.roof:.0%}", k.roof),
        ]  # fmt: skip
        numbers = [f'<td class="right" data-value="{value:.9g}">{text}</td>' for text, value in cells]
        texts = [f'<td class="wide">{escape(text)}</td>' for text in (k.title, k.writes[0] if k.writes else "")]
        row = "".join([numbers[0], *texts, *numbers[1:], f"<td>{escape(k.source_line)}</td>"])
        yield f'<tr class="{k.kind}" data-kernel="{k.number}">{row}</tr>'
    yield "</tbody></table></div>"


def _data(report: Report) -> str:
    kernels = report.kernels
    slowest = max(range(len(kernels)), key=lambda k: kernels[k].seconds, default=0)
    data = {"kernels": [_shown(kernel) for kernel in kernels], "sources": report.sources, "slowest": slowest}
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def _shown(kernel: KernelRow) -> dict[str, Any]:
    cost = kernel.cost
    facts = {
        "kind": kernel.kind,
        "launches": str(kernel.launches),
        "time": f"{duration(kernel.seconds)}, {kernel.share:.1%} of all",
        "roof": f"{kernel.roof:.0%} of what the device can do",
        "bytes": f"{amount(cost.read, 'B')} read, {amount(cost.written, 'B')} written",
        "operations": amount(cost.flops),
    }
    wide = max((len(op) for op, _, _ in kernel.lines), default=0)
    where = max((len(line) for _, line, _ in kernel.lines), default=0)
    lines = [f"{op:{wide}}  {file:{where}}  {line}".rstrip() for op, file, line in kernel.lines]
    return {
        "title": kernel.title, "facts": facts, "lines": lines, "reads": kernel.reads, "writes": kernel.writes,
        "sources": kernel.sources, "why": kernel.why,
    }  # fmt: skip
