"""A game of dice under cups: bids that rise, and a count of the dice once one is doubted."""

from __future__ import annotations

from tests.rulesets.models.move import ModelMove


class Bluff:
    """How many dice each has, what lies under the cups, and the last bid."""

    def __init__(self, players: int, dice: int, wild: bool) -> None:
        self.left = [dice] * players
        self.wild = wild
        self.opener = self.turn = 0
        self.cups: dict[int, list[int]] = {}
        self.bid: tuple[int, int, int] | None = None
        self.doubter: int | None = None
        self.shown: dict[int, int] = {}

    def alike(self, seat: int) -> int:
        """How many of somebody's dice are as bid."""
        assert self.bid is not None
        face = self.bid[1]
        return sum(die == face or (self.wild and die == 1) for die in self.cups[seat])

    def moves(self) -> list[ModelMove]:
        """Every legal move."""
        if self.doubter is not None:
            seat = next(seat for seat, dice in enumerate(self.left) if dice and seat not in self.shown)
            return [ModelMove(seat, "show", (("dice", self.alike(seat)),))]
        last = (0, 6) if self.bid is None else self.bid[:2]
        bids = [(many, face) for many in range(1, sum(self.left) + 1) for face in range(1, 7) if (many, face) > last]
        found = [ModelMove(self.turn, "bid", (("many", many), ("face", face))) for many, face in bids]
        return found if self.bid is None else [*found, ModelMove(self.turn, "doubt")]

    def play(self, move: ModelMove) -> None:
        """Carries a legal move out, or a roll."""
        args = dict(move.args)
        match move.label:
            case "choose":
                self.opener = self.turn = ("ana", "ben", "cleo").index(str(args["starter"]))
            case "roll":
                cup = args["cup"]
                assert isinstance(cup, tuple)
                self.cups[("ana", "ben", "cleo").index(str(args["for"]))] = list(cup)
            case "bid":
                many, face = args["many"], args["face"]
                assert isinstance(many, int)
                assert isinstance(face, int)
                self.bid = many, face, self.turn
                self.turn = self.after(self.turn)
            case "doubt":
                self.doubter = self.turn
            case _:
                self.shown[move.by] = self.alike(move.by)
                if len(self.shown) == sum(dice > 0 for dice in self.left):
                    self.lose()

    def after(self, seat: int) -> int:
        """Who is next and has dice."""
        following = [(seat + far) % len(self.left) for far in range(1, len(self.left) + 1)]
        return next(one for one in following if self.left[one])

    def lose(self) -> None:
        """Who was wrong loses a die, and opens, if he has another."""
        assert self.bid is not None
        assert self.doubter is not None
        loser = self.doubter if sum(self.shown.values()) >= self.bid[0] else self.bid[2]
        self.left[loser] -= 1
        self.turn = loser if self.left[loser] else self.after(loser)
        self.bid, self.doubter, self.shown, self.cups = None, None, {}, {}

    def winners(self) -> list[int] | None:
        """Who has won, once the game is over."""
        having = [seat for seat, dice in enumerate(self.left) if dice]
        return having if len(having) == 1 else None
