"""The middleware chain: ordered listeners, each deciding itself or asking the next one.

A listener is called with the chain's values and `next`. `next()` gives the decision of the
listeners further in; not calling it keeps them out. What the outermost listener returns is the
decision. This module knows no tool.
"""

import os
from _thread import RLock, allocate_lock
from collections.abc import Callable
from functools import partial
from typing import Any, Generic, TypeAlias, TypeVar

from ..errors import HarnessError
from ..json_values import what_is
from ..vocabulary import Dispose

Item = TypeVar("Item", bound=Callable[..., object])
Item_co = TypeVar("Item_co", bound=Callable[..., object], covariant=True)
Decision = TypeVar("Decision")


class Registration(Generic[Item_co]):
    """One thing that somebody registered.

    item: the thing.
    turn: None, or for one that serves once, the lock that whoever serves it takes.
    """

    __slots__ = ("item", "turn", "_owner")

    def __init__(self, item: Item_co, owner: "Registrations[Item_co]", once: bool) -> None:
        self.item = item
        self.turn = allocate_lock() if once else None
        self._owner = owner

    def dispose(self) -> None:
        """Take this registration back; does nothing when it is gone."""
        self._owner._change(lambda entries: tuple(kept for kept in entries if kept is not self))

    def takes_turn(self) -> bool:
        """Whether it may serve now: always, or for one that serves once, the first time."""
        if self.turn is None:
            return True
        if not self.turn.acquire(blocking=False):
            return False
        self.dispose()
        return True


Entries: TypeAlias = tuple[Registration[Item], ...]

# Held for two steps that run no code of others, so one does for all. A process that forks takes it
# first: its child must not find it held by a thread that it does not have.
_lock = RLock()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=_lock.acquire, after_in_parent=_lock.release, after_in_child=_lock.release
    )


class Registrations(Generic[Item]):
    """Things registered in an order. Safe to use from any thread, signal handler or finalizer.

    entries: what is registered now. The tuple is replaced and never changed: who has read it
        keeps what it held.
    """

    __slots__ = ("entries", "_most")

    def __init__(self, most: int | None = None) -> None:
        """`most` may be registered at a time, any number when it is None."""
        self.entries: Entries[Item] = ()
        self._most = most

    def add(self, item: Item, *, prepend: bool = False, once: bool = False) -> Dispose:
        """Register at the end, or first of all with `prepend`. Returns what takes exactly this
        registration back.

        Raises TypeError for what cannot be called, and HarnessError with code
        "TOO_MANY_LISTENERS" when as many as there may be are registered.
        """
        if not callable(item):
            raise TypeError(f"what is registered must be a function, not {what_is(item)}")
        entry = Registration(item, self, once)

        def added(entries: Entries[Item]) -> Entries[Item]:
            if len(entries) == self._most:
                text = f"no more than {self._most} listeners can stand on one side of a call"
                raise HarnessError(f"{text}: each of them runs inside the one before it, and "
                                   "Python bounds how deep that goes", "TOO_MANY_LISTENERS")
            return (entry, *entries) if prepend else (*entries, entry)

        self._change(added)
        return entry.dispose

    def _change(self, changed: Callable[[Entries[Item]], Entries[Item]]) -> None:
        """Replace `entries`. The work is done outside the lock: while it is held nothing may run
        that could come back here, a finalizer that the garbage collector calls for instance."""
        while True:
            before = self.entries
            after = changed(before)
            with _lock:
                if self.entries is before:
                    self.entries = after
                    return


def decide(
    entries: Entries[Callable[..., Decision]],
    values: tuple[Any, ...],  # what listeners take before `next`: the caller knows their types
    innermost: Decision,
    index: int = 0,
    asked: list[bool] | None = None,
) -> Decision:
    """The decision of the listeners from `index` on. Behind the last of them stands `innermost`.

    What a listener raises comes out. A second `next()` raises RuntimeError in the listener:
    `asked` is what its calls have in common.
    """
    if asked is not None:
        if asked:
            raise RuntimeError("next() was called a second time")
        asked.append(True)
    while index < len(entries):
        entry = entries[index]
        index += 1
        if entry.turn is None or entry.takes_turn():
            # `next` is this very function with its values: so a listener costs two frames of the
            # thousand that Python allows, and a call leaves no cycle.
            return entry.item(*values, partial(decide, entries, values, innermost, index, []))
    return innermost
