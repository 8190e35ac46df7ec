"""Why a job has the workers that it has, and what a feed looks like in a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Decision:
    """A decision on a job: what was seen, what was decided and why, by which numbers, and what then happened."""

    #: for people, as ``praline explain`` prints them
    lines: list[str]
    #: for programs, as ``praline explain --json`` prints it
    facts: dict[str, Any]

    def __str__(self) -> str:
        return "\n".join(self.lines)


class Explanation(list[Decision]):
    """Every decision on a job, in order; printed, it is what ``praline explain JOB`` prints."""

    def __init__(self, decisions: list[Decision], foretold: list[str]) -> None:
        super().__init__(decisions)
        #: how far off expectations were in the mean, a line each
        self.foretold = foretold

    def __str__(self) -> str:
        return "\n".join([*map(str, self), *self.foretold])

    def _repr_html_(self) -> str:
        return f"<pre>{escape(str(self))}</pre>"

    @staticmethod
    def of(told: dict[str, Any]) -> Explanation:
        """What Java tells."""
        return Explanation([Decision(one["lines"], one["facts"]) for one in told["decisions"]], told["foretold"])


def table(job: str, page: str | None, state: str, status: dict[str, Any]) -> str:
    """A feed as a table of HTML; the status may be empty."""
    name = escape(job)
    rows = [("job", f'<a href="{escape(page)}" target="_blank">{name}</a>' if page else name), ("feed", escape(state))]
    if status:
        reason = f": {status['reason']}" if status["reason"] else ""
        rows.append(("state", escape(f"{status['state']}{reason}")))
        rows.append(("promise", escape(status["guarantee"].lower().replace("_", " "))))
        rows.append(("workers", f"{status['workers_remote']} remote, {status['workers_local']} on this host"))
        if status["spent"] is not None:
            rows.append(("spent", f"{status['spent']:.4f}"))
        for epoch in status["epochs"]:
            done = epoch["consumed"] + epoch["excluded"]
            counted = "" if epoch["complete"] else ", as far as they are counted"
            rows.append((f"epoch {epoch['epoch']}", f"{done} of {epoch['elements']} elements{counted}"))
    cells = "".join(f'<tr><th style="text-align:left">{what}</th><td>{value}</td></tr>' for what, value in rows)
    return f"<table>{cells}</table>"
