-- The view of looks. Under the role projector: "clear", "look". Under the role reader: "scope", "looks".

-- name: clear
DELETE FROM looks

-- name: look
INSERT INTO looks (
    mandate, position, viewed_at, person, operator, what, runs, levels, of_person, since, until, told_up_to
) VALUES (
    %(mandate)s, %(position)s, %(viewed_at)s, %(person)s, %(operator)s, %(what)s, %(runs)s::uuid[], %(levels)s::text[],
    %(of_person)s, %(since)s, %(until)s, %(told_up_to)s
)

-- name: scope
-- Row-level security reads this setting; true: it ends with the transaction.
SELECT set_config('fundstelle.scope', %(mandate)s, true)

-- name: looks
-- Looks at what the reader may see; newest last.
SELECT viewed_at, person, operator, what, runs, levels, of_person, since, until, told_up_to
FROM looks
WHERE mandate = %(mandate)s AND levels <@ %(levels)s::text[]
ORDER BY position
