"""Hard cases of sentence splitting: a table in which ¦ stands where one sentence ends."""

import pytest

from domain.knowledge.sentences import split

GERMAN_LAW = """
Dies gilt nach § 5 Abs. 1.¦ Danach ist zu verfahren.
Dies gilt nach § 5 Abs. 1 und 2.¦ Absatz 3 bleibt unberührt.
Es gelten die §§ 3, 5 bis 7 und 9.¦ Der Rest entfällt.
Es gilt § 218.¦ § 219 ist nicht anzuwenden.
Der Anspruch ergibt sich aus § 280 Abs. 1 S. 1 BGB.¦ § 281 BGB bleibt außer Betracht.
Nach Art. 6 Abs. 1 lit. b DSGVO ist das zulässig.¦ Art. 9 DSGVO steht nicht entgegen.
Erfasst sind Leistungen aller Art.¦ Die Höhe ist unerheblich.
Die Art. 5, 6 und 9 DSGVO gelten.
Vgl. BGH, Urt. v. 3. 5. 2010 – II ZR 1/09, NJW 2010, 1234 Rn. 12 ff. m. w. N.¦ Anders das OLG Köln.
So auch der 2. Zivilsenat.¦ Der 9. Senat sieht es anders.
Satz 2 gilt entsprechend.¦ Satz 3 bleibt unberührt.
Verordnung (EU) Nr. 1286/2014 (ABl. L 352 vom 9.12.2014, S. 1; L 358 vom 13.12.2014, S. 50) gilt.
Gesetz vom 24. Juni 2013 (BGBl. I S. 1667), geändert am 1. Januar 2014.¦ Es endet am 31. Dezember 2030.
Ab Vollendung des 18. Lebensjahres gilt das nicht.
Am ersten Tag des 18. auf die Verkündung folgenden Kalendermonats tritt es in Kraft.
Zu den Finanzanlagen (§ 266 Abs. 2 A. III.) gehören Beteiligungen.
Die Kosten trägt der Schuldner (§ 788 ZPO).¦ Ausnahmen sind möglich.
Es gilt Anlage 2.¦ Bei der Berechnung sind Rundungen zulässig.
Nach § 5 Abs. 2 Hs. 2 gilt das nicht.¦ Vgl. dazu Nr. 5.
Siehe Nr. 5.¦ Das gilt nicht.
Die Nrn. 3 und 4 sind gestrichen.¦ Nr. 5 wird Nr. 3.
Nach Nr. 2 Buchst. b.¦ Der Rest folgt.
Das folgt aus § 8 Abs. 2.¦ Alt- und Neubestand werden getrennt.
Gem. § 3 i. d. F. v. 1.1.2020 i. S. d. § 4 u. a. i. H. v. 5 v. H. ist abzuziehen.
Die Regelung gilt nach h. M. nur im Innenverhältnis.¦ A. A. ist das Schrifttum.
§ 5 a. F. galt bis 2019.¦ § 5 n. F. gilt seither.
Der Anspruch verjährt (vgl. dazu bereits oben S. 5 ff.).¦ Die Hemmung richtet sich nach § 203 BGB.
Nach §§ 16a ff. BeurkG ist das möglich.
Nach §§ 312 ff.¦ Das folgt aus dem Wortlaut.
Der Verein Verkehrsopferhilfe e. V. haftet.¦ Er ist eingetragen.
Das Nähere bestimmt die Satzung, insb. die Höhe.¦ Ggf. ist nachzuschießen.
Buchstabe a Satz 2 gilt.¦ Buchstabe b gilt nicht.
Die Kündigung bedarf der Schriftform (§ 623 BGB; vgl. BAG 5 AZR 1/10 v. 3.2.2011).¦ E-Mail reicht nicht.
Es gilt Abs. 2 Nr. 3 lit. a.¦ Danach haftet der Schuldner.
Der Beschluss der Kammer, Az. 5 Ca 12/20, ist rechtskräftig.
Der Bundesrat hat zugestimmt (BR-Drs. 12/20).¦ Der Bundestag auch (BT-Drs. 19/100 S. 5).
"""

GERMAN = """
Plan A.¦ Danach gilt Plan B.
Das kostet 5 Mio. Euro.¦ Früher waren es 3 Mrd. Euro.
Das kostet 5 Mio.¦ Der Preis ist hoch.
Hr. Dr. Müller und Fr. Prof. Dr. Schmidt kommen bzw. sagen ab.
Äpfel, Birnen usw.¦ Die Liste ist lang.
Äpfel, Birnen usw.¦ Kinder mögen sie.
Es gibt Äpfel, Birnen etc. im Laden.
Das gilt i. d. R. nur hier.¦ Ausnahmen sind z. B. Feiertage.
Das gilt z.B. hier, d.h. nicht dort.
Wir kommen ca. 5 Min. später.¦ Wartet bitte.
Der 3. Oktober ist ein Feiertag.
Am 1. und 2. Mai ist geschlossen.
Der Vertrag endet am 31. Dezember.¦ Danach gilt der neue.
Wir treffen uns am Montag, 3. Nov. 2025, um 10.30 Uhr.¦ Bitte pünktlich!
Im 19. Jahrhundert war das anders.
Die 2., 3. und 4. Zeitachse sind Teilansichten der 1. und 2. Achse.
Im 18. und 19. Jahrhundert war das so.¦ Im 20. nicht mehr.
Tagesordnungspunkt 11 b.¦ Abstimmung über die Empfehlung.¦ Zusatzpunkt 4.¦ Abstimmung folgt.
E. I. du Pont gründete die Firma.
Im 2. Weltkrieg wurde die Stadt zerstört.
Ludwig XIV. war König.¦ Friedrich II.¦ Er folgte ihm nach.
Er wurde 1990.¦ Danach kam nichts.
Es waren 1.234.567,89 Euro.¦ Die Summe stimmt.
Die Quote lag bei 3,5.¦ Sie stieg auf 4,2.
Die Zahl beträgt 500.¦ Menschen lesen sie.
J. W. Goethe schrieb den Faust.¦ F. Schiller schrieb die Räuber.
Die Klage der B. GmbH & Co. KG ist unbegründet.
Er kam ... und ging.¦ Dann war Ruhe.
Er kam …¦ Dann ging er.
Nein...¦ Peter schwieg.
Der Text lautet: „Wer […] handelt, haftet.“¦ Mehr steht dort nicht.
Er sagte: „Nein.“¦ Dann ging er.
„Er sagte: ‚Nein.‘¦ Dann ging er.“
„Geh weg!“, sagte er.¦ Sie blieb.
„Geh!“ sagte er.
„Kommst du? Ich warte“, sagte sie.
»Komm.«¦ Er kam.
Wirklich?¦ Ja!¦ Gut.
Was?!¦ Das darf nicht sein.
Der Vertrag (Er gilt seit 2020. Er wurde verlängert.) ist wirksam.
(Dies gilt nicht.¦ Siehe § 5.)¦ Das ist gut.
Das ist der Beweis.1¦ Danach kam nichts.
Das ist der Beweis.¹¦ Danach kam nichts.
Das ist der Beweis.[1]¦ Danach kam nichts.
¹Die Frist beginnt.¦ ²Sie endet nach einem Monat.
Es gilt: 1. Die Frist endet.¦ 2. Der Termin bleibt.
Siehe www.beispiel.de.¦ Schreiben Sie an post@beispiel.de.¦ Danke.
Die Datei heißt bericht.v2.pdf.¦ Sie liegt im Ordner.
Mehr unter https://beispiel.de/a.b?c=d.e.¦ Dort steht alles.
Öffnen Sie readme.txt und setup.exe.¦ Fertig.
Version 2.3.1 ist da.¦ Version 2.4 folgt.
Wir nutzen iOS.¦ iPhone und eBay gehören dazu.
Der Termin ist um 8 Uhr.¦ 12 Personen kommen.
Der Chef (geb. 1970) ist verh. und wohnt in St. Gallen.
Das steht in Bd. 3, Kap. 2, Abb. 5 der 2. Aufl. 2019.
Tel. 0123 456, Fax. 0123 457, Str. des 17. Juni 5.
Er wohnt in der Bahnhofstr. 5.¦ Sie wohnt nebenan.
Der sog. Vertrag gilt evtl. nicht.
Das Haus gehört Hrn. Meier, das Auto Fr. Huber.
Maßgeblich sind u. a. Alter, Beruf u. Ä. der Person.
Der Antrag ist gestellt u. a.¦ Die Prüfung folgt.
Das gilt für Stufe 1.¦ Stufe 2 folgt.
Vitamin C.¦ Kinder brauchen es.
Nach Christus, also 50 n. Chr., war Rom groß.¦ Um 100 v. Chr. war es kleiner.
Im Jahr 2020.¦ Dann nichts mehr.
Der 1.¦ Er ist der Beste.
Die Gesellschaft hat ihren Sitz in Frankfurt a. M. und in Halle a. d. S. seit langem.
Die Mitarbeiter/-innen erhalten das 13. Gehalt.¦ Es wird im Nov. gezahlt.
Bitte um Antwort bis 15.10.¦ Danach verfällt das Angebot.
Ende des Geschäftsjahres ist der 30.6.¦ Die Frist läuft bis 31.12.
Hinweis: Die Angaben sind ohne Gewähr.¦ Änderungen vorbehalten.
Das ist – so heißt es – richtig.¦ – Danach folgt mehr.
Das *ist* **wichtig**.¦ **Danach** kommt mehr.
Das ist neu.<sup>3</sup>¦ Es folgt mehr.
Ab- und Anfahrt sind inkl. Verpflegung.¦ Zzgl. MwSt. fallen 19 % an.
Der Wert beträgt 5 %.¦ Die Grenze liegt bei 10 %.
Die Frist beträgt 14 Tage.¦ (weggefallen)
Die Temperatur betrug 5 °C.¦ Es war kalt.
"""

AUSTRIAN_AND_SWISS = """
Gemäß § 6 Abs 1 Z 3 lit a GmbHG ist das zulässig.¦ Die Eintragung erfolgt nach § 11.
Nach § 879 Abs 3 ABGB nichtig.¦ Vgl OGH 3.5.2010, 1 Ob 1/10a.¦ Die Rsp ist gefestigt.
Am 1. Jänner 2020 trat die Nov. BGBl. I Nr. 100/2018 in Kraft.¦ Sie gilt seit 1. Feber.
Der Bescheid, GZ 2020-0.123.456, ist rechtskräftig.¦ Ein Rechtsmittel ist nicht zulässig.
Mag. Huber, DI Maier und Univ.-Prof. Dr. Gruber unterzeichnen.
§ 5 Abs 2 1. Satz ist anzuwenden.
Die Strafe beträgt bis zu 5.000 €.¦ Der Versuch ist strafbar.
Art. 41 Abs. 1 OR gilt.¦ Art. 97 OR bleibt vorbehalten.
Gem. Art. 8 Abs. 1 Bst. b des Gesetzes (SR 220) gilt das Obligationenrecht.¦ Ziff. 3 entfällt.
Der Betrag von Fr. 1'000.– ist geschuldet.¦ Der Zins beträgt 5 %.
Vgl. BGE 140 III 86 E. 2.1 S. 88 f.¦ Die Vorinstanz verkennt das.
Der Kanton St. Gallen erhebt 3 Mio. Fr. Steuern.
Gross ist der Unterschied nicht.¦ Die Regelung heisst «Härtefall».¦ Sie gilt ab sofort.
«Das gilt.»¦ So steht es in der Botschaft.
Der Bundesrat (Botschaft vom 3. Mai 2017, BBl 2017 6941 ff.) hat das so gesehen.
"""

ENGLISH = """
Mr. Smith met Dr. Jones at 5 p.m. on Monday.¦ They talked.
See Sec. 5(a) of the Act, e.g. the first limb.¦ It applies.
The U.S. Government agreed.¦ The U.K. did not.
Acme Inc. sued Foo Ltd. in 2010.¦ The case was settled.
He said "No."¦ Then he left.
"Go away!" he said.¦ She stayed.
“Stop.”¦ He stopped.
See pp. 12–15 and para. 3.¦ The rule is clear.
It costs $1.5 million.¦ That is a lot.
The meeting (see fig. 3) took place on 3 Oct. 2025.¦ Nobody came.
Smith v. Jones, No. 12 of 2010, is the leading case.
Is it valid?¦ Yes.¦ It is.
J. R. R. Tolkien wrote it.¦ Everyone read it.
Items such as pens, paper, etc. are excluded.¦ Desks are not.
Choose option B.¦ Then press enter.
He works for the E.U. institutions, i.e. the Commission.
The rate rose by 0.5 % vs. 2020.¦ It fell later.
According to Brown et al. this is wrong.¦ Others agree.
Art. 5 GDPR applies.¦ Recital 39 explains it.
Section 3.¦ The tenant shall pay the rent.
"""

CASES = [line for table in (GERMAN_LAW, GERMAN, AUSTRIAN_AND_SWISS, ENGLISH) for line in table.strip().split("\n")]


def sentences(text: str, markup: str = "markdown") -> list[str]:
    return [span.of(text) for span in split(text, markup)]


@pytest.mark.parametrize("case", CASES)
def test_sentences_end_where_a_reader_ends_them(case: str) -> None:
    """The sentences of each case are those between the marks, neither more nor fewer."""
    assert sentences(case.replace("¦", "")) == [part.strip() for part in case.split("¦")]


def test_citations_and_a_date_make_three_sentences() -> None:
    """A legal citation stays inside its sentence, and the date inside the last."""
    text = (
        "Nach § 13 Abs. 1 Nr. 3 KSchG i. V. m. § 626 BGB ist die Kündigung z. B. unwirksam. "
        "Siehe S. 12 f. und Rn. 5 ff. der Kommentierung. Die Frist endet am 3. Oktober 2025."
    )
    assert sentences(text) == [
        "Nach § 13 Abs. 1 Nr. 3 KSchG i. V. m. § 626 BGB ist die Kündigung z. B. unwirksam.",
        "Siehe S. 12 f. und Rn. 5 ff. der Kommentierung.",
        "Die Frist endet am 3. Oktober 2025.",
    ]
