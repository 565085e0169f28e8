-- What came in on chat platforms and asks something of us, and how far each account has read. No word of a message is
-- kept here: it stays on the server of the platform. None of it belongs to a mandate, and readers see nothing of it.
CREATE TABLE fundstelle.chat_accounts (
    account text PRIMARY KEY,           -- our own identity, with its platform
    token   text NOT NULL               -- the place in the server's stream up to which everything is noted
);

CREATE TABLE fundstelle.chat_inbox (
    number   bigserial PRIMARY KEY,     -- the order in which it was noted
    account  text NOT NULL,
    event    text NOT NULL,
    room     text NOT NULL,
    person   uuid NOT NULL,             -- pseudonym of who sent it; the identity goes when the person is erased
    sent_at  timestamptz NOT NULL,
    kind     text NOT NULL,
    target   text,
    detail   text NOT NULL,
    question text NOT NULL,             -- the message that an answer answers: of an edit, the one that was edited
    finished boolean NOT NULL DEFAULT false,
    answer   text,                      -- message of ours
    run      uuid,
    UNIQUE (account, event)
);
CREATE INDEX chat_inbox_pending_idx ON fundstelle.chat_inbox (account, number) WHERE NOT finished;
CREATE INDEX chat_inbox_question_idx ON fundstelle.chat_inbox (account, question, number) WHERE answer IS NOT NULL;
CREATE INDEX chat_inbox_answer_idx ON fundstelle.chat_inbox (account, answer, number) WHERE answer IS NOT NULL;
CREATE INDEX chat_inbox_run_idx ON fundstelle.chat_inbox (account, run, number) WHERE run IS NOT NULL;

GRANT SELECT, INSERT, UPDATE (token) ON fundstelle.chat_accounts TO :"writer";
GRANT SELECT, INSERT, UPDATE (finished, answer, run) ON fundstelle.chat_inbox TO :"writer";
GRANT USAGE ON SEQUENCE fundstelle.chat_inbox_number_seq TO :"writer";
