"""A trigger is found as a whole word, in any script and letter case."""

import pytest

from caramelo_tui.agent.trigger_words import has_trigger, words_of


@pytest.mark.parametrize(
    ("prompt", "trigger"),
    [
        ("please deploy the site", "deploy"),
        ("Deploy!", "deploy"),
        ("DEPLOY", "deploy"),
        ("(deploy)", "deploy"),
        ("pre-deploy", "deploy"),
        ("deploy's", "deploy"),
        ("redeploy, then deploy", "deploy"),
        ("ship  it\nnow", "Ship It"),
        ("use c++ here", "c++"),
        ("version 2", "2"),
        ("GROSSE STRASSE", "straße"),
        ("cafe\u0301 now", "CAFÉ"),
        ("выпуск завтра", "Выпуск"),
        ("请部署网站", "部署"),
        ("デプロイして", "デプロイ"),
        ("ไปdeployแล้ว", "deploy"),
        ("deploy部署", "deploy"),
    ],
)
def test_whole_words_are_found(prompt: str, trigger: str) -> None:
    assert has_trigger(words_of(prompt), trigger)


@pytest.mark.parametrize(
    ("prompt", "trigger"),
    [
        ("explain the redeployment log", "deploy"),
        ("deployed", "deploy"),
        ("deploy_staging", "deploy"),
        ("deploy2", "deploy"),
        ("ship. it", "ship it"),
        ("shipit", "ship it"),
        ("cafe\u0301", "cafe"),
        ("d\u0301eploy", "d"),
        ("कि", "क"),
        ("перевыпуск", "выпуск"),
        ("", "deploy"),
        ("deploy", ""),
        ("a b", " "),
    ],
)
def test_parts_of_words_are_not(prompt: str, trigger: str) -> None:
    assert not has_trigger(words_of(prompt), trigger)
