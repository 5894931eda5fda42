"""`search_metadata`: which metric, entity, dimension or value a word means."""

from __future__ import annotations

from pydantic import Field

from askcore.base.text import say
from askcore.base.values import Cell, Column, Note, Table
from askcore.index import index_for
from askcore.index.base import Hit
from askcore.tools.base import Tool, ToolArgs, ToolContext, ToolOutput

_COLUMNS = ("kind", "key", "label", "parent", "score", "why")
_EXAMPLES = 8  # names to offer when nothing matches


class SearchMetadataArgs(ToolArgs):
    """Find the metrics, levels, entities (shops, chains …), dimensions and their values that a word means,
    in Chinese or English, typos allowed. Use it before a query when a name in the question is no known
    metric or entity. `query` is the word or phrase; `limit` the number of hits.
    """

    query: str = Field(description="a word or phrase, e.g. a metric, shop or chain name")
    limit: int = Field(default=10, ge=1, le=50, description="most hits to return")


def run(args: SearchMetadataArgs, ctx: ToolContext) -> ToolOutput:
    """Ranked hits; with none, names of entities that do exist."""
    model, catalog = ctx.view.model, ctx.view.catalog
    hits = index_for(model, catalog).search(args.query, args.limit)
    notes: tuple[Note, ...] = ()
    facts: dict[str, object] = {"hits": [_row(h) for h in hits]}
    if not hits:
        notes = (Note(code="empty", text=say(ctx.lang, "index.none", query=args.query.strip())),)
    if not any(h.kind == "entity" for h in hits):
        leaf = model.leaf_level
        known = catalog.by_level.get(leaf.key, ()) if leaf is not None else ()
        facts["examples"] = [{"id": e.id, "name": e.name} for e in known[:_EXAMPLES]]
    count = Cell(value=len(hits), unit="count", metric="rows", step=ctx.step_id, role="rows")
    return ToolOutput(
        table=_table(hits, ctx),
        facts=facts,
        cells=(count,),
        notes=notes,
        args={"query": args.query, "limit": args.limit},
        row_count=len(hits),
    )


def _row(hit: Hit) -> dict[str, object]:
    return {**hit.as_json(), "parent": hit.parent}


def _table(hits: tuple[Hit, ...], ctx: ToolContext) -> Table:
    columns = tuple(Column(key=k, label=say(ctx.lang, f"index.col_{k}")) for k in _COLUMNS)
    rows = tuple({k: _row(h)[k] for k in _COLUMNS} for h in hits)
    return Table(columns=columns, rows=rows, row_count=len(rows))


TOOL = Tool(name="search_metadata", args=SearchMetadataArgs, run=run)
