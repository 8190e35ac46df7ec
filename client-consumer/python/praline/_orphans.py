"""Jobs whose Java process was lost: nobody but this program knows that they are wanted no more."""

from __future__ import annotations

import json
import threading
from typing import Any

from . import _java
from ._errors import PralineError
from ._pipe import Pipe
from ._wire import CANCEL, ERROR, OPEN, OPENED, message

#: what a cancellation needs no memory for
_MEMORY_BYTES = 1 << 20


def cancel_soon(job: str, said: dict[str, Any]) -> None:
    """Cancels the job from another Java process, beside what the program does; the cluster does by itself in some minutes."""
    asking = {"job": job, "rank": 1, **{key: said[key] for key in ("cluster", "pool") if key in said}}
    thread = threading.Thread(target=_cancel, args=(asking,), name=f"cancels {job}", daemon=True)
    _java.before_the_end(thread)
    thread.start()


def _cancel(asking: dict[str, Any]) -> None:
    # a place among its consumers is what a stream is of that can cancel it; nothing is taken from there
    try:
        pipe, memory = Pipe.make(_MEMORY_BYTES)
        try:
            text = json.dumps(asking).encode()
            pipe.put(message(OPEN, len(text).to_bytes(4, "little") + text))
            kind = 0
            while kind not in (OPENED, ERROR):
                kind, _body, _beside = pipe.get()
                pipe.handled()
            if kind == OPENED:
                pipe.put(message(CANCEL))
        finally:
            pipe.end()
            memory.close()
    except PralineError:
        pass  # it was told already that the feed is over; more cannot be done from here
