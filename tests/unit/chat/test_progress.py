"""What is shown while an answer is made, and where that stands in the end; every part in memory."""

import asyncio
from typing import Any

import pytest

from bot.chat import questions
from bot.chat.outgoing import Content
from tests.chat_platform import Death
from tests.chat_world import ANNA, QUESTION, ROOM, ChatWorld, answers


async def test_progress_is_shown_only_when_it_takes_a_while(chat: ChatWorld) -> None:
    """One notice, at most three times edited, that points to the answer in the end."""
    chat.patience = 0.0
    chat.start()
    thinks = asyncio.sleep

    async def slowly(seconds: float) -> None:
        await thinks(seconds)

    scores = chat.world.reranker.scores

    async def scored(question: str, passages: list[object]) -> list[float]:
        await slowly(0.02)
        return await scores(question, passages)  # type: ignore[arg-type]

    chat.world.reranker.scores = scored  # type: ignore[method-assign,assignment]
    await chat.ask()

    notice, answer = chat.ours()
    assert notice.content is not None
    assert notice.content.is_notice
    assert 1 <= notice.edits <= 3
    assert notice.text == "Die Antwort ist da."
    assert f'href="https://chat.example/{ROOM}/{answer.event}"' in notice.content.html
    assert answer.run is not None
    assert chat.platform.typed == [True, False]


async def test_progress_that_is_late_does_not_come_behind_the_answer(chat: ChatWorld) -> None:
    """It is just on its way when the answer is there: the answer waits for it, stands last, and it points there."""
    chat.patience = 0.0
    chat.start()
    send, order = chat.platform.send, list[bool]()
    is_sending = asyncio.Event()

    async def slowly(room: str, content: Content, **more: Any) -> str:
        if content.is_notice:
            is_sending.set()
            await asyncio.sleep(0.05)
        order.append(content.is_notice)
        return await send(room, content, **more)

    scores = chat.world.reranker.scores

    async def scored(*arguments: object) -> list[float]:
        await is_sending.wait()
        return await scores(*arguments)  # type: ignore[arg-type]

    chat.world.reranker.scores = scored  # type: ignore[method-assign]
    chat.platform.send = slowly  # type: ignore[method-assign]
    await chat.ask()
    assert order == [True, False]
    notice, answer = chat.ours()
    assert (notice.text, answer.text == notice.text) == ("Die Antwort ist da.", False)


async def test_progress_of_a_process_that_died_points_to_the_answer_of_the_next(
    chat: ChatWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And goes with the question when that is taken back."""
    shown = asyncio.Event()
    scores, say = chat.world.reranker.scores, chat.platform.send

    async def scored(*arguments: object) -> list[float]:
        await shown.wait()
        return await scores(*arguments)  # type: ignore[arg-type]

    async def said(*arguments: Any, **more: Any) -> str:
        found = await say(*arguments, **more)
        shown.set()
        return found

    async def dies(*_arguments: object, **_more: object) -> None:
        raise Death

    chat.world.reranker.scores = scored  # type: ignore[method-assign]
    chat.platform.send = said  # type: ignore[method-assign]
    chat.patience = 0.0
    chat.start()
    asked = chat.server.say(ROOM, ANNA, QUESTION, mentions_us=True)
    with monkeypatch.context() as patch:
        patch.setattr(questions, "deliver", dies)
        with pytest.raises(Death):
            await chat.hear(asked)
    assert [one.text.startswith("Einen Moment") for one in chat.ours()] == [True]

    chat.patience = 60.0
    chat.start()
    await chat.service.begin()
    await chat.service.settle()
    assert [one.text == "Die Antwort ist da." for one in chat.ours()] == [True, False]
    assert len(answers(chat.ours())) == 1
    await chat.hear(chat.server.redact(ROOM, asked.event, ANNA))
    assert chat.ours() == []
