"""What tells kinds of the core apart names all of them, or is listed with the reason why it need not."""

from __future__ import annotations

import ast
from collections import Counter

from tests.house.dispatches import LISTS, NOT_YET_READ, Dispatch, found, found_in, listed

UNREAD = 0
"""Places that nobody has read yet: there are none, and a new one comes with its reason."""


def test_every_place_is_complete_or_listed() -> None:
    there = {(one.room, str(one)) for one in found()}
    told = {(room, place) for room, one in listed().items() for place in one.reasons}
    assert there - told == set(), "new: make it complete, or say why not (python -m tests.house.dispatches adds it)"
    assert told - there == set(), "gone: python -m tests.house.dispatches takes it out"


def test_the_number_of_places_only_falls() -> None:
    more = {room: len(one.reasons) for room, one in listed().items() if len(one.reasons) > one.ceiling}
    assert more == {}, f"the ceilings in {LISTS.name}/*.toml are never raised"


def test_a_reason_is_a_sentence() -> None:
    reasons = {reason for one in listed().values() for reason in one.reasons.values()} - {NOT_YET_READ}
    assert {reason for reason in reasons if len(reason.split()) < 6} == set()


def test_what_nobody_has_read_only_becomes_less() -> None:
    assert Counter(reason for one in listed().values() for reason in one.reasons.values())[NOT_YET_READ] <= UNREAD


def _found(text: str) -> list[str]:
    """What is found in a module of the package that begins as `referee.core.member_types` does, and goes on with
    `text`.
    """
    return sorted(str(one).partition(": ")[2] for one in found_in("referee.core.member_types", ast.parse(text)))


def test_a_match_with_a_case_for_the_rest_is_found() -> None:
    rest = "def f(x):\n  match x:\n    case Numbers() | All():\n      return 1\n    case _:\n      "
    assert _found(rest + "return 2") == ["f: match All, Numbers"]
    assert _found(rest + "raise TypeError") == ["f: match All, Numbers"]
    assert _found(rest + "assert_never(x)") == []
    assert _found("def f(x):\n  match x:\n    case 'a':\n      return 1\n    case _:\n      return 2") == []


def test_a_test_of_a_class_is_found_wherever_it_stands() -> None:
    method = "class C:\n  def f(self, x):\n    return [isinstance(x, SetOf | Many), isinstance(x, (Int, str))]"
    assert _found(method) == ["C.f: isinstance Int, Many, SetOf"]
    assert _found("def f(x):\n  return isinstance(x, Scalar)") == ["f: isinstance Elem, Int"]
    assert _found("def f(x):\n  if isinstance(x, All):\n    return 1\n  assert_never(x)") == []
    assert _found("def f(x):\n  if isinstance(y, All):\n    return 1\n  assert_never(x)") == ["f: isinstance All"]
    assert _found("def f(x):\n  assert isinstance(x, All)") == []


def test_a_table_that_leaves_some_out_is_found() -> None:
    assert _found("T = {Int: 1, Elem: 2}") == []
    assert _found("T = {Numbers: 1, All: 2}") == ["module: table All, Numbers"]
    assert _found("T = {Numbers: 1, All: 2, Members: 3, Within: 4}") == []


def test_a_place_is_written_as_its_list_has_it() -> None:
    one = Dispatch("referee.proofs.progress_claims", "_some", "isinstance", ("Many",))
    assert (str(one), one.room) == ("referee.proofs.progress_claims: _some: isinstance Many", "proofs")
