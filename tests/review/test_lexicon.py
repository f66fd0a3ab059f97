"""Words that settle a sentence or leave it open, in three languages, on sentences of no rulebook; files of a user."""

from __future__ import annotations

from pathlib import Path

import pytest

from referee.diagnostics.diagnostic import Problems
from referee.review.questions.catalogue import DIMENSIONS
from referee.review.questions.lexicon import Lexicon
from referee.review.questions.lexicon_files import shipped, with_files

SETTLED = {
    "when": ("He draws immediately.", "Pesca subito una tessera.", "Trage imediat o piesă."),
    "run_dry": ("Fill it up when needed.", "Si riempie quando serve.", "Se umple când este nevoie."),
    "order": ("First he pays.", "Prima paga il pedaggio.", "Întâi plătește vama."),
    "who": ("The elder chooses a boat.", "Il più anziano sceglie la barca.", "Cel mai vechi alege barca."),
    "must": ("He may sail on.", "Può salpare.", "Poate pleca."),
    "how_many": ("Up to three boats sail.", "Salpano fino a tre barche.", "Pleacă până la trei bărci."),
    "surplus": ("Ten sacks at most.", "Dieci sacchi al massimo.", "Maxim zece saci."),
    "value": ("Five or more sacks sink it.", "Con almeno cinque sacchi affonda.", "Se scufundă cu cel puțin cinci."),
    "where_to": ("It goes back into the sack.", "La tessera resta nella scatola.", "Piesa se pune înapoi în sac."),
    "again": ("He fishes once per turn.", "Pesca una volta per turno.", "Pescuiește o dată pe tură."),
    "scope": ("It rains until the end of the day.", "Piove fino alla fine.", "Plouă până la sfârșitul zilei."),
    "guard": ("Only if it rains he sails.", "Solo se piove salpa.", "Numai dacă plouă pleacă."),
    "himself": ("All players pay.", "Tutti i giocatori pagano.", "Toți jucătorii plătesc."),
    "which_set": ("Also boats already there.", "Anche le barche già lì.", "Și bărcile deja sosite."),
    "turn_order": ("The eldest begins.", "Inizia il più anziano.", "Începe cel mai vechi."),
    "first_of_all": ("The eldest player begins.", "Chi inizia pesca.", "Cine începe pescuiește."),
    "windows": ("One player may hail it.", "Un solo capitano chiama.", "Strigă un singur căpitan."),
    "pick": ("If tied both sink.", "In caso di parità affondano.", "La egalitate se scufundă."),
    "shortage": ("Two sacks, if possible.", "Due sacchi, se possibile.", "Doi saci, dacă este posibil."),
    "who_knows": ("The tile lies face down.", "La tessera è coperta.", "Piesa stă cu fața în jos."),
    "siblings": ("Boats likewise.", "Le barche allo stesso modo.", "Bărcile la fel."),
    "price": ("He pays two sacks.", "Paga due sacchi.", "Plătește doi saci."),
    "fact": ("It sails as long as it rains.", "Naviga finché piove.", "Plutește cât timp plouă."),
    "which_value": ("The printed number.", "Il numero stampato.", "Numărul tipărit."),
    "bounds": ("Half of the days.", "La metà dei giorni.", "Jumătate din zile."),
    "state": ("It keeps its sacks.", "Conserva i sacchi.", "Păstrează sacii."),
    "maps": ("It sails diagonally.", "Salpa in diagonale.", "Pleacă în diagonală."),
    "answered": ("He pays before it sinks.", "Paga prima che affondi.", "Plătește înainte să plece."),
    "way_round": ("They sail clockwise.", "Salpano in senso orario.", "Pleacă spre stânga."),
    "range": ("Another boat sails.", "Salpa un'altra barca.", "Pleacă altă barcă."),
    "targets": ("A boat, if there is one.", "Una barca, se c'è.", "O barcă, dacă există."),
    "left_over": ("Unplayed tiles sink.", "Le tessere rimaste affondano.", "Piesele rămase se scufundă."),
    "out": ("He discards it.", "La scarta.", "O decartează."),
    "limit": ("He exchanges a sack.", "Scambia un sacco.", "Schimbă un sac."),
    "offered": ("He only sails.", "Salpa soltanto.", "Pleacă doar."),
    "led_on": ("It stops there.", "Si ferma lì.", "Se oprește acolo."),
    "shared": ("The quay is occupied.", "Il molo è occupato.", "Cheiul este ocupat."),
    "rows": ("To the left.", "A sinistra.", "La stânga."),
    "if_scope": ("In any case it sinks.", "In ogni caso affonda.", "În orice caz se scufundă."),
    "joined": ("Both boats sail.", "Entrambe salpano.", "Ambele pleacă."),
    "data": ("The one exception.", "La sola eccezione.", "Singura excepție."),
    "whose": ("Five sacks in total.", "Cinque sacchi in totale.", "Cinci saci în total."),
    "on_the_way": ("He shows it.", "La mostra.", "O arată."),
    "still_level": ("If it is also equal both sink.", "Se sono ancora pari affondano.", "Dacă încă sunt egale."),
    "interruption": ("Then as before.", "Poi come prima.", "Apoi ca înainte."),
    "walls": ("Walls stop it.", "Un muro la ferma.", "Un zid o oprește."),
    "taken_place": ("The quay is free.", "Il molo è libero.", "Cheiul este liber."),
    "clash": ("Unless it rains.", "Tranne se piove.", "Chiar dacă plouă."),
    "mixed": ("Two different boats.", "Due barche diverse.", "Două bărci diferite."),
    "everywhere": ("It sails once.", "Salpa una volta.", "Pleacă o dată."),
    "costs": ("He sails for free.", "Salpa gratis.", "Pleacă gratuit."),
    "ended": ("It sails until dawn.", "Salpa finché piove.", "Plutește până când plouă."),
    "for_each": ("A sack per boat.", "Un sacco per barca.", "Un sac de fiecare barcă."),
    "passing": ("Who cannot sail passes.", "Chi non salpa passa il turno.", "Cine nu pleacă sare tura."),
    "last_round": ("This is done in the last round too.", "Nell'ultimo giro no.", "Se face și în ultima rundă."),
    "another_round": ("Then one more round is played.", "Dopo un giro è finita.", "Apoi se joacă ultima rundă."),
    "end_of_round": ("Finish the round.", "Alla fine del giro si smette.", "Se termină runda."),
    "unable": ("Whoever cannot skips this.", "Chi non può salta la fase.", "Altfel nu se face."),
    "rounding": ("Round down.", "Si arrotonda per difetto.", "Se rotunjește în jos."),
    "nothing_moved": ("Never nothing.", "Almeno uno.", "Cel puțin unul."),
    "points_again": ("They count only once.", "Si contano una sola volta.", "Se numără o singură dată."),
    "rest_of_turn": ("He finishes his turn.", "Finisce il turno.", "Termină tura."),
    "all_from_one": ("Each time a sack.", "Ogni volta un sacco.", "De fiecare dată un sac."),
    "kinds": ("Boats of any kind.", "Barche di qualsiasi tipo.", "Bărci de orice fel."),
    "itself": ("He takes another sack.", "Prende un'altra barca.", "Ia o altă barcă."),
    "out_of_turn": ("He drops it at once.", "La lascia subito.", "O lasă imediat."),
    "in_a_turn": ("He loads once per turn.", "Carica una volta per turno.", "Încarcă o dată pe tură."),
    "by_lot": ("A boat at random.", "Una barca a caso.", "O barcă la întâmplare."),
    "this_moment": ("At the end of the day.", "Alla fine del giorno.", "La sfârșitul zilei."),
    "some_moment": ("On your turn, sing.", "Canta nel proprio turno.", "Cântă în tura sa."),
    "over_others": ("It sails over others.", "Passa sopra le barche.", "Trece peste bărci."),
    "nothing_there": ("An empty quay.", "Un molo vuoto.", "Un chei gol."),
    "whom": ("Any player hails it.", "Chiama qualsiasi giocatore.", "Strigă orice jucător."),
    "one_of": ("Either fish or sail.", "Pesca oppure salpa.", "Pescuiește sau pleacă."),
    "ties": ("If they are level both sink.", "In caso di parità affondano.", "La egalitate se scufundă."),
}
OPEN = {
    "when": ("The tide comes once all boats lie there.", "Quando le barche ci sono sale la marea.",
             "Când sosesc bărcile vine fluxul."),
    "run_dry": ("No more sacks lie on the quay.", "I sacchi sono finiti.", "Nu mai sunt saci pe chei."),
    "order": ("He pays and/or loads.", "Paga e/o carica.", "Plătește și/sau încarcă."),
    "who": ("A boat is moved.", "Una barca viene spostata.", "O barcă se mută."),
    "must": ("He should load.", "Dovrebbe caricare.", "Ar trebui să încarce."),
    "how_many": ("Some boats sail.", "Alcune barche salpano.", "Câteva bărci pleacă."),
    "surplus": ("Too many sacks sink it.", "Il resto affonda.", "Restul se scufundă."),
    "value": ("The strongest boat goes.", "Parte la barca migliore.", "Pleacă barca cea mai tare."),
    "where_to": ("The sack is set aside.", "Il sacco viene messo da parte.", "Sacul se pune deoparte."),
    "again": ("He loads again.", "Carica di nuovo.", "Încarcă din nou."),
    "scope": ("Any boat is slow.", "Qualsiasi barca è lenta.", "Orice barcă e lentă."),
    "himself": ("Anyone pays.", "Chiunque paga.", "Oricine plătește."),
    "which_set": ("He counts two of them.", "Conta due di queste.", "Numără două dintre ele."),
    "turn_order": ("They sail by turns.", "Salpano a turno.", "Pleacă pe rând."),
    "windows": ("It may be answered.", "Si può rispondere.", "Se poate răspunde."),
    "siblings": ("Boats also.", "Anche le barche.", "Și bărcile."),
    "price": ("Two sacks are enough.", "Serve un sacco.", "Este nevoie de un sac."),
    "fact": ("It becomes a ship.", "Diventa una nave.", "Devine o navă."),
    "which_value": ("Its value counts.", "Conta il valore.", "Contează valoarea."),
    "bounds": ("The last day.", "L'ultimo giorno.", "Ultima zi."),
    "state": ("It comes back.", "La barca ritorna.", "Barca se întoarce."),
    "who_knows": ("He draws a tile.", "Pesca una tessera.", "Trage o piesă."),
    "maps": ("A boat lies beside it.", "Una barca sta accanto.", "O barcă stă lângă ea."),
    "answered": ("The captain may respond.", "Il capitano può reagire.", "Căpitanul poate răspunde."),
    "way_round": ("The next player sails.", "Salpa il giocatore successivo.", "Pleacă următorul jucător."),
    "range": ("A boat within two days.", "Una barca entro due giorni.", "O barcă până la chei."),
    "targets": ("He hails one of them.", "Chiama uno dei capitani.", "Strigă unul dintre ei."),
    "left_over": ("He counts at the end.", "Conta alla fine.", "Numără la sfârșit."),
    "out": ("The captain drops out.", "Il capitano è eliminato.", "Căpitanul este eliminat."),
    "limit": ("There is a limit.", "C'è un limite.", "Este o limită."),
    "offered": ("He also sails.", "Salpa anche.", "Pleacă de asemenea."),
    "led_on": ("He goes to the quay.", "Avanza al molo.", "Merge la chei."),
    "shared": ("He reaches a quay.", "La barca arriva su un molo.", "Ajunge pe o căsuță."),
    "rows": ("It is filled up.", "Si riempie.", "Se completează."),
    "if_scope": ("If it rains, boats sail.", "Se piove, le barche salpano.", "Dacă plouă, bărcile pleacă."),
    "joined": ("Boats or sacks.", "Barche o sacchi.", "Bărci sau saci."),
    "data": ("Boats usually sail.", "Di solito salpano.", "De obicei pleacă."),
    "whose": ("There are five sacks.", "Ci sono cinque sacchi.", "Sunt cinci saci."),
    "interruption": ("He sails at any time.", "Salpa in ogni momento.", "Pleacă oricând."),
    "ties": ("The most boats sail.", "Salpa il maggior numero.", "Pleacă cele mai multe."),
    "whom": ("He hails the opponent.", "Chiama l'avversario.", "Strigă adversarul."),
}
LANGUAGES = ("English", "Italian", "Romanian")


@pytest.mark.parametrize("number", range(3), ids=LANGUAGES)
def test_each_dimension_has_words_that_settle_it_and_words_that_leave_it_open(number: int) -> None:
    lexicon, language = shipped(), LANGUAGES[number]
    words = lexicon.languages[language].dimensions
    assert set(words) == set(SETTLED)
    assert {name for name, of in words.items() if of.open} == set(OPEN)
    for dimension, sentences in SETTLED.items():
        assert lexicon.settling(dimension, sentences[number], language), (dimension, language)
        assert lexicon.leaving_open(dimension, sentences[number], language, 4) is None, (dimension, language)
    for dimension, sentences in OPEN.items():
        assert lexicon.settling(dimension, sentences[number], language) is None, (dimension, language)
        assert lexicon.leaving_open(dimension, sentences[number], language, 2), (dimension, language)


def test_every_question_has_words_in_every_language() -> None:
    for language in shipped().languages.values():
        assert set(DIMENSIONS) <= set(language.dimensions), language.name


@pytest.mark.parametrize(("text", "language"), [
    ("Each player takes the boat that lies at his quay, and pays with sacks of salt.", "English"),
    ("Ogni giocatore prende una barca che non è nel porto, con i sacchi della ciurma.", "Italian"),
    ("Fiecare jucător ia o barcă din port și nu se duce cu ea pe mare.", "Romanian"),
    ("Fiecare jucator ia din port, nu cu barca care este pe mare.", "Romanian"),
    ("Quay, boat, salt: 4, 5, 6.", None),
    ("", None),
])
def test_a_language_is_known_by_its_common_words(text: str, language: str | None) -> None:
    assert shipped().language_of([text]) == language


def test_accents_and_capitals_may_be_left_out() -> None:
    for said in ("La sfarsitul zilei.", "LA SFÂRȘITUL ZILEI.", "La sfârşitul zilei."):
        assert shipped().settling("when", said, "Romanian") == said[:12]


def test_a_word_of_another_language_settles_nothing() -> None:
    assert shipped().settling("must", "He fills the pot.", "English") is None
    assert shipped().settling("must", "Pot pleca.", "Romanian") == "Pot"


@pytest.mark.parametrize(("text", "language", "verb"), [
    ("Then load the boat, draw two tiles.", "English", "draw"),
    ("The captain may draw two tiles.", "English", None),
    ("Take turns loading.", "English", "Take"),
    ("Taken sacks take room.", "English", None),
    ("Al porto, prendete una barca.", "Italian", "prendete"),
    ("Trageți o piesă.", "Romanian", "Trageți"),
    ("Trageti o piesa.", None, "Trageti"),
])
def test_a_verb_at_the_beginning_tells_the_reader_what_to_do(text: str, language: str | None, verb: str | None) -> None:
    assert shipped().commanding(text, language) == verb


def test_one_opponent_is_somebody_and_one_of_three_is_not() -> None:
    assert shipped().leaving_open("who", "The opponent sails.", "English", 2) is None
    assert shipped().leaving_open("who", "The opponent sails.", "English", 3) == "The opponent"
    assert shipped().leaving_open("who", "The opponent chooses.", "English", 3) is None


def test_words_inside_other_words_are_none() -> None:
    assert shipped().settling("must", "The canal is mayoral mustard.", "English") is None
    assert shipped().leaving_open("when", "He strengthens it.", "English", 2) is None


def test_numbers_are_digits_or_words() -> None:
    has = shipped().has_number
    assert has("He takes 2.", "English")
    assert has("He takes seven.", "English")
    assert not has("He weights it.", "English")


OWN = """
language = "German"
code = "de"
common = ["der", "die", "das", "und"]

[dimension.when]
settles = ["sofort", "am Ende *"]
open = ["dann", "*mals"]
"""


def own(folder: Path, text: str) -> Lexicon:
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return with_files([path])


def test_a_user_brings_a_language(tmp_path: Path) -> None:
    lexicon = own(tmp_path, OWN)
    assert lexicon.named("german") == lexicon.named("DE") == "German"
    assert lexicon.named("") is None
    assert lexicon.language_of(["der und die und das"]) == "German"
    assert lexicon.settling("when", "Am Ende des Tages.", "German") == "Am Ende des"
    assert lexicon.leaving_open("when", "Es regnet niemals.", "German", 2) == "niemals"
    assert shipped().named("German") is None


def test_a_user_adds_to_a_language(tmp_path: Path) -> None:
    lexicon = own(tmp_path, 'language = "English"\n[dimension.when]\nsettles = ["by sundown"]\n')
    assert lexicon.settling("when", "He sails by sundown.", "English") == "by sundown"
    assert lexicon.settling("when", "He sails at once.", "English") == "at once"


WRONG = {
    "no TOML": ("[dimension", "RV02"),
    "not UTF-8": ("\udcff", "RV02"),
    "too large": ("#" * 200_001, "RV02"),
    "nested without an end": ("a = " + "[" * 100_000, "RV02"),
    "a huge number": ("a = " + "9" * 10_000, "RV02"),
    "of no language": ("code = 'x'", "RV03"),
    "a number for a language": ("language = 3", "RV03"),
    "a list for a code": ("language = 'X'\ncode = ['x']", "RV03"),
    "an unknown entry": ("language = 'X'\nsettle = ['a']", "RV03"),
    "an unknown dimension": ("language = 'X'\n[dimension.wen]\nopen = ['a']", "RV03"),
    "an unknown list": ("language = 'X'\n[dimension.when]\nopens = ['a']", "RV03"),
    "a dimension that is no table": ("language = 'X'\ndimension = { when = 3 }", "RV03"),
    "no dimensions": ("language = 'X'\ndimension = 3", "RV03"),
    "a text for a list": ("language = 'X'\ncommon = 'the'", "RV03"),
    "an entry that is a number": ("language = 'X'\ncommon = [3]", "RV03"),
    "an empty entry": ("language = 'X'\ncommon = ['']", "RV03"),
    "a pattern": ("language = 'X'\n[dimension.when]\nopen = ['(a+)+$']", "RV03"),
    "many stars": ("language = 'X'\n[dimension.when]\nopen = ['*a*a*a']", "RV03"),
    "a long entry": (f"language = 'X'\ncommon = ['{'a' * 81}']", "RV03"),
    "many entries": (f"language = 'X'\ncommon = {['a'] * 2_001}", "RV03"),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_lexicon_that_is_not_in_order(name: str, tmp_path: Path) -> None:
    text, code = WRONG[name]
    path = tmp_path / "own.toml"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(Problems) as problems:
        with_files([path])
    (found,) = problems.value.diagnostics
    assert (found.code, found.span.path) == (code, str(path))
    assert len(found.message) < 400


def test_a_misspelt_dimension_is_put_right(tmp_path: Path) -> None:
    with pytest.raises(Problems) as problems:
        own(tmp_path, "language = 'X'\n[dimension.wen]\nopen = ['a']")
    assert problems.value.diagnostics[0].hint == "did you mean when?"


@pytest.mark.parametrize("path", ["", "gone.toml", "."])
def test_a_lexicon_that_is_not_there(path: str, tmp_path: Path) -> None:
    with pytest.raises(Problems, match="RV02"):
        with_files([tmp_path / path])
