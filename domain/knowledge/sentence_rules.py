"""The rules of sentence splitting as tables: which dots do not end a sentence.

German first, with Austrian and Swiss notation, and English. Abbreviations are written as people write them,
with spaces between their parts where they are usual; the splitter compares without spaces and without the last
dot, so "z. B.", "z.B." and "z.\u00a0B." are one entry. Change a table, and raise the number in ``RULES``.
"""

RULES = "sentences/2"


def _words(*lines: str) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.split())


def _abbreviations(*lines: str) -> frozenset[str]:
    written = (entry.strip() for line in lines for entry in line.split("·"))
    return frozenset(entry.replace(" ", "").removesuffix(".") for entry in written if entry)


# Something always follows in the same sentence, so the dot never ends it.
NEEDS_MORE = _abbreviations(
    "z. B. · z. Bsp. · Z. B. · Bsp. · bspw. · d. h. · D. h. · d. i. · d. s. · sog. · sogen. · vgl. · Vgl.",
    "vergl. · s. · i. V. m. · iVm. · i. V. · i. S. d. · i. S. v. · i. S. · i. H. v. · i. H. d. · i. R. d.",
    "i. Z. m. · i. Zshg. m. · i. E. · i. d. F. · idF. · i. d. F. v. · i. d. F. d. · i. Verb. m. · i. Vbdg. m.",
    "i. A. · i. w. S. · i. e. S. · i. L. d. · u. d. · bzgl. · bez. · Bez. · betr. · Betr. · gem. · Gem. · lt.",
    "Lt. · ggü. · ggf. · Ggf. · evtl. · Evtl. · ev. · etw. · insb. · insbes. · Insb. · bzw. · Bzw. · resp.",
    "einschl. · Einschl. · einschließl. · inkl. · Inkl. · exkl. · zzgl. · abzgl. · zuzügl. · abzügl.",
    "ausschl. · vorbeh. · ca. · Ca. · max. · min. · mind. · durchschn. · rd. · jew. · entspr. · Entspr.",
    "grds. · gleichz. · Dr. · DDr. · Prof. · Univ.-Prof. · Priv.-Doz. · Dipl. · Dipl.-Ing. · Dipl.-Kfm.",
    "Dipl.-Math. · Ing. · Mag. · Hr. · Hrn. · Fr. · Frl. · Hl. · St. · med. · jur. · iur. · phil. · rer.",
    "nat. · pol. · oec. · habil. · h. c. · Dr. h. c. · Dr. jur. · Dr. iur. · Dr. rer. nat. · Dr. med. · geb.",
    "verh. · verw. · gest. · Abt. · Abtlg. · Bd. · Bde. · Hrsg. · hrsg. · Verf. · Bearb. · bearb. · Begr.",
    "Übers. · Vorb. · Vorbem. · Einf. · Einl. · Erl. · BT-Drs. · BR-Drs. · u. zw. · u. z. · u. U. · U. U.",
    "u. E. · m. E. · M. E. · m. a. W. · M. a. W. · m. W. · n. u. Z. · o. g. · o. a. · O. g. · u. g. · vorgen.",
    "gen. · nachf. · folg. · zw. · a. G. d. · aufgr. · Aufgr. · auss. · bes. · allg. · Allg. · öff. · amtl.",
    "ehem. · Ehem. · dt. · österr. · schweiz. · schweizer. · frz. · engl. · lat. · europ. · gesetzl.",
    "vertragl. · rechtl. · steuerl. · staatl. · wirtschaftl. · sachl. · zeitl. · örtl. · schriftl. · mündl.",
    "monatl. · jährl. · tägl. · persönl. · zust. · Zust. · gepl. · sonst. · Mr. · Mrs. · Ms. · Messrs. · Rev.",
    "Hon. · Gen. · Col. · Capt. · Sgt. · vs. · v. · e. g. · i. e. · E. g. · I. e. · cf. · Cf. · viz. · approx.",
    "esp. · incl. · excl. · Mt. · Ft. · Gov. · Sen. · Rep. · Pres. · Supt. · ed. · eds. · trans. · op. · loc.",
    "z. Hd. · z. Hdn. · z. Hd. v. · p. A. · zzt. · zZt. · z. T. · Z. T. · z. Z. · z. Zt. · zt. · v. a. · V. a.",
    "v. d.",
)

# A number or a letter follows; before a word that opens a sentence the dot ends it.
CITES = _abbreviations(
    "Abs. · Absch. · Abschn. · Unterabs. · UAbs. · Nr. · Nrn. · Nro. · Ziff. · Ziffn. · Zif. · Z. · lit.",
    "Lit. · litt. · Buchst. · Bst. · DBuchst. · Doppelbuchst. · Alt. · Hs. · Halbs. · Halbsz. · S. · Ss. · Rn.",
    "Rdn. · Rdnr. · Rdnrn. · Rnr. · RdNr. · Rz. · RZ. · Tz. · Tzn. · Textz. · Anm. · Fn. · Fußn. · Kap. · Tab.",
    "Abb. · Anl. · Anh. · Taf. · Bl. · Sp. · Zl. · Az. · Aktz. · Par. · BGBl. · BGBL. · RGBl. · GBl. · GVBl.",
    "BAnz. · BStBl. · ABl. · Abl. · AmtsBl. · ABlEG. · LGBl. · StGBl. · dRGBl. · MBl. · JMBl. · BBl. · VBl.",
    "Slg. · Amtl. Slg. · Tel. · Kto. · BLZ. · Postf. · PLZ. · Str. · Zi. · Stk. · Kl. · Gr. · Vers. · Fig.",
    "fig. · Sec. · sec. · Secs. · No. · Nos. · no. · nos. · p. · pp. · P. · para. · paras. · Para. · Ch. · ch.",
    "Vol. · vol. · cl. · art. · arts. · Arts. · reg. · regs. · Reg. · sch. · Sch. · r. · ss. · subs. · subsec.",
    "app. · App. · ann. · n. · nn. · col.",
)

# "Art. 5" cites, "aller Art. Danach" ends: ordinary nouns unless a numeral follows.
CITES_OR_NOUN = _abbreviations(
    "Art. · Fax. · Mobil.",
)

# Ends the sentence only before a word that opens one.
MAY_END = _abbreviations(
    "f. · ff. · fol. · sq. · sqq. · i. d. R. · idR. · i. Allg. · i. allg. · u. a. · u. A. · u. a. m. · o. ä.",
    "o. Ä. · u. ä. · u. Ä. · o. dgl. · u. dgl. · u. drgl. · dgl. · dergl. · o. Ä. m. · Mio. · Mill. · Mrd.",
    "Mia. · Bio. · Brd. · Tsd. · Std. · Stdn. · Min. · Sek. · Mon. · Wo. · Tg. · J. · Jh. · Jhd. · Jhdt.",
    "Jahrh. · v. Chr. · n. Chr. · v. H. · v. T. · p. a. · p. m. · a. m. · Stck. · Pf. · Rp. · Kr. · a. F.",
    "n. F. · aF. · nF. · a. E. · aE. · a. A. · aA. · h. M. · hM. · h. L. · hL. · m. w. N. · mwN.",
    "m. w. Nachw. · m. N. · st. Rspr. · stRspr. · Rspr. · a. a. O. · aaO. · ebd. · Ebd. · ibid. · ebda.",
    "loc. cit. · op. cit. · passim. · et al. · e. a. · e. V. · eV. · e. G. · eG. · i. L. · i. G. · i. K.",
    "i. I. · a. D. · a. G. · VVaG. · i. R. · z. K. · d. J. · d. M. · d. Js. · d. Mts. · l. J. · v. J. · lfd.",
    "jun. · jr. · Jr. · sen. · sr. · Sr. · Inc. · Ltd. · Corp. · Co. · Cie. · Bros. · S. A. · S. p. A. · N. V.",
    "B. V. · Ges. · Hbf. · Bhf. · Pl. · str. · Stv. · stellv. · Vors. · Mitgl. · Verw. · Urt. · Beschl.",
    "Bschl. · Entsch. · Bekl. · Ast. · Ag. · Bf. · Bg. · Ber. · Zf. · Zs. · Jg. · Jgg. · Aufl. · Ausg. · Aufs.",
    "Dok. · Mitt. · Mat. · Kfm. · Kfz. · Lkw. · Pkw. · Nds. · Westf. · Bad.-Württ. · Bay. · Hess. · Rhld.-Pf.",
    "Thür. · Sachs. · Jan. · Jän. · Feb. · Febr. · Mär. · Mrz. · Apr. · Jun. · Jul. · Aug. · Sep. · Sept.",
    "Okt. · Oct. · Nov. · Dez. · Dec. · Mo. · Di. · Mi. · Do. · Sa. · So. · Tue. · Tues. · Wed. · Thu.",
    "Thurs. · Fri. · Sat. · Sun. · U. S. · U. S. A. · U. K. · E. U. · U. N. · D. C. · Ph. D. · M. D. · B. A.",
    "A. A. · H. M. · H. L. · M. A. · B. Sc. · M. Sc. · LL. M. · Ltg. · vorm. · nachm. · mtl. · p. P. · p. St.",
)

# The usual ends of an enumeration: as good as a word before the dot.
ENDS = _abbreviations(
    "usw. · usf. · etc. · etc. pp. · u. s. w. · u. s. f. · u. v. m. · u. v. a. m. · u. v. a. · uvm. · uva.",
    "o. O. · o. J. · q. e. d. · i. O. · n. v. · u. dgl. m. · u. Ä. m. · k. A. · n. a. · w. o. · s. o. · s. u.",
    "z. d. A. · d. O. · a. O.",
)

MONTHS = _words(
    "Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember Jan Jän Feb",
    "Febr Mär Mrz Apr Jun Jul Aug Sep Sept Okt Nov Dez January February March May June July October December",
)

# "der 2. Senat": nouns that an ordinal number counts.
COUNTED = _words(
    "Senat Senats Zivilsenat Strafsenat Kammer Instanz Jahrhundert Jahrhunderts Jahrhunderte Jahrtausend",
    "Jahrzehnt Lebensjahr Lebensjahres Lebensjahrs Lebensmonat Lebensmonats Lebenswoche Schwangerschaftswoche",
    "Geburtstag Todestag Jahrestag Tag Tages Tage Woche Monat Monats Monates Quartal Quartals Halbjahr Jahr",
    "Jahres Kalendertag Werktag Arbeitstag Kalenderwoche Wochentag Auflage Aufl Ausgabe Jahrgang Jg Halbsatz Hs",
    "Alternative Alt Variante Var Spiegelstrich Unterabsatz Absatz Abs Abschnitt Abschnitts Unterabschnitt",
    "Kapitel Kapitels Kap Teil Teils Teiles Titel Titels Buch Buches Buchs Satz Halbs Hauptstück Lieferung",
    "Legislaturperiode Wahlperiode Bundestag Sitzung Änderung Änderungsgesetz ÄndG ÄndVO Verordnung Richtlinie",
    "Weltkrieg Stock Stockwerk Etage Obergeschoss Untergeschoss Klasse Rang Ranges Grad Grades Grads Platz Stelle",
    "Stufe Generation Reihe Mal Male Person Ordnung Nachtrag Mahnung Rate Zeile Spalte Strafkammer Zivilkammer",
    "Advent Uhr Mietjahr Versicherungsjahr Geschäftsjahr Dienstjahr Semester Schuljahr",
)

# Tokens before an ordinal: "am 3.", "der 2.", "dem 18. und 19.".
BEFORE_ORDINAL = _words(
    "der die das den dem des am im vom zum zur beim ab bis seit ein eine einen einem einer eines jeder jede jedes",
    "jeden jedem ihr ihre ihren ihrem ihrer sein seine seinen seinem seiner unser unsere dieser diese dieses",
    "diesen diesem Der Die Das Den Dem Des Am Im Vom Zum Zur Beim Ab Bis Seit the The",
)

# "Abs. 1. Danach": a cardinal number that ends what these words cite.
UNITS = _words(
    "§ §§ Abs Absatz Absätze Absätzen Absatzes Satz Sätze Sätzen Satzes Nr Nrn Nummer Nummern Art Artikel",
    "Artikels Artikeln S Seite Seiten Rn Rdn Rdnr Rz Tz Textziffer Ziff Ziffer Ziffern Z lit Lit Buchst Buchstabe",
    "Buchstaben Bst Kap Kapitel Anlage Anlagen Anhang Anm Anmerkung Fn Fußnote Bd Band Teil Abschnitt",
    "Unterabschnitt Halbsatz Hs Alt Alternative Tab Tabelle Abb Abbildung Plan Stufe Klasse Punkt Punkte",
    "Tagesordnungspunkt Tagesordnungspunkte Zusatzpunkt Zusatzpunkte Drucksache Version Fassung Gruppe Kategorie",
    "Phase Schritt Variante Fall Formel Gleichung Zeile Spalte Vers Blatt Bl Heft Formblatt Muster Titel Buch Typ",
    "Vitamin Option Team Abteilung Zimmer Raum Haus Kurs Jahr Jahre Jahres Modul Frage Antwort Ebene Zone Gleis",
    "Linie Beispiel Posten Position Lesart Lösung Szenario Section Sections Sec No Nos Number Page Pages p pp",
    "Chapter Ch Article Articles Table Figure Fig Rule Paragraph Paragraphs para paras Annex Appendix Part",
    "Schedule Step Level Class Type Clause Regulation Directive Item Exhibit Case Room Group Factor",
)

# Words that join the members of a citation: "§§ 3, 5 bis 7 und 9".
JOINS = _words(
    "und oder bis sowie u bzw and or to – - , ff f",
)

# Capitalised words that open a sentence and rarely follow an abbreviation inside one.
OPENERS = _words(
    "Der Die Das Dem Den Des Ein Eine Einer Eines Einem Einen Kein Keine Keiner Keines Keinem Keinen Dies Diese",
    "Dieser Dieses Diesem Diesen Jene Jener Jenes Jede Jeder Jedes Jedem Jeden Jedoch Solche Solcher Solches Er",
    "Sie Es Wir Ich Ihr Du Man Wer Was Wen Wem Wessen Welche Welcher Welches Ihre Ihren Ihrem Ihrer Sein Seine",
    "Seinen Seinem Seiner Unser Unsere Unserer Mein Meine Dein Deine Alle Alles Allen Aller Andere Anderes Beide",
    "Viele Vieles Manche Einige Mehrere Niemand Jemand In Im Ins An Am Auf Aus Bei Beim Mit Nach Von Vom Vor Zu",
    "Zum Zur Für Durch Ohne Um Gegen Über Unter Hinter Neben Zwischen Seit Bis Ab Während Wegen Trotz Statt",
    "Anstatt Anstelle Innerhalb Außerhalb Aufgrund Gemäß Laut Hinsichtlich Bezüglich Entsprechend Abweichend",
    "Vorbehaltlich Unbeschadet Ungeachtet Zugunsten Zulasten Mangels Infolge Mithilfe Anhand Ausgenommen Wenn",
    "Falls Sofern Soweit Solange Sobald Sooft Weil Da Dass Daß Ob Obwohl Obgleich Als Indem Nachdem Bevor Ehe",
    "Damit Wie Wo Woher Wohin Wann Warum Weshalb Wieso Wozu Wobei Womit Wodurch Wofür Worauf Wird Werden Wurde",
    "Wurden Ist Sind War Waren Hat Haben Hatte Kann Können Muss Muß Müssen Darf Dürfen Soll Sollen Will Gilt",
    "Gelten Gibt Besteht Bestehen Liegt Liegen Bleibt Siehe Vgl Beachte Und Oder Aber Denn Doch Sondern Auch Nur",
    "Noch Schon So Sodann Dann Danach Daher Darum Deshalb Deswegen Dennoch Trotzdem Dabei Dafür Dagegen Daneben",
    "Daraus Darin Daran Darauf Darüber Darunter Davon Davor Dazu Dadurch Dahingehend Dementsprechend Demnach",
    "Demgegenüber Dort Hier Hierbei Hierfür Hierzu Hieraus Hierin Hierdurch Hiervon Hierunter Hiermit Heute",
    "Gestern Morgen Jetzt Nun Zuvor Zunächst Zuerst Zuletzt Schließlich Endlich Außerdem Ferner Überdies Zudem",
    "Weiter Weiters Weiterhin Ebenso Ebenfalls Gleiches Gleichwohl Insoweit Insofern Insbesondere Insgesamt Somit",
    "Folglich Mithin Allerdings Andernfalls Anderenfalls Ansonsten Sonst Vielmehr Vielleicht Bisher Bislang Nicht",
    "Nichts Nie Niemals Immer Oft Manchmal Meist Meistens Erst Letzteres Letztere Ersteres Erstens Zweitens",
    "Drittens Viertens Beispielsweise Grundsätzlich Regelmäßig Zusätzlich Gleichzeitig Später Früher Kurz Zwar",
    "Entweder Weder Sowohl Sollte Sollten Wäre Hätte Würde Könnte Ja Nein Anders Ähnlich Zutreffend Zustimmend",
    "Streitig Kritisch Offen Bitte Maßgeblich Maßgebend Unberührt Zwei Drei Vier Fünf Eins The A This That These",
    "Those There Here It Its He She They We You I His Her Their Our My Your If When While Where Which Who What",
    "Why How Because Since Although Though Unless Until Before After During However Therefore Thus Hence Moreover",
    "Furthermore Nevertheless Then Also But And Or Nor For From To Of On At By With Without Within Under Over",
    "Into As Such Some Any All Each Every Both Neither Either No Not Yes Is Are Were Has Have Had Does Do Did Can",
    "Could May Might Must Shall Should Would Please See Note Next Finally First Second Third",
)

# Compounds that cite: "Bahnhofstr. 5", "Steuer-Nr. 12".
CITING_ENDS = ("str", "nr", "Nr", "-Str", "-Abs", "-Art", "-Rn", "-Ziff", "-Kap")

_CLASSES = {key: group for group in (MAY_END, CITES_OR_NOUN, CITES, NEEDS_MORE, ENDS) for key in group}
_BEGINNINGS = frozenset(
    ".".join(parts[:count]) for parts in (key.split(".") for key in _CLASSES) for count in range(1, len(parts))
)


def class_of(key: str) -> frozenset[str] | None:
    """Return the table that holds an abbreviation (without spaces and last dot), if one does."""
    known = _CLASSES.get(key)
    return CITES if known is None and key.endswith(CITING_ENDS) else known


def goes_on(keys: list[str], following: str, sign: str) -> bool:
    """Say whether the next word continues an abbreviation of several parts: "z." before "B."."""
    return sign == "." and any(
        key in _BEGINNINGS and (f"{key}.{following}" in _CLASSES or f"{key}.{following}" in _BEGINNINGS) for key in keys
    )
