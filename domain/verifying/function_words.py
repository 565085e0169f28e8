"""Words that carry no matter of their own, by language; what guards look at is among them."""

from typing import Final

from domain.verifying.cues import FORBIDDEN, GRANTS, MAY, MUST, PREDICATIVE, SHOULD
from domain.verifying.tokens import base, word_set

_GERMAN: Final = """
der die das den dem des ein eine einen einem einer eines eins
ich du er sie es wir ihr ihn ihm ihnen mich mir uns euch sich man selbst selber
mein meine meinen meinem meiner meines dein sein seine seinen seinem seiner seines ihre ihren ihrem ihrer ihres unser
unsere unseren unserem unserer unseres
dieser diese dieses diesen diesem jener jene jenes jenen jenem derjenige diejenige dasjenige diejenigen derjenigen
denjenigen demjenigen desjenigen derselbe dieselbe dasselbe denselben demselben derselben dieselben deren dessen denen
welcher welche welches welchen welchem wer wen wem wessen was solche solcher solches solchen solchem solch
und oder aber sondern denn sowie sowohl als auch wie dass daß ob wenn falls sofern soweit weil da damit indem während
obwohl nachdem bevor ehe bis seit seitdem sobald solange insoweit insofern wobei wodurch womit worin woran wofür
wonach woraus wovon wozu wo wohin woher
in im ins an am ans auf aufs aus bei beim mit nach von vom vor zu zum zur über unter durch für gegen ohne um ab
zwischen wegen gemäß laut hinter neben entlang gegenüber trotz statt anstatt außer innerhalb außerhalb binnen infolge
aufgrund anhand bezüglich hinsichtlich zufolge einschließlich ausschließlich je pro per via samt nebst mangels mittels
so dann da dort hier hierzu hierbei dabei daran darauf daraus darin darüber darum davon davor dazu dadurch dafür
dagegen danach hierdurch hiervon hierfür damit daher deshalb deswegen also jedoch doch nun schon noch bereits eben
etwa ja nein mal zwar nämlich insbesondere ferner zudem außerdem sonst ebenfalls ebenso gleichfalls übrigens
beispielsweise etc usw bzw vgl sog überhaupt gar ganz sehr eher allerdings dabei wieder erneut hin her einfach
wohl eigentlich natürlich jeweils jeweilige jeweiligen jeweiliger beziehungsweise entsprechend vielmehr hingegen
ist sind war waren sei seien wäre wären bin bist gewesen sein wird werden wurde wurden worden würde würden werde
geworden gewordene gewordenen gewordener gewordenes
hat haben hatte hatten habe hätte hätten gehabt
kann können konnte konnten könne könnte könnten darf dürfen durfte durften dürfe dürfte dürften muss muß müssen musste
mußte mussten mußten müsse müsste müssten soll sollen sollte sollten solle will wollen wollte wollten wolle mag mögen
möchte möchten möge lassen lässt läßt
nicht kein keine keinen keinem keiner keines nie niemals weder nichts niemand
nur lediglich erst alle allen aller alles allem jede jeder jedes jeden jedem jegliche jeglicher sämtliche
sämtlicher sämtlichen stets immer
mindestens wenigstens zumindest höchstens maximal spätestens frühestens rund circa ca etwa ungefähr knapp fast nahezu
mehr weniger länger kürzer größer kleiner höher niedriger bis über einmal
laut sagt sagte zufolge angaben grundsätzlich regelmäßig prinzipiell
herrn dr prof
"""
_ENGLISH: Final = """
the a an this that these those it its he him his she her hers they them their theirs we us our you your i me my
who whom whose which what where when why how whichever whatever whoever whenever wherever thereof
and or but nor so yet if unless whether because as than although though while whereas since until till before after
once
of in on at by to from with without for into onto over under between among through during within upon about against
per via across along off out up down above below beyond behind near toward towards
is are was were be been being am have has had having do does did done doing
can could may might must shall should will would ought need needs
not no never neither none nothing nobody cannot
all any every each some both either such only solely merely just also too very more most less least much many few
least other others another longer shorter maximum minimum same own there here then thus hence therefore however
moreover furthermore
later together again already still even ever yet
mr mrs ms dr sir according says said states stated get gets got
fail fails failed failing s t don isn aren doesn didn wouldn
"""
_LIGHT_GERMAN: Final = """
beträgt betragen betrug liegt liegen lag lagen gibt gab geben besteht bestehen bestand gilt gelten galt erfolgt
erfolgen erfolgte dauert dauern lautet lauten macht machen bekommt bekommen bekam kommt kommen kam steht stehen
braucht brauchen benötigt benötigen erhält erhalten erhielt floss fließt flossen fließen handelt handeln ergibt
ergeben heißt bleibt bleiben blieb blieben stellt stellen dient dienen entsteht entstehen möglich notwendig
erforderlich nötig vorliegt vorliegen vorhanden gegeben getan richtet findet stattfinden statt einhalten einzuhalten
eingehalten begrenzt beschränkt führen führt hält nimmt tritt sieht vorsehen sehen worden bestimmt gültig verfügt
gehandelt tun zustande halten gehalten alt läuft laufen meint meinen findet betont glaubt sieht gewährt gewähren
geleistet leistet leisten gegeben verlangt
bisher bislang künftig nunmehr namentlich gehören gehört lautet
höhe betrag dauer zeit zeitraum zahl anzahl fall falle fälle fällen rahmen art weise person personen regelung
vorschrift teil menge umfang grund bereich
"""
_LIGHT_ENGLISH: Final = """
reach reaches reached face faces need needed thinks think believes argues considers finds feels old aged age
work works worked
reach reaches reached face faces need needed thinks think believes argues considers finds feels old aged age
work works worked
amount amounts amounted number numbers case cases time way part parts thing things kind sort make makes made
making give gives given
gave take takes took taken get keep keeps kept stand stands go goes went come comes came exist exists include
includes included
including apply applies applied regard respect order
equal equals total totals lie lies lay put set become becomes became remain remains remained happen happens
occur occurs sufficient enough concerned concerning required requires require receive receives received
has have person persons people case thereof thereto
"""


FUNCTION: Final = {"de": word_set(_GERMAN), "en": word_set(_ENGLISH)}
"""Not looked at as content."""

LIGHT: Final = {
    "de": word_set(_LIGHT_GERMAN) | MAY | MUST | SHOULD | GRANTS | FORBIDDEN,
    "en": word_set(_LIGHT_ENGLISH) | MAY | MUST | PREDICATIVE | SHOULD | GRANTS | FORBIDDEN,
}
"""Content that a paraphrase may add for the sake of grammar: "beträgt", "liegt bei"."""


_GERMAN_ONLY: Final = FUNCTION["de"] - FUNCTION["en"]
_ENGLISH_ONLY: Final = FUNCTION["en"] - FUNCTION["de"]
"""What both have ("in", "so", "was") tells neither."""


def language_of(text: str) -> str:
    """Return ``de`` or ``en``, whichever has more function words in ``text``; German if neither has."""
    german, english = function_words_in(text)
    umlauts = sum(text.count(letter) for letter in "äöüß§")
    return "en" if english > german + umlauts else "de"


def function_words_in(text: str) -> tuple[int, int]:
    """Return how many function words ``text`` has that are German only, and that are English only."""
    words = [base(word.strip('.,;:()"?!')) for word in text.split()]
    return sum(word in _GERMAN_ONLY for word in words), sum(word in _ENGLISH_ONLY for word in words)
