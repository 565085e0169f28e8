-- Searching vectors and learned weights. Under the role reader, inside the scope that the transaction names.

-- name: sizes
-- How much of each mandate is visible and encoded, and whether there is a graph over its vectors.
SELECT mandate, count(*), sum(passages)::bigint, to_regclass(graph_name(mandate, %(encoder)s)) IS NOT NULL
FROM passage_encodings
WHERE mandate = ANY (%(mandates)s) AND encoder = %(encoder)s AND ordinal = ANY (%(ordinals)s)
GROUP BY mandate

-- name: nearest
-- Exact scan of the visible passages; the filter is part of the search, so nothing hidden takes a place. The vector
-- comes as text: a cast from an array would be done again for each row.
SELECT ordinal, number, 1 - (embedding <=> %(vector)s::halfvec) AS score
FROM passage_vectors
WHERE mandate = ANY (%(mandates)s) AND encoder = %(encoder)s AND ordinal = ANY (%(ordinals)s)
ORDER BY score DESC, ordinal, number
LIMIT %(limit)s

-- name: graph_settings
-- true: they end with the transaction, so no other search gets them. Without sorting, the graph gives the order.
SELECT set_config('hnsw.iterative_scan', 'relaxed_order', true),
       set_config('hnsw.ef_search', %(ef_search)s, true),
       set_config('hnsw.max_scan_tuples', %(max_scan_tuples)s, true),
       set_config('enable_sort', 'off', true)

-- name: nearest_by_graph
-- The filter is inside, the scan goes on until enough has passed it or its limit is reached. Never prepared: the
-- planner has to see the encoder to know that the graph holds its vectors.
SELECT ordinal, number, 1 - (embedding <=> %(vector)s::halfvec) AS score
FROM passage_vectors
WHERE mandate = %(mandate)s AND encoder = %(encoder)s AND ordinal = ANY (%(ordinals)s)
ORDER BY embedding::halfvec({dimensions}) <=> %(vector)s::halfvec({dimensions})
LIMIT %(limit)s

-- name: vectors
SELECT ordinal, number, embedding::real[]
FROM passage_vectors
WHERE mandate = ANY (%(mandates)s) AND encoder = %(encoder)s
  AND (ordinal, number) IN (SELECT * FROM unnest(%(ordinals)s::bigint[], %(numbers)s::integer[]))

-- name: weighed
SELECT count(*) FROM weight_encodings
WHERE mandate = ANY (%(mandates)s) AND encoder = %(encoder)s AND ordinal = ANY (%(ordinals)s)

-- name: heaviest
SELECT ordinal, number, -(embedding <#> %(weights)s::sparsevec) AS score
FROM passage_weights
WHERE mandate = ANY (%(mandates)s) AND encoder = %(encoder)s AND ordinal = ANY (%(ordinals)s)
ORDER BY score DESC, ordinal, number
LIMIT %(limit)s
