"""What a process reads once, so that those forked from it need not: models, dictionaries, and the modules around them.

Such a process has to run with ``tests.servers.ONE_THREAD`` in its environment.
"""

from adapters.encoders.use import UniversalSentenceEncoder, read_model
from adapters.readers import readers  # noqa: F401 - for the forks
from adapters.rerank import embedded, matching  # noqa: F401
from adapters.search import sections, subwords, tantivy  # noqa: F401
from adapters.search.analyzer import GermanAnalyzer
from adapters.search.compounds import Compounds


def read_models() -> None:
    """Read here what each fork would read with its first question, for half a second and more."""
    encoder, words, analyzer = UniversalSentenceEncoder(1), Compounds(), GermanAnalyzer()
    read_model()
    matching.background()
    matching.function_words()
    for owner, name, value in (
        (UniversalSentenceEncoder, "fingerprint", encoder.fingerprint),
        *((Compounds, name, getattr(words, name)) for name in ("_tagger", "_nouns", "_shipped")),
        (GermanAnalyzer, "_everyday", analyzer._everyday),
    ):
        setattr(owner, name, value)
    encoder.close()
