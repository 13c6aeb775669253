"""`python -m tritonflow.bench`: arguments, and what becomes of them."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
import time
import warnings
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import tritonflow as flow
from tritonflow.bench import discover, machine, plot
from tritonflow.bench.case import Case, Context
from tritonflow.bench.compare import comparison_lines
from tritonflow.bench.discover import GROUPS, Request, find
from tritonflow.bench.html_page import page
from tritonflow.bench.progress_line import ProgressLine
from tritonflow.bench.record import Results, key_of
from tritonflow.bench.rivals import checked_names
from tritonflow.bench.session import CACHES, BenchOptions, Measures, Session, empty_kernel_cache, measured, use_threads
from tritonflow.bench.table import Table, head_text, setting_text, summary_lines
from tritonflow.bench.timing import QUICK, TRIED, Effort
from tritonflow.bench.watched import WatchedSession
from tritonflow.errors import ArgumentValueError, TritonflowError

DESCRIPTION = """\
Times ops, kernels and your own functions, and says what they reach of what the machine can do.

PATTERN is the name of an op or of another case (softmax), the words that it begins with ("conv 64x56"), a glob ("*norm*"),
a group, group:name (ops:softmax), a file, or file.py:function. Without one, all groups are measured, which takes hours:
"""

EXAMPLES = """\
examples:
  python -m tritonflow.bench softmax --vs torch --plot            three sizes, forward and backward, beside torch
  python -m tritonflow.bench matmul --size 512x512 --size 4M --dtype bfloat16 --dtype float32
  python -m tritonflow.bench kernels --vs torch,torch.compile --json now.json
  python -m tritonflow.bench my_kernels.py:doubled --param BLOCK=256,1024 --param num_warps=4,8
  python -m tritonflow.bench softmax --compare now.json           what became faster or slower since
  python -m tritonflow.bench layer_norm --vs commit:HEAD~1        beside another commit of this checkout
  python -m tritonflow.bench --show now.json --html now.html      a page of stored results
docs/benchmarks.md says what the columns mean.
"""
LOST = 4


def parser() -> argparse.ArgumentParser:
    """The arguments."""
    groups = "\n".join(f"  {name:10} {text}" for name, text in GROUPS.items())
    found = argparse.ArgumentParser(
        prog="python -m tritonflow.bench", description=f"{DESCRIPTION}\n{groups}", epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    found.add_argument("patterns", nargs="*", metavar="PATTERN", help="what is measured")
    found.add_argument("--list", action="store_true", help="print the cases, and measure nothing")
    what = found.add_argument_group("what").add_argument
    what("--size", action="append", metavar="SIZE", help="of ops: small, medium, large, 4096, 4M, 128x1000; again for more")
    what("--dtype", action="append", metavar="DTYPE", help="of ops: float32, float64, float16, bfloat16; again for more")
    what("--direction", choices=("forward", "backward"), help="of ops; both unless given")
    what("--param", action="append", default=[], metavar="NAME=V,V", help="values of a parameter of your function")
    what("--vs", action="append", default=[], metavar="RIVAL", help="torch, torch.compile, jax, commit:NAME; with commas")
    how = found.add_argument_group("how").add_argument
    how("--device", default="cpu", choices=("cpu", "cuda"), help="default: cpu")
    how("--threads", type=_positive, metavar="N", help="of a CPU; all cores unless given")
    how("--quick", action="store_true", help="few rounds, and ops of the medium size: a first impression")
    how("--tiny", action="store_true", help="shrink every size: to see that all cases run")
    how("--cache", choices=CACHES, default="warm", help="cold: single calls, whose data are in no cache")
    how("--clock", choices=("wall", "cpu"), default="wall", help="cpu: this process's time, for --threads 1 on a busy machine")
    how("--fresh", action="store_true", help="an empty cache of kernels, so that first calls compile")
    how("--no-check", action="store_true", help="compare no results with references")
    out = found.add_argument_group("results").add_argument
    out("--json", type=Path, metavar="FILE", help="every time, with versions and machine")
    out("--csv", type=Path, metavar="FILE", help="a line for each side of a case")
    out("--html", type=Path, nargs="?", const=Path("bench.html"), metavar="FILE", help="a page; default: bench.html")
    out("--plot", type=Path, nargs="?", const=Path("bench.png"), metavar="FILE", help="a picture; default: bench.png")
    out("--compare", type=Path, metavar="OLD.json", help="say what became faster or slower since")
    out("--show", type=Path, metavar="FILE.json", help="stored results, instead of measuring")
    out("--resume", action="store_true", help="go on behind the rows of the --json file; what failed comes last, once more")
    out("--new-only", action="store_true", help="with --resume: leave out what failed")
    out("--seconds", type=float, metavar="N", help="begin no case later; --resume goes on")
    how("--watch", type=float, metavar="N", help="a case with no result for N seconds is ended; another process goes on")
    return found


def _positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise ValueError(text)
    return value


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command.

    The status is 0; 1 where a result is wrong or a case failed; 2 where the arguments are no good; 4 where the device's context
    is lost, so that another process has to go on.
    """
    found = parser()
    given = found.parse_intermixed_args(arguments)
    try:
        return _run(given)
    except TritonflowError as error:
        print(f"{found.prog}: {error}", file=sys.stderr)
        return 2


def _run(given: argparse.Namespace) -> int:
    if given.plot:
        plot.check_installed()
    if given.resume and not given.json:
        raise ArgumentValueError("--resume goes on behind the rows of a file; help: --json FILE")
    if given.watch and given.fresh:
        raise ArgumentValueError("--watch measures in several processes, --fresh is of one; help: leave one out")
    old = Results.read(given.compare) if given.compare else None
    if given.show:
        results = Results.read(given.show)
        _print_results(results)
    else:
        request = _request(given)
        cases = find(request)
        if given.list:
            _print_list(cases)
            return 0
        _require_writable([path for path in (given.json, given.csv, given.html, given.plot) if path])
        results = _measure(given, request, cases)
    _write(given, results)
    if old is not None:
        print("", *comparison_lines(results, old), sep="\n")
    if not given.watch and any(row.get("lost") for row in results.rows[-1:]):
        return LOST
    return int(any("problem" in row or row["check"]["status"] == "wrong" for row in results.rows))


def _require_writable(paths: Sequence[Path]) -> None:
    """Refuse, before hours of measuring, paths at which no file can be made.

    Raises:
        RuntimeError: names the path.
    """
    for path in paths:
        try:
            if path.is_dir():
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            path.parent.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=path.parent):
                pass
        except OSError as error:
            raise ArgumentValueError(f"cannot write {str(path)!r}: {error.strerror}") from None


def _request(given: argparse.Namespace) -> Request:
    request = Request(given.patterns, given.device, values=discover.values_of(given.param))
    if given.size or given.quick or given.tiny:
        request = replace(request, sizes=given.size or ["medium"])
    if given.dtype:
        request = replace(request, dtypes=given.dtype)
    return replace(request, directions=(given.direction,)) if given.direction else request


def _print_list(cases: Sequence[Case]) -> None:
    for group in dict.fromkeys(case.group for case in cases):
        chosen = [case for case in cases if case.group == group]
        print(f"{group}: {len(chosen)} cases" + (f", {GROUPS[group]}" if group in GROUPS else ""))
        settings: dict[str, list[str]] = {}
        for case in chosen:
            settings.setdefault(case.name, []).append(" ".join(str(value) for value in case.params.values()))
        for name, found in settings.items():
            shown = ", ".join(filter(None, found))
            print(f"  {name}" + (f": {shown}" if shown and group not in GROUPS else ""))


# ---- measuring


def _measure(given: argparse.Namespace, request: Request, cases: Sequence[Case]) -> Results:
    """The rows of the file that is gone on with, and those that are measured now, each written once it is there."""
    if given.device == "cuda" and not flow.cuda.is_available():
        raise ArgumentValueError("--device cuda: there is no GPU; `python -m tritonflow --doctor` says why")
    warnings.simplefilter("ignore")  # of torch, about its own ways
    rivals = checked_names([name for text in given.vs for name in text.split(",") if name], cases)
    machine.keep_freed_memory()
    use_threads(given.threads)
    effort = TRIED if given.tiny else QUICK if given.quick else Effort()
    options = BenchOptions(
        Context(given.device, given.tiny), rivals, effort, given.cache, given.clock,
        not given.no_check, request,
    )  # fmt: skip
    if given.resume and given.new_only and given.json.exists():
        before = Results.read(given.json)
        if not _todo(cases, before, new_only=True):
            return before
    with contextlib.ExitStack() as stack:
        session: Measures
        if given.watch:
            session = stack.enter_context(WatchedSession(options, given.threads, given.watch))
        else:
            session = stack.enter_context(Session(options))
        if given.fresh:  # behind the roof, which is stored with the kernels
            stack.enter_context(empty_kernel_cache())
        results = Results(session.head())
        if given.resume:
            results.rows += _rows_before(given.json, results.about)
        _measure_all(given, session, _todo(cases, results, given.new_only), results)
    return results


def _todo(cases: Sequence[Case], results: Results, new_only: bool) -> list[Case]:
    """The cases that have no row; behind them those that failed."""
    failed = {key_of(row): "problem" in row for row in results.rows}
    keys = [key_of({"case": case.name, "params": case.params}) for case in cases]
    new = [case for case, key in zip(cases, keys) if key not in failed]
    return new if new_only else new + [case for case, key in zip(cases, keys) if failed.get(key)]


def _rows_before(path: Path, about: dict[str, Any]) -> list[dict[str, Any]]:
    if not path.exists():
        return []
    before = Results.read(path)
    parts = ("cpu", "gpu", "device", "threads", "tritonflow", "torch", "triton", "python", "tiny")
    if any(before.about.get(part) != about.get(part) for part in parts):
        raise ArgumentValueError(f"{path} is of another machine or of other versions; help: move it away first")
    return before.rows


def _measure_all(given: argparse.Namespace, session: Measures, cases: Sequence[Case], results: Results) -> None:
    print(head_text(results.about), end="\n\n", flush=True)
    cold = given.cache == "warm" and session.options.effort.cold > 0
    labels = [(case.name, setting_text({"params": case.params})) for case in cases]
    table = Table(labels, session.options.vs, cold, sys.stdout.isatty())
    print(table.heading(), flush=True)
    progress = ProgressLine(len(cases))
    until = time.monotonic() + given.seconds if given.seconds else None
    new = []
    for row in measured(cases, session, until, lambda at, case: progress.show(at, case.label)):
        progress.clear()
        print(table.line(row), flush=True)
        new.append(row)
        results.rows = [*(before for before in results.rows if key_of(before) != key_of(row)), row]
        results.about["roof"] = session.roof_now()
        if given.json:
            results.write(given.json)
    progress.clear()
    if until is not None and time.monotonic() > until:
        print("out of time: --resume goes on here")
    if new and new[-1].get("lost") and not session.survives:
        print("the device's context is lost: --resume goes on here, in another process")
    print("", *summary_lines(new), sep="\n")


def _print_results(results: Results) -> None:
    rivals = list(dict.fromkeys(name for row in results.rows for name in row.get("vs", {})))
    cold = any("cold" in times for row in results.rows for times in row.get("sides", {}).values())
    table = Table([(row["case"], setting_text(row)) for row in results.rows], rivals, cold, sys.stdout.isatty())
    print(head_text(results.about), "", table.heading(), *map(table.line, results.rows), "", *summary_lines(results.rows), sep="\n")


def _write(given: argparse.Namespace, results: Results) -> None:
    if given.json and not given.show:
        results.write(given.json)
    if given.csv:
        results.write_csv(given.csv)
    if given.html:
        given.html.parent.mkdir(parents=True, exist_ok=True)
        given.html.write_text(page(results))
    if given.plot:
        plot.draw(results, given.plot)
    for path in (given.json if not given.show else None, given.csv, given.html, given.plot):
        if path:
            print(f"wrote {path}")
