"""The reports that were made: a folder each, with its content, its files and a line of what it is."""

from __future__ import annotations

import logging
import re
import shutil
import uuid
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from askcore.base.errors import BadRequest, LakeError
from askcore.base.reports import MadeReport, Report, ReportOptions, SectionLine
from askcore.report import content

_LOG = logging.getLogger(__name__)
_ID: Final = re.compile(r"p[0-9a-f]{12}")
_INFO: Final = "report.json"
_CONTENT: Final = "content.json"
_ADAPTER: Final = TypeAdapter(MadeReport)


class Shelf:
    """One a home; a half-written folder has no info file and is not seen."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(
        self, report: Report, files: Mapping[str, bytes], viewer: str, options: ReportOptions | None = None
    ) -> MadeReport:
        """Write content and files, the info last. Raises: LakeError when the disk refuses.

        report: whole, as built; options: how the files show it.
        """
        chosen = options or ReportOptions(provenance=report.has_provenance, sql=report.has_sql)
        made = MadeReport(
            report_id=report.report_id,
            kind=report.kind,
            title=chosen.title or report.title,
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
            files={name: _path(report.report_id, name) for name in files},
            options=chosen,
            sections=tuple(
                SectionLine(id=s.id, title=s.title, has_failed=bool(s.failed)) for s in report.sections
            ),
        )
        for name, data in files.items():
            self._write(report.report_id, f"report.{name}", data)
        self._write(report.report_id, _CONTENT, content.dump(report))
        return self._note(made)

    def list(self, viewer: str) -> tuple[MadeReport, ...]:
        """The viewer's reports, newest first; what cannot be read is left out and logged."""
        return tuple(made for made in self.everyones() if made.viewer == viewer)

    def everyones(self) -> tuple[MadeReport, ...]:
        """The reports of all viewers, newest first."""
        found = [self._read(path) for path in self._folder.glob(f"*/{_INFO}")]
        own = [made for made in found if made is not None]
        return tuple(sorted(own, key=lambda m: (m.made_at, m.report_id), reverse=True))

    def info(self, report_id: str, viewer: str) -> MadeReport:
        """What a report is. Raises: BadRequest when the viewer has no such report."""
        made = self._read(self._folder / report_id / _INFO) if _ID.fullmatch(report_id) else None
        if made is None or made.viewer != viewer:
            raise BadRequest(f"no report {report_id[:40]!r}", error_class="unknown_name")
        return made

    def content(self, report_id: str, viewer: str) -> Report:
        """A report as it was built.

        Raises: BadRequest when the viewer has no such report, or it was kept without its content; LakeError
        when the content is damaged.
        """
        self.info(report_id, viewer)
        path = self._folder / report_id / _CONTENT
        if not path.exists():
            raise BadRequest(f"report {report_id!r} was kept without its content", error_class="empty")
        return content.load(path.read_bytes())

    def file(self, report_id: str, file_format: str, viewer: str) -> bytes | None:
        """A file of a report; None when it is not written. Raises: BadRequest without such a report."""
        made = self.info(report_id, viewer)
        if file_format not in made.files:
            return None
        path = self._folder / report_id / f"report.{file_format}"
        return path.read_bytes() if path.exists() else None

    def add(self, report_id: str, file_format: str, data: bytes, viewer: str) -> None:
        """Keep a file that was written. Raises: BadRequest without such a report."""
        made = self.info(report_id, viewer)
        self._write(report_id, f"report.{file_format}", data)
        self._note(replace(made, files={**made.files, file_format: _path(report_id, file_format)}))

    def change(self, report_id: str, options: ReportOptions, title: str, viewer: str) -> MadeReport:
        """Other options: the files of before no longer hold. Raises: BadRequest without such a report."""
        made = self.info(report_id, viewer)
        changed = self._note(replace(made, options=options, title=title, files={}))
        for name in made.files:
            (self._folder / report_id / f"report.{name}").unlink(missing_ok=True)
        return changed

    def delete(self, report_id: str, viewer: str) -> None:
        """Remove a report, its info first. Raises: BadRequest when the viewer has no such report."""
        self.info(report_id, viewer)
        (self._folder / report_id / _INFO).unlink(missing_ok=True)
        shutil.rmtree(self._folder / report_id, ignore_errors=True)

    def _note(self, made: MadeReport) -> MadeReport:
        self._write(made.report_id, _INFO, _ADAPTER.dump_json(made))
        return made

    def _write(self, report_id: str, name: str, data: bytes) -> None:
        """Whole or not at all. Raises: LakeError when the disk refuses."""
        own = self._folder / report_id
        part = own / f".{name}.{uuid.uuid4().hex[:8]}"
        try:
            own.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(own / name)
        except OSError as e:
            raise LakeError(f"the report could not be kept: {e}") from e

    def _read(self, path: Path) -> MadeReport | None:
        try:
            return _ADAPTER.validate_json(path.read_bytes())
        except (OSError, ValidationError) as e:
            _LOG.warning("a kept report cannot be read: %s: %s", path, e)
            return None


def _path(report_id: str, file_format: str) -> str:
    return f"reports/{report_id}/report.{file_format}"
