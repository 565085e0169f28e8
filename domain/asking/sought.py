"""Questions for a section itself, "Was steht in § 3 BUrlG?": they name it and hardly anything else."""

import re
from typing import Final

from domain.knowledge.acts import act_mentions
from domain.knowledge.citations import citations

_WORD: Final = re.compile(r"[^\W\d_]+")
_SAYS_NOTHING: Final = frozenset(
    _WORD.findall(
        "was steht regelt besagt sagt bestimmt lautet heißt enthält schreibt vor ist der die das den dem des "
        "von vom in im aus nach zu zum zur laut gemäß und oder bitte mir mal denn eigentlich genau zeig zeige "
        "nenn nenne zitiere gib wie wortlaut inhalt text regelung vorschrift bestimmung paragraf paragraph "
        "paragrafen artikel absatz satz nummer what does say says state states provide provides is the of in "
        "under section article paragraph show me please quote read text wording content to and or "
    )
)


def asks_for_a_section(question: str) -> bool:
    """Say whether a question asks for the section of an act that it names, and for nothing about it.

    Without an act it depends on what is searched which section is meant, and no gate may.
    """
    cited, acts = tuple(citations(question)), tuple(act_mentions(question))
    if not cited or not (acts or all(one.act for one in cited)):
        return False
    spans = [*(one.span for one in cited), *(one.span for one in acts)]
    rest = "".join(" " if any(one.start <= at < one.end for one in spans) else sign for at, sign in enumerate(question))
    return all(word.casefold() in _SAYS_NOTHING for word in _WORD.findall(rest))
