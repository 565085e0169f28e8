-- name: posted
SELECT posted FROM chat_posts WHERE account = %(account)s AND room = %(room)s

-- name: post
-- Never fewer: an instance that has lost its lease may be late.
INSERT INTO chat_posts AS known (account, room, posted) VALUES (%(account)s, %(room)s, %(posted)s)
ON CONFLICT (account, room) DO UPDATE SET posted = greatest(known.posted, excluded.posted)
