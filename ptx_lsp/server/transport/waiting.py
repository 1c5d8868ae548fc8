"""Operations of the system that may wait, such as reading a file over a network: in a thread, which does only that."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

WaitedT = TypeVar("WaitedT")


async def in_thread(operation: Callable[[], WaitedT]) -> WaitedT:
    """The result of an operation; the event loop handles messages meanwhile.

    The thread does not keep the process from exiting: a file system that does not respond can block it for ever.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[WaitedT] = loop.create_future()

    def set_result(result: WaitedT) -> None:
        if not done.done():
            done.set_result(result)

    def set_error(error: Exception) -> None:
        if not done.done():
            done.set_exception(error)

    def work() -> None:
        try:
            result = operation()
        except Exception as error:  # noqa: BLE001  # raised where the result is awaited
            with suppress(RuntimeError):  # the event loop is closed
                loop.call_soon_threadsafe(set_error, error)
        else:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(set_result, result)

    threading.Thread(target=work, name="file", daemon=True).start()
    return await done
