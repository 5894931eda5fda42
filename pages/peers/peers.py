"""Peers: where each shop stands, how its rank moved, and what part of a change is the market's."""

from __future__ import annotations

from pages.ui import frame, peers_bar, peers_charts, peers_split, peers_table

opened = frame.opened()
if opened is not None:
    here, overview = opened
    peers_bar.header(here, overview)
    report = peers_bar.load(here, overview)
    if report is not None and peers_bar.has_peers(report):
        choice = peers_bar.choose(report)
        peers_table.counts(report, choice)
        peers_table.show(here, report, choice)
        peers_charts.strip(here, report, choice)
        peers_charts.trend(here, report, choice)
        peers_split.show(here, report, choice)
        peers_table.asides(here, report, choice)
