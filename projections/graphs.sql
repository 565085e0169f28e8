-- Graphs over the vectors of an encoder in a mandate. Under the role projector.

-- name: dimensions
SELECT vector_dims(embedding) FROM passage_vectors WHERE mandate = %(mandate)s AND encoder = %(encoder)s LIMIT 1

-- name: has_graph
SELECT to_regclass(graph_name(%(mandate)s, %(encoder)s)) IS NOT NULL

-- name: open_graph
SELECT open_passage_graph(%(mandate)s, %(encoder)s, %(dimensions)s)

-- name: drop_graph
SELECT drop_passage_graph(%(mandate)s, %(encoder)s)
