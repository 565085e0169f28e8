"""Steps 1 to 6: what a question names, its keys, three searches, the reranker, the selection, and the first gate."""

from domain.asking.anchors import label
from domain.asking.case import Case
from domain.asking.delivery import nothing_found, refuse
from domain.asking.events import (
    CandidatesFused,
    CandidatesReranked,
    CandidatesRetrieved,
    PassagesSelected,
    QuestionEncoded,
    RankedList,
)
from domain.asking.fusion import K
from domain.asking.gates import relevance_gate
from domain.asking.naming import SectionsNamed
from domain.asking.retrieval import best, cited_list, hits, nearest, ranked
from domain.asking.rules import refusal
from domain.asking.run import Run
from domain.asking.searches import DENSE, SPARSE, Failure, Keys, Searches
from domain.mandates.policies import RELEVANCE
from domain.recording import Event


async def rules(case: Case, _run: Run) -> tuple[Event, ...]:
    """Say which sections and acts the question names; what is in doubt is settled by what the searches find."""
    ruling = await case.ruling()
    sure = tuple(one for one in ruling.named if one not in ruling.in_doubt)
    named = SectionsNamed(sure)
    return (named, refusal(ruling.missing)) if ruling.missing else (named,)


async def encode(case: Case, _run: Run) -> tuple[Event, ...]:
    """Turn the question into the keys of two searches."""
    keys = await case.retrieval.encode(case.text, case.admission.lists_that_may_fail)
    return (_encoded(case.retrieval.searches, keys),)


async def search(case: Case, run: Run) -> tuple[Event, ...]:
    """Run the searches and make one list of all; nothing found is a refusal."""
    ruling = await case.ruling()
    keys = _keys(run.must(QuestionEncoded))
    found = await case.retrieval.search(case.text, keys, case.visible, case.admission.lists_that_may_fail)
    fused = case.retrieval.fuse(found, ruling, case.admission.fusion_weights)
    lists = tuple(RankedList(name, ranked(hits)) for name, hits in fused.lists.items())
    events: tuple[Event, ...] = (
        CandidatesRetrieved(lists, tuple(one.recorded for one in found.failed)),
        CandidatesFused(K, ranked(fused.hits), tuple(fused.weights.items())),
    )
    if ruling.in_doubt:
        settled = ruling.settled(await case.texts(best(fused.hits)))
        events = (*events, SectionsNamed(settled.named))
        if settled.missing:
            return (*events, refusal(settled.missing))
    return events if fused.hits else (*events, nothing_found(in_a_wiki=case.admission.searches_a_wiki))


async def rerank(case: Case, run: Run) -> tuple[Event, ...]:
    """Have the model that reads question and passage together put the best candidates in order."""
    texts = await case.texts(best(hits(run.must(CandidatesFused).entries)))
    reranked = await case.retrieval.rerank(case.text, texts, nearest(cited_list(run.must(CandidatesRetrieved))))
    return (CandidatesReranked(case.retrieval.reranker.fingerprint, reranked),)


async def select(case: Case, run: Run) -> tuple[Event, ...]:
    """Choose what an answer may be made of; too little is a refusal, and nobody formulates."""
    reranked = run.must(CandidatesReranked).entries
    texts = await case.texts([one.passage for one in reranked])
    threshold = case.admission.threshold(RELEVANCE, case.retrieval.model)
    relevance = relevance_gate([one.score for one in reranked], threshold)
    lacks_vectors = any(one.name == DENSE for one in run.must(CandidatesRetrieved).failed)
    chosen = await case.retrieval.select(
        reranked, texts, case.visible, relevance.threshold, without_vectors=lacks_vectors
    )
    selected = PassagesSelected(label(chosen))
    if relevance.passed:
        return selected, relevance
    return selected, relevance, refuse("relevance", case.visible, relevance, reranked, texts)


def _encoded(searches: Searches, keys: Keys) -> QuestionEncoded:
    sparse = "" if searches.sparse is None else searches.sparse.encoder.fingerprint
    weights = tuple(sorted((keys.sparse or {}).items()))
    failed = tuple(one.recorded for one in keys.failed)
    return QuestionEncoded(searches.encoder.fingerprint, keys.dense or (), sparse, weights, failed)


def _keys(encoded: QuestionEncoded) -> Keys:
    failed = {one.name for one in encoded.failed}
    dense = None if DENSE in failed else encoded.vector
    sparse = None if SPARSE in failed or not encoded.sparse_fingerprint else dict(encoded.weights)
    return Keys(dense, sparse, tuple(map(Failure.of, encoded.failed)))
