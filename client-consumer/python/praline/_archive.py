"""
The classes that the Java side loads, as an archive that its next start maps in place of reading and checking jars (AppCDS).

It is named by the Java that wrote it, by the jars that it is of and by its size, and is written at the end of the first
process that has none. Where it cannot be, or is damaged, that costs speed and nothing else.
"""

from __future__ import annotations

import glob
import hashlib
import os
import time
from typing import Sequence

_DAY_SECONDS = 86_400
#: an archive that nothing was started with for so long is of what was uninstalled
_KEPT_SECONDS = 30 * _DAY_SECONDS

#: how an archive begins once it is whole: Java writes its head last
_MAGIC = 0xF00BABA8


class Archive:
    """
    That of a Java and its jars, as a process starts with it.

    :param folder: where archives lie; None where there is no place for them
    :param jars: folders of jars, in the class path's order
    """

    def __init__(self, folder: str | None, java: str, jars: Sequence[str]) -> None:
        #: what Java is started with
        self.options: list[str] = []
        self._used: str | None = None
        self._written: str | None = None
        if folder is None:
            return
        try:
            self._stem = os.path.join(folder, f"classes-{_key(java, jars)}")
            self._used = self._there()
            if self._used is not None:
                # verified: bits that turned on the disk would end the process at the first class that they are of
                self.options = [
                    f"-XX:SharedArchiveFile={self._used}",
                    "-XX:+VerifySharedSpaces",
                    f"-Dpraline.archive={self._used}",
                ]
                return
            os.makedirs(folder, exist_ok=True)
            if os.access(folder, os.W_OK):
                _forget_old(folder)
                if os.path.exists(self._stem + ".slow"):
                    return
                self._written = f"{self._stem}.{os.getpid()}.part"
                self.options = [f"-XX:ArchiveClassesAtExit={self._written}"]
        except OSError:
            pass

    def _there(self) -> str | None:
        for archive in glob.glob(glob.escape(self._stem) + "-*.jsa"):
            stat = os.stat(archive)
            # Java would end in the middle of one that was cut off
            if _begins_whole(archive) and archive == f"{self._stem}-{stat.st_size}.jsa":
                if time.time() - stat.st_mtime > _DAY_SECONDS:
                    os.utime(archive)
                return archive
            os.unlink(archive)
        return None

    def answered(self, process: int) -> None:
        """This process of Java has begun: an archive that it did not take is to be written again."""
        if self._used is None:
            return
        try:
            with open(f"/proc/{process}/maps") as maps:
                taken = any(line.rstrip("\n").endswith(self._used) for line in maps)
        except OSError:
            return
        if not taken:
            self.forget()

    def forget(self) -> bool:
        """Removes it; False where none was used."""
        if self._used is None:
            return False
        try:
            os.unlink(self._used)
        except OSError:
            pass
        self._used = None
        return True

    def given_up(self) -> None:
        """The process was killed, since it took too long to end: the next ones write none, until tomorrow."""
        if self._written is not None:
            try:
                open(self._stem + ".slow", "w").close()
            except OSError:
                pass

    def ended(self) -> None:
        """The process has ended: what it wrote is for the next."""
        if self._written is None:
            return
        try:
            if _begins_whole(self._written):
                os.rename(self._written, f"{self._stem}-{os.stat(self._written).st_size}.jsa")
        except OSError:
            pass


def _key(java: str, folders: Sequence[str]) -> str:
    told = hashlib.sha256(os.path.realpath(java).encode())
    home = os.path.dirname(os.path.dirname(os.path.realpath(java)))
    for file in (os.path.realpath(java), os.path.join(home, "release")):
        _add(told, file)
    for folder in folders:
        for jar in sorted(os.listdir(folder)):
            _add(told, os.path.join(folder, jar))
    return told.hexdigest()[:20]


def _add(told: hashlib._Hash, file: str) -> None:
    try:
        stat = os.stat(file)
        told.update(f"{file} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    except FileNotFoundError:
        told.update(f"{file}\n".encode())


def _begins_whole(archive: str) -> bool:
    with open(archive, "rb") as file:
        return int.from_bytes(file.read(4), "little") == _MAGIC


def _forget_old(folder: str) -> None:
    for kind, seconds in (("jsa", _KEPT_SECONDS), ("part", _DAY_SECONDS), ("slow", _DAY_SECONDS)):
        for archive in glob.glob(os.path.join(glob.escape(folder), f"classes-*.{kind}")):
            if time.time() - os.stat(archive).st_mtime > seconds:
                os.unlink(archive)
