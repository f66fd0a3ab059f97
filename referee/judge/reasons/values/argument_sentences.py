"""What is wrong with an argument of an event, as one sentence."""

from __future__ import annotations

from referee.core.types import Many
from referee.interpreter.event_explanation import EXAMPLES
from referee.interpreter.refusals import ArgumentProblem
from referee.judge.display_names import Names


def argument_sentence(names: Names, problem: ArgumentProblem, *, unseen: str = "", asked: bool = True) -> str:
    """Why an argument cannot be what it is, and what it could be. `unseen`: who does not see what it is, so that this
    is not told; `asked`: whoever reads it may know what is possible here."""
    if problem.why != "not allowed" or problem.param is None:
        return f"the argument {problem.arg} is {problem.why}"
    kind = problem.param.type
    if unseen:
        several = isinstance(kind, Many)
        are, they = ("are", "they") if several else ("is", "it")
        return f"{problem.arg} {are} none of those {they} could be here; what {they} {are}, {unseen}"
    text = f"{problem.arg} cannot be {names.value(problem.value, kind)} here"
    if asked and isinstance(kind, Many) and (why := _of_several(names, problem, kind)):
        return f"{text}: {why}"
    if asked and problem.ends is not None:
        return f"{text}, only {problem.ends[0]} to {problem.ends[1]}"
    allowed = _listed([names.value(value, kind) for value in problem.allowed]) if asked else ""
    return f"{text}, only {allowed}" if allowed else text


def _of_several(names: Names, problem: ArgumentProblem, kind: Many) -> str:
    """Why several cannot be taken together; empty if it is neither that there are too few nor how many they are."""
    if problem.beyond:
        several = problem.value if isinstance(problem.value, tuple) else ()
        found = [names.value(one, kind.of) for one in dict.fromkeys(problem.beyond)]
        if all(several.count(one) > 1 for one in problem.beyond):
            return f"not so many {' and '.join(found)}"
        return f"{' and '.join(found)} cannot be among them"
    given = len(problem.value) if isinstance(problem.value, tuple) else 0
    least, most = problem.number or (given, given)
    if least <= given <= most or least > most:
        return ""
    if least < most < given:
        return f"at most {most} of them may be taken, not {given}"
    wanted = f"{least}" if least == most else f"{least} to {most}"
    return f"there {'is' if most == 1 else 'are'} to be {wanted} of them, not {given}"


def _listed(values: list[str]) -> str:
    """Some values; `or` stands between those that are lists themselves."""
    between = " or " if any(", " in value for value in values) else ", "
    return between.join([*values[:EXAMPLES], "..."] if len(values) > EXAMPLES else values)
