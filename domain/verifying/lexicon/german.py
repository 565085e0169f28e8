"""German words that say the same, the opposite, or something that excludes the other; nouns carry a capital.

A group of synonyms holds words of which one may stand for the other in a statement without changing what is true; it is
open at its ends, a word may be in several groups. Written by hand for this program.
"""

from typing import Final

SYNONYMS: Final = """
wenigstens mindestens | Beendigung Ende beenden enden Ablauf ablaufen Schluss |
Beginn Anfang beginnen anfangen starten Start | Frist Zeitraum | dauern andauern anhalten währen |
bekommen erhalten empfangen beziehen | zahlen bezahlen entrichten leisten auszahlen überweisen begleichen |
Zahlung Bezahlung Entrichtung | Entgelt Vergütung Lohn | Entschädigung Ersatz | erstatten ersetzen zurückzahlen |
verwenden benutzen nutzen einsetzen gebrauchen anwenden | Verwendung Nutzung Benutzung Gebrauch Einsatz Anwendung |
beachten einhalten | bestimmen festlegen festsetzen regeln | ändern abändern verändern anpassen |
verringern vermindern reduzieren senken herabsetzen mindern kürzen | erhöhen steigern anheben heraufsetzen |
steigen erhöhen | steigen zunehmen wachsen ansteigen anwachsen | sinken fallen zurückgehen abnehmen |
verlängern ausdehnen ausweiten | erklären äußern mitteilen angeben |
mitteilen informieren unterrichten benachrichtigen melden bekanntgeben |
Mitteilung Information Unterrichtung Benachrichtigung | verlangen fordern beanspruchen begehren |
beantragen ersuchen | erlauben gestatten zulassen genehmigen bewilligen |
Erlaubnis Genehmigung Bewilligung Zustimmung Einwilligung | zustimmen einwilligen |
zulässig erlaubt statthaft gestattet möglich | unzulässig verboten unstatthaft untersagt |
unwirksam nichtig ungültig rechtsunwirksam | wirksam gültig rechtswirksam | rechtmäßig rechtens gesetzmäßig |
rechtswidrig gesetzwidrig unrechtmäßig | Grund Ursache Anlass | Sachgrund sachlich | notwendig erforderlich nötig |
ausreichen genügen reichen hinreichen | ausreichend genügend hinreichend | unverzüglich sofort umgehend |
Unternehmen Firma Betrieb | Gesellschaft Unternehmen | Arbeitgeber Arbeitgeberin |
Beschäftigte Mitarbeiter Angestellte | beschäftigen arbeiten | Arbeit arbeiten Tätigkeit tätig |
Schwangere schwanger | stillend Stillende | Volljährigkeit volljährig | Wohnung Wohnraum |
Pkw Auto Personenkraftwagen Wagen | Reise reisen | Beleg Nachweis Quittung | Raten Rate Teilzahlung |
Kosten Aufwand Aufwendung | Kilometer km | abschaffen aufheben beseitigen streichen entfallen wegfallen |
wählen Wahl | ernennen bestellen benennen | Vorsitz vorsitzen Vorsitzende | Mitglied Angehörige |
Versammlung Zusammenkunft Tagung | einberufen einladen | zusammentreten zusammenkommen |
beschließen Beschluss entscheiden Entscheidung |
prüfen überprüfen untersuchen kontrollieren Prüfung Überprüfung Kontrolle | beifügen beilegen hinzufügen |
einreichen vorlegen übermitteln | abgeben einreichen | bestätigen Bestätigung | zeigen belegen ergeben |
Einwohner Bürger | Mensch Person | Gelegenheit Möglichkeit Chance | Anspruch Recht |
Pflicht Verpflichtung verpflichten | schriftlich Schriftform | mündlich Mündlichkeit | elektronisch digital |
jährlich Jahr | monatlich Monat | Staat Land | Gesetz Vorschrift | Höchstbetrag Obergrenze Höchstgrenze Maximum |
Mindestbetrag Untergrenze Minimum | Schaden Schädigung | verursachen herbeiführen hervorrufen auslösen |
haften Haftung einstehen | kündigen Kündigung | zurücktreten Rücktritt | widerrufen Widerruf |
abweichen Abweichung | ausgenommen Ausnahme | errichten gründen Errichtung Gründung |
bauen errichten fertigstellen | herstellen produzieren erzeugen Herstellung Produktion |
verkaufen veräußern Verkauf Veräußerung | kaufen erwerben Kauf Erwerb |
aufbewahren aufheben verwahren Aufbewahrung | löschen tilgen Löschung |
veröffentlichen bekanntmachen publizieren Veröffentlichung Bekanntmachung | anrufen Anrufung |
Klage klagen verklagen | bestrafen strafbar Strafe | töten Tötung | Missbrauch missbrauchen missbräuchlich |
Ausland ausländisch | Inland inländisch | spenden Spende | Bargeld bar | Hilfe Unterstützung helfen unterstützen |
Mittel Gelder Geld | Rückgang Abnahme Minderung Senkung | Anstieg Zunahme Steigerung Zuwachs |
groß erheblich beträchtlich | gleich identisch | vollständig ganz komplett vollumfänglich gänzlich |
teilweise partiell | häufig oft | weiter weiterhin | verhindern vermeiden | hindern verhindern |
getrennt gesondert separat | Bundeskanzler Kanzler | Bundestag Parlament | Abgeordnete Parlamentarier |
geltend einfordern | leben wohnen | Vertrag Vertragsverhältnis | Kopie Abschrift Zweitschrift |
überschreiten übersteigen | Anwesenheit anwesend | betroffen betreffen | freiwillig ausdrücklich |
geschäftlich gewerblich | aushändigen übergeben herausgeben | einschließen umfassen enthalten beinhalten |
ausschließen Ausschluss | erteilen Erteilung | aufteilen teilen unterteilen |
verschieben verlegen vorverlegen zurückverlegen | unabhängig Rücksicht | bereithalten bereitstellen |
einstellen Einstellung | verweigern ablehnen | jederzeit immer | hoch Höhe | vorzeitig früher | Alter alt |
Vorjahr Jahr | jetzt derzeit gegenwärtig aktuell | künftig zukünftig | lang länger | angehören zugehörig |
unterliegen unterfallen | halten bleiben | durchschnittlich Durchschnitt | ununterbrochen durchgehend |
erwarten rechnen | außerordentlich fristlos | ordentlich fristgemäß fristgerecht | Urlaub Erholungsurlaub |
verbieten untersagen | anlegen Anlage | Erkrankung Krankheit krank | Verletzte Geschädigte |
setzen bestimmen festlegen | erhalten bekommen empfangen zustehen erlangen beziehen |
zurückzahlen zurückgewähren zurückerstatten erstatten rückerstatten zurückgeben |
nennen angeben anführen benennen mitteilen | machbar tunlich möglich durchführbar praktikabel |
beiderseitig gegenseitig beid | ausmachen vereinbaren abmachen verabreden | vereinbaren absprechen übereinkommen |
Vereinbarung Abmachung Absprache Übereinkunft Abrede | vereinbarungsgemäß vereinbart vertragsgemäß |
Grundlage Zugrundelegung Basis | maßgeblich maßgebend entscheidend ausschlaggebend bestimmend |
maßgeblich beginnen | Attest Bescheinigung Zeugnis Nachweis | Gehalt Verdienst Lohn Entgelt Bezüge Arbeitsentgelt |
Kaution Sicherheit Mietsicherheit Sicherheitsleistung | Zins Ertrag Verzinsung | Erbschaft Nachlass Erbe |
ausschlagen Ausschlagung | Folge Auswirkung Konsequenz Wirkung | Folge Rechtsfolge | fürchten befürchten sorgen |
Übergriff Tat Straftat Delikt | falsch unrecht unzutreffend unrichtig fehlerhaft |
Ablauf Verstreichen verstreichen ablaufen | insgesamt gesamt zusammen zusammengerechnet |
Summe Gesamtbetrag Gesamtsumme zusammengerechnet | übereinstimmen entsprechen gleichkommen | genau exakt präzise |
gehören zählen rechnen | Aufgabe Pflicht Zuständigkeit | Rückführung Abschiebung |
absenken senken herabsetzen reduzieren | Schwellenwert Grenze Schwelle Hürde Grenzwert | Wort Angabe Aussage |
Grundstück Boden Grund Land Immobilie | Flüchtling Schutzsuchende Geflüchtete Asylsuchende | Landwirt Bauer |
Mensch Person Leute | abschicken absenden versenden schicken senden Absendung Versand | begründen Begründung Grund |
Mitglied Person | Beschäftigung Arbeitsverhältnis Bestehen | unbefristet unbestimmt | befristet bestimmt zeitlich |
kostenlos unentgeltlich gratis kostenfrei gebührenfrei umsonst | verspätet spät |
rechtzeitig fristgerecht fristgemäß pünktlich | eintreten entstehen beginnen | entstehen erwachsen |
erlöschen enden untergehen wegfallen | Erlöschen Ende Wegfall Untergang | verfallen erlöschen verfristen |
Wegfall Entfall | verjähren Verjährung | begehren verlangen fordern wünschen |
Wunsch Verlangen Begehren Antrag Aufforderung | auffordern verlangen mahnen Aufforderung |
ausüben Ausübung geltend | einlegen erheben einreichen anbringen | vorbringen geltend erheben |
klagen Klage Gericht gerichtlich | gerichtlich Gericht richterlich | Richter richterlich Gericht |
behördlich Behörde amtlich | Amt Behörde Stelle Dienststelle | Stelle Arbeitsplatz Position Posten |
Arbeitsplatz Arbeit Job | Beruf beruflich | Belegschaft Arbeitnehmer Beschäftigte Mitarbeiter |
Beschäftigte Arbeitnehmer Mitarbeiter Angestellte | Lehrling Auszubildende |
Firma Unternehmen Betrieb Gesellschaft | Unternehmer Gewerbetreibende Kaufmann | Chef Vorgesetzte Leiter |
Leiter leiten Leitung führen Führung | Leitung Führung Management Vorstand | vertreten repräsentieren Vertretung |
Vertreter Stellvertreter Bevollmächtigte | Vollmacht bevollmächtigen |
Haft Freiheitsentziehung Gefängnis Freiheitsstrafe | Geldbuße Bußgeld | Geldstrafe Tagessatz |
Strafe bestrafen ahnden strafbar | ahnden sanktionieren verhängen | belegen verhängen |
Ordnungswidrigkeit ordnungswidrig | Verstoß verstoßen Verletzung verletzen Zuwiderhandlung |
missachten verletzen verstoßen | wissentlich vorsätzlich absichtlich bewusst | Irrtum irren Fehler |
arglistig betrügerisch | verschweigen verheimlichen | täuschen Täuschung irreführen | Betrug betrügen |
Zwang zwingen | Gewalt gewaltsam | Verbot verbieten untersagen | zuständig verantwortlich befugt |
Zuständigkeit Kompetenz Befugnis | Befugnis Recht Berechtigung Ermächtigung | berechtigt befugt ermächtigt dürfen |
Recht Anspruch Berechtigung | Voraussetzung Bedingung Erfordernis | voraussetzen erfordern bedingen verlangen |
notwendig zwingend unerlässlich | zwingend unabdingbar verbindlich | verbindlich bindend verpflichtend |
freigestellt freiwillig | Ausnahme ausnehmen abweichen | Abweichung abweichen anders |
grundlegend wesentlich bedeutend wichtig erheblich | wichtig bedeutsam gewichtig |
erheblich wesentlich bedeutend beträchtlich deutlich | deutlich klar eindeutig | eindeutig unmissverständlich |
offensichtlich offenkundig augenscheinlich | sichtbar erkennbar | erkennen feststellen bemerken entdecken |
Entdeckung entdecken feststellen | Feststellung feststellen ermitteln |
ermitteln errechnen berechnen bestimmen Ermittlung | berechnen Berechnung kalkulieren bemessen |
bemessen richten berechnen | Kalkulation kalkulieren |
anrechnen berücksichtigen einrechnen einbeziehen einfließen mitzählen | berücksichtigen beachten Betracht |
Berücksichtigung berücksichtigen beachten | Beachtung beachten einhalten |
prüfen Prüfung kontrollieren untersuchen Stichhaltigkeit |
überwachen Überwachung beaufsichtigen Aufsicht kontrollieren | Bericht berichten Berichterstattung |
erläutern erklären darlegen ausführen | darlegen vortragen | beschreiben schildern darstellen |
Darstellung darstellen | benachrichtigen Benachrichtigung | ankündigen Ankündigung bekanntgeben |
Anzeige anzeigen melden Meldung | Meldung melden mitteilen Hinweis | Hinweis hinweisen |
hinweisen Hinweis aufmerksam | Auskunft Information informieren | Zugang zugehen erhalten Erhalt Empfang |
Eingang eingehen Zugang | Aushändigung aushändigen Übergabe übergeben | Übergabe übergeben Überlassung überlassen |
liefern Lieferung Ablieferung abliefern | Abnahme abnehmen | bereitstellen stellen zur |
beschaffen besorgen verschaffen | kaufen Kauf erwerben anschaffen | Käufer Erwerber | Verkäufer Veräußerer |
mieten anmieten Miete | vermieten Vermietung überlassen | Mietwohnung Wohnung | Wohnung Räume Wohnraum Unterkunft |
Haus Gebäude | Gebäude Bauwerk Bau | umbauen Umbau | bauen Bau errichten | Eigentum Eigentümer gehören |
Eigentümer Inhaber Besitzer | Inhaber halten innehaben | Besitz besitzen | Aktionär Anteilseigner |
Anteilseigner Gesellschafter | Anteil Beteiligung Quote | Gewinn Überschuss Profit | Verlust Defizit Minus |
Umsatz Erlös | Ertrag Einnahme | Einnahme Einkünfte | Einkommen Einkünfte Verdienst | Kosten Ausgabe Aufwendung |
Ausgabe ausgeben | Vermögen Besitz | Schulden Verbindlichkeit | Kredit Darlehen | Zinssatz Zins |
Gebühr Entgelt Abgabe Beitrag | Beitrag Zahlung Prämie | Steuer Abgabe | Zuschuss Förderung Beihilfe |
fördern unterstützen Förderung | Fördermittel Mittel | Haushalt Etat Budget | Budget Mittel |
bewilligen genehmigen gewähren Bewilligung | gewähren einräumen geben zugestehen | Gewährung gewähren |
auszahlen Auszahlung zahlen | zahlen aufwenden | fällig zahlbar Fälligkeit |
Verzug verspäten Zahlungsverzug säumig | Rückstand rückständig säumig | stunden aufschieben |
verlegen verschieben vertagen | vertagen aufschieben | vorziehen früher | fortsetzen weiterführen fortführen |
weiterführen fortgelten weitergelten | wiederholen erneut abermals wieder | erneut nochmals |
wiederholt mehrmals mehrfach | mehrere verschiedene | verschieden unterschiedlich unterscheiden |
ähnlich vergleichbar | gleich übereinstimmend selb | gleichartig ähnlich vergleichbar |
vergleichbar entsprechend ähnlich | anderweitig anders | sonstig übrig weiter ander |
übrig restlich verbleibend sonstig | Rest restlich | ganz gesamt vollständig voll |
voll vollständig komplett gesamt ganz | teilweise zum | Teil Anteil | Hälfte hälftig |
Mehrheit mehrheitlich überwiegend Großteil meiste | zahlreich viele | viel zahlreich | wenig gering |
gering niedrig klein geringfügig | geringfügig unerheblich unwesentlich | groß umfangreich | hoch groß |
steigen erhöhen zunehmen | Steigerung Erhöhung Anstieg | Erhöhung Anhebung Steigerung Anstieg |
Senkung Herabsetzung Verringerung Reduzierung Kürzung Minderung Absenkung | Kürzung kürzen |
schrumpfen abnehmen sinken | halbieren Hälfte | verdoppeln doppelt | ausbauen erweitern vergrößern |
Erweiterung Ausbau ausweiten | beschränken begrenzen einschränken limitieren |
Begrenzung Beschränkung Einschränkung Limit Grenze | Grenze Begrenzung Obergrenze |
Höchstmaß Obergrenze Höchstgrenze | Höchstgeschwindigkeit schnell schneller fahren | fahren Fahrt Verkehr |
Fahrzeug Kraftfahrzeug Auto Wagen Kfz | Innenstadt innerorts | Ort Gemeinde Ortschaft | innerorts Ortschaft |
Gemeinde Kommune Stadt kommunal | Stadt städtisch | Land Bundesland | Bund Bundesebene |
Regierung Bundesregierung Kabinett | Minister Ministerin Ressortchef |
Abgeordnete Parlamentarier Bundestagsmitglied | Fraktion Partei | Partei Beteiligte |
Koalition Regierungskoalition | Gesetzentwurf Entwurf Vorlage | Gesetz gesetzlich Regelung |
gesetzlich Gesetz rechtlich | Verordnung Rechtsverordnung | Regelung regeln Bestimmung Vorschrift Norm |
Vorschrift Regel Bestimmung | Richtlinie Leitlinie | Satzung satzungsmäßig | abstimmen Abstimmung votieren Stimme |
stimmen votieren | Wahl wählen Abstimmung | Kandidat Bewerber Vorgeschlagene | bewerben Bewerbung Bewerber |
ernennen Ernennung berufen | berufen Berufung einberufen | Amt Funktion Posten | Amtszeit Amtsdauer Mandat |
abberufen absetzen entlassen Abberufung | entlassen kündigen Entlassung | Entlassung Kündigung |
Kündigungsgrund Grund | kündigen auflösen beenden | Auflösung auflösen beenden | lösen auflösen |
Beendigung beenden auflösen Auflösung | Abschluss abschließen schließen |
Vertragsschluss Vertragsabschluss Abschluss | eingehen abschließen schließen |
unterzeichnen unterschreiben Unterschrift | Urkunde Dokument Schriftstück | Dokument Unterlage Papier |
Unterlage Beleg | Akte Unterlage | Schreiben Brief | Brief Post | Textform Text | Form Weise |
Niederschrift Protokoll | Aufzeichnung aufzeichnen Protokoll | speichern aufbewahren Speicherung |
erfassen erheben aufnehmen | sammeln erheben | verarbeiten Verarbeitung | nutzen verwerten |
offenlegen offenbaren bekanntgeben preisgeben Offenlegung | geheim vertraulich |
Verschwiegenheit verschwiegen Geheimhaltung | Geheimnis geheim | Einsicht einsehen Einblick | öffentlich allgemein |
zugänglich verfügbar Zugang | verfügbar erhältlich vorhanden | Zugriff Zugang | schützen Schutz bewahren |
Schutz schützen absichern | Sicherheit sicher | sicherstellen gewährleisten garantieren sorgen |
garantieren gewährleisten zusichern | Gefahr gefährden Risiko Gefährdung | Risiko riskant | drohen bevorstehen |
Schaden Nachteil | schaden schädigen Schaden beschädigen | beschädigen Beschädigung |
Schadensersatz Schadenersatz Ersatz | Ausgleich Entschädigung ausgleichen | ersetzen Ersatz | Ersatz ersatzweise |
haftbar haften Haftung | Haftung haften verantwortlich | verschulden Schuld schuldhaft Verschulden |
verantwortlich Verantwortung vertreten | fahrlässig Fahrlässigkeit sorglos | Unfall verunglücken |
Opfer Geschädigte Verletzte | Tod sterben versterben tot | Verstorbene Erblasser | Testament letztwillig |
erben Erbe | Kind minderjährig | Minderjährige Kind Jugendliche | Jugendliche jung | volljährig erwachsen |
Eltern elterlich | Elternteil Mutter Vater | Ehe verheiratet Heirat | Ehegatte Ehepartner | heiraten Eheschließung |
Scheidung scheiden | Geburt Entbindung geboren | Entbindung entbinden | Schwangerschaft schwanger |
Krankheit erkranken krank | arbeitsunfähig krank | Arbeitsunfähigkeit Krankheit | Arzt ärztlich Mediziner |
ärztlich medizinisch | behandeln Behandlung | Pflege pflegen | Arznei Medikament Arzneimittel | gesund Gesundheit |
Urlaub Ferien freistellen | freistellen Freistellung befreien | frei arbeitsfrei beschäftigungsfrei |
Pause Unterbrechung Ruhepause unterbrechen | Ruhezeit Ruhe | Nachtarbeit Nacht nachts | Überstunde Mehrarbeit |
Arbeitszeit arbeiten | Woche wöchentlich | Tag täglich | Stunde stündlich | Monatsmiete Miete |
Monatsgehalt Monatsverdienst Monatslohn | Zeitpunkt Moment | Zeitraum Dauer Zeitspanne | Dauer dauern Länge |
Frist Zeitraum Termin | Termin Zeitpunkt Datum | Beginn beginnen starten ab | Antritt Beginn antreten |
Schluss schließen | letzte vorig vergangen | vergangen vorig letzte zurückliegend |
kommend nächste folgend künftig | folgend anschließend nachfolgend darauffolgend | anschließend danach folgend |
vorherig bisherig früher vormalig | bisherig laufend | laufend gegenwärtig |
gegenwärtig derzeitig aktuell jetzig heutig | heute gegenwärtig | sofort unverzüglich gleich umgehend prompt |
schnell rasch zügig | alsbald bald | dauerhaft ständig permanent fortdauernd | ständig laufend dauernd |
Fortdauer andauern fortdauern | vorübergehend zeitweise zeitweilig kurzzeitig | gelegentlich manchmal |
regelmäßig Regel | gewöhnlich üblich normal | üblich gängig | normalerweise Regel | meist Regel überwiegend |
besonders speziell besonder | besonder außergewöhnlich | allgemein generell | einzeln individuell einzelne |
persönlich selbst eigen | gemeinsam zusammen gemeinschaftlich | allein einzig | zusätzlich weiter ergänzend |
ergänzen hinzufügen | Ergänzung ergänzend | ändern Änderung | Änderung ändern Wechsel Wandel |
Wechsel wechseln ändern | ersetzen austauschen tauschen | Austausch tauschen | umwandeln Umwandlung |
übertragen übergehen abtreten Übertragung | Übergang übergehen | weitergeben weiterleiten übermitteln |
weiterleiten zuleiten weitergeben | übermitteln senden schicken übersenden | übersenden zusenden schicken |
annehmen akzeptieren Annahme | ablehnen zurückweisen verweigern abweisen | Ablehnung ablehnen |
abgelehnt erfolglos | erfolglos scheitern | scheitern misslingen | gelingen schaffen erreichen |
Erfolg erfolgreich | erreichen erzielen | erfüllen Erfüllung nachkommen | nachkommen befolgen erfüllen |
befolgen einhalten beachten | vornehmen durchführen ausführen | durchführen Durchführung vornehmen |
ausführen Ausführung | umsetzen Umsetzung | verwirklichen umsetzen realisieren | unternehmen ergreifen |
ergreifen treffen | Maßnahme Vorkehrung Schritt | treffen fassen | fassen beschließen | befinden entscheiden |
entscheiden Entscheidung bestimmen | urteilen Urteil entscheiden | Urteil Entscheidung |
Bescheid Verwaltungsakt Entscheidung | Widerspruch widersprechen | Einspruch Einwand Widerspruch |
beanstanden rügen bemängeln | rügen Rüge | Beschwerde beschweren | anfechten Anfechtung | wehren vorgehen |
Einwilligung einwilligen Zustimmung | Zustimmung zustimmen Einverständnis | Einverständnis einverstanden |
Genehmigung genehmigen | Erlaubnis erlauben | zulassen Zulassung erlauben | Zulassung zugelassen |
aufheben kassieren annullieren | rückgängig aufheben | zurücknehmen Rücknahme widerrufen |
gelten anwendbar anzuwenden | Anwendung anwendbar gelten | betreffen erfassen gelten |
einstellen beschäftigen anstellen | anstellen Anstellung | Einstellung Anstellung |
versichern Versicherung Versicherungsschutz | Versicherte versichert | Police Versicherungsschein |
Leistung leisten | Leistung Zahlung | Qualität Güte | Mangel mangelhaft Fehler Defekt | Fehler fehlerhaft |
defekt kaputt mangelhaft | reparieren Reparatur instandsetzen | Ware Sache Gegenstand Produkt |
Produkt Erzeugnis Ware | Hersteller Produzent Erzeuger | Händler Verkäufer | Kunde Verbraucher |
Verbraucher Konsument | Dienst Dienstleistung | online Internet elektronisch | Webseite Internet |
Daten Angaben Information | Kennwort Passwort | Rechner Computer | Schule schulisch | Lehrer Lehrkraft |
Hochschule Universität | Ausbildung ausbilden Berufsbildung | Prüfung Examen |
Kenntnis kennen wissen Kenntniserlangung | wissen Kenntnis bekannt | erfahren Kenntnis erlangen |
Erfahrung erfahren | Eignung geeignet | geeignet passend tauglich | zuverlässig verlässlich |
fähig Fähigkeit imstande | vermögen können | Interesse Belang | Zweck Ziel | Ziel Zielsetzung bezwecken |
Ursache verursachen ursächlich | Umstand Verhältnis | Lage Situation | Problem Schwierigkeit | Frage fragen |
Antwort antworten | Vorschlag vorschlagen | Plan planen vorsehen | Absicht beabsichtigen | Kritik kritisieren |
loben Lob | hoffen Hoffnung | glauben meinen Meinung Auffassung | Meinung Ansicht Auffassung | Rede reden sprechen |
betonen hervorheben unterstreichen | erwähnen nennen | behaupten Behauptung | bestreiten leugnen |
bestätigen bekräftigen | ankündigen versprechen Aussicht | zusagen versprechen zusichern | warnen mahnen |
kritisieren beanstanden | wohnungslos obdachlos Wohnung | Baum Wald | Tier tierisch | Umwelt ökologisch Natur |
Klima klimatisch | Energie Strom | Wirtschaft wirtschaftlich ökonomisch | sozial gesellschaftlich |
Bevölkerung Einwohner Bürger | Bürger Staatsbürger | Ausländer ausländisch | Deutschland deutsch
"""
"""Groups, cut by bars."""

OPPOSITES: Final = """
begrenzen übersteigen | begrenzen überschreiten | beschränken übersteigen | beschränken überschreiten |
brutto netto | annehmen ablehnen | angenommen abgelehnt | zustimmen ablehnen | bejahen verneinen | steigen sinken |
steigen fallen | erhöhen senken | erhöhen verringern | zunehmen abnehmen | Zunahme Abnahme | Anstieg Rückgang |
verlängern verkürzen | Beginn Ende | beginnen enden | Anfang Ende | Anfang Schluss | Beginn Schluss |
Anfang Ablauf | verbessern verschlechtern | besser schlechter | intern extern | öffentlich privat |
national international | früh spät | schriftlich mündlich | vorsätzlich fahrlässig | rechtmäßig rechtswidrig |
wirksam nichtig | gültig nichtig | erlaubt verboten | zulässig verboten | größte kleinste | groß klein |
hoch niedrig | höher niedriger | lang kurz | erste letzte | allein gemeinsam | allein gemeinschaftlich |
einzeln gemeinsam | Mieter Vermieter | Arbeitgeber Arbeitnehmer | Käufer Verkäufer | Gläubiger Schuldner |
Kläger Beklagte | Versicherer Versicherungsnehmer | Bundestag Bundesrat | Bundesregierung Bundesrat |
Vorteil Nachteil | Gewinn Verlust | Einnahme Ausgabe | gut schlecht | richtig falsch | wahr falsch | stark schwach |
erlauben verbieten | gewähren verweigern | gewinnen verlieren | aktiv passiv | direkt indirekt |
unmittelbar mittelbar | innen außen | vorher nachher | positiv negativ | ordentlich außerordentlich |
befristet dauerhaft | beschränkt unbegrenzt | täglich wöchentlich | kürzen erhöhen | freiwillig verpflichtend |
begünstigen benachteiligen | gleich unterschiedlich | gleich verschieden | erteilen verweigern | erteilen ablehnen |
genehmigen ablehnen | genehmigen versagen | bewilligen ablehnen | gewähren versagen | öffentlich vertraulich |
öffentlich geheim | kostenlos kostenpflichtig | kostenlos entgeltlich | unentgeltlich entgeltlich |
unentgeltlich vergütet | zulässig ausgeschlossen | möglich ausgeschlossen | einschließen ausschließen |
inbegriffen ausgenommen | minderjährig volljährig | verspätet rechtzeitig | spät rechtzeitig | spät fristgerecht |
verspätet fristgerecht | rechtzeitig säumig | gelten entfallen | bestehen entfallen | bestehen erlöschen |
entstehen erlöschen | beginnen erlöschen | erhalten verlieren | behalten verlieren | behalten abgeben |
belasten entlasten | begünstigen belasten | erfolgreich erfolglos | gelingen scheitern | gelingen misslingen |
bestehen scheitern | anwesend abwesend | anwesend fehlen | bekannt unbekannt | bekannt verschweigen |
offenlegen verschweigen | offenbaren verschweigen | mitteilen verschweigen | beschleunigen verzögern |
beschleunigen verlangsamen | schnell langsam | verkürzen ausdehnen | ausweiten einschränken |
erweitern einschränken | erweitern beschränken | erhöhen mindern | erhöhen herabsetzen | erhöhen reduzieren |
steigern senken | steigen zurückgehen | wachsen schrumpfen | wachsen sinken | zunehmen sinken |
zunehmen zurückgehen | anheben absenken | anheben senken | Erhöhung Senkung | Erhöhung Verringerung |
Erhöhung Kürzung | Steigerung Senkung | Anstieg Senkung | Zunahme Rückgang | Verlängerung Verkürzung |
Gewinn Fehlbetrag | Überschuss Defizit | Überschuss Fehlbetrag | Einnahmen Ausgaben | kaufen verkaufen |
mieten vermieten | Leiher Verleiher | Absender Empfänger | senden empfangen | Kind Eltern | Mutter Vater |
Mann Frau | männlich weiblich | Sohn Tochter | Bruder Schwester | nehmen geben | annehmen verweigern |
Annahme Ablehnung | Annahme Verweigerung | Zustimmung Ablehnung | Zustimmung Widerspruch | zustimmen widersprechen |
zustimmen verweigern | erlaubt untersagt | gestattet verboten | gestatten verbieten | gestatten untersagen |
erlauben untersagen | zulassen verbieten | zulassen untersagen | zulassen ausschließen | dafür dagegen |
bestätigen widerlegen | bestätigen bestreiten | behaupten bestreiten | anerkennen bestreiten | loben kritisieren |
begrüßen kritisieren | begrüßen ablehnen | unterstützen ablehnen | fordern ablehnen | einstellen entlassen |
einstellen kündigen | eröffnen schließen | öffnen schließen | gründen auflösen | errichten abreißen |
verbinden trennen | gemeinsam getrennt | zusammen getrennt | vorher danach | davor danach | vorher später |
zuvor danach | früher später | frühestens spätestens | älter jünger | alt neu | alt jung | oben unten |
innerhalb außerhalb | innerorts außerorts | Inland Ausland | inländisch ausländisch | befristet unbefristet |
bestimmt unbestimmt | begrenzt unbegrenzt | vollständig teilweise | ganz teilweise | voll teilweise |
vorläufig endgültig | vorübergehend dauerhaft | vorübergehend endgültig | einmalig wiederholt | einmalig mehrfach |
selten häufig | oft selten | regelmäßig ausnahmsweise | üblich ausnahmsweise | viel wenig | viele wenige |
mehr weniger | mehrheitlich einstimmig | Mehrheit Minderheit | groß gering | erheblich gering |
erheblich unerheblich | erheblich geringfügig | wesentlich unwesentlich | hoch gering | stark gering |
schwer leicht | schwierig einfach | einfach kompliziert | teuer billig | günstig ungünstig | günstigst ungünstigst |
freiwillig zwingend | freiwillig obligatorisch | verbindlich unverbindlich | bindend unverbindlich |
vorsätzlich versehentlich | wissentlich versehentlich | wissentlich fahrlässig | absichtlich versehentlich |
absichtlich fahrlässig | schuldig unschuldig | schuldlos schuldhaft | haften freistellen | haften befreien |
verpflichten befreien | verpflichtet befreit | beschäftigt arbeitslos | krank gesund | tot lebendig |
sicher unsicher | gefährlich ungefährlich | wirksam unwirksam | gültig ungültig | wahr unwahr | richtig unrichtig |
berechtigt unberechtigt | online offline | mündlich elektronisch | mündlich Textform | mündlich Schriftform |
formlos schriftlich | formfrei schriftlich | übertragbar unübertragbar | beitreten austreten | Beitritt Austritt |
ernennen entlassen | ernennen abberufen | bestellen abberufen | Bestellung Abberufung | einberufen absagen |
aufheben bestätigen | aufheben bestehen | angehören ausscheiden | sparen ausgeben | berücksichtigen außeracht |
mitrechnen herausrechnen | einrechnen herausrechnen | einbeziehen herausrechnen | anrechnen herausrechnen
"""
"""Pairs, cut by bars."""

RIVALS: Final = """
Sekunde Minute Stunde Tag Woche Monat Quartal Jahr Jahrzehnt
Werktag Kalendertag Arbeitstag Feiertag Sonntag Samstag
Montag Dienstag Mittwoch Donnerstag Freitag Samstag Sonntag
Frühjahr Frühling Sommer Herbst Winter
Bundestag Bundesrat Bundesregierung Bundespräsident Bundeskanzler Bundesversammlung Bundesverfassungsgericht
  Landtag Landesregierung Europaparlament
Bundestagspräsident Bundespräsident Bundeskanzler Bundesminister Ministerpräsident
Vorstand Aufsichtsrat Hauptversammlung Gesellschafterversammlung Geschäftsführer Betriebsrat Personalrat Beirat
  Verwaltungsrat Kassenwart Vorsitzende
Aktionär Vorstand Aufsichtsrat
Gericht Staatsanwaltschaft Polizei Finanzamt Integrationsamt Jugendamt Gewerbeaufsicht Notar
Arbeitsgericht Sozialgericht Verwaltungsgericht Finanzgericht Amtsgericht Landgericht Oberlandesgericht
  Bundesgerichtshof Insolvenzgericht Familiengericht Verfassungsgericht
Arbeitgeber Arbeitnehmer Betriebsrat Krankenkasse Gewerkschaft Rentenversicherung Berufsgenossenschaft
Arbeitgeber Auszubildende
Mieter Vermieter Untermieter Hausverwaltung Makler
Eigentümer Mieter Verwalter Pächter
Käufer Verkäufer Hersteller Händler Vermittler
Verbraucher Unternehmer Hersteller
Versicherer Versicherungsnehmer Versicherungsvertreter Versicherungsmakler
Gläubiger Schuldner Bürge
Kläger Beklagte Zeuge Richter
Auftraggeber Auftragnehmer
Erblasser Erbe Vermächtnisnehmer
Mutter Vater Kind Großeltern Vormund
Ehegatte Kind Geschwister
Frau Mann
Arzt Apotheker Pfleger Hebamme
Verantwortliche Auftragsverarbeiter Aufsichtsbehörde Datenschutzbeauftragte Betroffene
Handelsvertreter Unternehmer Gehilfe Prinzipal
vorsätzlich fahrlässig wissentlich leichtfertig
Miete Pacht Leihe Kauf Schenkung Darlehen
Kündigung Rücktritt Widerruf Anfechtung Aufhebung
Geldbuße Freiheitsstrafe Verwarnung
Geldstrafe Freiheitsstrafe Verwarnung
Brief Telefon Fax Telefax
Textform Schriftform Beurkundung Beglaubigung
schriftlich mündlich telefonisch elektronisch notariell
täglich wöchentlich monatlich vierteljährlich jährlich stündlich
Euro Dollar Mark Pfund Franken
Kilometer Meter Meile Zentimeter Millimeter
Kilogramm Gramm Tonne
Liter Kilogramm Meter
Norden Süden Osten Westen
Inland Ausland
Deutschland Frankreich Österreich Schweiz Italien Spanien Polen England Großbritannien Niederlande Belgien
  Dänemark Schweden Norwegen Ungarn Tschechien Türkei Griechenland Portugal Irland Russland Ukraine China Japan
  Indien USA
Georgien Algerien Marokko Tunesien Ägypten Libyen Syrien Irak Iran Afghanistan
Bayern Hessen Sachsen Thüringen Brandenburg Berlin Hamburg Bremen Saarland Niedersachsen
Hamburg München Köln Frankfurt Stuttgart Dresden Leipzig Berlin Wien Zürich Graz
SPD CDU CSU FDP AfD Linke Grüne
Kiefer Fichte Buche Eiche Tanne Birke
Grundschule Gymnasium Hochschule Universität Kindergarten Fachhochschule
Sommerferien Winterferien
Geburt Tod Heirat Scheidung
Grundkapital Stammkapital Eigenkapital Fremdkapital
Umsatz Gewinn Verlust
Brutto Netto
Beginn Ende
Aktie Anleihe
Fußgänger Radfahrer Autofahrer
"""
"""Classes of things of which one is not another, a class a line; a line that is indented goes on the one before."""
