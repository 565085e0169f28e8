-- name: token
SELECT token FROM chat_accounts WHERE account = %(account)s

-- name: set_token
INSERT INTO chat_accounts (account, token) VALUES (%(account)s, %(token)s)
ON CONFLICT (account) DO UPDATE SET token = excluded.token

-- name: note
-- What was noted before stays as it is. The order of the rows is that of the arrays.
INSERT INTO chat_inbox (account, event, room, person, sent_at, kind, target, detail, question)
SELECT %(account)s, event, room, person, sent_at, kind, target, detail, question
FROM unnest(
    %(events)s::text[], %(rooms)s::text[], %(people)s::uuid[], %(instants)s::timestamptz[], %(kinds)s::text[],
    %(targets)s::text[], %(details)s::text[], %(questions)s::text[]
) WITH ORDINALITY AS given (event, room, person, sent_at, kind, target, detail, question, place)
ORDER BY place
ON CONFLICT (account, event) DO NOTHING
RETURNING event

-- name: noted
SELECT event, room, person, sent_at, kind, target, detail
FROM chat_inbox WHERE account = %(account)s AND event = %(event)s

-- name: pending
SELECT event, room, person, sent_at, kind, target, detail
FROM chat_inbox WHERE account = %(account)s AND NOT finished ORDER BY number

-- name: finish
UPDATE chat_inbox SET finished = true, answer = coalesce(%(answer)s, answer), run = coalesce(%(run)s, run)
WHERE account = %(account)s AND event = %(event)s

-- name: answered
SELECT question, room, answer, run FROM chat_inbox
WHERE account = %(account)s AND question = %(question)s AND answer IS NOT NULL ORDER BY number DESC LIMIT 1

-- name: wordings
SELECT event FROM chat_inbox
WHERE account = %(account)s AND question = %(question)s AND answer IS NOT NULL ORDER BY number

-- name: answering
SELECT question, room, answer, run FROM chat_inbox
WHERE account = %(account)s AND answer = %(answer)s ORDER BY number DESC LIMIT 1

-- name: of_run
SELECT question, room, answer, run FROM chat_inbox
WHERE account = %(account)s AND run = %(run)s AND answer IS NOT NULL ORDER BY number DESC LIMIT 1
