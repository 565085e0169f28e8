"""Search inside the scope of a question, under the statistics of what may be seen.

By meaning ``pgvector.py``; by words ``tantivy.py`` or ``opensearch.py``; by pieces of words ``subwords.py``, or
learned weights ``sparsevec.py``; by number ``sections.py``. Start with ``coding.py``, how words are held without
knowing who will ask, and ``partitions.py``, where. ``analyzer.py`` says what counts as a word; ``feed.py`` and
``opensearch_feed.py`` write; ``passages.py`` gives the words behind hits.
"""
