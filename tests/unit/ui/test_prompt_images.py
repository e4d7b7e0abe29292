"""Chips stand for images."""

import pytest

from caramelo_tui.domain.messages import ImageAttachment
from caramelo_tui.ui import prompt_images
from caramelo_tui.ui.prompt_images import ImageChips
from tests.doubles.images import attachment

CHIP = "[image shot.png 24 B 800×600]"  # noqa: RUF001 - the sign between width and height


def test_a_chip_says_name_size_and_pixels() -> None:
    assert ImageChips().take(attachment()) == CHIP
    assert "[image docs/a.png " in ImageChips().take(attachment("docs/a.png"))


def test_the_images_of_a_text_are_found_in_its_order_and_once() -> None:
    chips = ImageChips()
    one, two = attachment("one.png"), attachment("two.png")
    first, second = chips.take(one), chips.take(two)
    assert chips.in_text(f"{second} before {first}, {second}") == (two, one)
    assert chips.in_text("none") == ()


def test_the_same_image_has_one_chip_and_another_of_its_looks_another() -> None:
    chips = ImageChips()
    image, other = attachment(more=b"a"), attachment(more=b"b")
    assert chips.take(image) == chips.take(image)
    assert chips.take(other) == "[image 2: shot.png 25 B 800×600]"  # noqa: RUF001 - as above
    assert chips.in_text(chips.take(other)) == (other,)


def test_a_name_cannot_break_a_chip() -> None:
    chips = ImageChips()
    image = attachment("a[1]\x1b]\n.png")
    chip = chips.take(image)
    assert chips.in_text(chip) == (image,)
    assert "\x1b" not in chip
    assert "\n" not in chip


def test_a_chip_without_its_image_is_said() -> None:
    chips = ImageChips()
    chips.take(attachment())
    assert chips.lost_in(f"{CHIP} [image old.png 1 KB]") == ("[image old.png 1 KB]",)


def test_the_oldest_images_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompt_images, "KEPT_BYTES", 60)
    chips = ImageChips()
    names = ("a.png", "b.png", "c.png")
    first, _second, third = (chips.take(attachment(name)) for name in names)
    assert chips.in_text(first) == ()
    assert len(chips.in_text(third)) == 1


def test_the_chip_at_the_end_is_known() -> None:
    chips = ImageChips()
    chips.take(attachment())
    assert chips.chip_at_end(f"look {CHIP}") == CHIP
    assert chips.chip_at_end(f"look {CHIP} ") == ""
    assert chips.chip_at_end("[image other.png]") == ""


def test_an_image_without_a_size_has_none_on_its_chip() -> None:
    image = ImageAttachment(name="a.png", media_type="image/png", data=b"\x89PNG\r\n\x1a\n")
    assert ImageChips().take(image) == "[image a.png 8 B]"
