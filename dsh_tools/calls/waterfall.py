"""The middleware chain: ordered listeners, each deciding itself or asking the next one.

A listener is called with the chain's values and `next`. `next()` gives the decision of the
listeners further in; not calling it keeps them out. What the outermost listener returns is the
decision. This module knows no tool.
"""

import os
from _thread import RLock, allocate_lock
from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

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

    __slots__ = ("entries",)

    def __init__(self) -> None:
        self.entries: Entries[Item] = ()

    def add(self, item: Item, *, prepend: bool = False, once: bool = False) -> Dispose:
        """Register at the end, or first of all with `prepend`. Returns what takes exactly this
        registration back. Raises TypeError for what cannot be called."""
        if not callable(item):
            raise TypeError(f"what is registered must be a function, not {item!r}")
        entry = Registration(item, self, once)
        self._change(lambda entries: (entry, *entries) if prepend else (*entries, entry))
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


Rest: TypeAlias = tuple[Entries[Callable[..., Decision]], tuple[Any, ...], Decision, int]
"""The arguments with which `decide` goes on."""


def decide(
    entries: Entries[Callable[..., Decision]],
    values: tuple[Any, ...],  # what listeners take before `next`: the caller knows their types
    innermost: Decision,
    index: int = 0,
) -> Decision:
    """The decision of the listeners from `index` on. Behind the last of them stands `innermost`.

    What a listener raises comes out. A second `next()` raises RuntimeError in the listener.
    """
    if index == len(entries):
        return innermost
    entry = entries[index]
    if entry.turn is not None and not entry.takes_turn():
        return decide(entries, values, innermost, index + 1)
    # One cell instead of five, and none that leads back to the closure or to the frame it is made
    # in: a call leaves no cycle.
    rest: Rest[Decision] | None = (entries, values, innermost, index + 1)

    def next() -> Decision:
        nonlocal rest
        if rest is None:
            raise RuntimeError("next() was called a second time")
        asked, rest = rest, None
        return decide(*asked)

    return entry.item(*values, next)
