"""Of whatever version is installed, if any is: its types are not part of what is checked."""

from typing import Any

def __getattr__(name: str) -> Any: ...
