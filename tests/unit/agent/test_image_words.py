"""Words that name an image are found, and the images read."""

import pytest

from caramelo_tui.agent.image_words import (
    finished_word,
    image_paths,
    image_words,
    images_named,
    with_words_replaced,
)
from tests.doubles.images import FakeImages, attachment


@pytest.mark.parametrize(
    ("text", "paths"),
    [
        ("/home/me/shot.png", ("/home/me/shot.png",)),
        ("'/home/me/my shot.PNG'\n", ("/home/me/my shot.PNG",)),
        (r"/home/me/my\ shot.jpeg", ("/home/me/my shot.jpeg",)),
        ("/home/me/my shot.webp", ("/home/me/my shot.webp",)),
        ("/home/it's/shot.gif", ("/home/it's/shot.gif",)),
        ("file:///home/me/my%20shot.png", ("/home/me/my shot.png",)),
        ("/a.png '/b c.jpg'", ("/a.png", "/b c.jpg")),
        ("~/a.png", ("~/a.png",)),
        ("@docs/a.png", ("docs/a.png",)),
        ('@"docs/a b.png"', ("docs/a b.png",)),
        ("/a.png is wrong", ()),
        ("/a.png /b.txt", ()),
        ("a.png", ()),
        ("/a.png\nand more", ()),
        ("see a.png", ()),
        ("", ()),
        ("/" + "a" * 5_000 + ".png", ()),
    ],
)
def test_a_pasted_path_is_known(text: str, paths: tuple[str, ...]) -> None:
    assert image_paths(text) == paths


@pytest.mark.parametrize(
    ("before", "word"),
    [
        ("see @shot.png ", "@shot.png"),
        ('see @"my shot.png" ', '@"my shot.png"'),
        ("see /tmp/shot.png ", "/tmp/shot.png"),
        (r"/tmp/my\ shot.png ", r"/tmp/my\ shot.png"),
        ("see @shot.png", ""),
        ("see shot.png ", ""),
        ("see me@shot.png ", ""),
        ("see @shot.py ", ""),
    ],
)
def test_a_word_counts_once_it_is_finished(before: str, word: str) -> None:
    assert finished_word(before) == word


def test_all_words_of_a_text_are_found_and_replaced() -> None:
    text = 'compare @a.png with @"b c.jpg" and @a.png, not with a.png'
    assert image_words(text) == ("@a.png", '@"b c.jpg"')
    assert with_words_replaced("see @a.png", lambda word: f"<{word}>") == "see <@a.png>"


async def test_the_images_of_a_text_are_read_once_and_what_cannot_be_read_is_none() -> None:
    one, two = attachment("a.png"), attachment("b c.png")
    images = FakeImages(files={"a.png": one, "/tmp/b c.png": two})
    text = r"see @a.png, @a.png and /tmp/b\ c.png, then make @new.png"
    assert await images_named(images, "see @a.png @a.png and '/tmp/x'") == (one,)
    assert await images_named(images, text.replace(",", " ")) == (one, two)
    assert images.asked.count("a.png") == 2
