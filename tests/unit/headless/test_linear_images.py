"""Images go with the prompts that name them, and the clipboard's with the next one."""

from tests.doubles.fake_agent import FakeAgent
from tests.doubles.images import FakeImages, attachment
from tests.unit.headless.linear_worlds import linear_world

ONE = attachment("a.png")


async def test_a_prompt_takes_the_images_that_it_names() -> None:
    images = FakeImages(files={"a.png": ONE})
    with linear_world(FakeAgent(images=images)) as world:
        await world.type_beside("look at @a.png and make @new.png")
        assert world.agent.submitted == ["look at @a.png and make @new.png"]
        assert world.agent.sent_images == [(ONE,)]


async def test_a_model_without_images_gets_the_text_and_that_is_said() -> None:
    images = FakeImages(can_send=False, files={"a.png": ONE}, clipboard=ONE)
    with linear_world(FakeAgent(images=images)) as world:
        assert "claude-test takes no images." in await world.type_beside("/paste-image")
        said = await world.type_beside("look at @a.png")
        assert "claude-test takes no images. What names an image goes as text." in said
        assert world.agent.sent_images == [()]


async def test_the_clipboards_image_goes_with_the_next_prompt_only() -> None:
    images = FakeImages(clipboard=ONE)
    with linear_world(FakeAgent(images=images)) as world:
        assert "a.png, 24 bytes, goes with the next prompt." in await world.type_beside(
            "/paste-image"
        )
        await world.type_beside("what is it?")
        world.agent.end_run()
        await world.catch_up()
        await world.type_beside("and now?")
        assert world.agent.sent_images == [(ONE,), ()]
        images.clipboard = None
        assert "No image came" in await world.type_beside("/paste-image")


async def test_steered_and_first_prompts_take_their_images_too() -> None:
    images = FakeImages(files={"a.png": ONE})
    with linear_world(FakeAgent(images=images)) as world:
        await world.type("one")
        assert "next turn" in await world.type_beside("/steer like @a.png")
        assert world.agent.steering == ["like @a.png"]
        assert world.agent.sent_images == [(), (ONE,)]
    with linear_world(FakeAgent(images=images)) as world:
        await world.type_beside("/steer @a.png")
        assert world.agent.submitted == ["@a.png"]
        assert world.agent.sent_images == [(ONE,)]
