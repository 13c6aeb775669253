"""explain(): what it says agrees with what runs, and it changes nothing; its page stands alone and works in a browser."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy
import pytest

import tritonflow as flow
from tritonflow.graph.explain import Explanation, measure, roof_measurement
from tritonflow.graph.explain.explanation import SHOWN
from tritonflow.graph.explain.text import amount, duration, roof_text
from tritonflow.graph.ir.cost import Cost
from tritonflow.graph.ir.roof import Products, Roof
from tritonflow.settings import settings

F = flow.nn.functional


@pytest.fixture(autouse=True)
def short_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "SECONDS", 0.0)
    monkeypatch.setattr(roof_measurement, "SECONDS", 0.0)
    monkeypatch.setattr(roof_measurement, "AGAIN", 0.0)


class Net(flow.nn.Module):
    """With everything that a step may change: running statistics, random numbers, parameters."""

    def __init__(self) -> None:
        super().__init__()
        self.up, self.down = flow.nn.Linear(6, 16), flow.nn.Linear(16, 3)
        self.norm, self.drop = flow.nn.BatchNorm1d(16), flow.nn.Dropout(0.3)

    def forward(self, x: Any) -> Any:
        return self.down(self.drop(F.gelu(self.norm(self.up(x))) * 2 + 1))


class Train(flow.nn.Graph):
    def __init__(self) -> None:
        super().__init__()
        self.net = Net()
        self.add_optimizer(flow.optim.Adam(self.net.parameters(), lr=0.01))

    def build(self, x: Any, target: Any) -> Any:
        loss = F.cross_entropy(self.net(x), target)
        loss.backward()
        return loss


def trained(steps: int = 3) -> tuple[Train, tuple[Any, Any]]:
    flow.manual_seed(3)
    train, batch = Train(), (flow.randn(8, 6), flow.randint(0, 3, (8,)))
    for _ in range(steps):
        train(*batch)
    return train, batch


def flat(state: Any) -> list[Any]:
    """Every tensor and number of a nested state."""
    if isinstance(state, dict):
        return [leaf for key in state for leaf in flat(state[key])]
    if isinstance(state, (list, tuple)):
        return [leaf for part in state for leaf in flat(part)]
    return [state.numpy().copy() if isinstance(state, flow.Tensor) else state]


def test_it_changes_nothing() -> None:
    train, batch = trained()
    before = flat(train.state_dict()), flat(flow.get_rng_state())
    train.explain()
    train.explain(*batch)
    after = flat(train.state_dict()), flat(flow.get_rng_state())
    for a, b in zip([*before[0], *before[1]], [*after[0], *after[1]], strict=True):
        numpy.testing.assert_array_equal(a, b)
    explained = [train(*batch).item() for _ in range(3)]
    train, batch = trained()
    assert explained == [train(*batch).item() for _ in range(3)]


def test_the_rows_are_what_runs() -> None:
    train, batch = trained()
    explanation = train.explain(*batch)
    (captured,) = train._captured.captures()
    kernels = explanation.kernels
    assert explanation.after.launches == captured.executable.launches == sum(k.launches for k in kernels)
    assert explanation.after.arena == captured.executable.arena_bytes
    assert explanation.after.bytes == sum(k.cost.bytes for k in kernels)
    assert explanation.after.flops == sum(k.cost.flops for k in kernels)
    assert (
        explanation.before.launches > explanation.after.launches and explanation.before.bytes > explanation.after.bytes
    )
    assert sum(k.share for k in kernels) == pytest.approx(1)
    assert all(k.seconds > 0 and 0 < k.roof for k in kernels if k.launches > k.folded)
    assert all(source < k.number for k in kernels for source in k.follows)
    named = {operand.split(" ")[-1] for k in kernels for operand in (*k.reads, *k.writes)}
    assert {"net.up.weight", "net.norm.running_mean"} <= named


def test_a_kernel_tells_its_ops_lines_and_source() -> None:
    f = flow.compile(lambda x, y: flow.relu(x * y + x).cumsum(0))
    x, y = flow.randn(16, 8), flow.randn(16, 8)
    f(x, y)
    fused, sums = f.explain(x, y).kernels
    assert fused.title == "mul add relu" and sums.title == "cumsum" and sums.follows == [0]
    assert fused.reads == ["float32[16, 8] input 0", "float32[16, 8] input 1"] and sums.reads == ["float32[16, 8] from 0"]
    assert fused.cost == Cost(3 * 128, 2 * 512, 512)
    for op, (name, place, line) in zip(("mul", "add", "relu"), fused.lines):
        assert op == name and re.fullmatch(r".*test_explain\.py:\d+", place) and "flow.relu(x * y + x)" in line
    source = f.explain().sources[fused.sources[0]]
    assert "@triton.jit\ndef fused_mul_add_relu(x0" in source
    for written in (Path(settings.cache_dir or "") / "fused").rglob(f"*{fused.sources[0]}"):
        written.unlink()
    assert f.explain().sources[fused.sources[0]] == source


def test_backward_names_the_lines_of_the_forward() -> None:
    train, batch = trained(1)
    for kernel in train.explain(*batch).kernels:
        for op, _, line in kernel.lines:
            if op.endswith(("_grad", "_backward_x")):
                assert line.startswith(("loss = F.cross_entropy", "return self.down(self.drop")), (op, line)
            if op.startswith("multi_tensor"):
                assert line.startswith("train(")


def test_in_notebooks() -> None:
    net = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.GELU(), flow.nn.Linear(16, 4))
    f = flow.compile(net)
    assert "not captured yet" in f._repr_html_()
    f(flow.ones(2, 8))
    explanation = f.explain()
    assert repr(explanation) == str(explanation)
    frame, backward = (Attributes(html) for html in (explanation._repr_html_(), explanation.backward._repr_html_()))
    assert frame.pages == [explanation.to_html(), explanation.backward.to_html()] and backward.pages == frame.pages[1:]
    html = f._repr_html_()
    (captured,) = f.captures()
    inputs = "tensor(..., size=(2, 8), dtype=tritonflow.float32)"
    assert f"<td>{inputs}</td>" in html and f"<td>{captured.executable.launches}</td>" in html and "<summary>Sequential" in html
    assert repr(net[0].weight.meta.shape[0]) in html and html.count("<details>") == html.count("</details>") == 1
    train = Train()
    assert "<summary>net: Net</summary>" in train._repr_html_() and "<lambda>" not in flow.compile(lambda x: x)._repr_html_()


class Attributes(HTMLParser):
    """The pages in the frames of a text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.pages: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag == "iframe"
        self.pages.append(dict(attrs)["srcdoc"] or "")


def test_fusion_leaves_products_as_they_are() -> None:
    net = flow.nn.Sequential(flow.nn.Linear(8, 16), flow.nn.GELU(), flow.nn.Linear(16, 4))
    f = flow.compile(net)
    f(flow.ones(2, 8))
    explanation = f.explain()
    assert explanation.before.flops == explanation.after.flops == 2 * 2 * (8 * 16 + 16 * 4) + 2 * 16


def test_the_numbers_of_a_call_are_used() -> None:
    f = flow.compile(lambda x, k: x * k)
    x = flow.ones(4)
    f(x, 2.0)
    assert len(f.explain(x, 3.0).kernels) == len(f.explain().kernels) == 1


def test_a_graph_that_launches_nothing() -> None:
    f = flow.compile(lambda x: flow.relu(x) + 1)
    f(flow.ones(0, 3))
    explanation = f.explain()
    assert explanation.after.launches == 0 and all(k.seconds == k.share == k.roof == 0 for k in explanation.kernels)
    assert "0 B" in str(explanation) and "</svg>" in explanation.to_html()


def test_calls_that_were_not_made_are_refused() -> None:
    f = flow.compile(lambda x: x + 1)
    with pytest.raises(RuntimeError, match="made before"):
        f.explain()
    f(flow.ones(4))
    with pytest.raises(RuntimeError, match="made before"):
        f.explain(flow.ones(5))


def test_sizes_that_differ() -> None:
    def f(x: Any, y: Any) -> Any:
        x = x * 2 if x.shape[0] < 100 else x
        return x @ y + len(y[0])

    compiled = flow.compile(f, dynamic=True)
    for n in (3, 5, 40, 64, 70):
        compiled(flow.ones(n, 8), flow.ones(8, 6))
    explanation = compiled.explain()
    tables = explanation.sizes
    assert tables is not None
    (rows,) = [size for size in tables.sizes if size.where == "dimension 0 of tensor 0"]
    line = f.__code__.co_firstlineno
    assert rows.range == "1..99" and not rows.is_pinned and f"test_explain.py:{line + 1}" in rows.asked[0][1]
    (pinned,) = [size for size in tables.sizes if size.is_pinned]
    assert pinned.range == "6" and f"test_explain.py:{line + 2}" in pinned.asked[0][1]
    assert sum(sum(step.served) for step in tables.steps) == 5 and len(tables.steps) == tables.graphs  # of one step each
    assert {step.line.rpartition(":")[2] for step in tables.steps} == {str(line + 2)}
    text = str(replace(tables, steps=[replace(tables.steps[0], served=[4, 1])]))
    assert "s0 < 100  " in text and "the number is needed  " in text and "plans for 4, 1 sizes" in text
    assert str(tables) in str(explanation)


def test_one_size_has_no_table_of_sizes() -> None:
    f = flow.compile(lambda x: x * 2)
    f(flow.ones(3))
    assert f.explain().sizes is None


def test_the_table() -> None:
    train, batch = trained(1)
    explanation = train.explain(*batch)
    count = len(explanation.kernels)
    assert [int(line[:4]) for line in explanation.table().splitlines()[1 : count + 1]] == list(range(count))
    assert f"and {count - SHOWN} more" in str(explanation) if count > SHOWN else "more" not in str(explanation)
    assert f"an op a kernel: {explanation.before.launches}" in str(explanation)
    slowest = max(explanation.kernels, key=lambda k: k.seconds)
    assert int(explanation.table(sort_by="seconds", limit=2).splitlines()[1][:4]) == slowest.number
    with pytest.raises(ValueError, match="sort_by must be one of seconds, bytes, flops"):
        explanation.table(sort_by="name")


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (999, "999"), (1234, "1.23 k"), (12_345, "12.3 k"), (5.33e9, "5.33 G")]
)
def test_amounts(value: float, text: str) -> None:
    assert amount(value) == text
    assert amount(value, "B").replace("B", "").strip() == text


def test_durations() -> None:
    assert [duration(s) for s in (1.234e-6, 12.34e-6, 5.2e-4, 0.25, 3)] == [
        "1.23 us",
        "12.3 us",
        "520 us",
        "250 ms",
        "3.00 s",
    ]


# ---- the roof


def test_the_roof() -> None:
    found = Roof(100e9, [(1000, 1e-6), (2000, 2e-6), (4000, 6e-6)])
    assert found.seconds(Cost(0, 10, 10)) == 1e-6, "a launch takes its time"
    assert found.seconds(Cost(0, 2000, 1000)) == pytest.approx(4e-6)
    assert found.seconds(Cost(0, 8000, 0)) == pytest.approx(12e-6)
    assert found.seconds(Cost(10**9, 8000, 0)) == 0.01


def test_a_stalled_copy_is_no_roof() -> None:
    """Fewer bytes never take longer than more: others had the machine."""
    stalled = Roof(100e9, [(1000, 9e-6), (2000, 2e-6), (4000, 6e-6)])
    assert stalled.without_stalls().copies == [(1000, 2e-6), (2000, 2e-6), (4000, 6e-6)]


def test_the_roof_of_products() -> None:
    """Matrix units have a rate by dtype, and work beside what computes the rest."""
    found = Roof(100e9, [(1000, 1e-6), (2000, 2e-6)], {"bf16": 1e12})
    assert found.seconds(Cost(10**9, 8, 8), Products("bf16", 10**9)) == 1e-3
    assert found.seconds(Cost(10**9, 8, 8), Products("fp32", 10**9)) == 1e-2, "float32 has no matrix unit"
    assert found.seconds(Cost(12 * 10**8, 8, 8), Products("bf16", 10**9)) == pytest.approx(2e-3), "an epilogue of many operations"
    assert found.seconds(Cost(10**6, 10**9, 0), Products("bf16", 10**6)) == pytest.approx(1.0), "bound by memory"


@pytest.mark.cpu_only(reason="measures the host, of which a run for a GPU asks for too little work")
def test_the_best_roof_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TRITONFLOW_CACHE_DIR", str(tmp_path))
    roof_measurement._roof.cache_clear()
    first = roof_measurement.roof_of(flow.device("cpu"))
    assert first.flops > 1e9 and roof_measurement.roof_of(flow.device("cpu")) is first
    slower = Roof(first.flops / 2, [(nbytes, 2 * seconds) for nbytes, seconds in first.copies])
    faster = Roof(first.flops * 2, [(nbytes, seconds / 2) for nbytes, seconds in first.copies])
    for measured, expected in ((slower, first), (faster, faster), (slower, faster)):
        roof_measurement._roof.cache_clear()
        monkeypatch.setattr(roof_measurement, "_measure", lambda device, seconds, measured=measured: measured)
        assert roof_measurement.roof_of(flow.device("cpu")) == expected
    roof_measurement._roof.cache_clear()


def test_a_cpu_has_a_roof_for_the_dtypes_of_its_units(monkeypatch: pytest.MonkeyPatch) -> None:
    """bfloat16 and int8 where an instruction multiplies them, at least as fast as multiply-adds; no other dtype."""
    from tritonflow.triton_cpu.target import resolve

    for runs in (roof_measurement._roof, roof_measurement._product_rate):
        runs.cache_clear()
    has, device = resolve(), flow.device("cpu")
    found = roof_measurement.roof_of(device, ["bf16", "i8", "fp32", "fp16"])
    assert set(found.products) == {dtype for dtype, unit in (("bf16", has.bf16_dot), ("i8", has.int8_dot)) if unit or has.amx}
    assert all(rate >= found.flops for rate in found.products.values())
    lesser = replace(has, amx=False, bf16_dot=False, int8_dot=False)
    monkeypatch.setattr("tritonflow.triton_cpu.target.resolve", lambda cpu=None: lesser)
    assert not roof_measurement.roof_of(device, ["bf16", "i8"]).products


def test_a_roof_measured_on_a_busy_machine_is_doubtful(monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock says that every second run took as long again, or that all took the same."""
    assert roof_measurement.spread_of([1.0, 1.0, 1.0]) == 0.0
    for times, is_doubtful in (([1e-3, 2e-3, 2e-3], True), ([1e-3, 1.01e-3, 1.02e-3], False)):
        clock = itertools.cycle(times)
        monkeypatch.setattr(roof_measurement, "seconds_of", lambda *_, clock=clock: next(clock))
        found = roof_measurement._measure(flow.device("cpu"), 0.0)
        assert ("doubtful: the runs that measured it differ by 100%" in roof_text(found)) is is_doubtful
        assert ("doubtful" in roof_text(Roof(1.0, found.copies).or_better(found))) is is_doubtful


# ---- the page


class Page(HTMLParser):
    """Elements with their attributes; void ones and text aside, every one is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: dict[str, str] = {}
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "script":
            self.texts[str(self.found[-1][1].get("id"))] = data

    def of(self, tag: str, kind: str) -> list[dict[str, str | None]]:
        return [attrs for name, attrs in self.found if name == tag and kind in (attrs.get("class") or "").split()]


@pytest.fixture(scope="module")
def explanation() -> Explanation:
    train, batch = trained(1)
    return train.explain(*batch)


def test_the_page_has_every_kernel(explanation: Explanation) -> None:
    page = Page(explanation.to_html())
    kernels = explanation.kernels
    assert [int(attrs["data-kernel"] or -1) for attrs in page.of("g", "kernel")] == [k.number for k in kernels]
    joined = {(int(a["data-from"] or -1), int(a["data-to"] or -1)) for a in page.of("path", "edge")}
    assert joined == {(source, k.number) for k in kernels for source in k.follows}
    values = [float(attrs["data-value"] or -1) for _, attrs in page.found if "data-value" in attrs]
    expected = [(k.number, k.launches, *k.cost[1:], k.cost.flops, k.seconds * 1e9, k.share, k.roof) for k in kernels]
    assert values == pytest.approx([value for row in expected for value in row], rel=1e-6)
    data = json.loads(page.texts["data"])
    assert [k["title"] for k in data["kernels"]] == [k.title for k in kernels]
    assert all(name in data["sources"] for k in data["kernels"] for name in k["sources"])


def test_the_page_stands_alone(explanation: Explanation) -> None:
    text = explanation.to_html()
    assert not re.search(r"https?:|@import|url\(|\bsrc=|\bhref=|<link|<iframe|fetch\(|XMLHttpRequest", text)


def test_what_programs_are_called_is_text(tmp_path: Path) -> None:
    def f(x: Any) -> Any:
        return x + 1

    f.__qualname__ = "</script><b>&"
    compiled = flow.compile(f)
    compiled(flow.ones(2))
    page = Page(compiled.explain().to_html())
    assert not [tag for tag, _ in page.found if tag == "b"][6:], "only those of the cards"


@pytest.mark.skipif(not (shutil.which("chromium") or shutil.which("google-chrome")), reason="no headless browser")
def test_in_a_browser(explanation: Explanation, tmp_path: Path) -> None:
    (fused, *_) = [k for k in explanation.kernels if k.kind == "fused"]
    hover = f'document.getElementById("k{fused.number}").dispatchEvent(new MouseEvent("mouseover", {{bubbles: true}}))'
    errors = 'window.onerror = (message) => document.body.setAttribute("data-error", message)'
    path = tmp_path / "page.html"
    text = explanation.to_html().replace("<body>", f"<body><script>{errors}</script>")
    path.write_text(text.replace("</body>", f"<script>{hover}</script></body>"), encoding="utf-8")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    command = [
        browser,
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={tmp_path}",
        "--dump-dom",
        path.as_uri(),
    ]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    assert "data-error" not in shown.partition("<script")[0]
    details = shown.partition('<div class="details">')[2].partition('<div class="table">')[0]
    assert f"<h2>{fused.number}: {fused.title}</h2>" in details and "def fused_" in details and "@triton.jit" in details
    assert re.search(rf'<g class="kernel fused marked" id="k{fused.number}"', shown)
