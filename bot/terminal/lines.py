"""Lines of standard input, one when it is asked for, without standing in the way of anything else."""

import asyncio
import sys
import threading
from contextlib import suppress
from typing import Final

_END: Final = None


class Lines:
    """Reads lines in a thread of its own: a pending ``input`` neither blocks answers nor the end of the program."""

    def __init__(self) -> None:
        self.is_terminal = sys.stdin.isatty()
        self._wanted = threading.Semaphore(0)
        self._prompt = ""
        self._found: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        if self.is_terminal:
            with suppress(ImportError):
                import readline  # noqa: F401, PLC0415 - gives input() its line editing; the history stays in memory
        reconfigure = getattr(sys.stdin, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="surrogateescape")
        threading.Thread(target=self._read, daemon=True).start()

    async def next(self, prompt: str) -> str | None:
        """Return the next line without its end, ``None`` behind the last."""
        self._prompt = prompt
        self._wanted.release()
        return await self._found.get()

    def redraw(self) -> None:
        """Show the prompt again, with what has been typed so far, where something else has been written over it."""
        if self.is_terminal:
            sys.stdout.write(self._prompt.lstrip("\n") + self._typed())
            sys.stdout.flush()

    @staticmethod
    def _typed() -> str:
        with suppress(ImportError):
            import readline  # noqa: PLC0415 - as above

            return readline.get_line_buffer()
        return ""

    def _read(self) -> None:
        while True:
            self._wanted.acquire()
            line = self._line()
            with suppress(RuntimeError):  # the loop has ended meanwhile
                self._loop.call_soon_threadsafe(self._found.put_nowait, line)
            if line is _END:
                return

    def _line(self) -> str | None:
        try:
            return input(self._prompt) if self.is_terminal else self._piped()
        except (EOFError, OSError, ValueError):
            return _END

    @staticmethod
    def _piped() -> str | None:
        line = sys.stdin.readline()
        return line.rstrip("\r\n") if line else _END
