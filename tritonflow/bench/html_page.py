"""Results as one page of HTML, which needs no other file; a click on a head sorts by its column."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from tritonflow.bench.case import OURS
from tritonflow.bench.record import Results
from tritonflow.bench.table import head_text, rate_text, seconds_text, setting_text, share_text, summary_lines

STYLE = """
:root { color-scheme: light dark; --ink: #1c1f23; --soft: #667; --line: #e3e5e8; --paper: #fff; --bar: #c9d8ea;
  --faster: #1d7a55; --slower: #b3382e; --uneven: #97720d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8ea; --soft: #9aa3ad; --line: #32363b; --paper: #17191c; --bar: #2f4257;
  --faster: #5cc497; --slower: #ef857b; --uneven: #dfba5b; } }
body { font: 14px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 2rem auto; max-width: 90rem;
  padding: 0 1.5rem; }
h1 { font-size: 1.4rem; margin: 0 0 .4rem; } .about { color: var(--soft); white-space: pre-line; margin: 0 0 1.2rem; }
input { font: inherit; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: 6px; background: transparent;
  color: inherit; width: 18rem; margin-bottom: .8rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th { position: sticky; top: 0; background: var(--paper); text-align: right; font-weight: 600; cursor: pointer; white-space: nowrap;
  border-bottom: 2px solid var(--line); padding: .35rem .6rem; } th:hover { color: var(--faster); }
td { text-align: right; padding: .25rem .6rem; border-bottom: 1px solid var(--line); white-space: nowrap;
  font-variant-numeric: tabular-nums; }
th:first-child, th:nth-child(2), td:first-child, td:nth-child(2) { text-align: left; }
td small { color: var(--soft); }
tr:hover td { background: color-mix(in srgb, var(--bar) 25%, transparent); }
.share { min-width: 6.5rem; background: linear-gradient(var(--bar), var(--bar)) no-repeat left / var(--w) 70%; }
.faster { color: var(--faster); } .slower, .wrong { color: var(--slower); } .uneven { color: var(--uneven); }
.wrong { font-weight: 700; }
details { margin-top: 1.5rem; } pre { color: var(--soft); white-space: pre-wrap; } ul { padding-left: 1.2rem; }
"""

SCRIPT = """
const body = document.querySelector('tbody'), heads = [...document.querySelectorAll('th')];
heads.forEach((head, k) => head.onclick = () => {
  const down = head.dataset.down !== '1'; heads.forEach(h => delete h.dataset.down); head.dataset.down = down ? '1' : '0';
  const value = row => row.cells[k].dataset.v ?? row.cells[k].textContent;
  const rows = [...body.rows].sort((a, b) => {
    const x = value(a), y = value(b), n = parseFloat(x) - parseFloat(y);
    return (isNaN(n) ? x.localeCompare(y) : n) * (down ? 1 : -1); });
  body.append(...rows); });
document.querySelector('input').oninput = event => {
  const words = event.target.value.toLowerCase().split(/\\s+/);
  for (const row of body.rows) row.hidden = !words.every(word => row.textContent.toLowerCase().includes(word)); };
"""


def page(results: Results) -> str:
    """The whole page."""
    rivals = list(dict.fromkeys(name for row in results.rows for name in row.get("vs", {})))
    cold = any("cold" in row.get("sides", {}).get(OURS, {}) for row in results.rows)
    heads = ["case", "setting", "time", "p20 – p80", *(["cold"] if cold else []), "GB/s", "GFLOP/s", "roof", "launches"]
    heads += ["first call", "check", *(f"{name} / ours" for name in rivals)]
    titles = "".join(f"<th>{escape(head)}</th>" for head in heads)
    rows = "\n".join(f"<tr>{''.join(_cells(row, rivals, cold))}</tr>" for row in results.rows)
    notes = "".join(f"<li>{escape(line)}</li>" for line in summary_lines(results.rows))
    about = json.dumps({k: v for k, v in results.about.items() if k != "roof"}, indent=1)
    return (
        "<!doctype html><html lang=en><head><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>tritonflow.bench</title><style>{STYLE}</style></head><body><h1>tritonflow.bench</h1>"
        f"<p class=about>{escape(head_text(results.about))}</p><input placeholder='filter' aria-label='filter'>"
        f"<div class=wide><table><thead><tr>{titles}</tr></thead><tbody>\n{rows}\n</tbody></table></div>"
        f"<ul>{notes}</ul><details><summary>how it was measured</summary><pre>{escape(about)}</pre></details>"
        f"<script>{SCRIPT}</script></body></html>\n"
    )


def _cells(row: Mapping[str, Any], rivals: Sequence[str], cold: bool) -> Iterator[str]:
    yield _cell(escape(row["case"]))
    yield _cell(escape(setting_text(row)))
    if "sides" not in row:
        yield f"<td colspan={8 + cold + len(rivals)} class=wrong>failed: {escape(row.get('problem', ''))}</td>"
        return
    times = row["sides"][OURS]
    yield _cell(seconds_text(times["p50"]), times["p50"])
    yield _spread(times)
    if cold:
        yield _cell(seconds_text(times.get("cold")), times.get("cold", 0))
    yield _cell(rate_text(row.get("bytes_per_s")), row.get("bytes_per_s") or 0)
    yield _cell(rate_text(row.get("flops_per_s")), row.get("flops_per_s") or 0)
    yield _share(row)
    yield _cell(str(row.get("launches", "")), row.get("launches", 0))
    yield _cell(seconds_text(row.get("first_s")), row.get("first_s", 0))
    yield _check(row["check"])
    for name in rivals:
        yield _ratio(row["vs"].get(name), row.get("absent", {}).get(name, ""))


def _spread(times: Mapping[str, float]) -> str:
    if "p20" not in times:
        return _cell("", 0)
    return _cell(f"<small>{seconds_text(times['p20'])} – {seconds_text(times['p80'])}</small>", times["p80"] / times["p20"])


def _cell(text: str, value: float | None = None, more: str = "") -> str:
    data = "" if value is None else f" data-v={value:.6g}"
    return f"<td{data}{more}>{text}</td>"


def _share(row: Mapping[str, Any]) -> str:
    share = row.get("roof")
    if share is None:
        return _cell("", 0)
    title = escape(row.get("doubt") or (f"its bar is {row['bar']:.0%}" if row.get("bar") else ""), quote=True)
    return _cell(share_text(row), share, f' class=share style="--w:{min(share, 1.0):.0%}" title="{title}"')


def _check(found: Mapping[str, Any]) -> str:
    error = found["error"]
    text = {"right": "right", "wrong": "WRONG", "unchecked": "–"}[found["status"]]
    shown = f" <small>{error:.0e}</small>" if error and math.isfinite(error) else ""
    title = escape(found["why"], quote=True)
    value = error if shown else 0
    return _cell(text + shown, value, f' class={found["status"]} title="{title}"')


def _ratio(ratio: Mapping[str, Any] | None, why: str) -> str:
    if ratio is None:
        return _cell("<small>absent</small>", 0, f' title="{escape(why, quote=True)}"')
    verdict = ratio["verdict"]
    kind = "uneven" if verdict.startswith("too") else verdict
    spread = f" <small>{ratio['p20']:.2f} – {ratio['p80']:.2f}</small>" if "p20" in ratio else ""
    return _cell(f"{ratio['p50']:.2f}{spread} {verdict}", ratio["p50"], f" class={kind}")
