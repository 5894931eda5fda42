"""What was told before, of every viewer: stored answers and kept reports, for the restatement ledger."""

from __future__ import annotations

from collections.abc import Callable

from askcore.base.errors import BadRequest
from askcore.base.restated import Subject
from askcore.base.store import Store
from askcore.base.views import RunSnapshot
from askcore.report.manifest import Manifest, manifest, read_manifest
from askcore.report.shelf import Shelf
from askcore.report.verify import manifest_of_html


class ToldBefore:
    """See `ledger.Past`."""

    def __init__(self, store: Store, shelf: Shelf, snapshot: Callable[[str], RunSnapshot | None]) -> None:
        self._store = store
        self._shelf = shelf
        self._snapshot = snapshot

    def subjects(self, dataset: str, limit: int) -> list[Subject]:
        """Reports first: they have left the house."""
        reports = [
            Subject(kind="report", id=made.report_id, viewer=made.viewer, version=made.version)
            for made in self._shelf.everyones()
            if made.dataset == dataset
        ]
        runs = [
            Subject(kind="run", id=run_id, viewer=viewer, version=version)
            for run_id, viewer, version in self._store.done_runs(dataset, limit)
        ]
        return [*reports[:limit], *runs]

    def run(self, run_id: str) -> RunSnapshot | None:
        """An answer; None when it was deleted."""
        return self._snapshot(run_id)

    def report(self, report_id: str, viewer: str) -> Manifest:
        """The calls and figures of a kept report as built, whatever its options show.

        Raises: BadRequest when it is gone.
        """
        try:
            return read_manifest(manifest(self._shelf.content(report_id, viewer)))
        except BadRequest:
            page = self._shelf.file(report_id, "html", viewer)
            if page is None:
                raise
            return manifest_of_html(page)
