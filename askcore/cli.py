"""The command line: one JSON object on stdout, all else on stderr, an exit code that means something."""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import wraps
from pathlib import Path
from typing import Any

import click

from askcore.base.config import load_settings
from askcore.base.errors import AskError, BadRequest, Cancelled, Refused
from askcore.base.reports import ReportOptions
from askcore.base.text import say
from askcore.base.values import Lang, Period
from askcore.service import MODES, PLANNERS, REPORT_KINDS, Service

OK, BAD_INPUT, DECLINED, FAILED = 0, 2, 3, 4
_EXIT_OF_STATUS = {"done": OK, "refused": DECLINED, "needs_clarification": DECLINED}
_BAD_INPUT_CLASSES = ("unknown_name", "bad_args")
VIEWER = "cli"


def emit(obj: Any) -> None:
    """One JSON object on stdout; characters that the terminal cannot show are escaped."""
    try:
        text = json.dumps(obj, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:
        obj = _without_nan(obj)
        text = json.dumps(obj, ensure_ascii=False, default=str)
    try:
        text.encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        text = json.dumps(obj, default=str)
    click.echo(text)


def _without_nan(value: Any) -> Any:
    """The same value with null for what JSON has no number for."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {k: _without_nan(v) for k, v in value.items()}
    return [_without_nan(v) for v in value] if isinstance(value, list | tuple) else value


def note(text: str) -> None:
    """A line for people on stderr."""
    click.echo(text.encode("utf-8", "backslashreplace").decode(), err=True)


def lang_of(service: Service) -> Lang:
    """Language of texts that answer no question."""
    return "en" if service.settings.lang == "en" else "zh"


def exit_code(error: AskError) -> int:
    """2 bad input, 3 refused, 4 failed."""
    if isinstance(error, BadRequest):
        return BAD_INPUT
    if isinstance(error, Refused):
        return DECLINED
    return FAILED


def error_json(error: AskError) -> dict[str, Any]:
    """The object that is printed when a command fails."""
    body = {"class": error.error_class, "message": error.message, "hint": error.hint}
    return {"error": body}


def emit_failure(name: str | None, error: AskError, lang: Lang = "zh") -> None:
    """What a failed command prints: for `ask` the whole answer object, no key left out."""
    if name == "ask":
        from askcore.agent.contract import failed_json

        emit(failed_json(error, lang))
    else:
        emit(error_json(error))
    note(error.message + (f" ({error.hint})" if error.hint else ""))


def command(function: Callable[..., int | None]) -> Callable[..., None]:
    """Give the command a service, fold errors into JSON and an exit code."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> None:
        service: Service | None = None
        try:
            service = Service(load_settings())
            code = function(service, *args, **kwargs) or OK
        except AskError as e:
            emit_failure(function.__name__, e, "zh" if service is None else lang_of(service))
            code = exit_code(e)
        finally:
            if service is not None:
                service.close()
        sys.stdout.flush()
        raise SystemExit(code)

    return run


class JsonGroup(click.Group):
    """Usage errors are JSON on stdout too."""

    def main(self, *args: Any, **kwargs: Any) -> Any:
        """Run, folding usage errors."""
        kwargs["standalone_mode"] = False
        given = list(kwargs.get("args") or (args[0] if args else sys.argv[1:]))
        try:
            kwargs["args"] = [_as_text(a) for a in given]
            return super().main(**kwargs)
        except click.ClickException as e:
            name = given[0] if given and given[0] in self.commands else None
            emit_failure(name, BadRequest(e.format_message(), hint=f"{name or 'askcore'} --help"))
            raise SystemExit(BAD_INPUT) from e
        except click.exceptions.Abort as e:
            emit(error_json(Cancelled("stopped from the keyboard")))
            note("aborted")
            raise SystemExit(FAILED) from e


def _as_text(arg: str) -> str:
    """The argument as the UTF-8 that was typed, whatever the terminal's locale made of it."""
    try:
        return os.fsencode(arg).decode("utf-8")
    except UnicodeError:
        raise click.UsageError(f"{arg!r} is not UTF-8 text") from None


DAY = click.DateTime(formats=["%Y-%m-%d"])
JSON_FLAG = click.option(
    "--json", "as_json", is_flag=True, help="Accepted for clarity; output is always JSON."
)


@click.group(cls=JsonGroup, context_settings={"help_option_names": ["-h", "--help"]})
def cli() -> None:
    """Ask a data lake; every number is computed, checked and traceable."""


@cli.command()
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="Where names and faults are planted.",
)
@click.option("--clean", is_flag=True, help="Plant no faults.")
@click.option("--out", type=click.Path(path_type=Path), help="Also write the delivery files here.")
@JSON_FLAG
@command
def demo(service: Service, seed: int, clean: bool, out: Path | None, as_json: bool) -> None:
    """Make the synthetic demo lake."""
    emit(service.install_demo(seed=seed, clean=clean, out=out))


@cli.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--model", help="Model file or name; without it, one is recognised or inferred.")
@click.option("--dataset", help="Dataset to load into; by default named after the file.")
@click.option("--date-order", type=click.Choice(["dmy", "mdy"]), help="How ambiguous dates are read.")
@click.option("--dry-run", is_flag=True, help="Report what would happen, load nothing.")
@JSON_FLAG
@command
def ingest(
    service: Service,
    paths: tuple[Path, ...],
    model: str | None,
    dataset: str | None,
    date_order: str | None,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Load files into the lake."""
    emit(
        service.ingest(
            paths,
            model=model,
            dataset=dataset,
            dry_run=dry_run,
            date_order=date_order,
            lang=service.settings.lang,
            restating=_told_restating(),
        )
    )


def _told_restating() -> Callable[[int, int], bool]:
    """Tells now and then how far the comparison is, and leaves the rest to the app when it takes long."""
    until = time.monotonic() + _RESTATING_S

    def told(done: int, total: int) -> bool:
        if done and done % _TOLD_EVERY == 0:
            note(f"{done}/{total} answers compared with the load")
        return time.monotonic() < until

    return told


_TOLD_EVERY = 50
_RESTATING_S = 60


@cli.command()
@click.option("--dataset")
@click.option("--all", "with_same", is_flag=True, help="Also those that are as they were told.")
@click.option("--viewer", default=VIEWER)
@JSON_FLAG
@command
def restated(service: Service, dataset: str | None, with_same: bool, viewer: str, as_json: bool) -> None:
    """List answers and reports whose numbers a later load moved, each with was and now."""
    found = service.restatements(viewer=viewer, dataset=dataset)
    shown = [dataclasses.asdict(one) for one in found if with_same or one.state != "same"]
    emit({"restated": shown, "pending": service.pending_restated(dataset)})


@cli.command()
@click.argument("question", required=False)
@click.option("--dataset")
@click.option("--entity", help="Company id or name.")
@click.option("--mode", type=click.Choice(MODES), default="auto", show_default=True)
@click.option("--planner", type=click.Choice(PLANNERS), default="auto", show_default=True)
@click.option(
    "--skill", help="Playbook to follow: period_comparison, drilldown, peer_benchmark, health_check."
)
@click.option("--session", "session_id", help="Session to continue.")
@click.option("--as-of", type=DAY, help="Today for this question.")
@click.option("--viewer", default=VIEWER, help="Who asks.")
@click.option(
    "--batch",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help='JSONL with {"id", "question", "context"} a line.',
)
@JSON_FLAG
@command
def ask(
    service: Service, question: str | None, batch: Path | None, as_of: Any, as_json: bool, **how: Any
) -> int:
    """Ask a question; prints the answer object."""
    how["as_of"] = None if as_of is None else as_of.date()
    if batch is not None:
        if question is not None:
            raise BadRequest("give a question or --batch, not both")
        return _ask_batch(service, batch, how)
    if question is None:
        raise BadRequest(say("en", "service.empty_question"), hint='ask "…"')
    answer = service.ask(question, **how)
    emit(answer)
    if answer["status"] == "failed":
        note(answer["answer"])
    return _exit_of(answer)


def _exit_of(answer: Mapping[str, Any]) -> int:
    """The exit code of an answer; failing before the first step means that the request was wrong."""
    error = answer["error"]
    if answer["status"] == "failed" and not answer["steps"] and error["class"] in _BAD_INPUT_CLASSES:
        return BAD_INPUT
    return _EXIT_OF_STATUS.get(answer["status"], FAILED)


def _ask_batch(service: Service, batch: Path, how: Mapping[str, Any]) -> int:
    """One answer object a line, in the order of the file; a bad line gets an object with its error."""
    from askcore.agent.contract import failed_json

    for line in _batch_lines(batch):
        try:
            if "error" in line:
                raise BadRequest(line["error"])
            answer = service.ask(line["question"], context=line["context"], **how)
        except AskError as e:
            answer = failed_json(e, lang_of(service))
        emit({"id": line["id"], **answer})
        sys.stdout.flush()
    return OK


def _batch_lines(batch: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = batch.read_text(encoding="utf-8-sig").split("\n")  # other separators may be in a text
    except (OSError, UnicodeDecodeError) as e:
        raise BadRequest(f"cannot read {batch.name}: {e}", hint="one JSON object a line, UTF-8") from e
    for number, text in enumerate(lines, start=1):
        if text.strip():
            yield _batch_line(number, text)


def _batch_line(number: int, text: str) -> dict[str, Any]:
    bad = {"id": number, "question": "", "context": []}
    try:
        line = load_json(text)
    except ValueError as e:
        return {**bad, "error": f"line {number} is not JSON: {e}"}
    if not isinstance(line, dict) or not isinstance(line.get("question"), str):
        return {**bad, "error": f'line {number} must be {{"id", "question", "context"}}'}
    context = line.get("context") or []
    context = [context] if isinstance(context, str) else context
    own_id = line.get("id", number)
    if not isinstance(context, list) or not all(isinstance(c, str) for c in context):
        error = f"line {number}: context must be a question or a list of questions"
        return {**bad, "id": own_id, "error": error}
    return {"id": own_id, "question": line["question"], "context": context}


def load_json(text: str) -> Any:
    """JSON as the standard has it. Raises: ValueError also on NaN, on an overflow and on endless nesting."""
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


def _finite(text: str) -> float:
    number = float(text)
    return number if math.isfinite(number) else _no_constant(text)


@cli.command()
@click.option("--dataset")
@click.option("--from", "start", type=DAY)
@click.option("--to", "end", type=DAY)
@click.option("--as-of", type=DAY)
@JSON_FLAG
@command
def health(service: Service, dataset: str | None, start: Any, end: Any, as_of: Any, as_json: bool) -> None:
    """Run all checks; prints the verdicts."""
    report = service.health(
        service.lake.resolve(dataset),
        viewer=VIEWER,
        lang=lang_of(service),
        start=_date(start),
        end=_date(end),
        as_of=_date(as_of),
    )
    if report.synthetic:
        note(say(lang_of(service), "service.synthetic", dataset=report.dataset, day=report.as_of))
    emit(
        {
            "dataset": report.dataset,
            "version": report.version,
            "as_of": report.as_of,
            "synthetic": report.synthetic,
            "from": report.period.start,
            "to": report.period.end,
            "counts": report.counts,
            "checks": [v.as_json() for v in report.verdicts],
        }
    )


def _date(value: Any) -> date | None:
    return None if value is None else value.date()


@cli.command()
@click.argument("query")
@click.option("--dataset")
@JSON_FLAG
@command
def search(service: Service, query: str, dataset: str | None, as_json: bool) -> None:
    """Search metrics, entities and dimensions."""
    emit({"hits": service.search(query, dataset=dataset)})


@cli.command()
@click.option("--limit", type=click.IntRange(1, 1000), default=30, show_default=True)
@click.option("--viewer", default=VIEWER)
@JSON_FLAG
@command
def runs(service: Service, limit: int, viewer: str, as_json: bool) -> None:
    """List the newest runs."""
    emit(
        {
            "runs": [
                {
                    "run_id": r.run_id,
                    "session_id": r.session_id,
                    "question": r.question,
                    "status": r.status,
                    "dataset": r.dataset,
                    "version": r.version,
                    "planner": r.planner,
                    "started_at": r.started_at,
                    "elapsed_ms": round(r.elapsed_ms, 1),
                }
                for r in service.runs(viewer=viewer, limit=limit)
            ]
        }
    )


@cli.command()
@click.argument("run_id")
@click.option("--viewer", default=VIEWER)
@JSON_FLAG
@command
def replay(service: Service, run_id: str, viewer: str, as_json: bool) -> None:
    """Recompute every figure of a run from its pinned version."""
    emit(service.replay(run_id, viewer=viewer))


@cli.command()
@click.option("--run", "run_ids", multiple=True, help="A run to report on; several times for several.")
@click.option("--kind", type=click.Choice(REPORT_KINDS), help="A report of this kind instead.")
@click.option("--dataset")
@click.option("--entity", help="Company id or name.")
@click.option(
    "--from",
    "start",
    type=DAY,
    help="First day; default: the newest days of the kind.",
)
@click.option("--to", "end", type=DAY)
@click.option("--format", "file_format", default="html", show_default=True, help="html, xlsx, pdf or md.")
@click.option("-o", "--out", required=True, type=click.Path(dir_okay=False, path_type=Path))
@click.option("--lang", type=click.Choice(["zh", "en"]), help="Language of the report.")
@click.option("--title", default="", help="Instead of the report's own title.")
@click.option("--no-evidence", is_flag=True, help="Without ratios, slips and sources of numbers.")
@click.option("--sql", is_flag=True, help="With the SQL of every query.")
@click.option("--viewer", default=VIEWER)
@JSON_FLAG
@command
def report(service: Service, out: Path, file_format: str, as_json: bool, **how: Any) -> None:
    """Write answers, or a business, data health or peer report, as a file."""
    options = ReportOptions(title=how["title"], provenance=not how["no_evidence"], sql=how["sql"])
    lang: Lang = how["lang"] or lang_of(service)
    viewer = how["viewer"]
    if bool(how["run_ids"]) == bool(how["kind"]):
        raise BadRequest("give --run or --kind, one of them")
    if how["run_ids"]:
        made = service.report_of_runs(how["run_ids"], viewer=viewer, lang=lang, options=options)
    else:
        made = service.report_of_kind(
            how["kind"],
            viewer=viewer,
            lang=lang,
            dataset=how["dataset"],
            entity=how["entity"],
            period=_period(how["start"], how["end"]),
            options=options,
            progress=_told_progress,
        )
    data = service.write_report(made, file_format, progress=_told_progress)
    _write_whole(out, data)
    emit(
        {
            "report_id": made.report_id,
            "kind": made.kind,
            "title": made.title,
            "dataset": made.dataset,
            "version": made.version,
            "period": None if made.period is None else made.period.as_json(),
            "format": file_format,
            "file": str(out),
            "bytes": len(data),
            "sections": [{"id": s.id, "title": s.title, "run_id": s.run_id} for s in made.sections],
            "figures": len(made.figures),
            "failed": [v.as_json() for v in made.failed],
        }
    )


def _period(start: Any, end: Any) -> Period | None:
    if start is None and end is None:
        return None
    if start is None or end is None:
        raise BadRequest("give --from and --to, or neither")
    if end < start:
        raise BadRequest(f"the period ends {end.date()} before it starts {start.date()}")
    return Period(start=start.date(), end=end.date())


def _write_whole(out: Path, data: bytes) -> None:
    """Whole or not at all: an interrupt leaves what was there before."""
    part = out.with_name(f".{out.name}.part")
    try:
        part.write_bytes(data)
        part.replace(out)
    except OSError as e:
        raise BadRequest(f"cannot write {out.name}: {e}") from e
    finally:
        part.unlink(missing_ok=True)


def _told_progress(chapter: str, share: float) -> bool:
    if chapter:
        note(f"{share:4.0%} {chapter}")
    return True


@cli.command()
@JSON_FLAG
@command
def fonts(service: Service, as_json: bool) -> None:
    """Make the fonts of PDF reports, once a home; `make run` does it."""
    emit(service.make_fonts())


@cli.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@JSON_FLAG
@command
def verify(service: Service, file: Path, as_json: bool) -> None:
    """Make every figure of a written HTML report again: same, drifted or unreachable."""
    emit(service.verify_report(file.read_bytes()))


@cli.command("check-provenance")
@click.option("--text", "text_file", required=True, type=click.Path(path_type=Path))
@click.option("--cells", "cells_file", required=True, type=click.Path(path_type=Path))
@JSON_FLAG
@command
def check_provenance(service: Service, text_file: Path, cells_file: Path, as_json: bool) -> None:
    """Trace every number of a text to given cells."""
    text = _read(text_file)
    try:
        cells = load_json(_read(cells_file))
    except ValueError as e:
        raise BadRequest(f"{cells_file.name} is not JSON: {e}") from e
    emit(service.check_provenance(text, cells))


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as e:
        raise BadRequest(f"cannot read {path.name}: {e}") from e
