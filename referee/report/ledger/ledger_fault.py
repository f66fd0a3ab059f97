"""Why a folder of verdicts cannot be written, or gone on with."""

from __future__ import annotations


class LedgerFault(Exception):
    """`code` is stable, `message` says what is so, `hint` what to do."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(code, message, hint)
        self.code, self.message, self.hint = code, message, hint


def reason(error: OSError) -> str:
    """What the system says of an error, in the middle of a sentence."""
    return (error.strerror or str(error) or type(error).__name__).lower()
