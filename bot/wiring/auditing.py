"""The journal's checkpoints, and audit bundles."""

from typing import TYPE_CHECKING
from uuid import uuid4

from adapters.journal.keys import KeyFiles, verifies
from bot.installation import master_key
from domain.journal.exporting import Bundles
from domain.journal.handler import Journal
from projections.journal import PostgresJournalTree

if TYPE_CHECKING:
    from bot.wiring.app import App


def journal(app: "App") -> Journal:
    """Return the journal's checkpoints."""
    choice = app.settings.journal
    signer = KeyFiles(master_key(app.settings.data).parent, choice.origin)
    tree = PostgresJournalTree(app.database)
    return Journal(app.store, tree, signer, uuid4, verifies=verifies, witnesses=choice.witnesses)


def bundles(app: "App") -> Bundles:
    """Return audit bundles."""
    parts = (app.store, app.sealed, app.journal, PostgresJournalTree(app.database))
    return Bundles(*parts, mandates=app.mandates, viewing=app.viewing, clock=app.now)
