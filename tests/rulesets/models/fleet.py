"""A game of ships in secret: where they lie is a dictionary from squares to their names."""

from __future__ import annotations

from tests.rulesets.models.move import ModelMove

SIZES = {"carrier": 5, "battleship": 4, "cruiser": 3, "submarine": 3, "destroyer": 2}


class Fleet:
    """Both fleets, what is still to be placed, and where each has been shot at."""

    def __init__(self, size: int, touching: bool) -> None:
        self.size, self.touching = size, touching
        ships = list(SIZES) if size == 10 else ["submarine", "destroyer"]
        self.to_place = [(seat, ship) for seat in (0, 1) for ship in ships]
        self.ships: tuple[dict[str, str], dict[str, str]] = {}, {}
        self.shot: tuple[set[str], set[str]] = set(), set()
        self.turn = 0
        self.aim: str | None = None

    def squares(self) -> list[str]:
        return [f"{column}{row}" for column in "abcdefghij"[: self.size] for row in range(1, self.size + 1)]

    def covered(self, at: str, way: str, ship: str) -> list[str]:
        along, up = (1, 0) if way == "east" else (0, 1)
        return [_moved(at, along * far, up * far) for far in range(SIZES[ship])]

    def fits(self, seat: int, covered: list[str]) -> bool:
        near = {_moved(one, along, up) for one in covered for along in (-1, 0, 1) for up in (-1, 0, 1)}
        barred = set(covered) if self.touching else near
        return set(covered) <= set(self.squares()) and not barred & set(self.ships[seat])

    def moves(self) -> list[ModelMove]:
        """Every legal move."""
        if self.to_place:
            seat, ship = self.to_place[0]
            return [ModelMove(seat, "place", (("at", at), ("way", way))) for at in self.squares()
                    for way in ("north", "east") if self.fits(seat, self.covered(at, way, ship))]
        other = 1 - self.turn
        if self.aim is not None:
            ship = self.ships[other].get(self.aim, "")
            return [ModelMove(other, "hit", (("which", ship),)) if ship else ModelMove(other, "miss")]
        return [ModelMove(self.turn, "shoot", (("at", at),)) for at in self.squares() if at not in self.shot[other]]

    def play(self, move: ModelMove) -> None:
        """Carries a legal move out."""
        if move.label == "place":
            seat, ship = self.to_place.pop(0)
            (_, at), (_, way) = move.args
            self.ships[seat].update(dict.fromkeys(self.covered(str(at), str(way), ship), ship))
        elif move.label == "shoot":
            self.aim = str(move.args[0][1])
            self.shot[1 - self.turn].add(self.aim)
        else:
            self.aim, self.turn = None, 1 - self.turn

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        if self.to_place or self.aim is not None:
            return None
        return next(([1 - seat] for seat in (0, 1) if set(self.ships[seat]) <= self.shot[seat]), None)


def _moved(square: str, along: int, up: int) -> str:
    return f"{chr(ord(square[0]) + along)}{int(square[1:]) + up}"
