-- How many of the journal's checkpoints each account has posted to a room.
CREATE TABLE fundstelle.chat_posts (
    account text NOT NULL,
    room    text NOT NULL,
    posted  int NOT NULL CHECK (posted >= 0),
    PRIMARY KEY (account, room)
);
GRANT SELECT, INSERT, UPDATE (posted) ON fundstelle.chat_posts TO :"writer";
