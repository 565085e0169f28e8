"""What is kept of a question in order to measure."""

from bot.looked_up import Ranks, qualities

PLAIN: Ranks = {"dense": (1,), "whole": (2,)}
CITING: Ranks = {"dense": (None,), "cited": (1,), "whole": (1,)}


def test_only_questions_that_cite_give_a_list_of_cited_sections() -> None:
    """Where some cite, the others miss in that list; where none does, there is no such list."""
    both = qualities([PLAIN, CITING])

    assert list(both) == ["dense", "cited", "whole"]
    assert (both["cited"].questions, both["cited"].recall[1], both["whole"].mrr) == (2, 0.5, 0.75)
    assert "cited" not in qualities([PLAIN])


def test_questions_without_targets_do_not_count() -> None:
    """Neither as found nor as missed."""
    assert qualities([PLAIN, {}])["dense"].questions == 1
    assert qualities([{}]) == {}
