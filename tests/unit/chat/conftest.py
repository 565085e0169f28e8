"""A conversation with every part in memory."""

import pytest

from tests.chat_world import ChatWorld


@pytest.fixture
async def chat() -> ChatWorld:
    return await ChatWorld().open()
