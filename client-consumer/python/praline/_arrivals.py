"""What comes over the pipe of a feed, and what it makes of that."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from dataclasses import replace
from typing import Any

from . import _errors, _progress
from ._errors import PralineError
from ._memory import Memory
from ._pipe import Pipe
from ._result import Result
from ._source import Source, by_names
from ._wire import (
    CLOSED,
    COMPONENTS,
    END,
    ERROR,
    EXPLAINED,
    LEASE,
    LEASE_END,
    OFFER,
    OFFER_LEASE,
    OFFERED,
    OPENED,
    RENEW,
    SEGMENT,
    SEGMENT_HEAD,
    STATUS,
    TOLD_RESULT,
    TOLD_STATUS,
    WAITS,
    message,
)


class Arrivals:
    """The half of a :class:`Feed` that listens: batches that are offered, answers to what was asked, and the end."""

    _source: Source
    _template: Any
    _offered: deque[tuple[bytearray, memoryview | None]]
    _lease: tuple[int, int]
    _asks_lease: bool
    _let_go: deque[bytearray]
    _next: int
    _elements: int
    _over: bool
    _failure: PralineError | None
    _result: Result | None
    _status: dict[str, Any]
    _bar: _progress.Bar | None
    _waits: _progress.Waits
    _calls: threading.RLock
    _pipe: Pipe
    _memory: Memory

    def _await_offer(self) -> None:
        """Until there is a batch, or none follows; and what was asked of the lease is answered."""
        bar = self._bar
        since = self._waits.since = time.monotonic()
        try:
            while self._asks_lease or (not self._offered and not self._over):
                self._take(*self._pipe.get(self._ask_figures))
                self._pipe.handled()
                if self._failure is not None:
                    raise self._failure
        finally:
            if bar is not None:
                bar.waited(time.monotonic() - since)

    def _lease_is_over(self) -> bool:
        """Whether another process may have what is offered: by the clock that went further, as this one may have been stopped."""
        monotonic, wall = self._lease
        return time.monotonic_ns() >= monotonic or time.time_ns() >= wall * 1_000_000

    def _await_lease(self) -> None:
        """Until what is offered may be taken, or it is the end, since the job is complete without that."""
        while self._offered and self._lease_is_over():
            self._asks_lease = True
            self._pipe.put(message(RENEW))
            self._await_offer()

    def _ask_figures(self) -> None:
        if self._waits.due() if self._bar is None else self._bar.due():
            self._pipe.put(message(STATUS))

    def _told(self, result: bytearray) -> Result:
        # Java has taken one more, which it holds ready
        return replace(Result.of(json.loads(result), self._over), batches=self._next, elements=self._elements)

    def _answer(self, question: int, wanted: int) -> bytearray:
        with self._calls:
            self._pipe.require_here()
            self._pipe.put(message(question))
            return self._until(wanted)

    def _until(self, wanted: int) -> bytearray:
        """The answer to what was just asked; what else comes is taken in."""
        while True:
            kind, body, beside = self._pipe.get()
            if kind != wanted:
                self._take(kind, body, beside)
            self._pipe.handled()
            if kind == wanted:
                return body
            if self._failure is not None:
                raise self._failure

    def _take(self, kind: int, body: bytearray, beside: memoryview | None) -> None:
        if kind == OFFERED:
            number = OFFER.unpack_from(body)[0]
            while self._let_go and not self._offered:
                self._memory.segment(self._let_go.popleft())
            if number >= self._next + len(self._offered):  # else it comes again
                self._offered.append((body, beside))
                self._lease = LEASE_END.unpack_from(body, OFFER_LEASE)
                self._asks_lease = False  # this one is newer
        elif kind == LEASE:
            self._asks_lease = False
            if body:
                self._lease = LEASE_END.unpack(body)
            else:
                self._offered.clear()
        elif kind == SEGMENT:
            if self._offered and not SEGMENT_HEAD.unpack_from(body)[1]:
                self._let_go.append(body)  # what lies there may be in it
            else:
                self._memory.segment(body)
        elif kind == COMPONENTS:
            names = json.loads(body)["names"]
            self._source.require(names)
            if self._template is None:
                self._template = by_names(names)
        elif kind == TOLD_STATUS:
            self._status = json.loads(body) if body else {}
            (self._waits if self._bar is None else self._bar).told(self._status)
        elif kind == TOLD_RESULT:
            # another thread closes the feed, and asked for it
            self._result = self._told(body)
        elif kind == WAITS:
            if body:  # else Java only asks whether this program is there
                _progress.tell(body.decode())
        elif kind in (OPENED, EXPLAINED):
            pass  # who asked for it was interrupted
        elif kind == CLOSED:
            self._pipe.gone()
        elif kind == END:
            self._over = True
            self._pipe.lost = None
        elif kind == ERROR:
            self._failure = _errors.of(json.loads(body))
            self._pipe.lost = None
        else:
            raise PralineError(
                f"the Java process sent an event of kind {kind}, which nobody asked for",
                "PRALINE_FEED must start the Java side of the same version as this package",
            )
