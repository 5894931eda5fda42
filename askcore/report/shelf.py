"""The reports that were made: a folder each, its files and a line of what it is."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from askcore.base.errors import BadRequest, LakeError
from askcore.base.reports import MadeReport, Report

_LOG = logging.getLogger(__name__)
_ID: Final = re.compile(r"p[0-9a-f]{12}")
_INFO: Final = "report.json"
_ADAPTER: Final = TypeAdapter(MadeReport)


class Shelf:
    """One a home; a half-written folder has no info file and is not seen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, report: Report, files: Mapping[str, bytes], viewer: str) -> MadeReport:
        """Write the files, the info last. Raises: LakeError when the disk refuses."""
        own = self._folder / report.report_id
        names = {name: f"reports/{report.report_id}/report.{name}" for name in files}
        made = MadeReport(
            report_id=report.report_id,
            kind=report.kind,
            title=report.title,
            lang=report.lang,
            viewer=viewer,
            dataset=report.dataset,
            version=report.version,
            entity=report.entity,
            period=report.period,
            made_at=report.made_at,
            chapters=tuple(section.title for section in report.sections),
            figures=len(report.figures),
            failed=tuple(verdict.note for verdict in report.failed),
            files=names,
        )
        try:
            own.mkdir(parents=True, exist_ok=True)
            for name, data in files.items():
                (own / f"report.{name}").write_bytes(data)
            (own / _INFO).write_bytes(_ADAPTER.dump_json(made))
        except OSError as e:
            raise LakeError(f"the report could not be kept: {e}") from e
        return made

    def list(self, viewer: str) -> tuple[MadeReport, ...]:
        """The viewer's reports, newest first; what cannot be read is left out and logged."""
        return tuple(made for made in self.everyones() if made.viewer == viewer)

    def everyones(self) -> tuple[MadeReport, ...]:
        """The reports of all viewers, newest first."""
        found = [self._read(path) for path in self._folder.glob(f"*/{_INFO}")]
        own = [made for made in found if made is not None]
        return tuple(sorted(own, key=lambda m: (m.made_at, m.report_id), reverse=True))

    def file(self, report_id: str, file_format: str, viewer: str) -> bytes:
        """A file of a report. Raises: BadRequest when the viewer has no such report or format."""
        made = self._read(self._folder / report_id / _INFO) if _ID.fullmatch(report_id) else None
        if made is None or made.viewer != viewer:
            raise BadRequest(f"no report {report_id[:40]!r}", error_class="unknown_name")
        if file_format not in made.files:
            raise BadRequest(f"the report has no {file_format[:10]!r}", hint=", ".join(made.files))
        return (self._folder / report_id / f"report.{file_format}").read_bytes()

    def _read(self, path: Path) -> MadeReport | None:
        try:
            return _ADAPTER.validate_json(path.read_bytes())
        except (OSError, ValidationError) as e:
            _LOG.warning("a kept report cannot be read: %s: %s", path, e)
            return None
