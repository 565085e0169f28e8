"""Words that say the same where one stands for the other, and words that say the opposite.

A line is a group; German nouns carry a capital. Only words that may be exchanged in a statement without changing
what is true are in a group: "Arbeitnehmer" and "Beschäftigter" are not, in law they differ.
"""

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final

from domain.verifying.forms import forms

_GERMAN: Final = """
wenigstens mindestens
Beendigung Ende beenden enden Ablauf ablaufen Schluss
Beginn Anfang beginnen anfangen starten Start
Frist Zeitraum
dauern andauern anhalten währen
bekommen erhalten empfangen beziehen
zahlen bezahlen entrichten leisten auszahlen überweisen begleichen
Zahlung Bezahlung Entrichtung
Entgelt Vergütung Lohn
Entschädigung Ersatz
erstatten ersetzen zurückzahlen
verwenden benutzen nutzen einsetzen gebrauchen anwenden
Verwendung Nutzung Benutzung Gebrauch Einsatz Anwendung
beachten einhalten
bestimmen festlegen festsetzen regeln
ändern abändern verändern anpassen
verringern vermindern reduzieren senken herabsetzen mindern kürzen
erhöhen steigern anheben heraufsetzen
steigen erhöhen
steigen zunehmen wachsen ansteigen anwachsen
sinken fallen zurückgehen abnehmen
verlängern ausdehnen ausweiten
erklären äußern mitteilen angeben
mitteilen informieren unterrichten benachrichtigen melden bekanntgeben
Mitteilung Information Unterrichtung Benachrichtigung
verlangen fordern beanspruchen begehren
beantragen ersuchen
erlauben gestatten zulassen genehmigen bewilligen
Erlaubnis Genehmigung Bewilligung Zustimmung Einwilligung
zustimmen einwilligen
zulässig erlaubt statthaft gestattet möglich
unzulässig verboten unstatthaft untersagt
unwirksam nichtig ungültig rechtsunwirksam
wirksam gültig rechtswirksam
rechtmäßig rechtens gesetzmäßig
rechtswidrig gesetzwidrig unrechtmäßig
Grund Ursache Anlass
Sachgrund sachlich
notwendig erforderlich nötig
ausreichen genügen reichen hinreichen
ausreichend genügend hinreichend
unverzüglich sofort umgehend
Unternehmen Firma Betrieb
Gesellschaft Unternehmen
Arbeitgeber Arbeitgeberin
Beschäftigte Mitarbeiter Angestellte
beschäftigen arbeiten
Arbeit arbeiten Tätigkeit tätig
Schwangere schwanger
stillend Stillende
Volljährigkeit volljährig
Wohnung Wohnraum
Pkw Auto Personenkraftwagen Wagen
Reise reisen
Beleg Nachweis Quittung
Raten Rate Teilzahlung
Kosten Aufwand Aufwendung
Kilometer km
abschaffen aufheben beseitigen streichen entfallen wegfallen
wählen Wahl
ernennen bestellen benennen
Vorsitz vorsitzen Vorsitzende
Mitglied Angehörige
Versammlung Zusammenkunft Tagung
einberufen einladen
zusammentreten zusammenkommen
beschließen Beschluss entscheiden Entscheidung
prüfen überprüfen untersuchen kontrollieren Prüfung Überprüfung Kontrolle
beifügen beilegen hinzufügen
einreichen vorlegen übermitteln
abgeben einreichen
bestätigen Bestätigung
zeigen belegen ergeben
Einwohner Bürger
Mensch Person
Gelegenheit Möglichkeit Chance
Anspruch Recht
Pflicht Verpflichtung verpflichten
schriftlich Schriftform
mündlich Mündlichkeit
elektronisch digital
jährlich Jahr
monatlich Monat
Staat Land
Gesetz Vorschrift
Höchstbetrag Obergrenze Höchstgrenze Maximum
Mindestbetrag Untergrenze Minimum
Schaden Schädigung
verursachen herbeiführen hervorrufen auslösen
haften Haftung einstehen
kündigen Kündigung
zurücktreten Rücktritt
widerrufen Widerruf
abweichen Abweichung
ausgenommen Ausnahme
errichten gründen Errichtung Gründung
bauen errichten fertigstellen
herstellen produzieren erzeugen Herstellung Produktion
verkaufen veräußern Verkauf Veräußerung
kaufen erwerben Kauf Erwerb
aufbewahren aufheben verwahren Aufbewahrung
löschen tilgen Löschung
veröffentlichen bekanntmachen publizieren Veröffentlichung Bekanntmachung
anrufen Anrufung
Klage klagen verklagen
bestrafen strafbar Strafe
töten Tötung
Missbrauch missbrauchen missbräuchlich
Ausland ausländisch
Inland inländisch
spenden Spende
Bargeld bar
Hilfe Unterstützung helfen unterstützen
Mittel Gelder Geld
Rückgang Abnahme Minderung Senkung
Anstieg Zunahme Steigerung Zuwachs
groß erheblich beträchtlich
gleich identisch
vollständig ganz komplett vollumfänglich gänzlich
teilweise partiell
häufig oft
weiter weiterhin weiterhin
verhindern vermeiden
hindern verhindern
getrennt gesondert separat
Bundeskanzler Kanzler
Bundestag Parlament
Abgeordnete Parlamentarier
geltend einfordern
leben wohnen
Vertrag Vertragsverhältnis
Kopie Abschrift Zweitschrift
überschreiten übersteigen
unterschreiten
Anwesenheit anwesend
betroffen betreffen
freiwillig ausdrücklich
geschäftlich gewerblich
aushändigen übergeben herausgeben
einschließen umfassen enthalten beinhalten
ausschließen Ausschluss
erteilen Erteilung
aufteilen teilen unterteilen
verschieben verlegen vorverlegen zurückverlegen
unabhängig Rücksicht
bereithalten bereitstellen
einstellen Einstellung
verweigern ablehnen
jederzeit immer
hoch Höhe
vorzeitig früher
Alter alt
fertigstellen bauen
Vorjahr Jahr
jetzt derzeit gegenwärtig aktuell
künftig zukünftig
lang länger
angehören zugehörig
unterliegen unterfallen
halten bleiben
durchschnittlich Durchschnitt
ununterbrochen durchgehend
erwarten rechnen
außerordentlich fristlos
ordentlich fristgemäß fristgerecht
Urlaub Erholungsurlaub
verbieten untersagen
anlegen Anlage
Erkrankung Krankheit krank
Verletzte Geschädigte
"""
_ENGLISH: Final = """
employee staff worker
person individual
company undertaking firm enterprise business
fee charge
pay payment
wage salary
inform notify tell communicate
information communication
start begin commence
end finish terminate conclude expire
termination ending
keep retain maintain hold store
reimburse refund repay
submit hand file lodge
prior beforehand advance previously
plan intend
agree decide resolve
further additional
dismiss terminate
address cover
publish public
ask request demand
need require
requirement need
permit allow authorise authorize
permission authorisation authorization consent approval
forbid prohibit ban
buy purchase acquire
sell vend
help assist support
show demonstrate prove
proof demonstration
big large considerable
small little
fast quick rapid prompt
begin start
stop cease
drop fall decline decrease
rise increase grow climb
growth rise increase
reduce lower cut decrease
lower reduced
raise increase
extend prolong lengthen
extension prolongation
change amend alter modify
delete erase erasure
deletion erasure
postpone defer delay
delay postponement
obtain receive get
give provide supply grant
appoint designate name
appointment designation
choose select
earlier before prior previous
later after subsequent
also additionally
additional more further extra
further additional more
maximum limit ceiling cap
minimum floor
deadline period
period time
notice notification
use employ utilise
job work employment
task work duty
annual year yearly
monthly month
next following subsequent
advance ahead beforehand
consecutive row successive
repair fix
documents papers
receipt receive received
house home
tenant lessee
landlord lessor
rent lease
premises property
record document
written writing
unlawful illegal unlawfully
lawful legal lawfully
invalid void
valid effective
necessary needed required
sufficient enough adequate
breach violation infringement
infringe violate breach
fine penalty
damage harm loss
injure hurt harm
describe explain
explain describe
clear plain
contain include
without excluding
refuse decline deny
approve accept endorse
reject refuse decline
warn caution
claim allegation
state say
carry transfer
transfer carry transmit
transmit send transfer
send transmit
span cross
build construct
design draw
open inaugurate
full complete
complete finish
entire whole total
worldwide global international
child minor
parent guardian
doctor physician
car vehicle
cost price
revenue turnover
profit earnings
budget funding
meeting session
vote ballot
member
manager supervisor
exercise use
freedom liberty
concern regard
correct rectify
correction rectification
object oppose
withdraw revoke
withdrawal revocation
court judge
judicial
monitor observe surveil
observe monitor
officer official
scale extent
double twofold
backlog
treatment therapy
wait
nurse
average mean
sublet subletting sublease
due payable
return repay refund
repay return refund
unjustified unreasonable
reason ground
free gratis
"""

_GERMAN_OPPOSITES: Final = """
brutto netto
annehmen ablehnen
angenommen abgelehnt
zustimmen ablehnen
bejahen verneinen
steigen sinken
steigen fallen
erhöhen senken
erhöhen verringern
zunehmen abnehmen
Zunahme Abnahme
Anstieg Rückgang
verlängern verkürzen
Beginn Ende
beginnen enden
Anfang Ende
Anfang Schluss
Beginn Schluss
Anfang Ablauf
verbessern verschlechtern
besser schlechter
intern extern
öffentlich privat
national international
früh spät
schriftlich mündlich
vorsätzlich fahrlässig
rechtmäßig rechtswidrig
wirksam nichtig
gültig nichtig
erlaubt verboten
zulässig verboten
größte kleinste
groß klein
hoch niedrig
höher niedriger
lang kurz
erste letzte
allein gemeinsam
allein gemeinschaftlich
einzeln gemeinsam
Mieter Vermieter
Arbeitgeber Arbeitnehmer
Käufer Verkäufer
Gläubiger Schuldner
Kläger Beklagte
Versicherer Versicherungsnehmer
Bundestag Bundesrat
Bundesregierung Bundesrat
Vorteil Nachteil
Gewinn Verlust
Einnahme Ausgabe
gut schlecht
richtig falsch
wahr falsch
stark schwach
erlauben verbieten
gewähren verweigern
gewinnen verlieren
aktiv passiv
direkt indirekt
unmittelbar mittelbar
innen außen
vorher nachher
positiv negativ
ordentlich außerordentlich
befristet dauerhaft
beschränkt unbegrenzt
täglich wöchentlich
kürzen erhöhen
freiwillig verpflichtend
begünstigen benachteiligen
"""
_ENGLISH_OPPOSITES: Final = """
gross net
approve reject
accept reject
accept refuse
grant refuse
allow forbid
permit prohibit
rise fall
increase decrease
increase reduce
grow shrink
begin end
start end
first last
internal external
public private
national worldwide
national global
national international
domestic foreign
early late
written oral
intentional negligent
lawful unlawful
valid void
large small
high low
higher lower
long short
longest shortest
largest smallest
more less
employer employee
landlord tenant
buyer seller
controller processor
insurer policyholder
plaintiff defendant
creditor debtor
profit loss
income expense
good bad
right wrong
true false
strong weak
win lose
active passive
direct indirect
before after
positive negative
temporary permanent
voluntary mandatory
include exclude
majority minority
above below
"""


@cache
def groups(language: str) -> dict[str, frozenset[int]]:
    """Return for each stem the numbers of the groups of synonyms that it is in."""
    return _indexed(_GERMAN if language == "de" else _ENGLISH, language)


@lru_cache(50_000)
def grouped(stems: frozenset[str], language: str) -> frozenset[int]:
    """Return the numbers of the groups that a word with these stems is in."""
    table = groups(language)
    return frozenset(number for stem in stems for number in table.get(stem, ()))


@cache
def opposites(language: str) -> dict[str, frozenset[str]]:
    """Return for each stem the stems that say the opposite."""
    found: dict[str, set[str]] = {}
    for line in (_GERMAN_OPPOSITES if language == "de" else _ENGLISH_OPPOSITES).strip().splitlines():
        left, right = (tuple(_stems(word, language)) for word in line.split())
        for one, others in ((left, right), (right, left)):
            for stem in one:
                found.setdefault(stem, set()).update(others)
    return {stem: frozenset(others) for stem, others in found.items()}


def _indexed(text: str, language: str) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(text.strip().splitlines()):
        for word in line.split():
            for stem in _stems(word, language):
                found.setdefault(stem, set()).add(number)
    return {stem: frozenset(numbers) for stem, numbers in found.items()}


def _stems(word: str, language: str) -> Iterator[str]:
    yield from forms(word, language, is_noun=word[0].isupper()).stems
