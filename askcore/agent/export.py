"""What an analyst takes away from one answer: CSV and a self-contained HTML file."""

from __future__ import annotations

import csv
import html
import io
from collections.abc import Iterable, Mapping
from typing import Any

from askcore.base.text import say
from askcore.base.values import Lang, Table, Verdict
from askcore.base.views import RunSnapshot
from askcore.charts.svg import svg_chart

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")  # what a spreadsheet would run
_CSP = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def table_csv(table: Table) -> bytes:
    """UTF-8 with BOM, so that spreadsheets read Chinese; text that looks like a formula is quoted."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow([_safe(c.label) for c in table.columns])
    for row in table.rows:
        writer.writerow([_safe(row.get(c.key)) for c in table.columns])
    return out.getvalue().encode("utf-8-sig")


def _safe(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA_STARTS):
        return f"'{value}"
    return "" if value is None else value


def answer_html(run: RunSnapshot) -> bytes:
    """One file without script or request: question, answer, table, verdicts, provenance, SQL."""
    lang = run.lang
    parts = [
        f"<h1>{_text(run.question)}</h1>",
        f"<p class=meta>{_text(_meta(run))}</p>",
        "".join(f"<p>{_text(line)}</p>" for line in _plain(run.answer).splitlines() if line.strip()),
        _notes(run),
        _aligned(run),
        "" if run.table is None or run.chart is None else svg_chart(run.table, run.chart),
        _verdicts(run.verdicts, say(lang, "export.checks")),
        "" if run.table is None else _table(run.table, say(lang, "export.table")),
        _ratios(run),
        _slip(run),
        _claims(run.provenance, say(lang, "export.provenance")),
        _words(run),
        _sql((s for step in run.steps for s in step.sql), say(lang, "export.sql")),
    ]
    body = "\n".join(p for p in parts if p)
    document = (
        f'<!doctype html><html lang="{"zh-CN" if lang == "zh" else "en"}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_CSP}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{_text(run.question)}</title><style>{_STYLE}</style></head><body>{body}</body></html>"
    )
    return document.encode("utf-8")


def _text(value: Any) -> str:
    return html.escape("" if value is None else str(value))


def _plain(markdown: str) -> str:
    """The answer's markdown without its marks: the file has no renderer and runs no script."""
    return markdown.replace("**", "").replace("`", "")


def _meta(run: RunSnapshot) -> str:
    chips = " · ".join(f"{c.label}: {c.value}" for c in run.chips)
    return f"{run.dataset} v{run.version} · {run.run_id} · {chips}"


def _notes(run: RunSnapshot) -> str:
    return "".join(f"<p class=note>{_text(n.text)}</p>" for n in run.notes)


def _grid(title: str, heads: Iterable[str], rows: Iterable[Iterable[object]], before: str = "") -> str:
    """A heading, a line of text and a table of texts; "" when there are no rows."""
    body = "".join("<tr>" + "".join(f"<td>{_text(v)}</td>" for v in row) + "</tr>" for row in rows)
    if not body:
        return ""
    head = "".join(f"<th>{_text(h)}</th>" for h in heads)
    line = f"<p class=note>{_text(before)}</p>" if before else ""
    return f"<h2>{_text(title)}</h2>{line}<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _heads(lang: Lang, *keys: str) -> list[str]:
    return [say(lang, f"export.{key}") for key in keys]


def _aligned(run: RunSnapshot) -> str:
    """Both periods' coverage, and each change beside the aligned one."""
    found = run.like_for_like
    if found is None:
        return ""
    parts = [found.current, found.baseline]
    if found.entities:
        parts.append(say(run.lang, "export.comparable", count=found.comparable, all=found.entities))
    for key, names in (("opened", found.openers), ("closed", found.closers), ("partial", found.partials)):
        if names:
            parts.append(f"{say(run.lang, f'export.{key}')}: {', '.join(names)}")
    parts.append(found.rule)
    rows = [(r.metric, r.raw, r.aligned, say(run.lang, f"export.by_{r.basis}")) for r in found.rows]
    heads = _heads(run.lang, "metric", "raw", "aligned", "basis")
    return _grid(say(run.lang, "export.like_for_like"), heads, rows, " · ".join(p for p in parts if p))


def _ratios(run: RunSnapshot) -> str:
    rows = [(r.metric, r.period, r.numerator, r.denominator, r.weighted, r.naive, r.gap) for r in run.ratios]
    heads = _heads(run.lang, "metric", "period", "numerator", "denominator", "weighted", "naive", "gap")
    return _grid(say(run.lang, "export.ratios"), heads, rows)


def _slip(run: RunSnapshot) -> str:
    rows = [
        (r.metric, r.place, r.period, r.first, r.second, say(run.lang, f"export.{_agrees(r.is_same)}"))
        for r in run.slip
    ]
    heads = _heads(run.lang, "metric", "place", "period", "first", "second", "result")
    return _grid(say(run.lang, "export.slip"), heads, rows)


def _agrees(is_same: bool) -> str:
    return "same" if is_same else "differs"


def _words(run: RunSnapshot) -> str:
    """What the cells refute of the words; nothing when they refute nothing."""
    items = (run.provenance.get("words") or {}).get("items", ())
    rows = [(i["text"], i["why"]) for i in items if i["status"] == "contradicted"]
    return _grid(say(run.lang, "export.words"), _heads(run.lang, "said", "data"), rows)


def _table(table: Table, title: str) -> str:
    head = "".join(f"<th>{_text(c.label)}</th>" for c in table.columns)
    rows = "".join(
        "<tr>" + "".join(f"<td>{_text(_shown(row.get(c.key), c.unit))}</td>" for c in table.columns) + "</tr>"
        for row in table.rows
    )
    count = f"{table.shown} / {table.row_count}"
    return (
        f"<h2>{_text(title)} ({count})</h2><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    )


def _shown(value: Any, unit: str) -> str:
    if value is None:
        return ""
    if unit == "ratio" and isinstance(value, int | float):
        return f"{value * 100:.2f}%"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def _verdicts(verdicts: Iterable[Verdict], title: str) -> str:
    items = "".join(
        f"<li class={_text(v.status)}><b>{_text(v.status)}</b> {_text(v.check)}: {_text(v.note)}</li>"
        for v in verdicts
    )
    return f"<h2>{_text(title)}</h2><ul>{items}</ul>" if items else ""


def _claims(provenance: Mapping[str, Any], title: str) -> str:
    items = "".join(
        f"<li>{_text(i['text'])} ← {_text(i['status'])} {_text(i['source'])} {_text(i['formula'])}</li>"
        for i in provenance.get("items", ())
        if i["status"] != "exempt"
    )
    return f"<h2>{_text(title)}</h2><ul>{items}</ul>" if items else ""


def _sql(statements: Iterable[str], title: str) -> str:
    items = "".join(f"<pre>{_text(s)}</pre>" for s in statements)
    return f"<h2>{_text(title)}</h2>{items}" if items else ""


_STYLE = (
    "body{font:15px/1.6 Inter,'PingFang SC','Microsoft YaHei','Noto Sans CJK SC',sans-serif;"
    "max-width:820px;margin:32px auto;padding:0 16px;color:#1c1d22}"
    "h1{font-size:22px}h2{font-size:16px;margin-top:28px}"
    ".meta,.note{color:#5a5d66;font-size:13px}"
    "table{border-collapse:collapse;width:100%;font-size:13px}"
    "th,td{border-bottom:1px solid #e6e7eb;padding:6px 8px;text-align:left}"
    "td{font-variant-numeric:tabular-nums}li.fail b{color:#b3261e}li.warn b{color:#8a5a00}"
    "li.pass b{color:#1b7f5c}pre{background:#f7f7f9;padding:12px;white-space:pre-wrap;font-size:12px}"
    "@media print{body{margin:0}}"
)
