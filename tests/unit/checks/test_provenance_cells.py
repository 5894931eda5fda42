"""What the `--cells` file may hold and how a slip in it is named."""

from __future__ import annotations

from typing import Any

import pytest

from askcore.base.errors import BadRequest
from askcore.checks.provenance import cells_from_json

GOOD = {"v": 12.5, "unit": "money", "metric": "grossAmt", "row": "Shop A"}


def test_bare_list_has_no_entities() -> None:
    cells, entities = cells_from_json([GOOD])
    assert entities == ()
    assert (cells[0].value, cells[0].entity, cells[0].period) == (12.5, "Shop A", "cur")
    assert (cells[0].step, cells[0].role, cells[0].additivity) == ("t1", "value", "sum")


@pytest.mark.parametrize(
    ("row", "entity", "period"),
    [
        ("", "", "cur"),
        ("cur", "", "cur"),
        ("prev", "", "prev"),
        ("Shop A", "Shop A", "cur"),
        ("Shop A_prev", "Shop A", "prev"),
        ("odd_prev", "odd_prev", "cur"),
    ],
)
def test_row_names_entity_and_period(row: str, entity: str, period: str) -> None:
    cells, _ = cells_from_json({"cells": [{**GOOD, "row": row}], "entities": ["odd_prev"]})
    assert (cells[0].entity, cells[0].period) == (entity, period)


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"v": None}, "cells[1].v"),
        ({"v": "12"}, "cells[1].v"),
        ({"v": True}, "cells[1].v"),
        ({"v": float("nan")}, "cells[1].v"),
        ({"v": float("inf")}, "cells[1].v"),
        ({"v": 10**400}, "cells[1].v"),
        ({"unit": "mony"}, "cells[1].unit"),
        ({"unit": 3}, "cells[1].unit"),
        ({"role": "totals"}, "cells[1].role"),
        ({"metric": None}, "cells[1].metric"),
        ({"row": ["x"]}, "cells[1].row"),
        ({"rol": "delta"}, "cells[1].rol"),
    ],
)
def test_bad_field_is_named(change: dict[str, Any], place: str) -> None:
    with pytest.raises(BadRequest) as caught:
        cells_from_json({"cells": [GOOD, {**GOOD, **change}]})
    assert caught.value.message.startswith(place)


@pytest.mark.parametrize("missing", ["v", "unit", "metric"])
def test_missing_field_is_named(missing: str) -> None:
    entry = {key: value for key, value in GOOD.items() if key != missing}
    with pytest.raises(BadRequest, match=rf"cells\[0\]\.{missing} is missing"):
        cells_from_json([entry])


@pytest.mark.parametrize(
    "obj", [None, 3, "x", {}, {"cells": {}}, {"cells": [3]}, {"cells": [], "entities": "A"},
            {"cells": [], "entities": [1]}],
)  # fmt: skip
def test_wrong_shape_is_refused(obj: object) -> None:
    with pytest.raises(BadRequest):
        cells_from_json(obj)


def test_unknown_unit_hints_at_the_near_one() -> None:
    with pytest.raises(BadRequest) as caught:
        cells_from_json([{**GOOD, "unit": "mony"}])
    assert caught.value.hint == "money"
