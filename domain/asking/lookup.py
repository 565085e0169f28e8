"""A search without a question: what each list holds and what would be chosen. Nothing is recorded."""

from domain.asking.admission import Admission
from domain.asking.retrieval import Retrieval, best, ranked
from domain.asking.ruling import Rules
from domain.asking.searches import DENSE
from domain.asking.values import Finding
from domain.asking.visibility import Visible
from domain.mandates.policies import RELEVANCE


async def look_up(retrieval: Retrieval, rules: Rules, text: str, visible: Visible, admission: Admission) -> Finding:
    """Return the lists of every step up to the selection.

    Raises:
        PartError: a part did not answer.
    """
    ruling = await rules.of(text, visible)
    keys = await retrieval.encode(text, admission.lists_that_may_fail)
    lists = await retrieval.search(text, keys, visible, admission.lists_that_may_fail)
    fused = retrieval.fuse(lists, ruling, admission.fusion_weights)
    texts = await retrieval.texts([hit.passage for hit in fused.hits], visible)
    candidates = {passage: texts[passage] for passage in best(fused.hits)}
    reranked = await retrieval.rerank(text, candidates, fused.cited)
    threshold = admission.threshold(RELEVANCE, retrieval.model)
    selected = await retrieval.select(reranked, texts, visible, threshold.value, without_vectors=lists.lacks(DENSE))
    found = {name: ranked(hits) for name, hits in fused.lists.items()}
    found |= {"fused": ranked(fused.hits), "reranked": reranked, "selected": ranked(selected)}
    return Finding(text, visible, found, texts, ruling.settled(candidates).missing)
