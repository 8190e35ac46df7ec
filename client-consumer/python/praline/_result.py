"""What became of a job."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any


@dataclass(frozen=True)
class Result:
    """What became of a job, as this loop saw it, with the ledger's numbers at its end."""

    job: str
    #: COMPLETED; CANCELLED where its only feed was closed before; of a job that goes on WAITING, PLANNING or RUNNING
    state: str
    #: EXACTLY_ONCE or AT_LEAST_ONCE
    guarantee: str
    guarantee_reasons: list[str]
    #: what a distributed run does not keep of what one process yields, and what was found on planning
    notes: list[str]
    #: what this loop took, over all epochs
    elements: int
    batches: int
    bytes: int
    #: from the first batch to the last
    seconds: float
    first_batch_ms: float
    workers_local: int
    workers_remote: int
    #: elements that neither came nor are excluded for a reason; None where nobody can know
    missing: int | None
    #: elements that came more than once; None where nobody can know
    duplicates: int | None
    #: elements that a loop that is gone may have trained on
    in_doubt: int
    #: elements that were given again though a loop that was lost may have trained on them: no more than so many came twice
    possibly_twice: int
    #: of each epoch: epoch, elements, consumed, excluded, possibly_twice, complete
    epochs: list[dict[str, Any]]
    #: tolerated bad records, a line each
    bad_records: list[str]
    #: how many loops share the job
    consumers: int = 1
    #: from this loop's question after its last batch to the news that nothing follows
    end_wait_ms: float = 0.0
    #: elements that loops are done with and that came from what is kept, of all loops and epochs
    cache_hits: int = 0
    #: what is kept of the job and why, in a sentence; empty where there is nothing to say
    cache: str = ""
    #: which steps ran in another order than they were written; None where none did
    order: dict[str, Any] | None = None
    #: where the time went, in the pipeline's order: name, kind, elements, bytes, nanos
    transformations: list[dict[str, Any]] = field(default_factory=list)

    @property
    def elements_per_second(self) -> float:
        """From the first batch to the last."""
        return self.elements / self.seconds if self.seconds else 0.0

    @property
    def mb_per_second(self) -> float:
        """In 10^6 bytes, from the first batch to the last."""
        return self.bytes / 1e6 / self.seconds if self.seconds else 0.0

    def __str__(self) -> str:
        promise = self.guarantee.lower().replace("_", " ")
        known = lambda count: "not known" if count is None else count  # noqa: E731
        twice = f", {self.possibly_twice} possibly trained twice" if self.possibly_twice else ""
        came = f"{_counted(self.elements, 'element', 'elements')} in {_counted(self.batches, 'batch', 'batches')}"
        return (
            f"job {self.job} {self.state}: {came}, {self.seconds:.1f} s, "
            f"{self.elements_per_second:.0f} elements/s, missing {known(self.missing)}, duplicates {known(self.duplicates)}{twice} ({promise})"
        )

    @staticmethod
    def of(told: dict[str, Any], over: bool) -> Result:
        """What Java tells; before the end nothing is missing that may come yet."""
        known = {field.name: told[field.name] for field in fields(Result)}
        return Result(**(known if over else {**known, "missing": None}))

    def gone(self) -> Result:
        """Of a job that was cancelled if it still went on."""
        return replace(self, state="CANCELLED") if self.state in ("WAITING", "PLANNING", "RUNNING") else self


def _counted(number: int, one: str, several: str) -> str:
    return f"{number} {one if number == 1 else several}"
