"""The table of figures: medians, targets, and what counts as missed."""

import json

import pytest

from benchmarks.figures import ALL, HALF, MOST, Direction, Figure, Floor, Samples
from benchmarks.report import data, document, results, share_of, table


def figure(key: str, *, target: float | None = None, floor: Floor | None = None) -> Figure:
    return Figure(key=key, what=key, unit="ms", group="g", samples=key, target=target, floor=floor)


def line(one: Figure, samples: Samples) -> str:
    return table(results([one], samples)).splitlines()[2]


def test_a_share_is_a_value_that_was_taken() -> None:
    values = [float(number) for number in range(1, 21)]
    assert share_of(values, HALF) == 10.5
    assert share_of(values, MOST) == 19
    assert share_of(values, ALL) == 20
    assert share_of([7.0], MOST) == 7


def test_a_miss_is_marked_with_its_target_beside() -> None:
    one = figure("a", target=5)
    assert line(one, {"a": [4, 6, 9]}) == "| a | 6 ms | 4 to 9 | 3 | ≤ 5 | **missed** |"
    assert line(one, {"a": [4, 5, 9]}) == "| a | 5 ms | 4 to 9 | 3 | ≤ 5 | met |"


def test_a_figure_that_is_told_as_its_target_is_met() -> None:
    assert line(figure("a", target=0.1), {"a": [0.1004]}) == "| a | 0.1 ms | - | 1 | ≤ 0.1 | met |"


def test_a_bound_follows_from_the_floor_of_the_same_run() -> None:
    one = figure("a", floor=Floor(samples="f", times=2, plus=1))
    samples = {"a": [6.0], "f": [1.0, 2.0, 3.0]}
    assert line(one, samples) == "| a | 6 ms (3.00 x) | - | 1 | ≤ 5 (2 x floor + 1) | **missed** |"
    (result,) = results([one], {"a": [5.0], "f": [2.0]})
    assert (result.target, result.ratio, result.is_missed) == (5, 2.5, False)


def test_at_least_is_the_other_side() -> None:
    one = Figure(
        key="a",
        what="a",
        unit="%",
        group="g",
        samples="a",
        target=50,
        direction=Direction.AT_LEAST,
    )
    assert [results([one], {"a": [value]})[0].is_missed for value in (49.0, 50.0)] == [True, False]


def test_what_could_not_be_measured_is_neither_met_nor_missed() -> None:
    lines = results([figure("a", target=5)], {})
    assert "**not measured**" in table(lines)
    page = document({"date": "today"}, lines, {"g": "the screen did not come"}, {"g": "by hand"})
    assert "0 of 0 targets met" in page
    assert "- g: the screen did not come" in page
    assert "- g: by hand." in page
    assert "- date: today" in page


def test_the_data_holds_every_value() -> None:
    samples = {"a": [1.0, 2.0]}
    read = json.loads(data({"date": "today"}, results([figure("a")], samples), samples, {}))
    assert read["samples"] == samples
    assert read["facts"] == {"date": "today"}
    assert read["results"][0]["value"] == pytest.approx(1.5)
