"""Words that turn, weaken or widen what a sentence says: negations, modal words, quantifiers, hedges."""

import re
from typing import Final

from domain.verifying.tokens import word_set

NEGATIONS: Final = word_set(
    "nicht kein keine keinen keinem keiner keines nie niemals weder nichts niemand niemandem niemanden"
    " nirgends keinesfalls keineswegs"
    " keinerlei mitnichten not no never neither nor none nothing nobody cannot nowhere unless fail fails"
    " failed failing versäumt unterlässt"
    " mustn't needn't can't couldn't won't wouldn't shouldn't don't doesn't didn't isn't aren't wasn't weren't"
    " hasn't haven't hadn't"
)
"""They deny their whole clause."""

WITHOUT: Final = word_set("ohne without außer ausgenommen except abgesehen mangels")
"""They deny what follows them, and nothing before."""

FORBIDDEN: Final = word_set(
    "verboten untersagt unzulässig unstatthaft ausgeschlossen verbot verbietet verbieten prohibited forbidden banned"
    " prohibits"
)
"""They say "may not" in one word."""

MAY: Final = word_set(
    "kann können könne könnte könnten darf dürfen dürfe dürfte dürften möglich berechtigt berechtigen"
    " befugt zulässig statthaft erlaubt gestattet ermächtigt freigestellt wahlweise konnte konnten durfte durften"
    " may can could might able permitted allowed possible"
)
GRANTS: Final = word_set(
    "anspruch recht rechts befugnis möglichkeit gelegenheit option entitled right rights opportunity"
)
"""They grant something as "may" does; a sentence may also be about what they grant and state it."""

MUST: Final = word_set(
    "muss müssen müsse musste mussten müßte verpflichtet pflicht verpflichtung zwingend erforderlich notwendig"
    " vorgeschrieben obliegt bedarf benötigt braucht brauchen nötig verpflichtend"
    " must shall require requires obliged obligation duty needs"
)
PREDICATIVE: Final = word_set("required necessary mandatory compulsory")
"""They say "must" behind a form of "be"; before a noun they only describe it."""

SHOULD: Final = word_set(
    "soll sollen solle sollte sollten empfohlen angehalten möglichst should ought recommended encouraged advised urged"
)
AS_ONE_LIKES: Final = re.compile(
    r"\b(?:muss|mussen|musst)(?: \w+){0,2} aber nicht\b|\bneed not\b"
    r"|\b(?:but|and) (?:need|needs|does|do) not (?:have to|need to|do|be)?"
    r"|\b(?:no|keine?|keinerlei) (?:duty|obligation|requirement|pflicht|verpflichtung)\b"
    r"|\bnot (?:obliged|required|bound|obligatory|mandatory|compulsory)\b"
    r"|\bnicht (?:verpflichtet|zwingend|vorgeschrieben|erforderlich|notwendig)\b"
    r"|\b(?:freigestellt|steht(?: \w+){0,3} frei|free to (?:decide|choose)|optional|freiwillig|voluntary|voluntarily)\b"
)
"""They say that nobody has to."""

WILL: Final = word_set(
    "will wollen wollte wollten möchte möchten beabsichtigt plant planen intends wants wish wishes plans"
)
HEDGES: Final = word_set(
    "beantragt beantragen beantragte bittet bitten bat empfiehlt empfehlen verspricht versprechen versprach"
    " versprochen droht"
    " antrag beantragten erwartet erwarten rechnet behauptet behaupten behauptete vermutet vermuten schätzt"
    " fordert fordern forderte"
    " schlägt vorgeschlagen vorschlag warnt warnte gewarnt hofft glaubt vermutlich angeblich forderung"
    " forderungen voraussichtlich wahrscheinlich womöglich möglicherweise vielleicht"
    " promise promises promised recommends recommended asks asked requests requested aims proposal proposals"
    " expectation expects expected claims claimed alleges alleged proposes proposed demands demanded warns"
    " warned hopes believes"
    " probably allegedly perhaps possibly estimated estimates likely unlikely"
)
DOUBTING: Final = word_set("verdacht vermutung verdächtigt mutmaßlich suspicion suspected suspects presumably")
CLAIMING: Final = word_set("behauptet behaupten behauptete claims claimed claim alleges alleged angeblich allegedly")
"""What stands under them is what somebody says, not what the text says."""

ATTRIBUTED: Final = word_set(
    "laut zufolge sagt sagte erklärt erklärte meint meinte angaben according says said stated argues argued"
)
"""They say whose words follow."""

UNIVERSAL: Final = word_set(
    "alle allen aller alles allem jede jeder jedes jeden jedem jegliche jeglicher jeglichen sämtliche"
    " sämtlicher sämtlichen stets"
    " immer ausnahmslos generell jederzeit uneingeschränkt unbegrenzt automatisch überall"
    " all every any each always invariably automatically everywhere everyone unconditionally whatever"
)
ALMOST: Final = word_set("fast nahezu beinahe knapp almost nearly virtually practically")
ROUGHLY: Final = word_set(
    "etwa ca circa rund ungefähr gut knapp schätzungsweise annähernd about approximately around roughly some"
)
RESTRICTING: Final = word_set("nur lediglich ausschließlich allein alleine only solely exclusively merely")
CONDITIONAL: Final = word_set(
    "wenn falls sofern soweit insoweit insofern vorausgesetzt dadurch if where unless provided when"
)
CONDITIONS: Final = re.compile(
    r"\b(?:wenn|falls|sofern|soweit|insoweit|vorausgesetzt|es sei denn|if|unless|provided that|to the extent)\b"
)
EXCEPTIONS: Final = re.compile(r"\b(?:mit ausnahme|ausser|ausgenommen|except|with the exception|other than)\b")
HAVE_TO: Final = re.compile(
    r"\b(?:hat|haben|hatte|hatten|ist|sind|war|waren|sei|seien|bleibt|bleiben)\b(?:(?!\bum\b).)*?"
    r"(?:\bzu \w+e?n\b|\b(?:ab|an|auf|aus|bei|dar|durch|ein|entgegen|fest|fort|her|heran|hin|hinzu|los|mit|nach"
    r"|nieder|offen|statt"
    r"|teil|um|unter|uber|vor|voraus|weg|weiter|wider|wieder|zu|zuruck|zusammen|geltend|bereit|sicher|frei)zu\w+e?n\b)"
    r"|\b(?:has|have|had|is|are|was|were) to \w+"
)
NOT_ONLY: Final = word_set("nur only zuletzt")
"""A negation before them denies nothing."""
