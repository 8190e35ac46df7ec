"""What people see of a feed while it runs: where its job is to be watched, and a bar."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Callable

from ._errors import Refused

if TYPE_CHECKING:
    from ._feed import Feed

#: how often figures are asked for and shown, in seconds
_EVERY = 1.0
#: for how long a loop waits for a batch until it is said why, in seconds
_PATIENCE = 10.0
_MOST_LETTERS = 100


def in_notebook() -> bool:
    """Whether cells show what is displayed, as Jupyter's do."""
    if "IPython" not in sys.modules:
        return False
    from IPython import get_ipython

    return type(get_ipython()).__name__ == "ZMQInteractiveShell"


def seen_by_people() -> bool:
    """Whether somebody looks: standard error is a terminal, or this is a notebook."""
    is_terminal = getattr(sys.stderr, "isatty", None)  # a program that was started without one has None there
    try:
        return in_notebook() or (is_terminal is not None and is_terminal())
    except ValueError:
        return False  # it is closed


def tell(line: str) -> None:
    """A line on standard error. Where that is closed, or nobody reads it any more, no loop is to end by it."""
    try:
        if sys.stderr is not None:
            print(f"praline: {line}", file=sys.stderr)
    except (OSError, ValueError):
        pass


def bar_for(progress: bool | None, rank: int) -> Bar | None:
    """
    The bar that is wanted.

    :param progress: True: one, False: none, None: one where tqdm is installed, somebody looks, and this is the first of the
        processes that share the job
    """
    if progress is False or (progress is None and (rank > 0 or not seen_by_people())):
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        if progress is None:
            return None
        raise Refused("progress=True needs tqdm", "pip install tqdm, which the wheel's extra [notebook] brings") from None
    return Bar(tqdm)


def tell_page(feed: Feed) -> None:
    """Says once where the job is to be watched, where that is known and somebody looks."""
    if feed.page is not None and seen_by_people():
        tell(f"job {feed.job}, to be watched at {feed.page}")


class _Asking:
    """Who asks how a job stands from time to time, while its loop waits for a batch or takes one."""

    def __init__(self, every: float) -> None:
        self._every = every
        #: when it was asked last, or has begun to count
        self.since = time.monotonic()

    def due(self) -> bool:
        """Whether it is time to ask again, as is done then."""
        now = time.monotonic()
        if now - self.since < self._every:
            return False
        self.since = now
        return True


class Waits(_Asking):
    """Says why a loop gets nothing, where no bar does: each reason once, when it has waited for some seconds."""

    def __init__(self, job: str) -> None:
        super().__init__(_PATIENCE)
        self._job = job
        self._said: set[str] = set()

    def told(self, status: dict[str, Any]) -> None:
        """How its job stands."""
        if status and status["reason"] and status["reason"] not in self._said:
            self._said.add(status["reason"])
            tell(f"job {self._job} is {in_words(status, None)}")


class Bar(_Asking):
    """Counts batches, and tells beside them how long the loop waits, who works for it and what that cost."""

    def __init__(self, tqdm: Any) -> None:
        super().__init__(_EVERY)
        self._tqdm = tqdm
        self._bar: Any = None
        self._since = time.monotonic()
        self._waited = 0.0

    def begin(self, batches: int | None) -> None:
        """The feed is open; so many batches come, if that is known."""
        self._bar = self._drawn(lambda: self._tqdm(total=batches, unit=" batches", dynamic_ncols=True))

    def _drawn(self, draw: Callable[[], Any]) -> Any:
        """What it gives; where standard error is closed, or nobody reads it any more, there is no bar from then on."""
        try:
            return draw()
        except (OSError, ValueError):
            self._bar = None
            return None

    def waited(self, seconds: float) -> None:
        """So long the loop waited for a batch."""
        self._waited += seconds

    def came(self) -> None:
        """The loop has another batch."""
        if self._bar is not None:
            self._drawn(self._bar.update)

    def told(self, status: dict[str, Any]) -> None:
        """The job's figures came."""
        now = time.monotonic()
        share = self._waited / max(now - self._since, 1e-9)
        self._since, self._waited = now, 0.0
        if self._bar is not None and status:
            words = in_words(status, share if self._bar.n else None)
            self._drawn(lambda: self._bar.set_postfix_str(words))

    def close(self) -> None:
        """Leaves the bar as it is."""
        if self._bar is not None:
            self._drawn(self._bar.close)


def in_words(status: dict[str, Any], waits: float | None) -> str:
    """
    A status in half a line.

    :param waits: the share of its time that the loop waits, 0 to 1; None before its first batch, where the reason for
        waiting says more
    """
    if waits is None or status["state"] not in ("RUNNING", "COMPLETED"):
        reason = f": {status['reason']}" if status["reason"] else ""
        line = f"{status['state'].lower()}{reason}"
        return line if len(line) <= _MOST_LETTERS else line[: _MOST_LETTERS - 3] + "..."
    figures = [
        f"trainer waits {min(waits, 1):.0%}".replace("%", " %"),
        f"{status['workers_remote']} + {status['workers_local']} workers",
    ]
    if status["spent"] is not None:
        figures.append(f"{status['spent']:.2f} spent")
    return ", ".join(figures)
