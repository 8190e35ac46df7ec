"""What goes wrong, a line each; the next step is in the exception's ``__notes__``."""

from __future__ import annotations

from typing import Any


class PralineError(Exception):
    """Anything that Praline says went wrong."""

    def __init__(self, line: str, next_step: str = "") -> None:
        super().__init__(line)
        if next_step:
            # before Python 3.11 nobody prints notes, and they are there all the same
            self.__notes__ = [next_step]


class Refused(PralineError):
    """The pipeline, the data or an argument cannot be taken: trying again is of no use."""


class NoMoreEpochs(Refused):
    """A trainer begins an epoch that its feed does not have: it is done with all before."""


class JobFailed(PralineError):
    """The job broke while it ran, or was cancelled by others."""


class Unreachable(PralineError):
    """Kafka, the registry, or the Java process of this program cannot be reached."""


class Superseded(PralineError):
    """Another process has this one's place among the job's consumers, or it was given up."""


_KINDS = {
    "Refused": Refused,
    "JobFailed": JobFailed,
    "Unreachable": Unreachable,
    "Superseded": Superseded,
}


def of(told: dict[str, Any]) -> PralineError:
    """The exception that an ERROR event tells."""
    return _KINDS.get(told["kind"], PralineError)(told["line"], told.get("next", ""))
