"""What an erasure leaves in a cluster that keeps the words: the detector looks into the folder of the node itself."""

from uuid import UUID

import pytest

from adapters.search.feed import VersionWords
from tests.detector import Detector
from tests.opensearch.nodes import Node, fresh
from tests.servers import until
from tests.twins import ANALYZER

pytestmark = pytest.mark.opensearch

WORD = "qxvorblazint"
OURS, THEIRS = UUID(int=1), UUID(int=2)


def test_nothing_of_a_mandate_is_left_in_the_node(opensearch_node: Node) -> None:
    """Segments and log go with the index, also after a version has been replaced; other mandates keep theirs.

    Erasing single versions takes the same way: the mandate's index goes, and a new one is made of what is left.
    """
    from adapters.search.opensearch_feed import OpenSearchFeed  # noqa: PLC0415 - its client is an extra

    server = fresh(opensearch_node)
    feed = OpenSearchFeed(server, ANALYZER)
    found = Detector(WORD)
    for text in (f"Ein {WORD} steht hier.", f"Das {WORD} ist grün.", "Nichts davon."):
        feed.put([VersionWords(OURS, 1, (text, "Mehr davon.")), VersionWords(THEIRS, 2, ("Ein Ybrimstolk.",))])
    assert found.files([opensearch_node.folder])

    feed.forget(OURS)
    feed.put([VersionWords(OURS, 3, ("Nichts davon.",))])

    # A node deletes files once nobody reads them any more.
    assert until(lambda: not found.files([opensearch_node.folder]))
    assert Detector("ybrimstolk").files([opensearch_node.folder])
    feed.forget(THEIRS)
    feed.forget(OURS)
