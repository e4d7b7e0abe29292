"""Heights add up, and rows lead back to blocks."""

import pytest

from caramelo_tui.ui.widgets.heights import Heights, MeasuredHeights, UniformHeights


def measured(*heights: int) -> MeasuredHeights:
    made = MeasuredHeights()
    made.extend(list(heights))
    return made


def test_the_total_follows_every_change() -> None:
    heights = measured(3, 1, 4)
    heights.append(2)
    heights.put(1, 5)
    assert heights.total == 14
    assert heights.before(2) == 8
    heights.truncate(1)
    assert heights.total == 3
    assert len(heights) == 1
    assert heights[0] == 3


def test_rows_lead_to_blocks() -> None:
    heights = measured(3, 0, 4)
    assert [heights.find(row) for row in (-1, 0, 2, 3, 6, 99)] == [
        (0, 0),
        (0, 0),
        (0, 2),
        (2, 0),
        (2, 3),
        (2, 3),
    ]
    assert MeasuredHeights().find(3) == (0, 0)


def test_scaling_keeps_empty_blocks_empty() -> None:
    heights = measured(10, 0, 1)
    heights.scale(0.5)
    assert [heights[index] for index in range(3)] == [5, 0, 1]
    assert heights.total == 6


def test_uniform_heights_count_lines() -> None:
    heights = UniformHeights(5)
    heights.put(2, 9)
    heights.scale(3)
    assert heights.total == len(heights) == 5
    assert heights.before(3) == 3
    assert heights.find(4) == (4, 0)
    assert heights.find(99) == (4, 0)
    assert UniformHeights().find(3) == (0, 0)


@pytest.mark.parametrize("heights", [measured(1, 1, 1), UniformHeights(3)])
def test_both_kinds_agree_on_lines(heights: Heights) -> None:
    assert [heights.find(row) for row in range(3)] == [(0, 0), (1, 0), (2, 0)]
    assert [heights.before(index) for index in range(4)] == [0, 1, 2, 3]
